"""The page of the lesson in pages/lessons/quiz."""

from pages.lessons.quiz import LESSON

LESSON.show()
