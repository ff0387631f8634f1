"""The page of the lesson in pages/lessons/glossary."""

from pages.lessons.glossary import LESSON

LESSON.show()
