"""The page of the lesson in pages/lessons/tiles."""

from pages.lessons.tiles import LESSON

LESSON.show()
