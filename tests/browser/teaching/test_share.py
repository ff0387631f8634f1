"""Sharing in a real browser: the code on the screen is read as a phone reads it, and the link opens what was chosen."""

import re

from driving import settled
from reading import by_the_menu, click, code_on, until
from sweep import PHONE

from pages.parts.teaching.routes import NAMES

# Choices that stand beside each other and are wider than their box, so that one has to be scrolled to.
SCROLLED = """() => [...document.querySelectorAll("[role=dialog] [role=radiogroup]")]
  .filter((group) => group.scrollWidth > group.clientWidth).map((group) => group.innerText)"""
SIXTEEN = "?tokens=" + ",".join(f"w{i}" for i in range(16)) + "&values=" + ",".join(str(i) for i in range(16))


def test_the_code_is_the_link_in_the_address_bar_whatever_the_theme(visit):
    page = visit("?tokens=a+b,c&values=1,2&slide=2", color_scheme="dark", seen=True)
    page.locator(".st-key-share button").click()
    page.locator(".tbt-qr").wait_for()
    here = re.sub(r"//[^/]+", "", page.url)
    until(page, lambda: re.sub(r"//[^/]+", "", code_on(page)), here)
    assert page.get_by_label("The link").input_value() == code_on(page)
    assert page.locator(".tbt-qr").bounding_box()["height"] > 450  # of 720: for the last row
    page.get_by_text("Already copied").wait_for()
    click(page.get_by_text("How the link opens"))
    click(page.locator(".st-key-share_present label").first)
    until(page, lambda: "present=on" in code_on(page), True)
    click(page.locator(".st-key-share_lock label").first)
    until(page, lambda: "controls=none" in code_on(page), True)
    assert "present" not in page.url and "controls" not in page.url  # the teacher's own page stays as it is
    click(page.locator(".st-key-share_route button").first)  # the dialog gives way to the sheet
    page.locator(".st-key-handout").wait_for()
    until(page, page.get_by_role("dialog").count, 0)


def test_on_a_phone_every_route_is_in_sight(visit, widest):
    page = visit("/glossary", viewport=PHONE, build=widest)
    page.locator(".st-key-share button").click()
    page.locator("[role=dialog] .tbt-qr").wait_for()
    settled(page)
    assert page.locator("[role=dialog] [role=radio]").count() == len(NAMES)
    assert page.evaluate(SCROLLED) == []


def test_a_dialog_stays_open_when_the_phone_is_turned(visit):
    page = visit("/glossary", viewport=PHONE)
    page.locator(".st-key-share button").click()
    click(page.get_by_text("How the link opens"))
    click(page.locator(".st-key-share_present label").first)
    until(page, lambda: "present=on" in page.get_by_label("The link").input_value(), True)
    runs = page.evaluate("window.tbtRuns.asked")
    page.set_viewport_size({"width": 844, "height": 390})
    page.wait_for_function("n => window.tbtRuns.asked > n", arg=runs)  # it has told the server
    settled(page)
    assert "present=on" in page.get_by_label("The link").input_value()
    page.keyboard.press("Escape")
    page.get_by_role("dialog").wait_for(state="detached")
    settled(page)  # the server knows that it is closed
    page.set_viewport_size(PHONE)
    settled(page)
    until(page, page.get_by_role("dialog").count, 0)


def test_who_leaves_the_route_of_a_class_is_led_back_to_it(visit):
    page = visit("/attention?route=45&slide=1")
    by_the_menu(page, "memory")
    back = page.locator(".st-key-back_to_class button")
    assert "3 of 8" in back.inner_text()
    click(back)
    until(page, lambda: "/attention?" in page.url and back.count(), 0)
    settled(page)
    type_a_sentence(page, "My cat, my dog is")
    until(page, lambda: "tokens=My,cat,my,dog,is&" in page.url, True)
    type_a_sentence(page, "a " * 17)
    page.get_by_text("expected 1 to 16 words").wait_for()
    assert "tokens=My,cat,my,dog,is&" in page.url


def type_a_sentence(page, words):
    """Where the presets are chosen: each of its words is a token, whatever signs stand between."""
    box = page.get_by_role("combobox", name="Scenario")
    box.click()
    box.fill(words)
    page.get_by_role("option").first.wait_for()
    box.press("Enter")
    settled(page)


def test_sixteen_tokens_are_still_read_off_a_presented_screen(visit):
    page = visit(SIXTEEN + "&present=on", seen=True)
    page.locator(".st-key-share button").click()
    until(page, lambda: "w15" in code_on(page), True)


def test_embedded_a_step_stands_alone(visit):
    page = visit("/attention?embed=true&slide=2")
    settled(page)
    assert page.locator("h1, .st-key-way, .st-key-foot").count() == 0
    assert not page.get_by_test_id("stSidebar").is_visible()
    assert page.locator(".st-key-rules").is_visible() and "embed=true" in page.url and "slide=2" in page.url
