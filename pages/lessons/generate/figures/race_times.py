"""One answer made twice, on the clock: two runs that begin together, a block a pass, as long as it took; between them each word's way
from the run behind a cache to the one that computed all tokens again, which comes later from word to word."""

from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from engine.timing.both_ways import TimedStep, compared_answers
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold_ems, ems, type_size
from pages.parts.text.amounts import milliseconds
from pages.parts.text.format import number, round_step

NAMES = ("with a cache", "without a cache")
LONGEST = 3.0  # times what a usual pass of its run took: beyond, a pass says itself what it took
WAY = 0.1  # strength of every other word's way from one run to the other


class Track(NamedTuple):
    """Where the two runs go: along from `begin` to `end`, where `most` seconds end, in shares of the width, on a phone in pixels down;
    runs: both edges of each across that."""

    begin: float
    end: float
    most: float
    runs: tuple[tuple[float, float], tuple[float, float]]
    upright: bool

    def along(self, seconds: float) -> float:
        """Where so many seconds end."""
        return self.begin + (self.end - self.begin) * seconds / self.most

    def box(self, run: int, first: float, last: float) -> Box:
        """A piece of a run, between two moments."""
        (near, far), a, b = self.runs[run], self.along(first), self.along(last)
        return (near, a, far, b) if self.upright else (a, near, b, far)

    def point(self, along: float, across: float) -> str:
        """As it stands in a path."""
        x, y = (across, along) if self.upright else (along, across)
        return f"{x:.5f},{y:.2f}"


def longest_of(timed: Sequence[TimedStep], n_words: int) -> float:
    """Seconds that the track is long: what the slower run takes for all words, as the last pass says where they are not all there yet."""
    left = n_words - len(timed)
    return max(sum(seconds) + left * seconds[-1] for seconds in _runs(timed))


def race_times(sheet: Sheet, timed: Sequence[TimedStep], n_words: int, most: float | None = None) -> SheetFigure:
    """timed: the steps so far, the first is prefill; n_words: how many there will be; most: seconds of the track, as these steps ask for
    if None."""
    most, runs = most or longest_of(timed, n_words), _runs(timed)
    if sheet.on_phone():
        track, bottom = Track(44.0, 344.0, most, ((0.0, 0.3), (0.7, 1.0)), True), 384.0
    else:
        track, bottom = Track(0.0, 0.845, most, ((34.0, 106.0), (168.0, 240.0)), False), 266.0
    ends = [[0.0, *accumulate(seconds)] for seconds in runs]
    _ways(sheet, ends, track)
    for run, seconds in enumerate(runs):
        _blocks(sheet, run, seconds, track)
        _says(sheet, run, ends[run][-1], track)
    _words(sheet, ends, n_words, track)
    if len(timed) == 1:
        return under_headline(sheet, "Word 1: the same pass both ways").figure(bottom)
    times = times_as_long(timed)
    return under_headline(sheet, f"Without a cache {times} as long" if times else "No clear difference").figure(bottom)


def _runs(timed: Sequence[TimedStep]) -> tuple[list[float], list[float]]:
    """Seconds of each pass, with a cache and without."""
    return [step.cached_s for step in timed], [step.recomputed_s for step in timed]


def times_as_long(timed: Sequence[TimedStep]) -> str:
    """How many times as long the answer took without a cache; empty where the clock cannot tell."""
    both = compared_answers(timed)
    return f"{number(both.times, 1 if both.times >= 1.2 else 2)} times" if both.clear else ""


def _blocks(sheet: Sheet, run: int, seconds: Sequence[float], track: Track) -> None:
    """A run's passes one after the other: with room the first has its name, one that took much longer than usual its time."""
    colors, at, usual = sheet.colors, 0.0, sorted(seconds[1:] or seconds)[len(seconds[1:]) // 2]
    found: dict[str, list[Box]] = {colors.prefill: [], colors.wasted if run else colors.decode: []}
    color, seam = list(found), (1.0 if track.upright else 1.5 / sheet.wide)
    for k, took in enumerate(seconds):
        long = track.along(at + took) - track.along(at)
        x0, y0, x1, y1 = track.box(run, at, at + took)
        gap = min(seam, 0.2 * long)
        found[color[k > 0]].append((x0, y0, x1, y1 - gap) if track.upright else (x0, y0, x1 - gap, y1))
        at += took
        said = "" if k and took <= LONGEST * usual else milliseconds(took) if k else "prefill"
        if said and (x1 - x0) * sheet.wide > 18 * ems(said) + 16 and y1 - y0 > 24:
            sheet.write((x0 + x1) / 2, (y0 + y1) / 2, f"<b>{said}</b>", 18, colors.surface)
    for own, boxes in found.items():
        sheet.bars(boxes, own)


def _says(sheet: Sheet, run: int, seconds: float, track: Track) -> None:
    """Which run it is, and where it ends what it took."""
    color, (near, far) = sheet.colors.wasted if run else sheet.colors.decode, track.runs[run]
    took, name = f"<b>{milliseconds(seconds)}</b>", f"<b>{NAMES[run]}</b>"
    if track.upright:
        x, anchor = (far, "middle left") if run else (near, "middle right")
        sheet.write(x, track.begin - 16, name, 16, color, anchor)
        sheet.write((near + far) / 2, track.along(seconds) + 22, took, 26, color)
        return
    sheet.write(0.0, far + 17 if run else near - 17, name, 18, color, "middle right")
    x = track.along(seconds) + 0.014
    size = type_size(milliseconds(seconds), (1 - x) * sheet.wide, 40.0)
    sheet.write(x, (near + far) / 2, took, size, color, "middle right")


def _ways(sheet: Sheet, ends: Sequence[Sequence[float]], track: Track) -> None:
    """Each word's way from the end of one run's block to that of the other's, as a ribbon; every other one is darker."""
    (_, near), (far, _) = track.runs
    ribbons = []
    for k in range(len(ends[0]) - 1):
        a, b, c, d = (track.along(ends[run][i]) for run, i in ((0, k), (0, k + 1), (1, k + 1), (1, k)))
        ribbons.append(f"M{track.point(a, near)}L{track.point(b, near)}L{track.point(c, far)}L{track.point(d, far)}Z")
    for first, share in enumerate((WAY, 2 * WAY)):
        if ribbons[first::2]:
            sheet.path("".join(ribbons[first::2]), faded(sheet.colors, sheet.colors.muted, share))


def _words(sheet: Sheet, ends: Sequence[Sequence[float]], n_words: int, track: Track) -> None:
    """On the ways of some words which one it is, where there is room behind the one before."""
    across, size, free = (track.runs[0][1] + track.runs[1][0]) / 2, 15 if track.upright else 17, 0.0
    every = max(1, int(round_step(n_words / 5)))
    for k in range(every, len(ends[0]), every):
        name, middle = f"word {k}", track.along(sum(ends[run][k - j] for run in (0, 1) for j in (0, 1)) / 4)
        half = 0.65 * size if track.upright else (bold_ems(name) + 0.6) * size / 2 / sheet.wide
        if middle - half >= free:
            sheet.write(*((across, middle) if track.upright else (middle, across)), f"<b>{name}</b>", size)
            free = middle + half
