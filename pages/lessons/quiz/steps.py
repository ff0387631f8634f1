"""The quiz as the lesson shows it: one question at a time over all of them with what was right, and where to read again."""

from collections import Counter
from random import SystemRandom

import streamlit as st

from pages.lessons.quiz.drawn import LENGTHS, MIXED, MOST_SEED, TOPICS, Drawn, quiz
from pages.lessons.quiz.figures.picture import picture
from pages.lessons.quiz.figures.result import Said, result_picture
from pages.lessons.quiz.figures.tokens import Pairs, Words
from pages.lessons.quiz.task import prompt_values
from pages.parts.controls.large_question import Mark, large_question, marks
from pages.parts.controls.stepper import LabelWithMarks, stepper
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.handout import PRINT
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.question.predict import predict
from pages.parts.question.question import Question, reopen
from pages.parts.visit import all_lessons, answer_lock, control_locks, scenario, scenario_query
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Choice, Whole
from pages.parts.visit.scenario import on_paper

TOPIC, LENGTH = Choice("quiz"), Choice("quiz_length")
SEED = Whole("quiz_seed", high=MOST_SEED, default=1)
AT = Whole("quiz_at", high=LENGTHS[-1] - 1)  # the question on screen, counted from 0
USUAL = LENGTHS[1]
MOST_LINKS = 3  # to lessons to read again
LINES = 5  # of the result in a column
HIGH, SLIDE = 204, 280  # pixels for the picture of a question, and presented


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
            scenario.report(scenario_query.left_out(parameter.name, problem))
            parameter.set_text("")


def given() -> tuple[list[tuple[Drawn, Question]]]:
    """The quiz of the link: each kind of question with what was drawn, as the page asks it."""
    topic, seed, n = TOPIC.value(TOPICS, MIXED), SEED.value(), int(LENGTH.value(tuple(map(str, LENGTHS)), str(USUAL)))
    return ([(drawn, _question(drawn, f"quiz_{topic}_{seed}_{k}")) for k, drawn in enumerate(quiz(topic, seed, n), 1)],)


def about() -> str:
    """The lesson that the question on screen is about, or a step of one."""
    (asked,) = given()
    return whose(asked[AT.value(high=len(asked) - 1)][0])


def whose(drawn: Drawn) -> str:
    """The lesson that a question is about, or the step that draws what its picture does."""
    pictured = drawn.task.given
    context = isinstance(pictured, Words) and pictured.asks == "context"
    return "rules 2" if context else "prefill 2" if isinstance(pictured, Pairs) else drawn.maker.lesson


def _question(drawn: Drawn, key: str) -> Question:
    task = drawn.task
    said = f" Prompt: {prompt_values(task.given)}." if isinstance(task.given, Words) else ""
    said = said if said in task.asked else ""
    return Question(key, task.asked, task.answer, task.why, options=task.options, slips=task.slips, drawn=said)


@step(
    "Questions",
    minutes=10,
    ask="Read the question aloud, let everybody commit on their own screen, then ask for the computation, not for the option.",
    wrong={
        "Another option": "most wrong numbers come from one slip, which the page then names: let whoever chose it find it first",
        "True, to a common belief": "ask for a case that would decide it before you show the count",
    },
)
def questions(asked: list[tuple[Drawn, Question]]) -> None:
    """The question on screen as a card, all of them with what has been answered, and which quiz it is; on paper all questions."""
    if on_paper():
        st.markdown(f"**{name()}**, {len(asked)} questions.")
        for _, question in asked:
            predict(question)
        st.markdown(f"Right: ______ of {len(asked)}")
        return
    lead(
        "Every answer is computed, wrong ones too: where a certain slip leads to one, the page names it.",
        "prefill",
        "decode",
        "KV cache",
    )
    at = AT.value(high=len(asked) - 1)
    drawn, question = asked[at]
    with large_question("quiz"):
        given_in(drawn, question)
        if predict(question):
            read_again("question", [drawn])
    progress(asked, at)
    if all(question.kept_guess is not None for _, question in asked):
        tiles = [Said(title(drawn.maker.lesson), *_mark(drawn, question)[1:]) for drawn, question in asked]
        said = f"{score(asked)} A tile for each question, with its lesson.".replace("**", "")
        plot(result_picture(sheet(), tiles), said, "quiz_result")
    with st.expander("All questions and answers", icon=":material/table:"):
        result(asked, at)


def progress(asked: list[tuple[Drawn, Question]], at: int) -> None:
    """The way from one question to the next with a mark for each, the score, and which quiz it is."""
    with st.container(horizontal=True, vertical_alignment="center", key="quiz_docket"):
        each = [_mark(*one) for one in asked]
        said = f"**{at + 1}** of {len(asked)}"
        label = LabelWithMarks(said, lambda: marks(AT, at, each))
        stepper(AT, len(asked), label, plays=False, asks=asked[at][1].kept_guess is None)
        st.markdown(f"{said} · {name()}. {score(asked)}", width="content")
        if not presenting():
            with st.popover("Which quiz", icon=":material/tune:", key="quiz_which"):
                controls(asked)


def given_in(drawn: Drawn, question: Question) -> None:
    """What the question gives as a picture, with its answer once that is known."""
    task = drawn.task
    known = task.answer if question.answered else ""
    asks = task.given.asks
    alt = f"What the question gives, drawn.{question.drawn} {f'Computed, {asks}: {known}' if known else f'To be found: {asks}'}."
    plot(picture(sheet(high=HIGH, slide_high=SLIDE), task.given, known), alt, "quiz_picture")


def _mark(drawn: Drawn, question: Question) -> Mark:
    """How far a question is; while the answers are locked, only that it was answered."""
    said = question.kept_guess is not None
    return Mark(drawn.maker.short, said, question.kept_guess == question.answer if said and question.answered else None)


def controls(asked: list[tuple[Drawn, Question]]) -> None:
    """What the quiz is about, how long it is, another one, this one again, and on paper."""
    TOPIC.menu("Questions about", {topic: title(topic) for topic in TOPICS}, MIXED)
    LENGTH.buttons("How many", {str(n): str(n) for n in LENGTHS}, str(USUAL))
    st.button(
        "Another quiz", key="quiz_another", icon=":material/shuffle:", on_click=draw_another, width="stretch",
        help="The link then holds the new one: whoever opens it has the same questions.",
        **control_locks.control(SEED.name, "Another quiz"),
    )  # fmt: skip
    st.button(
        "Answer all again", key="quiz_reopen", type="tertiary", icon=":material/restart_alt:",
        disabled=not any(q.kept_guess is not None for _, q in asked), on_click=reopen, args=([q.key for _, q in asked],),
    )  # fmt: skip
    PRINT(key="print_result")


def draw_another() -> None:
    """Draw another quiz, and begin it."""
    SEED.set(SystemRandom().randrange(MOST_SEED + 1))
    AT.set(0)


def name() -> str:
    """Which quiz it is, as a class may call it."""
    return f"Quiz {SEED.value()}, {title(TOPIC.value(TOPICS, MIXED))}"


def title(topic: str) -> str:
    """A topic as it is shown: the lesson's own title where the frame knows it."""
    page = all_lessons.of_visit().pages.get(topic)
    return "All lessons" if topic == MIXED else page.title if page else topic.capitalize()


def score(asked: list[tuple[Drawn, Question]]) -> str:
    """How many have been answered, and rightly; while the answers are locked, how many have been answered."""
    if answer_lock.locked():
        return f"{sum(q.kept_guess is not None for _, q in asked)} of {len(asked)} answered; the answers are locked."
    right = [q.kept_guess == q.answer for _, q in asked if q.kept_guess is not None]
    return (
        f"**{sum(right)} of {len(right)}** right, {len(asked) - len(right)} open."
        if right
        else f"{len(asked)} questions are open."
    )


def result(asked: list[tuple[Drawn, Question]], at: int) -> None:
    """Each question with what was said and what is right, so many lines a column; the one on screen, `at`, is the bold one."""
    columns = -(-len(asked) // LINES)
    with st.container(key="all_of_quiz"):
        for column, first in zip(st.columns(columns, gap="small"), range(0, len(asked), LINES), strict=True):
            lines = [_line(k, *asked[k], k == at) for k in range(first, min(first + LINES, len(asked)))]
            column.markdown("\n".join(["| | Question | You | Computed |", "|--:|:--|:--|:--|", *lines]))


def _line(k: int, drawn: Drawn, question: Question, shown: bool) -> str:
    """One row of the result; what is open or locked stays hidden. shown: whether it is the one on screen."""
    right = question.answer if question.answered else "…"
    said = "…" if question.kept_guess is None else question.kept_guess if question.answered else "answered"
    mark = "" if "…" in (said, right) else ":material/check_circle: " if said == right else ":material/cancel: "
    name = f"**{drawn.maker.short}**" if shown else drawn.maker.short
    return f"| {k + 1} | {name} | {mark}{said} | {right} |"


def read_again(where: str, drawn: list[Drawn]) -> None:
    """Links to the lessons that these questions are about, those of the most questions first."""
    pages = all_lessons.of_visit().pages
    lessons = Counter(d.maker.lesson for d in drawn if d.maker.lesson in pages).most_common(MOST_LINKS)
    if lessons and not presenting():
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key=f"read_again_{where}"):
            st.markdown("Read again:", width="content")
            for lesson, _ in lessons:
                st.page_link(pages[lesson], label=pages[lesson].title, icon=":material/menu_book:", width="content")
