"""How a statement before the court is written down, and the kinds of lines that its evidence is made of."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from engine.claims import Finding
from pages.parts.text.digits import gap_text, logits_side_by_side
from pages.parts.text.format import number


@dataclass(frozen=True)
class Exhibit:
    """One line of evidence. name: in words; text: the number as written; size: its bar's, None for no bar; decides: drawn strong;
    steps: whether it counts decode steps, which come after a prefill that is there in any case."""

    name: str
    text: str
    size: float | None = None
    decides: bool = False
    steps: bool = False


@dataclass(frozen=True)
class Claim:
    """short: for a list; statement; experiment: what is run to decide it; lesson: where one can touch it.

    why: one to three sentences once it is decided (Markdown); lines: the evidence, one Exhibit each.
    """

    short: str
    statement: str
    experiment: str
    lesson: str
    why: Callable[[Finding], str]
    lines: Callable[[Finding], list[Exhibit]]


def counted(name: str, n: float, decides: bool = False) -> Exhibit:
    return Exhibit(name, number(n), float(n), decides)


def decode_steps(name: str, n: int, decides: bool = False) -> Exhibit:
    return Exhibit(name, number(n), float(n), decides, True)


def factor(name: str, by: float, decides: bool = False) -> Exhibit:
    return Exhibit(name, f"×{by:.3f}", by, decides)


def gap(name: str, apart_by: float, decides: bool = False) -> Exhibit:
    return Exhibit(name, gap_text(apart_by), apart_by, decides)


def logit_bars(f: Finding, name: str, logits) -> list[Exhibit]:
    best, words = max(logits), f.scenario.words
    said = logits_side_by_side(np.array(logits), 3)
    return [Exhibit(f"{name} of “{w}”", text, x, x == best) for w, x, text in list(zip(words, logits, said, strict=True))[:4]]


def head(f: Finding) -> str:
    return f"head {f['head'] + 1}"
