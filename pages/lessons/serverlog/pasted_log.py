"""The log that the lesson reads: an example of the link's, or what this visitor pasted, which stays in his visit.

It is a stranger's text: bounded before it is read, never part of a link, and one that says nothing leaves the last good one.
"""

from __future__ import annotations

import streamlit as st

from engine.serving.log_lines import MAX_CHARS, ServerLog, read_log
from pages.lessons.serverlog.examples import EXAMPLES, FIRST
from pages.parts.hardware import pasted_config, setup
from pages.parts.text.format import md
from pages.parts.visit import locks
from pages.parts.visit.parameters import Choice

LOG = Choice("log")
OWN = "pasted"


def source() -> str:
    """Where the log comes from, for the page."""
    return "" if _own() else EXAMPLES[_chosen()].source


def log() -> ServerLog:
    """The log that is looked at."""
    return _own() or read_log(EXAMPLES[_chosen()].text)


def box() -> None:
    """The examples, the text area with its button, and what came of the last text."""
    names = {key: example.name for key, example in EXAMPLES.items()} | (
        {OWN: "Your log"} if st.session_state.get("log_read") else {}
    )
    LOG.menu("A log to read", names, FIRST)
    with st.form("form_log", border=False):
        st.text_area(
            "Or paste your own", key="log_text", height=118, max_chars=MAX_CHARS,
            placeholder="Start-up lines of vLLM, llama.cpp or SGLang, or the result of vllm bench serve",
            help="It stays in this visit: it is not in the link, and no address in it is opened.",
        )  # fmt: skip
        st.form_submit_button("Read it", on_click=_use)
    if problem := st.session_state.get("log_problem", ""):
        st.warning(md(problem) + ".", icon=":material/receipt_long:")


def offer(name: str) -> None:
    """A button that reads an example instead, where the log at hand has nothing to show."""
    st.button(
        EXAMPLES[name].name, key=f"read_{name}", icon=":material/receipt_long:", on_click=LOG.set_text, args=(name,),
        **locks.control(LOG.name, "A log to read", {}),
    )  # fmt: skip


def use_the_examples_setup() -> None:
    """Choosing an example also chooses the model and the device that printed it, once; a link's own model and device stay."""
    chosen, state = LOG.text(), st.session_state
    opened = "log_set_up" not in state
    if chosen in EXAMPLES and state.get("log_set_up") != chosen:
        for parameter, name in ((pasted_config.MODEL, EXAMPLES[chosen].model), (setup.DEVICE, EXAMPLES[chosen].device)):
            if name and not (opened and parameter.text()):
                parameter.set_text(name)
    state["log_set_up"] = chosen


def _chosen() -> str:
    return LOG.value(tuple(EXAMPLES), FIRST)


def _own() -> ServerLog | None:
    return st.session_state.get("log_read") if LOG.text() == OWN else None


def _use() -> None:
    state = st.session_state
    try:
        state["log_read"] = read_log(state["log_text"])
    except ValueError as problem:
        state["log_problem"] = str(problem)
        return
    state["log_problem"] = ""
    LOG.set_text(OWN)
