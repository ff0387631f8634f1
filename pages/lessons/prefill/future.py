"""No row sees the future: what a later token changes in earlier rows, with the mask and without."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from engine.compare import gaps
from engine.experiments import rows
from engine.model import ForwardPass
from engine.toy.edits import set_value
from engine.toy.scenario import Scenario
from pages.lessons.prefill.figures.rows_compared import rows_compared
from pages.lessons.prefill.steps import WIDE, caveats
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import TOKEN
from pages.parts.drawing.plot import plot
from pages.parts.lesson.lesson import step
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.format import head_names, join, md, number
from pages.parts.visit.display import look, presenting
from pages.parts.visit.parameters import Choice, Real

VALUE = Real("value", low=toy.SLIDER[0], high=toy.SLIDER[1])
VIEW = Choice("view")
MASK_ROWS = ("only the first", "only the last", "the last and some others", "every row", "none")


@step("No row sees ahead")
def future(s: Scenario, run: ForwardPass) -> None:
    """Change one token's value and see which rows notice, with the mask and without."""
    n = len(s.tokens)
    place = st.columns([2, 1.4, 1.6])
    with place[0]:
        token = TOKEN.buttons("Change the value of", [md(word) for word in s.tokens], default=max(1, n - 1)) - 1
    with place[1]:
        default = 100.0 if s.values[token] != 100 else 10.0
        value = VALUE.slider(f"from {number(s.values[token])} to", default=default, step=toy.SLIDER[2], format="%g")
    with place[2]:
        mask = _mask_on(s)
    before = replace(s, causal=mask)
    after = set_value(before, token, value)
    titles = tuple(f"“{s.tokens[token]}” = {number(x)}" for x in (s.values[token], value))
    moved = _compare(s, before, after, titles, "future", WIDE if presenting() else 1.0)
    earlier, later = moved[:token], moved[token:]
    with st.container(key="takeaway_future"):
        word = md(s.tokens[token])
        if earlier.any():
            blame = "without the mask a row sees what comes later" if not mask else _leaky(s)
            st.markdown(f"**{int(earlier.sum())}** row{'' if earlier.sum() == 1 else 's'} before “{word}” changed: {blame}.")
        else:
            st.markdown(f"**No** row before “{word}” changed, not in one bit; {_those(later, word)}. {_never_ahead(mask)}")
    if not presenting():
        with st.expander("What “all at once” leaves out", icon=":material/info:"):
            caveats(run)


def _those(later: np.ndarray, word: str) -> str:
    """How many rows from the changed token on changed, too."""
    if len(later) == 1:
        return f"its own {'did' if later.all() else 'did not either'}"
    if later.all():
        return f"all {len(later)} rows from “{word}” on did"
    return f"of the {len(later)} rows from “{word}” on {int(later.sum()) or 'none'} did"


def _mask_on(s: Scenario) -> bool:
    """Whether the mask is on: a switch, once the next step's question on it has been answered, which it would give away."""
    if not mask_question(s).answered and not VIEW.text():
        return s.causal
    return VIEW.buttons("Causal mask", {"on": "on", "off": "off"}, "on" if s.causal else "off") == "on"


def _never_ahead(mask: bool) -> str:
    """Why no earlier row changed."""
    if not mask:
        return "No rule here looks ahead, mask or not."
    return "A row never sees what comes after it, so what has been computed for a prompt stays true however the text goes on."


def _leaky(s: Scenario) -> str:
    """Why an earlier row can know a later value although the mask is on."""
    return "an empty row filled with −10⁹ averages over all tokens, the hidden ones too" if s.empty_row == "fill" else "a leak"


def _compare(
    s: Scenario, before: Scenario, after: Scenario, titles: tuple[str, str], key: str, zoom: float = 1.0, hidden: bool = False
) -> np.ndarray:
    """Draw the contexts of two scenarios side by side, the second hidden where asked for; returns which rows differ, (n,)."""
    runs = [toy.passed(x) for x in (before, after)]
    tables = [rows.contexts([r]) for r in runs]
    none = tuple(r.layers[0].empty.T for r in runs)
    changed = gaps(*tables) > 0
    figure = rows_compared(*tables, changed, none, s.tokens, head_names(s), titles, hidden=hidden, **look(zoom))
    moved = changed.any(axis=1)
    names = join([w for w, m in zip(s.tokens, moved, strict=True) if m]) if moved.any() else "none"
    last = ", ".join(number(x) for x in tables[1][0])
    alt = (
        f"Contexts of every head in every row, {titles[0]} on the left and {titles[1]} on the right. Rows that changed: {names}. "
        f"On the right the row {s.tokens[0]} is {last}."
    )
    plot(figure, f"Contexts of every head in every row, {titles[0]}; {titles[1]}: to be found." if hidden else alt, key)
    return moved


def with_and_without(s: Scenario) -> tuple[Scenario, Scenario]:
    """The scenario with the causal mask and without it."""
    return replace(s, causal=True), replace(s, causal=False)


def mask_question(s: Scenario) -> Question:
    """Which rows stay as they are without the mask: the last, which was allowed to see everything anyway."""
    tables = [rows.contexts([toy.passed(x)]) for x in with_and_without(s)]
    return Question(
        "mask",
        "Suppose the causal mask were off. Which rows would keep exactly the contexts that they have with it?",
        stays((gaps(*tables) == 0).all(axis=1)),
        f"“{md(s.tokens[-1])}” is the last token: nothing comes after it, so the mask hides nothing from it. That row chooses "
        "the next word, which is why a mask that is missing can go unnoticed for a whole prompt.",
        options=MASK_ROWS,
    )


@step("Without the mask")
def without_mask(s: Scenario, run: ForwardPass) -> None:
    """Which rows the mask matters for; the second table waits for the answer."""
    question = mask_question(s)
    _compare(s, *with_and_without(s), ("mask on", "mask off"), "mask_off", hidden=not question.answered)
    predict(question)


def stays(same: np.ndarray) -> str:
    """Which rows are the same, as one of MASK_ROWS. same: (n,)"""
    if same.all():
        return "every row"
    if not same[-1]:
        return "only the first" if same[0] and same.sum() == 1 else "none"
    return "only the last" if same.sum() == 1 else "the last and some others"
