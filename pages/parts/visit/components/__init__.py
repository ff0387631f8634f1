"""One call makes a component of a script that lies beside a .py file.

Pieces that such scripts begin with: RUNNING and WHEN_DRAWN where a component tells the server something, CALL where it listens or waits,
STORAGE where the browser keeps something, CLIPBOARD where it copies.
"""

import re
from collections.abc import Callable, Mapping
from pathlib import Path

import streamlit as st


def script(file: Path) -> str:
    """A script that is sent often: its comments stay in the file."""
    return re.sub(r"^//.*\n", "", file.read_text("utf-8"), flags=re.MULTILINE)


CLIPBOARD = script(Path(__file__).with_name("clipboard.js"))
CALL = script(Path(__file__).with_name("call.js"))
RUNNING = script(Path(__file__).with_name("running.js"))
STORAGE = script(Path(__file__).with_name("storage.js"))
WHEN_DRAWN = RUNNING + script(Path(__file__).with_name("when_drawn.js"))
DRAWN = '<i data-drawn="1"></i>'  # of a component that shows nothing


def component(name: str, file: str, html: str = "", before: str = "", isolated: bool = False) -> Callable:
    """The component whose script, `name`.js, lies beside `file`, with its style sheet, and its html where that is not given.

    before: what its script begins with; isolated: whether the page's style sheets end at its edge.
    """
    beside = {path.suffix: path for path in Path(file).parent.glob(f"{name}.*")}
    html, css = html or (beside[".html"].read_text("utf-8") if ".html" in beside else None), beside.get(".css")
    return st.components.v2.component(
        name, html=html, css=css and css.read_text("utf-8"), js=before + script(beside[".js"]), isolate_styles=isolated
    )


def said_by(key: str, event: str) -> object:
    """What the component `key` tells of an event, for the callback of that event; None where the session knows of no such component.

    A message that waits while another page is turned to is delivered when the session has forgotten what the page before had.
    """
    state = st.session_state.get(key)
    return state.get(event) if isinstance(state, Mapping) else None


def no_callback() -> None:
    """What a component tells is passed on only where somebody is called back."""
