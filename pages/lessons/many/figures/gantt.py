"""Who computes when: a row for each request, blue while its prompt is computed, orange while it gets tokens, and nothing while it
waits for somebody else's. Played in the browser: what is still to come is covered. Which shared beginnings are in memory is a figure of
its own."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.serving import Run
from pages.lessons.many.figures.request_rows import Row, Span, rows_of
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, rectangle
from pages.parts.text.amounts import seconds
from pages.parts.text.format import number, round_step

FRAMES, STEP_MS = 40, 220
SIGN = 6.0  # pixels of what points at a prompt that is computed again
LANE, LINE = 24.0, 20.0  # pixels of a beginning, and of a line of the legend
ROOM = 250.0  # pixels of all rows
LOWEST, PHONE_ROOM = 12.0, 220.0  # pixels of a row, and of all on a phone
NAMED = 18.0  # pixels above the rows for how long the longest time without a token is
TINT, PHONE_TINT = 0.25, 0.5  # of the grey behind the longest time without a token, and of that of waiting on a phone
STRETCHED = 0.45  # of the colour of a token, where its step has a prompt in it
Lanes = Mapping[str, Sequence[tuple[float, float]]]


class Places(NamedTuple):
    """Where time begins and ends across the sheet."""

    left: float
    right: float


WIDE, PHONE = Places(0.1, 0.985), Places(0.25, 0.985)


def moments(run: Run, n: int = FRAMES) -> np.ndarray:
    """Seconds from the first arrival to the last token, n of them, of which each frame shows what has been until one: (n,)."""
    return np.linspace(min(r.arrival_s for r in run.requests), run.finished_s.max(), n)


def gantt(sheet: Sheet, run: Run, names: Sequence[str], why: str = "") -> SheetFigure:
    """names: of the frames, one for each of `moments`. why: what the longest time without a token was for, where it is known."""
    at, rows, n = PHONE if sheet.on_phone() else WIDE, rows_of(run), len(run.requests)
    begin, end = float(moments(run)[0]), float(moments(run)[-1])
    scale = (at.right - at.left) / max(end - begin, 1e-9)

    def across(second: float) -> float:
        return at.left + (second - begin) * scale

    worst, pause, below = int(np.argmax(run.longest_gap_s)), float(run.longest_gap_s.max()), 0.0
    if pause > 0:
        said = f"request {worst + 1}: {seconds(pause)} without a token"
        below = headline(sheet, said + why, on_phone=said)
    top = _legend(sheet, rows, run, 0.0 if sheet.phone else at.left, below + 12) + (NAMED if pause > 0 else 0.0)
    least = float(np.clip(PHONE_ROOM / n, 15.5, 20)) if sheet.phone else LOWEST
    # How much of the grey is left: on a phone, held in the light, more.
    height, grey = sheet.row(ROOM, n, least, 26), faded(sheet.colors, sheet.colors.muted, PHONE_TINT if sheet.phone else TINT)
    if pause > 0:
        a, b = map(across, pause_of(run, worst))
        thrown = bool(run.n_preempted[worst])  # then what the others do meanwhile is no reason
        down = (top + worst * height, top + (worst + 1) * height) if thrown else (top - 26, top + n * height)
        sheet.bar(a, down[0], max(b, a + 2 / sheet.wide), down[1], grey)
        if not thrown:
            half = 16 * bold_ems(seconds(pause)) / 2 / sheet.wide
            sheet.write(min(max((a + b) / 2, at.left + half), at.right - half), top - 15, bold(seconds(pause)), 16)
    _bars(sheet, [[[*map(across, span)] for span in spans] for row in rows for spans in row], top, height)
    for k in range(n):
        said, strong = f"request {k + 1}", pause > 0 and k == worst
        y, color = top + (k + 0.5) * height, sheet.colors.ink if strong else sheet.colors.muted
        sheet.write(at.left - 8 / sheet.wide, y, bold(said, strong), 13, color, "middle left")
    bottom = top + n * height + 6
    _ticks(sheet, at, end - begin, scale, bottom)
    covers = [[_cover(across(t), top - 27, bottom - 2, sheet.colors.surface)] for t in moments(run)[:-1]] + [[]]
    shapes = [{"shapes": [*sheet.shapes, *cover]} for cover in covers]
    frames = [{"name": said, "layout": layout} for said, layout in zip(names, shapes, strict=True)]
    return sheet.figure(bottom + 26, min_width=760, frames=frames, step_ms=STEP_MS, start=len(frames) - 1)


def beginnings_lanes(sheet: Sheet, run: Run, lanes: Lanes) -> SheetFigure:
    """lanes: for each shared beginning the share of it that is in memory, and from which second on."""
    at, (begin, end) = PHONE if sheet.on_phone() else WIDE, moments(run)[[0, -1]].tolist()
    scale = (at.right - at.left) / max(end - begin, 1e-9)
    for k, (name, changes) in enumerate(lanes.items()):
        _lane(sheet, at, name, [(at.left + (t - begin) * scale, part) for t, part in changes], 4 + k * LANE)
    bottom = 4 + len(lanes) * LANE
    _ticks(sheet, at, end - begin, scale, bottom)
    return sheet.figure(bottom + 30, min_width=560)


def _waiting(sheet: Sheet) -> str:
    """The colour of who waits."""
    return faded(sheet.colors, sheet.colors.muted, PHONE_TINT) if sheet.phone else sheet.colors.hole


def pause_of(run: Run, i: int) -> Span:
    """From which token of request i to the next it waited longest."""
    return max(pairwise(run.token_times_s(i).tolist()), key=lambda both: both[1] - both[0])


def _bars(sheet: Sheet, spans: Sequence[Sequence[Sequence[float]]], top: float, height: float) -> None:
    """All rows, one kind of spans after the other. spans: those of each kind of the first row, then of the second."""
    colors = sheet.colors
    looks = {  # kind: colour, and how much of the row's height is left free above and beneath
        "waits": (_waiting(sheet), 0.44),
        "kept": (colors.wasted, 0.4),
        "prompts": (colors.prefill, 0.12),
        "again": (colors.wasted, 0.12),
        "stretched": (faded(colors, colors.decode, STRETCHED), 0.2),
        "tokens": (colors.decode, 0.2),
    }
    for kind, (color, free) in looks.items():
        ofkind = spans[Row._fields.index(kind) :: len(Row._fields)]
        boxes = [
            (a, top + (k + free) * height, max(b, a + 1.2 / sheet.wide), top + (k + 1 - free) * height)
            for k, row in enumerate(ofkind) for a, b in row if b > a
        ]  # fmt: skip
        sheet.bars(boxes, color)
        if kind == "again" and boxes:  # a step may be two pixels of seconds: a small triangle that points at it is found
            half, signs = SIGN / sheet.wide, ""
            for x, y in (((a + b) / 2, y0) for a, y0, b, _ in boxes):
                signs += f"M{x - half:.5f},{y - SIGN:.2f}L{x + half:.5f},{y - SIGN:.2f}L{x:.5f},{y + 1:.2f}Z"
            sheet.path(signs, color)


def _legend(sheet: Sheet, rows: Sequence[Row], run: Run, left: float, y: float) -> float:
    """What the colours mean, of those that are there, in as many lines as it takes; returns where the rows begin."""
    colors, at = sheet.colors, left
    entries = [(colors.prefill, "prompt (prefill)"), (colors.decode, "tokens (decode)")]
    if any(row.stretched for row in rows):
        entries.append((faded(colors, colors.decode, STRETCHED), "slower, with a prompt in the step"))
    entries.append((_waiting(sheet), "waits for a place" if run.n_preempted.any() else "waits to begin"))
    if any(row.again or row.kept for row in rows):
        entries.append((colors.wasted, "done, its place kept" if run.policy == "static" else "computed again"))
    for color, said in entries:
        if at > left and at + (22 + 6.5 * len(said)) / sheet.wide > 1:
            at, y = left, y + LINE
        at = sheet.swatch(at, y, color, said)
    return y + 18


def _lane(sheet: Sheet, at: Places, name: str, changes: Sequence[tuple[float, float]], top: float) -> None:
    """How much of a beginning is in memory, as the height of a band."""
    low = top + LANE - 3
    ends = [x for x, _ in changes[1:]] + [at.right]
    boxes = [(x, low - part * (LANE - 5), end, low) for (x, part), end in zip(changes, ends, strict=True) if part and end > x]
    sheet.bar(at.left, low, at.right, low + 1, sheet.colors.hole)
    sheet.bars(boxes, sheet.colors.cached)
    sheet.write(at.left - 8 / sheet.wide, top + LANE / 2, name, 13, sheet.colors.ink, "middle left")


def _ticks(sheet: Sheet, at: Places, length: float, scale: float, y: float) -> None:
    """Seconds since the first arrival."""
    step = round_step(length / (4 if sheet.phone else 8))
    unit, name = (1.0, "s") if length >= 1 else (1e-3, "ms")
    for k in range(int(length / step + 1e-9) + 1):
        x = at.left + k * step * scale
        sheet.bar(x - 0.6 / sheet.wide, y, x + 0.6 / sheet.wide, y + 7, sheet.colors.muted)
        sheet.write(x, y + 18, f"{number(k * step / unit, 6)}{f' {name}' * (k == 0)}", 13, sheet.colors.muted)


def _cover(x: float, top: float, bottom: float, color: str) -> dict:
    """What hides all that is still to come, words at its right too."""
    path = rectangle(min(x + 0.0015, 1.0), top, 1.002, bottom)
    return {"type": "path", "path": path, "fillcolor": color, "layer": "above", "line": {"width": 0}}
