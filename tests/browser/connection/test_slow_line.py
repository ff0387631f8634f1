"""On a slow line plotly.js, more than half of all bytes, comes last: until then the lesson can be read and its controls moved. And what
waits for a script that is late holds the place that it will take, and says nothing wrong meanwhile."""

import pytest
from driving import LESSONS, settled
from reading import says, until
from sweep import PHONE

READ = (
    "() => [...document.querySelectorAll('[data-testid=stMarkdown]')].filter((e) => e.innerText.trim()).map((e) => e.innerText)"
)
STANDS = """() => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning"
  && document.querySelector(".st-key-address_bar")?.style.display === "none" """
SHEET_OF_THE_MAP = """() => [...document.styleSheets].some((sheet) =>
  [...sheet.cssRules].some((rule) => rule.selectorText?.includes("st-key-lesson_map")))"""


@pytest.fixture
def late(visit, address):
    """Opens a lesson and holds the scripts that match until they are let come; without plotly.js where `refused` takes what was asked."""

    def opened(path, scripts, size=None, refused=None):
        page, held = visit("about:blank", wait=False, viewport=size), []
        if refused is not None:
            page.route("**/plotly-*.min.js", lambda route: refused.append(route.fulfill(status=404)))
        page.route(scripts, lambda route: held.append(route))
        page.goto(address + path, wait_until="commit")
        return page, held

    return opened


def come(held):
    for route in held:
        route.continue_()


@pytest.mark.parametrize("lesson", ["decode", "memory"])
def test_a_lesson_is_there_and_can_be_moved_before_plotly_js_has_come(late, lesson):
    """plotly.js is the largest part of a first visit: 1.4 of 2.4 MB. What can be read does not wait for it."""
    page, held = late(LESSONS[lesson], "**/plotly-*")
    page.wait_for_function(STANDS)
    until(page, lambda: len(held), 1)
    early = page.evaluate(READ)
    assert len(held) == 1 and page.locator(".tbt-figure[data-drawn]").count() == 0
    if lesson == "decode":
        assert page.locator(".tbt-plot svg").count() == 0
        page.locator(".st-key-step_next button").click()
        says(page, "stepper_step", "Step 1", stands=False)
    else:
        assert page.locator("[data-testid=stMain] input").first.is_enabled()
    come(held)
    settled(page)
    assert page.locator(".tbt-figure[data-drawn]").count() > 0
    assert (lesson == "decode" or page.evaluate(READ) == early) and len("".join(early)) > 100


def test_on_a_phone_a_slider_that_comes_late_stands_where_its_figure_does(late):
    """A phone says that it is narrow, and the page is drawn again, before the script that draws sliders has come."""
    page, held = late("/tiles?slide=2&tile_side=20", "**/Slider.*.js", PHONE)
    page.wait_for_function(STANDS)
    until(page, lambda: bool(held), True)
    come(held)
    page.locator("[data-testid=stSlider]").first.wait_for()
    assert held and page.locator(".st-key-extra_tile_side").inner_text().split()[:5] == ["Side", "of", "a", "tile", "20"]


def test_a_figure_that_cannot_be_drawn_waits_for_the_sliders_before_it_says_so(late):
    """What it tells runs the page again: told before the sliders' own script was there, all values became the lowest, −20."""
    refused = []
    page, held = late("/attention?slide=1", "**/Slider*.js", refused=refused)
    until(page, lambda: bool(held and refused), True)
    page.evaluate("() => new Promise((over) => setTimeout(over, 300))")  # it looks every 60 ms whether it may say so
    come(held)
    page.locator(".stPlotlyChart svg text", has_text="12.5").first.wait_for(timeout=60_000)
    values = page.locator(".stMain input[type=range]").evaluate_all("(sliders) => sliders.map((slider) => slider.value)")
    assert values[:4] == ["10", "20", "1", "5"]


def test_links_whose_script_is_late_hold_the_place_that_they_will_take(late):
    """Their grey places were higher than the links: the page scrolled, and jumped when they came."""
    page, held = late("/overview?slide=3", "**/PageLink*.js")
    waiting, place = page.locator(".st-key-lesson_map [data-testid=stSkeleton]"), page.locator(".st-key-lesson_map").last
    until(page, lambda: waiting.count() >= 10, True)
    page.locator(".st-key-slide_next").wait_for()
    page.wait_for_function(SHEET_OF_THE_MAP)  # a style sheet is put in just after the elements that it is for
    before = place.bounding_box()["height"]
    come(held)
    settled(page)
    assert waiting.count() == 0 and place.locator("a").count() >= 10
    assert abs(place.bounding_box()["height"] - before) <= 24  # a place does not know that a title has two lines


def test_the_first_screen_waits_for_the_place_of_its_answer(late):
    """Where it came late the answer was written in a line of its own, and the doors stood below the screen."""
    page, held = late("/", "**/Html.*.js")
    page.locator(".tbt-machine .tbt-text").wait_for(state="attached")
    until(page, lambda: bool(held), True)
    page.locator(".st-key-doors a").last.wait_for()
    assert page.locator(".tbt-text").is_hidden()
    come(held)
    settled(page)
    page.locator(".tbt-answer .tbt-new").first.wait_for(state="attached")
    assert page.locator(".tbt-text").is_hidden() and page.locator(".tbt-text span").count() == 0
