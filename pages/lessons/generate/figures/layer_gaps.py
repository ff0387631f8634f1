"""Without the mask: layer by layer how far what a cache holds is from what recomputing gives, and what that does to the logits."""

from collections.abc import Sequence

from pages.parts.drawing.answers import NOT_ASKED, Asked, part
from pages.parts.drawing.sheet import Sheet, SheetFigure
from pages.parts.text.digits import gap_text
from pages.parts.text.format import percent

LEFT, RIGHT, LOGITS = 0.155, 0.86, 64.0  # edges of the bars; pixels of the two rows of logits
ROOM = 210.0  # pixels of all layers
WHOLE = 1e-9  # of a difference that is drawn as none


def layer_gaps(
    sheet: Sheet, gaps: Sequence[float], real: float, logits: tuple[float, float], asked: Asked = NOT_ASKED
) -> SheetFigure:
    """gaps: of each layer's keys and values, against the largest of them; what is above `real` is no rounding. logits: the same of the
    next words' logits, with the mask and without. asked: the layers as answers, whose bars wait until the answer may be shown."""
    phone, colors = sheet.on_phone(), sheet.colors
    left, right = (0.24, 0.8) if phone else (LEFT, RIGHT)
    most = max([*gaps, *logits, WHOLE])
    tall = min(74.0, ROOM / len(gaps))
    sheet.write(0, 12, "<b>keys and values</b> in the cache, off by", 15, anchor="middle right")
    top = 30.0
    for i, gap in enumerate(gaps):
        y0, y1 = top + i * tall, top + (i + 1) * tall - min(8.0, tall * 0.2)
        if tall >= 17 or i % max(1, round(17 / tall)) == 0:
            sheet.write(0, (y0 + y1) / 2, f"layer {i + 1}", 16 if tall >= 24 else 13, anchor="middle right")
        sheet.bar(left, y0, right, y1, colors.hole)
        if asked.known and gap > real:
            sheet.bar(left, y0, left + (right - left) * float(gap) / most, y1, colors.wasted)
        if tall >= 17:
            said = "?" if not asked.known else percent(float(gap)) if gap > real else "0" if not gap else "rounding"
            size = min(28.0 if gap > real or not asked.known else 20.0, 0.8 * tall)
            sheet.write(1, (y0 + y1) / 2, f"<b>{said}</b>", size, anchor="middle left")
        if asked.names:
            part(sheet, asked, i, (0.0, y0, 1.0, y1), (left + 0.012, (y0 + y1) / 2, "middle right"))
    _logits(sheet, (left, right), top + len(gaps) * tall + 12, logits, most)
    return sheet.figure(top + len(gaps) * tall + 12 + 30 + LOGITS)


def _logits(sheet: Sheet, edges: tuple[float, float], top: float, logits: tuple[float, float], most: float) -> None:
    """What comes out at the end, with the mask and without: known from the beginning."""
    (left, right), colors = edges, sheet.colors
    sheet.bar(0, top - 4, 1, top - 3, colors.hole)
    sheet.write(0, top + 12, "<b>logits</b> of the next words, off by", 15, anchor="middle right")
    for k, (name, gap) in enumerate(zip(("mask on", "mask off"), logits, strict=True)):
        y0 = top + 28 + k * LOGITS / 2
        y1 = y0 + LOGITS / 2 - 7
        sheet.write(0, (y0 + y1) / 2, name, 16, anchor="middle right")
        sheet.share_bar((left, y0, right, y1), gap / most if gap > most * 1e-3 else 0.0, colors.wasted if k else colors.bar)
        said = percent(gap) if gap > 1e-3 else gap_text(gap) if gap else "0"
        sheet.write(1, (y0 + y1) / 2, f"<b>{said}</b>", 20 if k else 16, anchor="middle left")
