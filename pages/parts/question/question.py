"""A question: what is asked, what the engine computed for it, what this visit predicted, and how the two are written.

The answer belongs to the scenario as it is now: when the scenario changes so that question or answer change, it is open again.
Paper, a class vote and a lock each take questions over and hide answers, and whoever is at work may have them all shown: these are
its hosts, which register here in order.
"""

import hashlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import isfinite

from pages.parts.text.format import number, scientific, with_unit
from pages.parts.visit.session import of_this_visit

SIGNS = ".,;:!?…"  # of which an answer may be made alone; it then stands in quotation marks
MOST_WRITTEN = 1e12  # a larger number is written as a power of ten


@dataclass(frozen=True)
class Question:
    """What is asked and what was computed. `asked` and `answer` tell it from the same question about another scenario."""

    key: str
    asked: str  # Markdown, as why and options are: words that people typed go through format.md
    answer: float | str  # a number, judged right within `tolerance`, or one of `options`
    why: str
    options: tuple[str, ...] = ()
    tolerance: float = 0.01
    unit: str = ""
    # Of a wrong option or number what leads to it, said where it was predicted.
    slips: Mapping[float | str, str] = field(default_factory=dict)
    # What a number may be that is meant as an answer, wide enough for every mistake: they come from what is asked, never from the answer,
    # because they are said before it.
    low: float = 0.0
    high: float = 1e6
    drawn: str = ""  # the part of `asked` that a picture above the question says, left out beneath it

    @property
    def id(self) -> str:
        """Tells this very question from all others, in a class vote. It stays on the server: who knows what is asked finds the
        answer in it by trying."""
        return _id(self.key, self.asked, self.answer)

    @property
    def guess(self) -> float | str | None:
        """What was predicted of this very question, None while it is open, and while a host hides the answer."""
        return None if answer_is_shown(self.id) is False else self.kept_guess

    @property
    def kept_guess(self) -> float | str | None:
        """The same, whether or not the answer may be shown."""
        asked, answer, guess = guesses().get(self.key, ("", "", None))
        return guess if (asked, answer) == (self.asked, self.answer) else None

    @property
    def answered(self) -> bool:
        """Whether this very question has been answered, for a figure that hides the answer until then."""
        return self.guess is not None or bool(answer_is_shown(self.id))

    def is_right(self, guess: float | str) -> bool:
        """Whether a prediction is the answer, numbers within the tolerance or written alike."""
        if self.options:
            return guess == self.answer
        return abs(guess - self.answer) <= self.tolerance * (1 + 1e-9) or written(self, guess) == answer_text(self)

    def slip(self, guess: float | str) -> str:
        """What leads to a wrong prediction, "" where that is not known."""
        if self.options:
            return self.slips.get(guess, "")
        return next((said for number, said in self.slips.items() if abs(guess - number) <= max(self.tolerance, 1e-9)), "")

    def refusal(self, guess: object) -> str:
        """Why this can be no answer to the question, "" where it can: a sentence that says what was expected.

        >>> Question("", "", 1, "", unit="blocks", high=16).refusal(99999.0)
        '99,999 blocks cannot be meant here: expected a number from 0 to 16.'
        >>> Question("", "", 1, "", high=16).refusal(-1e300)
        '−1·10³⁰⁰ cannot be meant here: expected a number from 0 to 16.'
        """
        if self.options:
            return "" if guess in self.options else "That is none of the answers to choose from."
        if not isinstance(guess, int | float) or isinstance(guess, bool) or not isfinite(guess):
            return f"Expected a number from {number(self.low)} to {number(self.high)}."
        if written(self, guess) == written(self, min(max(guess, self.low), self.high)):  # 16.00001 is not told from 16
            return ""
        said = written(self, guess) if abs(guess) < MOST_WRITTEN else "−" * (guess < 0) + scientific(abs(guess), 0)
        return f"{said} cannot be meant here: expected a number from {number(self.low)} to {number(self.high)}."


@dataclass(frozen=True)
class Host:
    """What takes a question over from its own form: paper, a class vote, a lock, a link that shows the answers."""

    # Told a question's id: whether its answer is shown to everybody (True), hidden from everybody (False), or not the host's matter (None).
    shows: Callable[[str], bool | None]
    # Told a question and what draws its form: draws what stands in place of the form and the verdict, and returns as `predict` does;
    # None leaves it to the next host.
    draw: Callable[[Question, Callable[[], None]], bool | None]
    takes: Callable[[Question, float | str], bool] = lambda q, guess: True  # told a question and a prediction, whether it counts
    framed: bool = True  # whether it draws within the question's frame, beneath what is asked; else it draws these two itself
    # Told a question: what draws something on the line of what is asked, None for nothing.
    beside: Callable[[Question], Callable[[], None] | None] = lambda q: None
    opens: Callable[[], bool] = lambda: False  # whether it may now show answers to questions that this visit has said nothing of


@dataclass
class Predictions:
    """What a visit has predicted, by the key of each question."""

    on_page: list[Question] = field(default_factory=list)  # the questions of the page that is drawn, in order
    # What was asked, the answer then, the guess.
    guesses: dict[str, tuple[str, float | str, float | str]] = field(default_factory=dict)
    right: dict[str, bool] = field(default_factory=dict)  # whether that was right
    answered_in: dict[str, set[str]] = field(default_factory=dict)  # by the lesson's address, all that were ever answered
    refused: tuple[str, str] = ("", "")  # (key, why) of the last prediction that was no answer, until its form has said so


predictions = of_this_visit(Predictions)
HOSTS: list[Host] = []  # in the order in which they are asked; lesson.py registers them


def answer_is_shown(question_id: str) -> bool | None:
    """Whether the answer to the question of that id is shown to everybody or hidden, by the first host that has a say."""
    return next((said for host in HOSTS if (said := host.shows(question_id)) is not None), None)


def may_be_answered(key: str) -> bool:
    """Whether a question of that key can stand answered, before it is made: something was said of it, or a host opens answers."""
    return key in guesses() or any(host.opens() for host in HOSTS)


def asked_on_this_page(collect: bool = False) -> list[Question]:
    """The questions of the page that is being drawn, in order. collect: begin anew, as a page does that will need them."""
    if collect:
        predictions().on_page = []
    return predictions().on_page


def answer_text(q: Question) -> str:
    """The computed answer as it is written, with its unit."""
    return written(q, q.answer)


def written(q: Question, answer: float | str) -> str:
    """An answer or a prediction with its unit, which is one of many units where the number is not 1.

    >>> tokens = Question("", "", 1, "", unit="tokens")
    >>> written(tokens, 1.0), written(tokens, 2.0), written(Question("", "", ".", "", options=(".",)), ".")
    ('1 token', '2 tokens', '“.”')
    """
    if q.options:
        return str(answer) if str(answer).strip(SIGNS) else f"“{answer}”"
    return with_unit(number(answer, 4), q.unit)


def mistakes(q: Question) -> str:
    """A list of the wrong answers of which it is known what leads to them, each with that; "" where there are none."""
    return "\n".join(f"- **{written(q, answer)}**: {slip}" for answer, slip in q.slips.items() if not q.is_right(answer))


def committed(key: str) -> tuple[float | str, float | str] | None:
    """(answer, prediction) of a question that was answered, be it before the scenario changed; None where it was not, or where
    its answer may not be shown."""
    asked, answer, guess = guesses().get(key, ("", "", None))
    return (answer, guess) if guess is not None and answer_is_shown(_id(key, asked, answer)) is not False else None


def remember(q: Question, guess: float | str) -> None:
    """Keep what was predicted, and whether that is right as the question judges it."""
    guesses()[q.key] = (q.asked, q.answer, guess)
    predictions().right[q.key] = q.is_right(guess)


def reopen(keys: Iterable[str]) -> None:
    """Forget what was predicted of these questions."""
    for key in keys:
        guesses().pop(key, None)


def answered_in() -> dict[str, set[str]]:
    """The keys of all questions that this visit has answered, by the lesson's address, whatever was edited since."""
    return predictions().answered_in


def right_so_far() -> tuple[int, int]:
    """Of the questions that this visit has predicted and whose answers may be shown: how many it has right, and how many they are."""
    known = [key for key in guesses() if committed(key)]
    return sum(predictions().right[key] for key in known), len(known)


def verdict(q: Question) -> str:
    """The computed answer, beside the prediction where there is one."""
    return f"Computed: **{answer_text(q)}**." if q.guess is None else verdict_on(q, q.guess)


def verdict_on(q: Question, guess: float | str) -> str:
    """The prediction beside the computed answer."""
    answer = answer_text(q)
    if q.is_right(guess):
        if written(q, guess) != answer:
            return f":green[:material/check_circle: Near enough:] **{answer}**; you predicted {written(q, guess)}."
        return f":green[:material/check_circle: Right:] **{answer}**, as you predicted."
    if slip := q.slip(guess):  # of what was predicted, so it stands beside it
        said = f"You predicted {written(q, guess)}. {slip} Computed: **{answer}**."
    elif q.options:
        said = f"You predicted {written(q, guess)}; computed: **{answer}**."
    else:
        said = f"{how_far_off(q.answer, guess)}: **{answer}**; you predicted {written(q, guess)}."
    return f":red[:material/cancel:] {said}"


def how_far_off(answer: float, guess: float) -> str:
    """What a teacher says of a number that is not the answer.

    >>> [how_far_off(*both) for both in ((2, 3), (4, 2), (0.5, 1), (0, 7), (62.3, 55), (5, -5))]
    ['One less', 'Twice that', 'Half of that', 'Less', 'More', 'More']
    """
    if abs(answer - guess) == 1 and answer == int(answer) and guess > 1:
        return "One more" if answer > guess else "One less"
    for factor, said in ((2, "Twice that"), (0.5, "Half of that")):
        if guess and abs(answer / guess - factor) < 0.005:
            return said
    return "More" if answer > guess else "Less"


def _id(key: str, asked: str, answer: float | str) -> str:
    return hashlib.sha256(repr((key, asked, answer)).encode()).hexdigest()[:24]


def guesses() -> dict[str, tuple[str, float | str, float | str]]:
    """Of each question that was answered: what was asked, the answer then, the guess."""
    return predictions().guesses
