"""Keep less and Tiles in a real browser: answered, gone on, and every step in sight when presented."""

from driving import settled
from reading import choose_lesson, says, texts, turn_to, until

UNITS = """() => {
  const { width, height, xaxis, yaxis, meta } = document.querySelector('.tbt-plot .main-svg').closest('.tbt-plot')._fullLayout;
  return [width / xaxis.range[1] / 1040, height / (yaxis.range[0] - yaxis.range[1])];
}"""


def answer(page, key, words):
    """Choose an option of a question and commit."""
    page.locator(f".st-key-guess_{key} button", has_text=words).last.click()


def test_a_sink_brings_another_word_and_tiles_give_the_whole_row(visit):
    page = visit("/less")
    answer(page, "sink_word", "warm")
    says(page, "takeaway_toy", "another")
    until(page, lambda: " ".join(texts(page)), "warm another word")
    turn_to(page, 3)
    answer(page, "first_tokens", "the newest only")
    says(page, "takeaway_sinks", "at best", "without")
    settled(page)
    choose_lesson(page, "/tiles")
    page.wait_for_url("**/tiles*")
    settled(page)
    blocks_are_read_by_key_until_the_row_is_whole(page)
    turn_to(page, 2)
    until(page, lambda: squares(page), True)


def squares(page):
    """Whether a unit of the map is as long across as down: drawn as wide and as high as its box, a tile was 1.9 times as wide as high."""
    across, down = page.evaluate(UNITS)
    return abs(across / down - 1) < 0.01


def blocks_are_read_by_key_until_the_row_is_whole(page):
    for _ in range(2):
        page.keyboard.press("ArrowRight")
        settled(page)
    says(page, "takeaway_row", "context", "11.666", "off by 0")
    answer(page, "correction", "by e⁻²")
    for _ in range(2):
        page.keyboard.press("ArrowLeft")
        settled(page)
    until(page, lambda: " ".join(texts(page)), "e⁻²")
