"""On a slow line plotly.js, half of all bytes, comes last: until then the lesson can be read and its controls moved."""

import pytest
from driving import LESSONS, settled
from reading import until
from sweep import PHONE

READ = (
    "() => [...document.querySelectorAll('[data-testid=stMarkdown]')].filter((e) => e.innerText.trim()).map((e) => e.innerText)"
)
STANDS = """() => document.querySelector('[data-testid="stApp"]')?.dataset.testScriptState === "notRunning"
  && document.querySelector(".st-key-address_bar")?.style.display === "none" """


@pytest.mark.parametrize("lesson", ["overview", "attention", "memory"])
def test_a_lesson_is_there_before_plotly_js_has_come(visit, address, lesson):
    page, held = visit("about:blank", wait=False), []
    page.route("**/plotly-*", lambda route: held.append(route))
    page.goto(address + LESSONS[lesson])
    page.wait_for_function(STANDS)
    until(page, lambda: len(held), 1)
    early = page.evaluate(READ)
    assert len(held) == 1 and page.locator(".tbt-figure[data-drawn]").count() == 0
    assert page.locator("[data-testid=stMain] input").first.is_enabled()
    held[0].continue_()
    settled(page)
    assert page.locator(".tbt-figure[data-drawn]").count() > 0
    assert page.evaluate(READ) == early and len("".join(early)) > 100


def test_on_a_phone_a_slider_that_comes_late_stands_where_its_figure_does(visit, address):
    """A phone says that it is narrow, and the page is drawn again, before the script that draws sliders has come."""
    page, held = visit("about:blank", wait=False), []
    page.set_viewport_size(PHONE)
    page.route("**/Slider.*.js", lambda route: held.append(route))
    page.goto(address + "/tiles?slide=2&tile_side=20")
    page.wait_for_function(STANDS)
    until(page, lambda: bool(held), True)
    for route in held:
        route.continue_()
    page.locator("[data-testid=stSlider]").first.wait_for()
    assert held and page.locator(".st-key-extra_tile_side").inner_text().split()[:5] == ["Side", "of", "a", "tile", "20"]
