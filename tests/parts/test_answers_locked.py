"""With a class link nothing that the page sends tells an answer, whatever was predicted, until the teacher's key opens it."""

import re

import pytest
from app_pages import LESSONS, VERDICT, alone, of_visit, ran, say, selected, show, shown, text
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.parts.question.question import Predictions
from pages.parts.visit import answer_lock

KEY = "blue tomato"
LOCK = answer_lock.new_lock(KEY, "0123abcd")


def asked(at):
    """The questions of a page that has run, by key."""
    return {question.key: question for question in of_visit(at, Predictions).on_page}


def opened(lesson, **query):
    """A lesson with all its steps on one page, which remembers what it asked."""
    at = alone(lesson)
    of_visit(at, Predictions).on_page = []
    return show(at, query)


def commit(at, key, guess):
    """Answer a question of a page that remembers what it asked."""
    say(at, key, guess)
    of_visit(at, Predictions).on_page = []
    return ran(at)


def guesses(question):
    """The answer, and something else."""
    if question.options:
        return question.answer, next(option for option in question.options if option != question.answer)
    far = question.low if question.answer - question.low > question.high - question.answer else question.high
    assert not question.is_right(far)
    return float(question.answer), float(far)


def told(lesson, which):
    """What a locked page says when each of its questions has been answered, rightly (0) or wrongly (1); without what was said."""
    at = opened(lesson, lock=LOCK)
    questions = asked(at)
    before = text(at)
    for key, question in questions.items():
        assert question.why not in before
        say(at, key, guesses(question)[which])
    of_visit(at, Predictions).on_page = []
    page = shown(ran(at))
    assert not any(VERDICT.search(m.value) for m in at.markdown)
    assert not any(question.why in text(at) or asked(at)[key].answered for key, question in questions.items())
    lines = [m.value for m in at.markdown if m.value.startswith(":material/lock:")]
    assert len(lines) == len(questions) == len(asked(at))
    for line in lines:
        page = page.replace(line, "").replace(repr(line)[1:-1], "")
    return re.sub(r"run\W+\d+", "run", page)  # a count of runs


@pytest.mark.parametrize("lesson", [lesson for lesson in LESSONS if lesson not in ("start", "glossary")])
def test_a_locked_page_says_the_same_to_right_and_wrong(lesson):
    assert told(lesson, 0) == told(lesson, 1)


def test_the_key_opens_what_was_predicted_and_a_wrong_one_does_not():
    at = opened("attention", lock=LOCK)
    question = asked(at)["values"]
    commit(at, "values", question.answer)
    at.text_input(key="key_values").set_value("green tomato")
    assert question.why not in shown(ran(at))
    at.text_input(key="key_values").set_value(KEY)
    assert question.why in shown(ran(at))


def test_the_teachers_link_opens_them_and_its_secret_leaves_the_address_bar():
    at = opened("attention", lock=LOCK, open=answer_lock.opener(KEY, "0123abcd"))
    question = asked(at)["values"]
    commit(at, "values", question.answer)
    assert question.why in shown(at) and not selected(at).get("open")
    assert selected(at)["lock"] == LOCK


def test_a_locked_handout_has_no_answers_and_no_notebook_is_offered():
    at = alone("attention")
    at.session_state["take_home"] = True
    show(at, {"lock": LOCK})
    assert "Notebook" not in {e.label for e in at.get("download_button")}
    at = opened("attention", lock=LOCK, handout="answers")
    assert all(question.why not in shown(at) for question in asked(at).values()) and asked(at)


@settings(max_examples=10)
@given(st.text(max_size=80))
def test_nothing_but_the_key_opens_a_lock(said):
    assert not answer_lock.opens(said, LOCK)
    assert answer_lock.opens(answer_lock.opener(KEY, "0123abcd"), LOCK) and KEY not in LOCK
