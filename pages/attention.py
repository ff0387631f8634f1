"""Lesson 3. Scores, mask, softmax: what each head looks at, live."""

from engine import attention, causal_mask, prefill, softmax
from engine.toy import ToyModel
from pages.parts import attention_view, scenario, widgets
from pages.parts.lesson import lesson

s = scenario.current()
run = prefill(s.model(), s.prompt_ids)


def stages() -> None:
    attention_view.opening()
    widgets.value_sliders()
    widgets.rule_selectors(attention_view.SHARES)
    attention_view.attention_map(s, run)
    attention_view.takeaway(s, run)


def one_cell() -> None:
    attention_view.derivation(s, run)
    attention_view.caveats()


def values() -> None:
    attention_view.ask_values(s)


def leak() -> None:
    attention_view.ask_leak(s)


def softer() -> None:
    attention_view.ask_softer(s)


lesson(
    "Which earlier tokens does each head look at?",
    stages,
    one_cell,
    values,
    leak,
    softer,
    source=(softmax, causal_mask, attention, ToyModel.forward),
)
