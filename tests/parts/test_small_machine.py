"""The small machine beside a lesson's steps: what it names are its columns, and steps and lessons that there are."""

import re
from pathlib import Path

from app_pages import names_of

from pages.parts.lesson.small_machine import IN_STEP, LEADS, SHOWS


def test_the_small_machine_names_columns_lessons_and_steps_that_there_are():
    assert all(set(columns) <= set(LEADS) for columns in (*SHOWS.values(), *IN_STEP.values()))
    assert max(map(len, SHOWS.values())) <= 2 and max(map(len, IN_STEP.values())) <= 3, "where so much is marked nothing is"
    assert (
        {"scores", "mask", "weights"} == set(IN_STEP["attention", 1])
        and "scores" in IN_STEP["counting", 1]
        and IN_STEP["cache", 1]
    )
    assert set(LEADS.values()) <= set(SHOWS) and {lesson for lesson, _ in IN_STEP} <= set(SHOWS)
    assert all(1 <= step <= len(names_of(lesson)) for lesson, step in IN_STEP)
    assert all(columns != SHOWS[lesson] for (lesson, _), columns in IN_STEP.items())


def test_each_column_has_its_colour_where_it_stands():
    """The colours are told by place: a column that is put in between would hand them to its neighbours."""
    css = (Path(__file__).parents[2] / "pages" / "app" / "frame.css").read_text("utf-8")
    colours = {"query": "query", "key": "key", "value": "value", "next word": "decode"}
    for selector in (r"button:nth-of-type\((\d)\)", r"\.tbt-columns > :nth-child\((\d)\)"):
        told = re.findall(selector + r"[^{}\n]*\{ --c: var\(--(\w+)\)", css)
        assert {list(LEADS)[int(place) - 1]: colour for place, colour in told} == colours
