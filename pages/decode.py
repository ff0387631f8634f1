"""The page of the lesson in pages/lessons/decode."""

from pages.lessons.decode import LESSON

LESSON.show()
