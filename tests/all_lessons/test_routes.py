"""The way through a route by the arrow key alone, in every window that has one: the lesson, presented, and the notes beside it."""

import re

import pytest
import streamlit as st
from app_pages import application, commit, figures, moved, of_visit, ran, selected, show
from streamlit.testing.v1 import AppTest

from engine.toy.presets import ALL_SWIM
from pages.app.course import LESSONS
from pages.app.route_steps import ROUTES
from pages.parts.teaching import own_route, plan, routes
from pages.parts.teaching.routes import NUMBERS, STORY, step_of
from pages.parts.visit import all_lessons, location
from pages.parts.visit.location import Where
from pages.parts.visit.scenario import Kept


def frame():
    """What the frame does for a lesson. (AppTest runs the frame once and then the page by itself.)"""
    from types import SimpleNamespace

    from pages.app.course import LESSONS
    from pages.app.route_steps import ROUTES
    from pages.parts.lesson.step_navigation import enter_lesson
    from pages.parts.teaching import own_route
    from pages.parts.visit import address, all_lessons, location, scenario
    from pages.parts.visit.parameters import DECLARED

    scenario.current()
    pages = {name: SimpleNamespace(title=name) for name in LESSONS}
    all_lessons.lay_out(pages=pages, lessons=LESSONS, routes=ROUTES, own_route=own_route.stops)
    asked, _ = location.take_request()
    if asked:
        location.leave_page()
    location.set_lesson(asked or location.now().lesson or "overview")
    enter_lesson(location.now().lesson)
    own_route.report_left_out()
    LESSONS[location.now().lesson].show()
    address.publish(DECLARED)


def stands(at):
    """The lesson and the step on screen."""
    return of_visit(at, Where).lesson, int(selected(at).get("slide") or 1)


def with_key(at, key):
    """The button that a key presses; no two may have the same."""
    found = [button for button in at.button if button.proto.shortcut.lower() == key and not button.disabled]
    assert len(found) <= 1, [button.key for button in found]
    return found[0] if found else None


def pressed(at, button):
    """Press a button: a step with a stepper of its own draws the way on itself, where it is not presented."""
    button.click()
    if of_visit(at, Where).stepper and not selected(at).get("present"):
        return moved(at, f"step_{stands(at)[1]}")
    return ran(at)


def walked(route, lesson="", **query):
    """The stops at which → arrives, from the first one, of that `lesson`, until it leads no further."""
    at = AppTest.from_function(frame, default_timeout=60)
    at.query_params.update({"route": route, **query})
    of_visit(at, Where).lesson = lesson or ROUTES[route][0].lesson
    ran(at)
    stops, presses = [stands(at)], 0
    while (button := with_key(at, "right")) and presses < 80:
        pressed(at, button)
        presses += 1
        if stands(at) != stops[-1]:
            stops.append(stands(at))
    return stops


@pytest.fixture
def no_page_link(monkeypatch):
    """Its last step links to what else there is; a lesson that runs by itself has no pages."""
    monkeypatch.setattr(st, "page_link", lambda *_, **__: None)


@pytest.mark.usefixtures("no_page_link")
@pytest.mark.parametrize(("route", "window"), [("45", "present"), ("45", "notes"), ("90", "")])
def test_the_arrow_key_leads_along_the_whole_route_and_no_further(route, window):
    assert walked(route, **({window: "on"} if window else {})) == [(stop.lesson, stop.at) for stop in ROUTES[route]]


@pytest.mark.usefixtures("no_page_link")
def test_the_arrow_key_leads_along_the_whole_story():
    assert walked(STORY) == [(stop.lesson, stop.at) for stop in ROUTES[STORY]]


def in_lesson(name, **query):
    at = AppTest.from_function(frame, default_timeout=60)
    at.query_params.update(query)
    of_visit(at, Where).lesson = name
    return ran(at)


def opened(at, lesson):
    of_visit(at, Where).open_lesson = lesson
    ran(at)
    return of_visit(at, Kept).scenario.values


def take_along(at):
    return [button for button in at.button if button.key == "take_along"]


def test_in_the_story_what_is_moved_in_one_lesson_rules_no_other_until_it_is_taken_along():
    """A value typed in one step made every later answer another word, and nothing said so."""
    ours, link = (10, 20, 1, 5), {"route": STORY, "head": "3", "slide": "2"}
    at = in_lesson("attention", **link)
    at.slider(key="all_value_1").set_value(60.0).run()
    mine = (10, 60, 1, 5)
    assert of_visit(at, Kept).scenario.values == mine and not take_along(at)
    assert opened(at, "rules") == ours and selected(at)["head"] == "3" and "values" not in selected(at)
    of_visit(at, Kept).extras["slide"] = "1"
    commit(ran(at), "drawers", "“weather” and “so”")  # heads can be chosen once one has been predicted
    at.segmented_control(key="extra_head").set_value(2).run()
    assert opened(at, "attention") == mine and selected(at)["head"] == "3" and not take_along(at)
    assert opened(at, "rules") == ours and selected(at)["head"] == "2"
    (button,) = take_along(at)
    assert not any(line.value.startswith("Story,") for line in at.caption)  # both together stood beyond the screen's edge
    button.click()
    ran(at)
    assert of_visit(at, Kept).scenario.values == mine and not take_along(at)
    assert any(line.value.startswith("Story,") for line in at.caption)
    assert opened(at, "overview") == ours and take_along(at)
    elsewhere = in_lesson("attention", slide="1")  # on no route a scenario goes along, as ever
    elsewhere.slider(key="value_1").set_value(60.0).run()
    assert opened(elsewhere, "rules") == mine and not take_along(elsewhere)


def words(at):
    return of_visit(at, Kept).scenario.words


def test_the_story_brings_its_own_answer_and_what_the_reader_has_wins():
    """“nice nice nice”: who begins the story gets an answer of different words; a link, a value or a word of his own stays."""
    at = in_lesson("overview", route=STORY)
    assert words(at) == ("nice", "warm", "delicious")  # a link made before opens what it opened
    pressed(at, with_key(at, "right"))
    assert stands(at)[0] == "rules" and words(at) == ALL_SWIM.words
    opened(at, "overview")
    assert words(at) == ALL_SWIM.words and not take_along(at)
    for link, lesson in (
        ({"tokens": "a,b", "values": "1,2"}, "rules"), ({"word_values": "1,2,3"}, "rules"), ({"answer": "2"}, "decode"),
    ):  # fmt: skip
        at = in_lesson(lesson, route=STORY, slide="1", **link)
        before = of_visit(at, Kept).scenario
        pressed(at, next(button for button in at.button if button.key == "slide_next"))
        assert of_visit(at, Kept).scenario == before, link
    at = in_lesson("attention", route=STORY, slide="2")
    at.slider(key="all_value_1").set_value(60.0).run()
    pressed(at, next(button for button in at.button if button.key == "slide_next"))
    assert words(at) == ("nice", "warm", "delicious") and take_along(at)
    at = in_lesson("decode", route="45")
    pressed(at, next(button for button in at.button if button.key == "slide_next"))
    assert words(at) == ("nice", "warm", "delicious")  # a class has the article's, as ever


MINE = "decode.1.7,cache.1.5,cache.2"  # the last one takes the minutes of its note


def test_a_teachers_own_route_leads_along_its_steps_in_its_order_and_ends():
    assert walked("own", "decode", own_route=MINE, present="on") == [("decode", 1), ("cache", 1), ("cache", 2)]
    at = in_lesson("cache", route="own", own_route=MINE, slide="2")
    (next_,) = [button for button in at.button if button.key == "slide_next"]
    assert next_.disabled and "End of the route" in next_.label
    notes = in_lesson("decode", route="own", own_route=MINE, notes="on")
    (box,) = [box for box in notes.expander if "Plan" in box.label]
    minutes = 7 + 5 + LESSONS["cache"].steps[1].note.minutes
    assert str(minutes) in box.label and any(f"of {minutes} min" in m.value for m in notes.markdown)


@pytest.mark.parametrize(
    ("text", "stops"),
    [
        ("", []), ("cache.1.5", [("cache", 1, 5)]), ("cache.1.999,decode.1.0", [("cache", 1, 60), ("decode", 1, 1)]),
        ("cache.1.5,cache.1.9", [("cache", 1, 5)]), ("cache.99.5,nowhere.1.1,cache.2.3", [("cache", 2, 3)]),
        ("../../etc,<b>.1,cache.٣.1,cache.-1.1,start.1.1", []), (",".join(["cache.1.5"] * 999), [("cache", 1, 5)]),
    ],
)  # fmt: skip
def test_an_own_route_is_bounded_and_says_what_is_left_out(text, stops):
    found, problems = own_route.read(text, tuple(LESSONS.items()))
    assert [(stop.lesson, stop.at, stop.minutes) for stop in found] == stops
    fine = text in ("", "cache.1.5", "cache.1.999,decode.1.0", "cache.1.5,cache.1.9")
    assert bool(problems) != fine and len(problems) <= 3
    assert own_route.read(own_route.written(stops), tuple(LESSONS.items()))[0] == found


def test_a_route_that_cannot_be_read_is_every_step_and_says_why():
    at = in_lesson("cache", route="own", own_route="nowhere.1.5")
    assert any("nowhere" in warning.value for warning in at.warning)
    pressed(at, with_key(at, "right"))
    assert stands(at) == ("cache", 2)


def test_a_teacher_chooses_steps_and_minutes_where_the_link_is_shared():
    at = in_lesson("cache", route="own", open="share")
    at.button(key="share").click()
    ran(at)
    # Enter after a name would add every step that has its letters.
    assert not at.multiselect(key=own_route.STEPS).proto.select_all
    at.multiselect(key=own_route.STEPS).set_value(["decode.1", "cache.1"])
    ran(at)
    planned = LESSONS["cache"].steps[0].note.minutes
    at.number_input(key="own_minutes_decode_1").set_value(9)
    ran(at)
    assert selected(at)["own_route"] == f"decode.1.9,cache.1.{planned}"
    at.multiselect(key=own_route.STEPS).set_value(["cache.1", "decode.1"])
    ran(at)
    assert selected(at)["own_route"] == f"cache.1.{planned},decode.1.9"  # in the new order, with the minutes they had


def bar(at, key):
    return next((group for group in at.segmented_control if group.key == key), None)


def test_the_storys_bar_has_its_own_numbers_and_a_tick_at_what_has_been_passed_and_a_press_leads_there():
    at = in_lesson("cache", route=STORY, slide="1")
    (here,) = [k for k, stop in enumerate(ROUTES[STORY], 1) if (stop.lesson, stop.at) == ("cache", 1)]
    stops = bar(at, "story_stops")
    assert len(stops.options) == len(ROUTES[STORY]) and bar(at, "step_names") is None
    assert stops.value == str(here) and at.title[0].value == ROUTES[STORY][here - 1].name
    pressed(at, next(button for button in at.button if button.key == "slide_next"))
    after = bar(at, "story_stops")
    assert after.value == str(here + 1) and [k for k, name in enumerate(after.options, 1) if "✓" in name] == [here]
    after.set_value("1")
    ran(at)
    assert of_visit(at, Where).open_lesson == ROUTES[STORY][0].lesson or stands(at)[0] == ROUTES[STORY][0].lesson


def test_beside_the_story_and_on_other_routes_the_bar_has_the_lessons_steps():
    left_out = next(k for k in range(1, 9) if ("cache", k) not in [(stop.lesson, stop.at) for stop in ROUTES[STORY]])
    for link in ({"route": STORY, "slide": str(left_out)}, {"route": "45"}, {}):
        names = bar(in_lesson("cache", **link), "step_names").options
        assert [name.split(" ", 1)[1] for name in names] == [one.name for one in LESSONS["cache"].steps], link


def test_what_is_said_to_lead_on_does_so_beside_a_stepper():
    """The step's own buttons have the arrow keys; the way on beneath it is a press away."""
    at = AppTest.from_function(frame, default_timeout=60)
    at.query_params.update({"route": "45", "notes": "on"})
    of_visit(at, Where).lesson = "decode"
    ran(at)
    next_ = next(button for button in at.button if button.key == "slide_next")
    assert "Pass by pass" in next_.label
    assert stands(pressed(at, next_)) == ("counting", 1)


@pytest.mark.parametrize("route", routes.MINUTES)
def test_the_counter_counts_the_route_and_the_minutes_that_are_left(monkeypatch, route):
    stops = ROUTES[route]
    monkeypatch.setattr(st, "session_state", {})
    all_lessons.lay_out(routes=ROUTES)
    monkeypatch.setattr(routes.ROUTE.__class__, "value", lambda *_: route)
    told = []
    for k, stop in enumerate(stops, 1):
        location.set_lesson(stop.lesson)
        told.append(" · ".join(routes.counter(stop.at, 9)))
        assert told[-1].startswith(f"{k} of {len(stops)} · ") and routes.ends_here(stop.at) == (k == len(stops))
    left = [int(re.search(r"about (\d+) min", text)[1]) for text in told]
    assert left == sorted(left, reverse=True) and left[0] == routes.MINUTES[route]
    assert left[-1] == stops[-1].minutes and route in routes.end(stops[-1].at)  # the last one takes its minutes as well
    location.set_lesson("inside")
    assert routes.counter(2, 6) == ("2 / 6", "") and not routes.end(2)


@pytest.mark.usefixtures("no_page_link")
def test_the_route_ends_where_its_handout_does_and_says_so():
    at = AppTest.from_function(frame, default_timeout=60)
    last = ROUTES["45"][-1]
    at.query_params.update({"route": "45", "slide": str(last.at)})
    of_visit(at, Where).lesson = last.lesson
    (next_,) = [button for button in ran(at).button if button.key == "slide_next"]
    assert next_.disabled and "End of the 45" in next_.label
    paper = show(application(), {"handout": "route", "route": "45"})
    assert paper.subheader[-1].value.split("  ")[-1] == last.name


@pytest.mark.parametrize(
    "link", [{"route": "45"}, {"route": "90", "present": "on"}, {"route": "own", "own_route": "cache.2.5,cache.3"}]
)
def test_back_leads_out_of_no_route_of_a_class(link):
    """On a projector one press of Back at the first stop showed a lesson that is none of the route's."""
    first = ROUTES[link["route"]][0] if link["route"] in ROUTES else routes.Stop("cache", 2, "", 5)
    at = in_lesson(first.lesson, slide=str(first.at), **link)
    (back,) = [button for button in at.button if button.key == "slide_back"]
    assert back.disabled and "slide_next" in {button.key for button in at.button if not button.disabled}
    assert with_key(at, "left") is None


def test_a_column_of_the_small_machine_leads_to_its_lesson():
    at = AppTest.from_function(frame, default_timeout=60)
    of_visit(at, Where).lesson = "cache"
    at.query_params["slide"] = "2"  # the first asks which columns are kept
    (columns,) = [group for group in ran(at).segmented_control if group.key == "here_cache"]
    assert columns.value == ["key", "value"]
    columns.set_value([*columns.value, "scores"]).run()
    assert stands(at)[0] == "attention"


@pytest.mark.parametrize(("lesson", "place"), [("quiz", "quiz_at"), ("claims", "statement")])
def test_the_quiz_and_the_court_light_what_their_question_is_about(lesson, place):
    """None of their columns was lit: a question on a context is about those of the lesson to which it sends one."""
    lit = []
    for k in (0, 1):
        (columns,) = [group for group in in_lesson(lesson, **{place: str(k)}).segmented_control if group.key == f"here_{lesson}"]
        lit.append(columns.value)
    assert all(lit) and lit[0] != lit[1]


@pytest.mark.parametrize("route", routes.MINUTES)
def test_each_step_of_a_class_says_what_to_press_and_names_only_what_is_there(route):
    for stop in ROUTES[route]:
        assert stop.click.endswith("."), stop.name
        named = re.findall(r"\*\*(.+?)\*\*", stop.click)
        if named:
            at = in_lesson(stop.lesson, slide=str(stop.at))
            kinds = ("button", "slider", "select_slider", "selectbox", "segmented_control", "number_input")
            labels = {control.label for kind in kinds for control in at.get(kind)}
            assert set(named) <= labels, (stop.name, named)


@pytest.mark.parametrize("route", routes.MINUTES)
def test_the_plan_of_a_class_has_its_goals_and_all_its_steps_with_their_minutes(monkeypatch, route):
    monkeypatch.setattr(st, "session_state", {})
    all_lessons.lay_out(routes=ROUTES)
    goals, table = plan.goals(route), plan.steps(route)
    assert goals.count("\n- ") == len(plan.PLANS[route].goals) >= 3 and plan.PLANS[route].before in goals
    lines = table.splitlines()[2:]
    assert [line.split(" | ")[1:3] for line in lines] == [[stop.name, str(stop.minutes)] for stop in ROUTES[route]]


def test_who_reads_alone_has_no_plan_and_a_class_has_it_in_the_notes_and_on_its_handout():
    assert set(plan.PLANS) == set(routes.MINUTES) and not plan.goals(STORY) and not plan.goals(routes.SELF)
    shown = {route: in_lesson("decode", route=route, notes="on") for route in (STORY, *routes.MINUTES)}
    for route, at in shown.items():
        plans = [box for box in at.expander if "Plan" in box.label]
        assert len(plans) == (route in routes.MINUTES)
        assert all(str(routes.MINUTES[route]) in box.label for box in plans)
    assert any("One word more" in m.value and "Press" in m.value for m in shown["45"].markdown)
    for query, there in (({"handout": "route", "route": "45"}, True), ({"handout": "questions", "route": "45"}, False)):
        paper = show(application(), query)
        assert any(plan.SHORT_GOALS[0] in m.value for m in paper.markdown) == there


OPENS = {
    1: "roof",
    2: "roof",
    3: "roof",
    4: "batch",
    5: "batch",
    6: "time",
    7: "even",
    8: "time",
    99: "even",
}  # numbers in a link


@pytest.mark.parametrize(("number", "name"), OPENS.items())
def test_a_link_made_before_steps_were_merged_opens_the_step_that_holds_what_it_showed(number, name, monkeypatch):
    monkeypatch.setattr(st, "page_link", lambda *_, **__: None)
    ((_, alt),) = figures(in_lesson("roofline", slide=str(number)))
    told = {"roof": "Roofline of", "batch": "Time of a decode step of", "time": "this request", "even": "meets"}
    assert told[name] in alt


def test_steps_have_as_many_numbers_as_there_are_and_own_routes_made_before_lead_to_them():
    for lesson, numbers in NUMBERS.items():
        assert len(numbers) == len(LESSONS[lesson].steps) and len({n for own in numbers for n in own}) == sum(map(len, numbers))
    assert step_of("less", 5) == 1  # what the last row's contexts give back is a sentence behind the first step
    stops, problems = own_route.read("roofline.6.5,roofline.2.4,cache.1", tuple(LESSONS.items()))
    assert [(stop.name, stop.at) for stop in stops] == [
        ("One request", 3),
        ("Under the roof", 1),
        (stops[2].name, 1),
    ] and not problems
    assert own_route.written([("roofline", 3, 5)]) == "roofline.6.5"
