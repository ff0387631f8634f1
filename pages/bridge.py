"""The page of the lesson in pages/lessons/bridge."""

from pages.lessons.bridge import LESSON

LESSON.show()
