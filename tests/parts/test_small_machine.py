"""The small machine beside a lesson's steps: what it names are its columns, and steps and lessons that there are."""

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
