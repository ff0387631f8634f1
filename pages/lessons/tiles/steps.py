"""Attention by tiles, one row: the numbers that run along, and how they are corrected."""

from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

import numpy as np
import streamlit as st

from engine import Attention
from engine.caches import Tile, tiles
from engine.compare import largest_gap
from engine.decode import recompute
from engine.prefill import prefill
from engine.sampling import greedy
from engine.toy.scenario import MAX_PROMPT, Scenario
from pages.lessons.tiles.figures.running_row import running_row
from pages.parts.controls import toy
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.controls.stepper import stepper
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, said_and_asked
from pages.parts.question.question import Question
from pages.parts.text.digits import gap_text, logit_text
from pages.parts.text.format import e_to, md, number, quantity
from pages.parts.text.toy_names import EMPTY_ROW_NAMES, head_names
from pages.parts.visit import scenario
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import Whole

MOST_BLOCKS = 8  # whose numbers there is room for
BLOCK = Whole("key_block", low=1, high=MAX_PROMPT + 1, default=1)
AT = Whole("tile", high=MAX_PROMPT, default=1)  # the first block that finds something summed before it
SCORE = Whole("tile_score", low=1, high=8, default=1)  # of a match: at 8 all other exponentials are too small to be seen
KEYED_TILES = 4  # that the arrow keys go through


@dataclass(frozen=True, eq=False)
class Row:
    """The last row of a toy that softmax alone normalises: its tokens' words and its attention."""

    scenario: Scenario
    words: tuple[str, ...]
    layer: Attention
    instead_of: str = ""  # what the scenario does with its rows, where that is not softmax alone


def given() -> tuple[Row]:
    """The prompt's last row; behind a prompt of one token the first word of the answer."""
    own = scenario.current().empty_row
    s = replace(scenario.current(), empty_row="soft", sharpness=float(SCORE.value()))
    model, ids = s.model(), s.prompt_ids
    if len(ids) < 2:
        ids = (*ids, greedy(model.next_logits(prefill(model, ids))[-1]))
    return (
        Row(s, tuple(s.id_words[i] for i in ids), recompute(model, ids).layers[0], EMPTY_ROW_NAMES[own] if own != "soft" else ""),
    )


def row_tiles(row: Row, head: int, n_block: int) -> list[Tile]:
    """The last row of one head, block after block."""
    kv = row.layer.kv_head(head)
    return list(tiles(row.layer.q[head, -1:], row.layer.k[kv], row.layer.v[kv], n_block))


@step(
    "One row",
    minutes=6,
    ask="Step through the blocks: where does the largest score change, if it does? What is then wrong with the sum so far?",
    wrong={
        "by 1: it stays": (
            "right only where no larger score came: every exponential was taken below the largest score of its time"
        ),
        "By more than 1": "old and new are exchanged: exp(old − new) is never above 1, for the largest score so far never falls",
        "Softmax needs the whole row first": "the largest score and the sum are thought to come first: both can run along",
    },
)
def one_row(row: Row) -> None:
    """The stepper, the running numbers and the correction."""
    lead("Softmax needs a row’s largest score and the sum of its exponentials. A block knows only its own: both run along.",
         "softmax", "score")  # fmt: skip
    moving, (said, beside) = st.container(), said_and_asked("row", (1.35, 1), asked_first=True)
    under = st.container() if narrow() else None
    with beside:
        ask_later(_asked, row)
    with moving:
        live(partial(_row_so_far, under), row, said=said)


def _row_so_far(under, row: Row) -> str:
    """The row as far as it is read, the controls, on a phone in the place `under` the question, and what this block did."""
    n, figure = len(row.words), st.container()
    with under or nullcontext():
        columns = st.columns([1.6, 1.4, 0.7], gap="medium", vertical_alignment="bottom")
    _row_controls(row, n, columns[1:])
    head, found = _chosen(row)
    now = AT.value(high=len(found) - 1) + 1
    with columns[0]:
        label, buttons = f"**Block {now}** of {len(found)}", ("Back", "Next block")
        at = stepper(AT, len(found), label, keyed=KEYED_TILES, buttons=buttons, asks=True)
    answered = asked_and_answered("correction", _asked, row)
    bound = max(1.0, float(np.abs(row.layer.scores[head]).max()))
    tile = found[at]
    values, block, question = row.layer.v[row.layer.kv_head(head)], _highest_jump(found), _asked(row)
    stays, shrinks, grows = question.options
    parts = (grows, stays, shrinks)
    sums = f"sum of exponentials {number(tile.total[0], 4)}, context so far {_so_far(row, head, tile)}"
    alt = (
        f"Head {head_names(row.scenario)[head]}, keys 1 to {tile.stop} of {n} read: largest score {number(tile.top[0])}, "
        f"{'what is summed waits for your answer' if not answered and 0 < block <= at else sums}."
    )
    with figure:
        asked = block, _power(row, found), asked_in(question, parts)
        plot(running_row(sheet(high=310, slide_high=380), found, at, row.words, bound, values, asked), alt, "running_row",
             on_press=pressed(question, parts))  # fmt: skip
    return _row_in_words(row, head, found, at, answered)


def _asked(row: Row) -> Question:
    """The question about the head that is read, in blocks of the length that is chosen."""
    return correction_question(row, *_chosen(row))


def _chosen(row: Row) -> tuple[int, list[Tile]]:
    """The head that is read, from 0, and its blocks."""
    head, n = HEAD.value(high=len(row.scenario.rules)) - 1, len(row.words)
    return head, row_tiles(row, head, BLOCK.value(low=-(-n // MOST_BLOCKS), high=n))


def _row_controls(row: Row, n: int, columns: Sequence) -> None:
    """The head; how many keys make a block and how sharp the scores are is folded away."""
    with columns[0]:
        HEAD.buttons("Head", toy.head_buttons(row.scenario))
    with columns[1], st.popover("More", icon=":material/tune:", key="tiles_more", width="stretch"):
        BLOCK.slider("Keys in a block", low=-(-n // MOST_BLOCKS), high=n)
        SCORE.slider("Score of a match, ±")


def _highest_jump(tiles: list[Tile]) -> int:
    """The block that changes the largest score most; the second where none does."""
    jumps = [0.0, *(float(b.top[0] - a.top[0]) for a, b in pairwise(tiles))]
    return int(np.argmax(jumps)) or min(1, len(tiles) - 1)


def _power(row: Row, tiles: list[Tile]) -> float:
    """The power of e that is asked about: by how much the largest score changes there, or would with a match, where it does nowhere."""
    at = _highest_jump(tiles)
    return (float(tiles[at].top[0] - tiles[at - 1].top[0]) if at else 0.0) or 2 * row.scenario.sharpness


def correction_question(row: Row, head: int, tiles: list[Tile]) -> Question:
    """What is summed before is multiplied by, at the block that changes the largest score most."""
    at = _highest_jump(tiles)
    jump = float(tiles[at].top[0] - tiles[at - 1].top[0]) if at else 0.0
    power = _power(row, tiles)
    down, up, same = f"by {e_to(-power, 2)}", f"by {e_to(power, 2)}", "by 1: it stays"
    onward = " and on" if tiles[at].stop - tiles[at].start > 1 else ""
    name = f"block {at + 1} (“{md(row.words[tiles[at].start])}”{onward})"
    before = tiles[at - 1] if at else tiles[at]
    old, new = number(before.top[0]), number(tiles[at].top[0])
    why = (
        f"The largest score goes from {old} to {new}. What was summed with the old one is too large by {e_to(power, 2)}: "
        "exp(s − new) = exp(s − old) · exp(old − new)."
        if jump
        else "The block knows the whole row, and nothing was summed before it: there is nothing to correct."
        if len(tiles) == 1
        else f"The largest score stays {new}, so every exponential is what it was."
    )
    return Question(
        "correction",
        f"Head {head + 1} reads {name}. What is all that was summed before it multiplied by?"
        if len(tiles) > 1
        else f"Head {head + 1} reads its whole row as one block. What is the sum multiplied by at the end?",
        down if jump else same,
        why,
        options=(same, down, up),
    )


def _so_far(row: Row, head: int, tile: Tile) -> str:
    """The context of the keys that have been read."""
    return logit_text(tile.context[0, 0], row.layer.v[row.layer.kv_head(head), : tile.stop])


def _row_in_words(row: Row, head: int, tiles: list[Tile], at: int, answered: bool) -> str:
    """What this block did; at the last one, that nothing is missing."""
    tile, whole = tiles[at], row.layer.context[head, -1]
    if at == len(tiles) - 1:
        gap = largest_gap(tile.context[0], whole)
        return (
            f"All blocks are read: the context is **{_so_far(row, head, tile)}**, that of the whole row at once, off by "
            f"**{gap_text(gap)}**.{_softmax_alone(row, head)}"
        )
    if not at or not answered:
        left = len(row.words) - tile.stop
        return f"Right for the {quantity(tile.stop, 'key')} read so far; {left} {'are' if left > 1 else 'is'} still to come."
    jump = float(tile.top[0] - tiles[at - 1].top[0])
    if not jump:
        return f"No larger score than {number(tile.top[0])}: the sums before are right, and this block’s are added."
    return (
        f"A larger score, {number(tile.top[0])}: the sums before it are multiplied by {e_to(-jump, 2)}, then this block’s are "
        "added."
    )


def _softmax_alone(row: Row, head: int) -> str:
    """That the scenario makes another context of this row, where it does."""
    empty = not (row.layer.scores[head, -1][row.layer.mask[head, -1]] > 0).any()
    if not row.instead_of or not (empty or row.instead_of == EMPTY_ROW_NAMES["softmax1"]):
        return ""
    which = "every row" if row.instead_of == EMPTY_ROW_NAMES["softmax1"] else "a row without a match"
    return f" This is softmax alone; the scenario has another way with {which}: {row.instead_of}."
