"""Pages and shared beginnings in a real browser: the pool by its buttons, a prompt typed, a question answered."""

from reading import figures_as_text, says, turn_to, until
from said import in_order


def test_the_pool_and_two_prompts(visit):
    page = visit("/paging?event=3")
    page.locator(".st-key-event_next button").click()
    says(page, "takeaway_pool", "block 1", "copy", "block 2")
    turn_to(page, 3)
    page.locator(".st-key-two_second input").fill("It is winter in Oslo. Today's soup")
    page.keyboard.press("Enter")
    said = in_order("first 9", "blocks of 4", "8 tokens", "second")
    until(page, lambda: bool(said.search(figures_as_text(page)[0])), True)
    says(page, "takeaway_two", "rounding")
    page.locator(".st-key-guess_again_tokens input").fill("1")
    page.locator("[data-testid='stFormSubmitButton'] button").click()
    says(page, "answer_again_tokens", "check_circle", "1 token")
