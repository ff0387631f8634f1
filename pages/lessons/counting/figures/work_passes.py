"""The work of an answer pass by pass: which token's key and value each pass computes, without a cache and with one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.counts import Counts
from engine.work.baselines import BASELINES
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import Segment, legend, sampled, strips
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold_ems, ems, type_size
from pages.parts.text.amounts import count
from pages.parts.text.format import plural

TITLES = {"recompute": "without a cache", "cache": "with a KV cache"}
NOTES = {"recompute": "brown: computed again", "cache": "pale: kept, only read"}
GAP = 0.026  # share of the width between the two runs
TOP, BODY = 84.0, 190.0  # pixels above the passes, and of the passes on a projector
NARROW_BODY = 166.0  # of the passes on a phone, whose screen is to hold both runs
TITLED = 0.38  # share of a phone's width for a title
WIDEST = 10**7  # a larger number is written shorter
ROWS, PRODUCTS = ("K/V row", "kv_rows"), ("product", "scores")
LARGE = 36.0  # type size of a run's rows
SUM = 24.0  # type size of its products
UNIT = 16.0  # type size of what these are


class Panel(NamedTuple):
    """Shares of the width of one run: where its passes begin, and where they end."""

    left: float
    end: float


WIDE, PHONE = Panel(0.062, 0.487), Panel(0.14, 1.0)


def work_passes(sheet: Sheet, n_prompt: int, n_generated: int) -> SheetFigure:
    """G passes across, N = P + G − 1 tokens down, once a panel; above each run its sums. What each pass counts is left to its boxes."""
    phone = sheet.on_phone()
    lay = PHONE if phone else WIDE
    high = _top_of_passes(sheet) + _body(sheet) + 8
    for k, baseline in enumerate(TITLES):
        at = (0.0, k * high) if phone else (k * (lay.end + GAP), 0.0)
        _panel(sheet, (*at, _body(sheet)), lay, baseline, (n_prompt, n_generated))
    y = high * (1 + phone)
    without, cached = (BASELINES[baseline](n_prompt, n_generated).kv_rows for baseline in TITLES)
    says = f"{cached:,} {plural(cached, 'row')} computed in place of {without:,}"
    if phone:
        x = legend(sheet, y + 12, {"again": "computed again"}, look="full")
        legend(sheet, y + 12, {"read": "kept, only read"}, x)
    return under_headline(sheet, says).figure(y + (24 if phone else 4), min_width=780)


def _top_of_passes(sheet: Sheet) -> float:
    """Pixels above the passes: on a phone one line less."""
    return TOP - 40 * sheet.phone


def _body(sheet: Sheet) -> float:
    """Pixels of the passes."""
    return NARROW_BODY if sheet.phone else BODY + 0.9 * sheet.spare


def segments(baseline: str, n_prompt: int, step: int) -> list[Segment]:
    """What pass `step` does with the row of every token so far."""
    last = n_prompt + step - 1
    if step == 0:
        return [(0, n_prompt, "prefill")]
    return [(0, last, "read" if baseline == "cache" else "again"), (last, last + 1, "new")]


def _panel(sheet: Sheet, at: tuple[float, float, float], lay: Panel, baseline: str, length: tuple[int, int]) -> None:
    """One run. at: its upper left corner, and how high its passes are; length: tokens of the prompt and of the answer."""
    n_prompt, n_generated = length
    colors, x = sheet.colors, at[0]
    body, top, left, wide = at[2], at[1] + _top_of_passes(sheet), x + lay.left, lay.end - lay.left
    drawn, total = sampled(n_generated), BASELINES[baseline](n_prompt, n_generated)
    sheet.write(x, at[1] + 11, f"<b>{TITLES[baseline]}</b>", 16 if sheet.phone else 18, anchor="middle right")
    if sheet.phone:
        sums_at_the_right(sheet, at[1] + 11, count(total.kv_rows, WIDEST), _rows_and_products(total))
    else:
        ink = colors.wasted if baseline == "recompute" else colors.muted
        sheet.write(x + lay.end, at[1] + 12, NOTES[baseline], 15, ink, "middle left")
        _sums(sheet, x, at[1] + 46, total)
    sheet.write(left - 0.01, top - 11, "pass", 13, colors.muted, "middle left")
    sheet.write(left - 0.01, top + 9, "tokens", 13, colors.muted, "middle left")
    passes = [segments(baseline, n_prompt, i) for i in drawn]
    strips(sheet, (left, top, wide, body), passes, n_prompt + n_generated - 1, "full" if baseline == "recompute" else "upright")
    names = [f"{k + 1:,}" for k in drawn]
    for k, place in _labelled(names, wide * sheet.wide):
        sheet.write(left + place / sheet.wide, top - 11, names[k], 13, colors.muted)


def _sums(sheet: Sheet, x: float, y: float, total: Counts) -> None:
    """A run's rows in the largest type there is, and its products after them."""
    for size, (name, kind) in ((LARGE, ROWS), (SUM, PRODUCTS)):
        n = getattr(total, kind)
        said, one = count(n, WIDEST), plural(n, name)
        sheet.write(x, y, f"<b>{said}</b>", size, anchor="middle right")
        x += (size * bold_ems(said) + 8) / sheet.wide
        sheet.write(x, y + (size - UNIT) / 4, one, UNIT, sheet.colors.muted, "middle right")
        x += (1.05 * UNIT * ems(one) + 22) / sheet.wide


def _rows_and_products(total: Counts) -> tuple[str, str]:
    """What a run's number of rows is followed by, in more words and in fewer."""
    rows = plural(total.kv_rows, "K/V row")
    return f"{rows}, {count(total.scores, WIDEST)} {plural(total.scores, 'product')}", rows


def sums_at_the_right(sheet: Sheet, y: float, amount: str, texts: Sequence[str]) -> None:
    """On a phone, in the line of a title: a run's sum, large, and after it the first of `texts` for which there is room, else the last."""
    for text in texts:
        end = 1 - (13 * ems(text) + 4) / sheet.wide
        size = type_size(amount, (end - TITLED) * sheet.wide, 24.0)
        if size >= 16 or text == texts[-1]:
            sheet.write(1, y, text, 13, sheet.colors.muted, "middle left")
            return sheet.write(end, y - 2, f"<b>{amount}</b>", size, anchor="middle left")


def _labelled(names: Sequence[str], room: float) -> list[tuple[int, float]]:
    """Which of the passes have room for their names, the first and the last among them; and the middle of these, in pixels."""
    n, need = len(names), 7.5 * max(map(len, names)) + 8
    step = room / n
    every = 1 if need <= step else int(np.ceil(1.5 * need / step))  # the outer ones move inwards by up to half of it
    chosen = [0, *sorted(k for k in range(n - 1, 0, -every) if k >= every or k == n - 1)]
    return [(k, float(np.clip((k + 0.5) * step, min(need, room) / 2, room - min(need, room) / 2))) for k in chosen]
