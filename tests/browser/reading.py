"""What a visitor reads off a page, and how he goes through it."""

import io
import time
from collections.abc import Callable
from urllib.parse import urlsplit

import zxingcpp
from driving import DEFAULT, LESSONS, settled
from PIL import Image
from playwright.sync_api import Frame, Locator, Page
from said import in_order

CROWDED = """() => [...document.querySelectorAll('.tbt-plot')].flatMap((plot) => {
  const room = plot.querySelector('.main-svg').getBoundingClientRect();
  const words = [...plot.querySelectorAll('.tbt-text-layer text')].filter((text) => text.textContent.trim())
    .map((text) => [text.textContent, text.getBoundingClientRect()]);
  const cut = words.filter(([, { left, right, top, bottom, height }]) => // a line is higher than its letters
    left < room.left - 2 || right > room.right + 2 || top < room.top - 0.2 * height || bottom > room.bottom + 0.2 * height)
    .map(([word]) => `cut: ${word}`);
  const over = words.flatMap(([word, a], k) => words.slice(k + 1).filter(([, b]) =>
    Math.min(a.right, b.right) - Math.max(a.left, b.left) > 2
    && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 0.35 * Math.min(a.height, b.height))
    .map(([other]) => `one over the other: ${word}, ${other}`));
  return [...cut, ...over];
})"""

# Read as it is seen: in the text of the DOM the words of two blocks run into one another, and so do their numbers.
SAYS = """([box, parts]) => [...document.querySelectorAll(box)].some((found) =>
  found.checkVisibility() && new RegExp(parts, "is").test(found.innerText))"""


def crowded(page: Page | Frame) -> list[str]:
    """The words of figures that are cut off at the figure's border or stand over one another."""
    return page.evaluate(CROWDED)


def texts(page: Page | Frame) -> list[str]:
    """Every word and number in the figures, once the last run is on the page and drawn: a sentence comes before its figure."""
    settled(page)
    return drawn_texts(page)


def drawn_texts(page: Page | Frame) -> list[str]:
    """Every word and number in the figures as they are now, whatever is under way."""
    return page.locator(".tbt-plot svg text").all_text_contents()


def figures_as_text(page: Page | Frame) -> list[str]:
    """Every figure's text alternative."""
    return [figure.get_attribute("aria-label") for figure in page.locator(".tbt-figure").all()]


def menu(page: Page) -> list[str]:
    """The lessons as the side bar lists them."""
    open_menu(page)
    return page.locator(".st-key-side_menu a").all_inner_texts()


def open_menu(page: Page) -> None:
    """Open the side bar, where it is closed."""
    closed = page.get_by_test_id("stExpandSidebarButton")
    if closed.is_visible():
        closed.click()
        page.get_by_test_id("stSidebarCollapseButton").wait_for(state="attached")
        page.wait_for_function("document.querySelector('[data-testid=stSidebar]').getBoundingClientRect().x === 0")


def choose_lesson(page: Page, path: str) -> None:
    """Go to another lesson through the menu, by its path."""
    settled(page)
    open_menu(page)
    page.locator(f".st-key-side_menu a[data-page='{path.strip('/') or DEFAULT}']").click()


def by_the_menu(page: Page, lesson: str) -> None:
    """Go to another lesson by its name, whether the side bar is open or not: a fifth of what a page costs."""
    page.locator(f".st-key-side_menu a[data-page='{lesson}']").evaluate("(link) => link.click()")
    page.wait_for_url(lambda url: urlsplit(url).path == LESSONS[lesson])
    settled(page)


ANOTHER = """(link) => {
  window.history.pushState(null, "", link);
  window.dispatchEvent(new PopStateEvent("popstate"));
}"""


def by_the_address(page: Page, link: str) -> None:
    """Go to another link in the same tab, by its address, as the menu and the back button do: a third of what a page costs."""
    asked = page.evaluate("window.tbtRuns.asked")
    page.evaluate(ANOTHER, link)
    page.wait_for_function("(asked) => window.tbtRuns.asked > asked", arg=asked)
    settled(page)


def takeaway(page: Page | Frame) -> str:
    """The sentence beneath the attention lesson's figure, of one head or of all."""
    return page.locator(".st-key-takeaway_one_head, .st-key-takeaway_all").first.inner_text()


def problems(page: Page) -> list[str]:
    """Every complaint on the page, in full sentences."""
    return [text.removeprefix("link_off").strip() for text in page.get_by_test_id("stAlert").all_inner_texts()]


def code_on(page: Page) -> str:
    """What a camera reads off the screen; "" where it finds no code."""
    found = zxingcpp.read_barcodes(Image.open(io.BytesIO(page.screenshot())))
    return found[0].text if len(found) == 1 else ""


def until(page: Page, read, wanted, timeout_s: float = 30) -> None:
    """Wait until `read()` is, or contains, what is wanted; AssertionError with what it was instead."""
    deadline = time.monotonic() + timeout_s
    while True:
        seen = read()
        if seen == wanted or (isinstance(seen, str) and wanted in seen):
            return
        assert time.monotonic() < deadline, f"expected {wanted!r} within {timeout_s:g} s, still {seen!r}"
        page.wait_for_timeout(50)


def says(page: Page, key: str, *parts: str, stands: bool = True) -> None:
    """Wait until the container `key` says all parts, one after the other: what is computed, and at most one key word.

    stands: and until the page stands. A sentence comes before its run has ended, or stood there already: what is typed or pressed
    meanwhile meets the end of that run, and what follows it.
    """
    wanted = [f".st-key-{key}", in_order(*parts).pattern]
    page.wait_for_function(SAYS, arg=wanted, timeout=30_000, polling=50)
    if stands:
        settled(page)


def click(button: Locator) -> None:
    """Press a button by the pointer when the page stands: one that a run moves or draws anew meanwhile is missed."""
    settled(button.page)
    button.click()


def turn_to(page: Page, slide: int, press: Callable[[Locator], None] = click) -> None:
    """Go to another step of the lesson by its name in the bar, which is pressed."""
    press(page.locator(".st-key-step_names [role=radio]").nth(slide - 1))
    page.locator(".st-key-step_names [aria-checked=true]", has_text=f"{slide} ").wait_for(timeout=30_000)
    settled(page)


def choose(page: Page, key: str, nth: int = 0) -> None:
    """Answer a question by keyboard with the nth of its options: a press is the answer."""
    tab_to(page, f".st-key-option_{key}_{nth} button")
    page.keyboard.press("Enter")


def commit_any(page: Page, shown: str) -> None:
    """Answer the choice on screen, where there is one, and wait for the container `shown` that comes with the answer."""
    options = page.locator("[class*=st-key-option_] button")
    if options.count():
        click(options.first)
    page.locator(f".st-key-{shown}").wait_for(timeout=30_000)
    settled(page)


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until what `selector` names has the focus; a run that is under way might draw it anew."""
    settled(page)
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement?.closest(s) !== null", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")
