"""The counting lesson in a real browser: by keyboard alone from the first slider to the cost of a long conversation."""

from driving import settled
from reading import choose, click, says, tab_to
from sweep import beyond


def test_by_keyboard_alone_slide_by_slide_from_the_slider_to_what_it_costs(visit):
    page = visit("/counting?present=on")

    def turn(slide):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("ArrowRight")
        page.locator(".st-key-counter", has_text=f"{slide} / 6").wait_for()  # S brings the sliders of the slide on screen
        settled(page)

    page.keyboard.press("s")
    tab_to(page, ".st-key-extra_g input[type=range]")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('g=9')")
    choose(page, "double_scores", 0)
    says(page, "answer_double_scores", "×4", "square")
    says(page, "takeaway_work", "6.00 times fewer", "K/V rows")
    turn(2)
    choose(page, "products", 1)
    says(page, "answer_products", "Right", "66 and 66")
    turn(3)
    says(page, "takeaway_growth", "keys and values", "a cube", "a square")
    turn(4)
    tab_to(page, ".st-key-counting_measure button")
    page.keyboard.press("Enter")
    says(page, "takeaway_clock", " ")  # what was measured, or that this machine is too busy to measure
    turn(5)
    page.keyboard.press("s")
    choose(page, "longest", 0)
    says(page, "takeaway_costs", "8,192 tokens", "H100", "4.8 ms", "empty", "4.5 ms")
    tab_to(page, ".st-key-extra_context input[type=range]")
    page.keyboard.press("End")
    says(page, "takeaway_costs", "131,072 tokens")


def test_the_six_sentences_stay_on_one_screen_and_a_link_below_them_opens_the_lesson_that_showed_it(visit, widest):
    """Where they are longest, as their AppTest says; read, then presented."""
    page = visit("/counting?slide=6&answers=shown&p=100000&g=100000&empty=fill&values=1,2,3,4", build=widest)
    one_screen(page, n_links=4)
    page.keyboard.press("p")
    page.locator(".st-key-presented").wait_for()
    settled(page)
    one_screen(page, n_links=0)
    page.keyboard.press("Escape")
    click(page.locator(".st-key-shown_in a").nth(2))
    page.wait_for_function("location.pathname.endsWith('/cache') && location.search.includes('values=1,2,3,4')")


def one_screen(page, n_links):
    assert page.locator(".st-key-in_short_said p").count() == 6
    assert page.locator(".st-key-shown_in a").count() == n_links
    assert beyond(page) == []
