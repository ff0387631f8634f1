"""The first screen in a real browser: all in sight, playing by itself, still where motion is unwanted, doors that lead on."""

import pytest
from driving import settled
from reading import menu, tab_to, until

from pages.lessons.overview import LESSON as OVERVIEW

SIZES = {"laptop": (1280, 720), "large": (1440, 900), "phone": (390, 844)}
LUNCH = "tokens=Lunch,today,is,so&values=40,20,1,5&rules=even,self,first,all"
ASKED = "?prompt=What+is+the+capital+of+France%3F"


def viewport(size):
    return {"width": SIZES[size][0], "height": SIZES[size][1]}


def frame(page):
    return int(page.locator(".tbt-writing").get_attribute("data-frame"))


def playing(page):
    return page.locator(".tbt-writing").get_attribute("data-playing")


@pytest.mark.parametrize("prompt", ["", "?prompt=The+zebra+is+so", ASKED], ids=["", "an unknown word", "a question"])
def test_everything_is_in_sight_without_scrolling(visit, build, prompt):
    page = visit(f"/{prompt}", build=build)
    assert page.locator(".st-key-start_marks").count() == bool(prompt)
    for size in SIZES:
        page.set_viewport_size(viewport(size))
        settled(page)
        bottom = page.evaluate(
            "(parts) => Math.max(...[...document.querySelectorAll(parts)].map((part) => part.getBoundingClientRect().bottom))",
            "h1, .tbt-start, .st-key-start_prompt, .st-key-start_try, .tbt-bar, .tbt-stage, .st-key-doors a",
        )
        assert 300 < bottom <= SIZES[size][1], size
        main = "() => { const main = document.querySelector('.stMain'); return [main.scrollHeight, main.scrollWidth]; }"
        height, width = page.evaluate(main)
        assert height <= SIZES[size][1] and width <= SIZES[size][0], size


@pytest.mark.parametrize("size", SIZES)
def test_no_word_is_smaller_than_twelve_pixels_and_nothing_jumps(visit, size):
    page = visit("/", viewport=viewport(size), clock=True)
    place = "() => JSON.stringify(document.querySelector('.st-key-doors').getBoundingClientRect())"
    before = page.evaluate(place)
    page.clock.run_for(8000)
    until(page, lambda: frame(page) >= 4, True)
    assert page.evaluate(place) == before
    sizes = page.evaluate(
        """() => [...document.querySelectorAll(".tbt-writing *, .st-key-doors *")].filter((e) => e.innerText?.trim())
          .map((e) => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert len(sizes) > 30 and min(sizes) >= 12


def test_it_plays_from_the_first_frame_and_prefill_is_one_block(visit):
    page = visit("/", wait=False)
    page.wait_for_selector(".tbt-writing[data-frame='0'][data-playing='true']")
    page.wait_for_selector(".tbt-writing[data-frame='1']")
    assert page.locator(".tbt-there").count() == page.locator(".tbt-read").count() == 7
    for k in (2, 3):
        page.wait_for_selector(f".tbt-writing[data-frame='{k}']")
        assert page.locator(".tbt-there").count() == 6 + k and page.locator(".tbt-row.tbt-now").count() == 1
    assert "decode, step 2 of 9" in page.locator(".tbt-bar output").inner_text()


def test_pause_play_and_the_slider_by_keyboard_alone(visit):
    page = visit("/", clock=True)
    tab_to(page, ".tbt-bar button")
    page.keyboard.press("Space")
    at = frame(page)
    assert playing(page) == "false" and page.locator(".tbt-bar button").inner_text() == "Play"
    page.clock.run_for(5000)
    assert frame(page) == at
    page.keyboard.press("Tab")
    page.keyboard.press("End")
    assert frame(page) == 10 and "step 9 of 9" in page.locator(".tbt-bar input").get_attribute("aria-valuetext")
    page.keyboard.press("ArrowLeft")
    assert frame(page) == 9 and page.locator(".tbt-there").count() == 15
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Enter")
    page.wait_for_selector(".tbt-writing[data-frame='10'][data-playing='false']")


def test_it_stands_still_where_motion_is_unwanted(visit):
    page = visit("/", clock=True, reduced_motion="reduce")
    assert playing(page) == "false" and frame(page) == 3
    page.clock.run_for(5000)
    assert frame(page) == 3
    moved = "() => [...document.querySelectorAll('.tbt-writing *')].some((e) => e.getAnimations().length)"
    page.locator(".tbt-bar button").click()
    page.wait_for_selector(".tbt-writing[data-frame='4']")
    assert page.evaluate(moved) is False


def test_a_typed_prompt_and_another_ending_are_written_and_kept_in_the_link(visit):
    page = visit("/")
    page.locator(".st-key-start_typed input").fill("The <b>soup</b> is so")
    page.keyboard.press("Enter")
    until(page, lambda: page.url, "prompt=The")
    page.locator(".tbt-label", has_text="soup").wait_for()
    assert page.locator(".tbt-stage b", has_text="soup").count() == 0
    page.locator(".st-key-another button").click()
    until(page, lambda: page.url, "seed=1")
    settled(page)
    shown = page.locator(".tbt-stage").get_attribute("aria-label")
    assert visit(page.url).locator(".tbt-stage").get_attribute("aria-label") == shown


@pytest.mark.parametrize("size", SIZES)
def test_a_prompt_to_try_is_written_at_one_press_and_kept_in_the_link(visit, size):
    page = visit(f"/{ASKED}", viewport=viewport(size))
    pills = page.locator(".st-key-start_preset button")
    assert pills.count() == 4 and page.locator(".st-key-start_try [data-testid=stCaptionContainer]").count() == 0
    edges = [pill.bounding_box() for pill in pills.all()]
    assert len({box["y"] for box in edges}) == 1 and edges[-1]["x"] + edges[-1]["width"] <= SIZES[size][0]
    pills.nth(3).click()
    until(page, lambda: page.url, "prompt=Anna")
    page.locator(".tbt-label", has_text="kite").first.wait_for()
    settled(page)
    assert page.locator(".st-key-start_marks").count() == 0
    assert page.locator(".st-key-start_typed input").input_value().endswith("Anna has a")
    page.get_by_text("no questions").wait_for()
    assert page.evaluate("() => document.querySelector('.stMain').scrollHeight") <= SIZES[size][1]


def test_a_door_leads_where_it_says(visit):
    page = visit("/")
    for door, path, title in (
        ("Read the story", "/overview?route=story", OVERVIEW.question),
        ("Teach with it", "/overview?route=45", OVERVIEW.question),
        ("Size a real cache", "/memory", ""),
    ):
        page.locator(".st-key-doors").get_by_role("link", name=door).click()
        page.wait_for_url(f"**{path}")
        settled(page)
        assert title in page.locator("h1").inner_text() != "Token by Token"
        page.go_back()
        settled(page)
        until(page, lambda: page.locator("h1").inner_text(), "Token by Token")


def test_links_to_the_root_of_before_open_the_overview(visit):
    page = visit(f"/?{LUNCH}")
    assert page.url.endswith(f"/overview?{LUNCH}") and OVERVIEW.question in page.locator("h1").inner_text()
    assert menu(page)[0] == menu(visit("/"))[0] and "Token by Token" in menu(page)[0]
    assert "Token by Token" in visit("/start").locator("h1").inner_text()


def test_the_scenario_waits_while_the_first_screen_is_open(visit):
    """Its address says nothing of the toy, or a reload of it would open the overview."""
    page = visit("/attention?values=1,2,3,4&rules=even,self,first,all")
    page.get_by_test_id("stSidebarNavLink").first.click()
    page.locator(".tbt-writing[data-drawn]").wait_for()
    until(page, lambda: page.evaluate("location.pathname + location.search"), "/")
    page.locator("[data-testid=stSidebarNavLink][href$='/attention']").click()
    until(page, lambda: page.url, "/attention?tokens=Today,weather,is,so&values=1,2,3,4")
