"""Words and numbers as Markdown: what people typed is shown letter by letter, never read as markup."""

import re
from math import floor, isinf, isnan, log10

import numpy as np

from engine.cost.units import rounded

DRAW_LEVEL = "two or more draw level"  # an option where the likeliest word is asked for
MANY = ("tokens", "blocks", "slots", "servers", "pairs", "words")  # units that are words, in the plural

SEEN = 0.005  # of a weight or of a context: of less two decimals show nothing
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


def unmarked(markdown: str) -> str:
    r"""A sentence of ours as plain text, for a figure's alternative: without bold and italics, with words as they were typed.

    >>> unmarked(f"**{md('a*b-c')}** on *it*")
    'a*b-c on it'
    """
    return re.sub(r"\\(.)", r"\1", re.sub(r"(?<!\\)\*+", "", markdown)).replace(JOINER, "")


def end_of(text: str, most: int) -> str:
    """The last words of a text, as many whole ones as there is room for.

    >>> end_of("a cat", 9), end_of("Anna has a cat", 9)
    ('a cat', '… a cat')
    """
    return text if len(text) <= most else "… " + (text[-most:].partition(" ")[2] or text[-most:])


def join(parts: list[str], last: str = "and") -> str:
    """Words in a row: a, b and c; where one of them is right, a, b or c."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} {last} {parts[-1]}"


def plural(n: float, one: str, many: str = "") -> str:
    """The word that goes with n: a noun, whose plural need be given only where it is irregular, or a verb with both forms.

    >>> [plural(n, "token") for n in (0, 1, 2)], plural(2, "pass"), plural(2, "query"), plural(1, "is", "are")
    (['tokens', 'token', 'tokens'], 'passes', 'queries', 'is')
    """
    if n == 1:
        return one
    ends_in_y = one[-1:] == "y" and one[-2:-1] not in "aeiou"
    return many or (f"{one[:-1]}ies" if ends_in_y else f"{one}es" if one.endswith(("s", "x", "ch")) else f"{one}s")


def quantity(n: int, one: str) -> str:
    """A whole number with its noun.

    >>> quantity(1, "K/V row"), quantity(8192, "token"), quantity(0, "entry")
    ('1 K/V row', '8,192 tokens', '0 entries')
    """
    return f"{n:,} {plural(n, one)}"


def number(x: float, digits: int = 2, sign: bool = False) -> str:
    """A number as short as it reads well: 12.5, 10.33, −8, and with sign +8. NaN and −∞ are said in words and signs.

    >>> [number(12.5), number(-8.0), number(8.0, sign=True), number(-np.inf), number(np.nan), number(1e-7), number(1e3)]
    ['12.5', '−8', '+8', '−∞', 'NaN', '0', '1,000']
    """
    if isnan(x):
        return "NaN"
    if isinf(x):
        return "−∞" if x < 0 else "∞"
    written = rounded(x, digits)
    text = f"{abs(written):,.{digits}f}"
    text = text.rstrip("0").rstrip(".") if digits else text
    return ("−" if written < 0 else "+" if sign and written > 0 else "") + text


def entered(x: float) -> str:
    """A number that somebody typed: as `number` says it, but with as many digits as it takes to be told from 0, and as he typed
    where seven letters have room for it.

    >>> [entered(x) for x in (12.5, 0.0, 0.004, -0.002, 0.0004, 0.00001)]
    ['12.5', '0', '0.004', '−0.002', '0.0004', '1·10⁻⁵']
    >>> [entered(x) for x in (-0.125, -1.5625, 99.125, 1 / 3, 999.125, 0.00512)]
    ['−0.125', '−1.5625', '99.125', '0.33', '999.13', '0.005']
    """
    return near_zero(x) if 0 < abs(x) < 0.005 else number(x, digits_entered(x))


def digits_entered(x: float, nearly: float = 1e-6) -> int:
    """How many decimals `entered` writes of a number that is not small: all, where they are few. nearly: of the last one."""
    least, most = 3 if abs(x) < 0.1 else 2, 4 if abs(x) < 10 else 3 if abs(x) < 100 else 2
    return next((digits for digits in range(least, most + 1) if abs(x - round(x, digits)) < nearly * 10**-digits), least)


def round_step(x: float) -> float:
    """The least of 1, 2, 5 and their tens and tenths that is not below x, which is above 0: a step of an axis, a width of ranges.

    >>> [round_step(x) for x in (0.11, 0.2, 3, 700)]
    [0.2, 0.2, 5.0, 1000.0]
    """
    power = floor(log10(x))
    return next(y for k in (1, 2, 5, 10) if (y := float(f"{k}e{power}")) >= x * (1 - 1e-12))


def near_zero(x: float, digits: int = 2) -> str:
    """A number near 0, told from it: with two digits that count, and as many more as `digits` is beyond two.

    >>> near_zero(-0.002), near_zero(0.00001), near_zero(-1.523e-5, 3)
    ('−0.002', '1·10⁻⁵', '−1.52·10⁻⁵')
    """
    written = f"{abs(x):.{max(1, digits - 1)}e}"
    exponent = int(written.split("e")[1])
    if exponent >= -4:
        return number(x, max(digits, 1 - exponent))
    return ("−" if x < 0 else "") + scientific(abs(x), max(1, digits - 1), short=True)


def with_unit(figures: str, unit: str) -> str:
    """A written number, or a range of them, with its unit, "" for none; a unit that is a word in the plural is one of them where the
    last number is 1.

    >>> with_unit("1", "tokens"), with_unit("2", "tokens"), with_unit("1", "GB"), with_unit("8", ""), with_unit("at least 1", "words")
    ('1 token', '2 tokens', '1 GB', '8', 'at least 1 word')
    """
    return " ".join(filter(None, (figures, unit[:-1] if figures.split()[-1:] == ["1"] and unit in MANY else unit)))


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


def scientific(x: float, decimals: int, short: bool = False) -> str:
    """A positive number as a power of ten with so many decimals before it. short: without zeros at their end.

    >>> scientific(1.1e-7, 1), scientific(2e15, 3), scientific(2e15, 3, short=True)
    ('1.1·10⁻⁷', '2.000·10¹⁵', '2·10¹⁵')
    """
    mantissa, exponent = f"{x:.12e}".split("e")
    if (written := rounded(float(mantissa), decimals)) == 10:
        return scientific(10.0 ** (int(exponent) + 1), decimals, short)
    return f"{number(written, 9) if short else f'{written:.{decimals}f}'}·10{superscript(int(exponent))}"


def e_to(x: float, digits: int = 0) -> str:
    """e to the power x: e⁻¹⁶ for a whole power, exp(−5.66) for any other. digits: of the power; 0 for three, and more where it takes
    them for four digits of what it comes to, which stand behind it.

    >>> [e_to(x) for x in (8.0, -16.0, 1.1, -0.0125)]
    ['e⁸', 'e⁻¹⁶', 'exp(1.1)', 'exp(−0.0125)']
    """
    enough = (d for d in range(3, 6) if x > 0 or number(np.exp(round(x, d)), 4) == number(np.exp(x), 4))
    power = number(x, digits or next(enough, 6))
    whole = power.removeprefix("−").isdigit()
    return f"e{superscript(power)}" if whole else f"exp({power})"


def percent(p: float, digits: int = 1) -> str:
    """A probability: 75.0%, and "< 0.1%" where one decimal would say that it is nothing.

    >>> [percent(p) for p in (0.749819, 0.0005888, 1e-7, 0.0)]
    ['75.0%', '0.1%', '< 0.1%', '0.0%']
    """
    return "< 0.1%" if digits == 1 and 0 < p < 0.0005 else f"{rounded(100 * p, digits):.{digits}f}%"


def whole_percent(p: float) -> str:
    """A share in whole per cent, which is all only where it is.

    >>> [whole_percent(p) for p in (0.744, 0.996, 1.0)]
    ['74%', '>99%', '100%']
    """
    return ">99%" if 0.995 <= p < 1 else percent(p, 0)


def in_two(text: str) -> list[str]:
    """A text's two halves, parted at the space nearest to its middle; whole where it has none.

    >>> in_two("1,952"), in_two("true, with a caveat")
    (['1,952'], ['true, with', 'a caveat'])
    """
    spaces = [k for k, letter in enumerate(text) if letter == " "]
    at = min(spaces, key=lambda k: abs(k - len(text) / 2), default=None)
    return [text] if at is None else [text[:at], text[at + 1 :]]
