"""Words and sources: find a term, a lesson or a step; every term in a sentence; what to read next and what for."""

from pages.lessons.glossary import reading, steps
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What does it mean, and where is it shown?",
    (steps.find, reading.sources),
    title="Words and sources",
    icon="menu_book",
    toy=False,
)
