"""The handout of every lesson and of every route: each step and each question is on it, answers only where asked."""

import re

import pytest
from app_pages import alone, application, names_of, of_visit, show
from driving import LESSONS

from engine import Scenario
from pages.app.route_steps import ROUTES
from pages.parts.lesson import handout, machine
from pages.parts.question.question import Predictions, answer_text
from pages.parts.teaching import routes

ON_PAPER = [name for name in LESSONS if name != "start"]


def questions(at, begins):
    """What is asked on a page, by the words that a question begins with there."""
    return [text.value.partition(begins)[2].partition("** ")[2].strip() for text in at.markdown if f"**{begins}" in text.value]


def names_on(at):
    return [heading.value.split("  ")[-1] for heading in at.subheader]


@pytest.mark.parametrize("lesson", ON_PAPER)
def test_every_step_of_a_lesson_is_on_its_handout(lesson):
    at = show(alone(lesson), {"handout": "questions"})
    assert not at.exception
    assert names_on(at) == names_of(lesson)
    if lesson != "quiz":  # which asks its own way on the screen
        assert questions(at, "Question ") == questions(show(alone(lesson), {}), "Predict.")
    with_answers = show(alone(lesson), {"handout": "answers"})
    assert not with_answers.exception
    asks = any(text.value.startswith("**Question 1.**") for text in with_answers.markdown)
    assert asks == (names_on(with_answers)[-1] == "Answers")


def test_a_handout_asked_for_where_one_step_stands_has_the_lengths_once():
    """All steps stand on it, and the lesson on counting drew its two lengths with two of them: the sheet failed."""
    at = alone("counting")
    at.query_params.clear()
    at.query_params.update({"handout": "questions"})
    assert not at.run().exception and names_on(at) == names_of("counting")


@pytest.mark.parametrize("route", ROUTES)
def test_a_routes_handout_has_its_steps_in_order_and_one_page_of_answers(route):
    at = show(application(), {"handout": "route", "route": route, "values": "10,20,1,5"})
    assert not at.exception
    assert names_on(at) == [stop.name for stop in ROUTES[route]]
    assert routes.NAMES[route] in at.title[0].value and len(at.title) == 1
    at = show(application(), {"handout": "route_answers", "route": route, "values": "10,20,1,5"})
    asked = [text.value for text in at.markdown if text.value.startswith("**Question ")]
    assert names_on(at)[-1] == "Answers" and len(asked) >= 5
    assert [text.split("**")[1] for text in asked] == [f"Question {k}." for k in range(1, len(asked) + 1)]


NO_ANSWER = {  # of a question by its key: what stands on a sheet beside it and is written alike
    "double_scores": ("is a square",),  # what ×4 would mean
    "silence": ("change one number",),  # which word is to win, of another question
    "mask": ("“Attends to every other word” is wrong for",),
    # The number of a question; keys that are met, what ×4 would mean, bytes.
    "passes": ("What is attention for?", "It meets", "is a square", "FLOP a byte"),
    "w_row": ("looking at",),  # the head that is selected
}


def told(at):
    """(question, text): the answers of a sheet's questions that stand in its sentences: those of more than two words anywhere, all others
    where they are printed bold. What later steps compute with is drawn in their figures, and is no sentence."""
    texts = [text.value for text in (*at.markdown, *at.caption) if not text.value.startswith(("**Question ", "☐"))]
    for question in of_visit(at, Predictions).on_page:
        answer = bare(answer_text(question))
        there = re.compile(rf"(?<![\w.,]){re.escape(answer)}(?!\w|[.,]\d)", re.IGNORECASE)
        for text in texts:
            bold = " | ".join(re.findall(r"\*\*(.+?)\*\*", text))
            if there.search(bare(text if len(answer.split()) > 2 else bold)) and not any(
                other in text for other in NO_ANSWER.get(question.key, ())
            ):
                yield question.key, text


def bare(text):
    return re.sub(r"[*_\\]", "", text)


@pytest.mark.parametrize("sheet", [*ON_PAPER, *ROUTES])
def test_without_its_answers_no_sheet_says_one(sheet):
    """“In six sentences” said “twice the length, about four times as many meetings”, two questions after it had asked how many times."""
    link = {"handout": "route", "route": sheet} if sheet in ROUTES else {"handout": "questions"}
    at = show(application() if sheet in ROUTES else alone(sheet), link)
    assert not at.exception
    assert list(told(at)) == []


@pytest.mark.parametrize("link", [{"handout": "answers", "answers": "shown"}, {"handout": "questions", "answers": "shown"}])
def test_the_six_sentences_are_told_with_the_answers_and_not_before(link):
    at = show(alone("counting"), link)
    parts = [text.value for text in at.markdown]
    (asked,) = [k for k, text in enumerate(parts) if "Why two phases?" in text]
    told = [k for k, text in enumerate(parts) if "go through in **one pass**" in text]
    assert "one pass" not in parts[asked]
    assert told == ([len(parts) - 1] if link["handout"] == "answers" else [])


def test_a_sheet_says_what_its_numbers_come_from():
    """What is asked is computed from the values and from W, which a reader of paper can look up nowhere else."""
    (told,) = [text.value for text in show(alone("logits"), {"handout": "questions"}).markdown if "W, a row" in text.value]
    scenario = Scenario.article()
    assert all(f"{word} = {value:g}" in told for word, value in zip(scenario.tokens, scenario.values, strict=True))
    assert "; ".join(", ".join(f"{w:g}" for w in row) for row in scenario.w_vocab) in told


def test_a_sheet_of_several_questions_says_that_what_follows_may_answer_them():
    for lesson, several in (("counting", True), ("glossary", False)):
        said = [m.value for m in show(alone(lesson), {"handout": "questions"}).markdown]
        assert (handout.IN_ORDER in said) == several, lesson


def test_without_a_route_its_handout_is_the_lessons_own():
    at = show(alone("rules"), {"handout": "route"})
    assert not at.exception and names_on(at)


@pytest.mark.parametrize(("query", "ended"), [({}, False), ({"handout": "questions"}, True)])
def test_what_moves_on_the_screen_has_arrived_on_paper(monkeypatch, query, ended):
    sent = []
    monkeypatch.setattr(machine, "_MACHINE", lambda key, data: sent.append(data["ended"]))
    assert not show(alone("cache"), query).exception
    assert sent == [ended]
