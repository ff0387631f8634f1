"""One prompt, three runs that each go on from their own words: what each pass computes, and the sentence that comes of it."""

from collections.abc import Sequence
from typing import NamedTuple

from pages.parts.drawing.answers import Asked, answer_part
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.palette import faded
from pages.parts.drawing.row_strips import cache_rows, legend
from pages.parts.drawing.sheet import Sheet, SheetFigure, bold, rectangle, short

LEFT, RIGHT = 0.19, 0.998  # shares of the width: where the names of the runs end, and the passes
ROOM = 376.0  # pixels of the figure on a projector
NAME = 24.0  # pixels of a run's name on a phone
WORD = 34.0  # pixels of a word
GAP = 12.0  # pixels between two runs
FOOT = 24.0  # pixels of what the colours mean
FILLED = 0.72  # of a column is taken by its rows
SIZE, SIZE_ON_PHONE = 21.0, 14.0  # of the words
KINDS = {"prefill": "prefill", "new": "new row", "read": "only read", "again": "computed again"}


class Run(NamedTuple):
    """computed: rows of each pass. words: what comes out of each, "?" where that is asked. wrong: of each, whether it is. goes_false:
    whether a key is true in its own pass alone, from the prompt's last token on."""

    name: str
    n_prompt: int
    computed: Sequence[int]
    words: Sequence[str]
    wrong: Sequence[bool]
    goes_false: bool = False


def three_runs(sheet: Sheet, runs: Sequence[Run], asked: Asked, false_key: str = "") -> SheetFigure:
    """runs: beneath each other, over as many passes each. asked: the last one's passes can be pressed. false_key: which keys are
    marked, those that have gone false."""
    phone, n = sheet.on_phone(), len(runs[0].words)
    left, head = (0.0, NAME) if phone else (LEFT, 0.0)
    body = max(30.0, (ROOM + 0.9 * sheet.spare - FOOT) / len(runs) - WORD - GAP - head)
    wide, y = (RIGHT - left) / n, 0.0
    for run in runs:
        y += head
        _rows(sheet, run, (left, wide), (y, body))
        _words(sheet, run, (left, wide), y + body + WORD / 2)
        _name(sheet, run, y, body, left)
        y += body + WORD + GAP
    top = y - body - WORD - GAP
    for k in range(len(asked.names)):
        answer_part(sheet, asked, k, (left + k * wide + 0.002, top - 2, left + (k + 1) * wide - 0.002, y - GAP))
    x, foot = left, y + 18  # beneath what a guess says of itself
    for k, kinds in enumerate((("prefill", "new"), ("read", "again")) if phone else (tuple(KINDS),)):
        foot += 20 * k
        x = left
        for kind in kinds:
            x = legend(sheet, foot, {kind: KINDS[kind]}, x, "full" if kind == "again" else "upright")
    if false_key:
        x, foot = (left, foot + 20) if phone else (x, foot)
        legend(sheet, foot, {"read": short(false_key, (1 - x) * sheet.wide - 24, 13)}, x)
        sheet.line(rectangle(x, foot - 8, x + 16 / sheet.wide, foot + 8), sheet.colors.ink, 2, layer="above")
    return sheet.figure(foot + FOOT - 6)


def _rows(sheet: Sheet, run: Run, across: tuple[float, float], down: tuple[float, float]) -> None:
    """The rows of every pass, standing on one line: what it computes, and what it only reads."""
    (left, wide), (top, body) = across, down
    tall = body / (run.n_prompt + len(run.computed) - 1)
    boxes: dict[str, list] = {}
    for j, computed in enumerate(run.computed):
        x, n = left + (j + (1 - FILLED) / 2) * wide, run.n_prompt + j
        for i in range(n):
            kind = "prefill" if j == 0 else "new" if i == n - 1 else "read" if i < n - computed else "again"
            y = top + body - (n - i) * tall
            box = (x, y + 0.5, x + FILLED * wide, y + tall - 0.5)
            boxes.setdefault(kind, []).append(box)
            if run.goes_false and run.n_prompt - 1 <= i < n - 1:
                sheet.line(rectangle(*box), sheet.colors.ink, 2, layer="above")
    cache_rows(sheet, {kind: boxes[kind] for kind in boxes if kind != "again"})
    cache_rows(sheet, {"again": boxes.get("again", [])}, "full")


def _words(sheet: Sheet, run: Run, across: tuple[float, float], y: float) -> None:
    """The words as a sentence, those that are wrong on a ground of their own."""
    (left, wide), colors, size = across, sheet.colors, SIZE_ON_PHONE if sheet.phone else SIZE
    for j, (word, wrong) in enumerate(zip(run.words, run.wrong, strict=True)):
        if wrong:
            ground = (left + j * wide + 0.002, y - 15, left + (j + 1) * wide - 0.002, y + 15)
            sheet.bar(*ground, faded(colors, colors.decode, 0.2))
        text = bold(short(word, wide * sheet.wide - 6, size))
        sheet.write(left + (j + 0.5) * wide, y, text, size, colors.decode)


def _name(sheet: Sheet, run: Run, top: float, body: float, left: float) -> None:
    """Which run it is, and how many rows it computes in all."""
    rows = sum(run.computed)
    if sheet.phone:
        sheet.write(0, top - 11, f"{bold(run.name)}: {rows:,} rows computed", 14, anchor="middle right")
        return
    sheet.write(0, top + body + WORD / 2, bold(run.name), 16, anchor="middle right")
    large_number(sheet, (0.0, left - 0.012), top + body - 18, f"{rows:,}", "rows computed")
