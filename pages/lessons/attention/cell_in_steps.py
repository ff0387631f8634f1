"""How one cell was computed, step by step: score, mask, softmax, weight times value, each an equation with its numbers."""

import numpy as np

from engine.cost.units import rounded
from engine.toy.one_cell import Derivation
from engine.toy.scenario import Scenario
from pages.parts.text.digits import in_brackets, signed, weight
from pages.parts.text.format import digits_entered, e_to, entered, number
from pages.parts.text.toy_names import EMPTY_ROW_NAMES, token_name

SMALL = 5e-4  # below it `weight` writes a power of ten
# What these policies make of all scores of an empty row, of those that the mask lets through too.
CLOSED = {"fill": "−10⁹", "nan": "−∞"}


def in_a_line(d: Derivation, context: str, key: int) -> str:
    """The headline of one cell: its share of a value, and of which context that is a part."""
    return f"{_share(d, key)}, its part of the context {context}" if d.weights.any() else f"{_share(d, key)}: context none"


def equations(s: Scenario, d: Derivation, key: int) -> list[str]:
    """One cell in short: of score, mask and softmax the equation alone."""
    mask = f"hidden: {'−10⁹' if s.empty_row == 'fill' else '−∞'}"
    if d.visible:
        mask = f"empty row: {closed}" if (closed := closed_scores(s, d)) else f"stays {number(d.score, 3, sign=True)}"
    softmax = d.visible and (s.empty_row == "soft" or not _is_empty(d))
    return [_score_of(d), mask, _softmax_of(s, d, key) if softmax else f"weight {weight(d.weights[key])}"]


def closed_scores(s: Scenario, d: Derivation) -> str:
    """What becomes of all scores of the row, whatever the mask lets through; "" where they stay."""
    return CLOSED.get(s.empty_row, "") if _is_empty(d) else ""


def _is_empty(d: Derivation) -> bool:
    """Whether nothing that the row may see matches."""
    return not (d.mask & (d.scores > 0)).any()


def _score_of(d: Derivation) -> str:
    """Query times key, divided, and what that gives. Where the key has but one entry that is not 0, the two numbers that meet there."""
    root, there = len(d.q) ** 0.5, np.flatnonzero(d.k)
    factors = (d.q[there[0]], d.k[there[0]]) if len(there) == 1 else (d.product,)
    equal = _equal(rounded(d.product, 2) / root, rounded(d.score, 3))
    return f"{'·'.join(map(number, factors))} / √{len(d.q)} {equal} {number(d.score, 3, sign=True)}"


def _softmax_of(s: Scenario, d: Derivation, key: int) -> str:
    """The exponential of the score among those of its row, and what that gives."""
    terms = [e_to(x) for x in d.scores[d.mask]]
    below = _sum(terms) + (" + 1" if s.empty_row == "softmax1" else "")
    same = len(set(terms)) == 1 and s.empty_row != "softmax1"  # the powers cancel out, or else their sum is no round number
    equal = _equal(1 / len(terms), _number_shown(d.weights[key])) if same else "≈"
    return f"{e_to(d.score)} / ({below}) {equal} {weight(d.weights[key])}"


def cell_steps(s: Scenario, d: Derivation, head: int, query: int, key: int) -> list[str]:
    """One cell as a list of steps, each an equation with its numbers."""
    n, root = len(d.scores), len(d.q) ** 0.5
    q_name, k_name = token_name(s.tokens, query), token_name(s.tokens, key)
    equal = _equal(rounded(d.product, 2) / root, rounded(d.score, 3))
    score = f"{number(d.product)} / {number(root)} {equal} **{number(d.score, 3, sign=True)}**"
    if s.rules[head].breaks_cache:
        entry, digits = d.q[0] * d.k[0], 3 if d.q[0] > 0.1 else 5  # so many that 64 times what is written is the product
        codes = (
            f"q is {number(d.q[0], digits)} in all {len(d.q)} entries, k is {number(d.k[0])} in all: q · k = {len(d.q)} × "
            f"{in_brackets(number(entry, digits))} {_equal(len(d.q) * rounded(entry, digits), rounded(d.product, 2))} {number(d.product)}"
        )
    else:
        codes = (
            f"q = ({_entries(d.q[:n], key)}, …), k = ({_entries(d.k[:n], key)}, …): k is 1 only at position {key + 1}, "
            f"so q · k = {number(d.product)}"
        )
    steps = [f"**Score.** {codes[0].upper()}{codes[1:]}; ÷ √{len(d.q)}: {score}."]
    if not d.visible:
        masked = f"**Mask.** {k_name} comes after {q_name}, so the score becomes **{'−10⁹' if s.empty_row == 'fill' else '−∞'}**"
        if d.weights[key] == 0:
            return [*steps, f"{masked} and its weight exactly **0**."]
        return [*steps, f"{masked}.", _of_empty_row(s, d, q_name, key), _weighed(d, key)]
    why = f"{k_name} is not later than {q_name}" if s.causal else "it is switched off"
    then = f", until the policy for an empty row makes it {closed}" if (closed := closed_scores(s, d)) else ""
    steps.append(f"**Mask.** {why[0].upper()}{why[1:]}: the score stays {number(d.score, 3, sign=True)}{then}.")
    if _is_empty(d) and s.empty_row != "soft":
        steps.append(_of_empty_row(s, d, q_name, key))
    else:
        steps.append(f"**Softmax.** {_softmax_of(s, d, key).replace(' = ', ' = **').replace(' ≈ ', ' ≈ **')}**.")
    return [*steps, _weighed(d, key)]


def _of_empty_row(s: Scenario, d: Derivation, q_name: str, key: int) -> str:
    """What the policy for empty rows makes of a weight, though it be of a hidden token."""
    return (
        f"**Softmax.** Nothing that {q_name} may see matches the rule, and softmax alone would share the weight out all the "
        f"same. Policy for an empty row: {EMPTY_ROW_NAMES[s.empty_row]}. Weight **{weight(d.weights[key])}**."
    )


def _weighed(d: Derivation, key: int) -> str:
    """The key's weight times its value, as a part of the context."""
    part = (
        "every weight of the row is 0: its context is **none**" if not d.weights.any() else f"one part of the context {_total(d)}"
    )
    return f"**Weight × value.** {_share(d, key)}, {part}."


def _share(d: Derivation, key: int) -> str:
    """What the key's value adds to the context."""
    w, v = d.weights[key], d.values[key]
    return f"{_product(w, v)} {_equal(_number_shown(w) * _entered(v), _number_shown(d.share))} {signed(d.share)}"


def _total(d: Derivation) -> str:
    """All visible values times their weights, added up; and what leaks in where −10⁹ stands for −∞."""
    parts = [(w, v) for w, v, seen in zip(d.weights, d.values, d.mask, strict=True) if seen or w]
    written = " + ".join(_product(w, v) for w, v in parts)
    left_out = any(v and 0 < w < SMALL for w, v in parts)  # however little: the result is then not the sum to the last digit
    made = 0.0 if abs(d.context) < 1e-12 * max(abs(v) for _, v in parts) else d.context  # what rounding leaves of a sum that is 0
    equal = "≈" if left_out else _equal(sum(_number_shown(w) * _entered(v) for w, v in parts), _number_shown(made))
    return f"{written} {equal} **{signed(made)}**"


def _product(w: float, v: float) -> str:
    """A weight times a value, a negative one in brackets."""
    return f"{weight(w)} × {in_brackets(entered(v))}"


def _equal(written: float, shown: float) -> str:
    """The sign between what is written out and its result as it is shown: = only where the two are the same number.

    >>> _equal(0.5 * 20, 10), _equal(5.6e-8 * 10, 5.6e-7), _equal(5.6e-8 * 10, 0)
    ('=', '=', '≈')
    """
    return "=" if np.isclose(written, shown, rtol=1e-9, atol=0, equal_nan=True) else "≈"


def _number_shown(x: float) -> float:
    """The number that stands on the page where `signed` writes x."""
    return float(f"{x:.1e}") if 0 < abs(x) < SMALL else rounded(float(x), 4)


def _entered(x: float) -> float:
    """The number that stands on the page where `entered` writes x."""
    return float(f"{x:.1e}") if abs(x) < 0.005 else rounded(float(x), digits_entered(x))


def _entries(numbers: np.ndarray, at: int) -> str:
    """The entries of a vector, the one at `at` in bold."""
    return ", ".join(f"**{number(x)}**" if j == at else number(x) for j, x in enumerate(numbers))


def _sum(terms: list[str]) -> str:
    """Terms added up, equal ones gathered: 2 e⁸ + 2 e⁻⁸."""
    gathered = {term: terms.count(term) for term in terms}
    return " + ".join(f"{count} {term}" if count > 1 else term for term, count in gathered.items())
