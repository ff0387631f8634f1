"""Lesson 5. From contexts to a word: W, what each head adds, how far another word is from winning, and the draw."""

from engine import probabilities
from engine.experiments.draws import draw_many
from engine.toy.flips import winners
from engine.toy.projection import contributions
from pages.lessons.logits import drawing_words, nearest_flip, notebook, notes, steps
from pages.parts.controls import toy
from pages.parts.lesson.lesson import lesson

lesson(
    "How do the heads’ numbers become a word?",
    steps.projection,
    steps.ask_head,
    nearest_flip.flips,
    drawing_words.ask_temperature,
    drawing_words.draw,
    drawing_words.ask_mean,
    given=toy.given,
    source=(contributions, winners, probabilities, draw_many),
    notebook=notebook.cells,
    teaching=notes.NOTES,
)
