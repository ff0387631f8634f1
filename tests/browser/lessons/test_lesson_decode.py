"""The decode lesson in a real browser: by keyboard alone from start to reveal, and a play button that keeps its pace."""

import re
import time
from itertools import pairwise

from driving import settled
from reading import says, tab_to, texts, until

from pages.parts.controls.stepper import PLAY_S

BIG = "&tokens=" + ",".join(f"w{i}" for i in range(16)) + "&rules=even,odd,self,previous,first,all,window:3,none"


def test_by_keyboard_alone_a_row_is_predicted_and_comes_and_the_loop_runs_on(visit):
    page = visit("/decode")
    says(page, "takeaway_step", "prefill", "4 rows", "one pass")
    tab_to(page, ".st-key-guess_context_0 input")
    page.keyboard.type("8.6")
    page.keyboard.press("Enter")
    says(page, "answer_context_0", "Right", "8.6")
    says(page, "takeaway_step", "“nice”", "contexts", "12.5, 7, 10", "8.6")
    until(page, lambda: "8.6 ◀" in texts(page), True)
    page.wait_for_function("location.search.includes('step=1')")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("ArrowLeft")
    says(page, "takeaway_step", "prefill", "4 rows", "one pass")
    page = visit("/decode?slide=3&step=1")
    tab_to(page, ".st-key-guess_next_1 input")
    page.keyboard.press("Space")
    tab_to(page, "[data-testid='stFormSubmitButton'] button")
    page.keyboard.press("Enter")
    says(page, "takeaway_loop", "60 steps", "greedy")


def test_arrow_keys_in_a_slider_turn_no_step(visit):
    page = visit("/decode?slide=2&step=2")
    page.locator(".st-key-extra_split input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('split=2')")
    assert "step=2" in page.url and "slide=2" in page.url
    page.locator("[data-testid=stRadio]").get_by_text("none", exact=True).click()
    page.get_by_role("button", name="Commit").click()
    says(page, "takeaway_split", "prefill over 4", "2 decoded rows")


def test_play_goes_one_step_at_a_time_for_this_visitor_only_and_stops_when_the_lesson_is_left(visit):
    playing, other = visit("/decode"), visit("/decode")
    playing.locator(".st-key-step_play label").first.click()
    for step in (1, 2, 3):  # one after the other, none skipped
        says(playing, "stepper_step", f"Step {step}")
    says(other, "stepper_step", "Step 0")
    playing.get_by_role("link", name="Build the cache, break it").first.click()
    playing.wait_for_selector(".st-key-predict_kept")
    playing.get_by_role("radio", name="2 Row by row").click()
    playing.wait_for_selector(".st-key-stepper_step")
    settled(playing)
    at = playing.locator(".st-key-stepper_step").inner_text()
    playing.wait_for_timeout(1250 * PLAY_S)  # more than a step takes
    assert playing.locator(".st-key-stepper_step").inner_text() == at


def test_play_waits_anew_when_something_else_is_edited(visit):
    page = visit("/decode?step=1")
    page.locator(".st-key-step_play label").first.click()
    says(page, "stepper_step", "Step 2")
    started = time.monotonic()
    for _ in range(3):
        for choice in ("Drawn", "Likeliest"):
            page.get_by_role("radio", name=choice).click()
            page.wait_for_timeout(300)
    ticks = (time.monotonic() - started) / PLAY_S  # however slow the machine; a step for each of the six edits would be more
    step = int(re.search(r"Step (\d+)", page.locator(".st-key-stepper_step").inner_text())[1])
    assert step <= 2 + ticks + 1 < 2 + 6
    says(page, "stepper_step", f"Step {step + 1}")


def test_presented_the_keys_go_through_prefill_and_three_steps_then_on(visit):
    page = visit("/decode?present=on")
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        says(page, "stepper_step", f"Step {step}")
    page.keyboard.press("ArrowRight")
    page.wait_for_selector(".st-key-predict_old_rows_3")
    bottom = page.evaluate("document.querySelector('.st-key-predict_old_rows_3').getBoundingClientRect().bottom")
    assert bottom <= 720


def test_on_a_phone_the_numbers_stay_in_their_cells_and_the_words_in_the_figure(visit):
    page = visit("/decode?step=2", viewport={"width": 390, "height": 844})
    figure = page.locator(".tbt-figure").first
    boxes = figure.evaluate(
        """figure => { const left = figure.getBoundingClientRect().left;
        return [...figure.querySelectorAll("svg text")].map((t) => [t.textContent, t.getBoundingClientRect()])
          .map(([text, r]) => [text, r.left - left, r.right - left, Math.round(r.top)]); }"""
    )
    assert min(left for text, left, *_ in boxes if "weather" in text) >= 0
    sixths = sorted((top, left, right) for text, left, right, top in boxes if text in ("0.17", ".17"))
    assert len(sixths) == 6
    assert all(a[2] <= b[1] for a, b in pairwise(sixths))
