"""The clock in a real browser: by keyboard alone from the button to the last word and the reveal; stop; other visitors."""

from driving import settled
from reading import choose, says, tab_to, texts, turn_to


def press(page, key):
    tab_to(page, f".st-key-{key} button")
    page.keyboard.press("Enter")


def test_by_keyboard_alone_the_text_comes_and_the_question_is_answered(visit):
    page = visit("/generate?g=8")
    says(page, "streamed", "8 of 8")
    press(page, "generate_go")
    says(page, "streamed", "▌", stands=False)
    says(page, "streamed", "nice. The weather in Paris is so", "8 of 8")
    says(page, "takeaway_clock", " ")  # what was measured, or that this machine is too busy to measure
    turn_to(page, 2)
    choose(page, "same_bits", 1)
    says(page, "answer_same_bits", "Right", "no, but the same within rounding")
    says(page, "takeaway_same", "8 words", "at most")
    turn_to(page, 3)
    says(page, "takeaway_fill", "13 tokens", "× 3", "× 2", "(16 + 16)", "× 4", "= 9,984 bytes")
    turn_to(page, 1)
    presented(page)
    page.locator(".st-key-generate_rewind button").click()
    says(page, "streamed", "1 of 8")
    page.locator(".st-key-generate_go button").click()
    says(page, "streamed", "8 of 8")
    in_sight(page)


def presented(page):
    page.keyboard.press("p")
    page.locator(".st-key-presented").wait_for()
    settled(page)


def in_sight(page):
    """Everything, once the answer is there."""
    settled(page)
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollHeight") <= 720


def test_stop_stops_and_the_page_answers_meanwhile_and_nobody_else_is_moved(visit):
    page, other = visit("/generate?g=40"), visit("/generate?g=12&steps=all")
    says(page, "streamed", "40 of 40")
    page.locator(".st-key-generate_go button").click()
    page.locator(".st-key-streamed", has_text="▌").wait_for()
    page.locator(".st-key-prompts button").first.click()
    page.locator(".st-key-trained_preset button", has_text="The soup").wait_for()
    page.keyboard.press("Escape")
    page.locator(".st-key-generate_stop button").click()
    says(page, "streamed", "of 40")
    settled(page)  # no run is left that would go on
    at, timed = page.locator(".st-key-streamed").inner_text(), page.evaluate("window.tbtRuns.timed")
    says(other, "streamed", "12 of 12")
    the_text_goes_on_while_a_question_is_answered(other)
    presented(other)
    says(other, "streamed", "12 of 12")
    in_sight(other)
    assert page.locator(".st-key-streamed").inner_text() == at
    assert page.evaluate("window.tbtRuns.timed") == timed > 0  # its timer has ended with the run
    page.locator(".st-key-prompts button").first.click()
    page.locator(".st-key-trained_preset button", has_text="The soup").click()
    says(page, "streamed", "The soup is so", "40 of 40")  # on a busy server it is computed in several turns


def the_text_goes_on_while_a_question_is_answered(page):
    page.locator(".st-key-generate_go button").click()
    page.locator(".st-key-streamed", has_text="▌").wait_for()
    page.locator(".st-key-predict_same_bits button", has_text="visibly").click()
    says(page, "answer_same_bits", "computed", "no, but the same within rounding")
    says(page, "streamed", "12 of 12")
    assert "without a cache" in "".join(texts(page))
