"""Who computes when: a row for each request, blue while its prompt is computed, orange while it gets tokens, and nothing while it
waits for somebody else's; beneath, who waits and how full the memory is, and which shared beginnings are in it. Played in the
browser: what is still to come is covered."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from engine.serving import Run
from pages.lessons.many.figures.request_rows import Row, rows_of
from pages.parts.drawing.axes import nice_step
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, rectangle
from pages.parts.text.amounts import seconds
from pages.parts.text.format import number, percent

SAMPLES = 600  # moments at which the queue and the memory are looked at
FRAMES, STEP_MS = 40, 220
LEFT, RIGHT, TOP, BELOW, LANE = 0.1, 0.88, 28.0, 35.0, 18.0
STRETCHED = 0.45  # of the colour of a token, where its step has a prompt in it
Lanes = Mapping[str, Sequence[tuple[float, float]]]


class Room(NamedTuple):
    """Bytes of cache that all instances hold together, and what one of them holds, in words."""

    n_bytes: int
    said: str


def moments(run: Run, n: int = FRAMES) -> np.ndarray:
    """Seconds from the first arrival to the last token, n of them, of which each frame shows what has been until one: (n,)."""
    return np.linspace(min(r.arrival_s for r in run.requests), run.finished_s.max(), n)


def gantt(
    sheet: Sheet, run: Run, room: Room, names: Sequence[str], whose: Sequence[str] = (), lanes: Lanes | None = None
) -> SheetFigure:
    """names: of the frames, one for each of `moments`. whose: what stands before each request. lanes: for each shared beginning the
    share of it that is in memory, and from which second on."""
    rows, n, lanes = rows_of(run), len(run.requests), lanes or {}
    begin, end = float(moments(run)[0]), float(moments(run)[-1])
    scale = (RIGHT - LEFT) / max(end - begin, 1e-9)
    height = sheet.row(212 - LANE * len(lanes), n, 13, 24)
    _bars(sheet, [[[LEFT + (at - begin) * scale for at in span] for span in spans] for row in rows for spans in row], height)
    for k, request in enumerate(run.requests):
        said = f"{whose[k] if whose else ''}{request.n_prompt:,} + {request.n_answer:,}"
        sheet.write(LEFT - 0.008, TOP + (k + 0.5) * height, said, 13, sheet.colors.muted, "middle left")
    worst = int(np.argmax(run.longest_gap_s))
    if run.longest_gap_s[worst] > 0:
        x, said = LEFT + (rows[worst].end_s - begin) * scale, f"paused {seconds(run.longest_gap_s[worst])}"
        sheet.write(x + 0.006, TOP + (worst + 0.5) * height, said, 13, sheet.colors.ink, "middle right")
    _legend(sheet, rows, run)
    bottom = TOP + n * height
    looked = moments(run, SAMPLES)
    waiting, share = run.steps.at("waiting", looked), run.steps.at("kv_bytes", looked) / room.n_bytes
    said = f"at most {int(waiting.max())}" if waiting.any() else "nobody"
    _area(sheet, waiting, bottom + 8, ("waiting", said), sheet.colors.muted)
    said = f"{percent(float(share.max()))} of<br>{room.said}"
    _area(sheet, share, bottom + 8 + BELOW, ("cache", said), sheet.colors.cached)
    bottom += 12 + 2 * BELOW
    for name, changes in lanes.items():
        _lane(sheet, name, [(LEFT + (at - begin) * scale, part) for at, part in changes], bottom)
        bottom += LANE
    _ticks(sheet, end - begin, scale, bottom)
    covers = [[_cover(LEFT + (at - begin) * scale, bottom - 2, sheet.colors.surface)] for at in moments(run)[:-1]] + [[]]
    frames = [{"name": said, "layout": {"shapes": [*sheet.shapes, *cover]}} for said, cover in zip(names, covers, strict=True)]
    return sheet.figure(bottom + 30, min_width=760, frames=frames, step_ms=STEP_MS, start=len(frames) - 1)


def _bars(sheet: Sheet, spans: Sequence[Sequence[Sequence[float]]], height: float) -> None:
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
            (a, TOP + (k + free) * height, max(b, a + 1.2 / WIDTH), TOP + (k + 1 - free) * height)
            for k, row in enumerate(ofkind) for a, b in row if b > a
        ]  # fmt: skip
        sheet.bars(boxes, color)


def _legend(sheet: Sheet, rows: Sequence[Row], run: Run) -> None:
    """What the colours mean, of those that are there."""
    colors = sheet.colors
    sheet.write(LEFT - 0.008, 12, "P + G", 13, colors.muted, "middle left")
    at = sheet.swatch(LEFT, 12, colors.prefill, "prompt (prefill)")
    at = sheet.swatch(at, 12, colors.decode, "tokens (decode)")
    if any(row.stretched for row in rows):
        at = sheet.swatch(at, 12, faded(colors, colors.decode, STRETCHED), "slower, with a prompt in the step")
    at = sheet.swatch(at, 12, colors.hole, "waits for a place" if run.n_preempted.any() else "waits to begin")
    if any(row.again or row.kept for row in rows):
        sheet.swatch(at, 12, colors.wasted, "done, its place kept" if run.policy == "static" else "computed again")


def _area(sheet: Sheet, values: np.ndarray, top: float, words: tuple[str, str], color: str) -> None:
    """A filled curve over all of the time. words: its name at the left, its highest value at the right."""
    low, most = top + BELOW - 8, float(values.max()) or 1.0
    xs = np.linspace(LEFT, RIGHT, len(values))
    curve = "".join(f"L{x:.5f},{low - v / most * (BELOW - 14):.2f}" for x, v in zip(xs, values, strict=True))
    sheet.path(f"M{LEFT},{low:.2f}{curve}L{RIGHT},{low:.2f}Z", color)
    sheet.write(LEFT - 0.008, low - 10, words[0], 13, sheet.colors.ink, "middle left")
    sheet.write(RIGHT + 0.008, low - 14, words[1], 13, sheet.colors.muted, "middle right")


def _lane(sheet: Sheet, name: str, changes: Sequence[tuple[float, float]], top: float) -> None:
    """How much of a beginning is in memory, as the height of a band."""
    low = top + LANE - 3
    ends = [x for x, _ in changes[1:]] + [RIGHT]
    boxes = [(x, low - part * (LANE - 5), end, low) for (x, part), end in zip(changes, ends, strict=True) if part and end > x]
    sheet.bar(LEFT, low, RIGHT, low + 1, sheet.colors.hole)
    sheet.bars(boxes, sheet.colors.cached)
    sheet.write(LEFT - 0.008, top + LANE / 2, name, 13, sheet.colors.ink, "middle left")


def _ticks(sheet: Sheet, length: float, scale: float, y: float) -> None:
    """Seconds since the first arrival."""
    step = nice_step(length, 8)
    unit, name = (1.0, "s") if length >= 1 else (1e-3, "ms")
    for k in range(int(length / step + 1e-9) + 1):
        at = LEFT + k * step * scale
        sheet.bar(at - 0.0006, y, at + 0.0006, y + 7, sheet.colors.muted)
        sheet.write(at, y + 18, f"{number(k * step / unit, 6)}{f' {name}' * (k == 0)}", 13, sheet.colors.muted)


def _cover(x: float, bottom: float, color: str) -> dict:
    """What hides all that is still to come, words at its right too."""
    path = rectangle(min(x + 0.0015, 1.0), TOP - 2, 1.002, bottom)
    return {"type": "path", "path": path, "fillcolor": color, "layer": "above", "line": {"width": 0}}
