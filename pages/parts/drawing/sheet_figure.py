"""A sheet's figure in its two forms: a complete Plotly figure, and the short form that the page sends with every move.

A notebook, a test and Streamlit's own chart read the complete figure, which is put together when the first of them asks for it.
The page never does: it sends numbers as the bytes that they are, each type size and colour once, and of an animation's frames
what differs; browser/short_form.js puts the same figure together from that, which tests/parts/drawing/test_drawing.py holds
against the other. As plain JSON under the websocket's own compression the article's map takes 0.9 ms in place of 0.3, and 40 kB of
the server's memory in place of 5.
"""

import json
import zlib
from base64 import b64encode
from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

FONT = "Source Sans, Source Sans Pro, sans-serif"
MOST_PLAIN = 4096  # bytes of an array that stand in the text; of longer ones it would be ten times as long, and slow to read
Word = tuple[float, float, str, float, str, str]  # x, y, text, type size, colour, anchor


class SheetFigure(go.Figure):
    """A Plotly figure that is not put together before somebody reads it; `sent` is what the page sends of it."""

    def __init__(self, traces: Sequence[dict], words: Sequence[Word], layout: dict, frames: Sequence[dict] = ()):
        self.__dict__["_sheet"] = (traces, words, layout, frames)

    def __getattr__(self, name: str):
        """Asked for what is not there: all of Plotly's own, the first time."""
        if "_whole" in self.__dict__ or "_sheet" not in self.__dict__:
            raise AttributeError(name)
        self.__dict__["_whole"] = True
        traces, words, layout, frames = self._sheet
        # Validation costs eight times what the rest does. A test validates every builder's figures instead.
        super().__init__([*map(_as_plotly, traces), _text_trace(words)], layout, _validate=False)
        self.__dict__["_frame_objs"] = tuple(go.Frame(**frame, _validate=False) for frame in frames)
        return getattr(self, name)

    def __reduce__(self):
        """A copy is a plain Plotly figure."""
        return go.Figure, (self.to_dict(),)

    def to_plotly_json(self) -> dict:
        """The complete figure, as Plotly gives it; as long as nobody has changed it, without making Plotly's objects of it."""
        if "_whole" in self.__dict__:
            return super().to_plotly_json()
        traces, words, layout, frames = self._sheet
        return {"data": [*map(_as_plotly, traces), _text_trace(words)], "layout": layout} | (
            {"frames": list(frames)} if frames else {}
        )

    def sent(self) -> str:
        """What browser/short_form.js makes the figure of: JSON, compressed, in base64."""
        traces, words, layout, frames = self._sheet
        parts = {
            "data": [{name: _packed_attribute(part) for name, part in trace.items()} for trace in traces],
            "words": _columns(words),
            "layout": layout,
            "frames": [_difference(frame, layout["shapes"]) for frame in frames],
        }
        text = json.dumps(parts, default=lambda number: number.tolist())
        if "NaN" in text or "Infinity" in text:  # as numbers JSON does not know them, and a browser reads nothing that has one
            text = json.dumps(json.loads(text, parse_constant=lambda _: None))
        return deflated(text.encode())


def _as_plotly(trace: Mapping) -> dict:
    """A trace as Plotly knows it: lists, and None for NaN."""
    return {name: _listed(part) if isinstance(part, np.ndarray) else part for name, part in trace.items()}


def _listed(numbers: np.ndarray) -> list:
    cells = numbers.astype(object)
    cells[np.isnan(numbers)] = None
    return cells.tolist()


def _text_trace(words: Sequence[Word]) -> dict:
    x, y, text, size, color, anchor = map(list, zip(*words, strict=True)) if words else [[] for _ in range(6)]
    return {
        "type": "scatter", "mode": "text", "x": x, "y": y, "text": text, "textposition": anchor,
        "textfont": {"size": size, "color": color, "family": FONT}, "hoverinfo": "skip", "cliponaxis": False,
    }  # fmt: skip


def _columns(words: Sequence[Word]) -> dict:
    """Words column by column; every text and every combination of size, colour and anchor once."""
    x, y, text, *looks = zip(*words, strict=True) if words else ((),) * 6
    looks = list(zip(*looks, strict=True))
    places = (packed(np.array(column, "<f4")) for column in (x, y))
    return {**dict(zip("xy", places, strict=True)), "text": _each_once(text), "look": _each_once(looks)}


def _each_once(column: Sequence) -> dict:
    """Every different value, and which of them stands where."""
    known = {value: k for k, value in enumerate(dict.fromkeys(column))}
    at = np.array([known[value] for value in column], "<u1" if len(known) < 256 else "<u2")
    return {"values": list(known), "at": packed(at)}


def _packed_attribute(part: object) -> object:
    if isinstance(part, np.ndarray):
        brief = part.astype("<f4")
        return packed(brief if ((brief == part) | (part != part)).all() else part.astype("<f8"))  # NaN is not equal to itself
    return part


def packed(numbers: np.ndarray) -> dict:
    """An array as Plotly writes them: base64 with its type and shape; `deflated` where it is long."""
    body = np.ascontiguousarray(numbers).tobytes()
    spec = {"dtype": numbers.dtype.str[1:], "shape": list(numbers.shape)}
    return spec | ({"bdata": b64encode(body).decode()} if len(body) <= MOST_PLAIN else {"deflated": deflated(body)})


def deflated(body: bytes) -> str:
    """Compressed, in base64."""
    return b64encode(zlib.compress(body, 1)).decode()


def _difference(frame: dict, shapes: list[dict]) -> dict:
    """A frame without the shapes that it begins with as the figure does: `kept` of them."""
    if "shapes" not in frame.get("layout", {}):
        return frame
    own = frame["layout"]["shapes"]
    kept = next((k for k, (a, b) in enumerate(zip(own, shapes, strict=False)) if a is not b), min(len(own), len(shapes)))
    return frame | {"kept": kept, "layout": frame["layout"] | {"shapes": own[kept:]}}
