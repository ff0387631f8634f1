"""The toy's controls: value sliders and head rules. Each shows the scenario and hands every change to scenario.edit. And what a step says
where values are moved after its question has been answered: what follows them, and the way to be asked again."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.prefill import prefill
from engine.toy import edits
from engine.toy.by_hand import pass_by_hand
from engine.toy.rules import Rule
from engine.toy.scenario import Scenario
from pages.parts.lesson.sentences import takeaway
from pages.parts.question.question import Question, committed, reopen
from pages.parts.text.format import SEEN, md, superscript
from pages.parts.text.toy_names import head_names, rule_label
from pages.parts.visit import control_locks, scenario
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import Whole, set_widget

SLIDER = (-20.0, 100.0, 0.5)  # range and step of a value slider; a value beyond widens it
SHARPNESS = {math.sqrt(d): d for d in (1, 2, 4, 8, 16, 32, 64, 128)}
SCORE_HELP = "In the article q · k is 64 where the rule matches and −64 elsewhere; divided by √64 that is ±8. Lower scores, softer weights."
VALUE_OF = Whole("of", low=1, high=16, default=1)
BREAKS = "⚠ Its key says “I am the last so far”. The next token makes that false: this rule breaks the cache."
FEW_HEADS = 4  # whose names there is room for on buttons
THUMB = 130  # pixels of a slider on a phone, two in a line: shorter ones cannot be set by a thumb
FEW_COLUMNS, BENEATH = 4, 50  # of a figure with room for a slider beneath each, and the pixels that it has there
COMMON_RULES = ("even", "odd", "self", "previous", "previous:2", "first", "all", "window:2", "window:3", "none", "last")


@lru_cache(maxsize=64)
def prefill_of(s: Scenario) -> ForwardPass:
    """The prefill of a scenario as it is by hand. The last few are kept: what an edit changed is said beside the pass before it."""
    return pass_by_hand(prefill(s.model(), s.prompt_ids), s.w_vocab)


def given() -> tuple[Scenario, ForwardPass]:
    """What the steps of most toy lessons are called with: the scenario and its prefill."""
    s = scenario.current()
    return s, prefill_of(s)


def voting_heads(s: Scenario) -> list[int]:
    """The heads, from 0, whose contexts bear on the next word: in W their numbers are not the same for every word."""
    return [head for head, row in enumerate(s.w_vocab) if len(set(row)) > 1]


def unit_of(values: Sequence[float]) -> tuple[float, str]:
    """In what a context of these values is asked for, and how that is written: 1, or a power of ten where all are so small that four
    decimals would say it is nothing.

    >>> unit_of([12.0, 0.0001]), unit_of([0.00002, -0.00003]), unit_of([0.0])
    ((1.0, ''), (1e-05, '× 10⁻⁵'), (1.0, ''))
    """
    largest = float(max(map(abs, values)))
    if not 0 < largest < 0.005:
        return 1.0, ""
    power = int(f"{largest:e}".split("e")[1])
    return float(f"1e{power}"), f"× 10{superscript(power)}"


def places_beneath(left: float, right: float) -> tuple:
    """(the place left of a figure's columns, the place beneath them), which stand between these shares of the width; where there
    is no room for a slider beneath each, both are the whole line."""
    if len(scenario.current().tokens) > FEW_COLUMNS or narrow():
        line = st.container(horizontal=not narrow(), vertical_alignment="bottom")
        return line, line
    beside, under, _ = st.columns([left, right - left, 1 - right], gap=None)
    return beside, under


def value_sliders(most: int = 8, where: str = "", least: int = 74, first: int = 0) -> None:
    """A slider for each token's value; with more tokens than `most`, one for the token that is chosen beside it, `first` at first.

    where: what the widgets' keys begin with, where a lesson has the sliders in two of its steps. least: pixels of each.
    """
    if scenario.on_paper():
        return
    s = scenario.current()
    n = len(s.tokens)
    if n > most:
        left, right = st.columns([1, 2], vertical_alignment="bottom")
        _value_slider(right, s, _value_of(left, s, f"{where}value_of", first), where)
        return
    row = st.grid(n, min_column_width=max(least, THUMB) if narrow() else least, gap=("xxsmall", "small"))
    for j in range(n):
        _value_slider(row, s, j, where)


def _value_of(box, s: Scenario, key: str, first: int) -> int:
    """Which token's value the one slider moves, from 0."""
    at = VALUE_OF.value(high=len(s.tokens), default=first + 1) - 1
    names = [f"{j} {word}" for j, word in enumerate(s.tokens, 1)]
    set_widget(key, at, among=tuple(names))

    def keep() -> None:
        if isinstance(chosen := st.session_state[key], int):  # else a name that has changed meanwhile, and nobody has chosen
            VALUE_OF.set(chosen + 1, first + 1)

    written = dict(enumerate(names))
    box.selectbox("Value of", list(written), at, key=key, format_func=lambda j: written.get(j, ""), on_change=keep)
    return at


def _value_slider(box, s: Scenario, j: int, where: str) -> None:
    low, high, step = SLIDER
    key, ends = f"{where}value_{j}", (min(low, s.values[j]), max(high, s.values[j]))
    set_widget(key, s.values[j], among=ends)
    change = control_locks.control(control_locks.VALUES, on_change=apply_widget(key, edits.set_value, j))
    box.slider(md(s.tokens[j]), *ends, s.values[j], step=step, key=key, format="%g", **change)


def sharpness_slider(key: str) -> None:
    """The score of a match, ±√d: lower scores, softer weights."""
    s = scenario.current()
    set_widget(key, s.sharpness)
    scores, changed = sorted({*SHARPNESS, s.sharpness}), apply_widget(key, edits.set_option, "sharpness")
    change = control_locks.control(control_locks.SHARPNESS, on_change=changed)
    st.select_slider("Score of a match", scores, s.sharpness, key=key, format_func=score_name, help=SCORE_HELP, **change)


def looks(s: Scenario) -> str:
    """What a row does under the mask, or only should: −10⁹ without a guard lets an empty one see what is hidden."""
    return "should look" if s.empty_row == "fill" else "looks"


def score_name(score: float) -> str:
    """A score of a match as its slider says it: ±√64 = ±8."""
    return f"±√{SHARPNESS[score]} = ±{score:.3g}" if score in SHARPNESS else f"±{score:.4g}"


def rule_selector(head: int, before: str = "") -> None:
    """The rule of one head. before: what stands before it, in its own line; else its label stands above it."""
    if before and not scenario.on_paper():
        st.markdown(f"**{before}**", width="content")
    if not before or not scenario.on_paper():
        _rule(st, scenario.current(), head, f"one_rule_{head}", f"Head {head + 1} looks at", collapsed=bool(before))


def rule_selectors(shares: tuple[float, float]) -> None:
    """A rule for each head, standing under the head's block of the figure. shares: widths left of the blocks, and of them."""
    if scenario.on_paper():
        return
    s = scenario.current()
    left, blocks = shares
    with st.container(key="rules"):
        widths = [left, *[blocks / len(s.rules)] * len(s.rules)]
        columns = st.columns(widths, gap="xxsmall", vertical_alignment="center")
    columns[0].markdown("**Looks at**")
    for h, column in enumerate(columns[1:]):
        _rule(column, s, h, f"rule_{h}", f"Head {h + 1} looks at", collapsed=True)


def _rule(box, s: Scenario, head: int, key: str, label: str, collapsed: bool) -> None:
    """A selectbox with the common rules, and the head's own where it is none of them."""
    options = list(COMMON_RULES) if str(s.rules[head]) in COMMON_RULES else [*COMMON_RULES, str(s.rules[head])]
    set_widget(key, str(s.rules[head]))
    look = {"label_visibility": "collapsed" if collapsed else "visible", "format_func": _rule_label}
    look["help"] = BREAKS if s.rules[head].breaks_cache else None
    change = control_locks.control(control_locks.RULES, on_change=apply_widget(key, edits.set_rule, head))
    box.selectbox(label, options, key=key, **look, **change)


@lru_cache(maxsize=256)
def _rule_label(text: str) -> str:
    return rule_label(Rule.parse(text))


def head_buttons(s: Scenario) -> list[str]:
    """What stands on a button for each head: its number and its rule, of many heads the number alone."""
    return [md(name) for name in head_names(s)] if len(s.rules) <= FEW_HEADS else [str(h) for h in range(1, len(s.rules) + 1)]


def apply_widget(key: str, change: Callable, *where) -> Callable[[], None]:
    """A callback that applies `change` with what the widget `key` holds."""
    return lambda: scenario.edit(change, *where, st.session_state[key], what=key)


def values_moved(question: Question) -> bool:
    """Whether the reader has answered the question and has then moved values, and nothing else: he asks what comes of it."""
    s, before = scenario.current(), scenario.kept().before
    moved = before is not None and replace(before, values=s.values) == s
    return moved and not question.answered and committed(question.key) is not None


def hardly_taken(before: Scenario, s: Scenario, moved: np.ndarray) -> bool:
    """Whether contexts take no share worth naming of the values that were moved. moved: by how much each context did."""
    by = np.abs(np.subtract(s.values, before.values)).max()
    return bool(np.abs(moved).max() < SEEN * min(1.0, by))


def follow_the_values(name: str, text: str, question: Question) -> None:
    """The takeaway where values have been moved, and the way to be asked again."""
    with st.container(horizontal=True, vertical_alignment="center"):
        takeaway(name, text)
        look = {"key": f"{name}_again", "type": "tertiary"}
        st.button("Ask me with these values", on_click=reopen, args=((question.key,),), **look)
