"""The page of the lesson in pages/lessons/rules."""

from pages.lessons.rules import LESSON

LESSON.show()
