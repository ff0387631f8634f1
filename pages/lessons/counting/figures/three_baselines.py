"""Three ways to an answer: the keys and values that each pass computes, and the products that it takes, as bars with their sums."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.counts import Counts
from engine.work.baselines import pass_counts
from pages.parts.drawing.answers import open_bars
from pages.parts.drawing.cells import LARGE, UNIT, UNIT_ON_PHONE, large_number
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import cache_rows, sampled
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, short
from pages.parts.text.amounts import count
from pages.parts.text.format import plural

GAP = 0.04  # of the width, between two ways
TOP = 52.0  # pixels of the names of the ways
PHONE_TOP = 24.0  # pixels of a way's name on a phone
ROOM = 196.0  # pixels of all bars on a projector
PHONE_ROOM = 84.0  # pixels of the bars of one way on a phone
APART = 12.0  # pixels between bars and those beneath them
NUMBER = 40.0  # of a sum, above the bars at the left
LINES = (("kv_rows", "K/V row"), ("scores", "product"))  # what is counted, and the name of one
LEAST = 1.5  # pixels of a bar, so that one row of thousands is seen
KINDS = ("prefill", "new", "again")
Passes = Sequence[tuple[int, int]]  # of each what it takes, and how many of these for the new row


class Way(NamedTuple):
    """One way. name, note: its title; baseline: of engine.work.baselines.

    sums: of all passes; hidden: which of LINES wait for a prediction; guessed: what was said of its products.
    """

    name: str
    note: str
    baseline: str
    sums: Counts
    hidden: tuple[str, ...] = ()
    guessed: str = ""


def three_baselines(sheet: Sheet, ways: tuple[Way, ...], n_prompt: int, n_generated: int) -> SheetFigure:
    """The ways side by side, what is counted beneath each other; on a phone the other way round. Bars of one thing share one scale."""
    phone, shown = sheet.on_phone(), sampled(n_generated)
    across, top = (len(LINES), PHONE_TOP) if phone else (len(ways), TOP)
    tall = PHONE_ROOM if phone else (ROOM + 0.95 * sheet.spare - APART) / len(LINES)
    high, wide = (top if phone else 0) + tall + APART, (1 - GAP * (across - 1)) / across
    for row, (kind, one) in enumerate(LINES):
        passes = [[_one_pass(way, kind, n_prompt, i) for i in shown] for way in ways]
        most = max(n for bars in passes for n, _ in bars)
        bars_high = _as_high_as_sums_leave(sheet, ways, passes, (kind, one), (wide, tall))
        for k, way in enumerate(ways):
            x0, y0 = (row if phone else k) * (wide + GAP), top + (k if phone else row) * high
            box = x0, y0 + tall - bars_high, x0 + wide, y0 + tall
            said, unknown = count(getattr(way.sums, kind)), kind in way.hidden
            end = large_number(sheet, (x0, x0 + wide), y0 + NUMBER / 2, "?" if unknown else said, plural(2, one))
            if unknown:  # at most as many as where all is computed again
                open_bars(sheet, _places(sheet, len(shown), box), [n * (box[3] - box[1]) / most for n, _ in passes[0]], box[3])
                continue
            if way.guessed and kind == "scores":
                x, y = (x0, y0 + NUMBER + 6) if phone else (end + 14 / sheet.wide, y0 + NUMBER / 2 + 4)
                sheet.write(x, y, f"your guess: {way.guessed}", 13.5, sheet.colors.muted, "middle right")
            _bars(sheet, passes[k], box, most)
    for k, way in enumerate(ways):
        x, y = (0.0, k * high) if phone else (k * (wide + GAP), 0.0)
        sheet.write(x, y + 12, bold(way.name), 17 if phone else 20, anchor="middle right")
        if not phone:
            sheet.write(x, y + 35, short(way.note, (wide + GAP) * sheet.wide - 6, 16), 16, anchor="middle right")
            sheet.write(x, TOP + 2 * high, "pass 1", 16, anchor="middle right")
            if n_generated > 1:
                sheet.write(x + wide, TOP + 2 * high, f"{n_generated:,}", 16, anchor="middle left")
    y = high * len(ways) if phone else TOP + 2 * high - 8
    x = 0.0 if phone else wide / 2
    sheet.write(x, y + 8, "brown: computed again", 15, sheet.colors.wasted, "middle right" if phone else "middle center")
    first, last = ways[0], ways[-1]
    products = f" → {count(last.sums.scores)}" * (not last.hidden)
    rows = f"Rows {count(first.sums.kv_rows)} → {count(last.sums.kv_rows)}"
    return under_headline(sheet, f"{rows}, products {count(first.sums.scores)}{products}").figure(y + 20, min_width=860)


def _as_high_as_sums_leave(
    sheet: Sheet, ways: Sequence[Way], passes: Sequence[Passes], counted: tuple[str, str], room: tuple[float, float]
) -> float:
    """Pixels of the highest bar: all of `room`, or so many that those beneath a sum, at its left, do not reach it. room: share of the
    width and pixels that a way's bars and sum have."""
    (kind, one), (wide, tall), unit = counted, room, UNIT_ON_PHONE if sheet.phone else UNIT
    most, beneath = max(n for bars in passes for n, _ in bars), 1
    for way, bars in zip(ways, passes, strict=True):
        said = count(getattr(way.sums, kind))
        takes = 1.1 * (LARGE * bold_ems(said) + unit * (ems(plural(2, one)) + 1)) / (wide * sheet.wide)
        beneath = max(beneath, *(n for n, _ in bars[: int(np.ceil(takes * len(bars)))]))
    return min(tall, (tall - NUMBER) * most / beneath)


def _one_pass(way: Way, kind: str, n_prompt: int, i: int) -> tuple[int, int]:
    """How many it takes in pass i, and how many of them for the new row: 0 in prefill."""
    n = getattr(pass_counts(way.baseline, n_prompt, i), kind)
    return n, min(n, n_prompt + i if kind == "scores" else 1) if i else 0


def _places(sheet: Sheet, n: int, box: Box) -> list[tuple[float, float]]:
    """Left and right edge of so many bars."""
    wide = (box[2] - box[0]) / n
    gap = min(1.0 / sheet.wide, wide / 8)
    return [(box[0] + i * wide + gap, box[0] + (i + 1) * wide - gap) for i in range(n)]


def _bars(sheet: Sheet, passes: Passes, box: Box, most: int) -> None:
    """A bar a pass. most: of the highest bar."""
    _, y0, _, y1 = box
    scale = (y1 - y0) / most
    found: dict[str, list[Box]] = {kind: [] for kind in KINDS}
    for i, ((n, new), (start, end)) in enumerate(zip(passes, _places(sheet, len(passes), box), strict=True)):
        between = y1 - (n - new) * scale
        if n > new:
            found["again" if i else "prefill"].append((start, between, end, y1))
        if new:
            found["new"].append((start, min(between - LEAST, y1 - n * scale), end, between))
    cache_rows(sheet, found, "full")
