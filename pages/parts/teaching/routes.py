"""Ways through the lessons: the story, a class of 45 or 90 minutes, a teacher's own, or every step. On a route, Next and Back follow it.

Which steps a route has the router says (pages/app/route_steps.py); a lesson that runs by itself has none. The minutes of a class
are those of the teacher's notes. A route ends at its last step, which says so: a class's Next leads no further there.
"""

from typing import NamedTuple

from engine.toy.presets import ALL_SWIM
from pages.parts.visit import all_lessons, location, scenario
from pages.parts.visit.parameters import Choice

ROUTE = Choice("route")
SELF = "self"
STORY = "story"
OWN = "own"  # a teacher's: own_route.py
MINUTES = {"45": 45, "90": 90}  # of a class
CLASSES = (*MINUTES, OWN)
NAMES = {STORY: "Story", **{route: f"{minutes} min" for route, minutes in MINUTES.items()}, OWN: "Own", SELF: "Every step"}
END = {
    STORY: "end of the story",
    OWN: "end of the route",
    **{route: f"end of the {minutes} minutes" for route, minutes in MINUTES.items()},
}

# Of a lesson whose steps were merged: for each step in order its number in a link, and the numbers of the steps that went into it, so
# that links made before lead where they led.
NUMBERS = {
    "rules": ((1,), (2,), (3, 5), (4,)), "less": ((1, 5), (2,), (3,), (4,)), "memory": ((1,), (2, 4), (3,)),
    "roofline": ((1, 2, 3), (4, 5), (6, 8), (7,)),
}  # fmt: skip
# What Next brings along for who has no numbers of his own: an answer of different words, so that a wrong one is seen.
BRINGS = {STORY: ALL_SWIM}


class Stop(NamedTuple):
    """A step on a route: its lesson, its number there from 1, its name, and of its note the minutes and what to press there."""

    lesson: str
    at: int
    name: str
    minutes: int
    click: str = ""


def chosen() -> str:
    """The route of the link: a key of NAMES."""
    return ROUTE.value(NAMES, SELF)


def stops_of(route: str) -> tuple[Stop, ...]:
    """The steps of a route in order; none where every step is read."""
    return all_lessons.of_visit().own_route() if route == OWN else all_lessons.of_visit().routes.get(route, ())


def minutes(route: str) -> int:
    """That a class of the route is planned for; 0 where there is no class."""
    return sum(stop.minutes for stop in stops_of(OWN)) if route == OWN else MINUTES.get(route, 0)


def beside(at: int, by: int) -> Stop | None:
    """Where the route leads from step `at` of this lesson, by 1 or −1; None without a route, at its ends, and beyond them.

    Beside a stop stands the next one of the route, whatever lessons they are of; between stops, the next of this lesson, or of a
    later one.
    """
    along, here = stops_of(chosen()), _stop(at)[0]
    if here:
        k = here - 1 + by
        return along[k] if 0 <= k < len(along) else None
    order = {name: k for k, name in enumerate(all_lessons.of_visit().pages)}
    now = (order.get(location.now().lesson, -1), at)
    stops = {(order.get(stop.lesson, -1), stop.at): stop for stop in along}
    before, after = sorted(place for place in stops if place < now), sorted(place for place in stops if place > now)
    if not (before and after):
        return None
    return stops[after[0] if by > 0 else before[-1]]


def bring() -> None:
    """What the chosen route brings along, on the way from one of its steps to the next."""
    if chosen() in BRINGS:
        scenario.begin_with(BRINGS[chosen()])


def _stop(at: int, lesson: str = "") -> tuple[int, int]:
    """(which stop of the route step `at` of this lesson, or of another, is, from 1; how many there are), 0 where it is none."""
    stops = [(stop.lesson, stop.at) for stop in stops_of(chosen())]
    step = (lesson or location.now().lesson, at)
    return stops.index(step) + 1 if step in stops else 0, len(stops)


def end(at: int) -> str:
    """What is said where step `at` of this lesson is the last of the route, "" elsewhere."""
    k, n = _stop(at)
    return END[chosen()] if 0 < k == n else ""


def ends_here(at: int, by: int = 1) -> bool:
    """Whether Next, or Back for −1, leads no further from step `at`: a class begins and is over on its route, and who reads the story
    alone may go on."""
    k, n = _stop(at)
    return chosen() in CLASSES and 0 < k == (n if by > 0 else 1)


def counter(at: int, n_steps: int) -> tuple[str, str]:
    """Where step `at` of this lesson's `n_steps` stands: on a route the stop, and the planned minutes from here to its end."""
    k, n = _stop(at)
    if not k:
        return f"{at} / {n_steps}", ""
    left = sum(stop.minutes for stop in stops_of(chosen())[k - 1 :]) if chosen() in CLASSES else 0  # a class's, not a reader's
    return f"{k} of {n}", f"about {left} min left" if left else end(at)


def in_story(at: int) -> bool:
    """Whether step `at` of this lesson is a stop of the story, which is read."""
    return chosen() == STORY and bool(_stop(at)[0])


def progress(at: int) -> str:
    """Where on the chosen route step `at` of this lesson stands: "Story, 7 of 16"; "" where it is none of its stops."""
    return progress_of(location.now().lesson, at)


def progress_of(lesson: str, at: int) -> str:
    """The same of a step of another lesson."""
    k, n = _stop(at, lesson)
    return f"{NAMES[chosen()]}, {k} of {n}" if k else ""


def name(at: int, by: int) -> str:
    """The name of the stop that the route leads to, "" where it leads nowhere."""
    stop = beside(at, by)
    return stop.name if stop else ""


def number_of(lesson: str, at: int) -> int:
    """The number in a link of the step `at` of a lesson, counted from 1.

    >>> number_of("roofline", 3), number_of("cache", 3)
    (6, 3)
    """
    numbers = NUMBERS.get(lesson, ())
    return numbers[at - 1][0] if 0 < at <= len(numbers) else at


def step_of(lesson: str, number: int) -> int:
    """Which step of a lesson, from 1, a number in a link opens; 0 where it is none of a lesson whose numbers are listed.

    >>> step_of("roofline", 5), step_of("cache", 5), step_of("roofline", 99)
    (2, 5, 0)
    """
    if lesson not in NUMBERS:
        return number
    return next((at for at, numbers in enumerate(NUMBERS[lesson], 1) if number in numbers), 0)
