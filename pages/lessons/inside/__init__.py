"""A trained model, inside: where every head looks, what it would say after each layer, and how a head came to be."""

from engine.trained.induction import continued, scores_so_far
from engine.trained.logit_lens import look_inside
from engine.trained.transformer import Transformer
from pages.lessons.inside import next_word, notebook, steps, training, view
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "What do learned heads look at?",
    (steps.heads, next_word.next_word, training.training),
    title="A trained model, inside",
    icon="neurology",
    given=view.given,
    source=(look_inside, scores_so_far, continued, Transformer.forward, Transformer.unembed),
    toy=False,
    notebook=notebook.cells,
)
