"""The page of the lesson in pages/lessons/guess."""

from pages.lessons.guess import LESSON

LESSON.show()
