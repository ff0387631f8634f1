"""Numbers and words as Markdown: what people typed is shown letter by letter, never read as markup."""

from __future__ import annotations

import re
from math import isinf, isnan

import numpy as np

from engine.toy.rules import Rule
from engine.toy.scenario import Scenario

EMPTY_ROW_NAMES = {
    "none": "weights 0, context “none”",
    "soft": "softmax over what is visible",
    "nan": "−∞ without a guard: NaN",
    "fill": "−10⁹ without a guard: leaks",
    "softmax1": "softmax with 1 in the denominator",
}


JOINER = "\u2060"  # has no width and breaks no line
# Addresses (http://x, www.x, a@b.c), :streamlit: and arrows (->) become links, pictures and signs in text that has already been
# read as Markdown, where no backslash helps. A joiner inside the pattern leaves it the same to the eye.
_PATTERNS = re.compile(r"(?<=:)(?=\S)|(?=@)|(?<=www)|(?<=[<>~=-])(?=[<>~=-])", re.IGNORECASE)


def md(word: str) -> str:
    r"""A word for Markdown: every punctuation mark escaped, so that no bold, link, HTML, icon or formula comes of it.

    What is shown differs from the word by joiners only; it is never read back.

    >>> md("<b>a*b</b>")
    '\\<b\\>a\\*b\\<\\/b\\>'
    >>> md("http://x") == rf"http\:{JOINER}\/\/x"
    True
    """
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", _PATTERNS.sub(JOINER, word))


def rule_name(rule: Rule) -> str:
    """What a head looks at, in words."""
    named = {
        "even": "even positions",
        "odd": "odd positions",
        "self": "itself",
        "first": "the first token",
        "all": "every token",
        "none": "nothing",
        "last": "last of the prompt ⚠ breaks the cache",
    }
    if rule.kind == "previous":
        return "the previous token" if rule.number == 1 else f"{rule.number} tokens back"
    if rule.kind == "window":
        return f"the last {rule.number}" if rule.number > 1 else "a window of 1"
    if rule.kind == "at":
        return "position " + ", ".join(map(str, rule.positions))
    return named[rule.kind]


def head_names(s: Scenario) -> list[str]:
    """Every head with its number and its rule in short form: "1 even", "2 previous"."""
    return [f"{h} {rule}" for h, rule in enumerate(s.rules, 1)]


def join(parts: list[str]) -> str:
    """Words in a row: a, b and c."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def number(x: float, digits: int = 2, sign: bool = False) -> str:
    """A number as short as it reads well: 12.5, 10.33, −8, and with sign +8. NaN and −∞ are said in words and signs.

    >>> [number(12.5), number(-8.0), number(8.0, sign=True), number(-np.inf), number(np.nan), number(1e-7), number(1e5)]
    ['12.5', '−8', '+8', '−∞', 'NaN', '0', '100,000']
    """
    if isnan(x):
        return "NaN"
    if isinf(x):
        return "−∞" if x < 0 else "∞"
    rounded = round(float(x), digits) + 0.0
    text = f"{abs(rounded):,.{digits}f}" if abs(rounded) >= 10_000 else f"{abs(rounded):.{digits}f}"
    text = text.rstrip("0").rstrip(".") if digits else text
    return ("−" if rounded < 0 else "+" if sign and rounded > 0 else "") + text


def numbers(values: np.ndarray, digits: int = 2, sign: bool = False) -> list[str]:
    """Many numbers, row by row, each as `number` says it; one that comes again is written once.

    >>> numbers(np.array([[8.0, -8.0], [8.0, np.nan]]), sign=True)
    ['+8', '−8', '+8', 'NaN']
    """
    flat = values.ravel().tolist()
    said = {x: number(x, digits, sign) for x in set(flat)}
    return [said[x] for x in flat]


def superscript(power: int | str) -> str:
    """A whole number as an exponent.

    >>> superscript(-16), superscript("−16")
    ('⁻¹⁶', '⁻¹⁶')
    """
    return str(power).translate(str.maketrans("-−0123456789", "⁻⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def e_to(x: float, digits: int = 3) -> str:
    """e to the power x: e⁻¹⁶ for a whole power, exp(−5.66) for any other.

    >>> [e_to(x) for x in (8.0, -16.0, 1.1)]
    ['e⁸', 'e⁻¹⁶', 'exp(1.1)']
    """
    power = number(x, digits)
    whole = power.removeprefix("−").isdigit()
    return f"e{superscript(power)}" if whole else f"exp({power})"


def percent(p: float) -> str:
    """A probability: 75.0%, and "< 0.1%" where one decimal would say that it is nothing.

    >>> [percent(p) for p in (0.749819, 0.0005888, 1e-7, 0.0)]
    ['75.0%', '0.1%', '< 0.1%', '0.0%']
    """
    return "< 0.1%" if 0 < p < 0.0005 else f"{p:.1%}"


def weight(w: float) -> str:
    """A weight with as many digits as it needs to be told from 0: 0.5, 0.3333, 1.1·10⁻⁷."""
    if np.isnan(w):
        return "NaN"
    if 0 < w < 5e-4:
        mantissa, exponent = f"{w:.1e}".split("e")
        return f"{mantissa}·10{superscript(int(exponent))}"
    return number(w, 4)


def apart(gap: float) -> str:
    """A difference as it should be read: 0 for none at all, its power of ten where only rounding is left, else the number.

    >>> [apart(x) for x in (0.0, 1.8e-15, 0.346761, 4.0, np.inf)]
    ['0', '2·10⁻¹⁵', '0.347', '4', 'NaN']
    """
    if np.isinf(gap):
        return "NaN"  # one of the two is not a number
    if 0 < gap < 5e-4:
        mantissa, exponent = f"{gap:.0e}".split("e")
        return f"{mantissa}·10{superscript(int(exponent))}"
    return number(gap, 3)
