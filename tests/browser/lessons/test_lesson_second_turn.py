"""The second turn of a chat in a real browser: a number is typed, and the clock's rows are shown."""

from reading import figures_as_text, says, tab_to, until
from said import in_order


def test_the_clock_is_typed_and_its_rows_are_shown(visit):
    page = visit("/second_turn")
    assert "clock" not in figures_as_text(page)[0]
    tab_to(page, ".st-key-guess_clock_first input")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    says(page, "answer_clock_first", "check_circle", "0 tokens")
    first = in_order("clock", "first", "0 of 25 tokens", "cache")
    until(page, lambda: bool(first.search(figures_as_text(page)[0])), True)
    says(page, "takeaway_turn", "unchanged")
