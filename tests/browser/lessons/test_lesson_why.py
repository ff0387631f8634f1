"""Why look back in a real browser, on a phone."""

from reading import open_menu, until
from sweep import PHONE, resize


def test_on_a_phone_what_is_said_of_an_answer_comes_above_the_bar_and_the_lessons_lie_over_the_page(visit):
    """The verdict lay beneath the bar on nearly every step, and then what it comes to; the menu left the page a column of 90 pixels."""
    page = visit("/why?route=story")
    resize(page, PHONE)
    page.locator(".st-key-guess_looks_at button", has_text="red").click()

    def above_the_bar():
        said = ".st-key-answer_looks_at", ".st-key-takeaway_look_back", ".tbt-figure"
        boxes = [page.locator(part).bounding_box() for part in said]
        bar = page.locator(".st-key-way_bar").bounding_box()["y"]
        if not all(boxes) or any(box["y"] + box["height"] > bar for box in boxes):
            return False
        verdict, comes_to, figure = boxes
        return verdict["y"] >= 44 and comes_to["y"] >= 44 and figure["y"] + 0.4 * figure["height"] >= 44  # which shows it

    until(page, above_the_bar, True)
    open_menu(page)
    assert page.locator(".stMain").bounding_box()["width"] == PHONE["width"]
    assert min(link.bounding_box()["height"] for link in page.locator(".st-key-side_menu a").all()) >= 44
