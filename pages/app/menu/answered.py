"""The menu says how many questions of a lesson have been answered; the browser remembers it (answered.js), the server nothing."""

import json

from pages.parts.question.question import answered_in
from pages.parts.visit import address
from pages.parts.visit.components import STORAGE, component

_COMPONENT = component("answered", __file__, before=STORAGE)


def of_lessons() -> dict[str, list[str]]:
    """What this visit has answered in each lesson."""
    return {lesson: sorted(keys) for lesson, keys in answered_in().items()}


def tell_the_browser() -> None:
    """Hand over what this visit has answered. The menu is drawn anew with every page."""
    _COMPONENT(key="answered_menu", data={"answered": json.dumps(of_lessons()), "run": address.next_run()}, height=1)
