"""The page of the first screen in pages/lessons/start."""

from pages.lessons.start import LESSON

LESSON.show()
