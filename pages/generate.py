"""The page of the lesson in pages/lessons/generate."""

from pages.lessons.generate import LESSON

LESSON.show()
