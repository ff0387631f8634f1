"""The page of the lesson in pages/lessons/paging."""

from pages.lessons.paging import LESSON

LESSON.show()
