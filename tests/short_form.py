"""Figures as the page receives them, put together again in Python: what browser/short_form.js does, for tests to read."""

import json
import zlib
from base64 import b64decode

import numpy as np

from pages.parts.drawing.hover import Columns, Hover, Rows, Value


def short(sent: str) -> dict:
    """The short form that a page has sent, still short; ValueError where it is not JSON, which knows no NaN."""

    def refused(constant: str):
        raise ValueError(f"expected JSON, got {constant}")

    return json.loads(zlib.decompress(b64decode(sent)), parse_constant=refused)


def unfolded(sent: str) -> dict:
    """The complete Plotly figure, as JSON would hold it."""
    return whole(short(sent))


def whole(short: dict) -> dict:
    """The short form put together."""
    layout, words = short["layout"], short["words"]
    looks, texts = ([column["values"][k] for k in _array(column["at"])] for column in (words["look"], words["text"]))
    size, color, anchor = zip(*looks, strict=True) if looks else ((), (), ())
    text = {
        "type": "scatter", "mode": "text", "x": _array(words["x"]).tolist(), "y": _array(words["y"]).tolist(),
        "text": texts, "textposition": list(anchor), "hoverinfo": "skip", "cliponaxis": False,
        "textfont": {"size": list(size), "color": list(color), "family": layout["font"]["family"]},
    }  # fmt: skip
    whole = {"data": [*(_trace(trace, short["names"]) for trace in short["data"]), text], "layout": layout}
    frames = [_frame(frame, layout["shapes"]) for frame in short["frames"]]
    return whole | ({"frames": frames} if frames else {})


def _trace(trace: dict, names: list) -> dict:
    whole = {name: _listed(_array(part)) if _is_array(part) else part for name, part in trace.items()}
    if hover := whole.pop("hover", None):
        whole["customdata"] = Hover(_piece(piece, names) for piece in hover).sentences(_array(trace["z"]))
    return whole


def _piece(piece, names):
    if isinstance(piece, str):
        return piece
    if "digits" not in piece:
        return Rows(names[piece["rows"]]) if "rows" in piece else Columns(names[piece["columns"]])
    named = piece["named"] and {int(k): text for k, text in piece["named"].items()}
    return Value(piece["digits"], named, piece["hidden"] and _array(piece["hidden"]), piece["instead"])


def _frame(frame: dict, shapes: list) -> dict:
    own, kept = frame.get("layout", {}), frame.get("kept")
    if kept is None:
        return frame
    return {k: v for k, v in frame.items() if k != "kept"} | {"layout": own | {"shapes": [*shapes[:kept], *own["shapes"]]}}


def _is_array(part) -> bool:
    return isinstance(part, dict) and "dtype" in part


def _array(spec: dict) -> np.ndarray:
    body = b64decode(spec["bdata"]) if "bdata" in spec else zlib.decompress(b64decode(spec["deflated"]))
    return np.frombuffer(body, f"<{spec['dtype']}").reshape(spec["shape"])


def _listed(numbers: np.ndarray) -> list:
    return np.where(np.isnan(numbers), None, numbers.astype(object)).tolist()
