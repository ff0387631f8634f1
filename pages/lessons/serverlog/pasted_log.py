"""The log that the lesson reads: an example of the link's, or what this visitor pasted, which stays in his visit.

It is a stranger's text: bounded before it is read and never part of a link. One that says nothing shows nothing.
"""

from dataclasses import dataclass

import streamlit as st

from engine.serving.log_lines import MAX_CHARS, ServerLog, read_log
from pages.lessons.serverlog import compared
from pages.lessons.serverlog.examples import EXAMPLES, FIRST, Example
from pages.parts.text.format import md
from pages.parts.visit import control_locks
from pages.parts.visit.parameters import Choice
from pages.parts.visit.session import of_this_visit
from pages.parts.vote import in_a_room

LOG = Choice("log")
OWN = "pasted"
IN_THE_ROOM = "The log that the class reads was pasted, and no phone gets it: it stands on your teacher’s screen"
ELSEWHERE = "The log of this link was pasted, and its text is not in it. Paste it here, or choose an example"


@dataclass
class Pasted:
    """log: that was read of the text that was pasted last, None where it could not be or nothing was pasted; problem: why not.
    beside: the link's choice of a log that the setup beside it belongs to, None before one was looked at."""

    log: ServerLog | None = None
    problem: str = ""
    beside: str | None = None


pasted = of_this_visit(Pasted)


def example() -> Example | None:
    """The example that is looked at; None for a pasted log."""
    return None if LOG.text() == OWN else EXAMPLES[LOG.value(tuple(EXAMPLES), FIRST)]


def log() -> ServerLog | None:
    """The log that is looked at; None where it was pasted and could not be read, or was pasted elsewhere."""
    chosen = example()
    return read_log(chosen.text) if chosen else pasted().log


def box() -> None:
    """The examples, the text area with its button, and what came of the last text."""
    own = {OWN: "Your log"} if LOG.text() == OWN or pasted().log else {}
    left, right = st.columns([2.2, 1], vertical_alignment="bottom")
    with left:
        LOG.menu("A log to read", {key: example.name for key, example in EXAMPLES.items()} | own, FIRST)
    with (
        right,
        st.popover("Paste your own log", icon=":material/content_paste:", key="serverlog_paste", width="stretch"),
        st.form("form_log", border=False),
    ):
        st.text_area(
            "Your log", key="serverlog_text", height=118, max_chars=MAX_CHARS,
            placeholder="Start-up lines of vLLM, llama.cpp, SGLang, TensorRT-LLM, TGI or ollama, or the result of vllm bench serve: "
            f"at most {MAX_CHARS:,} characters, more are not taken",
            help="It stays in this visit: it is not in the link, and no address in it is opened.",
        )  # fmt: skip
        st.form_submit_button("Read it", on_click=_use)
    if LOG.text() == OWN and log() is None:
        st.warning(md(problem()) + ".", icon=":material/receipt_long:")


def problem() -> str:
    """Why there is no log to read, without its full stop."""
    return pasted().problem or (IN_THE_ROOM if in_a_room.joined() else ELSEWHERE)


def offer(name: str) -> None:
    """A button that reads an example instead, where the log at hand has nothing to show."""
    st.button(
        EXAMPLES[name].name, key=f"serverlog_read_{name}", icon=":material/receipt_long:", on_click=LOG.set_text, args=(name,),
        **control_locks.control(LOG.name, "A log to read"),
    )  # fmt: skip


def forget_the_last_ones_setup() -> None:
    """What was chosen beside one log is not taken over to another; a link's own choices stay."""
    if pasted().beside not in (None, LOG.text()):
        compared.forget()
    pasted().beside = LOG.text()


def _use() -> None:
    """Read what was pasted. One that cannot be read takes the place of the last one too: nothing old stands under its warning."""
    own = pasted()
    own.log, own.problem = None, ""
    try:
        own.log = read_log(st.session_state.get("serverlog_text", ""))
    except ValueError as problem:
        own.problem = str(problem)
    compared.forget()
    LOG.set_text(OWN)
