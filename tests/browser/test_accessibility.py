"""axe-core finds no violation of WCAG 2.2 AA on any step of any lesson, in both themes, with the editor open, and presented."""

from pathlib import Path

import axe_playwright_python
import pytest
from driving import LESSONS, settled
from reading import turn_to

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = ["color-contrast", "link-in-text-block"]  # all that can differ between two themes
THEMES = pytest.mark.parametrize(("theme", "rules"), [("light", ALL), ("dark", COLOURS)], ids=["light", "dark"])


def violations(page, rules=ALL):
    """What axe-core finds, a line for each element."""
    if not page.evaluate("window.axe !== undefined"):
        page.evaluate(AXE)
    # What passes is named and not listed, and no style sheet is loaded a second time: a third of the time.
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    found = page.evaluate("(options) => axe.run(document, options)", options)
    assert len(found["passes"]) > (10 if rules == ALL else 0)
    return [f"{v['id']}: {n['html'][:160]} {n['failureSummary'][:200]}" for v in found["violations"] for n in v["nodes"]]


@THEMES
@pytest.mark.parametrize("lesson", LESSONS)
def test_every_step_of_a_lesson(visit, lesson, theme, rules):
    page = visit(LESSONS[lesson], color_scheme=theme)
    steps = page.locator(".st-key-step_names [role=radio]").count()
    found = {}
    for step in range(1, max(steps, 1) + 1):  # the first screen has none
        if step > 1:
            turn_to(page, step)
        found[step] = violations(page, rules)
    assert {step: said for step, said in found.items() if said} == {}


@THEMES
def test_all_steps_on_one_page(visit, theme, rules):
    assert violations(visit("?steps=all", color_scheme=theme), rules) == []


@THEMES
def test_with_every_box_of_the_editor_open_and_a_problem_shown(visit, theme, rules):
    page = visit("?mask=perhaps", color_scheme=theme)
    for box in page.locator("[data-testid=stSidebar] [data-testid=stExpander] summary").all():
        box.click()
        settled(page)
    page.locator("[data-testid=stSidebar]").get_by_label("Causal mask").wait_for(state="attached")
    settled(page)
    assert violations(page, rules) == []
    icons = page.locator("[data-testid=stSidebar] .stButton button").evaluate_all(
        """(buttons) => buttons.map((button) => button.cloneNode(true)).filter((copy) => {
          copy.querySelectorAll("[role=img], [data-testid=stIconMaterial]").forEach((icon) => icon.remove());
          return !copy.textContent.trim();
        }).length"""
    )
    assert icons == 0  # a screen reader would read out the icon's name, "arrow_back"


@THEMES
def test_presented(visit, theme, rules):
    assert violations(visit("?present=on", color_scheme=theme), rules) == []


def test_axe_would_have_found_something(visit):
    page = visit()
    page.evaluate("document.querySelector('h1').innerHTML += '<img src=\"data:,\"><span style=\"color:#999\">faint</span>'")
    found = " ".join(violations(page))
    assert "image-alt" in found and "color-contrast" in found
