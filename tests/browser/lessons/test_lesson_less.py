"""Keep less and Tiles in a real browser: answered, gone on, and every step in sight when presented."""

from driving import settled
from reading import choose_lesson, says, texts, turn_to, until


def answer(page, key, words):
    """Choose an option of a question and commit."""
    page.locator(f".st-key-guess_{key} button", has_text=words).last.click()


def test_a_sink_brings_another_word_and_tiles_give_the_whole_row(visit):
    page = visit("/less")
    answer(page, "sink_word", "warm")
    says(page, "takeaway_toy", "another")
    until(page, lambda: " ".join(texts(page)), "warm ≠")
    turn_to(page, 3)
    answer(page, "first_tokens", "the newest only")
    says(page, "takeaway_sinks", "5,158", "5.40")
    settled(page)
    choose_lesson(page, "/tiles")
    page.wait_for_url("**/tiles*")
    settled(page)
    blocks_are_read_by_key_until_the_row_is_whole(page)


def blocks_are_read_by_key_until_the_row_is_whole(page):
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        settled(page)
    says(page, "takeaway_row", "context", "11.666", "off by 0")
    answer(page, "correction", "by e⁻²")
    until(page, lambda: " ".join(texts(page)), "e⁻²")
