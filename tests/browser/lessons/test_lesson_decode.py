"""The decode lesson in a real browser: by keyboard alone from start to reveal, and a play button that keeps its pace."""

from itertools import pairwise

from driving import put_forward, settled
from reading import choose, choose_lesson, says, texts, turn_to, until
from sweep import PHONE

from pages.parts.controls.stepper import PLAY_S

# Each step that the stepper said it was at: whoever looks now and then may miss one.
STEPS = """window.steps = [];
new MutationObserver(() => {
  const said = document.querySelector(".st-key-stepper_step")?.textContent.match(/Step (\\d+)/)?.[1];
  if (said !== undefined && said !== window.steps.at(-1)) window.steps.push(said);
}).observe(document, { subtree: true, childList: true, characterData: true });"""
# Every text of the first figure: its letters, left and right from the figure's left, and top.
BOXES = """figure => { const left = figure.getBoundingClientRect().left;
  return [...figure.querySelectorAll("svg text")].map((t) => [t.textContent, t.getBoundingClientRect()])
    .map(([text, r]) => [text, r.left - left, r.right - left, Math.round(r.top)]); }"""


def press(page, key):
    """Outside of any control."""
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press(key)
    settled(page)


def test_by_keyboard_alone_a_row_is_predicted_and_comes(visit):
    page = visit("/decode")
    says(page, "takeaway_step", "prefill", "4 rows", "one pass")
    choose(page, "new_rows_0")
    says(page, "answer_new_rows_0", "Right", "1 row")
    says(page, "takeaway_step", "prefill", "4 rows", "one pass")  # an answer stays where it was asked
    press(page, "ArrowRight")
    says(page, "takeaway_step", "One new row", "4 above it stay as they are")
    until(page, lambda: "4 read, 1 new" in "".join(texts(page)), True)
    page.wait_for_function("location.search.includes('step=1')")
    press(page, "ArrowLeft")
    says(page, "takeaway_step", "prefill", "4 rows", "one pass")
    press(page, "ArrowRight")
    says(page, "stepper_step", "Step 1")
    presented_through_the_steps(page)
    moves_the_split(page)
    turn_to(page, 1)
    press(page, "ArrowLeft")
    says(page, "stepper_step", "Step 2")
    keeps_its_numbers_in_their_cells_on_a_phone(page)


def presented_through_the_steps(page):
    """The keys go through the decode steps and then on, where the question is in sight."""
    page.keyboard.press("p")
    page.locator(".st-key-presented").wait_for()
    settled(page)
    for step in (2, 3):
        press(page, "ArrowRight")
        says(page, "stepper_step", f"Step {step}")
    press(page, "ArrowRight")
    page.locator(".st-key-predict_old_rows_3").wait_for()
    settled(page)
    assert page.evaluate("document.querySelector('.st-key-predict_old_rows_3').getBoundingClientRect().bottom") <= 720
    page.keyboard.press("Escape")
    page.locator(".st-key-step_names").wait_for()
    settled(page)


def moves_the_split(page):
    """The arrow keys in a slider turn no step."""
    page.locator(".st-key-extra_split input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_function("location.search.includes('split=2')")
    settled(page)
    assert "step=3" in page.url and "slide=2" in page.url
    page.locator(".st-key-predict_old_rows_3 button").get_by_text("none", exact=True).click()
    says(page, "takeaway_split", "prefill over 5", "2 decoded rows")
    settled(page)


def keeps_its_numbers_in_their_cells_on_a_phone(page):
    page.set_viewport_size(PHONE)

    def cells():
        boxes = page.locator(".tbt-figure").first.evaluate(BOXES)
        thirds = sorted((top, left, right) for text, left, right, top in boxes if text in ("0.33", ".33"))
        wide = page.evaluate("document.querySelector('.tbt-figure').clientWidth") <= 390
        out = [text for text, left, *_ in boxes if "weather" in text and left < 0]
        over = [pair for pair in pairwise(thirds) if pair[0][2] > pair[1][1]]
        return wide, len(thirds), out, over

    until(page, cells, (True, 3, [], []))


def test_play_goes_one_step_at_a_time_and_stops_when_the_lesson_is_left(visit):
    page = visit("/decode", init=STEPS, clock=True)
    page.locator(".st-key-step_play label").first.click()
    for step in (1, 2, 3):  # one after the other, none skipped
        settled(page)  # or the clock runs on before the server has answered, and nothing waits for it
        put_forward(page, 1000 * PLAY_S)
        page.wait_for_function("(step) => window.steps.includes(step)", arg=str(step))
    assert page.evaluate("window.steps.slice(0, 4)") == ["0", "1", "2", "3"]
    choose_lesson(page, "/cache")
    page.locator(".st-key-predict_kept").wait_for()
    settled(page)
    turn_to(page, 2)
    at = page.evaluate("window.steps.at(-1)")
    put_forward(page, 1250 * PLAY_S)  # more than a step takes
    settled(page)
    assert page.evaluate("window.steps.at(-1)") == at
