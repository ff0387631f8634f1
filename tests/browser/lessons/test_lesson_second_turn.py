"""The second turn of a chat in a real browser: the question reveals the clock's rows, a price is typed and kept in the link."""

from reading import figures_as_text, says, tab_to, turn_to, until
from said import in_order


def test_the_clock_and_the_prices(visit):
    page = visit("/second_turn")
    assert "clock" not in figures_as_text(page)[0]
    tab_to(page, ".st-key-guess_clock_first input")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    says(page, "answer_clock_first", "check_circle", "0 tokens")
    first = in_order("clock", "first", "0 of 25 tokens", "cache")
    until(page, lambda: bool(first.search(figures_as_text(page)[0])), True)
    says(page, "takeaway_turn", "unchanged")
    turn_to(page, 2)
    page.get_by_role("button", name="Prices").click()
    page.locator(".st-key-extra_price_write input").fill("1")
    page.keyboard.press("Enter")
    said = in_order("costs as much", "nothing kept")
    until(page, lambda: bool(said.search(figures_as_text(page)[0])), True)
    page.wait_for_function("location.search.includes('price_write=1')")
