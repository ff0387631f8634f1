"""Presented, figures take the height that the words of their step leave, and give some of it back; nothing else moves."""

from driving import settled
from reading import until
from sweep import beyond

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
    page.add_style_tag(content="[class*=st-key-predict_] { min-height: 240px; }")
    until(page, lambda: page.locator(".tbt-plot").evaluate(PLOT)[2] < high, True)
    settled(page)
    less, _, drawn = page.locator(".tbt-plot").evaluate(PLOT)
    assert less == drawn and page.locator(".tbt-plot").bounding_box()["y"] == top and beyond(page) == []


def test_a_figure_becomes_no_higher_while_its_step_stands(visit):
    page = visit("/counting?slide=1&present=on")
    taller = page.add_style_tag(content="[class*=st-key-takeaway] { min-height: 160px !important; }")
    settled(page)
    page.get_by_role("slider").first.press("ArrowRight")
    settled(page)
    high = page.locator(".tbt-plot").bounding_box()["height"]
    taller.evaluate("(style) => style.remove()")
    page.get_by_role("slider").first.press("ArrowLeft")
    settled(page)
    assert page.locator(".tbt-plot").bounding_box()["height"] == high


def test_read_a_figure_is_as_high_as_it_was_sent_and_a_slide_says_its_step_and_where_it_is(visit):
    page = visit("/cache?slide=7")
    high, sent, drawn = page.locator(".tbt-plot").evaluate(PLOT)
    assert high == sent == drawn
    page.keyboard.press("p")
    lead = page.locator(".st-key-presented h3")
    lead.wait_for()
    settled(page)
    assert float(lead.evaluate("(h) => parseFloat(getComputedStyle(h).fontSize)")) >= 24 and lead.bounding_box()["height"] < 40
    chosen = page.locator(".st-key-presented [class*=st-key-here_] [aria-pressed=true]")
    assert chosen.all_inner_texts() == ["key", "value"]
