"""From step to step with buttons, arrow keys and the bar of names, on into the neighbouring lessons; read and presented alike."""

import re

from app_pages import names_of
from driving import settled
from reading import open_menu, says, tab_to, until

from pages.app.route_steps import ROUTES
from pages.parts.teaching.routes import STORY


def step_on(page):
    """The lesson and the step that are on screen, as "guess 2"; the bar of names and the link must agree on the step."""
    lesson = re.search(r"//[^/]+/(\w*)", page.url)[1]
    linked = re.search(r"[?&]slide=(\d+)", page.url)
    shown = page.locator(".st-key-step_names [aria-checked=true], .st-key-presented").first.inner_text()
    step = re.search(r"(\d+) / \d+|^(\d+) ", shown)
    at = step and next(filter(None, step.groups()))
    return f"{lesson} {at}" if at == (linked[1] if linked else "1") else f"{lesson} in between"


def goes(page, turn, wanted, on=step_on):
    turn(page)
    until(page, lambda: on(page), wanted)
    settled(page)
    assert on(page) == wanted


def stop_on(page):
    """The number and name of the story's stop that is on screen, once the link is its own, too."""
    number = page.locator(".st-key-story_stops [aria-checked=true]").inner_text()
    shown = f"{number} {page.locator('h1').inner_text()}"
    lesson, linked = re.search(r"//[^/]+/(\w*)", page.url)[1], re.search(r"[?&]slide=(\d+)", page.url)
    stop = ROUTES[STORY][int(number.lstrip("✓")) - 1]
    return shown if (stop.lesson, stop.at) == (lesson, int(linked[1]) if linked else 1) else f"{shown}, in between"


def click(way):
    return lambda page: page.locator(f".st-key-slide_{way} button").click()


def choose(lesson):
    def chosen(page):
        open_menu(page)
        page.locator(".st-key-side_menu a").filter(has_text=lesson).click()

    return chosen


def name(n):
    return lambda page: page.locator(".st-key-step_names [role=radio]").nth(n - 1).click()


def press(key):
    return lambda page: page.keyboard.press(key)


def reload(page):
    page.reload()
    settled(page)


def steps(page, turn, wanted):
    """The lesson's own stepper goes to another of its steps, and the lesson stays where it is."""
    turn(page)
    says(page, "stepper_step", f"Step {wanted}")
    settled(page)
    assert step_on(page) == "decode 1"


def leads(page, way, words):
    until(page, page.locator(f".st-key-slide_{way} button").inner_text, words)


def presents(page, key="p"):
    page.keyboard.press(key)
    until(page, lambda: page.url, "present=on")
    page.locator(".st-key-presented").wait_for()
    settled(page)


def leaves(page, key):
    page.keyboard.press(key)
    page.locator(".st-key-step_names").wait_for()
    until(page, lambda: "present" in page.url, False)
    settled(page)


def test_from_step_to_step_and_on_into_the_neighbouring_lessons(visit):
    """Buttons, arrow keys, the bar of names, the menu, the browser's own Back: where each leads, and what is said of it."""
    page = visit("/guess?p=1000")
    assert page.locator(".st-key-step_names [role=radio]").all_inner_texts() == ["1 Guessed and checked", "2 Where it pays"]
    goes(page, click("next"), "guess 2")
    leads(page, "back", "Guessed and checked")
    leads(page, "next", "Read your server’s log")
    goes(page, press("ArrowRight"), "serverlog 1")
    goes(page, click("back"), "guess 2")
    goes(page, press("ArrowLeft"), "guess 1")
    leads(page, "back", "Many requests")
    goes(page, press("ArrowLeft"), f"many {len(names_of('many'))}")  # its last one
    goes(page, click("next"), "guess 1")
    goes(page, name(2), "guess 2")
    goes(page, reload, "guess 2")
    assert "p=1000" in page.url
    # A step once went along: who read step 2 of one lesson met step 2 of whatever he opened next.
    goes(page, choose("Read your server’s log"), "serverlog 1")
    goes(page, choose("Guess ahead"), "guess 2")
    goes(page, lambda page: page.go_back(), "serverlog 1")
    goes(page, lambda page: page.go_back(), "guess 2")
    goes(page, choose("Quiz"), "quiz 1")
    assert page.locator(".st-key-slide_next button").is_disabled()
    goes(page, press("ArrowRight"), "quiz 1")  # nothing comes after the last lesson


def test_by_keyboard_alone_and_presented_as_the_steps_are_read(visit):
    page = visit("/guess")
    tab_to(page, ".st-key-step_names")
    page.keyboard.press("ArrowRight")
    goes(page, press("Space"), "guess 2")
    tab_to(page, ".st-key-slide_next")
    goes(page, press("Enter"), "serverlog 1")
    tab_to(page, ".st-key-present")
    presents(page, "Enter")
    tab_to(page, ".st-key-slide_back")
    goes(page, press("Enter"), "guess 2")
    goes(page, press("Shift+Space"), "guess 1")
    goes(page, press("ArrowLeft"), f"many {len(names_of('many'))}")
    goes(page, press("PageDown"), "guess 1")
    goes(page, click("next"), "guess 2")
    goes(page, press("ArrowRight"), "serverlog 1")
    goes(page, click("back"), "guess 2")
    goes(page, reload, "guess 2")
    assert "present=on" in page.url
    leaves(page, "Escape")
    until(page, lambda: step_on(page), "guess 2")
    presents(page)
    goes(page, press("ArrowLeft"), "guess 1")
    leaves(page, "p")
    until(page, lambda: step_on(page), "guess 1")


def test_all_steps_on_one_page_are_kept_by_the_link(visit):
    page = visit("/guess")
    page.get_by_role("button", name="All steps on one page").click()
    until(page, lambda: page.url, "steps=all")
    settled(page)
    both_and_no_bar = (".st-key-takeaway_guesses", ".st-key-predict_faster", ".st-key-step_names")
    assert [page.locator(part).count() for part in both_and_no_bar] == [1, 1, 0], "after the click"
    reload(page)
    assert [page.locator(part).count() for part in both_and_no_bar] == [1, 1, 0], "after a reload"
    page.get_by_role("link", name=re.compile("Next: Read your server")).click()
    page.wait_for_url("**/serverlog?**")
    settled(page)
    goes(page, lambda page: page.get_by_role("button", name="One step at a time").click(), "serverlog 1")
    until(page, lambda: "steps=" in page.url, False)


def test_a_stepper_has_the_arrow_keys_first_and_a_press_moves_one_thing(visit):
    """→ went through 57 decode steps before it reached the lesson's second step; behind step 4 it once moved both at once."""
    page = visit("/decode?step=1")
    steps(page, press("ArrowRight"), 2)
    steps(page, press("ArrowRight"), 3)
    goes(page, press("ArrowRight"), "decode 2")
    presents(page)
    goes(page, press("ArrowLeft"), "decode 1")
    steps(page, press("ArrowLeft"), 2)
    steps(page, press("ArrowRight"), 3)
    goes(page, press("ArrowRight"), "decode 2")
    assert "step=3" in page.url
    leaves(page, "Escape")
    goes(page, click("back"), "decode 1")
    for step in (4, 5, 6):
        steps(page, lambda page: page.locator(".st-key-step_next button").click(), step)
    steps(page, press("ArrowLeft"), 5)
    goes(page, click("next"), "decode 2")
    assert "step=5" in page.url


def test_a_control_that_the_pointer_moved_leaves_the_arrow_keys_to_the_page_and_one_reached_by_keyboard_keeps_them(visit):
    """→ did nothing behind a chosen button, and moved a slider that had been moved, where the button beside it still said →."""
    page = visit("/prefill?slide=3")
    page.locator(".st-key-extra_token [role=radio]").nth(1).click()
    until(page, lambda: page.url, "token=2")
    settled(page)
    goes(page, press("ArrowLeft"), "prefill 2")
    goes(page, press("ArrowRight"), "prefill 3")
    track = page.locator(".st-key-extra_value [role=group]").bounding_box()
    page.mouse.move(track["x"] + track["width"] / 2, track["y"] + track["height"] - 10)
    page.mouse.down()
    page.mouse.move(track["x"] + track["width"] / 3, track["y"] + 200)  # let go outside of it
    page.mouse.up()
    until(page, lambda: page.url, "value=")
    settled(page)
    moved = page.url
    goes(page, press("ArrowRight"), "prefill 4")
    goes(page, press("ArrowLeft"), "prefill 3")
    sign = page.locator(".st-key-slide_next kbd")
    assert page.url == moved and sign.is_visible()
    page.locator(".st-key-extra_value input").focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.url != moved, True)
    settled(page)
    assert step_on(page) == "prefill 3" and sign.is_hidden()


def test_keys_in_a_slider_a_figure_or_a_list_leave_the_step_and_the_presentation_alone(visit):
    page = visit("/attention?slide=2")
    page.locator(".st-key-attention_values button").first.click()
    page.locator(".st-key-all_value_2 input[type=range]").focus()
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.url, "values=10,20,1.5,5")
    settled(page)
    tab_to(page, ".tbt-figure")
    page.keyboard.press("ArrowLeft")
    until(page, lambda: page.url, "cell=")
    settled(page)
    assert step_on(page) == "attention 2"
    goes(page, click("back"), "attention 1")
    presents(page)
    page.keyboard.press("s")
    settled(page)
    page.locator(".st-key-attention_more button").first.click()
    settled(page)
    page.locator(".st-key-attention_cell_head input").click()
    page.get_by_role("option").first.wait_for()
    settled(page)
    page.keyboard.press("Escape")
    page.get_by_role("option").first.wait_for(state="detached")
    settled(page)
    assert "present=on" in page.url and page.locator(".st-key-presented").count() == 1


def test_the_story_leads_from_its_door_along_its_stops(visit):
    """Next follows the story and leaves the other steps aside. The whole way is walked by tests/all_lessons/test_routes.py."""
    page = visit("/")
    page.locator(".st-key-doors").get_by_role("link", name="Read the story").click()
    page.wait_for_url(f"**/{ROUTES[STORY][0].lesson}?route=story")
    settled(page)
    places = [f"{k} {stop.name}" for k, stop in enumerate(ROUTES[STORY], 1)]
    until(page, lambda: stop_on(page), places[0])
    assert page.locator(".st-key-slide_back button").is_disabled()
    page.keyboard.press("ArrowLeft")  # nobody's: it took along what was pressed within the next second
    for stop, place in zip(ROUTES[STORY][1:4], places[1:4], strict=True):
        leads(page, "next", stop.name)
        goes(page, click("next"), place, stop_on)
    assert page.locator(".st-key-story_stops [role=radio]").all_inner_texts()[:3] == ["✓1", "✓2", "✓3"]
    goes(page, click("back"), places[2], stop_on)
    goes(page, lambda page: page.locator(".st-key-story_stops [role=radio]").nth(9).click(), places[9], stop_on)
    goes(page, lambda page: page.locator(".st-key-story_stops [role=radio]").nth(0).click(), places[0], stop_on)
