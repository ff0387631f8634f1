"""Figures take the height that the words of their step leave, and give some of it back; nothing else moves."""

from driving import settled
from reading import until
from sweep import beyond

from pages.app.route_steps import ROUTES
from pages.parts.teaching.routes import STORY

PLOT = """(plot) => [plot.clientHeight, parseFloat(plot.style.getPropertyValue('--sent')),
  plot.querySelector('.main-svg').height.baseVal.value]"""
ROOM = """() => innerHeight - Math.max(...[...document.querySelectorAll('.st-key-presented .stElementContainer')]
  .map((one) => one.getBoundingClientRect().bottom))"""


def test_a_figure_is_drawn_as_high_as_its_step_leaves_room(visit):
    page = visit("/cache?slide=7&present=on")
    high, sent, drawn = page.locator(".tbt-plot").evaluate(PLOT)
    assert 1.1 * sent < high == drawn and beyond(page) == []
    assert 0 <= page.evaluate(ROOM) < 30
    top = page.locator(".tbt-plot").bounding_box()["y"]
    page.add_style_tag(content="[class*=st-key-predict_] { min-height: 240px !important; }")
    until(page, lambda: page.locator(".tbt-plot").evaluate(PLOT)[2] < high, True)
    settled(page)
    less, _, drawn = page.locator(".tbt-plot").evaluate(PLOT)
    assert less == drawn and page.locator(".tbt-plot").bounding_box()["y"] == top and beyond(page) == []


def test_a_figure_becomes_no_higher_while_its_step_stands(visit):
    page = visit("/counting?slide=1&present=on")
    taller = page.add_style_tag(content="[class*=st-key-predict_] { min-height: 160px !important; }")
    page.keyboard.press("s")
    page.get_by_role("slider").first.wait_for()
    settled(page)
    page.get_by_role("slider").first.press("ArrowRight")
    settled(page)
    high = page.locator(".tbt-plot").bounding_box()["height"]
    taller.evaluate("(style) => style.remove()")
    page.get_by_role("slider").first.press("ArrowLeft")
    settled(page)
    assert page.locator(".tbt-plot").bounding_box()["height"] == high


LARGE = {"width": 1440, "height": 900}
PLACES = """() => ['.tbt-plot', '[class*=st-key-predict_]', '.st-key-way'].map((box) => document.querySelector(box).getBoundingClientRect())
  .flatMap(({ top, height }) => [Math.round(top), Math.round(height)])"""
TYPE = "(text) => [parseFloat(text.getAttribute('font-size')), text.getBoundingClientRect().height]"


def test_after_a_wrong_answer_the_way_on_is_in_sight(visit):
    """What is said of a wrong answer is longer: on four steps of the story the foot went 6 to 19 pixels below a projector's screen."""
    page, beyond_it = visit("/why?route=story"), {}
    for stop in ROUTES[STORY]:
        options = page.locator("[class*=st-key-option_] button")
        again, number = page.locator("[class*=st-key-again_] button"), page.locator("[class*=st-key-form_] input")
        for option in (0, -1) if options.count() else range(number.count()):
            if options.count():
                options.nth(option).click()
            else:
                number.fill("3")
                number.press("Enter")
            again.wait_for()
            settled(page)
            beyond_it |= {(stop.name, option): found} if (found := beyond(page)) else {}
            again.click()
            settled(page)
        if stop != ROUTES[STORY][-1]:
            page.locator(".st-key-slide_next button").first.click()
            settled(page)
    for _ in range(6):
        page.locator("[class*=st-key-counting_tell_] button").first.click()
        settled(page)
    assert beyond_it == {} and beyond(page) == []


def test_a_slide_says_its_step_and_where_it_is(visit):
    page = visit("/cache?slide=7")
    page.keyboard.press("p")
    lead = page.locator(".st-key-presented h3")
    lead.wait_for()
    settled(page)
    assert float(lead.evaluate("(h) => parseFloat(getComputedStyle(h).fontSize)")) >= 24 and lead.bounding_box()["height"] < 40
    chosen = page.locator(".st-key-presented [class*=st-key-here_] [aria-pressed=true]")
    assert chosen.all_inner_texts() == ["key", "value"]
