"""What a visitor reads off a page."""

from __future__ import annotations

import time

from playwright.sync_api import Frame, Page


def texts(page: Page | Frame) -> list[str]:
    """Every word and number in the figures."""
    return page.locator(".tbt-plot svg text").all_text_contents()


def figures_as_text(page: Page | Frame) -> list[str]:
    """Every figure's text alternative."""
    return [figure.get_attribute("aria-label") for figure in page.locator(".tbt-figure").all()]


def menu(page: Page) -> list[str]:
    """The lessons as the side bar lists them."""
    return page.get_by_test_id("stSidebarNavLink").all_inner_texts()


def takeaway(page: Page | Frame) -> str:
    """The sentence beneath the attention map."""
    return page.locator(".st-key-takeaway").inner_text()


def problems(page: Page) -> list[str]:
    """Every complaint on the page, in full sentences."""
    return [text.removeprefix("link_off").strip() for text in page.get_by_test_id("stAlert").all_inner_texts()]


def until(page: Page, read, wanted, timeout_s: float = 10) -> None:
    """Wait until `read()` is, or contains, what is wanted; AssertionError with what it was instead."""
    deadline = time.monotonic() + timeout_s
    while True:
        seen = read()
        if seen == wanted or (isinstance(seen, str) and wanted in seen):
            return
        assert time.monotonic() < deadline, f"expected {wanted!r} within {timeout_s:g} s, still {seen!r}"
        page.wait_for_timeout(50)


def says(page: Page, key: str, words: str) -> None:
    """Wait until the container `key` says `words`."""
    page.locator(f".st-key-{key}", has_text=words).wait_for(timeout=15000)


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until what `selector` names has the focus."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("s => document.activeElement?.closest(s) !== null", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")
