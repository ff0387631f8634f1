"""The menu counts the questions that were answered, and the browser remembers it when the page is loaded anew."""

import json

from driving import ATTENTION, settled
from reading import choose, says

LINK = f'.st-key-side_menu a[href$="{ATTENTION}"]'
FORGED = json.dumps({"decode": "all", "cache": [1, {"a": 2}], "attention": ["values"], "../x": ["y"]})


def counted(page):
    links = page.locator(".st-key-side_menu a[data-answered]")
    return links.evaluate_all("found => found.map(link => [link.pathname, link.dataset.answered])")


def test_an_answer_is_counted_in_the_menu_and_a_reload_keeps_the_count(visit):
    page = visit("?")
    assert counted(page) == []
    choose(page, "values")
    says(page, "answer_values", "redicted")
    page.locator(f"{LINK}[data-answered]").wait_for(state="attached")
    assert counted(page) == [[ATTENTION, "✓ 1"]]
    page.reload()
    settled(page)
    page.locator(f"{LINK}[data-answered]").wait_for(state="attached")
    assert counted(page) == [[ATTENTION, "✓ 1"]]


def test_what_is_stored_may_be_anything(visit):
    page = visit("?", init=f"localStorage.setItem('token-by-token answered', {json.dumps(FORGED)})")
    page.locator(f"{LINK}[data-answered]").wait_for(state="attached")
    assert counted(page) == [[ATTENTION, "✓ 1"]]
