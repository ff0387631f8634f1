"""A question that is voted on comes into sight by itself: on a phone its form, on the teacher's screen all that the class looks at."""

from pathlib import Path

import streamlit as st

from pages.parts.visit.telling import RUNNING, script

FORM = '[class*="st-key-predict_"] [data-testid="stForm"]'  # of the one step that a phone shows
_COMPONENT = st.components.v2.component(
    "into_sight",
    html='<i data-drawn="1"></i>',
    js=RUNNING + script(Path(__file__).with_name("into_sight.js")),
    isolate_styles=False,
)


def bring_into_sight(what: str, selector: str = FORM, key: str = "into_sight") -> None:
    """Once for each `what`, "" for nothing: scroll until what the selector names is in sight, as far as it has room."""
    _COMPONENT(key=key, data={"what": what, "selector": selector}, height=1)
