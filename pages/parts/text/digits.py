"""Numbers with as many digits as it takes: to tell two apart, to tell one from 0, and no more."""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from engine.compare import ROUNDING, largest_values
from engine.toy.by_hand import nothing_below
from engine.toy.rules import LITTLE
from pages.parts.text.format import digits_entered, entered, near_zero, number, percent, scientific
from pages.parts.text.softmax_residue import MOST_TO_A_HALF, RESIDUE, by_hand, half_by_hand, residue

KNOWN_PART = 0.06  # above, a weight may be a part of 1 that is known by sight: 1/16
POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")


def percents(chances: Sequence[float], best: Sequence[int]) -> list[str]:
    """Probabilities, with as many digits as it takes to see that those at `best` are larger than all others.

    >>> percents([0.75, 0.25], [0]), percents([0.5003, 0.4997], [0])
    (['75.0%', '25.0%'], ['50.03%', '49.97%'])
    """
    said = [percent(p) for p in chances]
    for digits in range(2, 8):
        if not {said[i] for i in best} & {text for i, text in enumerate(said) if i not in best}:
            break
        said = [percent(p, digits) for p in chances]
    return said


def weight(w: float) -> str:
    """A weight with as many digits as it needs to be told from 0: 0.5, 0.3333, 1.1·10⁻⁷."""
    if np.isnan(w):
        return "NaN"
    if 0 < w < 5e-4:
        return scientific(w, 1)
    return number(w, 4)


def share_said(w: float) -> str:
    """A share as by hand: 1/3, where it is one of so many equal ones, else a number.

    One that is nearly that has digits enough to be told from it.

    >>> [share_said(w) for w in (0.0, 1 / 3, 0.25, 0.4, 1.0)], [share_said(w) for w in (0.4953, 0.3302, 0.9953, 0.0022, 0.0063)]
    (['0', '1/3', '1/4', '0.4', '1'], ['0.495', '0.3302', '0.995', '0.0022', '0.0063'])
    """
    n = round(1 / w) if w > KNOWN_PART else 0
    if n and number(w, 4) == number(1 / n, 4):
        return f"1/{n}" if n > 1 else "1"
    if 5e-4 <= w < 0.1:  # of one digit a value would make something else
        return number(w, 5 if w < 1e-3 else 4 if w < 1e-2 else 3)
    alike = {number(1 / n, digits) for digits in (2, 3, 4)} if n else {"0"} if w >= 5e-4 else set()
    return next((text for digits in (2, 3) if (text := number(w, digits)) not in alike), number(w, 4))


def told_apart(a: float, b: float, digits: int = 2) -> tuple[str, str]:
    """Two numbers with so many digits, and more where it takes them to see that they differ; to rounding the same, they are
    written alike.

    Neither is written 0 beside the other unless it is 0, or what softmax leaks; the same numbers not either.

    >>> told_apart(0.001, 0.0014), told_apart(0.001, 0.0004), told_apart(6.0, 7.0), told_apart(2.0, 2.0 + 1e-15)
    (('0.001', '0.0014'), ('0.001', '0.0004'), ('6', '7'), ('2', '2'))
    >>> told_apart(-0.004, -0.004), told_apart(0.0, 0.0), told_apart(1e-6, 1e-6)
    (('−0.004', '−0.004'), ('0', '0'), ('1·10⁻⁶', '1·10⁻⁶'))
    >>> told_apart(-5.0, -1e-6), told_apart(2e-6, -1e-6), told_apart(1.5e-5, 0.0)
    (('−5', '0'), ('2·10⁻⁶', '−1·10⁻⁶'), ('1.5·10⁻⁵', '0'))
    """
    nothing = min(5e-5, 1e-5 * max(abs(a), abs(b)))
    written = [
        tuple(number(x, more) if abs(x) <= nothing else _not_nothing(x, more) for x in (a, b)) for more in range(digits, 10)
    ]
    return next((pair for pair in written if pair[0] != pair[1]), written[0])


def contexts_side_by_side(contexts: Sequence[float], values: np.ndarray) -> list[str]:
    """As `side_by_side`, of contexts made of such values: what softmax leaks of them is 0, as in `context_text`."""
    least = residue(values)
    return side_by_side([half_by_hand(x, 2, min(least, MOST_TO_A_HALF)) for x in contexts], least=least)


def logits_side_by_side(logits: np.ndarray, digits: int = 2) -> list[str]:
    """As `side_by_side`, of the logits of one row: what softmax leaks of them is 0 and parts no two.

    >>> logits_side_by_side(np.array([9.0, 2.4e-7])), logits_side_by_side(np.array([3.8500017, 4.1500022, 3.8500022]))
    (['9', '0'], ['3.85', '4.15', '3.85'])
    """
    least = residue(logits)
    return side_by_side([half_by_hand(x, digits, min(least, MOST_TO_A_HALF)) for x in logits.tolist()], digits, least)


def side_by_side(values: Sequence[float], digits: int = 2, least: float = ROUNDING) -> list[str]:
    """Numbers of one row, each with as many digits as it takes to tell apart those that are not the same to rounding, and any of
    them from 0; those that are the same are written alike. least: up to which a number is 0, and two are the same.

    >>> side_by_side([15.3, 14.2]), side_by_side([0.0014, 0.0012, 0.0]), side_by_side([146.94375, 146.94375 + 1e-13], 4)
    (['15.3', '14.2'], ['0.0014', '0.0012', '0'], ['146.9438', '146.9438'])
    >>> side_by_side([1.5e-5, 3.0]), side_by_side([1.52e-5, 1.5e-5])
    (['1.5·10⁻⁵', '3'], ['1.52·10⁻⁵', '1.5·10⁻⁵'])
    """
    if not np.isfinite(values).all():
        return [number(x, digits) for x in values]
    near = max(least, 1e-9 * (1 + max(map(abs, values))))
    first = [next(b for b in values if abs(a - b) <= near) for a in values]  # of those that are the same
    first = [0.0 if abs(x) <= least else x for x in first]
    for more in range(digits, 10):
        said = {x: _not_nothing(x, more) for x in first}
        if len(set(said.values())) == len(said):
            break
    return [said[x] for x in first]


def _not_nothing(x: float, digits: int) -> str:
    """A number with so many digits, one near 0 with two that count at least, and so many more as there are digits beyond two.

    >>> _not_nothing(0.0046, 2), _not_nothing(-1.5e-5, 2), _not_nothing(1.523e-5, 3), _not_nothing(0.0, 2), _not_nothing(0.0056, 2)
    ('0.0046', '−1.5·10⁻⁵', '1.52·10⁻⁵', '0', '0.006')
    """
    if not 0 < abs(x) < 0.005:
        return number(x, max(digits, 3) if abs(x) < 0.1 else digits)
    return near_zero(x, digits)


def context_text(x: float, values: Sequence[float] | np.ndarray | float = 25.0) -> str:
    """A context as it is written: like `number`, but one that is small as the values that somebody typed is not written 0, and
    one that is a value but for what softmax leaks is written as that value is. values: of which it is made, or the largest, where
    they are known.

    >>> context_text(12.5), context_text(0.001), context_text(-0.0002), context_text(2.2e-6)
    ('12.5', '0.001', '−0.0002', '0')
    >>> context_text(-0.1249999), context_text(0.015704), context_text(34.10301)
    ('−0.125', '0.016', '34.1')
    >>> context_text(-1e-5, [2e-5, -1e-5]), context_text(1e-12, [2e-5, 0]), context_text(1e-5, [10, 1e-5])
    ('−1·10⁻⁵', '0', '0')
    """
    if abs(x) < nothing_below(np.abs(values).max(initial=0.0)):
        return "0"
    return entered(x) if abs(x) < 0.005 else by_hand(x, digits_entered(x, RESIDUE))


def context_of(layer: Attention, head: int, row: int) -> str:
    """A context of a layer whose values are one number each, beside the values that it is made of; “none” where it is of none."""
    if layer.empty[head, row]:
        return "none"
    return context_text(layer.context[head, row, 0], largest_values(layer)[head, row])


def contexts_of(layer: Attention, row: int) -> list[str]:
    """Each head's context of a row, as `context_of` writes one."""
    rows = zip(layer.context[:, row, 0].tolist(), largest_values(layer)[:, row].tolist(), layer.empty[:, row], strict=True)
    return ["none" if empty else context_text(context, largest) for context, largest, empty in rows]


def threshold_text(x: float, values: Sequence[float] | np.ndarray | float | None = None) -> str:
    """A value at which something changes: as a context is written, 0 only where it is less than softmax leaks of the `values` beside
    it, and one that lies far from all that can be typed with four digits.

    >>> threshold_text(18.8), threshold_text(-370.874527), threshold_text(-123456.789), threshold_text(9.99996e7), threshold_text(2.4e-5)
    ('18.8', '−370.88', '−1.235·10⁵', '10⁸', '2.4·10⁻⁵')
    """
    if abs(x) < 1e5:
        x = half_by_hand(x, digits_entered(x, RESIDUE), LITTLE * abs(x))
        return context_text(x, abs(x) if values is None else values)
    return "−" * (x < 0) + scientific(abs(x), 3, short=True).removeprefix("1·")


def logit_text(x: float, logits: Sequence[float] | np.ndarray | float = 1.0) -> str:
    """A logit, with three digits, and one that is small as the values that somebody typed is not written 0. logits: those beside it,
    or the largest, where they are known.

    >>> logit_text(21.625), logit_text(0.00025), logit_text(1e-9), logit_text(float("nan"))
    ('21.625', '0.00025', '0', 'NaN')
    """
    return by_hand(x, 3, logits) if not abs(x) < 0.005 else context_text(x, logits) if abs(x) > ROUNDING else "0"


def added_up(parts: list[str]) -> str:
    """Written numbers as a sum.

    >>> added_up(["1.25", "25", "−12", "0"])
    '1.25 + 25 − 12 + 0'
    """
    rest = [f" − {x.removeprefix('−')}" if x.startswith("−") else f" + {x}" for x in parts[1:]]
    return parts[0] + "".join(rest)


def summed(parts: list[str], total: str) -> str:
    """Written numbers as a sum, and the sign before its total: ≈ where they add up to another number than what is written of it, be
    it by rounding. Nothing of a single one.

    >>> summed(["1.25", "25"], "26.25"), summed(["3", "0", "−3"], "−1.6·10⁻⁶"), summed(["5.6", "3.375"], "8.98"), summed(["4"], "4")
    ('1.25 + 25 = ', '3 + 0 − 3 ≈ ', '5.6 + 3.375 ≈ ', '')
    """
    sign = "=" if abs(sum(map(as_number, parts)) - as_number(total)) < 1e-9 * max(1.0, abs(as_number(total))) else "≈"
    return f"{added_up(parts)} {sign} " * (len(parts) > 1)


def equals(left: float, right: str) -> str:
    """The sign between what is written at the left, worked out, and what is written at the right: whether they are the same number to
    the last digit of that.

    >>> equals(3.75 + 1.5, "5.25"), equals(-0.096 + 0.16, "0.063"), equals(3 - 3, "−1.6·10⁻⁶"), equals(91.375, "91.38")
    ('=', '≈', '≈', '=')
    """
    digits, _, power = right.partition("·10")
    unit = 10.0 ** (int(power.translate(POWERS) or 0) - len(digits.partition(".")[2]))
    return "=" if abs(left - as_number(right)) <= (0.5 + 1e-6) * unit else "≈"


def as_number(written: str) -> float:
    """A number as it is read.

    >>> as_number("−1,000.5"), as_number("−1.5·10⁻⁶"), as_number("NaN")
    (-1000.5, -1.5e-06, nan)
    """
    digits, _, power = written.replace("−", "-").replace(",", "").partition("·10")
    return float(f"{digits}e{power.translate(POWERS)}" if power else digits)


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


def gap_text(gap: float) -> str:
    """A difference as it should be read: 0 for none at all, its power of ten where only rounding is left, else the number.

    >>> [gap_text(x) for x in (0.0, 1.8e-15, 0.346761, 4.0, np.inf, 0.1874999)]
    ['0', '2·10⁻¹⁵', '0.347', '4', 'NaN', '0.188']
    """
    if np.isinf(gap):
        return "NaN"  # one of the two is not a number
    if 0 < gap < 5e-4:
        return scientific(gap, 0)
    return by_hand(gap, 3)
