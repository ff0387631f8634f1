"""What is measured of a step as it stands on the screen: what lies beyond it, words of figures that are cut, what axe-core finds."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path

import axe_playwright_python
from driving import settled
from playwright.sync_api import Locator, Page
from reading import crowded, turn_to

PHONE = {"width": 390, "height": 844}
AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text("utf-8")
ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
COLOURS = ["color-contrast", "link-in-text-block"]  # all that can differ between two themes
MAIN = '[data-testid="stMain"]'
DRAWN = ".tbt-plot[aria-hidden=true] svg"
# What unfolds or fades has come to its end: a colour on its way there has too little contrast.
STILL = """() => document.getAnimations().every((each) =>
  each.playState !== "running" || each.effect.getComputedTiming().iterations === Infinity)"""
BEYOND = f"""() => {{
  const main = document.querySelector('{MAIN}');
  const way = main.querySelector(".st-key-way"), edge = (e, side) => e.getBoundingClientRect()[side];
  const others = [...main.querySelectorAll(".stElementContainer, [class*=st-key-takeaway]")].filter((e) => !way?.contains(e));
  const lowest = Math.max(...others.map((e) => edge(e, "bottom")));
  const empty = way && main.querySelector(".tbt-plot") ? Math.round(edge(way, "top") - lowest) : 0;
  return [main.scrollHeight - main.clientHeight, main.scrollWidth - main.clientWidth, empty];
}}"""
BAR = f"""() => {{
  const main = document.querySelector('{MAIN}'), bar = document.querySelector(".st-key-way_bar, .st-key-way_on");
  const shown = (box) => box.checkVisibility() && box.getClientRects().length > 0, found = [];
  for (const top of [0, main.scrollHeight]) {{
    main.scrollTop = top;
    const foot = bar.getBoundingClientRect();
    if (Math.round(foot.bottom) !== window.innerHeight || foot.right > window.innerWidth) found.push(`not at the foot at ${{top}}`);
    for (const way of [...bar.querySelectorAll("button, a")].filter(shown)) {{
      const box = way.getBoundingClientRect();
      if (box.height < 43.5 || box.width < 43.5) found.push(`${{way.innerText}}: ${{box.width}} × ${{box.height}}`);
      const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      if (!bar.contains(hit) || box.right > foot.right) found.push(`${{way.innerText}} is covered or cut`);
    }}
  }}
  const top = bar.getBoundingClientRect().top;
  const under = [...main.querySelectorAll(".stElementContainer, [class*=st-key-takeaway]")].filter((box) => shown(box) && !bar.contains(box)
    && box.getBoundingClientRect().bottom > top + 0.5 && box.getBoundingClientRect().height > 2);
  return [...found, ...under.map((box) => `covered: ${{box.className}}`)];
}}"""
# Where the small machine stands that says where one is; nowhere on a page without it.
SMALL_MACHINE = """() => [...document.querySelectorAll("[class*=st-key-here_] button")].slice(0, 1).flatMap((part) => {
  const { x, y, width } = part.parentElement.getBoundingClientRect();
  return [[x, y, width]];
})"""
# A page that nobody sees is shown to axe-core alone.
RUN_AXE = """async ([within, options]) => {
  document.documentElement.style.opacity = 1;
  const found = await axe.run(within, options);
  document.documentElement.style.opacity = "";
  return found;
}"""
# Pressed by the DOM, a step costs a tenth less than by a pointer, which moves there, waits, looks and leaves. What it looks for is
# looked for here: that nothing lies over the button.
PRESS = """(button) => {
  button.scrollIntoView({ block: "nearest" });
  const { x, y, width, height } = button.getBoundingClientRect(), hit = document.elementFromPoint(x + width / 2, y + height / 2);
  if (button.disabled || !button.contains(hit)) throw new Error(`${button.innerText} cannot be pressed: ${hit?.outerHTML}`);
  button.click();
}"""
STAYS = 40  # times that it is looked at, 50 ms and more apart, before it is believed
EMPTY = 60  # pixels above the way on at most, of a step with a figure: an answer is longer than its options


def steps_of(page: Page) -> int:
    """How many steps the lesson on screen has; the first screen has none, which counts as one."""
    return max(1, page.locator(".st-key-step_names [role=radio]").count())


def beyond(page: Page, scrolls: bool = False) -> list[str]:
    """What of the step lies below or beside the screen, what it leaves empty though it has a figure, and the words of its figures that
    are cut off or stand over one another.

    scrolls: whether it may be longer than the screen, as on a phone. What a busy browser lays out a moment after the page has settled
    (a figure is as high as the rest leaves room for) is waited for: what stays is found.
    """
    for _ in range(STAYS):
        if not (found := _beyond_now(page, scrolls)):
            break
        page.wait_for_timeout(50)
    return found


def _beyond_now(page: Page, scrolls: bool) -> list[str]:
    """The same, at this moment."""
    below, beside, empty = page.evaluate(BEYOND)
    found = [f"{below} pixels below the screen"] if below > 0 and not scrolls else []
    found += [f"{empty} pixels empty above the way on"] if empty > EMPTY and not scrolls else []
    return found + ([f"{beside} pixels beside it"] if beside > 0 else []) + crowded(page)


def press(button: Locator) -> None:
    """Press a button that stands on a page that has settled, and that nothing covers."""
    button.evaluate(PRESS)


def place(page: Page) -> str:
    """The step that is presented, of how many: "3 / 5"."""
    return re.search(r"\d+ / \d+", page.locator(".st-key-presented").inner_text())[0]


def presented_backwards(page: Page, look: Callable[[Page], list[str]]) -> dict[str, list[str]]:
    """What `look` finds at the step that is presented, and at each one before it.

    Forwards a press goes through all frames of a stepper; backwards only through those before where it stands.
    """
    found = {}
    while True:
        at = place(page)
        found[f"presented, {at}, {len(found)} presses from the last"] = look(page)
        if at.startswith("1 "):
            return found
        press(page.locator(".st-key-slide_back button"))
        settled(page)


def at_the_foot(page: Page) -> list[str]:
    """What is wrong with the way back and on of a phone: it is in sight wherever the page has been scrolled to, as high as a thumb, and
    covers nothing of what ends above it."""
    page.wait_for_function(STILL)
    found = page.evaluate(BAR)
    page.evaluate(f"document.querySelector('{MAIN}').scrollTop = 0")
    return found


def change_theme(page: Page) -> None:
    """The page is shown in the dark theme, or in the light one where it was dark."""
    seen = "getComputedStyle(document.querySelector('.stApp')).colorScheme"
    other = "light" if page.evaluate(seen) == "dark" else "dark"
    page.emulate_media(color_scheme=other)
    page.wait_for_function(f"(theme) => {seen} === theme", arg=other)
    settled(page)


def resize(page: Page, size: dict[str, int]) -> None:
    """The screen becomes a phone's or a projector's, and what was drawn for another one is drawn anew: the page tells the server,
    which answers."""
    asked = page.evaluate("window.tbtRuns.asked")
    page.set_viewport_size(size)
    page.wait_for_function("(asked) => window.tbtRuns.asked > asked", arg=asked)
    settled(page)


def walked(page: Page, look: Callable[[Page], list[str]], steps: Iterable[int] = ()) -> dict[str, list[str]]:
    """What `look` finds at each of some steps, or at every one from the first to the last."""
    n, found = steps_of(page), {}
    for step in steps or range(1, n + 1):
        if n > 1:
            turn_to(page, step, press)
        found[f"{page.evaluate('innerWidth')} pixels wide, step {step}"] = look(page)
    return found


def violations(page: Page, rules: list[str] = ALL, whole: bool = False) -> list[str]:
    """What axe-core finds, a line for each place: in the whole document the first time, or always, then in what another step changes.

    What Plotly draws is hidden from screen readers, its words' contrast is no matter of axe-core's, which finds it "incomplete", and
    it is a third of the page: tests/helpers/legible.py looks at it.
    """
    first = not page.evaluate("window.axe !== undefined")
    if first:
        page.evaluate(AXE)
    whole = whole or first
    page.wait_for_function(STILL)
    # What passes is named and not listed, and no style sheet is loaded a second time: a third of the time.
    options = {"runOnly": rules, "resultTypes": ["violations"], "preload": False}
    within = {"include": ["html" if whole else MAIN], "exclude": [DRAWN]}
    found = page.evaluate(RUN_AXE, [within, options])
    assert len(found["passes"]) > (10 if whole and rules == ALL else 0)
    return [f"{v['id']}: {n['html'][:160]} {n['failureSummary'][:200]}" for v in found["violations"] for n in v["nodes"]]
