"""The second turn of a chat in a real browser: the question reveals the clock's rows, a price is typed and kept in the link."""

from reading import figures_as_text, says, tab_to, turn_to, until


def test_the_clock_and_the_prices(visit):
    page = visit("/second_turn")
    assert "clock" not in figures_as_text(page)[0]
    tab_to(page, ".st-key-guess_clock_first input")
    page.keyboard.type("0")
    page.keyboard.press("Enter")
    says(page, "answer_clock_first", "0 tokens, as you predicted")
    until(page, lambda: figures_as_text(page)[0], "with a clock time first 0 of 25 tokens come from the cache")
    says(page, "takeaway_turn", "sent once is sent again unchanged")
    turn_to(page, 2)
    page.locator(".st-key-extra_price_write input").fill("1")
    page.keyboard.press("Enter")
    says(page, "takeaway_cost", "as much as with nothing kept")
    page.wait_for_function("location.search.includes('price_write=1')")
