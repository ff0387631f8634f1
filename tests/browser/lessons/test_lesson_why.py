"""Why look back in a real browser: the word is predicted, the story changed, the rows counted."""

from driving import settled
from reading import figures_as_text, open_menu, says, texts, turn_to, until
from sweep import PHONE, resize


def test_a_word_is_predicted_the_story_changed_and_the_rows_counted(visit):
    page = visit("/why")
    page.locator(".tbt-answers button[title=kite]").click()  # in the figure, where the guess stays
    says(page, "answer_looks_at", "kite", "computed", "red")
    settled(page)
    assert "your guess" in " ".join(texts(page)) and not page.locator(".tbt-answers").count()
    assert "<b>97.9%</b>" not in texts(page) and "97.9%" in texts(page)
    page.locator(".st-key-story button", has_text="Ben").click()
    page.wait_for_function("location.search.includes('last=Ben')")
    settled(page)
    assert "blue" in figures_as_text(page)[0] and "97.9%" not in texts(page)
    page.locator(".st-key-why_again button").click()
    settled(page)
    assert "predicted" in figures_as_text(page)[0]
    turn_to(page, 2)
    page.locator(".st-key-guess_rows_again button", has_text="three quarters").click()
    says(page, "takeaway_waste", "What if they were kept")
    assert "70 of 90 boxes" in " ".join(texts(page))
    assert "has" in " ".join(texts(page))


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
