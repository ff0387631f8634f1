"""The attention map as the lessons show it: figure, takeaway, and the selected cell written out."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.derivation import derive
from engine.model import ForwardPass
from engine.sampling import probabilities
from engine.toy import Scenario
from pages.parts import scenario, story
from pages.parts.figures import attention_map as figures
from pages.parts.look import look
from pages.parts.plot import plot
from pages.parts.words import head_names, md

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
    figure = figures.attention_map(run, s.tokens, head_names(s), s.words, probs, selected_cell(s, run), **look())
    plot(figure, story.map_in_words(s, run, probs), "attention_map", select)


def takeaway(s: Scenario, run: ForwardPass) -> None:
    """One sentence: what the last edit changed, or what there is to see before any."""
    before = scenario.before_last_edit()
    with st.container(key="takeaway"):
        st.markdown(story.change(before, s) if before else story.standing(s, run, next_probs(run)))


def derivation(s: Scenario, run: ForwardPass) -> None:
    """The selected cell, every number on the way written out."""
    head, query, key = selected_cell(s, run)
    cell = derive(run.layers[0], head, query, key)
    with st.container(border=True, key="derivation"):
        st.markdown(
            f"Head **{md(head_names(s)[head])}**, row “**{md(s.tokens[query])}**”, looking at “**{md(s.tokens[key])}**”"
            " — select another cell with the pointer, or with the arrow keys once the figure has the focus."
        )
        st.markdown("\n".join(f"1. {step}" for step in story.cell_steps(s, cell, head, query, key)))
