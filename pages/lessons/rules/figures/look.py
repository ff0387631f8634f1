"""What is shown of one token that looks back: where each part stands across, a head's row, and how far it has come."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.toy.by_hand import RowByHand
from pages.parts.drawing.answers import NOT_ASKED, Asked
from pages.parts.drawing.cells import selectable
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.machine_rows import Span
from pages.parts.drawing.sheet import Sheet, plain

TO_FIND = "?"
CELLS = (0.365, 0.685)  # shares of the width: of where the query meets the keys


class Columns(NamedTuple):
    """Where each part stands, in shares of the width. context: its right end; heads: of the list of all."""

    tokens: Span
    query: Span
    keys: Span
    values: Span
    cells: Span
    context: float
    heads: Span


AT = Columns((0.004, 0.1), (0.118, 0.17), (0.208, 0.266), (0.274, 0.318), CELLS, 0.762, (0.79, 1.0))


class HeadLine(NamedTuple):
    """One head. looks: of the token that looks back; name: what it looks at, in words; text and result: the arithmetic.

    A result of TO_FIND is one that the reader is to find.
    """

    looks: RowByHand
    name: str
    text: str
    result: str


class Look(NamedTuple):
    """What is shown: a head's row (both from 0), and how far it has come: keys alone, or values and contexts too.

    told: whether shares are written, or to be found. less: pixels left to what stands beneath, or taken of it. asked: of the rows.
    others: whether all heads are listed. supposed: what the head is taken to look at instead of what it does, "" where it does that."""

    head: int
    query: int
    values: bool = False
    told: bool = True
    less: float = 0.0
    asked: Asked = NOT_ASKED
    others: bool = True
    supposed: str = ""


def each_may_ask(sheet: Sheet, look: Look, rows: Grid, words: Sequence[str]) -> dict:
    """Each token's row can be pressed, and asks then; returns what plot.js is told of it."""
    asks, said = sheet.colors.prefill, [[f"“{plain(word)}” asks"] for word in words]
    sheet.heatmap(rows, np.arange(len(words))[:, None] == look.query, Scale((asks, asks)), said)
    sheet.traces[-1]["opacity"] = 0  # pressed, not seen
    return selectable(len(sheet.traces) - 1, (look.query, 0), "who asks", words, ["asks"])
