"""A lesson on paper: all its steps below each other, black on white, with room to write where a question is asked.

`handout=questions` in the link shows it, `handout=answers` adds the answers on a last page of their own. What is printed is what
the page shows, made from the scenario on screen; controls and buttons stay off it (handout.css). Any paper: A4 and Letter.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from pages.parts.lesson import header
from pages.parts.lesson.predict import Question, asked_on_this_page, correct
from pages.parts.text.format import join, md, number, rule_name
from pages.parts.visit import answers, scenario
from pages.parts.visit.display import HANDOUT, handout

QUESTIONS, ANSWERS = "questions", "answers"
PRINT = st.components.v2.component(
    "print_button",
    html='<button type="button" class="tbt-print" data-drawn="1">Print</button>',
    css=""".tbt-print { font: inherit; padding: 0.35rem 0.9rem; cursor: pointer; border-radius: 6px; border: 0;
      background: #0b5cad; color: #fff; }""",
    js="export default ({ parentElement }) => { parentElement.querySelector('button').onclick = () => window.print(); }",
    isolate_styles=False,
)


def show(question: str, steps: Sequence[Callable[..., None]], given: Callable[[], tuple], toy: bool) -> None:
    """The handout of a lesson. steps: each with its name and what draws it; given: what they are called with."""
    asked = asked_on_this_page(collect=True)
    with st.container(key="handout"):
        _bar()
        st.title(question, anchor=False)
        header.problems()
        st.markdown("Name: ______________________________ Date: ________________")
        if toy:
            st.markdown(_scenario_in_words())
        values = given()
        for at, one in enumerate(steps, 1):
            with st.container(key=f"handout_step_{at}"):
                st.subheader(f"{at}  {one.name}", anchor=False)
                one.show(*values)
        if handout() == ANSWERS and not answers.locked():
            _answers(asked)


def _bar() -> None:
    """What stands above the sheet on the screen and not on paper."""
    with st.container(horizontal=True, vertical_alignment="center", key="handout_bar"):
        PRINT(key="print_button")
        with_answers = handout() == ANSWERS
        label = "Leave the answers out" if with_answers else "Add a page with the answers"
        other = QUESTIONS if with_answers else ANSWERS
        if not answers.locked():
            st.button(label, key="handout_answers_too", type="tertiary", on_click=HANDOUT.set_text, args=(other,))
        st.button("Back to the lesson", key="handout_leave", type="tertiary", on_click=HANDOUT.set_text, args=("",))


def _scenario_in_words() -> str:
    """What the sheet's numbers are about, for a reader who has no page."""
    s = scenario.current()
    tokens = join([f"{md(word)} = {number(value)}" for word, value in zip(s.tokens, s.values, strict=True)])
    heads = "; ".join(f"head {h} looks at {rule_name(rule)}" for h, rule in enumerate(s.rules, 1))
    words = join([md(word) for word in s.words])
    return f"The prompt, a number for each word: {tokens}. {heads[:1].upper()}{heads[1:]}. Candidate words: {words}."


def _answers(asked: Sequence[Question]) -> None:
    """Every question's computed answer and its reason, on a page of their own."""
    with st.container(key="handout_answers"):
        st.subheader("Answers", anchor=False)
        for at, question in enumerate(asked, 1):
            st.markdown(f"**{at}.** {question.asked}\n\n**{correct(question)}** {question.why}")
            if question.slips:
                st.markdown("\n".join(f"- {option}: {slip}" for option, slip in question.slips.items()))
