"""Which controls a link leaves free. A teacher's link may name a few (controls=values,rules); all others then stand still.

Every control says its name where it is drawn, so the page knows what there is to choose from. A locked control is shown and does
not move: what it says still belongs to the figure. It is an agreement with a class, not a safe: the link can be edited.
"""

import re
from collections import defaultdict
from dataclasses import dataclass, field

from pages.parts.visit import location, scenario
from pages.parts.visit.session import of_this_visit

NAME = "controls"  # of the parameter, which visit/class_link.py declares
MOST = 30  # names that a link may leave free
NOTHING = "none"
VALUES = "values"
RULES = "rules"
SHARPNESS = "sharpness"
PRESETS = "presets"
EDITOR = "editor"
TOY = {
    VALUES: "Values of the tokens",
    RULES: "What the heads look at",
    SHARPNESS: "Score of a match",
    PRESETS: "Presets and reset",
    EDITOR: "The editor in the side bar",
}


@dataclass
class Controls:
    """drawn: of each lesson, name -> label of every control that this visit has met."""

    drawn: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))


controls = of_this_visit(Controls)


def free() -> frozenset[str] | None:
    """The names of the controls that the link leaves free; None where it locks nothing."""
    names = [name for name in scenario.extra(NAME).split(",") if re.fullmatch("[a-z_]{1,20}", name)][:MOST]
    return frozenset(names) if names else None


def locked(name: str) -> bool:
    """Whether the control of that name stands still."""
    names = free()
    return names is not None and name not in names


def control(name: str, label: str = "", **kwargs) -> dict:
    """The keyword arguments of a control's widget: as given, and disabled where the link locks it. Called where it is drawn.

    label: of a control that is none of the toy's.
    """
    drawn().setdefault(name, label or TOY.get(name, name))
    return {**kwargs, "disabled": bool(kwargs.get("disabled")) or locked(name)}


def drawn() -> dict[str, str]:
    """Name -> label of every control that this lesson has drawn in this visit."""
    return controls().drawn[location.now().lesson]
