"""A value is moved with the keyboard and its consequences are read off the page; and the figure never goes blank meanwhile."""

import base64
import io

import numpy as np
import pytest
from driving import settled
from PIL import Image
from reading import takeaway, texts, until
from said import in_order

from engine import Scenario, prefill

ONE_HEAD, ALL_HEADS = "?slide=1", "?slide=2"
IS = "[class*=value_2] input[type=range]"


def test_is_from_1_to_100_by_keyboard(visit):
    page = visit(ALL_HEADS)
    assert {"15.3", "14.2", "8.15"} <= set(texts(page))
    page.locator(IS).focus()
    page.keyboard.press("End")
    until(page, lambda: takeaway(page), "warm")
    assert in_order("“is” 1 → 100", "no weight", "head 4 context 9 → 33.75", "now warm").search(takeaway(page))
    assert {"20.25", "21.625", "10.625"} <= set(texts(page))
    assert not {"15.3", "14.2", "8.15"} & set(texts(page))


def test_thirty_presses_in_a_row_arrive_at_the_value_they_add_up_to(visit):
    page = visit(ALL_HEADS)
    page.locator(IS).focus()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
    until(page, lambda: page.url, "values=10,20,16,5")
    run = prefill(Scenario(values=(10, 20, 16, 5)).model(), Scenario.article().prompt_ids)
    expected = {f"{logit:.5g}" for logit in run.logits[-1]} | {f"{c:.4g}" for c in run.layers[0].context[:, -1, 0]}
    until(page, lambda: expected - set(texts(page)), set())
    assert page.locator(IS).input_value() == "16"


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


@pytest.mark.parametrize(("path", "slider"), [(ALL_HEADS, "all_value_2"), ("?steps=all", "value_2")])
def test_after_a_burst_of_moves_nothing_stale_stays(visit, path, slider):
    """A move draws its step alone: title, editor and the other steps must have followed, and say what a fresh visit says."""
    page = visit(path)
    page.locator(f".st-key-{slider} input[type=range]").focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    until(page, lambda: page.url, "values=10,20,7,5")  # at once
    settled(page)
    moved = page.evaluate(EVERYTHING)
    assert ["Scenario", "Edited", False] in moved[3]
    fresh = visit(page.url).evaluate(EVERYTHING)
    assert moved == fresh
    page.locator(".st-key-reset button").first.click()
    until(page, lambda: "values" in page.url, False)
    settled(page)
    assert page.locator(f".st-key-{slider} input[type=range]").input_value() == "1"


def test_a_new_rule_moves_weights(visit):
    page = visit(ALL_HEADS)
    page.get_by_role("combobox", name="Head 2 looks at").click()
    page.get_by_role("option", name="nothing", exact=True).click()
    until(page, lambda: takeaway(page), "head 2 self → none")
    assert in_order("weights", "head 2 context 5 → none").search(takeaway(page)) and "no weight" not in takeaway(page)


def test_where_plotly_js_cannot_be_loaded_streamlits_own_chart_shows_the_same(visit):
    page = visit(ALL_HEADS, without="**/plotly-*.min.js", wait=False)
    page.locator(".stPlotlyChart svg text", has_text="15.3").first.wait_for(timeout=120_000)  # Streamlit's own chart, uncached
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    page.locator(IS).focus()
    page.keyboard.press("End")
    page.locator(".stPlotlyChart svg text", has_text="33.75").first.wait_for(timeout=60_000)
    until(page, lambda: takeaway(page), "now warm")  # it stands beneath the chart and comes after it


class Film:
    """What the screen showed, frame by frame, of one rectangle."""

    def __init__(self, page, box):
        self.box, self.frames = [round(box[k]) for k in ("x", "y", "width", "height")], []
        self.client = page.context.new_cdp_session(page)
        self.client.on("Page.screencastFrame", self._keep)
        self.client.send("Page.startScreencast", {"format": "jpeg", "quality": 70, "everyNthFrame": 1})

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
    """Film the heatmaps while a slider is moved; with `blink`, hide the figure for two animation frames at the end."""
    film = Film(page, page.locator(".tbt-plot .heatmaplayer").first.bounding_box())
    page.locator(IS).focus()
    for i in range(moves):
        drawn = page.locator(".tbt-figure").get_attribute("data-drawn")
        page.keyboard.press("ArrowRight" if i % 20 < 10 else "ArrowLeft")
        page.wait_for_function("(drawn) => document.querySelector('.tbt-figure').dataset.drawn !== drawn", arg=drawn)
    if blink:
        page.evaluate(
            """() => new Promise((done) => {
              const plot = document.querySelector(".tbt-plot");
              plot.style.visibility = "hidden";
              setTimeout(() => { plot.style.visibility = ""; setTimeout(done, 100); }, 50);
            })"""
        )
    page.evaluate("() => new Promise((seen) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(seen, 50))))")
    return list(film.coloured())


@pytest.mark.parametrize("step", [ONE_HEAD, ALL_HEADS])
def test_no_frame_is_blank_in_fifty_moves(visit, step):
    shares = film_of(visit(step), 50)
    assert len(shares) >= 50
    assert min(shares) > 0.8 * max(shares) > 0.2


def test_the_film_would_have_shown_a_blank_frame(visit):
    shares = film_of(visit(ALL_HEADS), 3, blink=True)
    assert min(shares) < 0.05 and max(shares) > 0.2
