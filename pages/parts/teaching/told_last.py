"""What a step tells besides the answers to its questions: the handout's page of answers has it last, and the teacher's notes beneath."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from pages.parts.visit.session import of_this_visit


@dataclass
class ToldLast:
    """text: Markdown by its title, of what was drawn last."""

    text: dict[str, str] = field(default_factory=dict)


told_last = of_this_visit(ToldLast)


def tell_last(title: str, lines: Sequence[str]) -> None:
    """Leave to the page of the answers, and to the notes, what would be one on the screen."""
    told_last().text[title] = "\n".join(lines)
