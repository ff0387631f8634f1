"""The page of the lesson in pages/lessons/roofline."""

from pages.lessons.roofline import LESSON

LESSON.show()
