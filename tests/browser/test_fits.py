"""Every step of every lesson stands on one screen of a projector, 1280 × 720, read and presented: nothing scrolls."""

import pytest
from driving import LESSONS, settled

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


@pytest.mark.parametrize("query", ["", SIXTEEN], ids=["4 tokens", "16 tokens, 8 heads"])
@pytest.mark.parametrize("way", ["", "present=on"], ids=["read", "presented"])
@pytest.mark.parametrize("lesson", [path for name, path in LESSONS.items() if name != "start"])
def test_every_step_fits_one_screen(visit, lesson, way, query):
    page = visit(f"{lesson}?{'&'.join(filter(None, (way, query)))}")
    beyond = {}
    for _ in range(MOST_PRESSES):
        found = page.evaluate(MEASURED)
        if found["below"] > 0 or found["beside"] > 0:
            beyond[found["at"]] = (found["below"], found["beside"])
        if found["at"] == found["steps"]:
            break
        page.locator(".st-key-slide_next button").click()
        settled(page)
    assert found["at"] == found["steps"] and beyond == {}
