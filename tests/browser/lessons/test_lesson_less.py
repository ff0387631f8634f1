"""Keep less in a real browser: both questions answered, and what the page then says."""

from reading import says, texts, turn_to, until


def answer(page, key, words):
    """Choose an option of a question."""
    page.locator(f".st-key-guess_{key} button", has_text=words).last.click()


def test_a_sink_brings_another_word_and_first_tokens_are_measured(visit):
    page = visit("/less")
    answer(page, "sink_word", "warm")
    says(page, "takeaway_toy", "another")
    until(page, lambda: " ".join(texts(page)), "warm another word")
    turn_to(page, 3)
    answer(page, "first_tokens", "the newest only")
    says(page, "takeaway_sinks", "the first", "without")
