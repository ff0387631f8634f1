"""Numbers and words as Markdown: what people typed is shown letter by letter, never read as markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from math import isinf, isnan

import numpy as np

from engine.compare import ROUNDING
from engine.toy.rules import Rule
from engine.toy.scenario import Scenario

EMPTY_ROW_NAMES = {
    "none": "weights 0, context “none”",
    "soft": "softmax over what is visible",
    "nan": "−∞ without a guard: NaN",
    "fill": "−10⁹ without a guard: leaks",
    "softmax1": "softmax with 1 in the denominator",
}

DRAW_LEVEL = "two or more draw level"  # an option where the likeliest word is asked for
MANY = ("tokens", "blocks", "slots")  # units that are words, in the plural

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


def token_name(tokens: Sequence[str], j: int, said: Callable[[str], str] = md) -> str:
    """A token in quotation marks, with its position where the prompt has the word again. said: `str` where no Markdown is read.

    >>> token_name(("big", "cat", "big"), 2), token_name(("big", "cat", "big"), 1)
    ('“big” (position 3)', '“cat”')
    """
    again = f" (position {j + 1})" if list(tokens).count(tokens[j]) > 1 else ""
    return f"“{said(tokens[j])}”{again}"


def rule_name(rule: Rule) -> str:
    """What a head looks at, in words."""
    named = {
        "even": "even positions",
        "odd": "odd positions",
        "self": "itself",
        "first": "the first token",
        "all": "every token",
        "none": "nothing",
        "last": "⚠ last of the prompt",
    }
    if rule.kind == "previous":
        return "the previous token" if rule.number == 1 else f"the token {rule.number} back"
    if rule.kind == "window":
        return f"the last {rule.number}" if rule.number > 1 else "a window of 1"
    if rule.kind == "at":
        return f"{plural(len(rule.positions), 'position')} " + ", ".join(map(str, rule.positions))
    return named[rule.kind]


def articles_way(s: Scenario) -> str:
    """What a run with the key of the article's code takes from that code where this scenario has it otherwise; "" for nothing.

    >>> articles_way(Scenario.article_code()), articles_way(Scenario.article())
    ('', 'with softmax over what is visible in every row')
    """
    ways = ["the mask on"] * (not s.causal) + [f"{EMPTY_ROW_NAMES['soft']} in every row"] * (s.empty_row != "soft")
    return f"with {join(ways)}" if ways else ""


def head_names(s: Scenario) -> list[str]:
    """Every head with its number and its rule in short form: "1 even", "2 previous"."""
    return [f"{h} {rule}" for h, rule in enumerate(s.rules, 1)]


def end_of(text: str, most: int) -> str:
    """The last words of a text, as many whole ones as there is room for.

    >>> end_of("a cat", 9), end_of("Anna has a cat", 9)
    ('a cat', '… a cat')
    """
    return text if len(text) <= most else "… " + (text[-most:].partition(" ")[2] or text[-most:])


def join(parts: list[str]) -> str:
    """Words in a row: a, b and c."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def plural(n: float, one: str, many: str = "") -> str:
    """The word that goes with n: a noun, whose plural need be given only where it is irregular, or a verb with both forms.

    >>> [plural(n, "token") for n in (0, 1, 2)], plural(2, "pass"), plural(2, "query"), plural(1, "is", "are")
    (['tokens', 'token', 'tokens'], 'passes', 'queries', 'is')
    """
    if n == 1:
        return one
    ends_in_y = one[-1:] == "y" and one[-2:-1] not in "aeiou"
    return many or (f"{one[:-1]}ies" if ends_in_y else f"{one}es" if one.endswith(("s", "x", "ch")) else f"{one}s")


def quantity(n: int, one: str, many: str = "") -> str:
    """A whole number with its noun.

    >>> quantity(1, "K/V row"), quantity(8192, "token"), quantity(0, "entry")
    ('1 K/V row', '8,192 tokens', '0 entries')
    """
    return f"{n:,} {plural(n, one, many)}"


def number(x: float, digits: int = 2, sign: bool = False) -> str:
    """A number as short as it reads well: 12.5, 10.33, −8, and with sign +8. NaN and −∞ are said in words and signs.

    >>> [number(12.5), number(-8.0), number(8.0, sign=True), number(-np.inf), number(np.nan), number(1e-7), number(1e3)]
    ['12.5', '−8', '+8', '−∞', 'NaN', '0', '1,000']
    """
    if isnan(x):
        return "NaN"
    if isinf(x):
        return "−∞" if x < 0 else "∞"
    rounded = round(float(f"{x:.13g}"), digits) + 0.0  # 2.345 and a sum that is 2.345 but for its last bit are written alike
    text = f"{abs(rounded):,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if digits else text
    return ("−" if rounded < 0 else "+" if sign and rounded > 0 else "") + text


def entered(x: float) -> str:
    """A number that somebody typed: as `number` says it, but with as many digits as it takes to be told from 0.

    >>> [entered(x) for x in (12.5, 0.0, 0.004, -0.002, 0.0004, 0.00001)]
    ['12.5', '0', '0.004', '−0.002', '0.0004', '1·10⁻⁵']
    """
    if not 0 < abs(x) < 0.005:
        return number(x)
    mantissa, exponent = f"{abs(x):.1e}".split("e")
    small = (
        number(abs(x), 1 - int(exponent))
        if int(exponent) >= -4
        else f"{number(float(mantissa), 1)}·10{superscript(int(exponent))}"
    )
    return f"−{small}" if x < 0 else small


def with_unit(figures: str, unit: str) -> str:
    """A written number with its unit, "" for none; a unit that is a word in the plural is one of them where the number is 1.

    >>> with_unit("1", "tokens"), with_unit("2", "tokens"), with_unit("1", "GB"), with_unit("8", "")
    ('1 token', '2 tokens', '1 GB', '8')
    """
    return " ".join(filter(None, (figures, unit[:-1] if figures == "1" and unit in MANY else unit)))


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


def percents(chances: Sequence[float], best: Sequence[int]) -> list[str]:
    """Probabilities, with as many digits as it takes to see that those at `best` are larger than all others.

    >>> percents([0.75, 0.25], [0]), percents([0.5003, 0.4997], [0])
    (['75.0%', '25.0%'], ['50.03%', '49.97%'])
    """
    said = [percent(p) for p in chances]
    for digits in range(2, 8):
        if not {said[i] for i in best} & {text for i, text in enumerate(said) if i not in best}:
            break
        said = [f"{p:.{digits}%}" for p in chances]
    return said


def weight(w: float) -> str:
    """A weight with as many digits as it needs to be told from 0: 0.5, 0.3333, 1.1·10⁻⁷."""
    if np.isnan(w):
        return "NaN"
    if 0 < w < 5e-4:
        mantissa, exponent = f"{w:.1e}".split("e")
        return f"{mantissa}·10{superscript(int(exponent))}"
    return number(w, 4)


def told_apart(a: float, b: float) -> tuple[str, str]:
    """Two numbers with as many digits as it takes to see that they differ; to rounding the same, they are written alike.

    Neither is written 0 beside the other unless it is 0.

    >>> told_apart(0.001, 0.0014), told_apart(0.001, 0.0004), told_apart(6.0, 7.0), told_apart(2.0, 2.0 + 1e-15)
    (('0.001', '0.0014'), ('0.001', '0.0004'), ('6', '7'), ('2', '2'))
    """
    written = [(number(a, digits), number(b, digits)) for digits in range(2, 10)]
    differ = [pair for pair in written if pair[0] != pair[1]]
    honest = (pair for pair in differ if all(x == 0 or text not in ("0", "−0") for x, text in zip((a, b), pair, strict=True)))
    return next(honest, (differ or written)[0])


def side_by_side(values: Sequence[float], digits: int = 2) -> list[str]:
    """Numbers of one row, each with as many digits as it takes to tell apart those that are not the same to rounding, and any of
    them from 0; those that are the same are written alike.

    >>> side_by_side([15.3, 14.2]), side_by_side([0.0014, 0.0012, 0.0]), side_by_side([146.94375, 146.94375 + 1e-13], 4)
    (['15.3', '14.2'], ['0.0014', '0.0012', '0'], ['146.9437', '146.9437'])
    """
    if not np.isfinite(values).all():
        return [number(x, digits) for x in values]
    near = 1e-9 * (1 + max(map(abs, values)))
    first = [next(b for b in values if abs(a - b) <= near) for a in values]  # of those that are the same
    first = [0.0 if abs(x) <= ROUNDING else x for x in first]
    for more in range(digits, 10):
        said = {x: number(x, more) for x in first}
        if len(set(said.values())) == len(said) and all(x == 0 or text.strip("−") != "0" for x, text in said.items()):
            break
    return [said[x] for x in first]


def context_text(x: float) -> str:
    """A context as it is written: like `number`, but one that is small as the values that somebody typed is not written 0.

    >>> context_text(12.5), context_text(0.001), context_text(-0.0002), context_text(2.2e-6)
    ('12.5', '0.001', '−0.0002', '0')
    """
    return entered(x) if abs(x) >= 5e-5 else number(x)


def threshold_text(x: float) -> str:
    """A value at which something changes: as a context is written, one that lies far from all that can be typed with four digits.

    >>> threshold_text(18.8), threshold_text(-1592.48), threshold_text(-123456.789), threshold_text(9.99996e7)
    ('18.8', '−1,592.48', '−1.235·10⁵', '10⁸')
    """
    if abs(x) < 1e5:
        return context_text(x)
    mantissa, exponent = f"{abs(x):.3e}".split("e")
    ten = f"10{superscript(int(exponent))}"
    return f"{'−' * (x < 0)}{ten if float(mantissa) == 1 else f'{number(float(mantissa), 3)}·{ten}'}"


def logit_text(x: float) -> str:
    """A logit, with three digits, and one that is small as the values that somebody typed is not written 0.

    >>> logit_text(21.625), logit_text(0.00025), logit_text(1e-9), logit_text(float("nan"))
    ('21.625', '0.00025', '0', 'NaN')
    """
    return context_text(x) if abs(x) < 0.005 else number(x, 3)


def in_brackets(text: str) -> str:
    """A number behind a sign, a negative one in brackets.

    >>> in_brackets("−3"), in_brackets("3")
    ('(−3)', '3')
    """
    return f"({text})" if text.startswith("−") else text


def signed(x: float) -> str:
    """A number of either sign with as many digits as `weight` gives.

    >>> signed(-2.1e-7), signed(0.25)
    ('−2.1·10⁻⁷', '0.25')
    """
    return f"−{weight(-x)}" if x < 0 else weight(x)


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
