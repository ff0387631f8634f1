"""The work of an answer pass by pass: which token's key and value each pass computes, without a cache and with one."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from engine.counts import Counts
from engine.work.baselines import BASELINES, pass_counts, work
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.row_strips import Segment, legend, sampled, upright
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, short
from pages.parts.text.amounts import count
from pages.parts.text.format import plural

TITLES = {
    "recompute": ("without a cache", "every pass runs the whole sequence again"),
    "cache": ("with a KV cache", "a decode step computes its own token’s key and value"),
}
GAP = 0.026  # share of the width between the two runs
TOP, BODY, LINE = 64.0, 128.0, 21.0  # pixels above the passes, of the passes on a projector, and of a line of counts
NARROW_BODY = 112.0  # of the passes on a phone, whose screen is to hold both runs and the question
WIDEST = 10**7  # a larger number is written shorter
ALL_COUNTS = (("K/V rows", "kv_rows"), ("queries", "query_rows"), ("products", "scores"))


class Panel(NamedTuple):
    """Shares of the width of one run: where its passes begin, where they end, and where the sums do."""

    left: float
    end: float
    right: float


WIDE, PHONE = Panel(0.062, 0.405, 0.487), Panel(0.19, 0.78, 1.0)
BESIDE = Panel(0.058, 0.315, 0.382)  # where a third picture stands beside the two
TWICE_ON_PHONE = 92.0  # pixels of that picture there
TIMES = (2, 4, 8)  # as many products as there may be of an answer twice as long


def work_passes(
    sheet: Sheet, n_prompt: int, n_generated: int, doubled: tuple[int, int] | None = None, told: bool = True
) -> SheetFigure:
    """G passes across, N = P + G − 1 tokens down, once a panel; beneath each pass its counts, beside them the sums. doubled: tokens of
    a prompt and of an answer whose products are drawn beside them as an area, and as many times as many as they may be of one twice as
    long; once it is told, as they are.

    A phone leaves out the queries, of which there are as many as rows.
    """
    phone = sheet.on_phone()
    lay = PHONE if phone else BESIDE if doubled else WIDE
    counted = [one for one in ALL_COUNTS if not phone or one not in ALL_COUNTS[1:2]]
    high = _top_of_passes(sheet) + _body(sheet) + 8 + LINE * len(counted)
    for k, baseline in enumerate(TITLES):
        at = (0.0, k * high) if phone else (k * (lay.right + GAP), 0.0)
        _panel(sheet, (*at, _body(sheet)), lay, baseline, (n_prompt, n_generated), counted)
    y = high * (1 + phone) + 14
    if doubled:
        at = (0.0, y + 36) if phone else (2 * (lay.right + GAP) + 0.02, 0.0)
        _twice_the_answer(sheet, at, doubled, told)
    without, cached = (BASELINES[baseline](n_prompt, n_generated).kv_rows for baseline in TITLES)
    says = f"{cached:,} {plural(cached, 'row')} computed in place of {without:,}"
    names = (("prefill", "computed in prefill"), ("new", "computed in decode"), ("again", "computed again"), ("read", "read"))
    if phone:
        for k in (0, 2):
            legend(sheet, y + 11 * k, dict(names[k : k + 2]))
        return under_headline(sheet, says).figure(y + 36 + (TWICE_ON_PHONE + 56) * bool(doubled))
    sheet.write(0, y, "<b>K and V</b>", 13, anchor="middle right")
    legend(sheet, y, dict(names), x=0.07)
    return under_headline(sheet, says).figure(y + 12, min_width=780)


def _top_of_passes(sheet: Sheet) -> float:
    """Pixels above the passes: on a phone one line less."""
    return TOP - 20 * sheet.phone


def _body(sheet: Sheet) -> float:
    """Pixels of the passes."""
    return NARROW_BODY if sheet.phone else BODY + 0.9 * sheet.spare


def segments(baseline: str, n_prompt: int, step: int) -> list[Segment]:
    """What pass `step` does with the row of every token so far."""
    last = n_prompt + step - 1
    if step == 0:
        return [(0, n_prompt, "prefill")]
    return [(0, last, "read" if baseline == "cache" else "again"), (last, last + 1, "new")]


def _panel(
    sheet: Sheet,
    at: tuple[float, float, float],
    lay: Panel,
    baseline: str,
    length: tuple[int, int],
    counted: Sequence[tuple[str, str]],
) -> None:
    """One run. at: its upper left corner, and how high its passes are; length: tokens of the prompt and of the answer."""
    n_prompt, n_generated = length
    colors, (title, subtitle), x = sheet.colors, TITLES[baseline], at[0]
    body, top, left, wide = at[2], at[1] + _top_of_passes(sheet), x + lay.left, lay.end - lay.left
    drawn, total = sampled(n_generated), BASELINES[baseline](n_prompt, n_generated)
    sheet.write(x, at[1] + 11, f"<b>{title}</b>", 16, anchor="middle right")
    if not sheet.phone:
        sheet.write(x, at[1] + 31, subtitle, 13, colors.muted, "middle right")
    sheet.write(left - 0.01, top - 11, "pass", 13, colors.muted, "middle left")
    sheet.write(left - 0.01, top + 9, "tokens", 13, colors.muted, "middle left")
    upright(sheet, left, top, wide, body, [segments(baseline, n_prompt, i) for i in drawn], n_prompt + n_generated - 1)
    columns = [(f"{k + 1:,}", *_counts(pass_counts(baseline, n_prompt, k), counted)) for k in drawn]
    lines = [top - 11, *(top + body + 15 + LINE * k for k in range(len(counted)))]
    for k, place in _labelled(columns, wide * sheet.wide):
        for y, text in zip(lines, columns[k], strict=True):
            looks = (13, colors.muted) if y < top else (14, colors.ink)
            sheet.write(left + place / sheet.wide, y, text, *looks)
    sheet.write(x + lay.right, top + body - 20, "in all", 13, colors.muted, "middle left")
    for y, (name, _), text in zip(lines[1:], counted, _counts(total, counted), strict=True):
        sheet.write(left - 0.01, y, name, 13, colors.muted, "middle left")
        large = name == ALL_COUNTS[0][0]
        size = ((22 if lay is BESIDE else 30) if large else 17) if len(text) <= 5 else 15
        sheet.write(x + lay.right, y - 7 * (size > 17), f"<b>{text}</b>", size, anchor="middle left")


def _twice_the_answer(sheet: Sheet, at: tuple[float, float], length: tuple[int, int], told: bool) -> None:
    """The products behind a cache as an area, a pass across and the keys that its query meets down; beneath it, as outlines, twice, four
    and eight times as many, of twice as many passes, and once it is told that of an answer twice as long. at: the upper left corner."""
    (left, top), colors, (n_prompt, n) = at, sheet.colors, length
    right, under = 0.94 if not sheet.phone else 0.5, top + _top_of_passes(sheet)
    tall = TWICE_ON_PHONE if sheet.phone else _body(sheet) + LINE * len(ALL_COUNTS)
    unit = tall / TIMES[-1]  # pixels of an outline's far end, for each time as many
    sheet.write(left, top + 11, "<b>its products</b>", 16, anchor="middle right")
    says = f"of {n:,} and {2 * n:,} tokens"
    sheet.write(left, top + 31, short(says, (1 - left) * sheet.wide, 13), 13, colors.muted, "middle right")
    a, b = (work("cache", "scores", n_prompt, m) for m in (n, 2 * n))
    middle = (left + right) / 2
    ends = {times: under + unit * times for times in TIMES}
    if told:
        sheet.path(
            f"M{left:.5f},{under:.2f}L{right:.5f},{under:.2f}L{right:.5f},{under + unit * b / a:.2f}Z",
            faded(colors, colors.decode, 0.4),
        )
    sheet.path(f"M{left:.5f},{under:.2f}L{middle:.5f},{under:.2f}L{middle:.5f},{under + 2 * unit:.2f}Z", colors.decode)
    for times, end in ends.items():
        right_one = told and times == round(b / a)
        if not told or right_one:
            sheet.line(
                f"M{left:.5f},{under:.2f}L{right:.5f},{end:.2f}L{right:.5f},{under:.2f}",
                colors.ink if told else colors.muted,
                1.5,
                "" if told else "dash",
            )
        size = 24 if right_one else 15
        sheet.write(
            right + 6 / sheet.wide,
            end - 4,
            bold(f"×{times}", not told or right_one),
            size,
            colors.ink if right_one or not told else colors.muted,
            "middle right",
        )


def _counts(found: Counts, counted: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(count(getattr(found, kind), WIDEST) for _, kind in counted)


def _labelled(columns: Sequence[Sequence[str]], room: float) -> list[tuple[int, float]]:
    """Which of the columns have room for their texts, the first and the last among them; and the middle of these, in pixels."""
    n, need = len(columns), 7.5 * max(len(text) for column in columns for text in column) + 8
    step = room / n
    every = 1 if need <= step else int(np.ceil(1.5 * need / step))  # the outer ones move inwards by up to half of it
    chosen = [0, *sorted(k for k in range(n - 1, 0, -every) if k >= every or k == n - 1)]
    return [(k, float(np.clip((k + 0.5) * step, min(need, room) / 2, room - min(need, room) / 2))) for k in chosen]
