"""What is said of a run, a cause or a difference is what was found, and of what it was found."""

import re
from dataclasses import replace
from functools import lru_cache
from types import SimpleNamespace

import numpy as np
from app_pages import all_answered, text, visited
from hypothesis import example, given
from said import plain
from scenarios import run, scenarios

from engine import Scenario
from engine.sampling import likeliest
from engine.serving import Knee
from engine.toy.edits import set_value
from engine.toy.leaks import leaks
from engine.toy.projection import same_mean
from pages.lessons.decode import questions as decode_questions
from pages.lessons.decode import steps as decode_steps
from pages.lessons.generate import compared
from pages.lessons.less import steps as keep_less
from pages.lessons.logits import drawing_words, temperature
from pages.lessons.logits import story as logits_story
from pages.lessons.many import devices
from pages.lessons.many import load as loads
from pages.lessons.paging import blocks
from pages.lessons.prefill import questions as prefill_questions
from pages.lessons.prefill.future import who_noticed
from pages.parts.controls import toy
from pages.parts.text.digits import contexts_side_by_side, summed
from pages.parts.visit.scenario_query import to_query

PARIS = Scenario(
    ("Paris", "has", "many", "old", "bridges", "and", "parks"), (25, 2, 5, 9, 14, 1, 11), ("odd", "self", "at:3", "previous"),
    ("too", "indeed", "everywhere"), (3, 6, 10), ((0.2, 0.1, 0.1), (0.3, 0.2, 0.1), (0.1, 0.3, 0.2), (0.1, 0.1, 0.3)),
    causal=False, empty_row="fill",
)  # fmt: skip


def test_no_number_of_servers_is_said_to_be_needed_that_no_search_found():
    """“30 are needed”, where 25 that take turns were enough; “keeps both limits up to 66.1”, of which 79% of 2,000 were in time."""
    one = replace(loads.usual(), per_minute=1920)
    knee = Knee(66.1 / 60, ((66.1 / 60, 0.9),))
    said = plain(devices.devices_said(one, knee, 30, False, 120))
    assert "in a run of 120" in said and "may do with fewer" in said and "need" not in said and "up to" not in said
    asked = devices.count_question(one, 30, 500, 25, 65.1 / 60)
    assert "The load over the knee: 1,920 / 65.1, rounded up" in plain(asked.why)
    assert "1,920 / 66.21, rounded" in plain(devices.count_question(one, 29, 500, 25, 66.21 / 60).why)  # by 66.2 it is 30
    assert "more than one keeps" in asked.asked and "take turns" not in asked.why
    assert all("well below the knee" in why for why in devices.devices.note.wrong.values())
    assert "or fewer" in devices.devices_said(one, knee, 30, True, 120) and "fewer" not in devices.devices_said(
        one, knee, 1, True, 120
    )
    assert devices.n_requests(1.1, 18) == devices.LEAST and devices.n_requests(50.0, 18) == 900


@lru_cache
def grown(s: Scenario, n: int) -> tuple[int, ...]:
    """The ids of a prompt and of what comes after it."""
    return (*s.prompt_ids, *[s.id_words.index(word) for word in s.words[:1]] * n)


def test_filled_rows_are_a_cause_beside_a_mask_that_is_off():
    """“By up to 0.821, because the mask is off”, which they change by with the mask on as well."""
    ids = grown(PARIS, 1)
    assert leaks(PARIS, 7, ids) == ("mask", "fill") and leaks(replace(PARIS, empty_row="none"), 7, ids) == ("mask",)
    said = decode_steps._rows_above(PARIS, 7, ids)
    assert decode_questions.LEAKS["mask"] in said and decode_questions.LEAKS["fill"] in said


def test_rows_that_move_by_a_leak_alone_are_not_counted():
    """“7 of 7 differ”, six of them by 10⁻⁶."""
    ids = grown(PARIS, 1)
    assert "one of them should not" in plain(decode_steps._rows_above(PARIS, 7, ids))
    assert "stay as they are." in decode_steps._rows_above(replace(PARIS, empty_row="none"), 7, ids)


def test_a_row_that_is_filled_under_the_mask_changes_under_it_too():
    """“Without the mask a row sees what comes later”, of what the mask does not help against."""
    token = prefill_questions.token_changed(PARIS)
    after = set_value(PARIS, token, prefill_questions.value_given(PARIS, token))
    for fill, too in (("fill", True), ("soft", False)):
        before, then = (replace(s, empty_row=fill) for s in (PARIS, after))
        moved = prefill_questions.contexts_changed(before, then).any(axis=1)
        assert moved[:token].any() and ("With it **2** would" in who_noticed(before, then, token, moved, True)) == too
    asked = visited("prefill", to_query(PARIS), slide=3)
    with all_answered():
        answered = visited("prefill", to_query(PARIS), slide=3)
    assert "With it" not in text(asked) and "With it" in text(answered)


def test_a_sum_is_about_its_total_where_what_is_written_adds_up_to_another_number():
    """“5.6 + 3.24 + 0.4 + 3.375 = 12.62”, of 12.615."""
    assert summed(["5.6", "3.24", "0.4", "3.375"], "12.62").endswith("≈ ")
    assert summed(["0.1", "0.2", "0.3"], "0.6").endswith("= ") and summed(["1,000.5", "0.5"], "1,001").endswith("= ")


def test_half_a_gap_is_as_by_hand():
    """“3.3 − 2.75 = 0.55 becomes 0.27”; “1.37”, of 1.375."""
    assert "becomes 0.275" in temperature._halved(np.array([3.3 - 1e-6, 2.75 + 1e-6]))
    assert "becomes 0.675" in temperature._halved(np.array([4.25 - 2e-6, 2.9, 1.0]))
    assert contexts_side_by_side([1.3749999, 0.6875], np.array([25.0])) == ["1.38", "0.69"]
    assert drawing_words._from_its_chance("0") == "its chance to a tenth of a point"


BLUE = Scenario(
    ("Paul", "sold", "his", "blue", "boat"), (12, 4, 2, 10, 18), ("even", "previous:3", "at:4"), ("cheaply", "yesterday", "quickly"),
    (7, 3, 5), ((0.5, 0.5, 0.2), (0.1, 0.1, 0.3), (0.2, 0.2, 0.4)),
)  # fmt: skip


def test_another_word_is_promised_where_one_alone_comes_out():
    """“Drag “blue” all the way to the left: another word comes out”, where two drew level."""
    for s in (BLUE, PARIS, replace(BLUE, words=("cheaply", "yesterday"), word_values=(7, 3), w_vocab=((0.5, 0.5),) * 3)):
        said = logits_story._invitation(s)
        if "another word comes out" in said:
            name, way = re.search(r"Drag “(\w+)” all the way to the (\w+)", said).groups()
            low, high, _ = toy.SLIDER
            j = s.tokens.index(name)
            end = max(high, s.values[j]) if way == "right" else min(low, s.values[j])
            assert len(likeliest(run(set_value(s, j, end)).logits[-1])) == 1
    assert said == logits_story.MOVE and "“blue” all the way to the left" not in logits_story._invitation(BLUE)


@given(scenarios())
@example(BLUE)
def test_a_prompt_of_the_same_mean_is_no_average_itself_where_another_is_there(s):
    """“What an average would throw away is used”, of contexts 7, 7 and 7."""
    twin = same_mean(s, run(s).layers[0])
    if s is BLUE:
        assert np.ptp(run(twin).layers[0].context[:, -1, 0]) > 1e-3
    assert twin is None or abs(run(twin).layers[0].context[:, -1].mean() - run(s).layers[0].context[:, -1].mean()) < 2e-4


def test_logits_besides_those_that_are_none_are_compared_too():
    """“NaN in the same places”, of the first two rows of many."""
    said = blocks.pool_said(blocks.story(replace(BLUE, empty_row="nan", rules=("previous", "all", "self")), 4)[1])
    assert "all else equal to the last bit" in said


def test_what_shares_are_of_and_of_how_many_words_is_said():
    """“Wrong by up to 0.34” and “5.5% in layer 2”, of six words and of the largest key or value."""
    assert "of the largest key or value" in compared.layers_question(np.array([0, 0.05])).why
    with all_answered():
        helps = [one.help or "" for one in visited("generate", slide=4).markdown]
        assert any(re.search(r"Over \d words with the mask off", one) for one in helps)


def test_an_error_that_grows_does_not_sound_like_a_gain():
    """“The sink takes the error of the contexts from 0.364 to 0.381.”"""
    window, more, less = (
        SimpleNamespace(error=SimpleNamespace(contexts=x), level=[0], one_sink=True) for x in (0.364, 0.381, 0.2)
    )
    assert "raises the error" in keep_less.near_or_right(window, window, more)
    assert "lowers the error" in keep_less.near_or_right(window, window, less)
