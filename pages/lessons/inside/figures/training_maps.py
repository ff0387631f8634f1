"""One head at several moments of its training, on a list that is said twice: the induction head appears."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pages.parts.drawing.answers import NOT_ASKED, Asked, answer_part
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.sheet import WIDTH, Sheet, SheetFigure, plain, short
from pages.parts.text.format import percent


@dataclass(frozen=True)
class Moment:
    """name and step of a checkpoint, the head's weights (n, n) on the list, its induction score, the chance of the word due."""

    name: str
    step: int
    weights: np.ndarray
    score: float
    chance: float


def training_maps(
    sheet: Sheet, moments: Sequence[Moment], words: Sequence[str], due: str, now: int, asked: Asked = NOT_ASKED, says: str = ""
) -> SheetFigure:
    """A map for each moment, side by side; beneath it score and chance as bars. now: the moment that the page shows.

    asked: from which moment on the word due is said; the chances wait until that is known. says: from which.
    """
    colors, n, phone = sheet.colors, len(words), sheet.on_phone()
    left, space, across = (0.16, 0.03, 2) if phone else (0.062, 0.02, len(moments))
    share = (1 - left - space * (across - 1)) / across
    map_h, line_h, high = (110.0, 32.0, 228.0) if phone else (150.0, 40.0, 0.0)
    future = ~np.tri(n, dtype=bool)
    for m, moment in enumerate(moments):
        x0, above = left + m % across * (share + space), m // across * high
        top = above + (42.0 if phone else 46.0)
        x, y = x0 + np.arange(n + 1) * share / n, top + np.arange(n + 1) * map_h / n
        sheet.bar(x0, top, x0 + share, y[-1], colors.hole)
        name = f"<b>{plain(moment.name)}</b>, step {moment.step:,}"
        sheet.write(x0, above + 12, name, 15, colors.ink, "middle right")
        cut = [short(word, 120, 13) for word in words]
        hover = [[f"“{cut[i]}” → “{cut[j]}”: {moment.weights[i, j]:.3f}" for j in range(n)] for i in range(n)]
        sheet.heatmap(Grid(x, y), np.where(future, np.nan, moment.weights), Scale(colors.weights), hover)
        if m == now:
            sheet.frame(x0, top, x0 + share, y[-1], colors.muted, 1.5)
        if asked.names:
            yours = (x0, top - 10, "middle right") if phone else (x0 + share, 12, "middle left")
            answer_part(sheet, asked, m, (x0, top, x0 + share, y[-1]), yours)
        size, down = (13, max(1, round(14 * n / map_h + 0.4))) if phone else (12.5, 1)
        for i in range(0, n if m % across == 0 else 0, down):
            word = short(words[i], (left - 0.01) * sheet.wide, size)
            sheet.write(left - 0.007, (y[i] + y[i + 1]) / 2, word, size, colors.muted, "middle left")
        every = max(1, -(-n * 46 // int(share * sheet.wide)))
        for j in range(0, 0 if phone else n, every):
            sheet.write((x[j] + x[j + 1]) / 2, top - 9, short(words[j], share * WIDTH * every / n, 12), 12, colors.muted)
        chance = (0.0, colors.accent, "?") if not asked.known else (moment.chance, colors.accent, percent(moment.chance))
        for k, (label, value, color, text) in enumerate((
            ("induction score", moment.score, colors.bar, f"{moment.score:.2f}"),
            (f"chance of “{short(due, 70, 13.5)}”", *chance),
        )):  # fmt: skip
            line = y[-1] + (14 if phone else 20) + line_h * k
            sheet.write(x0, line, label, 13.5, anchor="middle right")
            sheet.write(x0 + share, line, f"<b>{text}</b>", 16, anchor="middle left")
            sheet.share_bar((x0, line + 10, x0 + share, line + (16 if phone else 20)), float(value), color)
    if phone:
        return under_headline(sheet, says).figure(-(-len(moments) // across) * high - 10)
    return under_headline(sheet, says).figure(46.0 + map_h + 20 + 44 + 26, min_width=640)
