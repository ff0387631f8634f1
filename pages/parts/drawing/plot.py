"""Draws a figure in place and says which of its cells is selected.

Streamlit's own chart element is taken out and put back at every change: the picture blinks, hover is lost, and cells of a heatmap
cannot be selected. This component calls Plotly.react instead. Where its scripts cannot be loaded (a host that runs the
application as an ordinary script), it says so once and the lesson falls back to st.plotly_chart.
"""

from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st

from pages.parts.drawing.legible import ACROSS
from pages.parts.drawing.scripts import ADDRESS, PLOTLY_ADDRESS
from pages.parts.drawing.sheet import Sheet
from pages.parts.drawing.sheet_figure import SheetFigure
from pages.parts.visit.components import WHEN_DRAWN, said_by
from pages.parts.visit.display import SLIDE_ZOOM, dark, narrow, paper_form, presenting, spare
from pages.parts.visit.session import of_this_visit

MOST_CELLS = 100_000  # in a row or column of any figure
LARGE = 120  # pixels beyond a projector's height from which a screen is a large one
LARGER = 1.15  # times as large a figure's type is on a large screen, at a step that says how high its figure is
ANSWER = 28  # of a screen's pixels that figures leave: an answer may be a line longer than what was asked, and the way on stays in sight
PRINTED = 1.3  # times as large as read on a sheet: 13 pixels are 7.5 points there, and grow to 8 where there is room
# Relative to the page, because hosts serve the application under a prefix.
_LOADER = f"""{WHEN_DRAWN}
export default async (component) => {{
  const failed = (error) => whenDrawn({{}}, () => component.setStateValue("failed", String(error.message)));
  let script;
  try {{
    script = await import(new URL(component.data.script, document.baseURI).href);
  }} catch (error) {{
    return failed(error);
  }}
  return script.show({{ ...component, failed }});
}};
"""
_COMPONENT = st.components.v2.component(
    "figure", html='<div class="tbt-figure" role="group" data-grows></div>', js=_LOADER, isolate_styles=False
)


@dataclass
class Browser:
    """failed: whether the visitor's browser could not load what draws figures."""

    failed: bool = False


browser = of_this_visit(Browser)


def as_cell(message: object) -> tuple[int, int, int] | None:
    """The (trace, row, column) that a browser sent; None for whatever else it may have sent.

    >>> as_cell([0, 3, 1]), as_cell([0, 3, True]), as_cell("031"), as_cell([0.0, 3, 1])
    ((0, 3, 1), None, None, None)
    """
    good = isinstance(message, list) and len(message) == 3 and all(type(n) is int and 0 <= n < MOST_CELLS for n in message)
    return tuple(message) if good else None


def sheet(zoom: float = 1.0, *, slide_zoom: float | None = None, high: float = 0.0, slide_high: float = 0.0) -> Sheet:
    """A sheet for this visitor's theme and screen. zoom: of all that is on it; slide_zoom: in its place on a slide, times SLIDE_ZOOM.

    high: pixels that the step has for the figure at 1280 × 720; slide_high: on a slide; on a higher screen it has more.
    """
    if paper_form():
        printed = Sheet(zoom=PRINTED * zoom)
        printed.paper, printed.wide = True, ACROSS / printed.zoom
        return printed
    if narrow():
        return Sheet(dark(), zoom, phone=True)
    if not presenting():
        room = max(0, spare() - ANSWER)
        if not high:
            return Sheet(dark(), zoom, room / zoom)
        larger = LARGER if spare() >= LARGE else 1.0
        left = room - (larger - 1) * high  # what is laid out for more rows than a projector shows is enlarged as well
        return Sheet(dark(), zoom * larger, left / (zoom * larger), high=high + room)
    zoom = SLIDE_ZOOM * (zoom if slide_zoom is None else slide_zoom)
    large = Sheet(dark(), zoom, spare() / zoom, high=slide_high + spare() if slide_high else 0.0)
    large.presented = True
    return large


def plot(
    figure: SheetFigure,
    alt: str,
    key: str,
    on_select: Callable[[int, int, int], None] | None = None,
    on_press: Callable[[int], None] | None = None,
) -> None:
    """Show `figure`. alt: what it shows now, in words. on_select is called with (trace, row, column) of a selected cell, on_press
    with the number of a part that was pressed as an answer (answers.py)."""
    if browser().failed:
        config = {"displayModeBar": False, "staticPlot": True}
        st.plotly_chart(figure, theme=None, config=config, alt=alt, key=f"{key}_chart")
        return

    def selected() -> None:
        cell = as_cell(said_by(key, "cell"))
        if on_select and cell:
            on_select(*cell)

    def pressed() -> None:
        part = said_by(key, "answer")
        if on_press and type(part) is int and 0 <= part < MOST_CELLS:
            on_press(part)

    def failed() -> None:
        browser().failed = True

    _COMPONENT(
        key=key,
        # As text: of a dictionary in it Streamlit would import pandas to see whether it is a table.
        data={"figure": figure.sent(), "alt": alt, "source": f".{PLOTLY_ADDRESS}", "script": f".{ADDRESS}/plot.js"},
        on_cell_change=selected,
        on_answer_change=pressed,
        on_failed_change=failed,
    )
