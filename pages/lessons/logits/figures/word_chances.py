"""Logits, probabilities, what temperature and filters make of them, and how often each word came in many draws."""

from collections.abc import Sequence

import numpy as np

from engine.experiments.draws import Draws
from pages.parts.drawing.grid import Box
from pages.parts.drawing.sheet import LETTER, Sheet, SheetFigure, bold, ems, rectangle, short
from pages.parts.text.digits import logits_side_by_side
from pages.parts.text.format import number, percent

LEFT, GAP = 0.11, 0.025  # shares of the width: the words, between two columns
ROOM, ROOM_ON_PHONE = 200.0, 110.0  # pixels of all words
LEAST_STRETCH = 2.5  # pixels of a word's stretch that is seen
FIRST = (200, 80)  # draws that are shown one by one, and on a phone
LEFT_ON_PHONE, BETWEEN = 0.24, 30.0  # the words there; pixels between two pairs of columns, which stand beneath each other


def word_chances(
    sheet: Sheet, logits: np.ndarray, plain: np.ndarray, probs: np.ndarray, draws: Draws, words: Sequence[str]
) -> SheetFigure:
    """All (n_vocab,): logits; `plain` their softmax, an outline where it is another number; `probs` after temperature and filters;
    `draws` from `probs`.

    The strip on top is the interval from 0 to 1 divided by `probs`, with the first draw's number marked on it.
    """
    n_draws, same = int(draws.counts.sum()), np.allclose(plain, probs, atol=0.0005)
    _strip(sheet, probs, draws, words)
    columns = (
        ("logit", logits, logits_side_by_side(logits), ""),
        (
            "softmax: its chance" if same else "chance in this draw",
            probs,
            [percent(p) if p else "out" for p in probs],
            f"{probs.sum():.0%}",
            *[plain] * (not same),
        ),
        (f"came in {n_draws:,} draws", draws.counts / n_draws, [f"{c:,}" for c in draws.counts], f"{n_draws:,}"),
    )
    return _figure(sheet, columns, words, 128.0, int(draws.token_ids[0]))


def _figure(sheet: Sheet, columns, words: Sequence[str], top: float, marked: int) -> SheetFigure:
    """All columns side by side, or, on a phone, two of them above the others; logits stand on one scale."""
    logits = [0.0, *(float(x) for name, numbers, *_ in columns if name.startswith("logit") for x in numbers)]
    ends = min(logits), max(logits)
    if not sheet.on_phone():
        return sheet.figure(_columns(sheet, columns, words, top, marked, ROOM, ends), min_width=720)
    for k in (0, 2):
        top = _columns(sheet, columns[k : k + 2], words, top + BETWEEN * (k > 0), marked, ROOM_ON_PHONE, ends)
    return sheet.figure(top)


def _columns(
    sheet: Sheet, columns, words: Sequence[str], top: float, marked: int, room: float, ends: tuple[float, float]
) -> float:
    """Columns of bars with their numbers and sums: (title, numbers, texts, sum) each, and what outlines the bars, if anything does.
    marked: the word pointed at; ends: of the logits' scale. Returns the height."""
    colors, n, left = sheet.colors, len(words), LEFT_ON_PHONE if sheet.phone else LEFT
    row = sheet.row(room, n, 19, 62)
    size = max(13.0 if sheet.phone else 12.0, min(17.0, 0.68 * row))
    width = (1 - left - GAP * (len(columns) - 1)) / len(columns)
    boxes: dict[str, list[Box]] = {colors.hole: [], colors.bar: [], colors.decode: []}
    for c, (title, numbers, texts, total, *outlines) in enumerate(columns):
        x0 = left + c * (width + GAP)
        share = not title.startswith("logit")
        sheet.write(x0, top - 12, f"<b>{title}</b>", 14.5, anchor="middle right")
        low, high = (0.0, 1.0) if share else ends
        room = (
            width - (1.07 * max(map(ems, texts)) * size + 18) / sheet.wide
        )  # the numbers of a column begin where its longest bar ends
        scale = room / max(high - low, 1e-9)
        zero = x0 - low * scale
        for w in range(n):
            y = top + (w + 0.5) * row
            half = min(18.0, 0.34 * row)
            if share:
                boxes[colors.hole].append((x0, y - half, x0 + room, y + half))
            a, b = sorted((zero, zero + float(numbers[w]) * scale))
            if b > a:
                boxes[colors.decode if w == marked else colors.bar].append((a, y - half, b, y + half))
            for outline in outlines:
                end = zero + float(outline[w]) * scale
                sheet.line(rectangle(zero, y - half, end, y + half), colors.ink, 1.5, "dot", layer="above")
            ink = colors.muted if texts[w] == "out" else colors.ink
            sheet.write(x0 + width, y, texts[w], size, ink, "middle left")
        y = top + n * row
        boxes[colors.hole].append((x0, y + 2, x0 + width, y + 3.5))
        if total:
            sheet.write(x0 + width, y + 18, f"sum <b>{total}</b>", 14.5, colors.muted, "middle left")
    for w, word in enumerate(words):
        y = top + (w + 0.5) * row
        name = short(word, (left - 0.012) * sheet.wide, size)
        sheet.write(left - 0.012, y, bold(name, w == marked), size, colors.decode if w == marked else colors.ink, "middle left")
    for fill, some in boxes.items():
        sheet.bars(some, fill)
    return top + n * row + 32


def _strip(sheet: Sheet, probs: np.ndarray, draws: Draws, words: Sequence[str]) -> None:
    """The interval from 0 to 1, a stretch for each word as wide as its chance, and where the first number fell."""
    colors, y0, y1, left = sheet.colors, 34.0, 64.0, LEFT_ON_PHONE if sheet.on_phone() else LEFT
    ends = np.concatenate([[0.0], np.cumsum(probs)]) / probs.sum()
    place = left + (1 - left) * ends
    u, drawn = float(draws.uniform[0]), int(draws.token_ids[0])
    sheet.write(left - 0.012, (y0 + y1) / 2, "one draw", 15, colors.muted, "middle left")
    for w, word in enumerate(words):
        a, b = place[w], place[w + 1]
        if (b - a) * sheet.wide < LEAST_STRETCH:  # too narrow for a stretch: a line
            at = min(a, 1 - LEAST_STRETCH / sheet.wide)
            sheet.bar(at, y0, at + LEAST_STRETCH / sheet.wide, y1, colors.bar)
            continue
        sheet.bar(a, y0, b - 1.5 / sheet.wide, y1, colors.hole)
        if (b - a) * sheet.wide > 4 * LETTER * 15:
            at = (a + b) / 2 + (0.03 if abs(left + (1 - left) * u - (a + b) / 2) < 0.025 else 0)
            name = short(word, (b - a) * sheet.wide - 8, 15)
            sheet.write(at, (y0 + y1) / 2, bold(name, w == drawn), 15, colors.ink)
    x = left + (1 - left) * u
    half = 2 / sheet.wide
    sheet.bar(x - half, y0 - 7, x + half, y1 + 7, colors.accent)
    anchor = "middle right" if u < 0.5 else "middle left"
    said = short(words[drawn], (0.4 if sheet.phone else 0.2) * sheet.wide, 15)
    sheet.write(x, 14, f"<b>{number(u, 3)} → {said}</b>", 15, colors.accent, anchor)
    _first_draws(sheet, draws, left, y1)
    sheet.write(left, 94, "0", 13, colors.muted, "middle right")
    sheet.write(1, 94, "1", 13, colors.muted, "middle left")


def _first_draws(sheet: Sheet, draws: Draws, left: float, top: float) -> None:
    """Beneath the interval a stroke for each of the first draws, where its number fell."""
    n, drawn, paths = FIRST[sheet.phone], int(draws.token_ids[0]), {True: "", False: ""}
    for u, word in zip(draws.uniform[:n].tolist(), draws.token_ids[:n].tolist(), strict=True):
        x = left + (1 - left) * u
        paths[word == drawn] += f"M{x:.4f},{top + 4:.0f}V{top + 20:.0f}"
    for same, path in paths.items():
        if path:
            sheet.line(path, sheet.colors.decode if same else sheet.colors.muted, 1.2)
    sheet.write(left - 0.012, top + 12, f"{min(n, len(draws.uniform))} draws", 13, sheet.colors.muted, "middle left")
