"""Figures as the page receives them, put together again in Python: what browser/short_form.js does, for tests to read."""

import json
import zlib
from base64 import b64decode

import numpy as np


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
    whole = {"data": [*map(_trace, short["data"]), text], "layout": layout}
    frames = [_frame(frame, layout["shapes"]) for frame in short["frames"]]
    return whole | ({"frames": frames} if frames else {})


def _trace(trace: dict) -> dict:
    return {name: _listed(_array(part)) if _is_array(part) else part for name, part in trace.items()}


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
