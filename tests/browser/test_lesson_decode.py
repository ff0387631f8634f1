"""The decode lesson in a real browser: by keyboard alone from start to reveal, and a play button that keeps its pace."""

import pytest
from driving import ROOT, chromium, chromium_path, serve

pytestmark = [pytest.mark.browser, pytest.mark.skipif(chromium_path() is None, reason="no Chromium")]


@pytest.fixture(scope="module")
def visits():
    """Opens a page of a freshly started server, each in a context of its own."""
    with serve(ROOT / "streamlit_app.py") as address, chromium() as browser:

        def visit(path):
            page = browser.new_context(viewport={"width": 1280, "height": 720}).new_page()
            page.goto(address + path)
            page.wait_for_selector(".st-key-step_next, .st-key-slide_next", timeout=30000)
            page.wait_for_selector(".tbt-figure[data-drawn]", timeout=30000)
            page.wait_for_timeout(700)
            return page

        yield visit


def tab_to(page, selector, most=60):
    """Press Tab until what `selector` names has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement?.closest(s) !== null", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


def says(page, key, words):
    page.locator(f".st-key-{key}", has_text=words).wait_for(timeout=15000)


def test_by_keyboard_alone_a_row_is_added_and_the_question_answered(visits):
    page = visits("/decode")
    says(page, "takeaway", "Prefill made 4 rows in one pass")
    tab_to(page, ".st-key-guess_context_0 input")
    page.keyboard.type("8.6")
    page.keyboard.press("Enter")
    says(page, "answer_context_0", "8.6, as you predicted")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowRight")
    says(page, "takeaway", "“nice” gives the contexts 12.5, 7, 10 and 8.6")
    says(page, "takeaway", "max |Δ| = 0")
    page.wait_for_function("location.search.includes('step=1')")
    tab_to(page, ".st-key-guess_next_1 input")
    page.keyboard.press("Space")
    tab_to(page, ".st-key-form_next_1 button, [data-testid='stFormSubmitButton'] button")
    page.keyboard.press("Enter")
    says(page, "takeaway_loop", "greedy says it for ever")
    page.keyboard.press("Escape")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    says(page, "takeaway", "Prefill made 4 rows in one pass")


def test_arrow_keys_in_a_slider_do_not_move_the_stepper(visits):
    page = visits("/decode?step=2")
    page.locator(".st-key-extra_split input[type=range]").focus()
    page.keyboard.press("ArrowLeft")
    says(page, "split_caption", "prefill(4) with 2 decoded rows")
    assert "step=2" in page.url


def test_play_goes_one_step_at_a_time_for_this_visitor_only_and_stops_when_the_lesson_is_left(visits):
    playing, other = visits("/decode"), visits("/decode")
    playing.locator(".st-key-step_play label").first.click()
    for step in (1, 2, 3):  # one after the other, none skipped
        says(playing, "stepper_step", f"Step {step}")
    says(other, "stepper_step", "Step 0")
    playing.get_by_role("link", name="Build the cache, break it").first.click()
    playing.wait_for_selector(".st-key-predict_kept")
    playing.wait_for_timeout(700)
    at = playing.locator(".st-key-stepper_step").inner_text()
    playing.wait_for_timeout(2600)
    assert playing.locator(".st-key-stepper_step").inner_text() == at


def test_play_waits_anew_when_something_else_is_edited(visits):
    page = visits("/decode?step=1")
    page.locator(".st-key-step_play label").first.click()
    says(page, "stepper_step", "Step 2")
    for _ in range(6):  # half a second apart: never long enough for the timer
        page.get_by_role("radio", name="Drawn").click()
        page.wait_for_timeout(300)
        page.get_by_role("radio", name="Likeliest").click()
        page.wait_for_timeout(300)
    assert "Step 2" in page.locator(".st-key-stepper_step").inner_text()
    says(page, "stepper_step", "Step 3")


def test_presented_the_keys_go_through_prefill_and_three_steps_then_on(visits):
    page = visits("/decode?present=on")
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        says(page, "stepper_step", f"Step {step}")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".st-key-predict_context_3")
    bottom = page.evaluate("document.querySelector('.st-key-predict_context_3').getBoundingClientRect().bottom")
    assert bottom <= 720


@pytest.mark.parametrize(("slide", "last"), [(1, "takeaway"), (4, "split_caption"), (6, "takeaway_loop")])
def test_presented_everything_of_a_step_is_in_sight(visits, slide, last):
    page = visits(f"/decode?present=on&slide={slide}&step=2")
    box = page.locator(f".st-key-{last}").bounding_box()
    assert box["y"] + box["height"] <= 720
