"""Draws a figure in place and returns the cell that was selected in it.

Streamlit's own chart element is taken out and put back at every change: the picture blinks, hover is lost, and cells of a heatmap
cannot be selected. This component calls Plotly.react instead. Where the plotly script cannot be loaded (a host that runs the
application as an ordinary script), it says so once and the lesson falls back to st.plotly_chart.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import plotly.graph_objects as go
import streamlit as st

_HTML = """
<div class="tbt-figure" role="group">
  <div class="tbt-plot" aria-hidden="true"></div>
  <div class="tbt-reel" hidden>
    <button type="button">Play</button>
    <input type="range" min="0" value="0" step="1" aria-label="Frame of the animation">
    <output></output>
  </div>
  <p class="tbt-status" role="status"></p>
</div>
"""
_CSS = """
/* A shadow at an edge says that a figure goes on there: it stays in place, and what covers it moves with the figure's end. */
.tbt-figure {
  --shade: color-mix(in srgb, var(--st-text-color) 35%, transparent);
  overflow-x: auto; overflow-y: hidden;
  background:
    linear-gradient(to left, var(--st-background-color) 40%, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--st-background-color) 40%, transparent) left / 3rem 100% no-repeat local,
    linear-gradient(to left, var(--shade), transparent) right / 0.9rem 100% no-repeat scroll,
    linear-gradient(to right, var(--shade), transparent) left / 0.9rem 100% no-repeat scroll;
}
.tbt-figure:focus-visible { outline: 2px solid var(--st-primary-color); outline-offset: 2px; border-radius: 6px; }
.tbt-plot { width: 100%; }
.tbt-reel { display: flex; gap: 0.75rem; align-items: center; padding-block: 0.35rem; position: sticky; left: 0; }
.tbt-reel[hidden] { display: none; }
.tbt-reel button {
  font: inherit; min-width: 5rem; padding: 0.3rem 0.9rem; border-radius: 6px; cursor: pointer;
  border: 1px solid var(--st-border-color); background: var(--st-primary-color); color: var(--st-background-color);
}
.tbt-reel input { flex: 1; max-width: 24rem; accent-color: var(--st-primary-color); }
.tbt-reel output { color: var(--st-text-color); }
.tbt-status { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); }
"""
MOST_CELLS = 100_000  # in a row or column of any figure
_SOURCE = f"./plotly-{version('plotly')}.min.js"
_COMPONENT = st.components.v2.component(
    "figure", html=_HTML, css=_CSS, js=Path(__file__).with_name("plot.js").read_text(), isolate_styles=False
)


def as_json(figure: go.Figure) -> str:
    """What figure.to_json() writes, without the three copies that it makes on the way: a third of a rerun's time."""
    parts = {"data": figure._data, "layout": figure._layout, "frames": [frame.to_plotly_json() for frame in figure.frames]}
    try:
        return json.dumps(parts, allow_nan=False, default=lambda array: array.tolist())
    except ValueError:
        return figure.to_json()  # writes NaN as null


def as_cell(told: object) -> tuple[int, int, int] | None:
    """The (trace, row, column) that a browser sent; None for whatever else it may have sent.

    >>> as_cell([0, 3, 1]), as_cell([0, 3, True]), as_cell("031"), as_cell([0.0, 3, 1])
    ((0, 3, 1), None, None, None)
    """
    good = isinstance(told, list) and len(told) == 3 and all(type(n) is int and 0 <= n < MOST_CELLS for n in told)
    return tuple(told) if good else None


def plot(figure: go.Figure, alt: str, key: str, on_select: Callable[[int, int, int], None] | None = None) -> None:
    """Show `figure`. alt: what it shows now, in words. on_select is called with (trace, row, column) of a selected cell."""
    if st.session_state.get("plotly_failed"):
        config = {"displayModeBar": False, "staticPlot": True}
        st.plotly_chart(figure, theme=None, config=config, alt=alt, key=f"{key}_chart")
        return

    def selected() -> None:
        cell = as_cell(st.session_state[key].get("cell"))
        if on_select and cell:
            on_select(*cell)

    def failed() -> None:
        st.session_state["plotly_failed"] = True

    _COMPONENT(
        key=key,
        data={"figure": as_json(figure), "alt": alt, "source": _SOURCE},
        on_cell_change=selected,
        on_failed_change=failed,
    )
