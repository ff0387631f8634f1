"""The teacher's notes in a second window of the same browser: they follow the projected lesson, step and numbers."""

from driving import settled
from reading import says, until


def test_the_notes_follow_the_lesson_in_the_other_window(visit):
    lesson = visit("/rules?slide=2")
    notes = lesson.context.new_page()
    notes.goto(lesson.url.replace("slide=2", "slide=2&notes=on"))
    settled(notes)
    assert "12.5" in notes.locator(".stMain").inner_text() and notes.locator(".tbt-figure").count() == 0
    lesson.locator(".st-key-slide_next button").click()
    until(lesson, lambda: "slide=3" in lesson.url, True)
    until(notes, lambda: "slide=3" in notes.url and "notes=on" in notes.url, True)
    says(notes, "step_names", "3 Nothing matches")
    assert "notes" not in lesson.url
