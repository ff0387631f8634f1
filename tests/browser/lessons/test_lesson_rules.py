"""Head rules by hand in a real browser: a token is chosen by key and by pointer, the questions answered by keyboard alone."""

from reading import figures_as_text, says, tab_to, texts, until
from said import in_order

from pages.lessons.rules.steps import NOTHING

BIG = (
    "tokens=w1,w2,w3,w4,w5,w6,w7,w8,w9,w10,w11,w12,w13,w14,w15,w16&values=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
    "&rules=even,odd,self,previous,first,all,window:3,none"
)


def test_by_keyboard_alone_a_token_is_unfolded_and_the_questions_answered(visit):
    page = visit("/rules")
    assert "what “is” gets" in texts(page)
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('token=4')")
    until(page, lambda: figures_as_text(page)[0], "so, position 4")
    page = visit("/rules?slide=2")
    assert "(20 + 5) / 2" not in texts(page) and "(10 + 20 + 1 + 5) / 4" in texts(page)  # the other heads show how
    tab_to(page, ".st-key-guess_context input")
    page.keyboard.type("12.5")
    page.keyboard.press("Enter")
    says(page, "answer_context", "check_circle", "12.5")
    even = in_order("head 1 even", "weather 20", "so 5", "12.5")
    until(page, lambda: bool(even.search(figures_as_text(page)[0])), True)
    until(page, lambda: " ".join(texts(page)), "(20 + 5) / 2")
    page = visit("/rules?slide=3")
    tab_to(page, ".st-key-guess_empty")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-predict_empty [data-testid='stFormSubmitButton'] button")
    page.keyboard.press("Enter")
    says(page, "answer_empty", "check_circle", NOTHING)
    page.get_by_text("The five answers in use").click()
    says(page, "treatments", "8.6")


def test_a_click_on_a_token_makes_it_look_back(visit):
    page = visit("/rules")
    cells = page.locator(".tbt-plot").first
    box = cells.bounding_box()
    page.mouse.click(box["x"] + box["width"] * (0.185 + 0.43 * 0.375), box["y"] + 110)  # the second of four columns
    page.wait_for_function("location.search.includes('token=2')")
    until(page, lambda: figures_as_text(page)[0], "weather, position 2")


def test_the_two_tables_hide_what_is_still_asked_for(visit):
    tables = figures_as_text(visit("/rules?slide=5"))[-1]
    assert "1 even: ?, 20, 20, ?; 2 self: 10, 20, 1, 5; 3 first: 10, 10, 10, 10; 4 all: 10, 15, 10.33, 9." in tables
    assert "1 even: ?, 20, 20, ?; 2 last: 10, 15, 10.33, 5;" in tables and in_order("3 cells").search(tables)
