"""axe-core finds no violation of WCAG 2.2 AA with all steps on one page and every box of the editor open, nor presented.

test_sweep.py has it look at all steps of every lesson.
"""

from driving import settled
from reading import open_menu
from sweep import COLOURS, change_theme, place, violations

SIDEBAR = "[data-testid=stSidebar]"
UNNAMED = """(buttons) => buttons.map((button) => button.cloneNode(true)).filter((copy) => {
  copy.querySelectorAll("[role=img], [data-testid=stIconMaterial]").forEach((icon) => icon.remove());
  return !copy.textContent.trim();
}).length"""


def in_both_themes(page):
    """What axe-core finds in the whole document, and in its colours in the other theme."""
    found = violations(page, whole=True)
    change_theme(page)
    return found + violations(page, COLOURS, whole=True)


def test_one_step_with_the_bar_of_its_neighbours(visit):
    page = visit("/decode?slide=2")
    page.locator(".st-key-step_names").wait_for()
    assert in_both_themes(page) == []


def test_all_steps_on_one_page_with_every_box_of_the_editor_and_a_problem_and_presented(visit):
    page = visit("?mask=perhaps&steps=all")
    open_menu(page)
    for box in page.locator(f"{SIDEBAR} [data-testid=stExpander] summary").all():
        box.click()
        settled(page)
    page.locator(SIDEBAR).get_by_label("Causal mask").wait_for(state="attached")
    assert in_both_themes(page) == []
    # A screen reader would read out an icon's name, "arrow_back".
    assert page.locator(f"{SIDEBAR} .stButton button").evaluate_all(UNNAMED) == 0
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("p")
    page.locator(".st-key-presented").wait_for()
    settled(page)
    assert place(page).startswith("1 ") and page.locator(SIDEBAR).is_hidden()
    assert in_both_themes(page) == []
