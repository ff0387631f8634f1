"""The page of the lesson in pages/lessons/memory."""

from pages.lessons.memory import LESSON

LESSON.show()
