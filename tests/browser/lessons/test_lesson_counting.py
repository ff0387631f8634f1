"""The counting lesson in a real browser: its last step on one screen, and the links beneath it."""

from driving import settled
from reading import click
from sweep import beyond


def test_the_six_sentences_stay_on_one_screen_and_a_link_below_them_opens_the_lesson_that_showed_it(visit, widest):
    """Where they are longest, as their AppTest says; read, then presented."""
    page = visit("/counting?slide=6&answers=shown&p=100000&g=100000&empty=fill&values=1,2,3,4", build=widest)
    one_screen(page, n_links=4)
    page.keyboard.press("p")
    page.locator(".st-key-presented").wait_for()
    settled(page)
    one_screen(page, n_links=0)
    page.keyboard.press("Escape")
    click(page.locator(".st-key-shown_in a").nth(2))
    page.wait_for_function("location.pathname.endsWith('/cache') && location.search.includes('values=1,2,3,4')")


def one_screen(page, n_links):
    assert page.locator(".st-key-in_short_said p").count() == 6
    assert page.locator(".st-key-shown_in a").count() == n_links
    assert beyond(page) == []
