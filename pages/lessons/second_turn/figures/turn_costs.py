"""The bill of a chat: its tokens across, the price of each upwards, so that the area is what is paid, before what is paid where nothing is
kept. Beneath, in the same manner, what decides it: tokens that are stored once and then read, each time before their fresh price."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from engine.caches.chat_turns import Turn, cost, reads_to_pay
from pages.parts.drawing.answers import NOT_ASKED, YOURS, Asked, outline
from pages.parts.drawing.grid import Box
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.row_strips import cache_rows
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, bold_ems, ems, plain, type_size
from pages.parts.text.amounts import amount, money
from pages.parts.text.digits import told_apart
from pages.parts.text.format import percent

WAYS = {"kept": "beginning kept", "changed first": "something changed first"}
LEFT = 0.235  # of the width have the names
TALL = 90.0  # pixels of the highest price
ABOVE = 14.0  # pixels above it
BENEATH = 56.0  # pixels under the last row
NAMED, TALL_ON_PHONE = 34.0, 58.0  # pixels of a name above its row, where there is no room beside it
# Type size of what a way comes to; how much of the brown is left in what is paid where nothing is kept
LARGEST, PALE = 34.0, 0.22
READINGS, NOT_FOR_LONG = ("stored", "read once", "read twice", "read 3 times"), "at once, not for long"


def part_or_times(paid: float, whole: float) -> tuple[str, str]:
    """(what is paid beside the whole bill, the word that leads from it to the bill): a share of it, or how many times as much.

    >>> part_or_times(1, 4), part_or_times(50, 4), part_or_times(50, 4.5)
    (('25.0%', 'of '), ('12.5 ×', ''), ('11.1 ×', ''))
    """
    ratio = paid / whole
    return (f"{amount(ratio)} ×", "") if ratio >= 10 else (percent(ratio), "of ")


class _Field:
    """Rows in which a price is a height. prices: read, written, fresh."""

    def __init__(self, sheet: Sheet, prices: tuple[float, float, float]):
        self.sheet, self.prices = sheet, dict(zip(("read", "written", "fresh"), prices, strict=True))
        self.left, self.above, self.tall = (0.0, NAMED, TALL_ON_PHONE) if sheet.on_phone() else (LEFT, ABOVE, TALL)
        self.scale, self.small = self.tall / (max(prices) or 1.0), 13.0 if sheet.phone else 17.0
        self.again = faded(sheet.colors, sheet.colors.wasted, PALE)
        self.dashed = False  # whether a line lies at the fresh price, which is drawn where something says what it is

    def foot(self, k: int) -> float:
        """Where the k-th row stands."""
        return (k + 1) * (self.above + self.tall)

    def name(self, k: int, number: str, title: str) -> None:
        """What a row comes to, large, and what it is."""
        sheet, top, room = self.sheet, self.foot(k) - self.tall, (0.5 if self.sheet.phone else LEFT - 0.015) * self.sheet.wide
        number_at, title_at, right, size = (-18, -17, 1.0, 26.0) if sheet.phone else (0.34 * TALL, 0.7 * TALL, 0.0, LARGEST)
        sheet.write(0, top + number_at, bold(number), type_size(number, room, size), anchor="middle right")
        sheet.write(right, top + title_at, title, 16 - sheet.phone, anchor="middle left" if right else "middle right")

    def paid(self, x0: float, x1: float, foot: float, parts: Mapping[str, int]) -> None:
        """Tokens from x0 to x1, each as high as its price, in front of what they cost fresh. parts: how many of each kind."""
        sheet, colors, left = self.sheet, self.sheet.colors, x0
        level, n = foot - self.scale * self.prices["fresh"], sum(parts.values())
        sheet.bar(x0, level, x1, foot, self.again)
        for part, tokens in parts.items():
            right, top = left + (x1 - x0) * tokens / max(n, 1), foot - self.scale * self.prices[part]
            color = colors.ink
            if part == "read" and tokens:
                cache_rows(sheet, {"kept": [(left, min(top, foot - 1), right, foot)]}, "lying")
            elif part == "written" and tokens:
                sheet.bar(left, top, right, foot, colors.prefill)
                color = ink_on(colors.prefill) if top < level - 3 else color
            if right > left:
                if self.dashed:
                    sheet.line(f"M{left:.5f},{level:.1f}L{right:.5f},{level:.1f}", color, 1.5, "dash", layer="above")
                self._says((left, top, right, foot), level, part)
            left = right

    def _says(self, box: Box, level: float, part: str) -> None:
        """A part's name and price, in it or, where it is low, above it, as much as has room."""
        (left, top, right, foot), colors, size = box, self.sheet.colors, self.small
        price, room = money(self.prices[part]), (right - left) * self.sheet.wide - 6
        text = next((t for t in (f"{part} {price}", part, price) if 1.05 * size * ems(t) <= room), "")
        if part == "written" and foot - top >= 1.3 * size:
            under = foot - level >= 1.4 * size and level > top - 1  # the line of the fresh price is not written over
            y, color = ((max(level, top) if under else top) + foot) / 2, ink_on(colors.prefill)
            y = y if under or level <= top else (top + level) / 2
        elif part == "read" and foot - top >= 2.6 * size:
            y, color = top + (foot - top) / 4, ink_on(colors.key)
        elif top - level >= 1.3 * size:
            y, color = top - 0.75 * size, ink_on(self.again)
        else:
            y, color = min(top, level) - 0.75 * size, colors.ink
        if text and part != "fresh" and y - 0.6 * size >= foot - self.tall:
            self.sheet.write((left + right) / 2, y, text, size, color)

    def says_fresh(self, x0: float, x1: float, foot: float, part: str, whole: str = "") -> bool:
        """Where there is room between x0 and x1, where tokens of one part are, what the dashed line is, beneath it, or above. whole: and
        what that comes to."""
        sheet, size, price = self.sheet, self.small, f"fresh {money(self.prices['fresh'])}"
        level, top = (foot - self.scale * self.prices[name] for name in ("fresh", part))
        room = (x1 - x0) * sheet.wide - 16
        text = next((t for t in (whole + price, price) if 1.05 * size * ems(t) <= room), "")
        y, color = self._beside_fresh(level, top, foot, part)
        if not text or y - 0.6 * size < foot - self.tall - (0 if sheet.phone else ABOVE):
            return False
        sheet.write(x1 - 8 / sheet.wide, y, text, size, color, "middle left")
        return True

    def _beside_fresh(self, level: float, top: float, foot: float, part: str) -> tuple[float, str]:
        """How far down what the dashed line is may stand, and in which colour: in what lies between it and a lower part, in what is
        written, or above both."""
        size, colors = self.small, self.sheet.colors
        if top - level >= (2.6 if part == "read" else 1.05) * size:
            return level + min(0.8 * size, (top - level) / 2), ink_on(self.again)
        if part == "written" and level >= top and max(level - top, foot - level) >= 1.4 * size:
            return level + (0.8 if foot - level >= 1.4 * size else -0.8) * size, ink_on(colors.prefill)
        there = part == "read" and top - level < 1.3 * size and foot - top < 2.6 * size  # its name stands above the line already
        return min(level, top) - (2.0 if there else 0.8) * size, colors.ink


def turn_costs(
    sheet: Sheet,
    turns: Mapping[str, Sequence[Turn]],
    prices: tuple[float, float, float],
    asked: Asked = NOT_ASKED,
    says: str = "",
) -> SheetFigure:
    """turns: of each way. prices: read, written, fresh, for a million tokens. asked: after how many readings storing has paid, once that is
    answered. says: what the ways come to."""
    field, whole = _Field(sheet, prices), cost(turns["nothing kept"], *prices)
    field.dashed = _says_what_is_dashed(field, turns, whole)
    for k, (way, title) in enumerate(WAYS.items()):
        paid = cost(turns[way], *prices)
        field.name(k, part_or_times(paid, whole)[0] if whole else money(paid), title)
        parts = {part: sum(getattr(turn, part) for turn in turns[way]) for part in ("written", "read", "fresh")}
        field.paid(field.left, 1.0, field.foot(k), parts)
    _when_it_pays(field, asked)
    return under_headline(sheet, says).figure(field.foot(2) + BENEATH, min_width=700)


def _says_what_is_dashed(field: _Field, turns: Mapping[str, Sequence[Turn]], whole: float) -> bool:
    """What the line at the fresh price is, in the first row that has room: over what is read, at the right of the name of what is written,
    over what is read once more. Whether one has."""
    wide, all_told = 1 - field.left, "nothing kept: 100%, " if whole else "nothing kept: "
    n = sum(turn.n_input for turn in turns["kept"])
    begins, ends = (field.left + wide * sum(turn.written for turn in turns[way]) / max(1, n) for way in WAYS)
    name = 0.6 * field.small * ems(f"written {money(field.prices['written'])}") / field.sheet.wide
    return (
        field.says_fresh(begins, 1.0, field.foot(0), "read", all_told)
        or field.says_fresh((field.left + ends) / 2 + name, ends, field.foot(1), "written", all_told)
        or field.says_fresh(field.left + 0.75 * wide, 1.0, field.foot(2), "read")
    )


def _when_it_pays(field: _Field, asked: Asked) -> None:
    """Tokens stored, then read again and again; once it is answered, what that has cost up to each time beside their fresh price, and
    where it has paid for the first time."""
    sheet, foot, size = field.sheet, field.foot(2), field.small
    read, write, fresh = prices = [Fraction(str(price)) for price in field.prices.values()]
    often = (0, 1, 2, max(3, reads_to_pay(*prices) or 0) if asked.names else 3)
    field.name(2, (asked.right if len(asked.right) < 20 else NOT_FOR_LONG) or "?", "storing has paid")
    width, aside = (1 - field.left) / len(often), 5 / sheet.wide
    for k, n in enumerate(often):
        x0, x1 = field.left + k * width, field.left + (k + 1) * width
        field.paid(x0 + aside * (k > 0), x1 - aside * (k < 3), foot, {"read" if n else "written": 1})
        name, middle = READINGS[k] if n < 4 else f"read {n:,} times", (x0 + x1) / 2
        sheet.write(middle, foot + 12, name.removeprefix("read ") if sheet.phone else name, size, sheet.colors.muted)
        if asked.names:
            sums = _compared(write + n * read, (n + 1) * fresh)
            sums = sums if size * bold_ems(sums) <= width * sheet.wide else sums.split(" ")[1]
            sheet.write(middle, foot + 32, bold(plain(sums)), size)
            yours, box = (middle, foot + 49, "middle center"), (x0, foot - field.tall - 3, x1, foot + 42)
            right = asked.right.startswith(asked.names[k])  # at once, though not for long, is where "at once" is wrong
            guessed = asked.guess == (asked.right if right else asked.names[k])
            outline(sheet, box, right, guessed, yours, "yours" if sheet.phone else YOURS)


def _compared(stored: Fraction, anew: Fraction) -> str:
    """Two sums of money, and which is the larger.

    >>> _compared(Fraction("1.35"), Fraction(2)), _compared(Fraction("1.0001"), Fraction(1))
    ('1.35 < 2', '1.0001 > 1')
    """
    pair = money(float(stored)), money(float(anew))
    if pair[0] == pair[1] and stored != anew:
        pair = told_apart(float(stored), float(anew))
    return f"{pair[0]} {'<' if stored < anew else '>' if stored > anew else '='} {pair[1]}"
