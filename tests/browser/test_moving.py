"""A value is moved with the keyboard and its consequences are read off the page; and the figure never goes blank meanwhile."""

import base64
import io
import json

import numpy as np
from driving import PROJECTOR, settled
from PIL import Image
from reading import by_the_menu, takeaway, texts, until
from said import in_order

from engine import Scenario, prefill
from pages.parts.text.format import number

ALL_HEADS = 2  # step
IS, BOX = "[class*=value_2] input[type=range]", ".st-key-attention_values button"
MOVES = 12  # Streamlit's own chart goes blank in two of five
COLOURED = 0.03  # of the pixels, at least, of a figure that is not blank
FILMED = 640  # pixels that a frame is wide, half of the screen


EVERYTHING = """() => {
  const read = (selector, value) => [...document.querySelectorAll(selector)].map(value);
  const words = document.querySelector("[data-testid=stMain]").cloneNode(true);
  // What the last edit did, which no link tells.
  words.querySelectorAll("[class*=st-key-takeaway]").forEach((sentence) => sentence.remove());
  return [words.textContent, document.querySelector("[data-testid=stSidebar]").textContent, document.title,
    read("input", (input) => [input.getAttribute("aria-label"), input.value, input.disabled]),
    read("button", (button) => [button.textContent, button.disabled]),
    read("[role=group]", (figure) => figure.getAttribute("aria-label"))];
}"""


def slider(page):
    """The slider of “is”, in the box of the values where the step has one, which is opened."""
    if page.locator(BOX).count() and not page.locator(IS).count():
        page.locator(BOX).click()
    return page.locator(IS)


def presses(page, key, times, values):
    """Press a key so many times on the slider of “is”; the link holds the values that come of it."""
    slider(page).focus()
    for _ in range(times):
        page.keyboard.press(key)
    until(page, lambda: page.url, f"values={values}")
    settled(page)


def loaded_anew(page):
    """What a visitor sees who opens the link."""
    page.reload()
    settled(page)
    return page.evaluate(EVERYTHING)


def test_a_value_and_a_rule_are_moved_and_everything_follows(visit):
    page = visit(f"?slide={ALL_HEADS}", moves=True)
    article = {"15.3", "14.2", "8.15"}
    assert article <= set(texts(page))
    presses(page, "End", 1, "10,20,100,5")
    assert in_order("“is” 1 → 100", "no weight", "head 4 context 9 → 33.75", "now warm").search(takeaway(page))
    assert {"20.25", "21.625", "10.625"} <= set(texts(page)) and not article & set(texts(page))

    page.locator(".st-key-reset button").first.click()
    until(page, lambda: "values" in page.url, False)
    settled(page)
    assert slider(page).input_value() == "1"

    presses(page, "ArrowRight", 30, "10,20,16,5")  # none is lost
    run = prefill(Scenario(values=(10, 20, 16, 5)).model(), Scenario.article().prompt_ids)
    expected = {number(n, 3) for n in run.logits[-1]} | {number(c) for c in run.layers[0].context[:, -1, 0]}
    assert expected - set(texts(page)) == set()
    assert slider(page).input_value() == "16"

    page.keyboard.press("Escape")
    page.get_by_role("combobox", name="Head 2 looks at").click()
    page.get_by_role("option", name="nothing", exact=True).click()
    until(page, lambda: takeaway(page), "head 2 self → none")
    assert in_order("weights", "head 2 context 5 → none").search(takeaway(page)) and "no weight" not in takeaway(page)
    settled(page)
    moved = page.evaluate(EVERYTHING)
    assert ["Scenario", "Edited", False] in moved[3] and loaded_anew(page) == moved


def test_after_a_burst_of_moves_nothing_stale_stays_on_the_other_steps(visit):
    """A move draws its step alone: title, editor and the other steps must have followed, and say what a fresh visit says."""
    page = visit("?steps=all", moves=True)
    page.locator(".st-key-value_2 input[type=range]").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    until(page, lambda: page.url, "values=10,20,7,5")
    until(page, lambda: "75.0%" in texts(page), False)  # of “nice” before the moves: the other steps follow a little later
    moved = page.evaluate(EVERYTHING)
    assert ["Scenario", "Edited", False] in moved[3] and loaded_anew(page) == moved


# What stands around the step is not asked for.
MOVES_ALONE = "addEventListener('tbt-moved', (event) => event.stopImmediatePropagation())"


def styled(trace):
    """Of how many elements the style was worked out, each time that it was."""
    return [event["args"]["elementCount"] for event in trace if "elementCount" in event.get("args", {})]


def there_and_back(page):
    for key in ("ArrowRight", "ArrowLeft"):
        drawn = page.locator(".tbt-figure").get_attribute("data-drawn")
        page.keyboard.press(key)
        page.wait_for_function("(drawn) => document.querySelector('.tbt-figure').dataset.drawn !== drawn", arg=drawn)
        settled(page)


def test_a_move_works_out_the_style_of_what_moved_alone(visit):
    """At a time 110 of 1,072 elements at most, the step's own where its answer takes long; with one rule of a :has() in a :has() it is
    270 and more, as with one that names nothing of what is in a box ([class*="st-key-a_"] > :last-child). How often is the machine's
    matter; and a figure that is drawn whole, as when it gives height back, is so once, and not with each of three moves."""
    page, most = visit(moves=True, init=MOVES_ALONE), []
    slider(page).focus()
    there_and_back(page)  # with the first press the figure is held
    for _ in range(3):
        page.context.browser.start_tracing(page=page, categories=["devtools.timeline"])
        there_and_back(page)
        most.append(max(styled(json.loads(page.context.browser.stop_tracing())["traceEvents"])))
    assert 10 < min(most) < page.locator("*").count() / 6


def test_where_plotly_js_cannot_be_loaded_streamlits_own_chart_shows_the_same(visit):
    page = visit(f"?slide={ALL_HEADS}", without="**/plotly-*.min.js", wait=False)
    page.locator(".stPlotlyChart svg text", has_text="15.3").first.wait_for(timeout=120_000)  # Streamlit's own chart, uncached
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    slider(page).focus()
    page.keyboard.press("End")
    page.locator(".stPlotlyChart svg text", has_text="33.75").first.wait_for(timeout=60_000)
    until(page, lambda: takeaway(page), "now warm")  # it stands beneath the chart and comes after it


class Film:
    """What the screen showed, frame by frame, of one rectangle."""

    def __init__(self, page, box):
        self.box, self.frames = [round(box[k] * FILMED / PROJECTOR["width"]) for k in ("x", "y", "width", "height")], []
        self.client = page.context.new_cdp_session(page)
        self.client.on("Page.screencastFrame", self._keep)
        self.client.send("Page.startScreencast", {"format": "jpeg", "quality": 70, "maxWidth": FILMED})

    def _keep(self, event):
        self.frames.append(event["data"])
        self.client.send("Page.screencastFrameAck", {"sessionId": event["sessionId"]})

    def coloured(self):
        """For each frame, the share of the rectangle's pixels that carry a saturated colour."""
        x, y, width, height = self.box
        for data in self.frames:
            picture = Image.open(io.BytesIO(base64.b64decode(data))).convert("RGB").crop((x, y, x + width, y + height))
            pixels = np.asarray(picture, dtype=int)
            yield float((np.ptp(pixels, axis=2) > 60).mean())


def film_of(page, moves, blink=False):
    """Film the figure while a slider is moved; with `blink`, hide the figure for a frame at the end."""
    film = Film(page, page.locator(".tbt-plot").bounding_box())
    # A busy machine films before it has drawn the page.
    until(page, lambda: any(share > COLOURED for share in film.coloured()), True)
    del film.frames[:-1]
    slider(page).focus()
    for i in range(moves):
        drawn, filmed = page.locator(".tbt-figure").get_attribute("data-drawn"), len(film.frames)
        page.keyboard.press("ArrowRight" if i % 20 < 10 else "ArrowLeft")
        page.wait_for_function("(drawn) => document.querySelector('.tbt-figure').dataset.drawn !== drawn", arg=drawn)
        until(page, lambda filmed=filmed: len(film.frames) > filmed, True)
    if blink:
        page.locator(".tbt-plot").evaluate("(plot) => { plot.style.visibility = 'hidden' }")
        until(page, lambda: [*film.coloured()][-1] < COLOURED, True)
        page.locator(".tbt-plot").evaluate("(plot) => { plot.style.visibility = '' }")
    page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(seen, 50))))")
    film.client.detach()
    return list(film.coloured())


def test_no_frame_is_blank_while_a_slider_is_moved_and_a_blank_one_would_be_seen(visit):
    page = visit("/rules?slide=4&answers=shown", seen=True)  # who wants no motion: else what waits for a slow server fades
    for lesson in ("rules", "attention"):  # with one head
        if lesson == "attention":
            by_the_menu(page, lesson)
        shares = film_of(page, MOVES)
        assert len(shares) >= MOVES, lesson
        assert min(shares) > 0.8 * max(shares) > COLOURED, lesson
        settled(page)
    shares = film_of(page, 3, blink=True)
    assert min(shares) < COLOURED < max(shares), "nothing was hidden"
