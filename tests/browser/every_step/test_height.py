"""Figures take the height that the words of their step leave, and give some of it back; nothing else moves."""

from driving import PROJECTOR, settled
from reading import choose, says, turn_to, until
from sweep import beyond

from pages.app.route_steps import ROUTES
from pages.parts.teaching.routes import STORY

PLOT = """(plot) => [plot.clientHeight, parseFloat(plot.style.getPropertyValue('--sent')),
  plot.querySelector('.main-svg').height.baseVal.value]"""
ROOM = """() => innerHeight - Math.max(...[...document.querySelectorAll('.st-key-presented .stElementContainer')]
  .map((one) => one.getBoundingClientRect().bottom))"""


def test_a_slide_says_its_step_and_where_it_is_and_its_figure_is_as_high_as_it_leaves_room(visit):
    page = visit("/cache?slide=7&present=on")
    lead = page.locator(".st-key-presented h3")
    assert float(lead.evaluate("(h) => parseFloat(getComputedStyle(h).fontSize)")) >= 24 and lead.bounding_box()["height"] < 40
    chosen = page.locator(".st-key-presented [class*=st-key-here_] [aria-pressed=true]")
    assert chosen.all_inner_texts() == ["key", "value"]
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


def test_read_a_figure_grows_with_its_type_and_an_answer_moves_nothing_above_it(visit):
    page = visit("/logits?slide=2", viewport=LARGE)
    an_answer_moves_nothing_above_it_and_the_way_on_stays_in_sight(page)
    turn_to(page, 1)
    high, sent, drawn = page.locator(".tbt-plot").evaluate(PLOT)
    assert sent < high == drawn <= 1.5 * sent
    larger = max(page.locator(".tbt-text-layer text").evaluate_all(f"(texts) => texts.map({TYPE})"))
    page.set_viewport_size({"width": 1440, "height": 780})
    until(page, lambda: page.locator(".tbt-plot").evaluate(PLOT)[2] < high, True)
    settled(page)
    assert max(page.locator(".tbt-text-layer text").evaluate_all(f"(texts) => texts.map({TYPE})")) < larger
    assert beyond(page) == []


def an_answer_moves_nothing_above_it_and_the_way_on_stays_in_sight(page):
    before = page.evaluate(PLACES)
    choose(page, "silence")
    says(page, "answer_silence", "redicted")
    settled(page)
    after = page.evaluate(PLACES)
    assert max(abs(x - y) for x, y in zip(after[:3], before[:3], strict=True)) <= 1  # a place that is rounded
    assert after[4:] == before[4:] and beyond(page) == []
    page.locator("[class*=st-key-answer_]").evaluate("(answer) => { answer.style.marginBlockStart = '90px' }")
    until(page, lambda: page.evaluate(PLACES)[1] < before[1], True)
    settled(page)
    assert beyond(page) == []


def answered_wrongly(page):
    """Whether the step asks something, which is then answered, mostly not rightly."""
    options = page.locator("[class*=st-key-option_] button")
    number = page.locator("[class*=st-key-predict_] input[type=number]")
    if options.count():
        options.first.click()
    elif number.count():
        number.fill("25")  # the sum, of which most is said
        number.press("Enter")
    else:
        return False
    page.locator("[class*=st-key-again_]").wait_for()
    settled(page)
    return True


def test_beside_an_answer_a_figure_gives_a_little_and_the_way_on_covers_nothing(visit):
    """Of 18 steps beside the story the answer went beneath it, here by 60 pixels."""
    page = visit("/less?slide=3")
    sent, before = page.locator(".tbt-plot").evaluate(PLOT)[1:]
    assert answered_wrongly(page) and beyond(page) == []
    assert 0.8 * sent <= page.locator(".tbt-plot").evaluate(PLOT)[2] < sent <= before


ANSWERED = """() => {
  const answer = Object.assign(document.createElement("div"), { className: "st-key-again_before" });
  answer.style.cssText = "flex: none; height: 150px";
  document.querySelector(".tbt-plot").closest(".stMainBlockContainer > .stVerticalBlock").append(answer);
}"""


def test_a_figure_that_came_beside_the_answer_of_the_step_before_has_its_height_when_that_is_gone(visit):
    """On a busy machine a step stood there for a moment with what the page still had of the one before: its figure stayed small."""
    page = visit("/less?slide=3", viewport=LARGE)
    high = page.locator(".tbt-plot").evaluate(PLOT)[2]
    page.evaluate(ANSWERED)
    until(page, lambda: page.locator(".tbt-plot").evaluate(PLOT)[2] < high, True)
    page.evaluate("() => document.querySelector('.st-key-again_before').remove()")
    until(page, lambda: page.locator(".tbt-plot").evaluate(PLOT)[2], high)


def walked(page, way, look):
    """What `look` finds at each stop of the story, from the first on or from the last one back, where it looks at all."""
    found = {}
    for stop in ROUTES[STORY][:: 1 if way == "next" else -1]:
        if found:
            page.locator(f".st-key-slide_{way} button").first.click()
            settled(page)
        found[stop.name] = look(page)
    return found


def read_and_answered(page):
    """What is beyond the screen or left empty, and beyond it once the stop is answered; and whether it asks."""
    found, asks = beyond(page), answered_wrongly(page)
    return found + [said for said in beyond(page) if asks and "empty" not in said], asks


def as_it_was_answered(page):
    asked = page.locator("[class*=st-key-again_]").count() > 0
    return beyond(page) if asked else [], asked


def test_after_a_wrong_answer_the_way_on_is_in_sight_and_on_a_laptop_no_step_of_the_story_leaves_anything_empty(visit):
    """What is said of a wrong answer is longer: on four steps of the story the foot went 6 to 19 pixels below a projector's screen. On a
    laptop the story is read and answered; from its end back, with its answers, it stands on a projector's."""
    page = visit("/why?route=story", viewport=LARGE)
    on_a_laptop = walked(page, "next", read_and_answered)
    page.set_viewport_size(PROJECTOR)
    for _ in range(6):
        page.locator("[class*=st-key-counting_tell_] button").first.click()
        settled(page)
    assert beyond(page) == []
    on_a_projector = walked(page, "back", as_it_was_answered)
    assert [problems for problems in (on_a_laptop, on_a_projector) if any(found for found, _ in problems.values())] == []
    assert {stop for stop, (_, asks) in on_a_laptop.items() if asks} == {
        stop for stop, (_, asked) in on_a_projector.items() if asked
    }
    assert len(on_a_projector) == len(ROUTES[STORY]) > 10
