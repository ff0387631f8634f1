"""Lesson 3. Scores, mask, softmax: what each head looks at, live."""

from engine import attention, causal_mask, prefill, softmax
from engine.toy import ToyModel
from pages.parts import attention_view, scenario, widgets
from pages.parts.lesson import lesson
from pages.parts.predict import predict
from pages.parts.words import md

s = scenario.current()
run = prefill(s.model(), s.prompt_ids)
last = md(s.tokens[-1])


def look() -> None:
    widgets.value_sliders()
    widgets.rule_selectors(attention_view.SHARES)
    attention_view.attention_map(s, run)
    attention_view.takeaway(s, run)


def derive() -> None:
    attention_view.derivation(s, run)


def ask() -> None:
    predict(
        "match",
        f"Head 1 at “{last}”: which score does softmax see for a token that its rule matches?",
        s.sharpness,
        f"The product of query and key is {s.sharpness:g} × √64, and dividing by √64 leaves {s.sharpness:g}.",
        cell=f"1.{len(s.tokens)}.{len(s.tokens)}",
    )


lesson(
    "Which earlier tokens does each head look at?",
    look,
    derive,
    ask,
    source=(softmax, causal_mask, attention, ToyModel.forward),
)
