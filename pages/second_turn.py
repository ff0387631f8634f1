"""The page of the lesson in pages/lessons/second_turn."""

from pages.lessons.second_turn import LESSON

LESSON.show()
