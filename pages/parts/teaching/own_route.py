"""A teacher's own route: the steps of a class in its order with their minutes, kept in the link as cache.1.5,decode.1.6.

A link is hostile input: it has so many stops at most, a stop that is none is left out with a sentence that says so, and minutes
are moved into their range.
"""

import re
from functools import lru_cache

import streamlit as st

from pages.parts.teaching import routes
from pages.parts.visit import all_lessons, class_link, scenario
from pages.parts.visit.parameters import Text, set_widget
from pages.parts.visit.scenario_query import left_out

MOST, LONGEST = 40, 60  # stops, and minutes of one
OWN = Text("own_route", most_chars=1000)
STOP = r"([a-z_]{1,20})\.([0-9]{1,2})(?:\.([0-9]{1,3}))?"  # a lesson, its step from 1, minutes
STEPS = "own_route_steps"


def stops() -> tuple[routes.Stop, ...]:
    """The stops that the link has; none where no lessons are laid out."""
    return read(OWN.text(), tuple(all_lessons.of_visit().lessons.items()))[0]


def report_left_out() -> None:
    """Say what of the link's route is no stop, on a page that follows it. Called before the page, whose title tells it."""
    _, problems = read(OWN.text(), tuple(all_lessons.of_visit().lessons.items()))
    for problem in problems if routes.chosen() == routes.OWN else ():
        scenario.report(left_out(OWN.name, ValueError(problem)))


@lru_cache(maxsize=64)
def read(text: str, lessons: tuple[tuple[str, object], ...]) -> tuple[tuple[routes.Stop, ...], tuple[str, ...]]:
    """(the stops of a text, why others are left out). lessons: by name; a step is passed once."""
    steps = {(name, at): one for name, lesson in lessons for at, one in enumerate(lesson.steps, 1)}
    found: dict[tuple[str, int], routes.Stop] = {}
    problems = []
    parts = text.split(",") if text and steps else []
    if len(parts) > MOST:
        problems.append(f"expected at most {MOST} steps, got {len(parts)}")
    for part in parts[:MOST]:
        match = re.fullmatch(STOP, part)
        place = (match[1], routes.step_of(match[1], int(match[2]))) if match else ("", 0)
        if place not in steps:
            problems.append(f"expected a lesson, a step of it and minutes, as in cache.1.5, got {part[:40]!r}")
        elif place not in found:
            note = steps[place].note
            minutes = min(max(int(match[3] or note.minutes), 1), LONGEST)
            found[place] = routes.Stop(*place, steps[place].name, minutes, note.click)
    return tuple(found.values()), tuple(problems[:3])


def written(chosen: list[tuple[str, int, int]]) -> str:
    """A route as a link has it: lesson, step and minutes of each stop.

    >>> written([("cache", 1, 5), ("decode", 1, 6)])
    'cache.1.5,decode.1.6'
    """
    return ",".join(f"{lesson}.{routes.number_of(lesson, at)}.{minutes}" for lesson, at, minutes in chosen)


def editor() -> None:
    """Choose the steps of the route, in their order, and the minutes of each; and the way to its first one."""
    lessons, now = all_lessons.of_visit().lessons, stops()
    if not lessons:
        return
    names = {
        f"{name}.{at}": f"{one.name} · {lesson.title}"
        for name, lesson in lessons.items()
        for at, one in enumerate(lesson.steps, 1)
    }
    set_widget(STEPS, [f"{stop.lesson}.{stop.at}" for stop in now])
    st.multiselect(
        "Steps, in the order in which you choose them", list(names), key=STEPS, format_func=names.get, on_change=_keep_steps,
        max_selections=MOST, select_all=False,
    )  # fmt: skip
    columns = st.columns(2)
    for k, stop in enumerate(now):
        key = f"own_minutes_{stop.lesson}_{stop.at}"
        set_widget(key, stop.minutes)
        look = {"key": key, "on_change": _keep_minutes, "args": (k, key)}
        columns[k % 2].number_input(f"{k + 1} {stop.name}, min", 1, LONGEST, value=None, **look)
    if now:
        first = class_link.query_now() | {"slide": str(routes.number_of(now[0].lesson, now[0].at))}
        st.link_button(
            f"Open its first step, {now[0].name}", f"{now[0].lesson}?{class_link.as_text(first)}", icon=":material/route:"
        )


def _keep_steps() -> None:
    """The steps that are chosen; one that was there keeps its minutes."""
    had = {(stop.lesson, stop.at): stop.minutes for stop in stops()}
    lessons, chosen = all_lessons.of_visit().lessons, []
    for name in st.session_state[STEPS][:MOST]:
        lesson, at = name.split(".")
        note = lessons[lesson].steps[int(at) - 1].note
        chosen.append((lesson, int(at), had.get((lesson, int(at)), note.minutes)))
    OWN.set_text(written(chosen))


def _keep_minutes(k: int, key: str) -> None:
    """Of the stop k, counted from 0."""
    chosen = [(stop.lesson, stop.at, stop.minutes) for stop in stops()]
    minutes = st.session_state.get(key)
    if k < len(chosen) and isinstance(minutes, int):
        chosen[k] = (*chosen[k][:2], min(max(minutes, 1), LONGEST))
        OWN.set_text(written(chosen))
