"""The quiz as the lesson shows it: one question at a time, then what was right, and where to read again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import SystemRandom

import streamlit as st

from pages.lessons.quiz.drawn import LENGTHS, MIXED, MOST_SEED, TOPICS, Drawn, quiz
from pages.parts.controls.stepper import stepper
from pages.parts.lesson.handout import PRINT
from pages.parts.lesson.lesson import step
from pages.parts.question.predict import predict
from pages.parts.question.question import Question, committed, reopen
from pages.parts.visit import answers, link, locks, menu, scenario
from pages.parts.visit.display import handout, presenting
from pages.parts.visit.parameters import Choice, Whole

TOPIC, LENGTH = Choice("quiz"), Choice("quiz_length")
SEED = Whole("quiz_seed", high=MOST_SEED, default=1)
AT = Whole("quiz_at", high=LENGTHS[-1] - 1)  # the question on screen, counted from 0
USUAL = LENGTHS[1]
MOST_LINKS = 3  # to lessons to read again
ON_ONE_COLUMN = 10  # lines of the result; more stand in two columns


def check_link() -> None:
    """Say which of the quiz's parameters could not be used, and use what is usual instead. Called before the title is drawn."""
    expected = {
        TOPIC: (TOPICS, f"one of {', '.join(TOPICS)}"),
        LENGTH: (tuple(map(str, LENGTHS)), f"one of {', '.join(map(str, LENGTHS))}"),
        SEED: (range(MOST_SEED + 1), f"a whole number from 0 to {MOST_SEED}"),
    }
    for parameter, (allowed, wanted) in expected.items():
        text = scenario.extra(parameter.name)
        number = int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else None
        if text and (number if parameter is SEED else text) not in allowed:
            problem = ValueError(f"expected {wanted}, got {text[:40]!r}")
            scenario.report(link.left_out(parameter.name, problem))
            parameter.set_text("")


def given() -> tuple[list[tuple[Drawn, Question]]]:
    """The quiz of the link: each kind of question with what was drawn, as the page asks it."""
    topic, seed, n = TOPIC.value(TOPICS, MIXED), SEED.value(), int(LENGTH.value(tuple(map(str, LENGTHS)), str(USUAL)))
    return ([(drawn, _question(drawn, f"quiz_{topic}_{seed}_{k}")) for k, drawn in enumerate(quiz(topic, seed, n), 1)],)


def _question(drawn: Drawn, key: str) -> Question:
    task = drawn.task
    return Question(key, task.asked, task.answer, task.why, options=task.options, slips=task.slips)


@step(
    "Questions",
    minutes=10,
    ask="Read the question aloud, let everybody commit on their own screen, then ask for the computation, not for the option.",
    wrong={
        "Another option": "each wrong number comes from one slip, which the page names: let whoever chose it find it first",
        "True, to a common belief": "ask for a case that would decide it before you show the count",
    },
)
def questions(asked: list[tuple[Drawn, Question]]) -> None:
    """The question on screen, what has been answered so far, and which quiz it is; on paper all questions."""
    if handout():
        st.markdown(f"**{name()}**, {len(asked)} questions.")
        for _, question in asked:
            predict(question)
        return
    left, right = st.columns([2, 3], vertical_alignment="center")
    with left:
        at = stepper(AT, len(asked), f"**{AT.value(high=len(asked) - 1) + 1}** of {len(asked)}", plays=False)
    right.markdown(f"{name()}. {score(asked)}")
    drawn, question = asked[at]
    with st.container(key="quiz_question"):
        if predict(question):
            read_again("question", [drawn])
    if not presenting():
        controls()


def controls() -> None:
    """What the quiz is about, how long it is, and another one."""
    left, middle, right = st.columns([3, 3, 2], vertical_alignment="bottom")
    with left:
        TOPIC.menu("Questions about", {topic: title(topic) for topic in TOPICS}, MIXED)
    with middle:
        LENGTH.buttons("How many", {str(n): str(n) for n in LENGTHS}, str(USUAL))
    right.button(
        "Another quiz", key="quiz_another", icon=":material/shuffle:", on_click=another, width="stretch",
        help="The link then holds the new one: whoever opens it has the same questions.",
        **locks.control(SEED.name, "Another quiz", {}),
    )  # fmt: skip


def another() -> None:
    """Draw another quiz, and begin it."""
    SEED.set(SystemRandom().randrange(MOST_SEED + 1))
    AT.set(0)


def name() -> str:
    """Which quiz it is, as a class may call it."""
    return f"Quiz {SEED.value()}, {title(TOPIC.value(TOPICS, MIXED))}"


def title(topic: str) -> str:
    """A topic as it is shown: the lesson's own title where the frame knows it."""
    page = menu.of_visit().pages.get(topic)
    return "All lessons" if topic == MIXED else page.title if page else topic.capitalize()


def score(asked: list[tuple[Drawn, Question]]) -> str:
    """How many have been answered, and rightly; while the answers are locked, how many have been answered."""
    if answers.locked():
        return f"{sum(q.said is not None for _, q in asked)} of {len(asked)} answered; the answers are locked."
    said = [q.said == q.answer for _, q in asked if q.said is not None]
    return (
        f"**{sum(said)} of {len(said)}** right, {len(asked) - len(said)} open." if said else f"{len(asked)} questions are open."
    )


@step("Result", minutes=3, ask="Which question would you now ask your neighbour, and which slip did most of you make?")
def result(asked: list[tuple[Drawn, Question]]) -> None:
    """Each question with what was said and what is right, and the lessons to read again."""
    if handout():
        st.markdown(f"Right: ______ of {len(asked)}")
        return
    st.markdown(f"**{name()}.** {score(asked)}")
    st.html(Path(__file__).with_name("quiz.css"))
    half = len(asked) if len(asked) <= ON_ONE_COLUMN else -(-len(asked) // 2)
    with st.container(key="quiz_result"):
        columns = st.columns(2, gap="medium") if half < len(asked) else [st.container()]
    for column, first in zip(columns, (0, half), strict=False):
        lines = [_line(k, *asked[k]) for k in range(first, min(first + half, len(asked)))]
        column.markdown("\n".join(["| | Question | You | Computed |", "|--:|:--|:--|:--|", *lines]))
    wrong = [drawn for drawn, q in asked if not answers.locked() and q.said not in (None, q.answer)]
    read_again("result", wrong)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="quiz_again"):
        PRINT(key="print_result")
        st.button(
            "Answer all again", key="quiz_reopen", type="tertiary", icon=":material/restart_alt:",
            disabled=not any(q.said is not None for _, q in asked), on_click=reopen, args=([q.key for _, q in asked],),
        )  # fmt: skip


def _line(k: int, drawn: Drawn, question: Question) -> str:
    """One row of the result; what is open or locked stays hidden."""
    right, said = (committed(question.key) if question.said else None) or ("…", "answered" if question.said else "…")
    mark = "" if right == "…" else ":material/check_circle: " if said == right else ":material/cancel: "
    return f"| {k + 1} | {drawn.maker.short} | {mark}{said} | {right} |"


def read_again(where: str, drawn: list[Drawn]) -> None:
    """Links to the lessons that these questions are about, those of the most questions first."""
    pages = menu.of_visit().pages
    lessons = Counter(d.maker.lesson for d in drawn if d.maker.lesson in pages).most_common(MOST_LINKS)
    if lessons and not presenting():
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"read_again_{where}"):
            st.markdown("Read again:", width="content")
            for lesson, _ in lessons:
                st.page_link(pages[lesson], label=pages[lesson].title, icon=":material/menu_book:", width="content")
