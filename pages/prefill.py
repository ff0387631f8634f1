"""The page of the lesson in pages/lessons/prefill."""

from pages.lessons.prefill import LESSON

LESSON.show()
