"""A quiz: so many questions about one lesson or about all, drawn by a seed, the same for everybody who has the link."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from random import Random

from pages.lessons.quiz.makers import MAKERS
from pages.lessons.quiz.task import Maker, Task

MIXED = "mixed"
LEAST = 3  # kinds of questions of which a lesson makes a quiz of its own
LENGTHS = (5, 10, 20)
MOST_SEED = 9999
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

    Each lesson in turn, each kind once before one comes again, and no question twice. ValueError for an unknown topic or n below 1.
    """
    if topic not in TOPICS or n < 1:
        raise ValueError(f"expected one of {', '.join(TOPICS)} and at least 1 question, got {topic!r} and {n}")
    rng, found, asked = Random(f"{topic} {seed}"), [], set()
    kinds = []
    while len(found) < n:
        kinds = kinds or _in_turn(rng, [maker for maker in MAKERS if topic in (MIXED, maker.lesson)])
        maker = kinds.pop(0)
        task = maker.draw(rng)
        while task.asked in asked:
            task = maker.draw(rng)
        asked.add(task.asked)
        found.append(Drawn(maker, task))
    return tuple(found)


def _in_turn(rng: Random, kinds: list[Maker]) -> list[Maker]:
    """Shuffled, so that each lesson comes once before one comes again, as far as it has kinds left."""
    rounds: dict[int, list[Maker]] = {}
    seen: Counter[str] = Counter()
    for maker in rng.sample(kinds, len(kinds)):
        rounds.setdefault(seen[maker.lesson], []).append(maker)
        seen[maker.lesson] += 1
    return [maker for k in sorted(rounds) for maker in rounds[k]]
