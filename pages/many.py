"""The page of the lesson in pages/lessons/many."""

from pages.lessons.many import LESSON

LESSON.show()
