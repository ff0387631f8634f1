"""The page of the lesson in pages/lessons/overview."""

from pages.lessons.overview import LESSON

LESSON.show()
