"""Show answers in a real browser: one press opens every question of the lesson, a link does the same, and one press closes them."""

from driving import settled
from reading import says, texts, turn_to


def test_one_press_opens_every_question_and_one_closes_them(visit):
    page = visit("/cache")
    assert "?" in "".join(texts(page)) or page.locator("[class*=st-key-option_]").count()
    page.locator(".st-key-show_answers button").click()
    says(page, "answer_kept", "Computed", "k and v")
    page.wait_for_function("location.search.includes('answers=shown')")
    turn_to(page, 2)
    says(page, "predict_rows_0", "Computed", "6")
    page.reload()
    settled(page)
    says(page, "predict_rows_0", "Computed", "6")
    page.locator(".st-key-show_answers button").click()
    page.locator(".st-key-guess_rows_0 input").wait_for()
    page.wait_for_function("!location.search.includes('answers=')")
