"""The page of the lesson in pages/lessons/serverlog."""

from pages.lessons.serverlog import LESSON

LESSON.show()
