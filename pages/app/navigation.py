"""Which page a run shows: the menu, and where each way in leads: the root, a deep link, an old one, Next and Back.

A page that is not to be shown is left for the one that is, before anything of it is drawn.
"""

from pathlib import Path

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from pages.app.course import DEFAULT, IN_THE_MENU, LESSONS, REFERENCE, SECTIONS
from pages.app.route_steps import ROUTES
from pages.lessons.start.steps import PARAMETERS
from pages.parts.teaching import own_route
from pages.parts.visit import all_lessons, location, scenario
from pages.parts.vote import in_a_room

PAGES = Path(__file__).resolve().parents[1]
HIDDEN = "By name"  # of the menu, in which it does not appear
STOOD_AT_THE_ROOT = "overview"  # before the first screen: links of that time open it


def asked_for() -> StreamlitPage:
    """The page of this run, with the menu beside it."""
    if not all_lessons.of_visit().pages:
        _make()
    pages, sections = all_lessons.of_visit().pages, all_lessons.of_visit().sections
    page = st.navigation(sections, position="hidden")  # it is drawn in pages/app/menu
    if page in sections[HIDDEN]:
        _open_with_its_link(pages[DEFAULT])
    if is_first(page) and set(st.query_params) - set(PARAMETERS) and not in_a_room.refused()[1]:
        _open_with_its_link(pages[STOOD_AT_THE_ROOT])
    location.set_lesson(page.url_path)
    all_lessons.set_neighbours(*_lessons_beside(page))
    name, by = location.take_request()
    wanted = (_lessons_beside(page)[by > 0] if by else None) or pages.get(name, page)  # the last step's Next, or another lesson
    if wanted != page:
        location.leave_page()
        st.switch_page(wanted)
    return page


def is_first(page: StreamlitPage) -> bool:
    """Whether it is the first screen."""
    return page == all_lessons.of_visit().pages[DEFAULT]


def _make() -> None:
    """The pages of a visit and what is in them, made once: to find their files takes a tenth of a rerun."""
    pages = {name: _page(name) for name in IN_THE_MENU}
    sections = {section: [pages[name] for name in names] for section, names in SECTIONS.items()}
    # The first screen lives at the root. Its own name must lead there too, or Streamlit says "Page not found".
    sections[HIDDEN] = [st.Page(PAGES / f"{DEFAULT}.py", url_path=DEFAULT, visibility="hidden")]
    all_lessons.lay_out(pages=pages, sections=sections, lessons=LESSONS, routes=ROUTES, own_route=own_route.stops)


def _page(name: str) -> StreamlitPage:
    shown, first = IN_THE_MENU[name], name == DEFAULT
    return st.Page(
        PAGES / f"{name}.py",
        title=shown.title,
        icon=f":material/{shown.icon}:",
        default=first,
        url_path="root" if first else name,
    )


def _lessons_beside(page: StreamlitPage) -> tuple[StreamlitPage | None, StreamlitPage | None]:
    """The lessons before and after a page: one leads to the next."""
    order = [p for name, p in all_lessons.of_visit().pages.items() if name not in (DEFAULT, *REFERENCE)]
    at = order.index(page) if page in order else -1 if is_first(page) else len(order)
    return order[at - 1] if 0 < at < len(order) else None, order[at + 1] if at + 1 < len(order) else None


def _open_with_its_link(page: StreamlitPage) -> None:
    """Show another page, which takes over the link."""
    scenario.current()  # reads the link, which changing the page clears
    st.switch_page(page)
