"""A question whose answers are parts of the figure beside it: one that is pressed there is the answer, as one pressed beneath it is."""

from collections.abc import Callable, Sequence

from pages.parts.drawing.answers import Asked
from pages.parts.question.predict import commit
from pages.parts.question.question import Question, may_be_answered
from pages.parts.text.format import unmarked
from pages.parts.visit.scenario import on_paper


def asked_in(question: Question, parts: Sequence[str]) -> Asked:
    """How the figure is to draw it. parts: of each of its parts the option that pressing it takes, what is none of them for none."""
    open_ = not (question.answered or question.kept_guess is not None or on_paper())
    guess = unmarked(question.guess) if question.guess in parts else ""
    names = tuple(unmarked(part) if part in question.options else "" for part in parts)
    right = unmarked(question.answer) if question.answered and question.answer in parts else ""
    return Asked(names, open_, question.answered, guess, right)


def pressed(question: Question, parts: Sequence[str]) -> Callable[[int], None]:
    """What a part that is pressed does."""

    def press(k: int) -> None:
        if k < len(parts) and parts[k] in question.options and not question.answered:
            commit(question, parts[k])

    return press


def asked_when_said(key: str, make: Callable[[], Question], parts: Sequence[str]) -> tuple[Asked, Callable[[int], None]]:
    """Both, for a figure that follows the finger: the question of that key is made only where something was said of it, and when one
    of the parts, all of them options, is pressed."""
    if may_be_answered(key):
        return asked_in(make(), parts), pressed(make(), parts)
    return Asked(tuple(map(unmarked, parts)), not on_paper(), known=False), lambda k: pressed(make(), parts)(k)
