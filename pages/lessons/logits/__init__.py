"""From contexts to a word: W, what each head adds, how far another word is from winning, and the draw."""

from engine import probabilities
from engine.experiments.draws import draw_many
from engine.toy.flips import winners
from engine.toy.projection import contributions
from pages.lessons.logits import drawing_words, nearest_flip, notebook, steps, temperature
from pages.parts.controls import toy
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "How do the heads’ numbers become a word?",
    (
        steps.projection,
        steps.ask_head,
        nearest_flip.flips,
        temperature.ask_temperature,
        drawing_words.draw,
        drawing_words.ask_mean,
    ),
    title="From contexts to a word",
    icon="bar_chart",
    on_the_map="How do a few numbers become a word?",
    given=toy.given,
    source=(contributions, winners, probabilities, draw_many),
    notebook=notebook.cells,
)
