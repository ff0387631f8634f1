"""The request timeline: which tokens each pass computes, which it reads from the cache, and the word that comes out of it.

A column is a pass, a row one token. Prefill is a block of all prompt tokens, decode one cell a column. A word comes out beneath its
pass and goes into the next one, so the decoded cells form a staircase.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from engine.model import ForwardPass
from pages.parts.drawing.cells import Texts, large_number, write_in
from pages.parts.drawing.grid import Grid, Scale
from pages.parts.drawing.palette import faded, ink_on
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, plain, rectangle, short, type_size
from pages.parts.text.format import plural, quantity

LEFT, GAP, WIDEST = 0.125, 0.026, 0.265  # shares of the width: the prompt as typed, between two passes, a pass at most
NARROW = (0.21, 0.018, 0.3)  # the same on a phone
READ, READ_SHARE, PALE = 40, 0.4, 0.22  # pixels of a pass with room for a word; of a colour what is read, and what may be
HEAD, HEIGHT, HEIGHT_ON_PHONE = 48, 248.0, 208.0  # pixels above the first row, and of all rows before zooming
SURE, MOST, NAMES = 16.0, 21.0, 18.0  # type sizes: of words, and of phases
STEP_MS, KEPT = 1100, "kept, only read"
DOES = {1: "prefill computes", 2: "decode computes", 3: "read from the cache:"}
HIDDEN = "\0"  # stands for a word that is not to be seen yet; no token is that, one may be a question mark


def request_timeline(
    sheet: Sheet, passes: Sequence[ForwardPass], words: Sequence[str], places: int = 0, moves: bool = True
) -> SheetFigure:
    """passes: prefill, then one decode step each. words: every token that went in and the last word that came out, or HIDDEN: of
    the words that are to be seen later the first is asked for, and the others are numbered.

    Frame k shows what is there after k passes; the figure itself shows the end. places: to count passes in, where how many there are is
    asked; the words of the answer that is wanted then stand beside the prompt's, and while one of them is not there yet it is open.
    moves: whether it has frames.
    """
    colors, n_pass, narrow = sheet.colors, len(passes), sheet.on_phone()
    n_prompt, n_all = passes[0].n_new, max(n_pass, places)
    n_row = max(n_prompt + n_pass, len(words))
    is_open = n_row > n_prompt + n_pass
    left, gap, widest = NARROW if narrow else (LEFT, GAP, WIDEST)
    high = (HEIGHT_ON_PHONE if narrow else HEIGHT) + 60 * (places > 0)  # nothing is written beneath
    row = sheet.row(high, n_row, 12.0, 52.0 if places else 40.0)
    width = min(widest, (1 - 0.002 - left - gap * n_all) / n_all)
    starts = left + gap + np.arange(n_all) * (width + gap)
    tops = HEAD + np.arange(n_row + 1) * row
    size, bottom = _type(words, 0.62 * row, sheet.wide * min(width, left)), float(tops[-1])
    spans = np.stack([starts, starts + width], axis=1)
    _cells(sheet, kinds_of_cells(passes), words, Grid(spans[:n_pass].ravel(), tops[: n_prompt + n_pass + 1]), size)
    _prompt(sheet, words if places else words[:n_prompt], n_prompt, tops, size, left)
    _phases(sheet, starts[:n_pass], width, None if places else bottom)
    for k in range(n_pass):
        said = str(k + 1) if places and narrow else words[n_prompt + k]  # its row is named
        _comes_out(sheet, (float(starts[k]), float(tops[n_prompt + k]), width, row), said, k, size)
        if k + 1 < n_pass and not narrow:
            sheet.write(starts[k] + width + gap / 2, tops[n_prompt + k] + row / 2 - 1, "→", 19, colors.ink)
    if places and (is_open or not narrow):
        x = float(starts[-2]) + 14 * (is_open and not narrow) / sheet.wide
        large = type_size(KEPT, (1 - x) * sheet.wide, min(18.0, max(13.0, 0.6 * row)), strong=False)
        sheet.write(x, float(tops[0] + tops[1]) / 2, KEPT, large, anchor="middle right")
    if is_open:
        _places(sheet, starts[n_pass:], width, tops, n_prompt)
    elif places > n_pass > 1:
        across, middle = (float(starts[n_pass]), 1.0), float(tops[n_prompt] + tops[-1]) / 2
        counted = plural(n_pass - 1, "decode step" if (1 - across[0]) * sheet.wide > 90 else "step")
        large_number(sheet, across, middle, str(n_pass - 1), counted, colors.decode, beneath=True)
    beside = not narrow and not places and n_all >= 4 and (row >= 16 or (n_all - 2) * row >= 60)  # the stairs leave room
    if beside:
        first = float(tops[n_prompt + 1] + row / 2) if row >= 16 else float(tops[n_prompt + 2] + 9)
        _legend(sheet, n_pass, [first + k * max(row, 18.0) for k in range(3)], 0.0)
    elif narrow and not is_open:  # else what is there is named beside it
        _legend(sheet, n_pass, [bottom + (18 if places else 52) + 22 * k for k in range(3)], 0.0)
    elif not places:
        _legend(sheet, n_pass, [bottom + 50] * 3, left + gap)
    hidden_from = [float(x) - gap * (k > 0) for k, x in enumerate(starts[:n_pass])]  # with the arrow, not the legend's end
    covers = [[_cover(x - 0.003, bottom + 38, colors.surface)] for x in hidden_from] + [[]]
    frames = [{"name": _frame_name(k, n_prompt), "layout": {"shapes": [*sheet.shapes, *cover]}} for k, cover in enumerate(covers)]
    below, least = (38, 700) if beside else (74 if places else 108, 0) if narrow else (6 if places else 62, 700)
    return sheet.figure(bottom + below, min_width=least, frames=frames if moves else (), step_ms=STEP_MS, start=n_pass)


def _type(words: Sequence[str], high: float, wide: float) -> float:
    """The size of words in cells: as large as they are high, beyond SURE where the longest has room for that."""
    longest = max((_word_or_number(word, len(words)) for word in words), key=ems)
    return max(12.0, min(high, type_size(longest, wide - 16, MOST, SURE)))


def kinds_of_cells(passes: Sequence[ForwardPass]) -> np.ndarray:
    """What each pass does with each token: 1 computed in prefill, 2 computed in decode, 3 read from the cache, NaN not there.

    (n_prompt + n_pass, n_pass): the last row is that of the last word, which is never fed back.
    """
    kinds = np.full((passes[0].n_new + len(passes), len(passes)), np.nan)
    for k, p in enumerate(passes):
        kinds[: p.n_past, k] = 3
        kinds[p.n_past : p.n_past + p.n_new, k] = 1 if k == 0 else 2
    return kinds


def _comes_out(sheet: Sheet, place: tuple[float, float, float, float], word: str, k: int, size: float) -> None:
    """The word that pass k chooses, beneath it; place: its left and upper edge, width and height. Of hidden ones the first is what
    is asked for."""
    colors, (x0, y0, width, row) = sheet.colors, place
    asked = word == HIDDEN and not k
    room, named = width * sheet.wide - (6 if sheet.phone else 30), _word_or_number(word, k)
    size = type_size(named, room, size, 12.0) if sheet.phone else size  # whole where it can be
    out = "?" if asked else short(named, room, size)
    sheet.frame(x0, y0 + 1.5, x0 + width, y0 + row - 1.5, colors.accent, 2)
    sheet.write(x0 + width / 2, y0 + row / 2, f"<b>{out}</b>", max(size, min(26.0, 0.8 * row)) if asked else size, colors.accent)
    sheet.path(_triangle_down(x0 + width / 2, y0 - 1, min(7.0, row / 3), sheet.wide), colors.ink)
    sheet.shapes[-1]["layer"] = "above"


def _word_or_number(word: str, k: int) -> str:
    return f"token {k + 1}" if word == HIDDEN else word


def _places(sheet: Sheet, starts, width: float, tops, n_prompt: int) -> None:
    """While it is open how many passes there are: the prompt's rows in each that may be, pale, and beneath them an open place."""
    colors, x0, x1, top, end = sheet.colors, float(starts[0]), float(starts[-1]) + width, float(tops[n_prompt]), float(tops[-1])
    rows = pairwise(tops[: n_prompt + 1].tolist())
    sheet.bars([(x, y + 1, x + width, z - 1) for y, z in rows for x in starts.tolist()], faded(colors, colors.cached, PALE))
    downs = "".join(f"M{x:.5f},{top:.2f}V{end:.2f}" for x in ((starts[1:] + starts[:-1] + width) / 2).tolist())
    sheet.line(downs + "".join(f"M{x0:.5f},{y:.2f}H{x1:.5f}" for y in tops[n_prompt + 1 : -1]), colors.hole, 1.5)
    sheet.line(rectangle(x0, top + 1, x1, end), colors.decode, 2, "dash")
    size, x, y = min(96.0, 0.8 * (end - top)), (x0 + x1) / 2, (top + end) / 2
    sheet.frame(x0, 0, x1, 27, colors.decode, 1.5)
    sheet.write(x, 13.5, "<b>decode</b>", 18, colors.decode)
    sheet.bar(x - 0.36 * size / sheet.wide, y - 0.46 * size, x + 0.36 * size / sheet.wide, y + 0.46 * size, colors.surface)
    sheet.write(x, y, "<b>?</b>", size, colors.decode)


def _cells(sheet: Sheet, kinds: np.ndarray, words: Sequence[str], grid: Grid, size: float) -> None:
    """The grid in colour, with the word in each cell; between two passes a column is empty."""
    n_row, n_pass = kinds.shape
    wide = np.full((n_row, 2 * n_pass - 1), np.nan)
    wide[:, ::2] = kinds
    hover = [[f"{DOES[x]} “{plain(word)}”" if x in DOES else "" for x in row] for row, word in zip(wide, words, strict=False)]
    scale = Scale((sheet.colors.prefill, sheet.colors.decode, faded(sheet.colors, sheet.colors.cached, READ_SHARE)), 1, 3)
    pixels = grid.wide * sheet.wide
    n_prompt = n_row - n_pass
    names = [_word_or_number(word, k - n_prompt) for k, word in enumerate(words[:n_row])]
    if sheet.phone:  # the rows of the prompt are named beside them, and no word is cut
        cut = ["" if i < n_prompt or ems(name) * size > pixels - 6 else plain(name) for i, name in enumerate(names)]
    else:
        cut = [short(name, pixels - 8, size) if pixels >= READ else "" for name in names]
    inks = scale.inks(wide)
    sheet.heatmap(grid, wide, scale, hover)
    for strong, some, its_size in ((True, wide < 3, size), (False, wide == 3, max(0.88 * size, 13.0))):
        said = np.full(wide.shape, "", object)
        for i, j in np.argwhere(some):
            said[i, j] = bold(cut[i], strong) if cut[i] else ""
        write_in(sheet, grid, Texts(said, its_size), inks)


def _prompt(sheet: Sheet, named, n_prompt: int, tops, size, left: float) -> None:
    """What was typed, at the left, and the key that sends it; or the words of the answer that is wanted."""
    colors, row = sheet.colors, float(tops[1] - tops[0])
    title, large = ("prompt", 14.5) if sheet.phone else ("your prompt", 17.0)
    sheet.write(0, HEAD - 34, bold(title), large, anchor="middle right")
    for i, word in enumerate(named):
        text = short(word, left * sheet.wide - 8, max(size, 10))
        sheet.write(0.012, tops[i] + row / 2, text, size, colors.ink if i < n_prompt else colors.accent, "middle right")
    sheet.bar(0, tops[0] + 2, 0.004, tops[n_prompt] - 2, colors.prefill)
    if len(named) > n_prompt:
        sheet.bar(0, tops[n_prompt] + 2, 0.004, tops[len(named)] - 2, colors.decode)
    else:
        sheet.write(0.0, tops[n_prompt] + min(max(row, 20), 26) / 2, "Enter ↵", 13.5, colors.muted, "middle right")


def _phases(sheet: Sheet, starts, width, bottom: float | None) -> None:
    """The two phases above their passes in their colours, and what their time is called beneath, at the `bottom`."""
    colors, n_pass = sheet.colors, len(starts)
    spans = [(starts[0], starts[0] + width, colors.prefill, "prefill", "all at once", "time to first token")]
    if n_pass > 1:
        spans.append(
            (starts[1], starts[-1] + width, colors.decode, "decode", "one token a pass", "time per output token, for each pass")
        )
    for x0, x1, color, name, says, time in spans:
        ink = ink_on(color)
        pixels = (x1 - x0) * sheet.wide
        long = f"<b>{name}</b>: {says}"
        sheet.bar(x0, 0, x1, 27, color)
        large = 15.0 if sheet.phone else min(NAMES, max(15.0, (pixels - 8) / (LETTER * (len(long) - 7))))
        if len(name) * LETTER * large < pixels:
            sheet.write((x0 + x1) / 2, 13.5, long if (len(long) - 7) * LETTER * large < pixels else f"<b>{name}</b>", large, ink)
        else:  # of prefill on a phone; at its left, beneath the prompt's name, there is room
            sheet.write(x0 - 5 / sheet.wide, HEAD - 12, f"<b>{name}</b>", 13, color, "middle left")
        if bottom is None:
            continue
        sheet.path(_bracket(x0, x1, bottom + 8), color)
        if name == "prefill" and len(time) * LETTER * 13 >= pixels:  # there is room at its left, beneath the prompt
            sheet.write(x1, bottom + 25, time, 13, colors.muted, "middle left")
        else:
            time = time if len(time) * LETTER * 13 < pixels else "time per token"
            small = 13.0 if sheet.phone else min(16.0, max(13.0, (pixels - 8) / (LETTER * len(time))))
            sheet.write((x0 + x1) / 2, bottom + 25, time, small, colors.muted)
    for k, x in enumerate(starts):
        small = 13 if sheet.phone else 15
        sheet.write(x + width / 2, HEAD - 10, f"pass {k + 1}" if width * sheet.wide >= READ else str(k + 1), small, colors.muted)


def _legend(sheet: Sheet, n_pass: int, lines: Sequence[float], x: float) -> None:
    """What the colours mean, from x on: beneath each other, or side by side where the lines are the same."""
    colors, start = sheet.colors, x
    computed = (colors.prefill, colors.decode) if n_pass > 1 else (colors.prefill,)
    goes_on = "comes out; all but the last go back in" if n_pass > 1 else "comes out"
    entries = [(computed, "computed in this pass"), ((None,), goes_on)]
    if n_pass > 1:
        entries.insert(1, ((faded(colors, colors.cached, READ_SHARE),), "kept from earlier passes, only read"))
    for (swatches, text), y in zip(entries, lines, strict=False):
        x = start if lines[0] != lines[-1] else x
        for color in swatches:
            if color:
                sheet.bar(x, y - 7, x + 16 / sheet.wide, y + 7, color)
            else:
                sheet.frame(x + 1 / sheet.wide, y - 7, x + 16 / sheet.wide, y + 7, colors.accent, 2)
            x += 20 / sheet.wide
        sheet.write(x + 2 / sheet.wide, y, text, 13.5, colors.ink, "middle right")
        x += (len(text) * LETTER * 13.5 + 26) / sheet.wide


def _frame_name(k: int, n_prompt: int) -> str:
    if k == 0:
        return "before Enter"
    if k == 1:
        return f"pass 1: prefill, {quantity(n_prompt, 'token')} together"
    return f"pass {k}: decode, 1 token"


def _triangle_down(x: float, y: float, high: float, wide: float) -> str:
    """A small triangle that points down, from a pass to what comes out of it."""
    half = high / wide
    return f"M{x - half:.5f},{y - high / 2:.2f}L{x + half:.5f},{y - high / 2:.2f}L{x:.5f},{y + high / 2:.2f}Z"


def _bracket(x0: float, x1: float, y: float) -> str:
    """A line of time with ends that turn up."""
    ends = rectangle(x0, y - 5, x0 + 0.002, y + 2) + rectangle(x1 - 0.002, y - 5, x1, y + 2)
    return rectangle(x0, y, x1, y + 2) + ends


def _cover(x: float, bottom: float, color: str) -> dict:
    """What hides the passes to come."""
    return {
        "type": "rect", "x0": round(x + 0.001, 5), "y0": -2, "x1": 1.002, "y1": round(bottom, 2), "layer": "above",
        "fillcolor": color, "line": {"width": 0},
    }  # fmt: skip
