"""The page of the lesson in pages/lessons/attention."""

from pages.lessons.attention import LESSON

LESSON.show()
