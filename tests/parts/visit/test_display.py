"""What a browser says of its screen, and where it is kept."""

from app_pages import of_visit, ran
from streamlit.testing.v1 import AppTest

from pages.parts.visit.display import Screen


def test_what_a_browser_says_of_its_screen_is_kept_on_a_page_that_does_not_ask():
    """A phone that had mistyped a room's code on the first screen was drawn a projector's figures for the rest of the hour."""

    def page():
        from pages.parts.visit import display

        display.ask_the_browser()

    at = AppTest.from_function(page)
    at.session_state["screen"] = {"narrow": True}
    assert of_visit(ran(at), Screen).narrow
