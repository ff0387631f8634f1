"""A visit goes on where it stood after the server has restarted, or after a sleep longer than the server keeps a session.

The page is still open and its address bar says where the visitor was; the server has begun a new session and knows nothing. When
the connection comes back, the browser (reconnect.js) sends the address and the text of a pasted model. Both are a stranger's
text: the address is read as a link is, the model as if it had been pasted again.
"""

import streamlit as st

from pages.parts.hardware import pasted_config
from pages.parts.visit import location, scenario, scenario_query
from pages.parts.visit.components import CALL, component, no_callback

_COMPONENT = component("reconnect", __file__, before=CALL)


def go_on() -> None:
    """Take up the visit that the browser brings back. Called before anything reads the scenario."""
    visit = location.now().visit
    data = {"visit": visit, "pasted": pasted_config.text()}
    brought = brought_back(_COMPONENT(key="reconnect", data=data, on_back_change=no_callback, height=1).back, visit)
    if brought is None:
        return
    query, model = brought
    scenario.open_link(query)
    if model and pasted_config.take(model):
        st.rerun()  # the browser was just told that there is none, and would bring none back when the connection is lost again


def brought_back(message: object, visit: str) -> tuple[dict[str, str], str] | None:
    """The query and the pasted text in a message from the browser; None when it is `visit` itself, or no such message.

    >>> brought_back({"visit": "a1", "query": "?step=4&token=2", "pasted": ""}, visit="b2")
    ({'step': '4', 'token': '2'}, '')
    """
    if not isinstance(message, dict) or message.get("visit") == visit:
        return None
    query, model = scenario_query.as_query(message.get("query")), message.get("pasted")
    if query is None or not isinstance(model, str) or len(model) > pasted_config.MAX_CHARS:
        return None
    return query, model
