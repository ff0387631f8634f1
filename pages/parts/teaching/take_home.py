"""Take it home: the lesson on paper, its figures and tables as files, a notebook, and the page's link as a file that opens it.

The link is all that was set here, so the file that keeps a scenario is one that opens its link; the browser writes it.
"""

from collections.abc import Callable

import streamlit as st

from pages.parts.teaching import routes
from pages.parts.teaching.notebook import Cell, as_ipynb
from pages.parts.visit import answer_lock, dialogs, location
from pages.parts.visit.components import component
from pages.parts.visit.display import HANDOUT

_FILES = component("take_home", __file__, html='<div class="files" data-drawn="1"></div>', isolated=True)


def button(question: str, notebook: Callable[[str], list[Cell]] | None) -> None:
    """The box at the foot of a lesson; what is in it is made when it is opened."""
    with st.popover(
        "Save", icon=":material/download:", key="take_home", type="tertiary", on_change="rerun", width="content"
    ) as box:
        if box.open:
            _contents(question, notebook)


def _contents(question: str, notebook: Callable[[str], list[Cell]] | None) -> None:
    name = location.now().lesson or "lesson"
    with st.container(horizontal=True):
        st.button("Handout", key="handout_questions", icon=":material/print:", on_click=HANDOUT.set_text, args=("questions",))
        if routes.chosen() != routes.SELF:
            handout_of_the_route("handout")
        if notebook and not answer_lock.locked():
            file = as_ipynb(notebook(question)), f"{name}.ipynb", "application/x-ipynb+json"
            look = {"icon": ":material/menu_book:", "help": "Rebuilds these numbers and checks them"}
            st.download_button("Notebook", *file, key="save_notebook", on_click="ignore", **look)
    _FILES(key="files", data={"name": name})


def handout_of_the_route(where: str) -> bool:
    """The button for the sheets of the whole route, or of the lesson where there is none; whether it was pressed."""
    form, label = (
        ("questions", "Handout") if routes.chosen() == routes.SELF else ("route", f"Handout, {routes.NAMES[routes.chosen()]}")
    )
    return st.button(label, key=f"{where}_route", icon=":material/print:", on_click=_on_paper, args=(form,))


def _on_paper(form: str) -> None:
    dialogs.close()
    HANDOUT.set_text(form)
