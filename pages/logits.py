"""The page of the lesson in pages/lessons/logits."""

from pages.lessons.logits import LESSON

LESSON.show()
