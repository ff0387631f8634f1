"""The projected lesson and the teacher's notes, two windows of one browser that follow each other.

Which two belong together, and what one tells the other, is settled between them in the browser (windows.js). What a window has heard
arrives here with the next run, at its very beginning: a run that another page's turning has cut short must not lose it.
"""

from pages.parts.visit import address, all_lessons, location, scenario, scenario_query
from pages.parts.visit.components import STORAGE, component, no_callback
from pages.parts.visit.view_parameters import that_are
from pages.parts.vote import ownership

OWN = that_are("window")  # what each of the two keeps to itself when it follows the other
_COMPONENT = component("windows", __file__, before=STORAGE)


def follow() -> None:
    """Go where the other window has gone. Called once a page, before it is drawn."""
    room = (ownership.teaching() or ("",))[0]
    data = {"own": ",".join(OWN), "room": room, "took": ownership.took_back()}
    told = _COMPONENT(key="windows", data=data, on_moved_change=no_callback, height=1).moved
    heard = as_heard(told)
    if heard is None or heard[0] == address.messages().heard:
        return
    number, lesson, query = heard
    address.acknowledge(number)  # a run that is begun again is told the same again
    own = {name: text for name in OWN if (text := scenario.extra(name))}
    scenario.open_link({name: text for name, text in query.items() if name not in OWN} | own)
    if lesson in all_lessons.of_visit().lessons and lesson != location.now().lesson:
        location.open_lesson(lesson)


def as_heard(message: object) -> tuple[int, str, dict[str, str]] | None:
    """(number of the message, lesson, query) that a browser sent; None for whatever else it may have sent.

    >>> as_heard({"number": 7, "path": "/course/decode", "search": "slide=2&step=1"})
    (7, 'decode', {'slide': '2', 'step': '1'})
    """
    if not isinstance(message, dict):
        return None
    number, path, query = message.get("number"), message.get("path"), scenario_query.as_query(message.get("search"))
    if type(number) is not int or not isinstance(path, str) or len(path) > scenario_query.MOST_QUERY or query is None:
        return None
    return number, path.rstrip("/").rpartition("/")[2], query
