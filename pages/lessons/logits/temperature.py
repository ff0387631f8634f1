"""What a temperature makes of the likeliest word’s chance: logits divided by one number before softmax."""

import numpy as np

from engine import probabilities
from engine.cost.units import rounded
from engine.model import ForwardPass
from engine.sampling import greedy, likeliest
from engine.toy.scenario import Scenario
from pages.lessons.logits.figures.two_temperatures import Waits, two_temperatures
from pages.lessons.logits.steps import with_finite_logits
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.digits import as_number, equals, in_brackets, side_by_side
from pages.parts.text.format import e_to, md, number, percent, superscript
from pages.parts.text.softmax_residue import as_by_hand, residue

HOT = 2.0  # the temperature that the question asks about
LARGE = 1.1  # a figure of few rows, presented
NEAR = 5  # percent, in the head: nobody is asked for a calculator


def temperature_question(s: Scenario) -> Question:
    """What a temperature of 2 makes of the likeliest word's probability."""
    s, run, guard = with_finite_logits(s)
    logits = run.logits[-1]
    best = greedy(logits)
    cold, hot = probabilities(logits)[best], probabilities(logits, HOT)[best]
    why = f"It halves every gap between logits: {_halved(logits)}" if len(s.words) > 1 else "There is no other word to draw"
    return Question(
        "temperature",
        f"{guard}A **temperature** of {number(HOT)} divides all logits by {number(HOT)} before softmax. What is the chance of "
        f"“{md(s.words[best])}” then, in percent? (Within {NEAR}.)",
        round(100 * float(hot), 1),
        f"{why}.",
        tolerance=NEAR,
        unit="%",
        high=100,
        slips={100 * float(cold) / HOT: "It is the logits that are divided, not the chance."},
    )


@step(
    "Temperature",
    minutes=5,
    ask="Temperature 2: what is the chance of the likeliest word now?",
    wrong={
        "Half of what it was": "logits are halved, not chances; the exponential stands between them",
        "The order of the words changes": "dividing all logits by one number keeps their order",
    },
)
def ask_temperature(s: Scenario, run: ForwardPass) -> None:
    """What dividing the logits makes of the likeliest word's probability: the last column waits for the answer."""
    lead(
        "Softmax makes chances of logits. A **temperature** is a number that divides the logits before.", "softmax", "temperature"
    )
    question = temperature_question(s)
    s, run, _ = with_finite_logits(s)
    logits = run.logits[-1]
    plain, hot = probabilities(logits), probabilities(logits, HOT)
    hidden = not question.answered
    best = greedy(logits)
    told_hot = "?" if hidden else percent(hot[best])
    said = f"“{s.words[best]}” at temperature {number(HOT)}: {percent(plain[best])} → {told_hot}"
    drawn_on = under_headline(sheet(slide_zoom=LARGE), said, f"“{s.words[best]}”: {percent(plain[best])} → {told_hot}")
    guess = question.guess if not hidden and isinstance(question.guess, float | int) else None
    figure = two_temperatures(drawn_on, logits, (plain, hot), HOT, s.words, Waits(hidden, guess))
    told = "; ".join(
        f"“{w}”: {percent(a)}, then {'?' if hidden else percent(b)}" for w, a, b in zip(s.words, plain, hot, strict=True)
    )
    plot(figure, f"Probabilities at temperature 1 and at {number(HOT)}. {told}.", "temperature_chances")
    predict(question)


def _halved(logits: np.ndarray) -> str:
    """The gap between the two highest logits, what halving makes of it, and of the odds, with digits to see it by."""
    second, first = np.sort(logits)[-2:].tolist()
    gap = first - second
    if len(likeliest(logits)) > 1:
        (said, _) = side_by_side([as_by_hand(first, residue((first,)))] * 2)
        return f"{said} − {in_brackets(said)} = 0 becomes 0, so the odds against the second stay at 1.00, for the two are level"
    if gap > 1e-3:
        second, first = (as_by_hand(x, residue((first, second))) for x in (second, first))
        gap = first - second
    exact = next((d for d in (2, 3) if abs(round(gap / HOT, d) - gap / HOT) < 1e-9), 2)
    digits = min(max(exact, 1 - int(np.floor(np.log10(gap / HOT)))), 9)
    high, low, whole, half = (number(x, digits) for x in (first, second, gap, gap / HOT))
    odds = [f"{e_to(x, digits)} {_equals_sign(x, digits)} {_odds(x, digits)}" for x in (gap, gap / HOT)]
    equal = equals(as_number(high) - as_number(low), whole)
    return f"{high} − {in_brackets(low)} {equal} {whole} becomes {half}, so the odds against the second fall from {odds[0]} to {odds[1]}"


def _equals_sign(gap: float, digits: int) -> str:
    """Whether e to the power of the gap as it is written has the digits of e to the power of the gap itself: = or ≈."""
    return "=" if _odds(rounded(gap, digits), digits) == _odds(gap, digits) else "≈"


def _odds(gap: float, digits: int = 2) -> str:
    """e to the power of a gap, short: whole from 1,000 on, and from 10,000 on a power of ten, however large it is.

    >>> _odds(0.0), _odds(1.1), _odds(9.000002), _odds(20.0), _odds(4000.0)
    ('1.00', '3.00', '8,103', '4.9·10⁸', '1.5·10¹⁷³⁷')
    """
    if gap < np.log(1e4):
        return f"{np.exp(gap):,.{0 if gap >= np.log(1e3) else digits}f}"
    power, rest = divmod(gap / np.log(10), 1)
    mantissa, one_more = f"{10**rest:.1e}".split("e")
    return f"{mantissa}·10{superscript(int(power) + int(one_more))}"
