"""Without guesses a word takes a pass, each as long as the one before; with guesses one pass of several rows writes as many words. Both
begin at once: which of them is done first is where it pays."""

from collections.abc import Mapping
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, answer_part, open_place
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold_ems, ems, type_size
from pages.parts.text.format import number

NAMES = 158.0  # pixels of the names at the left
AROUND = 42.0  # pixels between the passes without guesses and the one with guesses
AXIS = 34.0  # pixels beneath the one with guesses
# Pixels on a phone, where time runs down
NARROW = 54.0  # across of passes without guesses
APART = 112.0  # between these and the one with guesses
BESIDE = 40.0  # free at the right of that
HIGH = 300.0  # of all the time
PALE, LEAST = 0.11, 0.14  # of a colour where the end is to be found, and of that of a guess that never stays
MOST = 1.01  # times as long as over one row, a row, a pass takes at most
HALF, ASIDE = 17.0, 92.0  # pixels of what is hardly different on a side of the end, and for what lies behind it
ASKS = 84.0  # type size of the question mark, at most
PHONE_ASKS = 60.0
SIZE = 20.0  # type size of names and words, at most
PHONE_SIZE = 16.0


class Pass(NamedTuple):
    """rows: of a pass with guesses; kept: the chance that a guess stays if those before it did; words: what such a pass writes."""

    rows: int
    kept: float
    words: float


class Field:
    """Where a time and a place beside it lie: time to the right, on a phone down. Times are those of a pass without guesses."""

    def __init__(self, sheet: Sheet, of: Pass, top: float):
        self.sheet, self.down, self.of = sheet, sheet.phone, of
        room, begin, aside = (HIGH, top + 26, 62.0) if self.down else (sheet.wide - NAMES - 2, NAMES, ASIDE)
        self.begin, self.unit = begin, min(room / (MOST * of.rows), (room - aside) / of.words)
        self.end = begin + room
        if self.down:
            self.one, self.between, self.row = (0.0, NARROW), APART, (sheet.wide - NARROW - APART - BESIDE) / of.rows
        else:
            self.row = sheet.row(196, of.rows + 1, 17, 96)
            self.one, self.between = (top + 10, top + 10 + self.row), AROUND
        self.many = self.one[1] + self.between, self.one[1] + self.between + self.row * of.rows

    def at(self, time: float) -> float:
        """Where it lies, in pixels."""
        return self.begin + self.unit * time

    def box(self, times: tuple[float, float], beside: tuple[float, float]) -> Box:
        """What lies between two places in time, and two beside it, all in pixels."""
        (t0, t1), (b0, b1), wide = times, beside, self.sheet.wide
        return (b0 / wide, t0, b1 / wide, t1) if self.down else (t0 / wide, b0, t1 / wide, b1)

    def write(self, time: float, beside: float, *look) -> None:
        x, y = (beside, time) if self.down else (time, beside)
        self.sheet.write(x / self.sheet.wide, y, *look)


def faster_or_slower(sheet: Sheet, lengths: Mapping[int, float], chosen: int, of: Pass, asked: Asked = NOT_ASKED) -> SheetFigure:
    """lengths: batch -> times as long as a pass without guesses one with them takes. chosen: the batch that is asked about.

    asked: until it is known the pass has no end; before the end of the others, at it or behind it can be pressed.
    """
    phone, colors = sheet.on_phone(), sheet.colors
    times = f"{number(of.words / lengths[chosen])} × as fast at batch {chosen:,}"
    top = headline(sheet, times if asked.known else f"Faster or slower at batch {chosen:,}?")
    field = Field(sheet, of, top)
    _passes(field)
    _one_pass(field, lengths[chosen] if asked.known else 1.0, max(lengths.values()) if asked.known else of.rows, asked.known)
    goal, (_, last) = field.at(of.words), field.many
    sheet.bar(*field.box((goal - 1.5, goal + 1.5), (field.one[0], last + 7)), colors.ink)
    if not asked.known:
        _question(field)
    if asked.names:
        _sides(field, asked)
    _beneath(field, lengths if asked.known else {}, chosen)
    return sheet.figure(field.end + 12 if phone else last + AXIS, min_width=640)


def _passes(field: Field) -> None:
    """A pass a word, one after the other."""
    sheet, of, colors = field.sheet, field.of, field.sheet.colors
    ends = [*range(ceil(of.words - 1e-9)), of.words]
    steps = list(pairwise(ends))
    sheet.bars([field.box((field.at(a), field.at(b) - 3), field.one) for a, b in steps], colors.decode)
    for a, b in steps:
        _amount(field, b - a, (field.at(a), field.at(b)), field.one, colors.decode)
    _name(field, field.one, "without", "guesses")


def _one_pass(field: Field, length: float, longest: float, known: bool) -> None:
    """One pass so long, with a row for the word that it writes in any case and one for each guess, as pale as it seldom stays; behind it
    as far as it may last, or does at another batch."""
    of, colors, (first, last) = field.of, field.sheet.colors, field.many
    rest = field.box((field.at(length), field.at(longest)), field.many)
    if longest > length:
        field.sheet.bar(*rest, faded(colors, colors.decode, PALE))
    if not known:
        open_place(field.sheet, *rest)
    for k in range(of.rows):
        color = faded(colors, colors.decode, LEAST + (1 - LEAST) * of.kept**k)
        beside = first + k * field.row, first + (k + 1) * field.row - 2
        field.sheet.bar(*field.box((field.begin, field.at(length)), beside), color)
        _amount(field, of.kept**k, (field.begin, field.at(1.0)), beside, color)
    _name(field, (first, last), "with", f"{of.rows - 1} {'guess' if of.rows == 2 else 'guesses'}")


def _amount(field: Field, words: float, times: tuple[float, float], beside: tuple[float, float], color: str) -> None:
    """How many words that is, where there is room for it."""
    (t0, t1), (b0, b1) = times, beside
    wide, high = (b1 - b0, t1 - t0) if field.down else (t1 - t0, b1 - b0)
    size = 13.0 if field.down else max(13.0, min(SIZE, 0.66 * high))
    said = number(words)
    for text in ("1 word", "1") if said == "1" else (said,):
        if size * bold_ems(text) + 2 < wide and size + 2 < high:
            return field.write((t0 + t1) / 2, (b0 + b1) / 2, f"<b>{text}</b>", size, ink_on(color))
    return None


def _name(field: Field, beside: tuple[float, float], first: str, second: str) -> None:
    """What it is, left of it, on a phone above it."""
    sheet, middle = field.sheet, sum(beside) / 2
    if sheet.phone:
        name = f"<b>{first} {second}</b>" if first == "with" else f"<b>{first}</b>"
        sheet.write(beside[0] / sheet.wide, field.begin - 14, name, PHONE_SIZE, anchor="middle right")
    else:
        sheet.write(0, middle, f"<b>{first} {second}</b>", SIZE, anchor="middle right")


def _question(field: Field) -> None:
    """A question mark at the end of the others, as near to it as the pass without an end has room for one."""
    sheet, colors = field.sheet, field.sheet.colors
    size = min(PHONE_ASKS if sheet.phone else ASKS, 0.4 * field.unit * (field.of.rows - 1), 0.8 * (field.many[1] - field.many[0]))
    room = 0.5 * size + 4
    at = min(max(field.at(field.of.words), field.at(1.0) + room), field.at(field.of.rows) - room)
    middle = sum(field.many) / 2
    x0, y0, x1, y1 = field.box((at - room + 3, at + room - 3), (middle - room, middle + room))
    sheet.bar(x0, y0, x1, y1, faded(colors, colors.decode, PALE))
    field.write(at, middle, "<b>?</b>", size)


def _sides(field: Field, asked: Asked) -> None:
    """Before the end of the others it is faster, behind it slower, between the two; each can be pressed, and is marked afterwards."""
    sheet, goal = field.sheet, field.at(field.of.words)
    times = (field.begin if sheet.phone else 0.0, goal - HALF), (goal - HALF, goal + HALF), (goal + HALF, field.end)
    places = _places(field, asked)
    for k in range(len(asked.names) * asked.open):
        answer_part(sheet, asked, k, field.box(times[k], (field.one[1] + 2, field.many[1])))
    for k, (name, (*place, yours)) in enumerate(zip(asked.names, places, strict=False)):
        told = asked.known and name in (asked.right, asked.guess)
        if told or (k != 1 and not asked.known):
            sheet.bars([tuple(place)] * (k == 1), sheet.colors.surface)
            size = type_size(name, (place[2] - place[0]) * sheet.wide, PHONE_SIZE if sheet.phone else SIZE, 13.0)
            sheet.write((place[0] + place[2]) / 2, (place[1] + place[3]) / 2, f"<b>{name}</b>", size)
        if told:
            answer_part(sheet, asked, k, tuple(place), yours)


def _places(field: Field, asked: Asked) -> list[tuple]:
    """Of each answer, beside the end of the others: the box of its word, and where it says that it was guessed."""
    sheet, wide, goal = field.sheet, field.sheet.wide, field.at(field.of.words)
    beside = field.one[1] + 4, field.many[0] - (4 if sheet.phone else 6)
    middle, told = sum(beside) / 2, asked.known and {asked.right, asked.guess}
    if sheet.phone:
        ys, off = (goal - 26, goal, goal + 26), 24 if told and asked.names[0] in told else -24
        x, marks = middle / wide, (goal - 49, goal + off, goal + 49)
        boxes = [field.box((y - 12, y + 12), beside) for y in ys]
        return [(*box, (x, y, "middle center")) for box, y in zip(boxes, marks, strict=True)]
    wides, mark = [SIZE * bold_ems(name) + 12 for name in asked.names], 15 * ems(f"✓ {YOURS}") + 12
    clear, at_right = (wides[1] / 2 + 8, goal < 0.58 * wide) if told and asked.names[1] in told else (14.0, None)
    slower = min(goal + clear + mark * (at_right is True), wide - wides[2])
    starts = goal - clear - mark * (at_right is False) - wides[0], goal - wides[1] / 2, slower
    places = []
    for start, length, right in zip(starts, wides, (False, at_right, True), strict=True):
        x = (start + length + 6 if right else start - 6) / wide
        place = start / wide, middle - 14, (start + length) / wide, middle + 14
        yours = (x, middle, "middle right") if right else (x, middle, "middle left")
        if x * wide + mark > wide:  # there it stands above its word, behind the end
            yours = 1.0, sum(field.one) / 2, "middle left"
        places.append((*place, yours))
    return places


def _beneath(field: Field, lengths: Mapping[int, float], chosen: int) -> None:
    """How many times as long; once that is known, where it ends at each batch, and a line there."""
    sheet, of, (first, last) = field.sheet, field.of, field.many
    size, placed = (13.0 if sheet.phone else 16.0), []
    batches = sorted(lengths, key=lambda batch: (batch != chosen, batch))
    marks = [(f"{batch:,}", lengths[batch]) for batch in batches] or [(f"{k} ×", float(k)) for k in range(1, of.rows + 1)]
    for k, (said, length) in enumerate(marks):
        at, half = field.at(length), 0.7 * size if sheet.phone else 0.3 * size * ems(said) + 6
        if any(abs(at - other) < half + its for other, its in placed):
            continue
        placed.append((at, half))
        beyond = k and length > lengths.get(chosen, of.rows)
        color = sheet.colors.muted if beyond else sheet.colors.ink
        sheet.bar(*field.box((at - 1, at + 1), (first if beyond else last, last + 7)), color)
        said = f"<b>{said}</b>" if lengths and not k else said
        field.write(at, last + (9 if sheet.phone else 20), said, size, None, "middle right" if sheet.phone else "middle center")
    if not sheet.phone:
        sheet.write(0, last + 20, "ends at batch" if lengths else "times as long", size, anchor="middle right")
