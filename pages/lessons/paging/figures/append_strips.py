"""Four ways to append a row, arrival by arrival: what is written, copied along, lying still, and only reserved."""

from engine.work.append_strategies import STRATEGIES, Append, growth
from pages.parts.drawing.cells import large_number
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.row_strips import Segment, legend, sampled, strips
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.amounts import count
from pages.parts.text.format import plural

PANEL = 0.232  # of the width has each of the four ways
GAP = 0.024  # of the width, between two of them
TOP = 56.0  # pixels above a way's strips
BODY = 178.0  # pixels of its strips
# On a phone two ways stand above the other two.
PANEL_ON_PHONE = 0.47
TOP_ON_PHONE = 30.0
BODY_ON_PHONE = 92.0
NUMBERS = 78.0  # pixels of the two numbers beneath
TITLES = {
    "concatenate": ("concatenate", "a new array for each token"),
    "double": ("double when full", "a new array, seldom"),
    "preallocate": ("preallocate", "all room from the start"),
    "pages": ("pages", "one more small array when full"),
}


def append_strips(sheet: Sheet, n_prompt: int, n_tokens: int, n_ctx: int, n_page: int) -> SheetFigure:
    """N tokens arriving at the four caches, the prompt at once and then one by one."""
    colors, phone = sheet.colors, sheet.on_phone()
    panel, body = (PANEL_ON_PHONE, BODY_ON_PHONE) if phone else (PANEL, BODY)
    results = {s: growth(s, n_prompt, n_tokens, n_ctx, n_page) for s in STRATEGIES}
    columns = max(g.reserved for g in results.values())
    arrivals = arrivals_drawn(n_prompt, n_tokens)
    for k, (strategy, result) in enumerate(results.items()):
        x, above = (k % 2 * (1 - panel), k // 2 * (TOP_ON_PHONE + body + NUMBERS + 22)) if phone else (k * (PANEL + GAP), 0.0)
        start = above + (TOP_ON_PHONE if phone else TOP)
        top, (title, subtitle) = start + body, TITLES[strategy]
        sheet.write(x, above + 11, f"<b>{title}</b>", 16, anchor="middle right")
        if not phone:
            sheet.write(x, 33, subtitle, 13, colors.muted, "middle right")
        rows = [segments(arrival(strategy, n_prompt, n_prompt + i, n_ctx, n_page)) for i in arrivals]
        strips(sheet, (x, start, panel, body), rows, columns, "lying")
        large_number(sheet, (x, x + panel), top + 26, count(result.copied), plural(result.copied, "row copied", "rows copied"))
        sheet.write(x, top + 60, f"{count(result.waste)} reserved, unused", 15, colors.muted, "middle right")
    copied = results["concatenate"].copied
    says = f"{count(copied)} {plural(copied, 'row')} copied, or none" if copied else "No row is copied"
    y = top + NUMBERS + 14
    names = {"new": "written", "again": "copied along", "kept": "lies still", "reserved": "reserved, unused"}
    for kinds in (("new", "again"), ("kept", "reserved")) if phone else (tuple(names),):
        legend(sheet, y, {kind: names[kind] for kind in kinds}, look="lying")
        y += 22
    return under_headline(sheet, says).figure(y - 10, min_width=780)


def arrivals_drawn(n_prompt: int, n_tokens: int) -> list[int]:
    """Which arrivals are drawn, 0 being the prompt: all or some, those in which doubling copies in the place of a neighbour."""
    drawn = sampled(n_tokens - n_prompt + 1)
    full, copying = n_prompt, []
    while full < n_tokens:
        copying.append(full + 1 - n_prompt)
        full *= 2
    for at in copying:
        drawn[min(range(len(drawn)), key=lambda k: abs(drawn[k] - at))] = at
    return sorted(set(drawn))


def arrival(strategy: str, n_prompt: int, after: int, n_ctx: int, n_page: int) -> Append:
    """The arrival that brings the cache to `after` rows, from the closed forms of what stood before and what stands then."""
    now = growth(strategy, n_prompt, after, n_ctx, n_page)
    if after == n_prompt:
        return Append(0, after, 0, now.reserved)
    before = growth(strategy, n_prompt, after - 1, n_ctx, n_page)
    return Append(after - 1, after, now.copied - before.copied, now.reserved)


def segments(step: Append) -> list[Segment]:
    """One arrival as a strip: old rows copied or lying still, the new ones, and room that nothing fills yet."""
    old = (0, step.before, "again" if step.copied else "kept")
    return [old, (step.before, step.after, "new"), (step.after, step.reserved, "reserved")]
