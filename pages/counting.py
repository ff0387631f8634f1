"""The page of the lesson in pages/lessons/counting."""

from pages.lessons.counting import LESSON

LESSON.show()
