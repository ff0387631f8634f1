"""Head rules by hand in a real browser: a token is chosen by key and by pointer, the questions answered by keyboard alone."""

from driving import settled
from reading import figures_as_text, says, tab_to, texts, turn_to, until
from said import in_order

from pages.lessons.rules.steps import NOTHING


def test_a_token_is_unfolded_by_key_and_by_pointer_and_the_questions_are_answered_by_keyboard_alone(visit):
    page = visit("/rules")
    assert "what “is” gets" in texts(page)
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('token=4')")
    until(page, lambda: figures_as_text(page)[0], "so, position 4")
    settled(page)
    box = page.locator(".tbt-plot").first.bounding_box()
    page.mouse.click(box["x"] + box["width"] * (0.185 + 0.43 * 0.375), box["y"] + 110)  # the second of four columns
    page.wait_for_function("location.search.includes('token=2')")
    until(page, lambda: figures_as_text(page)[0], "weather, position 2")
    turn_to(page, 2)
    finds_a_context(page)
    turn_to(page, 3)
    finds_nothing(page)


def finds_a_context(page):
    shown = texts(page)
    assert "(20 + 5) / 2" not in shown and "(10 + 20 + 1 + 5) / 4" in shown  # the other heads show how
    tab_to(page, ".st-key-guess_context input")
    page.keyboard.type("12.5")
    page.keyboard.press("Enter")
    says(page, "answer_context", "check_circle", "12.5")
    even = in_order("head 1 even", "weather 20", "so 5", "12.5")
    until(page, lambda: bool(even.search(figures_as_text(page)[0])), True)
    assert "(20 + 5) / 2" in " ".join(texts(page))


def finds_nothing(page):
    tab_to(page, ".st-key-guess_empty")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-predict_empty [data-testid='stFormSubmitButton'] button")
    page.keyboard.press("Enter")
    says(page, "answer_empty", "check_circle", NOTHING)
    page.get_by_text("The five answers in use").click()
    says(page, "treatments", "8.6")
