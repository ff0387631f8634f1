"""What a component needs that tells the server something: when it may, and somebody who is called back.

Both scripts are put before a component's own.
"""

import re
from collections.abc import Mapping
from pathlib import Path

import streamlit as st


def script(file: Path) -> str:
    """A script that is sent often: its comments stay in the file."""
    return re.sub(r"^//.*\n", "", file.read_text("utf-8"), flags=re.MULTILINE)


RUNNING = script(Path(__file__).with_name("running.js"))
WHEN_DRAWN = RUNNING + script(Path(__file__).with_name("when_drawn.js"))


def said_by(key: str, event: str) -> object:
    """What the component `key` tells of an event, for the callback of that event; None where the session knows of no such component.

    A message that waits while another page is turned to is delivered when the session has forgotten what the page before had.
    """
    component = st.session_state.get(key)
    return component.get(event) if isinstance(component, Mapping) else None


def no_callback() -> None:
    """What a component tells is passed on only where somebody is called back."""
