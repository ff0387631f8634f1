"""Show answers: every question stands answered and nothing is hidden, unless paper, a vote or a lock hides it; then they are back."""

import re

import pytest
from app_pages import LESSONS, alone, alts, figures, of_visit, options_of, press, ran, say, selected, show, shown, text

from pages.parts.question.question import Predictions
from pages.parts.teaching import share
from pages.parts.visit import answer_lock

ASKING = [lesson for lesson in LESSONS if lesson not in ("start", "glossary")]
LOCK = answer_lock.new_lock("blue tomato", "0123abcd")
STILL_OPEN = re.compile(r"waits for the prediction|still to be|to be found|question mark|after your answer|\?", re.I)
UNMEASURED = "Work of one more token"  # a figure of times that somebody has to measure first


def opened(lesson, **query):
    """A lesson, which remembers what it asked."""
    at = alone(lesson)
    of_visit(at, Predictions).on_page = []
    return show(at, query)


def asked(at):
    return of_visit(at, Predictions).on_page


def fields(at):
    """What a question is answered with: options to press and fields for numbers."""
    keys = [w.key or "" for w in (*at.button, *at.number_input)]
    return [key for key in keys if key.startswith(("option_", "guess_"))]


def still_open(at):
    """What figures say that hide something: a question mark in a cell, or that it is still to be found."""
    cells = [(alt, re.findall(r"['\">]\?['\"<]", str(figure))) for figure, alt in figures(at)]
    return [alt for alt, marks in cells if (marks or STILL_OPEN.search(alt)) and UNMEASURED not in alt]


@pytest.mark.parametrize("lesson", ASKING)
def test_every_question_stands_answered_and_nothing_is_hidden(lesson):
    at = opened(lesson, answers="shown")
    page = text(at)
    assert not at.exception and not fields(at)
    assert page.count("Computed: **") == len(asked(at))
    assert all(question.why.strip() in page for question in asked(at))
    assert not still_open(at)


@pytest.mark.parametrize("lesson", ["cache", "generate", "overview", "why"])
def test_without_it_something_is_hidden(lesson):
    at = opened(lesson)
    assert fields(at) and still_open(at)


@pytest.mark.parametrize("query", [{"present": "on", "slide": "2"}, {"steps": "", "slide": "2"}])
def test_a_presented_step_and_one_on_its_page_follow_it(query):
    at = opened("decode", answers="shown", **query)
    assert "Computed: **" in text(at) and not fields(at)
    assert fields(opened("decode", **query))


def test_the_menu_turns_it_on_and_off_and_what_was_predicted_is_kept():
    at = opened("attention")
    first, *others = {question.key: question for question in asked(at)}.values()
    wrong = next(option for option in first.options if option != first.answer)
    say(at, first.key, wrong)
    assert first.why in text(ran(at)) and all(question.why not in text(at) for question in others)
    press(at, "show_answers")
    assert selected(at)["answers"] == "shown" and all(question.why in text(at) for question in (first, *others))
    assert f"You predicted {wrong}" in text(at) and f"again_{first.key}" not in {b.key for b in at.button}
    press(at, "show_answers")
    assert not selected(at)["answers"] and f"You predicted {wrong}" in text(at)
    assert all(question.why not in text(at) for question in others) and fields(at)


def test_it_is_kept_when_the_scenario_is_put_back():
    at = opened("attention", answers="shown", values="1,2,3,4")
    press(at, "reset")
    assert selected(at)["answers"] == "shown" and not fields(at)


@pytest.mark.parametrize("said", ["", "Shown", "shown,", "on", "<b>", "x" * 300])
def test_another_word_in_the_link_shows_nothing(said):
    at = opened("attention", answers=said)
    assert options_of(at, "values") and not any(question.why in shown(at) for question in asked(at))


def test_a_lock_wins_until_its_key_and_the_switch_is_not_offered():
    at = opened("attention", answers="shown", lock=LOCK)
    assert asked(at) and not any(question.why in shown(at) for question in asked(at))
    assert "show_answers" not in {b.key for b in at.button}
    at = opened("attention", answers="shown", lock=LOCK, open=answer_lock.opener("blue tomato", "0123abcd"))
    assert all(question.why in text(at) for question in asked(at))


@pytest.mark.parametrize("paper", ["questions", "answers"])
def test_on_paper_no_answer_stands_beside_its_question(paper):
    at = opened("attention", answers="shown", handout=paper)
    assert "Computed" not in text(at) and alts(at) == alts(opened("attention", handout=paper))
    assert all(question.why in text(at) for question in asked(at)) is (paper == "answers")


def test_a_shared_link_shows_them_only_where_that_is_wanted(monkeypatch):
    links = []
    monkeypatch.setattr(share, "_LINK", lambda key, data: links.append(data["link"]))
    monkeypatch.setattr(share, "qr_code", lambda link: "<svg></svg>")
    at = opened("attention", answers="shown")
    press(at, "share")
    assert "answers=" not in links[-1]
    at.checkbox(key="share_shown").set_value(True)
    ran(at)
    assert "answers=shown" in links[-1]
