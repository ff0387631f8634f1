"""The teacher's notes in a second window of the same browser: the two follow each other, step, lesson and numbers."""

import pytest
from driving import settled
from reading import click, says, turn_to, until


@pytest.fixture
def two_windows(visit):
    """A presented lesson, and its notes in another window."""
    lesson = visit("/rules?slide=2&present=on")
    notes = lesson.context.new_page()
    notes.goto(lesson.url.replace("present=on", "notes=on"))
    settled(notes)
    yield lesson, notes
    notes.close()


def test_the_two_windows_follow_each_other_into_the_next_lesson_too_and_no_third_tab(two_windows, visit):
    lesson, notes = two_windows
    assert "12.5" in notes.locator(".stMain").inner_text() and notes.locator(".tbt-figure").count() == 0
    lesson.locator(".st-key-slide_next button").click()
    until(notes, lambda: "slide=3" in notes.url and "notes=on" in notes.url, True)
    says(notes, "step_names", "3 Nothing matches")
    assert "present" not in notes.url and "notes" not in lesson.url and "present=on" in lesson.url
    turn_to(notes, 4)
    until(lesson, lambda: "slide=4" in lesson.url, True)
    says(lesson, "presented", "4 / 4")
    click(notes.locator(".st-key-slide_next button"))
    until(lesson, lambda: "/attention" in lesson.url, True)
    settled(lesson)
    says(lesson, "presented", "1 / 4")
    assert "present=on" in lesson.url and "notes" not in lesson.url
    until(notes, lambda: "/attention" in notes.url and "notes=on" in notes.url, True)
    here = lesson.url, notes.url
    third = visit("/decode?tokens=other,words")  # a tab of the same browser that has nothing to do with the two
    third.keyboard.press("ArrowRight")
    until(third, lambda: "step=" in third.url, True)
    for page in (third, lesson, notes):
        settled(page)
    assert (lesson.url, notes.url) == here  # nor has one sent the other back
