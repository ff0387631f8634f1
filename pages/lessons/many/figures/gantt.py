"""Who computes when: a row for each request, blue while its prompt is computed, orange while it gets tokens, and nothing while it
waits for somebody else's; beneath, who waits and how full the memory is. Played in the browser: what is still to come is covered.
Which shared beginnings are in memory is a figure of its own."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from engine.serving import Run
from pages.lessons.many.figures.request_rows import Row, Span, rows_of
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems, rectangle, short
from pages.parts.text.amounts import seconds
from pages.parts.text.format import number, percent

SAMPLES = 600  # moments at which the queue and the memory are looked at
FRAMES, STEP_MS = 40, 220
LANE, LINE = 24.0, 20.0  # pixels of a beginning, and of a line of the legend
ROOM = 200.0  # pixels of all rows, where somebody waits
TINT = 0.25  # of the grey behind the longest time without a token
STRETCHED = 0.45  # of the colour of a token, where its step has a prompt in it
Lanes = Mapping[str, Sequence[tuple[float, float]]]


class Room(NamedTuple):
    """Bytes of cache that all instances hold together, and how many these are in words."""

    n_bytes: int
    said: str


class Places(NamedTuple):
    """Where time begins and ends across the sheet; pixels of a curve."""

    left: float
    right: float
    below: float


WIDE, PHONE = Places(0.1, 0.88, 35.0), Places(0.25, 0.985, 48.0)


def moments(run: Run, n: int = FRAMES) -> np.ndarray:
    """Seconds from the first arrival to the last token, n of them, of which each frame shows what has been until one: (n,)."""
    return np.linspace(min(r.arrival_s for r in run.requests), run.finished_s.max(), n)


def gantt(sheet: Sheet, run: Run, room: Room, names: Sequence[str], why: str = "", rows_px: float = ROOM) -> SheetFigure:
    """names: of the frames, one for each of `moments`. why: what the longest time without a token was for, where it is known. rows_px:
    pixels that all rows have on a projector."""
    rows, n, at = rows_of(run), len(run.requests), PHONE if sheet.on_phone() else WIDE
    begin, end = float(moments(run)[0]), float(moments(run)[-1])
    scale = (at.right - at.left) / max(end - begin, 1e-9)
    top = _legend(sheet, rows, run, 0.0 if sheet.phone else at.left)
    looked = moments(run, SAMPLES)
    waiting, share = run.steps.at("waiting", looked), run.steps.at("kv_bytes", looked) / room.n_bytes
    height = sheet.row(rows_px if waiting.any() else rows_px + at.below, n, 12, 26)
    worst = int(np.argmax(run.longest_gap_s))
    if run.longest_gap_s[worst] > 0:
        a, b = (at.left + (t - begin) * scale for t in _pause(rows[worst]))
        said = f"request {worst + 1}: {seconds(run.longest_gap_s[worst])} without a token{why}"
        top = _marked(sheet, (a, b), (top, n * height), said)
    _bars(
        sheet, [[[at.left + (t - begin) * scale for t in span] for span in spans] for row in rows for spans in row], top, height
    )
    for k in range(n):
        sheet.write(at.left - 8 / sheet.wide, top + (k + 0.5) * height, f"request {k + 1}", 13, sheet.colors.muted, "middle left")
    bottom = top + n * height + 4
    if waiting.any():
        _area(sheet, at, waiting, bottom, ("waiting", f"at most {int(waiting.max())}"), sheet.colors.muted)
        bottom += at.below
    said = f"{percent(float(share.max()))} of{' ' if sheet.phone else '<br>'}{room.said}"
    _area(sheet, at, share, bottom, ("cache", said), sheet.colors.cached)
    bottom += 4 + at.below
    _ticks(sheet, at, end - begin, scale, bottom)
    covers = [[_cover(at.left + (t - begin) * scale, top - 2, bottom - 2, sheet.colors.surface)] for t in moments(run)[:-1]]
    frames = [
        {"name": said, "layout": {"shapes": [*sheet.shapes, *cover]}} for said, cover in zip(names, [*covers, []], strict=True)
    ]
    return sheet.figure(bottom + 26, min_width=0 if sheet.phone else 760, frames=frames, step_ms=STEP_MS, start=len(frames) - 1)


def beginnings_lanes(sheet: Sheet, run: Run, lanes: Lanes) -> SheetFigure:
    """lanes: for each shared beginning the share of it that is in memory, and from which second on."""
    at, (begin, end) = PHONE if sheet.on_phone() else WIDE, moments(run)[[0, -1]].tolist()
    scale = (at.right - at.left) / max(end - begin, 1e-9)
    for k, (name, changes) in enumerate(lanes.items()):
        _lane(sheet, at, name, [(at.left + (t - begin) * scale, part) for t, part in changes], 4 + k * LANE)
    bottom = 4 + len(lanes) * LANE
    _ticks(sheet, at, end - begin, scale, bottom)
    return sheet.figure(bottom + 30, min_width=0 if sheet.phone else 560)


def _pause(row: Row) -> Span:
    """The longest time in which a request that has begun gets nothing; where there is none, the longest step that it was in."""
    spans = sorted([*row.prompts, *row.again, *row.tokens, *row.stretched])
    holes = [(a[1], b[0]) for a, b in pairwise(spans) if b[0] - a[1] > 1e-9]
    return max(holes or row.stretched or spans, key=lambda span: span[1] - span[0])


def _marked(sheet: Sheet, across: Span, down: tuple[float, float], said: str) -> float:
    """A time that is tinted through all rows, and above them what it is; returns where the rows begin. down: their top and height."""
    (a, b), (top, high) = across, down
    top += 24
    sheet.bar(a, top - 4, max(b, a + 2 / sheet.wide), top + high, faded(sheet.colors, sheet.colors.muted, TINT))
    size = 14.5 if sheet.phone else 17.0
    wide = 1.08 * size * ems(said) / sheet.wide
    x = min(max(0.0, (a + b) / 2 - wide / 2), 1 - wide)
    sheet.write(max(0.0, x), top - 16, f"<b>{short(said, sheet.wide - 4, size)}</b>", size, anchor="middle right")
    return top


def _bars(sheet: Sheet, spans: Sequence[Sequence[Sequence[float]]], top: float, height: float) -> None:
    """All rows, one kind of spans after the other. spans: those of each kind of the first row, then of the second."""
    colors = sheet.colors
    looks = {  # kind: colour, and how much of the row's height is left free above and beneath
        "waits": (colors.hole, 0.44),
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


def _legend(sheet: Sheet, rows: Sequence[Row], run: Run, left: float) -> float:
    """What the colours mean, of those that are there, in as many lines as it takes; returns where the rows begin."""
    colors, at, y = sheet.colors, left, 12.0
    entries = [(colors.prefill, "prompt (prefill)"), (colors.decode, "tokens (decode)")]
    if any(row.stretched for row in rows):
        entries.append((faded(colors, colors.decode, STRETCHED), "slower, with a prompt in the step"))
    entries.append((colors.hole, "waits for a place" if run.n_preempted.any() else "waits to begin"))
    if any(row.again or row.kept for row in rows):
        entries.append((colors.wasted, "done, its place kept" if run.policy == "static" else "computed again"))
    for color, said in entries:
        if at > left and at + (22 + 6.5 * len(said)) / sheet.wide > 1:
            at, y = left, y + LINE
        at = sheet.swatch(at, y, color, said)
    return y + (12 if sheet.phone else 14)


def _area(sheet: Sheet, at: Places, values: np.ndarray, top: float, words: tuple[str, str], color: str) -> None:
    """A filled curve over all of the time. words: its name at the left, its highest value at the right."""
    low, most, high = top + at.below - 8, float(values.max()) or 1.0, 21.0
    xs = np.linspace(at.left, at.right, len(values))
    curve = "".join(f"L{x:.5f},{low - v / most * high:.2f}" for x, v in zip(xs, values, strict=True))
    sheet.path(f"M{at.left},{low:.2f}{curve}L{at.right},{low:.2f}Z", color)
    sheet.write(at.left - 8 / sheet.wide, low - 10, words[0], 13, sheet.colors.ink, "middle left")
    if sheet.phone:
        sheet.write(at.right, low - high - 9, words[1], 13, sheet.colors.muted, "middle left")
    else:
        sheet.write(at.right + 0.008, low - 14, words[1], 13, sheet.colors.muted, "middle right")


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
    step = nice_step(length, 4 if sheet.phone else 8)
    unit, name = (1.0, "s") if length >= 1 else (1e-3, "ms")
    for k in range(int(length / step + 1e-9) + 1):
        x = at.left + k * step * scale
        sheet.bar(x - 0.6 / sheet.wide, y, x + 0.6 / sheet.wide, y + 7, sheet.colors.muted)
        sheet.write(x, y + 18, f"{number(k * step / unit, 6)}{f' {name}' * (k == 0)}", 13, sheet.colors.muted)


def _cover(x: float, top: float, bottom: float, color: str) -> dict:
    """What hides all that is still to come, words at its right too."""
    path = rectangle(min(x + 0.0015, 1.0), top, 1.002, bottom)
    return {"type": "path", "path": path, "fillcolor": color, "layer": "above", "line": {"width": 0}}
