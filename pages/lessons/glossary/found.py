"""The search: a few letters against the names of terms, lessons and steps, then against their sentences."""

from collections.abc import Mapping
from dataclasses import dataclass

from pages.parts.lesson.lesson import Lesson
from pages.parts.lesson.terms import SHOWN_IN, TERMS
from pages.parts.text.format import md


@dataclass(frozen=True)
class Hit:
    """What was found: its name, what is said of it as Markdown, and the lesson and step that show it."""

    name: str
    text: str
    lesson: str
    slide: int = 1


def search(asked: str, lessons: Mapping[str, Lesson]) -> list[Hit]:
    """Everything whose name or sentence contains all words of `asked`, names before sentences.

    >>> [hit.name for hit in search("SOFTM", {})][0]
    'softmax'
    >>> search("", {})
    []
    """
    words = asked.casefold().split()
    ranked = [(rank, hit) for hit in _all_hits(lessons) if words and (rank := _rank(words, hit)) is not None]
    return [hit for _, hit in sorted(ranked, key=lambda pair: pair[0])]


def _rank(words: list[str], hit: Hit) -> int | None:
    """0 where the name begins with what is asked, 1 where it contains it, 2 where name and sentence do; None for no hit."""
    name = hit.name.casefold()
    if not all(word in f"{name} {hit.text.casefold()}" for word in words):
        return None
    return 0 if name.startswith(words[0]) else 1 if all(word in name for word in words) else 2


def _all_hits(lessons: Mapping[str, Lesson]) -> list[Hit]:
    terms = [Hit(name, sentence, SHOWN_IN.get(name, "")) for name, sentence in TERMS.items()]
    titles = [Hit(lesson.title, md(lesson.question), name) for name, lesson in lessons.items()]
    steps = [
        Hit(step.name, f"step {at} of “{md(lesson.title)}”", name, at)
        for name, lesson in lessons.items()
        for at, step in enumerate(lesson.steps, 1)
    ]
    return [*terms, *titles, *steps]
