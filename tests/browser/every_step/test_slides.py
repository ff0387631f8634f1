"""A slide whose figure asks something has one message: sliders and menus come at a press, the takeaway with the answer."""

from driving import settled
from reading import choose, says, until
from sweep import PHONE, beyond

HIGH = "document.querySelector('.tbt-plot').clientHeight"


def test_sliders_and_menus_come_and_go_at_a_press_and_the_figure_has_the_room_between(visit):
    page = visit("/attention?slide=1&present=on")
    slider, menu = page.get_by_role("slider").first, page.locator(".st-key-attention_more button").first
    assert not slider.is_visible() and not menu.is_visible()
    alone = page.evaluate(HIGH)
    page.keyboard.press("s")
    slider.wait_for()
    settled(page)
    assert menu.is_visible() and page.evaluate(HIGH) < alone and beyond(page) == []
    page.locator(".st-key-slide_controls button").click()
    slider.wait_for(state="hidden")
    until(page, lambda: page.evaluate(HIGH), alone)
    page.keyboard.press("s")
    slider.wait_for()
    page.keyboard.press("PageDown")
    until(page, lambda: "2 / 4" in page.locator(".st-key-counter").inner_text(), True)
    page.keyboard.press("PageUp")
    until(page, lambda: "1 / 4" in page.locator(".st-key-counter").inner_text(), True)
    settled(page)
    assert not slider.is_visible()


def test_who_asks_on_a_slide_without_a_question_is_chosen_behind_the_same_key(visit):
    """The key did, and its button was not there."""
    page = visit("/rules?slide=1&present=on")
    who = page.locator(".st-key-who")
    assert who.count() and not who.is_visible()
    page.locator(".st-key-slide_controls button").click()
    who.wait_for()


def test_what_a_step_comes_to_stands_beside_the_answer_and_moves_next_to_nothing(visit):
    page = visit("/counting?slide=1&present=on&route=45")
    takeaway = page.locator(".st-key-takeaway_work")
    assert not takeaway.is_visible()
    assert page.locator("h1").evaluate("(h1) => h1.scrollWidth <= h1.clientWidth")  # beside a class's minutes, too
    top = page.locator(".tbt-plot").bounding_box()["y"]
    choose(page, "double_scores", 1)
    says(page, "answer_double_scores", "Right")
    takeaway.wait_for()
    settled(page)
    assert float(takeaway.locator("p").first.evaluate("(p) => parseFloat(getComputedStyle(p).fontSize)")) >= 22
    assert page.locator(".tbt-plot").bounding_box()["y"] == top and beyond(page) == []
    assert takeaway.bounding_box()["x"] > page.locator(".st-key-answer_double_scores").bounding_box()["x"]


def test_the_last_slide_of_a_class_has_all_its_questions_on_it(visit):
    """What was left out is marked behind a question, which ran off the slide with it."""
    page = visit("/counting?slide=6&present=on&route=45")
    marked = page.locator("[class*=st-key-counting_tell_] em")
    edge = page.locator(".st-key-in_short_said").bounding_box()
    assert marked.count() == 1 and beyond(page) == []
    assert (box := marked.bounding_box())["x"] + box["width"] <= edge["x"] + edge["width"]


def test_on_a_phone_the_small_machine_is_a_line_beneath_the_title(visit):
    page = visit("/cache?slide=2", viewport=PHONE)
    here = page.get_by_role("img", name="You are here")
    assert here.bounding_box()["y"] < 60 and here.inner_text().split() == ["key", "value"]


def test_a_control_that_comes_with_an_answer_moves_no_figure(visit):
    page = visit("/attention?slide=4&present=on")
    figure, control = page.locator(".tbt-figure"), page.locator(".st-key-softer_score")
    before = figure.bounding_box()
    choose(page, "softer", 0)
    says(page, "answer_softer", "weighs")
    page.locator(".st-key-slide_controls button").wait_for()
    settled(page)
    after = figure.bounding_box()
    assert all(abs(after[side] - before[side]) <= 16 for side in ("x", "y", "width", "height"))
    assert control.count() and not control.is_visible()  # nor is its place, while its script is on its way
