"""The quiz on the page: a link is a quiz, a slip is named, the score counts, paper has the answers last, no link breaks it."""

import re
from functools import partial
from random import Random

import pytest
from app_pages import VERDICT, alone, application, commit, figures, press, ran, right, say, says, selected, show, text, visited

from pages.lessons.quiz.drawn import MIXED, TOPICS, quiz
from pages.lessons.quiz.figures.picture import picture
from pages.lessons.quiz.figures.tokens import Pairs, Words
from pages.lessons.quiz.steps import _question, whose
from pages.parts.drawing.palette import faded, palette
from pages.parts.drawing.sheet import Sheet
from pages.parts.lesson.small_machine import IN_STEP
from pages.parts.text.format import number
from pages.parts.visit import answer_lock

page = partial(visited, "quiz", steps="all")
KEY = "blue tomato"


def key(k, topic=MIXED, seed=1):
    return f"quiz_{topic}_{seed}_{k}"


def verdicts(at):
    """The verdicts on the page."""
    return [m.value for m in at.markdown if VERDICT.match(m.value)]


def wrong(task):
    return next(iter(task.slips))


def written(drawn):
    """What is asked, as it stands beneath its picture."""
    return _question(drawn, "").asked.replace(_question(drawn, "").drawn, "")


def test_a_link_is_a_quiz():
    drawn = quiz("cache", 7, 5)
    at = page(quiz="cache", quiz_seed="7", quiz_length="5")
    assert written(drawn[0]) in text(at) and says(text(at), "1 of 5") and says(text(at), "5 questions", "open")
    press(at, "quiz_at_next")
    assert written(drawn[1]) in text(at) and selected(at)["quiz_at"] == "1"


def test_a_quiz_is_gone_through_and_its_score_read():
    drawn = quiz(MIXED, 1, 5)
    at = page(quiz_length="5")
    rng, n_right = Random(0), 0
    for k, d in enumerate(drawn, 1):
        assert d.task.why not in text(at) and not verdicts(at)
        good = rng.random() < 0.5
        said = commit(at, key(k), d.task.answer if good else wrong(d.task))
        n_right += good
        assert right(said) == good and d.task.why in said
        assert all((slip in said) == (not good and option == wrong(d.task)) for option, slip in d.task.slips.items())
        assert says(text(at), f"{n_right} of {k}", "right", f"{5 - k} open")
        table = [line for m in at.markdown for line in m.value.split("\n") if line.startswith(f"| {k} |")]
        assert len(table) == 1 and d.maker.short in table[0] and ("check_circle" if good else "cancel") in table[0]
        if k < 5:
            press(at, "quiz_at_next")
    assert 0 < n_right < 5
    words = [word for figure, _ in figures(at) for word in figure["data"][-1]["text"]]
    assert any(says(word, "of 5 right") for word in words) and (words.count("<b>✓</b>"), words.count("<b>✗</b>")) == (
        n_right,
        5 - n_right,
    )
    press(at, "quiz_reopen")
    assert says(text(at), "5 questions", "open")


def test_what_went_wrong_links_to_its_lesson():
    at = application()
    at.query_params.update({"steps": "all", "values": "1,2,3,4"})  # opens a lesson, so that the frame knows all pages
    at.run()
    at.switch_page("pages/quiz.py").run()
    first = quiz(MIXED, 1, 10)[0]
    commit(at, key(1), wrong(first.task))
    links = [e.proto for e in at.get("page_link")]
    assert any(link.page.endswith(first.maker.lesson) or first.maker.lesson in link.page for link in links), links


def test_another_quiz_is_another_link_that_begins_at_its_first_question():
    at = page(quiz_length="5")
    press(at, "quiz_at_next")
    before = text(at)
    for _ in range(3):  # one draw in ten thousand is the same quiz
        press(at, "quiz_another")
    assert text(at) != before and says(text(at), "1 of 5")
    seed = int(selected(at)["quiz_seed"] or 1)
    assert written(quiz(MIXED, seed, 5)[0]) in text(at) and says(text(at), f"Quiz {seed}")


@pytest.mark.parametrize(
    ("name", "bad"),
    [("quiz_seed", "1e99"), ("quiz_seed", "-1"), ("quiz_seed", "10000"), ("quiz_seed", "٣"), ("quiz_seed", "9" * 150),
     ("quiz_length", "-1"), ("quiz_length", "7"), ("quiz_length", "x"), ("quiz", "<script>"), ("quiz", "glossary")],
)  # fmt: skip
def test_a_hostile_link_is_told_and_gives_the_usual_quiz(name, bad):
    at = page({name: bad})
    (told,) = [w.value for w in at.warning]
    assert says(told, "left out") and "<script>" not in told
    assert written(quiz(MIXED, 1, 10)[0]) in text(at) and says(text(at), "1 of 10")
    assert len(page({name: bad}).warning) == 1 and not page().warning


def test_the_next_link_is_told_nothing_of_the_one_before_and_is_followed():
    """What was wrong was told a link late, and the next one's topic forgotten with it."""
    at = alone("quiz").run()
    assert any("“quiz”" in warning.value for warning in show(at, {"quiz": "nobody"}).warning)
    assert not show(at, {"quiz": TOPICS[-1]}).warning and selected(at)["quiz"] == TOPICS[-1]


def test_a_place_beyond_the_end_is_the_last_question():
    at = page(quiz_at="19", quiz_length="5")
    assert says(text(at), "5 of 5") and written(quiz(MIXED, 1, 5)[4]) in text(at)


@pytest.mark.parametrize("topic", TOPICS)
def test_on_paper_all_questions_stand_first_and_the_answers_last(topic):
    drawn = quiz(topic, 3, 20)
    query = {"quiz": topic, "quiz_seed": "3", "quiz_length": "20"}
    sheet = text(show(alone("quiz"), {**query, "handout": "questions"}))
    assert all(d.task.asked in sheet and d.task.why not in sheet for d in drawn)
    at = show(alone("quiz"), {**query, "handout": "answers"})
    assert not at.exception
    sheet = text(at)
    paper, solved = sheet[: sheet.index("Right: ____")], sheet[sheet.index("Right: ____") :]
    for k, d in enumerate(drawn, 1):
        assert f"**Question {k}.** {d.task.asked}" in paper and d.task.why not in paper
        assert f"**{k}.** {d.task.asked}\n\n**{d.task.answer}** {d.task.why}" in solved
        assert all(f"- **{option}**: {slip}" in solved for option, slip in d.task.slips.items())


def test_a_sheet_for_others_does_not_tell_what_was_answered():
    at = page(quiz_length="5")
    commit(at, key(1), quiz(MIXED, 1, 5)[0].task.answer)
    at = show(at, {"quiz_length": "5", "handout": "questions"})
    assert not verdicts(at) and "| 1 |" not in text(at) and not says(text(at), "1 of", "right")


def test_locked_answers_stay_closed_in_the_result_too_until_the_key():
    lock = answer_lock.new_lock(KEY, "0123abcd")
    task = quiz(MIXED, 1, 5)[0].task
    at = page(quiz_length="5", lock=lock)
    for said in (task.answer, wrong(task)):
        say(at, key(1), said)
        ran(at)
        assert says(text(at), "1 of 5", "locked")
        assert (
            task.why not in text(at)
            and not says(text(at), "of 1", "right")
            and "| 1 |" in text(at)
            and "check_circle" not in text(at)
        )
        assert not any(slip in text(at) for slip in task.slips.values())
        press(at, f"again_{key(1)}")


@pytest.mark.parametrize("phone", [False, True])
def test_a_context_stands_on_the_scale_of_the_values_and_what_is_hidden_is_pale(phone):
    """It was a box on no scale, and a token that the mask hides looked like the others."""
    given, colors = Words(("a", "b", "c"), (12.0, 10.0, 24.0), 1), palette(False)
    open_, known = (picture(Sheet(phone=phone), given, answer).to_plotly_json() for answer in ("", "11"))
    heights = {}
    for shape in known["layout"]["shapes"]:
        if shape["type"] == "path" and shape.get("fillcolor"):
            ys = [float(y) for y in re.findall(r",(-?[\d.]+)", shape["path"])]
            heights.setdefault(shape["fillcolor"], []).append(max(ys) - min(ys))
    tall = heights[colors.value][0] / 12
    assert heights[colors.value] == pytest.approx([12 * tall, 10 * tall], abs=0.1)
    assert heights[faded(colors, colors.value, 0.16)] == pytest.approx([24 * tall], abs=0.1)
    assert heights[faded(colors, colors.value, 0.45)] == pytest.approx([11 * tall], abs=0.1)
    assert "<b>11</b>" not in open_["data"][-1]["text"] and "<b>?</b>" in open_["data"][-1]["text"]
    for answer in ("NaN", "none"):
        assert f"<b>{answer}</b>" in picture(Sheet(phone=phone), given, answer).to_plotly_json()["data"][-1]["text"]


def test_the_small_machine_lights_what_a_questions_picture_shows():
    """It lit query and key beside a picture of values and a context."""
    drawn = [one for seed in range(6) for one in quiz(MIXED, seed, 10)]
    lit = {whose(one) for one in drawn if isinstance(one.task.given, Words) and one.task.given.asks == "context"}
    assert lit == {"rules 2"} and IN_STEP["rules", 2] == ("value", "contexts")
    assert {whose(one) for one in drawn if isinstance(one.task.given, Pairs)} == {"prefill 2"}


def test_the_level_of_a_context_leads_to_it_in_one_piece_and_crosses_no_number():
    """The line was broken between the values and the context that they are the mean of, and round their numbers."""
    given = Words(("a", "b", "c"), (12.0, 10.0, 17.0), 1)
    figure = picture(Sheet(), given, "11")
    level, leads = [s.path for s in figure.layout.shapes if s.path and s.path.count("M") == s.path.count("L") == 1][:2]
    start, end = (float(re.findall(r"L([\d.]+),", path)[0]) for path in (level, leads))
    assert leads.startswith(f"M{start:.5f},") and end == pytest.approx(0.82, abs=0.01)
    at, y = dict(zip(figure.data[-1].text, figure.data[-1].y, strict=True)), float(re.findall(r",([\d.]+)L", level)[0])
    assert all(abs(at[f"<b>{n}</b>"] - y) > 12 for n in (10, 12))


def test_numbers_of_the_prompt_that_are_drawn_are_not_written_beneath_but_told_and_on_paper():
    """The values stood as columns and a second time in the question: the longest part of it."""
    questions = [(d, _question(d, "")) for seed in range(20) for d in quiz(MIXED, seed, 20)]
    left_out = [(d, q) for d, q in questions if q.drawn]
    assert len(left_out) > 20 and all(q.drawn in q.asked and q.drawn.startswith(" Prompt: ") for _, q in left_out)
    for d, q in left_out:
        assert all(f"{number(value)}" in q.drawn for value in d.task.given.values[: len(d.task.given.words) - d.task.given.new])
    at = page()
    (d, q) = next((d, _question(d, "")) for d in quiz(MIXED, 1, 10) if _question(d, "").drawn)
    ((_, alt),) = [(figure, alt) for figure, alt in figures(at) if "What the question gives" in alt][:1]
    assert q.asked not in text(at) and q.drawn in alt and written(d) in text(at)
