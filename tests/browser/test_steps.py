"""From step to step with buttons, arrow keys and the bar of names, on into the neighbouring lessons; read and presented alike."""

import re

import pytest
from driving import settled
from reading import says, tab_to, until

from pages.app.route_steps import ROUTES
from pages.parts.teaching.routes import STORY

WAYS = pytest.mark.parametrize("way", ["", "present=on&"], ids=["read", "presented"])


def step_on(page):
    """The lesson and the step that are on screen, as "bridge 2"; the bar of names and the link must agree on the step."""
    lesson = re.search(r"//[^/]+/(\w*)", page.url)[1]
    linked = re.search(r"[?&]slide=(\d+)", page.url)
    shown = page.locator(".st-key-step_names [aria-checked=true], .st-key-presented").first.inner_text()
    step = re.search(r"(\d+) / \d+|^(\d+) ", shown)
    at = step and next(filter(None, step.groups()))
    return f"{lesson} {at}" if at == (linked[1] if linked else "1") else f"{lesson} in between"


def goes(page, turn, wanted):
    turn(page)
    until(page, lambda: step_on(page), wanted)
    settled(page)


def click(key):
    return lambda page: page.locator(f".st-key-slide_{key} button").click()


def press(key):
    return lambda page: page.keyboard.press(key)


@WAYS
@pytest.mark.parametrize(
    ("on", "back"), [(click("next"), click("back")), (press("ArrowRight"), press("ArrowLeft"))], ids=["buttons", "keys"]
)
def test_from_step_to_step_and_on_into_the_neighbouring_lessons(visit, way, on, back):
    page = visit(f"/bridge?{way}p=1000")
    goes(page, on, "bridge 2")
    goes(page, on, "claims 1")
    goes(page, back, "bridge 2")
    goes(page, back, "bridge 1")
    goes(page, back, "serverlog 3")  # its last one
    goes(page, on, "bridge 1")
    assert "p=1000" in page.url and way.strip("&") in page.url


@WAYS
def test_nothing_comes_before_the_first_step_and_after_the_last(visit, way):
    page = visit(f"/overview?{way}")
    assert page.locator(".st-key-slide_back button").is_disabled()
    page = visit(f"/quiz?{way}slide=99")
    assert page.locator(".st-key-slide_next button").is_disabled()
    page.keyboard.press("ArrowRight")
    settled(page)
    assert step_on(page) == "quiz 2"


def test_the_bar_of_names_jumps_and_the_buttons_say_where_they_lead(visit):
    page = visit("/bridge")
    names = page.locator(".st-key-step_names [role=radio]")
    assert names.all_inner_texts() == ["1 Side by side", "2 What it means"]
    goes(page, lambda page: names.nth(1).click(), "bridge 2")
    assert "Side by side" in page.locator(".st-key-slide_back").inner_text()
    assert "Claims court" in page.locator(".st-key-slide_next").inner_text()
    goes(page, lambda page: names.nth(0).click(), "bridge 1")
    assert "Read your server’s log" in page.locator(".st-key-slide_back").inner_text()


def test_a_lesson_chosen_in_the_menu_opens_at_its_own_step(visit):
    """The step went along: who read step 2 of one lesson met step 2 of whatever he opened next."""
    page = visit("/bridge?slide=2")
    menu = page.locator("[data-testid=stSidebarNavLink]")
    goes(page, lambda page: menu.filter(has_text="Claims court").click(), "claims 1")
    goes(page, lambda page: menu.filter(has_text="The bridge").click(), "bridge 2")
    page.go_back()
    until(page, lambda: step_on(page), "claims 1")
    page.go_back()
    until(page, lambda: step_on(page), "bridge 2")


@WAYS
def test_reload_keeps_the_step_and_a_link_opens_it(visit, way):
    page = visit(f"/bridge?{way}")
    goes(page, click("next"), "bridge 2")
    page.reload()
    settled(page)
    assert step_on(page) == "bridge 2"
    assert step_on(visit(page.url)) == "bridge 2"


def test_all_steps_on_one_page_are_kept_by_the_link(visit):
    page = visit("/bridge")
    page.get_by_role("button", name="All steps on one page").click()
    until(page, lambda: page.url, "steps=all")
    settled(page)
    everything = (".st-key-takeaway_bridge", ".st-key-predict_kv_rows_factor")
    for part in everything:
        page.locator(part).wait_for()
    page.reload()
    settled(page)
    assert all(page.locator(part).count() == 1 for part in everything) and page.locator(".st-key-step_names").count() == 0
    page.get_by_role("link", name=re.compile("Next: Claims court")).click()
    page.wait_for_url("**/claims?**")
    settled(page)
    page.get_by_role("button", name="One step at a time").click()
    until(page, lambda: step_on(page), "claims 1")
    until(page, lambda: "steps=" in page.url, False)


@pytest.mark.parametrize("key", ["Escape", "p"])
def test_a_key_leaves_the_presentation_at_the_step_where_it_was_entered(visit, key):
    page = visit("/bridge")
    page.keyboard.press("p")
    until(page, lambda: page.url, "present=on")
    page.locator(".st-key-presented").wait_for()
    goes(page, press("PageDown"), "bridge 2")
    goes(page, press("Shift+Space"), "bridge 1")
    goes(page, press("ArrowRight"), "bridge 2")
    page.keyboard.press(key)
    page.locator(".st-key-step_names").wait_for()
    until(page, lambda: step_on(page), "bridge 2")
    until(page, lambda: "present" in page.url, False)


def test_escape_closes_an_open_list_and_not_the_presentation(visit):
    page = visit("/attention?present=on")
    page.locator(".st-key-cell_head input").click()
    page.get_by_role("option").first.wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("option").first.wait_for(state="detached")
    settled(page)
    assert "present=on" in page.url and page.locator(".st-key-presented").count() == 1


def test_a_stepper_has_the_arrow_keys_first_and_a_press_moves_one_thing(visit):
    """→ went through 57 decode steps before it reached the lesson's second step; behind step 4 it once moved both at once."""
    page = visit("/decode?step=1")
    for step in (2, 3):
        page.keyboard.press("ArrowRight")
        says(page, "stepper_step", f"Step {step}")
        assert step_on(page) == "decode 1"
    goes(page, press("ArrowRight"), "decode 2")
    assert "step=3" in page.url
    page = visit("/decode?step=5")
    page.locator(".st-key-step_next button").click()
    says(page, "stepper_step", "Step 6")
    page.keyboard.press("ArrowLeft")
    says(page, "stepper_step", "Step 5")
    goes(page, click("next"), "decode 2")
    assert "step=5" in page.url


def test_presented_the_keys_go_through_the_stepper_and_then_to_the_next_step(visit):
    page = visit("/decode?present=on&step=2")
    page.keyboard.press("ArrowRight")
    says(page, "stepper_step", "Step 3")
    assert step_on(page) == "decode 1"
    goes(page, press("ArrowRight"), "decode 2")
    assert "step=3" in page.url


def test_arrow_keys_in_a_slider_or_a_figure_leave_the_step_alone(visit):
    page = visit("/attention?slide=2")
    page.locator(".st-key-all_value_2 input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.url, "values=10,20,1.5,5")
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowLeft")
    until(page, lambda: page.url, "cell=")
    assert step_on(page) == "attention 2"


def test_by_keyboard_alone(visit):
    page = visit("/bridge")
    tab_to(page, ".st-key-step_names")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    until(page, lambda: step_on(page), "bridge 2")
    settled(page)
    tab_to(page, ".st-key-slide_next")
    goes(page, press("Enter"), "claims 1")
    tab_to(page, ".st-key-present")
    page.keyboard.press("Enter")
    page.locator(".st-key-presented").wait_for()
    tab_to(page, ".st-key-slide_back")
    goes(page, press("Enter"), "bridge 2")


def test_the_story_leads_from_its_door_to_the_five_sentences(visit):
    """Next follows the story and leaves the other steps aside; the whole menu and the bar of names stay where they are."""
    page = visit("/")
    page.locator(".st-key-doors").get_by_role("link", name="Read the story").click()
    page.wait_for_url("**/overview?route=story")
    settled(page)
    places = [f"{stop.lesson} {stop.at}" for stop in ROUTES[STORY]]
    assert step_on(page) == places[0]
    for stop, place in zip(ROUTES[STORY][1:], places[1:], strict=True):
        assert stop.name in page.locator(".st-key-slide_next button").inner_text()
        goes(page, click("next"), place)
    assert "A trained model, inside" in page.locator(".st-key-slide_next button").inner_text()
    goes(page, click("back"), places[-2])
