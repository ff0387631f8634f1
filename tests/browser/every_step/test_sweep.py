"""Every step of every lesson: on a projector it stands on one screen, read and presented, and no word of a figure is cut off; on a
phone nothing scrolls sideways; and in either theme axe-core finds no violation of WCAG 2.2 AA in any lesson."""

from functools import partial
from itertools import pairwise
from urllib.parse import urlencode, urlsplit

import pytest
from app_pages import TOY_LESSONS, figures, names_of, show, visitor
from driving import DEFAULT, LESSONS, PROJECTOR, settled
from reading import by_the_menu, open_menu, turn_to, until
from scenarios import SIXTEEN
from sweep import (
    COLOURS,
    PHONE,
    SMALL_MACHINE,
    at_the_foot,
    beyond,
    change_theme,
    place,
    presented_backwards,
    resize,
    steps_of,
    violations,
    walked,
)

from pages.app.course import LESSONS as COURSE
from pages.app.course import REFERENCE

longer = partial(beyond, scrolls=True)  # the first screen, and every one of a phone
# The lesson to which the last step of another leads.
AFTER = dict(pairwise(lesson for lesson in COURSE if lesson not in REFERENCE))


def problems(found):
    return {where: said for where, said in found.items() if said}


def drawn(lesson, step, scenario):
    """The figures of a step of a lesson, and its machine, as they are sent."""
    at = show(visitor(lesson), scenario | {"steps": "", "slide": str(step)})
    machines = [e.proto.json for e in at.get("bidi_component") if "machine" in e.proto.component_name]
    return [str(figure) for figure, _ in figures(at)] + machines


def drawn_anew(lesson):
    """The steps of a lesson that sixteen tokens are drawn on; elsewhere a figure is the same as without them."""
    steps = range(1, len(names_of(lesson)) + 1)
    return [step for step in steps if drawn(lesson, step, SIXTEEN) != drawn(lesson, step, {})]


def noting(places, look=beyond):
    """`look`, and where the small machine stands, too, if there is one: the first steps of the story have none."""
    return lambda page: places.extend(page.evaluate(SMALL_MACHINE)) or look(page)


@pytest.mark.parametrize("lesson", LESSONS)
def test_every_step_stands_on_its_screen_and_the_small_machine_at_its_place(tab, lesson):
    places = []
    with tab() as open_lesson:
        assert problems(walked(open_lesson(lesson), noting(places, longer if lesson == "start" else beyond))) == {}
    assert places == places[:1] * len(places)


def in_both_themes(page):
    """By all rules in the theme in which it is shown, by those of colours in the other, which it keeps."""
    assert violations(page) == []
    change_theme(page)
    assert violations(page, COLOURS) == []


def on_a_phone(page, lesson):
    until(page, lambda: longer(page), [])  # a step that follows the screen's width may be drawn after the page has answered
    assert lesson in (DEFAULT, *REFERENCE) or at_the_foot(page) == []  # these have no way on beneath all of their steps


@pytest.mark.parametrize("lesson", LESSONS)
def test_all_steps_are_accessible_in_both_themes_and_none_is_wider_than_a_phone(tab, widest, lesson):
    """One lesson is opened on a projector and the next on a phone, each as the one before left the screen."""
    with tab(widest, "steps=all") as open_lesson:
        page = open_lesson(lesson)
        assert steps_of(page) == 1  # all of them are on the page
        if page.viewport_size == PHONE:
            on_a_phone(page, lesson)
            resize(page, PROJECTOR)
            in_both_themes(page)
        else:
            in_both_themes(page)
            resize(page, PHONE)
            on_a_phone(page, lesson)


def back_into(page, lesson, link):
    """From the first step of the lesson after it, where the test before has left the tab, or by a link to its last step."""
    after = LESSONS.get(AFTER.get(lesson))
    if urlsplit(page.url).path != after:
        page.goto(f"{link}&slide=99")
    while urlsplit(page.url).path == after:  # a press, or several where a stepper has frames before the one that stands
        page.locator(".st-key-slide_back button").click()
        settled(page)


@pytest.mark.parametrize("lesson", [*reversed(COURSE)])
def test_every_step_stands_on_its_screen_in_the_widest_words_presented(tab, widest, lesson):
    """From the last lesson to the first, and in each from its last step to the first; the small machine is as wide on all slides."""
    places = []
    with tab(widest, "present=on", back_into) as open_lesson:
        page, n = open_lesson(lesson), len(names_of(lesson))
        assert place(page) == f"{n} / {n}"
        assert problems(presented_backwards(page, noting(places))) == {}
    assert places == places[:1] * len(places)
    for _, y, width in places[:1]:
        assert y < 40 and 200 <= width <= 240


@pytest.mark.parametrize("lesson", [name for name in TOY_LESSONS if name in LESSONS])
def test_every_step_that_sixteen_tokens_and_eight_heads_are_drawn_on_stands_on_its_screen(tab, widest, lesson):
    if steps := drawn_anew(lesson):
        with tab(widest, urlencode(SIXTEEN, safe=",:")) as open_lesson:
            page = open_lesson(lesson)
            assert "tokens=w0,w1" in page.url
            assert problems(walked(page, beyond, steps)) == {}


def test_the_sweep_would_have_found_something(visit):
    page = visit()
    page.evaluate(
        "document.querySelector('[class*=st-key-takeaway] p').innerHTML += '<img src=\"data:,\"><span style=\"color:#999\">faint</span>'"
    )
    found = " ".join(violations(page))
    assert "image-alt" in found and "color-contrast" in found
    assert beyond(page) == []
    page.add_style_tag(content=".stMainBlockContainer { width: 2000px; height: 900px; flex-shrink: 0; }")
    assert "below the screen" in beyond(page)[0] and "beside it" in beyond(page)[1]
    page.add_style_tag(content=".tbt-text-layer text { font-size: 80px !important; }")
    assert len(beyond(page)) > 2


def next_is_whole(page):
    return page.locator(".st-key-slide_next p").first.evaluate("(p) => p.scrollWidth <= p.clientWidth")


def test_the_whole_menu_and_the_way_on_are_in_sight(visit):
    """Each line as high as a finger needs, and what the button of the next step says is never cut."""
    page = visit("/paging")
    open_menu(page)
    lines = [line.bounding_box() for line in page.locator(".st-key-side_menu a").all()]
    assert lines[-1]["y"] + lines[-1]["height"] < 720 and min(line["height"] for line in lines) >= 24
    for lesson in ("cache", "logits"):
        by_the_menu(page, lesson)
        page.get_by_test_id("stExpandSidebarButton").wait_for()  # beside a lesson there is no room for it in 1280 pixels
        open_menu(page)
        assert page.evaluate("document.querySelector('.stMain').scrollWidth <= document.querySelector('.stMain').clientWidth")
        assert next_is_whole(page), lesson
    for lesson in ("paging", "serverlog", "second_turn", "glossary"):
        by_the_menu(page, lesson)
        if lesson == "glossary":
            turn_to(page, 2)
        assert next_is_whole(page), lesson
        title, names = page.locator("h1").bounding_box(), page.locator(".st-key-step_names").bounding_box()
        assert title["y"] + title["height"] <= names["y"], lesson
    page.set_viewport_size({"width": 1280, "height": 600})
    for lesson in ("decode", "attention"):  # with a stepper of its own, and without
        by_the_menu(page, lesson)
        way_on = page.locator(".st-key-slide_next").bounding_box()
        assert way_on["y"] + way_on["height"] <= 600, lesson
    resize(page, PHONE)
    assert at_the_foot(page) == []
    for turned in ({"width": 844, "height": 390}, {"width": 360, "height": 640}):
        page.set_viewport_size(turned)
        settled(page)
        assert at_the_foot(page) == []
    resize(page, PROJECTOR)
    a_box_that_is_unfolded_at_the_foot_of_the_menu_is_in_sight(page)


def in_sight(box):
    heading, whole = box.locator("summary").bounding_box(), box.bounding_box()
    return heading["y"] >= 0 and whole["y"] + min(whole["height"], 720) <= 721


def a_box_that_is_unfolded_at_the_foot_of_the_menu_is_in_sight(page):
    by_the_menu(page, "rules")
    open_menu(page)
    boxes = page.get_by_test_id("stSidebar").locator(".stExpander")
    for at in range(boxes.count()):
        box = boxes.nth(at)
        box.locator("summary").click()
        until(page, lambda box=box: in_sight(box), True)
