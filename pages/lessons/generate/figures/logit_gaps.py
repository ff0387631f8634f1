"""How far two runs of the same tokens are apart at every step, on a scale of powers of ten: rounding here, errors there."""

from collections.abc import Sequence
from math import log10

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, short
from pages.parts.text.digits import gap_text
from pages.parts.text.format import superscript

LEFT, RIGHT, LOW, HIGH = 0.085, 0.8, -9, 2  # powers of ten


def logit_gaps(
    sheet: Sheet, runs: Sequence[tuple[str, Sequence[TimedStep]]], n_words: int, said: Sequence[str] = (), hidden: bool = False
) -> SheetFigure:
    """runs: (name, timed), the first in grey, a second in the colour of what is wasted. said: the words, where there is room for
    them. hidden: a first run's differences wait, and what each height would mean is said."""
    colors = sheet.colors
    top, bottom = 44.0, 236.0
    width = (RIGHT - LEFT) / n_words

    def y(gap: float) -> float:
        return bottom - (bottom - top) * (min(max(log10(max(gap, 1e-30)), LOW), HIGH) - LOW) / (HIGH - LOW)

    for power in range(LOW + 1, HIGH + 1, 2):
        at = y(10.0**power)
        sheet.bar(LEFT, at - 0.5, RIGHT, at + 0.5, colors.hole)
        sheet.write(LEFT - 0.01, at, "1" if power == 0 else f"10{superscript(power)}", 13, colors.muted, "middle left")
    sheet.bar(LEFT, bottom, RIGHT, bottom + 1, colors.muted)
    sheet.write(LEFT - 0.01, bottom, "0", 13, colors.muted, "middle left")
    sheet.write(0, 11, "<b>max |Δ logit|</b>, cached against recomputed, at every word", 15, anchor="middle right")
    if not hidden:
        _differences(sheet, runs, width, (bottom, y))
    if runs and runs[0][1]:
        bound = max(b.rounding for b in runs[0][1])
        at = y(bound)
        sheet.line(f"M{LEFT},{at:.1f}L{RIGHT},{at:.1f}", colors.ink, 2 * sheet.zoom, "dash", "above")
        sheet.write(RIGHT + 0.008, at - 9, "what float32 rounding", 13, anchor="middle right")
        sheet.write(RIGHT + 0.008, at + 9, f"explains: {gap_text(bound)}", 13, anchor="middle right")
        if hidden:
            _meanings(sheet, (top, at, bottom), [LEFT + width * (step + 0.5) for step in range(n_words)])
    room = int(WIDTH * (RIGHT - LEFT))
    every = max(1, -(-n_words * (90 if said else 34) // room))
    for step in range(0, n_words, every):
        label = f"“{short(said[step], 80, 12.5)}”" if said else str(step + 1)
        sheet.write(LEFT + width * (step + 0.5), bottom + 14, label, 12.5, colors.muted)
    sheet.write(LEFT - 0.01, bottom + 14, "word", 12.5, colors.muted, "middle left")
    for k, ((name, timed), color) in enumerate(zip(() if hidden else runs, (colors.bar, colors.wasted), strict=False)):
        x = LEFT + 0.02 + 0.42 * k
        largest = gap_text(max((b.gap for b in timed), default=0.0))
        sheet.bar(x, 24, x + 0.014, 38, color)
        sheet.write(x + 0.02, 31, f"{name}: at most <b>{largest}</b>", 14, anchor="middle right")
    return sheet.figure(bottom + 26, min_width=620)


def _differences(sheet: Sheet, runs: Sequence[tuple[str, Sequence[TimedStep]]], width: float, axis: tuple) -> None:
    """A bar for each word of each run. axis: its lower end, and where a difference lies on it."""
    bottom, y = axis
    for k, ((_, timed), color) in enumerate(zip(runs, (sheet.colors.bar, sheet.colors.wasted), strict=False)):
        boxes = []
        for i, step in enumerate(timed):
            half = min(0.3 * width, 0.012) / len(runs)
            x = LEFT + width * (i + 0.5) + (2 * k - len(runs) + 1) * 1.15 * half
            boxes.append((x - half, y(step.gap) if step.gap else bottom - 3, x + half, bottom))
        sheet.bars(boxes, color)


def _meanings(sheet: Sheet, edges: tuple[float, float, float], columns: Sequence[float]) -> None:
    """Room for a bar that waits in each column, and what it would mean that it ends above the bound of rounding or beneath it."""
    (top, bound, bottom), half = edges, 0.012
    sheet.bars([(x - half, top, x + half, bottom) for x in columns], sheet.colors.hole)
    for x in columns:
        sheet.write(x, (top + bound) / 2, "?", 20)
    x = RIGHT + 0.008
    sheet.write(x, (top + bound) / 2, "<b>up here</b>: visibly different", 14, anchor="middle right")
    sheet.write(x, (bound + bottom) / 2, "<b>down here</b>: the same", 14, anchor="middle right")
    sheet.write(x, (bound + bottom) / 2 + 17, "within rounding", 14, anchor="middle right")
    sheet.write(x, bottom, "<b>no bar</b>: equal in every bit", 14, anchor="middle right")
