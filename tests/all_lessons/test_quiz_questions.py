"""Every kind of quiz question, over a hundred draws and more: its text alone is enough for a second computation to find its answer,
its options differ, every common belief comes up, put as true and put as false, and no quiz asks one thing twice."""

import os
import re
import subprocess
import sys
from functools import cache
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import LESSONS, ROOT
from quiz_by_hand import ANSWERS, TRUE, numbers, read
from valid_figures import Part

from engine.cost import MODELS
from pages.lessons.quiz import beliefs
from pages.lessons.quiz.drawn import LENGTHS, MIXED, MOST_SEED, TOPICS, quiz
from pages.lessons.quiz.figures.picture import picture
from pages.lessons.quiz.figures.tokens import Pairs
from pages.lessons.quiz.makers import MAKERS
from pages.lessons.quiz.task import MOST_WRONG
from pages.parts.drawing.sheet import Sheet

DRAWS = 120
BY_NAME = {maker.make.__name__: maker for maker in MAKERS}
# The misconceptions that the article's storyline names, then those of the statements in the claims court.
MISCONCEPTIONS = {
    "decode makes the first token": "decode_makes_the_first",
    "value = attention": "value_is_attention",
    "mask after softmax": "mask_after_softmax",
    "softmax picks one": "softmax_picks_one",
    "the parallel pass does fewer products": "parallel_saves_products",
    "without the mask every row changes": "without_a_mask_all_rows_change",
    "logits are probabilities": "logits_are_chances",
    "heads are averaged": "heads_are_averaged",
    "decoded tokens change old rows": "old_rows_come_out_anew",
    "a key may know the future": "any_key_may_be_cached",
    "the cache makes attention O(1)": "the_cache_makes_attention_constant",
    "the cache makes decode linear": "the_cache_makes_decode_linear",
    "small words get less attention": "small_values_get_less",
    "each token attends to every other": "every_token_sees_every_other",
    "the newest row needs the mask": "the_newest_row_needs_the_mask",
    "attention finds the fitting word": "attention_finds_the_word",
    "decode uses the contexts that prefill made": "contexts_are_read",
    "only the new query is computed": "only_the_query",
    "the cache spares attention weights": "weights_are_cached",
    "without a cache an answer is O(N²)": "without_it_a_square",
    "tokens come at a steady pace": "the_pace_stays",
    "the first token comes sooner with a cache": "the_cache_speeds_up_the_first",
    "GQA is a caching strategy": "sharing_heads_saves_products",
}


@cache
def tasks(name):
    return [BY_NAME[name].draw(Random(seed)) for seed in range(DRAWS)]


def test_every_kind_of_question_is_computed_twice():
    assert len(BY_NAME) == len(MAKERS) == len({maker.short for maker in MAKERS})
    assert set(BY_NAME) == set(ANSWERS) | set(TRUE) and set(TRUE) == {n for n, maker in BY_NAME.items() if maker.misconception}
    assert {maker.lesson for maker in MAKERS} <= set(LESSONS)


@pytest.mark.parametrize("name", ANSWERS)
def test_the_answer_is_that_of_a_second_computation_from_the_text_alone(name):
    for task in tasks(name):
        assert task.answer.replace("\u00a0", " ") == ANSWERS[name](task.asked), task.asked


@pytest.mark.parametrize("name", TRUE)
def test_a_statement_is_judged_by_a_second_computation_and_put_both_ways(name):
    drawn = tasks(name)
    for task in drawn:
        assert task.answer == ("true" if TRUE[name](task.asked) else "false"), task.asked
    shares = [sum(task.answer == side for task in drawn) for side in ("true", "false")]
    assert min(shares) > DRAWS / 4


@pytest.mark.parametrize("name", BY_NAME)
def test_options_differ_and_each_wrong_one_names_its_slip(name):
    for task in tasks(name):
        assert task.options.count(task.answer) == 1 and len(set(task.options)) == len(task.options)
        assert set(task.slips) == set(task.options) - {task.answer} and 1 <= len(task.slips) <= MOST_WRONG
        assert all(re.search(r"[.?]”?$", said) for said in (task.asked, task.why, *task.slips.values())), task
        assert not any("  " in said for said in (task.asked, task.why, *task.slips.values())), task  # nothing is missing between
        assert all(len(said) < 520 for said in (task.asked, task.why)), task.asked
        assert not re.search(r"nan|None|\b1 (tokens|rows|steps|heads)\b|\b1 \w+s (are|were)\b", task.asked + task.why), task


@pytest.mark.parametrize("name", ANSWERS)
def test_nobody_is_offered_that_something_grows_by_a_factor_of_one(name):
    for task in tasks(name):
        if re.search("factor|How many times", task.asked):
            assert all(float(option) > 1 for option in task.options), (task.asked, task.options)


def test_what_a_model_has_learned_is_its_parameters():
    """“It reads the weights and 3 GB of cache”, where weights are what a row gives its keys."""
    of_machines = [maker for maker in MAKERS if maker.lesson == "roofline"]
    said = [(task.asked, task.why, str(task.slips), str(task.given)) for m in of_machines for task in tasks(m.make.__name__)]
    assert len(of_machines) == 5 and not re.search("weight", str(said), re.IGNORECASE)


def test_no_model_is_asked_for_a_text_that_it_cannot_read():
    """“Llama-2-7B, behind 53,000 cached tokens”, of which it reads 4,096."""
    for name, length in (("the_pace_stays", "behind # cached"), ("cache_size", "of # tokens")):
        for task in tasks(name):
            model = next(m for m in MODELS if re.search(rf"(^|\? ){re.escape(m)}[: ]", task.asked))
            assert read(length, task.asked) <= MODELS[model].n_ctx


def test_a_slip_is_told_as_it_is_where_a_block_is_full():
    """“The last one of each sequence is not full”, of 16, 40 and 9 tokens in blocks of 8."""
    drawn = tasks("blocks")
    assert any(n % read("blocks of #", t.asked) == 0 for t in drawn for n in read("have #, # and # tokens", t.asked))
    assert not any("is not full." in slip for task in drawn for slip in task.slips.values())


def test_what_a_mask_after_softmax_leaves_is_not_written_as_1():
    """“They sum to 1: the hidden ones took part in the sum”, of 0.9995, and of one that is hidden."""
    assert not any("hidden ones" in task.why for task in tasks("mask_after_softmax") if "the last one is" in task.asked)
    drawn = iter([6, 3, 3, 3, 3, 3, -3, 4])  # keys, their scores, the last one seen
    assert beliefs.mask_after_softmax(SimpleNamespace(randrange=lambda *_: next(drawn), choice=lambda both: both[1])) is None


@pytest.mark.parametrize("topic", TOPICS)
def test_no_quiz_has_twins_and_a_third_of_it_are_statements(topic):
    for seed in (0, MOST_SEED, 1):  # the first two are those of the test below
        longest = quiz(topic, seed, LENGTHS[-1])
        for n in LENGTHS:  # a shorter one begins the longest, see below
            drawn = longest[:n]
            assert len({(d.maker, frozenset(d.task.options)) for d in drawn}) == n
            assert sum(bool(d.maker.misconception) for d in drawn) <= round(n / 3)
            forms = [sum(bool(m.misconception) == form for m in MAKERS if topic in (MIXED, m.lesson)) for form in (False, True)]
            if n - round(n / 3) <= forms[False] and round(n / 3) <= forms[True]:
                assert len({d.maker for d in drawn}) == n  # enough kinds: each once


@pytest.mark.parametrize("name", [n for n in ANSWERS if n not in ("computed_rows", "next_word")])
def test_the_place_of_the_answer_tells_nothing(name):
    firsts = sum(task.options[0] == task.answer for task in tasks(name))
    assert firsts < 0.6 * DRAWS


@pytest.mark.parametrize("belief", MISCONCEPTIONS)
def test_every_misconception_comes_up(belief):
    name = MISCONCEPTIONS[belief]
    assert any(d.maker.make.__name__ == name for seed in range(40) for d in quiz(MIXED, seed, 20))
    assert BY_NAME[name].lesson in TOPICS
    assert any(d.maker.make.__name__ == name for d in quiz(BY_NAME[name].lesson, 1, 20))


def test_the_misconceptions_are_all_there_are():
    assert set(MISCONCEPTIONS.values()) == set(TRUE)


@pytest.mark.parametrize("topic", TOPICS)
def test_a_seed_is_a_quiz_without_a_question_twice_and_a_shorter_one_begins_it(topic):
    for seed in (0, MOST_SEED):
        longest = quiz(topic, seed, LENGTHS[-1])
        assert longest == quiz.__wrapped__(topic, seed, LENGTHS[-1])
        assert len({d.task.asked for d in longest}) == len(longest) == LENGTHS[-1]
        assert quiz(topic, seed, LENGTHS[0]) == longest[: LENGTHS[0]]
        assert topic == MIXED or {d.maker.lesson for d in longest} == {topic}
    assert [d.task.asked for d in quiz(topic, 1, 5)] != [d.task.asked for d in quiz(topic, 2, 5)]


def test_a_mixed_quiz_takes_the_lessons_in_turn():
    for seed in range(20):
        lessons = [d.maker.lesson for d in quiz(MIXED, seed, 10)]
        assert len(set(lessons)) == 10


def test_another_server_draws_the_same_quiz():
    """Sets and dictionaries may not decide: another process hashes otherwise."""
    code = "from pages.lessons.quiz.drawn import quiz; print([d.task.asked for d in quiz('mixed', 7, 20)])"
    env = {**os.environ, "PYTHONHASHSEED": "7"}
    said = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=True
    )
    assert said.stdout.strip() == str([d.task.asked for d in quiz(MIXED, 7, 20)])


@pytest.mark.parametrize(("topic", "n"), [("nothing", 5), (MIXED, 0)])
def test_what_is_no_quiz_is_refused(topic, n):
    with pytest.raises(ValueError, match="expected one of"):
        quiz(topic, 1, n)


# What a picture that shows pairs of queries and keys has to be counted for, once the answer is known.
COUNTED = {
    "pairs": np.sum,
    "matches": np.sum,
    "without_mask": lambda z: z.any(axis=1).sum(),
    "rows_that_find_nothing": lambda z: (~z.any(axis=1)).sum(),
    "old_rows": lambda z: z[:-1].any(axis=1).sum(),
}


def drawn_of(task, answer=""):
    """Words and heatmaps of a task's picture."""
    figure = Part(picture(Sheet(), task.given, answer).to_plotly_json())
    return list(figure.data[-1].text), [np.array(trace.z, float) for trace in figure.data if trace.type == "heatmap"]


@pytest.mark.parametrize("name", BY_NAME)
def test_an_open_picture_has_no_number_that_the_question_has_not(name):
    for task in tasks(name)[:40]:
        words, maps = drawn_of(task)
        assert "<b>?</b>" in words and all(len(np.unique(z)) == 1 for z in maps)
        given = task.given
        places = max(len(getattr(given, part, ())) for part in ("words", "contexts", "sizes"))  # which are counted in plain sight
        plain = {*numbers(task.asked), *range(1, places + 1), *([given.n] if isinstance(given, Pairs) else [])}
        assert not isinstance(given, Pairs) or {given.n, given.n - 1} & set(numbers(task.asked))
        assert set(numbers(" ".join(words))) <= plain, (task.asked, words)
        known, _ = drawn_of(task, task.answer)
        assert "<b>?</b>" not in known and task.answer in re.sub("</?b>", "", " ".join(known))


@pytest.mark.parametrize("name", COUNTED)
def test_the_answer_can_be_counted_in_the_picture_once_it_is_known(name):
    for task in tasks(name)[:40]:
        (z,) = drawn_of(task, task.answer)[1]
        assert str(COUNTED[name](z > 0)) == task.answer.replace(",", ""), task.asked
