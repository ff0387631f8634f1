"""A trained model, inside: where every head looks, what it would say after each layer, and how a head came to be."""

from engine import head_scores
from engine.inside import look_inside
from engine.repeated import continued
from engine.transformer import Transformer
from pages.parts import inside_view, next_word_view, prompt, training_view
from pages.parts.lesson import lead, lesson
from pages.parts.look import presenting

v = inside_view.current()


def heads() -> None:
    if not presenting():
        lead(
            "This transformer learned from text: nobody wrote its heads a rule. Type a prompt, pick a head, see where it looks.",
            "token", "head", "weight", "induction head", "logit lens",
        )  # fmt: skip
    inside_view.controls(v)
    prompt.marks(v.intact, v.prompt)
    inside_view.maps(v)
    inside_view.takeaway(v)


def ask_next() -> None:
    next_word_view.ask_next(v)


def next_word() -> None:
    next_word_view.next_word(v)


def ask_list() -> None:
    training_view.ask_list(v)


def training() -> None:
    training_view.training(v)


lesson(
    "What do learned heads look at?",
    heads,
    ask_next,
    next_word,
    ask_list,
    training,
    source=(look_inside, head_scores, continued, Transformer.forward, Transformer.unembed),
    toy=False,
)
