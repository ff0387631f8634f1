"""The counting lesson in a real browser: by keyboard alone from the first slider to the last question."""

import pytest
from reading import says, tab_to


def number(page, key, typed):
    """Tab to a question's number, type it, commit with Enter."""
    tab_to(page, f".st-key-guess_{key} input")
    page.keyboard.type(typed)
    page.keyboard.press("Enter")


@pytest.fixture
def lesson(visit):
    return lambda path: visit(path + ("&" if "?" in path else "?") + "present=on")


def test_by_keyboard_alone_slide_by_slide_from_the_slider_to_the_last_question(lesson):
    page = lesson("/counting")
    says(page, "takeaway", "computes 11 K/V rows instead of 60 (×5.45)")
    tab_to(page, ".st-key-extra_g input[type=range]")
    page.keyboard.press("ArrowRight")
    says(page, "takeaway", "computes 12 K/V rows instead of 72")
    page.wait_for_function("location.search.includes('g=9')")

    def turn():
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("ArrowRight")

    turn()
    number(page, "rows_without", "20")
    says(page, "answer_rows_without", "You predicted 20; computed: 22. Gap: −2.")
    turn()
    number(page, "rows_with", "7")
    says(page, "answer_rows_with", "7, as you predicted")
    turn()
    tab_to(page, ".st-key-guess_products input")
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    tab_to(page, '[data-testid="stFormSubmitButton"] button')
    page.keyboard.press("Enter")
    says(page, "answer_products", "28 and 28, as you predicted")
    turn()
    page.get_by_text("equal to the formulas").wait_for()
    turn()
    number(page, "double_rows", "2")
    says(page, "answer_double_rows", "1,003 → 2,003, ×1.997")
    turn()
    number(page, "double_scores", "2")
    says(page, "answer_double_scores", "computed: 4")
    turn()
    says(page, "takeaway_growth", "It is not true of attention")
    turn()
    tab_to(page, ".st-key-measure button")
    page.keyboard.press("Enter")
    page.get_by_text("counts are not time").wait_for()
    turn()
    says(page, "takeaway_append", "copy 0")
    turn()
    number(page, "copied", "15")
    says(page, "answer_copied", "15, as you predicted")


@pytest.mark.parametrize(("slide", "last"), [(1, "takeaway"), (8, "takeaway_growth"), (10, "takeaway_append")])
def test_presented_everything_of_a_step_is_in_sight(lesson, slide, last):
    for sizes in ("", "&p=100&g=1000"):
        page = lesson(f"/counting?slide={slide}{sizes}")
        box = page.locator(f".st-key-{last}").bounding_box()
        assert box["y"] + box["height"] <= 720
