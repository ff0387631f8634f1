"""Every step of every lesson stands on one screen of a projector, 1280 × 720, read and presented: nothing scrolls."""

import pytest
from app_pages import TOY_LESSONS
from driving import LESSONS, settled
from reading import turn_to

SIXTEEN = (
    "tokens=" + ",".join(f"w{i}" for i in range(16)) + "&values=" + ",".join(str(i) for i in range(16))
    + "&rules=even,odd,self,previous,first,all,window:3,none"
)  # fmt: skip
# Where the visit stands, how many pixels lie below or beside the screen, and how many steps the lesson has.
MEASURED = r"""() => {
  const main = document.querySelector('[data-testid="stMain"]'), names = document.querySelector('.st-key-step_names');
  const [at, steps] = names
    ? [Number(names.querySelector("button[aria-checked=true]").innerText.split(" ")[0]), names.querySelectorAll("button").length]
    : (document.querySelector(".st-key-presented")?.innerText.match(/(\d+) \/ (\d+)/)?.slice(1, 3).map(Number) ?? [1, 1]);
  return { at, steps, below: main.scrollHeight - main.clientHeight, beside: main.scrollWidth - main.clientWidth };
}"""
MOST_PRESSES = 40  # a stepper's own frames come between two steps when presented


def test_the_whole_menu_and_the_way_on_are_in_sight(visit):
    """Each line as high as a finger needs, and what the button of the next step says is never cut."""
    page = visit("/paging")
    lines = [line.bounding_box() for line in page.get_by_test_id("stSidebarNavLink").all()]
    assert lines[-1]["y"] + lines[-1]["height"] < 720 and min(line["height"] for line in lines) >= 24
    for path in ("/paging", "/serverlog", "/second_turn", "/quiz?slide=2"):
        page = visit(path)
        assert page.locator(".st-key-slide_next p").first.evaluate("(p) => p.scrollWidth <= p.clientWidth"), path
        title, names = page.locator("h1").bounding_box(), page.locator(".st-key-step_names").bounding_box()
        assert title["y"] + title["height"] <= names["y"], path


@pytest.mark.parametrize("lesson", [name for name in LESSONS if name != "start"])
def test_every_step_fits_one_screen(visit, lesson):
    page = visit(LESSONS[lesson])
    beyond = found_beyond(page, "4 tokens")
    if lesson in TOY_LESSONS:
        page.goto(f"{page.url.partition('?')[0]}?{SIXTEEN}")
        settled(page)
        beyond |= found_beyond(page, "16 tokens, 8 heads")
    assert beyond == {}


def found_beyond(page, scenario):
    """What of the lesson's steps lies below or beside the screen, in pixels: read from the first to the last, then presented."""
    beyond = walked(page, f"{scenario}, read")
    if page.locator(".st-key-step_names [role=radio]").count():
        turn_to(page, 1)
    page.locator(".st-key-present button").click()
    page.locator(".st-key-presented").wait_for()
    settled(page)
    return beyond | walked(page, f"{scenario}, presented")


def walked(page, how):
    """From step to step with the button."""
    beyond = {}
    for _ in range(MOST_PRESSES):
        found = page.evaluate(MEASURED)
        if found["below"] > 0 or found["beside"] > 0:
            beyond[f"{how}, step {found['at']}"] = (found["below"], found["beside"])
        if found["at"] == found["steps"]:
            return beyond
        page.locator(".st-key-slide_next button").click()
        settled(page)
    raise AssertionError(f"expected the last step after at most {MOST_PRESSES} presses, {how}, still at {found['at']}")
