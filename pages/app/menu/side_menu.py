"""The lessons in the side bar, as one component: a list of links that the browser has once, and of which each page says which is its
own.

Streamlit's own menu draws every line again at each message of a move, though the side bar is folded away: it was two fifths of what
a browser had to draw then. A link opens its lesson in the same visit (side_menu.js); pressed with Ctrl, in a tab of its own.
"""

from html import escape

import streamlit as st

from pages.app.course import DEFAULT, IN_THE_MENU, SECTIONS
from pages.parts.visit import location
from pages.parts.visit.components import component

KEY = "side_menu"


def _link(name: str) -> str:
    page, path = IN_THE_MENU[name], "" if name == DEFAULT else name
    icon = f'<i data-icon="{escape(page.icon)}" aria-hidden="true"></i>'
    return f'<li><a href="./{path}" data-page="{name}">{icon}<span>{escape(page.title)}</span></a></li>'


def _section(title: str, names: tuple[str, ...]) -> str:
    links = "".join(map(_link, names))
    return f'<p>{escape(title)}</p><ul aria-label="{escape(title)}">{links}</ul>' if title else f"<ul>{links}</ul>"


_COMPONENT = component(
    KEY,
    __file__,
    html=f'<nav aria-label="Lessons" data-drawn="1">{"".join(_section(*section) for section in SECTIONS.items())}</nav>',
)


def side_menu() -> None:
    """All lessons, with the one that is shown marked."""
    with st.sidebar:
        _COMPONENT(key=KEY, data={"page": location.now().lesson or DEFAULT})
