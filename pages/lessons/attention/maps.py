"""The attention lesson's figures with what is selected in them: one head large, or all; on a phone both beneath each other."""

from collections.abc import Sequence
from functools import partial

import numpy as np

from engine.model import ForwardPass
from engine.sampling import greedy, probabilities
from engine.toy.scenario import Scenario
from pages.lessons.attention import sentences
from pages.lessons.attention.figures import attention_map as figures
from pages.lessons.attention.figures import one_head as head_figures
from pages.lessons.attention.figures.cell_way import cell_way
from pages.lessons.attention.figures.narrow_map import narrow_map
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import CELL, HEAD
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.next_word import NextWord
from pages.parts.drawing.plot import plot, sheet
from pages.parts.text.digits import context_of, weight
from pages.parts.text.format import number
from pages.parts.text.toy_names import head_names
from pages.parts.visit.display import narrow, presenting


def next_probs(run: ForwardPass) -> np.ndarray | None:
    """The chance of each word after the last row, or None when a logit is not a number."""
    return probabilities(run.logits[-1]) if np.isfinite(run.logits[-1]).all() else None


def next_of(s: Scenario, run: ForwardPass) -> NextWord:
    """The next word after the last row, the likeliest in bold."""
    return NextWord(str(s.tokens[-1]), s.words, run.logits[-1], next_probs(run), greedy(run.logits[-1]))


def selected_cell(s: Scenario, run: ForwardPass) -> tuple[int, int, int]:
    """(head, query, key) from the link or the last selection; untouched, what the last row weighs most of the head that was
    chosen in another lesson, or the first."""
    parts = CELL.text().split(".")
    if len(parts) == 3 and all(p.isascii() and p.isdigit() and len(p) <= 2 for p in parts):
        head, query, key = (int(p) - 1 for p in parts)
        if 0 <= head < len(s.rules) and 0 <= query < len(s.tokens) and 0 <= key < len(s.tokens):
            return head, query, key
    head = HEAD.value(high=len(s.rules)) - 1
    return head, len(s.tokens) - 1, int(np.argmax(run.layers[0].weights[head, -1]))


def head_map(s: Scenario, run: ForwardPass, selected: tuple[int, int, int], said: str, **marks) -> None:
    """The figure of one head beneath what is `said` of it; selecting a cell in it is remembered in the link.

    Its context leads to the next word only where it votes for one.
    """
    head, probs, next_ = selected[0], next_probs(run), next_of(s, run)
    voters = [h for h in toy.voting_heads(s) if not run.layers[0].empty[h, -1]]
    drawn_on = under_headline(sheet() if narrow() else sheet(slide_zoom=0.92), said)
    if narrow():
        figure = narrow_map(drawn_on, run, s.tokens, {head: head_names(s)[head]}, next_, selected)
    else:
        leads_to = next_ if head in voters or len(s.words) == 1 else None
        marked = head_figures.Marks(**marks, voters=len(voters))
        figure = head_figures.one_head(drawn_on, run, s.tokens, head_names(s), selected, leads_to, marked)
    result = "" if probs is None else f" Next word {sentences.next_in_words(s, run)} {number(100 * probs.max(), 1)}%."
    plot(figure, _in_words(s, run, selected, "Masked scores and weights", result), "one_head", partial(_select, s, head))


def cell_map(
    s: Scenario, run: ForwardPass, selected: tuple[int, int, int], said: str, equations: Sequence[str], closed: str
) -> None:
    """The way of one cell, with its equations, beneath what is `said` of it. closed: as in `cell_way`."""
    head = selected[0]
    drawn_on = under_headline(sheet() if narrow() else sheet(slide_zoom=1.0), said)
    figure = cell_way(drawn_on, run.layers[0], s.tokens, head_names(s)[head], selected, equations, closed)
    plot(figure, _in_words(s, run, selected, "Scores, masked scores and weights"), "one_cell", partial(_select, s, head))


def _select(s: Scenario, head: int, curve: int, row: int, column: int) -> None:
    if 0 <= row < len(s.tokens) and 0 <= column < len(s.tokens):
        CELL.set_text(f"{head + 1}.{row + 1}.{column + 1}")


def _in_words(s: Scenario, run: ForwardPass, selected: tuple[int, int, int], maps: str, result: str = "") -> str:
    """A figure of one head as a text alternative."""
    (head, query, column), layer = selected, run.layers[0]
    return (
        f"{maps} of head {head_names(s)[head]}. Selected: row “{s.tokens[query]}”, looking at "
        f"“{s.tokens[column]}”: score {number(layer.scores[head, query, column], 4, sign=True)}, weight "
        f"{weight(layer.weights[head, query, column])}; context of the row {context_of(layer, head, query)}.{result} "
        "Arrow keys select another cell."
    )


def attention_map(s: Scenario, run: ForwardPass) -> None:
    """The figure. Selecting a cell in it is remembered in the link."""
    n = len(s.tokens)

    def select(curve: int, row: int, column: int) -> None:
        where = (curve // 2, column) if narrow() else figures.cell_of_column(column, n)
        if where and 0 <= row < n and where[0] < len(s.rules) and where[1] < n:
            CELL.set_text(f"{where[0] + 1}.{row + 1}.{where[1] + 1}")

    probs = next_probs(run)
    room = 262.0 if presenting() else 226.0  # all of it in sight with the controls beneath
    cell = selected_cell(s, run)
    drawn_on = under_headline(sheet(), *(sentences.makes_the_word(s, run, probs, short) for short in (False, True)))
    if narrow():
        figure = narrow_map(drawn_on, run, s.tokens, dict(enumerate(head_names(s))), next_of(s, run), cell)
    else:
        figure = figures.attention_map(drawn_on, run, s.tokens, head_names(s), next_of(s, run), (cell, bool(CELL.text())), room)
    plot(figure, sentences.map_in_words(s, run, probs), "attention_map", select)
