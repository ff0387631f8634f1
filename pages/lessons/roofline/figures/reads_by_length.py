"""What one decode step reads against the length of its context: the weights, and the cache, which outgrows them or does not."""

from collections.abc import Sequence
from math import floor, log10
from typing import NamedTuple

from engine.cost import decimal_bytes
from pages.parts.drawing.axes import LogFrame, nice_step
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, ems
from pages.parts.text.amounts import plain_number
from pages.parts.text.format import quantity

MOST = 2.2  # times the weights that the field is high
LEAST_TOKENS = 1000  # where it begins at the latest
UNDER, MORE = 0.3, 0.85  # how much of its colour has what is kept, and what of it is more than the weights
LARGE = 32.0  # type size of what is to be found, and of its question mark
Point = tuple[float, float]


class Kept(NamedTuple):
    """What is read besides the weights: its name, its bytes at some lengths, the shortest first."""

    name: str
    at: Sequence[tuple[int, float]]


def reads_by_length(
    sheet: Sheet, weights: float, kept: Kept, now: tuple[int, float], even: int | None, known: bool
) -> SheetFigure:
    """weights: bytes. now: the context at hand. even: up to how many tokens what is kept does not outweigh the weights, None for any
    length. known: the line is drawn as far as it goes, and even is marked; until then it may cross them anywhere."""
    name = kept.name
    colors, narrow = sheet.colors, sheet.on_phone()
    top = headline(sheet, _large(name, even, known), _large(name, even, known, short=True)) + 28
    begin = 10.0 ** floor(log10(min(now[0], LEAST_TOKENS, max(1, even) if known and even is not None else LEAST_TOKENS)))
    across = (0.19, 0.97) if narrow else (0.085, 0.985)
    frame = LogFrame(begin, max(kept.at[-1][0], 10 * begin), 1, 10, *across, top, top + sheet.row(200, 1, 180, 320))

    def y(n_bytes: float) -> float:
        return frame.bottom - (frame.bottom - frame.top) * n_bytes / (MOST * weights)

    _axes(sheet, frame, weights, y)
    shown = [(n, b) for n, b in kept.at if n >= begin and (known or n <= _hidden_from(now[0], even))]
    line = _until_the_top([(frame.x(n), y(b)) for n, b in shown], frame.top)
    if len(line) > 1:
        path = "L".join(f"{at:.5f},{high:.2f}" for at, high in line)
        sheet.path(_area(line, frame, frame.bottom), faded(colors, colors.cached, UNDER))
        if more := [(at, high) for at, high in line if known and high < y(weights)]:
            begins = frame.x(max(even or 0, begin))
            sheet.path(_area([(begins, y(weights)), *more], frame, y(weights)), faded(colors, colors.cached, MORE))
        sheet.line(f"M{path}", colors.ink, 4 * sheet.zoom)
    sheet.line(f"M{frame.left},{y(weights):.2f}H{frame.right}", colors.ink, 4 * sheet.zoom)
    said = f"parameters {decimal_bytes(weights)}"
    free = (frame.x(even) if known and even else frame.right) - 0.024 - 1.1 * 17 * ems(said) / sheet.wide > frame.left or narrow
    said = said.replace("parameters", "<b>parameters</b>")
    if free:  # on a phone above the question marks, too
        sheet.write(frame.left + 0.012, y(weights) - (30 if narrow and not known else 17), said, 17, anchor="middle right")
    else:  # the other line has come so far: in the field that lies above both
        sheet.write(frame.right - 0.012, y(weights) - 17, said, 17, ink_on(faded(colors, colors.cached, MORE)), "middle left")
    if not known:
        _may_cross(sheet, frame, shown[-1][0] if shown else begin, y(weights), (weights, y))
    elif line:
        _name(sheet, name, line, frame)
    if shown and begin <= now[0] <= shown[-1][0] and y(now[1]) > frame.top:
        _mark(
            sheet, frame, (frame.x(now[0]), y(now[1])), f"{name} at {now[0]:,}:{'<br>' if narrow else ' '}{decimal_bytes(now[1])}"
        )
    if known and even:
        at = frame.x(even)
        sheet.line(f"M{at:.5f},{y(weights):.2f}V{frame.bottom}", colors.ink, 1.6, "dot")
        sheet.dots([at], [y(weights)], 15, colors.surface, (colors.ink, 2.5))
        if not narrow:  # on a phone the headline has it alone
            said = f"✓ {quantity(even, 'token')}"
            right = (at - frame.left) * sheet.wide < 1.1 * LARGE * ems(
                said
            ) + 30  # else above the line, where the other has not come
            place = at + (18 if right else -18) / sheet.wide, y(weights) + (32 if right else -34)
            sheet.write(*place, f"<b>{said}</b>", LARGE, anchor=f"middle {'right' if right else 'left'}")
    return sheet.figure(frame.bottom + 44, min_width=0 if narrow else 800)


def _may_cross(sheet: Sheet, frame: LogFrame, drawn: float, weights: float, scale) -> None:
    """While it is asked where the line crosses the weights: lines that do at round numbers, far beyond what is drawn of it.
    weights: where their line lies; scale: their bytes, and where bytes lie."""
    colors, (n_bytes, y) = sheet.colors, scale
    mark, cross = 20.0 if sheet.phone else LARGE, [10.0**k for k in range(1, 13)]
    cross = [at for at in cross if at > 6 * drawn and frame.x(at) < frame.right - 30 / sheet.wide]
    for at in cross:
        ends = [at * MOST * ((0.25 if sheet.phone else 0.12) ** (1 - k / 40)) for k in range(41)]
        ends = [n for n in ends if drawn <= n <= frame.x1]
        path = "L".join(f"{frame.x(n):.5f},{y(n_bytes * n / at):.2f}" for n in ends)
        sheet.line(f"M{path}", colors.muted, 2.5 * sheet.zoom, "dash")
    sheet.dots([frame.x(at) for at in cross], [weights] * len(cross), 1.9 * mark, colors.surface, (colors.ink, 2.5))
    for at in cross:
        sheet.write(frame.x(at), weights, "<b>?</b>", mark)


def _large(name: str, even: int | None, known: bool, short: bool = False) -> str:
    """The headline.

    >>> _large("cache", 100, True), _large("cache and states", 1, False)
    ('The cache outweighs the parameters beyond 100 tokens', 'The cache and states outweigh the parameters beyond ? tokens')
    """
    both = " and " in name
    if short:
        name, verb, what = "Kept" if both else "Cache", ">", "parameters"
    else:
        name, verb, what = f"The {name}", "outweigh" if both else "outweighs", "the parameters"
    if even is None:
        never = f"{name} never {verb} {what}" if not short else f"{name} never above {what}"
        return never if known else "When does it outweigh the parameters?"
    return f"{name} {verb} {what} beyond {quantity(even, 'token') if known else '? tokens'}"


def _axes(sheet: Sheet, frame: LogFrame, weights: float, y) -> None:
    """Tokens across, in powers of ten; bytes upwards."""
    colors, lines, step, k = sheet.colors, "", nice_step(MOST * weights, 5), 0
    frame.columns(sheet, plain_number)
    while k * step <= MOST * weights:
        lines += f"M{frame.left:.5f},{y(k * step):.2f}H{frame.right:.5f}"
        sheet.write(frame.left - 0.007, y(k * step), decimal_bytes(k * step) if k else "0", 13, colors.muted, "middle left")
        k += 1
    sheet.line(lines, colors.hole)
    sheet.write((frame.left + frame.right) / 2, frame.bottom + 34, "tokens of context", 15)
    sheet.write(frame.left, frame.top - 15, "bytes that one step reads", 15, anchor="middle right")


def _until_the_top(line: Sequence[Point], top: float) -> list[Point]:
    """A rising line as far as the field goes."""
    inside = [at for at in line if at[1] >= top]
    if inside and len(inside) < len(line):
        (x0, y0), (x1, y1) = inside[-1], line[len(inside)]
        inside.append((x0 + (x1 - x0) * (y0 - top) / (y0 - y1), top))
    return inside


def _area(line: Sequence[Point], frame: LogFrame, floor: float) -> str:
    """The area between a line and the floor, to the right border where it leaves the field at the top."""
    (first, _), (last, high) = line[0], line[-1]
    path = "L".join(f"{at:.5f},{y:.2f}" for at, y in line)
    return f"M{path}L{frame.right if high <= frame.top else last:.5f},{high:.2f}V{floor:.2f}H{first:.5f}Z"


def _name(sheet: Sheet, name: str, line: Sequence[Point], frame: LogFrame) -> None:
    """Of the line what it is, in the field beneath it, at its end."""
    size = 22
    at, high = line[-1]
    half = (0.55 * size * ems(name) + 8) / sheet.wide
    leaves = high <= frame.top
    x = min(at + half + 14 / sheet.wide, frame.right - half) if leaves else frame.right - half
    ground = faded(sheet.colors, sheet.colors.cached, MORE if leaves else UNDER)
    sheet.write(x, frame.top + 26 if leaves else max(high - 18, frame.top + 20), f"<b>{name}</b>", size, ink_on(ground))


def _hidden_from(now: int, even: int | None) -> int:
    """The longest context that is drawn before the answer: the one at hand, or one from which the answer is still far."""
    return now if even is None else min(now, max(1, even // 8))


def _mark(sheet: Sheet, frame: LogFrame, point: Point, text: str) -> None:
    """A dot on the line of what is kept, with what it is, above it."""
    x, y = point
    sheet.dots([x], [y], 15, sheet.colors.ink)
    right = x < (frame.left + frame.right) / 2
    at = max(x - 8 / sheet.wide, frame.left + 6 / sheet.wide) if right else x - 14 / sheet.wide
    sheet.write(at, y - (38 if sheet.phone else 24), text, 15, sheet.colors.ink, f"middle {'right' if right else 'left'}")
