"""How far two runs of the same tokens are apart at every step, on a scale of powers of ten: rounding here, errors there."""

from __future__ import annotations

from collections.abc import Sequence
from math import log10

from engine.timing.both_ways import TimedStep
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure
from pages.parts.text.digits import gap_text
from pages.parts.text.format import superscript

LEFT, RIGHT, LOW, HIGH = 0.085, 0.8, -9, 2  # powers of ten


def logit_gaps(sheet: Sheet, runs: Sequence[tuple[str, Sequence[TimedStep]]], n_words: int) -> SheetFigure:
    """runs: (name, timed), the first in grey, a second in the colour of what is wasted; none as long as they wait."""
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
    for k, ((_, timed), color) in enumerate(zip(runs, (colors.bar, colors.wasted), strict=False)):
        boxes = []
        for i, step in enumerate(timed):
            half = min(0.3 * width, 0.012) / len(runs)
            x = LEFT + width * (i + 0.5) + (2 * k - len(runs) + 1) * 1.15 * half
            boxes.append((x - half, y(step.gap) if step.gap else bottom - 3, x + half, bottom))
        sheet.bars(boxes, color)
    if not runs:
        sheet.write((LEFT + RIGHT) / 2, (top + bottom) / 2, "?", 24, colors.muted)
    if runs and runs[0][1]:
        bound = max(b.rounding for b in runs[0][1])
        at = y(bound)
        sheet.line(f"M{LEFT},{at:.1f}L{RIGHT},{at:.1f}", colors.ink, 2 * sheet.zoom, "dash", "above")
        sheet.write(RIGHT + 0.008, at - 9, "what float32 rounding", 13, anchor="middle right")
        sheet.write(RIGHT + 0.008, at + 9, f"explains: {gap_text(bound)}", 13, anchor="middle right")
    every = max(1, -(-n_words * 34 // int(WIDTH * (RIGHT - LEFT))))
    for step in range(0, n_words, every):
        sheet.write(LEFT + width * (step + 0.5), bottom + 14, str(step + 1), 12.5, colors.muted)
    sheet.write(LEFT - 0.01, bottom + 14, "word", 12.5, colors.muted, "middle left")
    for k, ((name, timed), color) in enumerate(zip(runs, (colors.bar, colors.wasted), strict=False)):
        x = LEFT + 0.02 + 0.42 * k
        largest = gap_text(max((b.gap for b in timed), default=0.0))
        sheet.bar(x, 24, x + 0.014, 38, color)
        sheet.write(x + 0.02, 31, f"{name}: at most <b>{largest}</b>", 14, anchor="middle right")
    return sheet.figure(bottom + 26, min_width=620)
