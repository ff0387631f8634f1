"""The page of the lesson in pages/lessons/claims."""

from pages.lessons.claims import LESSON

LESSON.show()
