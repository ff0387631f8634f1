"""Which dialog is open. Every run of the page draws it again, so that it stays open whatever runs: a phone that is turned, the
teacher's other window, a theme that changes by itself. It closes when somebody closes it, or where a dialog gives way to another."""

from dataclasses import dataclass

from pages.parts.visit.session import of_this_visit

SHARE, CODE, WORDS = "share", "code", "words"


@dataclass
class Dialog:
    """name: of the one that is open, "" for none."""

    name: str = ""


dialog = of_this_visit(Dialog)


def open_dialog(name: str) -> None:
    """That one is open from now on, in the place of any other."""
    dialog().name = name


def is_open(name: str) -> bool:
    """Whether that one is open, and has to be drawn."""
    return dialog().name == name


def close() -> None:
    """None is open. Called by whoever dismisses one, too."""
    dialog().name = ""
