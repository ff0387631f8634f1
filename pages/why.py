"""The page of the lesson in pages/lessons/why."""

from pages.lessons.why import LESSON

LESSON.show()
