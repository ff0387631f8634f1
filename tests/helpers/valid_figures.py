"""Figures as Plotly would read them: what is of a kind that was validated before in this process is not validated again.

Plotly takes 15 ms for a figure of some hundred shapes, which differ in nothing but numbers and words.
"""

from collections.abc import Iterable, Mapping

import plotly.graph_objects as go

ARRAYS = ("x", "y", "z", "customdata", "text", "hovertext")  # Plotly takes any numbers or texts in them, whatever they are
LISTS = ("shapes", "annotations")  # of a layout
WORDS = ("name", "text", "hovertemplate", "hovertext", "path")  # and any words in these
NO_DIGITS = str.maketrans("", "", "0123456789.")
HEX = str.maketrans(dict.fromkeys("0123456789abcdefABCDEF", "0"))  # of a colour only how long it is
_known = set()


class Part(dict):
    """A part of a figure whose attributes are read as Plotly's are: None where there is none."""

    def __getattr__(self, name: str):
        return _part(self.get(name))


def _part(value):
    return Part(value) if isinstance(value, dict) else [_part(one) for one in value] if _is_parts(value) else value


def _is_parts(value) -> bool:
    return isinstance(value, list | tuple) and bool(value) and isinstance(value[0], dict)


def _kind(value, name=""):
    """What two parts have in common of which Plotly takes both or neither."""
    if name == "meta":  # Plotly takes anything there
        return name
    if isinstance(value, Mapping):
        return tuple((key, _kind(part, key)) for key, part in value.items())
    if isinstance(value, list | tuple):
        if name in ARRAYS and value and not isinstance(value[0], list | tuple | dict):
            return "array", frozenset(map(type, value))
        return "list", name == "range" and len(value), frozenset(_kind(part, name) for part in value)
    if isinstance(value, str):
        return str if name in WORDS else value.translate(HEX if value.startswith("#") else NO_DIGITS)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return type(value), value < 0, value == 0, value <= 1, value != value
    return ("array", value.dtype.kind) if hasattr(value, "dtype") else value


def _unknown(parts: Iterable[Mapping], where: str) -> dict[tuple, Mapping]:
    """Those of whose kind none was validated, one of each kind, by their kinds, which `_known` takes up when they are; as they are now:
    Plotly takes the type of a trace out and puts it back in as the last of its attributes."""
    each = {id(part): part for part in parts}.values()  # frames have most of their shapes from one another
    return {kind: part for part in each if (kind := (where, _kind(part))) not in _known}


def valid(figure: Mapping) -> Part:
    """The figure as Plotly's JSON, which is read as go.Figure(figure) is; ValueError where Plotly would draw something else."""
    assert set(figure) <= {"data", "layout", "frames"}
    frames = figure.get("frames", ())
    layouts = [state["layout"] for state in (figure, *frames) if "layout" in state]
    new = {
        "data": _unknown([trace for state in (figure, *frames) for trace in state.get("data", ())], "data"),
        "layout": _unknown([{name: part for name, part in one.items() if name not in LISTS} for one in layouts], "layout"),
        "frames": _unknown(
            [{name: frame[name] for name in frame if name not in ("data", "layout")} for frame in frames], "frames"
        ),
        **{name: _unknown([part for layout in layouts for part in layout.get(name, ())], name) for name in LISTS},
    }
    if any(new.values()):
        parts = {name: list(found.values()) for name, found in new.items()}
        go.Figure(parts["data"], {name: parts[name] for name in LISTS}, parts["frames"])
        for layout in parts["layout"]:
            go.Figure(layout=layout)
        _known.update(*new.values())
    return Part(figure)
