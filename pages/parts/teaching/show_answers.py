"""Show answers: every question stands answered, with its reason, for those who are at work and want no questions.

A switch in the lesson's menu and answers=shown in the link. It is the last of a question's hosts: what paper, a class vote or a lock
hides stays hidden. What was predicted is kept, and is there again when the answers are hidden.
"""

from collections.abc import Callable

import streamlit as st

from pages.parts.question.question import Host, Question, answer_is_shown, verdict
from pages.parts.visit.display import ANSWERS, answers_shown


def switch() -> None:
    """The entry of the menu that shows all answers, or gives the questions back."""
    label, icon, text = ("Hide answers", "visibility_off", "") if answers_shown() else ("Show answers", "visibility", "shown")
    st.button(label, key="show_answers", icon=f":material/{icon}:", type="tertiary", on_click=ANSWERS.set_text, args=(text,))


def _shows(question_id: str) -> bool | None:
    """Every answer that no host before this one hides."""
    return True if answers_shown() else None


def _draw(q: Question, form: Callable[[], None]) -> bool | None:
    """The computed answer and its reason, beside what was predicted where something was; nothing to try again."""
    if not (answers_shown() and answer_is_shown(q.id)):
        return None
    with st.container(key=f"answer_{q.key}"):
        st.markdown(f"{verdict(q)} {q.why}")
    return True


ALL_SHOWN = Host(_shows, _draw, opens=answers_shown)
