"""The machine with a word at the parts of it that it is about: the columns of the chosen word in their colours, the others
pale; beneath them, or in the way back from the next word, the chosen word where it is no column's own name."""

from collections.abc import Sequence
from itertools import product

from pages.parts.drawing.headline import headline
from pages.parts.drawing.palette import Palette, faded
from pages.parts.drawing.sheet import EDGE, Sheet, SheetFigure, bold, bold_ems, ems, plain, rectangle

COLUMNS = {  # of each where it lies, in shares of the width
    "tokens": (0.0, 0.1), "query": (0.135, 0.195), "key": (0.24, 0.31), "value": (0.32, 0.365), "scores": (0.42, 0.53),
    "mask": (0.55, 0.66), "weights": (0.68, 0.79), "contexts": (0.835, 0.885), "next word": (0.915, 0.998),
}  # fmt: skip
SQUARES = ("scores", "mask", "weights")
ROWS = 4
TALL = 15.0  # pixels of a row, at least
MOST_TALL = 40.0  # pixels of a row, at most
TALL_ON_PHONE = 22.0  # pixels of a row
TALL_OF_ALL = 22.0  # pixels of a row where there are sources beneath, and no words
WAY, APART = 56.0, (0.0235, 0.0293)  # pixels from the machine to the sources of its parts; between two lists, read and presented
LOOP = ("tokens", "next word")
TOP = 26.0  # pixels above the rows
LOW = 46.0  # pixels from the rows down to the way back
SIZE = 15.0  # type size of words
# Names that stand so much higher on a phone: all of them find room
UPPER, LEVEL = ("query", "value", "weights", "next word"), 18.0
PALE = 0.22  # of its colour is left of a column that the chosen word is not about


def source_places(sheet: Sheet, topics: Sequence[Sequence[str]]) -> SheetFigure:
    """The machine, and for each topic a way that widens from its columns to its sources: they stand side by side beneath the figure,
    each list as wide as the others, in this order."""
    colors, top, n = sheet.colors, TOP + 14, len(topics)
    bottom = top + ROWS * TALL_OF_ALL
    turn, apart = bottom + WAY, EDGE * APART[sheet.presented]
    wide = (EDGE - (n - 1) * apart) / n
    for k, some in enumerate(topics):  # one that joins both ends of the machine stands at the first
        left, right = COLUMNS[some[0]][0], COLUMNS[some[0] if some == LOOP else some[-1]][1]
        first = k * (wide + apart)
        way = f"M{left:.4f},{bottom + 6:.1f}L{right:.4f},{bottom + 6:.1f}L{first + wide:.4f},{turn:.1f}L{first:.4f},{turn:.1f}Z"
        sheet.path(way, colors.hole)
    for name, across in COLUMNS.items():
        _column(sheet, name, across, bottom, True, top)
    start, end, half = COLUMNS["next word"][1] - 0.004, COLUMNS["tokens"][0] + 0.006, 5 / sheet.wide
    sheet.line(f"M{start:.4f},{top - 24:.1f}V5H{end:.4f}V{top - 30:.1f}", colors.decode, 1.8, "dash")
    sheet.path(f"M{end - half:.5f},{top - 31:.1f}L{end + half:.5f},{top - 31:.1f}L{end:.5f},{top - 24:.1f}Z", colors.decode)
    return sheet.figure(turn)


def word_places(sheet: Sheet, lit: Sequence[str], chosen: str) -> SheetFigure:
    """lit: the columns that the chosen word is about. The other words of its subject are said beneath the figure, which is as high
    whichever is chosen."""
    phone = sheet.on_phone()
    top = headline(sheet, chosen) + TOP + LEVEL * phone
    bottom = top + ROWS * (TALL_ON_PHONE if phone else sheet.row(ROWS * TALL, ROWS, TALL, MOST_TALL))
    for name, across in COLUMNS.items():
        _column(sheet, name, across, bottom, name in lit, top)
    unnamed = lit and chosen not in {name.removesuffix("s") for name in COLUMNS}
    looped = tuple(lit) == LOOP
    if unnamed and not looped:
        _beneath(sheet, lit, chosen, bottom)
    _loop(sheet, (bottom, bottom + LOW), bold(plain(chosen), True) if unnamed and looped else "")
    return sheet.figure(bottom + LOW + 12)


def _fill(colors: Palette, name: str) -> str:
    own = {
        "weights": colors.weights[2],
        "query": colors.query,
        "key": colors.key,
        "value": colors.value,
        "next word": colors.decode,
    }
    return own.get(name, colors.value if name == "contexts" else colors.muted)


def _column(sheet: Sheet, name: str, across: tuple[float, float], bottom: float, lit: bool, top: float = TOP) -> None:
    """A column's rows, a square cut into cells, of the next word one box at the last row; its name above."""
    (left, right), colors, tall = across, sheet.colors, (bottom - top) / ROWS
    fill = _fill(colors, name) if lit else faded(colors, _fill(colors, name), PALE)
    gap = 1.0 / sheet.wide
    if name in SQUARES:
        cell = (right - left) / ROWS
        for i, j in product(range(ROWS), repeat=2):
            seen = name == "scores" or j <= i
            box = left + j * cell + gap, top + i * tall + 1, left + (j + 1) * cell - gap, top + (i + 1) * tall - 1
            if name == "scores":
                fill = faded(colors, colors.scores[-1] if (i + j) % 3 else colors.scores[0], 1.0 if lit else PALE)
            sheet.bar(*box, fill if seen else colors.hole)
    else:
        for i in range(ROWS - 1 if name == "next word" else 0, ROWS):
            sheet.bar(left, top + i * tall + 1, right, top + (i + 1) * tall - 1, fill)
    ink, said = colors.ink if lit else colors.muted, bold(name, lit)
    if not sheet.phone:
        sheet.write(left, top - 14, said, SIZE, ink, "middle right")
        return
    half, middle = 13 * bold_ems(name) / 2 / sheet.wide, (left + right) / 2
    y = top - 12 - LEVEL * (name in UPPER)
    if name in UPPER:
        sheet.line(f"M{middle:.4f},{y + 9:.1f}V{top - 1:.1f}", colors.muted, 1)
    sheet.write(min(max(middle, half), 1 - half), y, said, 13, ink)


def _beneath(sheet: Sheet, columns: Sequence[str], word: str, bottom: float) -> None:
    """A bracket beneath the columns of a word, and the word beneath it."""
    left, right = COLUMNS[columns[0]][0], COLUMNS[columns[-1]][1]
    y, half = bottom + 7, SIZE * bold_ems(word) / 2 / sheet.wide
    sheet.line(f"M{left:.4f},{y - 4:.1f}V{y:.1f}H{right:.4f}V{y - 4:.1f}", sheet.colors.muted, 1.5)
    sheet.write(min(max((left + right) / 2, half), 1 - half), y + 14, bold(plain(word), True), SIZE)


def _loop(sheet: Sheet, down: tuple[float, float], said: str) -> None:
    """The way of the next word back to the tokens, with the words that are about both. down: where it begins and its lowest line."""
    colors, (bottom, low) = sheet.colors, down
    start, end, half = sum(COLUMNS["next word"]) / 2, sum(COLUMNS["tokens"]) / 2, 5 / sheet.wide
    way = f"M{start:.4f},{bottom + 2:.1f}V{low:.1f}H{end:.4f}V{bottom + 10:.1f}"
    sheet.line(way, colors.decode, 1.8, "dash")
    sheet.path(
        f"M{end - half:.5f},{bottom + 11:.2f}L{end + half:.5f},{bottom + 11:.2f}L{end:.5f},{bottom + 3:.2f}Z", colors.decode
    )
    if said:
        wide = 0.52 * SIZE * ems(said.replace("<b>", "").replace("</b>", "")) / sheet.wide + 8 / sheet.wide
        sheet.path(rectangle(0.5 - wide, low - 10, 0.5 + wide, low + 10), colors.surface)
        sheet.write(0.5, low, said, SIZE)
