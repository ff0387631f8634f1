"""Three ways to an answer as staircases: the keys and values that each pass computes, beside them the products that it takes."""

from collections.abc import Sequence
from typing import NamedTuple

from engine.counts import Counts
from engine.work.baselines import pass_counts
from pages.lessons.counting.figures.work_passes import segments
from pages.parts.drawing.grid import Box
from pages.parts.drawing.row_strips import legend, sampled, upright
from pages.parts.drawing.sheet import Sheet, SheetFigure, rectangle
from pages.parts.text.amounts import count
from pages.parts.text.format import plural

GAP, STAIRS, APART = (
    0.03,
    0.44,
    0.05,
)  # of the width between two ways; of a way its staircase, and what parts it from the products
TOP, ROOM = 62.0, 88.0  # pixels above the staircases, and of them on a projector
LINES = (("kv_rows", "K/V row"), ("query_rows", "query"), ("scores", "product"))  # what is counted, and the name of one
HIDDEN = "?"


class Way(NamedTuple):
    """One way. name, note: its title; baseline: of engine.work.baselines.

    sums: of all passes; hidden: which of LINES wait for a prediction.
    """

    name: str
    note: str
    baseline: str
    sums: Counts
    hidden: tuple[str, ...] = ()


def three_baselines(sheet: Sheet, ways: tuple[Way, ...], n_prompt: int, n_generated: int) -> SheetFigure:
    """The ways side by side, on a phone beneath each other; columns of products share one scale."""
    phone, body = sheet.on_phone(), ROOM + sheet.spare
    high, wide = TOP + body + 90, 1.0 if phone else (1 - GAP * (len(ways) - 1)) / len(ways)
    most = max(pass_counts(way.baseline, n_prompt, n_generated - 1).scores for way in ways)
    most = max(most, pass_counts(ways[0].baseline, n_prompt, 0).scores)
    for k, way in enumerate(ways):
        left, top = (0.0, k * high) if phone else (k * (wide + GAP), 0.0)
        _way(sheet, way, (left, top + TOP, left + wide, top + TOP + body), n_prompt, n_generated, most)
    y = high * (len(ways) if phone else 1) + 4
    kinds = (("prefill", "in prefill"), ("new", "in decode"), ("again", "computed again"), ("kept", "kept, read"))
    for line in (kinds[:2], kinds[2:]) if phone else (kinds,):
        legend(sheet, y, dict(line))
        y += 22
    return sheet.figure(y - 12, min_width=0 if phone else 860)


def _way(sheet: Sheet, way: Way, box: Box, n_prompt: int, n_generated: int, most: int) -> None:
    """Its two staircases, and beneath them what they add up to."""
    colors, (x0, y0, x1, y1) = sheet.colors, box
    wide, shown = x1 - x0, sampled(n_generated)
    middle = x0 + (STAIRS + APART) * wide
    sheet.write(x0, y0 - 51, f"<b>{way.name}</b>", 18, anchor="middle right")
    sheet.write(x0, y0 - 31, way.note, 14, colors.muted, "middle right")
    sheet.write(x0, y0 - 11, "keys and values", 15, colors.muted, "middle right")
    sheet.write(middle, y0 - 11, "products of each pass", 15, colors.muted, "middle right")
    rows = [segments(way.baseline, n_prompt, i) for i in shown]
    upright(sheet, x0, y0, STAIRS * wide, y1 - y0, rows, n_prompt + n_generated - 1)
    if "scores" in way.hidden:
        _asked(sheet, rows, (middle, y0, x1, y1))
    else:
        _products(
            sheet, [(pass_counts(way.baseline, n_prompt, i).scores, n_prompt + i if i else 0) for i in shown], box, middle, most
        )
    for k, (kind, one) in enumerate(LINES):
        y, waits = y1 + 18 + 25 * k, kind in way.hidden
        text = HIDDEN if waits else count(getattr(way.sums, kind))
        sheet.write(x0 + 0.22 * wide, y, f"<b>{text}</b>", 24, anchor="middle left")
        sheet.write(x0 + 0.24 * wide, y, plural(2, one), 17, anchor="middle right")


def _asked(sheet: Sheet, rows: Sequence, box: Box) -> None:
    """A pass' column each, of an unknown height: an outline that goes on upwards, with one question mark for all."""
    x0, y0, x1, y1 = box
    wide = (x1 - x0) / len(rows)
    gap = min(1.0 / sheet.wide, wide / 8)
    bars = "".join(rectangle(x0 + i * wide + gap, y1 - 0.28 * (y1 - y0), x0 + (i + 1) * wide - gap, y1) for i in range(len(rows)))
    sheet.line(bars, sheet.colors.muted, 1.5, "dot")
    sheet.write((x0 + x1) / 2, (y0 + y1) / 2 - 8, "<b>?</b>", 34)


def _products(sheet: Sheet, passes: Sequence[tuple[int, int]], box: Box, left: float, most: int) -> None:
    """A column a pass, from `left`. passes: (products in all, those of the new row: 0 in prefill); most: of the highest column."""
    colors, (_, y0, x1, y1) = sheet.colors, box
    wide, scale = (x1 - left) / len(passes), (y1 - y0) / most
    gap = min(1.0 / sheet.wide, wide / 8)
    found: dict[str, list[Box]] = {colors.prefill: [], colors.wasted: [], colors.decode: []}
    for i, (n, new) in enumerate(passes):
        start, end, between = left + i * wide + gap, left + (i + 1) * wide - gap, y1 - (n - new) * scale
        if n > new:
            found[colors.wasted if new else colors.prefill].append((start, between, end, y1))
        if new:
            found[colors.decode].append((start, y1 - n * scale, end, between))
    for color, boxes in found.items():
        sheet.bars(boxes, color)
