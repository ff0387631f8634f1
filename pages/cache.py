"""The page of the lesson in pages/lessons/cache."""

from pages.lessons.cache import LESSON

LESSON.show()
