"""The page of the lesson in pages/lessons/inside."""

from pages.lessons.inside import LESSON

LESSON.show()
