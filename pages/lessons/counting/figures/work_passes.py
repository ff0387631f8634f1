"""The work of an answer pass by pass: which token's key and value each pass computes, without a cache and with one."""

from typing import NamedTuple

from engine.work.baselines import BASELINES, pass_counts
from pages.parts.drawing.row_strips import Segment, legend, sampled, strips
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import count

TITLES = {
    "recompute": ("without a cache", "every pass runs the whole sequence again"),
    "cache": ("with a KV cache", "a decode step computes its own token’s key and value"),
}
GAP = 0.026  # share of the width between the two runs
TOP, BODY = 76.0, 172.0  # pixels above the strips, and of the strips on a projector
WIDEST = 10**7  # a larger number is wider than its column
COLUMNS = (("K/V rows", "kv_rows"), ("queries", "query_rows"), ("products", "scores"))


class Panel(NamedTuple):
    """Shares of the width of one run: where the passes' numbers end, how wide the rows are, where each count ends, and all."""

    label: float
    grid: float
    ends: tuple[float, float, float]
    right: float


WIDE = Panel(0.036, 0.209, (0.335, 0.405, 0.483), 0.487)
PHONE = Panel(0.09, 0.4, (0.66, 0.81, 1.0), 1.0)


def work_passes(sheet: Sheet, n_prompt: int, n_generated: int) -> SheetFigure:
    """G passes down, N = P + G − 1 tokens across, once a panel; beside each pass its counts, beneath them the sums."""
    phone, high = sheet.on_phone(), TOP + _body(sheet) + 44
    for k, baseline in enumerate(TITLES):
        at = (0.0, k * high) if phone else (k * (WIDE.right + GAP), 0.0)
        _panel(sheet, at, baseline, n_prompt, n_generated)
    y = high * (1 + phone) + 14
    names = (("prefill", "computed in prefill"), ("new", "computed in decode"), ("again", "computed again"), ("kept", "read"))
    if phone:
        for k in (0, 2):
            legend(sheet, y + 11 * k, dict(names[k : k + 2]))
        return sheet.figure(y + 36)
    sheet.write(0, y, "<b>K and V</b>", 13, anchor="middle right")
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


def _panel(sheet: Sheet, at: tuple[float, float], baseline: str, n_prompt: int, n_generated: int) -> None:
    """One run. at: its upper left corner."""
    colors, (title, subtitle), (x, top), lay = sheet.colors, TITLES[baseline], at, PHONE if sheet.phone else WIDE
    n_tokens, body, top = n_prompt + n_generated - 1, _body(sheet), at[1] + TOP
    columns = list(zip(COLUMNS, lay.ends, strict=True))
    sheet.write(x, at[1] + 11, f"<b>{title}</b>", 16, anchor="middle right")
    sheet.write(x, at[1] + 33, subtitle, 13, colors.muted, "middle right")
    if not sheet.phone:
        sheet.write(x + lay.label - 0.006, top - 12, "pass", 13, colors.muted, "middle left")
    sheet.write(x + lay.label, top - 12, "tokens", 13, colors.muted, "middle right")
    drawn = sampled(n_generated)
    strips(sheet, x + lay.label, top, lay.grid, body, [segments(baseline, n_prompt, i) for i in drawn], n_tokens)
    step = body / len(drawn)
    labelled = range(len(drawn)) if step >= 17 else [round(k * (len(drawn) - 1) / 7) for k in range(8)]
    for (name, _), right in columns:
        sheet.write(x + right, top - 12, name, 13, colors.muted, "middle left")
    for row in labelled:
        y = min(max(top + (row + 0.5) * step, top + 8), top + body - 8)
        label = f"{drawn[row] + 1:,}"
        sheet.write(x + lay.label - 0.006, y, label, 13 if len(label) <= 3 else 12, colors.muted, "middle left")
        done = pass_counts(baseline, n_prompt, drawn[row])
        for (_, kind), right in columns:
            sheet.write(x + right, y, count(getattr(done, kind), WIDEST), 14, anchor="middle left")
    total, y = BASELINES[baseline](n_prompt, n_generated), top + body + 19
    sheet.bar(x + lay.label, top + body + 4, x + lay.right, top + body + 5.5, colors.muted)
    sheet.write(x + lay.label, y, f"<b>{n_generated:,} pass{'es' * (n_generated > 1)} in all</b>", 14, anchor="middle right")
    for (_, kind), right in columns:
        text = count(getattr(total, kind), WIDEST)
        sheet.write(x + right, y, f"<b>{text}</b>", 16 if len(text) <= 8 else 12, anchor="middle left")
