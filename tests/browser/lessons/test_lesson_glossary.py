"""Words and sources in a real browser: typed, found, opened."""

from driving import settled
from reading import until


def test_a_word_typed_leads_to_the_step_that_shows_it(visit):
    page = visit("/glossary")
    field = page.get_by_label("A word, a lesson, a step")
    field.fill("softer")
    field.press("Enter")
    until(page, lambda: "find=softer" in page.url, True)
    settled(page)
    page.locator(".st-key-hit_0 button").click()
    page.wait_for_url("**/attention**")
    until(page, lambda: "slide=4" in page.url, True)
    settled(page)
    assert page.locator(".st-key-step_names [aria-checked=true]").inner_text() == "4 Softer scores"
