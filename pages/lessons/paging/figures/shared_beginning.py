"""Prompts behind one prefix cache in the order in which they come, a lane for each: the first, the second, and the first once more. A block
that the second holds too is one block across their lanes. A phone has the lanes as columns, a token a row."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import ink_on
from pages.parts.drawing.row_strips import cache_rows, edge, grounds
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, ems, rectangle, short, type_size

LEFT, GAP = 0.17, 5.0  # of the width are names; pixels between blocks
NOTE, ASKED = 23.0, 34.0  # pixels above a lane for what is said of its blocks; type size of what is asked for
ROOM, TALLEST = 246.0, 96.0  # pixels of the lanes, and of the highest
PHONE_TOP = 42.0  # pixels above the tokens, on a phone
ROW = 28.0  # pixels of a token there
PHONE_GAP = 8.0  # pixels between two lanes there
KEY_AND_VALUE = 14.0  # pixels of the two at the left of a token
MOST, MOST_ON_PHONE = 24, 16  # tokens of a prompt for which there is room


class Lane(NamedTuple):
    """A prompt. said: what becomes of it; kinds: of row_strips.SIGNS, one for each word, none while that is asked for: it
    is then called "?"."""

    name: str
    said: str
    words: Sequence[str]
    kinds: Sequence[str]


def has_room(lanes: Sequence[Lane], phone: bool) -> bool:
    """Whether each prompt has room in one line."""
    return max(len(lane.words) for lane in lanes) <= (MOST_ON_PHONE if phone else MOST)


def shared_beginning(sheet: Sheet, lanes: Sequence[Lane], size: int, says: str, short_one: str | None = None) -> SheetFigure:
    """lanes: the first, the second, and the first once more. size: tokens in a block. says, short_one: the headline, and a shorter
    one for a phone."""
    phone, n = sheet.on_phone(), max(len(lane.words) for lane in lanes)
    tall = min(TALLEST, sheet.row(ROOM, 3, 40.0, TALLEST * 1.4) - NOTE)

    def place(first: int, last: int, top: int, bottom: int) -> Box:
        """Of some tokens, from and until which one, in some lanes."""
        gap = 0 if last % size else GAP
        if phone:
            wide = (1 - 2 * PHONE_GAP / sheet.wide) / 3
            y0, y1 = (PHONE_TOP + i * ROW + i // size * GAP for i in (first, last))
            return top * (wide + PHONE_GAP / sheet.wide), y0, bottom * (wide + PHONE_GAP / sheet.wide) + wide, y1 - max(gap, 1)
        x0, x1 = (LEFT + i * (1 - LEFT) / n for i in (first, last))
        return x0, NOTE + top * (tall + NOTE), x1 - max(gap, 1) / sheet.wide, NOTE + bottom * (tall + NOTE) + tall

    for k, lane in enumerate(lanes):
        _name(sheet, lane, place(0, 1, k, k))
    boxes: dict[str, list[Box]] = {}
    held = [_holders(lanes, i) for i in range(n)]
    for k, lane in enumerate(lanes):
        for i, word in enumerate(lane.words):
            if k and k <= held[i]:
                continue  # it is the first prompt's
            kind = "kept" if not k and held[i] else lane.kinds[i] if lane.kinds else "asked"
            boxes.setdefault(kind, []).append(place(i, i + 1, k, k if k else held[i]))
            _word(sheet, word, kind, boxes[kind][-1])
    sheet.line("".join(rectangle(*box) for box in boxes.pop("asked", ())), sheet.colors.muted, 1.5)
    _rows(sheet, boxes)
    _notes(sheet, lanes, held, size, place)
    end = place(n - 1, n, 2, 2)[3]
    return under_headline(sheet, says, short_one).figure(end + 6, min_width=730)


def _holders(lanes: Sequence[Lane], i: int) -> int:
    """Until which lane the first prompt's i-th token is held as one with those beneath it; 0: by the first alone."""
    shared = [i < len(lane.kinds) and lane.kinds[i] == "kept" for lane in lanes]
    return 0 if i >= len(lanes[0].words) or not shared[1] else 1 + shared[2]


def _name(sheet: Sheet, lane: Lane, first: Box) -> None:
    """A prompt's, left of its lane, on a phone above it, with what becomes of it."""
    phone = sheet.phone
    large, small, down = (14.0, 13.0, 16.0) if phone else (20.0, 17.0, 22.0)
    x, room = (first[0], (first[2] - first[0]) * sheet.wide) if phone else (0.0, LEFT * sheet.wide - 14)
    lines = lane.said.split(", ")
    y = 9.0 if phone else (first[1] + first[3]) / 2 - 0.5 * down * len(lines)
    sheet.write(x, y, bold(lane.name), type_size(lane.name, room, large), anchor="middle right")
    if not lane.kinds:
        sheet.write(x, y + down + (2 if phone else 10), "<b>?</b>", small if phone else ASKED, anchor="middle right")
        x += (14 if phone else 0.7 * ASKED) / sheet.wide
    for k, line in enumerate(lines):
        low = 10 * (not lane.kinds and not phone)
        sheet.write(x, y + down * (k + 1) + 2 + low, short(line, room, small), small, sheet.colors.muted, "middle right")


def _rows(sheet: Sheet, boxes: Mapping[str, Sequence[Box]]) -> None:
    """The tokens with their keys and values, on a phone, where a token is a row, at its left."""
    if not sheet.phone:
        return cache_rows(sheet, boxes, "worded")
    for kind, found in boxes.items():
        sheet.bars(found, grounds(sheet.colors)[kind])
        ends = [(x0, y0, x0 + KEY_AND_VALUE / sheet.wide, y1) for x0, y0, _, y1 in found]
        cache_rows(sheet, {"read" if kind == "again" else "kept": ends})
        if kind == "again":
            sheet.line("".join(rectangle(*box) for box in found), sheet.colors.wasted, 1.5)


def _word(sheet: Sheet, word: str, kind: str, box: Box) -> None:
    """A token; on a phone also whether it runs again."""
    (x0, y0, x1, y1), ink = box, ink_on(grounds(sheet.colors).get(kind, sheet.colors.surface))
    wide = (x1 - x0) * sheet.wide
    if sheet.phone:
        left, again = KEY_AND_VALUE + 6, 36 * (kind == "again")
        if again:
            sheet.write(x1 - 4 / sheet.wide, (y0 + y1) / 2, "again", 13, ink, "middle left")
        return sheet.write(x0 + left / sheet.wide, (y0 + y1) / 2, short(word, wide - left - again, 14), 14, ink, "middle right")
    free = y1 - y0 - (edge(y1 - y0) if kind != "asked" else 0.0)
    size = max(13.0, min(24.0, wide / 3.8, 0.42 * free))
    sheet.write((x0 + x1) / 2, y0 + free / 2, short(word, wide - 4, size), size, ink)


def _notes(sheet: Sheet, lanes: Sequence[Lane], held: Sequence[int], size: int, place) -> None:
    """Above each full block that several hold that it is one, and above the rest that it is from the cache, or runs again."""
    for b in range(len(lanes[0].words) // size):
        by = min(held[b * size : (b + 1) * size])
        if by:
            _above(sheet, place(b * size, (b + 1) * size, 0, by), (f"one block for {by + 1}",))
    for k in (1, 2):
        for kind, said in (("again", ("run again", "again")), ("kept", ("from the cache",))):
            some = [i for i, one in enumerate(lanes[k].kinds) if one == kind and held[i] < k]
            if some:
                _above(sheet, place(some[0], some[-1] + 1, k, k), said)


def _above(sheet: Sheet, box: Box, said: Sequence[str]) -> None:
    """What has room of it above a box; a phone has none there."""
    fits = [text for text in said if 15 * ems(text) <= (box[2] - box[0]) * sheet.wide]
    if fits and not sheet.phone:
        sheet.write(box[0], box[1] - 10, fits[0], 15, anchor="middle right")
