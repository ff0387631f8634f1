"""Lesson 5. From contexts to a word: W, what each head adds, how far another word is from winning, and the draw."""

from engine import prefill, probabilities
from engine.draws import draw_many
from engine.flips import winners
from engine.projection import contributions
from pages.parts import draw_view, logits_view, scenario
from pages.parts.lesson import lead, lesson

s = scenario.current()
run = prefill(s.model(), s.prompt_ids)


def project() -> None:
    lead(
        "The heads’ contexts stand side by side as a vector. The matrix W says what one unit of each adds to each candidate "
        "word; the sums are the logits. Select a cell of W and change its number.",
        "context", "logit", "softmax",
    )  # fmt: skip
    logits_view.projection(s, run)


def ask_head() -> None:
    logits_view.ask_head(s)


def flips() -> None:
    logits_view.flips(s, run)


def ask_temperature() -> None:
    draw_view.ask_temperature(s)


def draw() -> None:
    draw_view.draw(s, run)
    logits_view.caveats()


def ask_mean() -> None:
    draw_view.ask_mean(s)


lesson(
    "How do the heads’ numbers become a word?",
    project,
    ask_head,
    flips,
    ask_temperature,
    draw,
    ask_mean,
    source=(contributions, winners, probabilities, draw_many),
)
