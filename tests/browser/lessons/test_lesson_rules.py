"""Head rules by hand in a real browser: a token is chosen by key and by pointer, the questions answered by keyboard alone."""

from driving import settled
from reading import choose, figures_as_text, says, tab_to, texts, turn_to, until
from said import in_order

from pages.lessons.rules.figures.look import CELLS
from pages.lessons.rules.questions import NOTHING


def test_a_token_asks_by_key_and_by_pointer_and_the_questions_are_answered_by_keyboard_alone(visit):
    page = visit("/rules")
    says(page, "takeaway_look", "“is” fits the key of “weather”")
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("location.search.includes('token=4')")
    until(page, lambda: figures_as_text(page)[0], "“so”, position 4")
    settled(page)
    box = page.locator(".tbt-plot").first.bounding_box()
    page.mouse.click(box["x"] + 0.05 * box["width"], box["y"] + 0.54 * box["height"])  # the second of four rows
    page.wait_for_function("location.search.includes('token=2')")
    until(page, lambda: figures_as_text(page)[0], "“weather”, position 2")
    turn_to(page, 3)
    finds_nothing(page)
    turn_to(page, 4)
    presses_a_row_of_a_figure_that_follows_the_finger(page)
    turn_to(page, 2)
    finds_a_context(page)
    moves_its_values(page)


def finds_a_context(page):
    shown = texts(page)
    assert "(20 + 5) / 2" not in shown and "(10 + 20 + 1 + 5) / 4" in shown  # the other heads show how
    tab_to(page, ".st-key-guess_context input")
    page.keyboard.type("12.5")
    page.keyboard.press("Enter")
    says(page, "answer_context", "check_circle", "12.5")
    even = in_order("head 1 even", "“weather” 20", "“so” 5", "12.5")
    until(page, lambda: bool(even.search(figures_as_text(page)[0])), True)
    assert "(20 + 5) / 2" in " ".join(texts(page))


def moves_its_values(page):
    """Once it is found: the context follows, the share does not, and each slider stands under the column that it moves."""
    page.locator(".st-key-mixed_value_1 input[type=range]").focus()
    page.keyboard.press("End")
    says(page, "takeaway_mixed", "context follows", "52.5")
    settled(page)
    plot = page.locator(".tbt-plot").first.bounding_box()
    for j in range(4):
        slider = page.locator(f".st-key-mixed_value_{j}").bounding_box()
        middle = (slider["x"] + slider["width"] / 2 - plot["x"]) / plot["width"]
        assert abs(middle - (CELLS[0] + (j + 0.5) * (CELLS[1] - CELLS[0]) / 4)) < 0.02


def finds_nothing(page):
    choose(page, "empty")
    says(page, "answer_empty", "check_circle", NOTHING)
    page.get_by_text("The five answers in use").click()
    says(page, "treatments", "8.6")


def presses_a_row_of_a_figure_that_follows_the_finger(page):
    """The question beneath it, which is drawn by itself, follows as well."""
    page.locator(".tbt-answers button").first.click()
    says(page, "answer_weight", "weather", "computed", "both the same")
    settled(page)
    assert "yours" in texts(page) and not page.locator(".tbt-answers").count()


def test_a_slide_has_no_label_of_buttons_that_are_not_there(visit):
    """“Who asks?  In head”."""
    page = visit("/rules?slide=1&route=story&present=on&answers=shown")
    who = page.locator(".st-key-who")
    assert who.count() == 1 and not who.is_visible()
    page.keyboard.press("s")
    who.wait_for()
    settled(page)
