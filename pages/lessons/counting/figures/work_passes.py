"""The work of an answer pass by pass: which token's key and value each pass computes, without a cache and with one."""

from __future__ import annotations

from engine.work.baselines import BASELINES, pass_counts
from pages.parts.drawing.row_strips import Segment, legend, sampled, strips
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import count

TITLES = {
    "recompute": ("without a cache", "every pass runs the whole sequence again"),
    "cache": ("with a KV cache", "a decode step computes its own token’s key and value"),
}
PANEL, GAP, LABEL, GRID = 0.487, 0.026, 0.036, 0.209  # shares of the width
TOP, BODY = 76.0, 198.0  # pixels above the strips, and of the strips on a projector
WIDEST = 10**7  # a larger number is wider than its column
COLUMNS = (("K/V rows", 0.335, "kv_rows"), ("queries", 0.405, "query_rows"), ("products", 0.483, "scores"))


def work_passes(sheet: Sheet, n_prompt: int, n_generated: int, answered: bool = True) -> SheetFigure:
    """G passes down, N = P + G − 1 tokens across, once a panel; beside each pass its counts, beneath them the sums.

    answered: whether the passes with a cache are shown.
    """
    for x, baseline in zip((0.0, PANEL + GAP), TITLES, strict=True):
        _panel(sheet, x, baseline, n_prompt, n_generated, answered or baseline == "recompute")
    y = TOP + _body(sheet) + 58
    sheet.write(0, y, "<b>K and V</b>", 13, anchor="middle right")
    names = ("prefill", "computed in prefill"), ("new", "computed in decode"), ("again", "computed again"), ("kept", "read")
    legend(sheet, y, dict(names), x=0.07)
    return sheet.figure(y + 12, min_width=780)


def _body(sheet: Sheet) -> float:
    """Pixels of the strips."""
    return BODY + 0.9 * sheet.spare


def segments(baseline: str, n_prompt: int, step: int) -> list[Segment]:
    """What pass `step` does with the row of every token so far."""
    last = n_prompt + step - 1
    if step == 0:
        return [(0, n_prompt, "prefill")]
    return [(0, last, "kept" if baseline == "cache" else "again"), (last, last + 1, "new")]


def _panel(sheet: Sheet, x: float, baseline: str, n_prompt: int, n_generated: int, shown: bool) -> None:
    colors, (title, subtitle) = sheet.colors, TITLES[baseline]
    n_tokens, body = n_prompt + n_generated - 1, _body(sheet)
    sheet.write(x, 11, f"<b>{title}</b>", 16, anchor="middle right")
    sheet.write(x, 33, subtitle, 13, colors.muted, "middle right")
    if not shown:
        sheet.bar(x + LABEL, TOP, x + LABEL + GRID, TOP + body, colors.hole)
        sheet.write(x + LABEL + GRID / 2, TOP + body / 2, "?", 28)
        return
    sheet.write(x + LABEL - 0.006, TOP - 12, "pass", 13, colors.muted, "middle left")
    sheet.write(x + LABEL, TOP - 12, "tokens", 13, colors.muted, "middle right")
    drawn = sampled(n_generated)
    strips(sheet, x + LABEL, TOP, GRID, body, [segments(baseline, n_prompt, i) for i in drawn], n_tokens)
    step = body / len(drawn)
    labelled = range(len(drawn)) if step >= 17 else [round(k * (len(drawn) - 1) / 7) for k in range(8)]
    for name, right, _ in COLUMNS:
        sheet.write(x + right, TOP - 12, name, 13, colors.muted, "middle left")
    for row in labelled:
        y = min(max(TOP + (row + 0.5) * step, TOP + 8), TOP + body - 8)
        label = f"{drawn[row] + 1:,}"
        sheet.write(x + LABEL - 0.006, y, label, 13 if len(label) <= 3 else 12, colors.muted, "middle left")
        done = pass_counts(baseline, n_prompt, drawn[row])
        for _, right, kind in COLUMNS:
            sheet.write(x + right, y, count(getattr(done, kind), WIDEST), 14, anchor="middle left")
    total, y = BASELINES[baseline](n_prompt, n_generated), TOP + body + 19
    sheet.bar(x + LABEL, TOP + body + 4, x + PANEL, TOP + body + 5.5, colors.muted)
    sheet.write(x + LABEL, y, f"<b>{n_generated:,} pass{'es' * (n_generated > 1)} in all</b>", 14, anchor="middle right")
    for _, right, kind in COLUMNS:
        text = count(getattr(total, kind), WIDEST)
        sheet.write(x + right, y, f"<b>{text}</b>", 16 if len(text) <= 8 else 12, anchor="middle left")
