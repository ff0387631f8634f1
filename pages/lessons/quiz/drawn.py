"""A quiz: so many questions about one lesson or about all, drawn by a seed, the same for everybody who has the link."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from pages.lessons.quiz.makers import MAKERS
from pages.lessons.quiz.task import Maker, Task

MIXED = "mixed"
LEAST = 3  # kinds of questions of which a lesson makes a quiz of its own
LENGTHS = (5, 10, 20)
MOST_SEED = 9999
EVERY = 3  # one question in so many is a statement
REDRAWS = 8  # of one kind, until another is asked
_KINDS = Counter(maker.lesson for maker in MAKERS)
TOPICS = (MIXED, *(lesson for lesson, n in _KINDS.items() if n >= LEAST))


@dataclass(frozen=True)
class Drawn:
    """A question of a quiz: the kind that it is of, and what was drawn."""

    maker: Maker
    task: Task


@lru_cache(maxsize=256)
def quiz(topic: str, seed: int, n: int) -> tuple[Drawn, ...]:
    """The n questions of quiz `seed`. A shorter quiz is the beginning of a longer one of the same topic and seed.

    One question in three is a statement, true or false. Of each of the two forms every kind comes once before one comes again,
    and the lessons take turns. No two are twins: of one kind with the same options. ValueError for an unknown topic or n below 1.
    """
    if topic not in TOPICS or n < 1:
        raise ValueError(f"expected one of {', '.join(TOPICS)} and at least 1 question, got {topic!r} and {n}")
    rng, questions = Random(f"{topic} {seed}"), []
    kinds = [maker for maker in MAKERS if topic in (MIXED, maker.lesson)]
    while len(questions) < n:
        questions.append(_next_question(rng, kinds, questions))
    return tuple(questions)


def _next_question(rng: Random, kinds: Sequence[Maker], questions: Sequence[Drawn]) -> Drawn:
    """A question that has no twin among those found: of the kind, and then of the lesson, that was asked the fewest times.

    The other form of question is asked where this one has nothing new left: a statement never comes a second time in a quiz.
    """
    times = Counter(x for drawn in questions for x in (drawn.maker, drawn.maker.lesson))
    twins = {(drawn.maker, frozenset(drawn.task.options)) for drawn in questions}
    statement = len(questions) % EVERY == 1
    shuffled = rng.sample(kinds, len(kinds))
    for maker in sorted(shuffled, key=lambda m: (bool(m.misconception) != statement, times[m], times[m.lesson])):
        for _ in range(REDRAWS):
            task = maker.draw(rng)
            if (maker, frozenset(task.options)) not in twins:
                return Drawn(maker, task)
    raise RuntimeError(f"expected a question without a twin among {len(questions)} of {len(kinds)} kinds, got none")
