"""The attention map as the lessons show it: figure, takeaway, and the selected cell written out."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from engine.derivation import derive
from engine.edits import set_value
from engine.model import ForwardPass
from engine.prefill import prefill
from engine.sampling import probabilities
from engine.toy import Scenario
from pages.parts import scenario, story, widgets
from pages.parts.figures import attention_map as figures
from pages.parts.figures.head_stages import head_stages
from pages.parts.lesson import lead
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.words import e_to, head_names, md, number, weight

SHARES = (figures.LEFT, figures.HEADS, figures.RIGHT)


def next_probs(run: ForwardPass) -> np.ndarray | None:
    """The chance of each word after the last row, or None when a logit is not a number."""
    return probabilities(run.logits[-1]) if np.isfinite(run.logits[-1]).all() else None


def selected_cell(s: Scenario, run: ForwardPass) -> tuple[int, int, int]:
    """(head, query, key) from the link or the last selection; untouched, what the last row of head 1 weighs most."""
    parts = scenario.extra("cell").split(".")
    if len(parts) == 3 and all(p.isascii() and p.isdigit() and len(p) <= 2 for p in parts):
        head, query, key = (int(p) - 1 for p in parts)
        if 0 <= head < len(s.rules) and 0 <= query < len(s.tokens) and 0 <= key < len(s.tokens):
            return head, query, key
    return 0, len(s.tokens) - 1, int(np.argmax(run.layers[0].weights[0, -1]))


def attention_map(s: Scenario, run: ForwardPass) -> None:
    """The figure. Selecting a cell in it is remembered in the link."""
    n = len(s.tokens)

    def select(curve: int, row: int, column: int) -> None:
        where = figures.cell_of_column(column, n)
        if where and 0 <= row < n and where[0] < len(s.rules):
            scenario.set_extra("cell", f"{where[0] + 1}.{row + 1}.{where[1] + 1}")

    probs = next_probs(run)
    room = None if not presenting() else 216.0 if n > 8 else 288.0  # two rows of sliders stand above it
    cell = selected_cell(s, run)
    figure = figures.attention_map(run, s.tokens, head_names(s), s.words, probs, cell, room=room, **look())
    plot(figure, story.map_in_words(s, run, probs), "attention_map", select)


def takeaway(s: Scenario, run: ForwardPass) -> None:
    """One sentence: what the last edit changed, or what there is to see before any."""
    before = scenario.before_last_edit()
    with st.container(key="takeaway"):
        st.markdown(story.change(before, s) if before else story.standing(s, run, next_probs(run)))


def derivation(s: Scenario, run: ForwardPass) -> None:
    """The selected cell, every number on the way written out; presented, the maps of its head stand above it."""
    head, query, key = selected_cell(s, run)
    if presenting():
        _selected_head(s, run, (head, query, key))
    cell = derive(run.layers[0], head, query, key)
    with st.container(border=True, key="derivation"):
        st.markdown(
            f"Head **{md(head_names(s)[head])}**, row “**{md(s.tokens[query])}**”, looking at “**{md(s.tokens[key])}**”"
            " — select another cell with the pointer, or with the arrow keys once the figure has the focus"
        )
        st.markdown("\n".join(f"1. {step}" for step in story.cell_steps(s, cell, head, query, key)))


def _selected_head(s: Scenario, run: ForwardPass, selected: tuple[int, int, int]) -> None:
    """The selected head alone, as large as the slide allows, and the choice of another."""
    head, query, key = selected

    def turn() -> None:
        scenario.set_extra("cell", f"{st.session_state['cell_head'] + 1}.{query + 1}.{key + 1}")

    def select(curve: int, row: int, column: int) -> None:
        if 0 <= row < len(s.tokens) and 0 <= column < len(s.tokens):
            scenario.set_extra("cell", f"{head + 1}.{row + 1}.{column + 1}")

    names = dict(enumerate(md(name) for name in head_names(s)))
    widgets.show("cell_head", head)
    st.segmented_control(
        "Head", list(names), key="cell_head", format_func=names.get, on_change=turn, required=True, label_visibility="collapsed"
    )
    figure = head_stages(run, s.tokens, head_names(s), selected, **look())
    layer = run.layers[0]
    alt = (
        f"Scores, masked scores and weights of head {head_names(s)[head]}. Selected: row {s.tokens[query]}, looking at "
        f"{s.tokens[key]}: score {number(layer.scores[head, query, key], sign=True)}, weight "
        f"{number(layer.weights[head, query, key])}. Arrow keys select another cell."
    )
    plot(figure, alt, "head_stages", select)


def opening() -> None:
    """The three stages in one breath; presented, the figure needs the room."""
    if not presenting():
        lead(
            "A token asks all tokens (**score**), the future is hidden (**mask**), the rest becomes shares of 1 (**weights**).",
            "query", "key", "score", "mask", "softmax", "weight", "value", "context", "logit",
        )  # fmt: skip


def caveats() -> None:
    """What the toy simplifies, so that nobody takes it for the real thing; presented, the maps need the room."""
    if presenting():
        return
    st.caption(
        "In a trained model nobody writes rules: queries and keys are learned, weights are seldom 0 or 1, and most heads cannot "
        "be put into words; a few can (the previous token, the first one, what followed last time). A value is content, not "
        "importance: a large one is not looked at more, and softmax does not pick a winner, it can spread evenly."
    )


def ask_softer(s: Scenario) -> None:
    """What lower scores do to the context of the last row: the leak that softmax always leaves gets visible."""
    softer = replace(s, sharpness=s.sharpness / 4)
    old, new = (prefill(x.model(), x.prompt_ids).layers[0] for x in (s, softer))
    head = int(np.argmax(np.abs(np.nan_to_num(new.context - old.context)[:, -1, 0])))
    before, after = float(old.context[head, -1, 0]), float(new.context[head, -1, 0])
    options = ("it rises", "it falls", "it stays the same")
    close = abs(after - before) < 5e-5 or np.isnan(after)
    leak = np.exp(-2 * softer.sharpness)
    predict(
        "softer",
        f"The scores are ±{number(s.sharpness, 3)} now. Make them a quarter of that, ±{number(softer.sharpness, 3)}. "
        f"What happens to head {head + 1}’s context at “{md(s.tokens[-1])}”, now {number(before, 3)}?",
        options[2] if close else options[int(after < before)],
        f"It becomes {number(after, 3)}. A token that does not match now weighs "
        f"{e_to(-2 * softer.sharpness)} = {weight(leak)} of a match; "
        f"it was {weight(np.exp(-2 * s.sharpness))}. Softmax never gives exactly 0, though a cell "
        "shows so little as 0; only the mask does. Real scores are moderate, so real weights are blends.",
        options=options,
    )


def ask_values(s: Scenario) -> None:
    """How many weights follow a value: none, because weights come from queries and keys."""
    token = max(0, len(s.tokens) - 2)
    target = 100.0 if s.values[token] != 100 else 10.0
    before = prefill(s.model(), s.prompt_ids)
    changed = set_value(s, token, target)
    after = prefill(changed.model(), changed.prompt_ids)
    old, new = before.layers[0], after.layers[0]
    weights = int(np.sum(~np.isclose(old.weights, new.weights, atol=0, rtol=0, equal_nan=True)))
    contexts = int(np.sum(~np.isclose(old.context, new.context, atol=1e-12, equal_nan=True)))
    predict(
        "values",
        f"Set the value of “{md(s.tokens[token])}” from {number(s.values[token])} to {number(target)}. "
        f"How many of the {int(old.mask.sum())} visible weights change?",
        float(weights),
        f"Weights come from queries and keys; values only pass through them. {contexts} of the {old.context.size} contexts "
        "change, and with them the logits. Try it with the slider.",
        tolerance=0.1,
    )


def ask_leak(s: Scenario) -> None:
    """What softmax leaves on a token that does not match, next to one that does."""
    ratio = weight(np.exp(-2 * s.sharpness))
    options = ("exactly 0", f"about {ratio} of a match’s weight", "half of a match’s weight")
    predict(
        "leak",
        f"A match scores {number(s.sharpness, 3, sign=True)}, a non-match {number(-s.sharpness, 3)}. "
        "How much weight does softmax leave on a visible token that does not match, where another one does?",
        options[1],
        f"{e_to(-s.sharpness)} / {e_to(s.sharpness)} = {e_to(-2 * s.sharpness)} = {ratio}: small, never 0. "
        "Only the mask gives exactly 0.",
        options=options,
    )
