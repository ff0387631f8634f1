"""The cache lesson in a real browser: by keyboard alone from the first question to the moral."""

import pytest
from test_lesson_decode import pytestmark, says, tab_to, visits  # noqa: F401


def choose(page, key, nth):
    """Tab to a question's options, go to the nth with the arrow keys, commit."""
    tab_to(page, f".st-key-guess_{key} input")
    page.keyboard.press("Space")
    for _ in range(nth):
        page.keyboard.press("ArrowDown")
    tab_to(page, '[data-testid="stFormSubmitButton"] button')
    page.keyboard.press("Enter")


def test_by_keyboard_alone_from_the_first_question_to_the_moral(visits):  # noqa: F811
    page = visits("/cache")
    choose(page, "kept", 1)
    says(page, "answer_kept", "k and v, as you predicted")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    says(page, "takeaway", "adds 1 row; the other 4 are read, not recomputed")
    tab_to(page, ".st-key-guess_stale input")
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    says(page, "takeaway_stale", "moves from 5 to 9")
    choose(page, "depth", 1)
    says(page, "answer_depth", "2, as you predicted")
    says(page, "takeaway_depth", "A cache is valid exactly when a key knows only its past.")


@pytest.mark.parametrize(
    ("slide", "last"),
    [(2, "takeaway"), (4, "compare_caption"), (6, "takeaway_stale"), (7, "shift_caption"), (9, "takeaway_depth")],
)
def test_presented_everything_of_a_step_is_in_sight(visits, slide, last):  # noqa: F811
    page = visits(f"/cache?present=on&slide={slide}&step=2&layer=3")
    box = page.locator(f".st-key-{last}").bounding_box()
    assert box["y"] + box["height"] <= 720
