"""A question whose answer the link locks: what was predicted is kept, and the teacher's key opens what was computed."""

from collections.abc import Callable

import streamlit as st

from pages.parts.question.question import Host, Question, guesses, written
from pages.parts.visit import answer_lock


def _shows(question_id: str) -> bool | None:
    """A lock hides every answer."""
    return False if answer_lock.locked() else None


def _draw(q: Question, form: Callable[[], None]) -> bool | None:
    """What was predicted, and the field for the key that opens the answers."""
    if q.kept_guess is None or not answer_lock.locked():
        return None
    key = f"key_{q.key}"
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f":material/lock: You predicted {written(q, q.kept_guess)}. The answers are locked.", width="content")
        st.button("Change it", key=f"again_{q.key}", on_click=guesses().pop, args=(q.key, None), type="tertiary")
        with st.popover("Open", icon=":material/key:", type="tertiary", key=f"unlock_{q.key}"):
            key_field(key)
            if st.session_state.get(key):
                st.markdown("That key does not open this link.")
    return False


def key_field(key: str) -> None:
    """Where the teacher's key is typed; the right one opens the answers."""
    options = {"type": "password", "max_chars": answer_lock.MOST}
    st.text_input("Teacher’s key", key=key, on_change=lambda: answer_lock.try_key(st.session_state[key]), **options)


LOCK = Host(_shows, _draw)
