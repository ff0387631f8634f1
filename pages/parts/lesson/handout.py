"""A lesson on paper: all its steps below each other, black on white, with room to write where a question is asked.

`handout=questions` in the link shows it, `handout=answers` adds the answers on a last page of their own; `route` and
`route_answers` do the same for the steps of the chosen route, whichever lessons they belong to. What is printed is what the page
shows, made from the scenario on screen. Controls that several lessons have are not drawn, because on a route's sheet one would be
there twice; all others are hidden (handout.css). Any paper: A4 and Letter.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby

import streamlit as st

from engine.toy.scenario import Scenario
from pages.parts.lesson import header
from pages.parts.question.question import Host, Question, answer_text, asked_on_this_page, mistakes
from pages.parts.teaching import plan, routes
from pages.parts.teaching.told_last import told_last
from pages.parts.text.format import entered, join, md
from pages.parts.text.toy_names import EMPTY_ROW_NAMES, rule_name
from pages.parts.visit import answer_lock, location, scenario
from pages.parts.visit.components import RUNNING, component
from pages.parts.visit.display import HANDOUT, paper_form
from pages.parts.visit.parameters import lesson_begins
from pages.parts.visit.scenario import on_paper
from pages.parts.visit.session import of_this_visit

OTHER = {"questions": "answers", "answers": "questions", "route": "route_answers", "route_answers": "route"}
IN_ORDER = "Answer each question before you read on: what follows may answer it."
EMPTY_LINES = 3  # on paper, for an answer and the reason for it
WITH_ANSWERS, OF_ROUTE = ("answers", "route_answers"), ("route", "route_answers")
_PRINTS = '<button type="button" class="tbt-print" data-drawn="1">Print</button>'
PRINT = component("print", __file__, html=_PRINTS, before=RUNNING)


@dataclass
class RoutePart:
    """steps: of a lesson, that a route has one after the other and that are drawn now."""

    steps: tuple[int, ...] = ()


route_part = of_this_visit(RoutePart)


def show(question: str, steps: Sequence[Callable[..., None]], given: Callable[[], tuple], toy: bool) -> None:
    """The handout of a lesson. steps: each with its name and what draws it; given: what they are called with.

    While a route's is made (whole_route), only the steps of the lesson that the route has come to.
    """
    if of_route():
        st.header(question, anchor=False)
        _steps([(at, steps[at - 1]) for at in route_part().steps], given)
    else:
        _document(question, toy, lambda: _steps(list(enumerate(steps, 1)), given))


def whole_route(run: Callable[[str], None]) -> None:
    """The handout of the route that is chosen: its steps in order, which may come back to a lesson. run: shows the lesson of a name."""

    def parts() -> None:
        for name, stops in groupby(routes.stops_of(routes.chosen()), key=lambda stop: stop.lesson):
            route_part().steps = tuple(stop.at for stop in stops)
            goes_to(name)
            run(name)

    def goes_to(name: str) -> None:
        lesson_begins(name, left=location.now().lesson)
        location.set_lesson(name)

    lesson = location.now().lesson
    _document(f"One prompt, one answer ({routes.NAMES[routes.chosen()]})", True, parts, plan.goals(routes.chosen()))
    goes_to(lesson)


def of_route() -> bool:
    """Whether the handout that is asked for is a route's, and one is chosen."""
    return paper_form() in OF_ROUTE and routes.chosen() != routes.SELF


def _document(title: str, toy: bool, draw: Callable[[], None], goals: str = "") -> None:
    """What every handout begins and ends with. goals: of the class that it is for."""
    asked, told_last().text = asked_on_this_page(collect=True), {}
    with st.container(key="handout"):
        _bar()
        st.title(title, anchor=False)
        header.problems()
        st.markdown("Name: ______________________________ Date: ________________")
        if goals:
            st.markdown(goals)
        if toy:
            st.markdown(_scenario_in_words())
        first = st.container()
        draw()
        if len(asked) > 1:
            first.markdown(IN_ORDER)
        if asked and paper_form() in WITH_ANSWERS and not answer_lock.locked():
            _answers(asked)


def _steps(steps: Sequence[tuple[int, Callable[..., None]]], given: Callable[[], tuple]) -> None:
    """Steps below each other, each with its number and name."""
    values = given()
    for at, one in steps:
        with st.container(key=f"handout_step_{location.now().lesson}_{at}"):
            st.subheader(f"{at}  {one.name}", anchor=False)
            one.show(*values)


def _bar() -> None:
    """What stands above the sheet on the screen and not on paper."""
    with st.container(horizontal=True, vertical_alignment="center", key="handout_bar"):
        PRINT(key="print_button")
        label = "Leave the answers out" if paper_form() in WITH_ANSWERS else "Add a page with the answers"
        if not answer_lock.locked():
            st.button(label, key="handout_answers_too", type="tertiary", on_click=HANDOUT.set_text, args=(OTHER[paper_form()],))
        st.button("Back to the lesson", key="handout_leave", type="tertiary", on_click=HANDOUT.set_text, args=("",))


def _empty_rows(s: Scenario) -> str:
    """What becomes of a row that matches nothing, where that is not the usual; a 1 in the denominator is there in every row."""
    if s.empty_row == "softmax1":
        return f" Every row has {EMPTY_ROW_NAMES[s.empty_row]}."
    return f" For a row that matches nothing: {EMPTY_ROW_NAMES[s.empty_row]}." * (s.empty_row != Scenario().empty_row)


def _scenario_in_words() -> str:
    """What the sheet's numbers are about, for a reader who has no page."""
    s = scenario.current()
    tokens = join([f"{md(word)} = {entered(value)}" for word, value in zip(s.tokens, s.values, strict=True)])
    heads = "; ".join(f"head {h} looks at {rule_name(rule)}" for h, rule in enumerate(s.rules, 1))
    words, w = join([md(word) for word in s.words]), "; ".join(", ".join(map(entered, row)) for row in s.w_vocab)
    unusual = (
        f" A match scores {entered(s.sharpness)}, anything else {entered(-s.sharpness)}." * (s.sharpness != Scenario().sharpness),
        " The mask is off." * (not s.causal),
        _empty_rows(s),
    )
    return (
        f"The prompt, a number for each word: {tokens}. {heads[:1].upper()}{heads[1:]}. Candidate words: {words}; W, a row for "
        f"each head and in it a number for each word: {w}.{''.join(unusual)}"
    )


def _answers(asked: Sequence[Question]) -> None:
    """Every question's computed answer and its reason, on a page of their own."""
    with st.container(key="handout_answers"):
        st.subheader("Answers", anchor=False)
        for at, question in enumerate(asked, 1):
            st.markdown(f"**{at}.** {question.asked}\n\n**{answer_text(question)}** {question.why}")
            if slips := mistakes(question):
                st.markdown(slips)
        for title, lines in told_last().text.items():
            st.markdown(f"**{title}**\n\n{lines}")


def _hides(question_id: str) -> bool | None:
    """On paper no answer stands beside its question."""
    return False if on_paper() else None


def _on_paper(q: Question, form: Callable[[], None]) -> bool | None:
    """The question with boxes to tick or lines to write on."""
    if not on_paper():
        return None
    with st.container(border=True, key=f"paper_{q.key}"):
        st.markdown(f"**Question {len(asked_on_this_page())}.** {q.asked}")
        if q.options:
            st.markdown("\u2003".join(f"☐\xa0{option}" for option in q.options))
        else:
            st.markdown(f"Answer: ________________{f' {q.unit}' if q.unit else ''}")
        st.html('<p class="tbt-to-write">&nbsp;</p>' * EMPTY_LINES)
    return False


PAPER = Host(_hides, _on_paper, framed=False)
