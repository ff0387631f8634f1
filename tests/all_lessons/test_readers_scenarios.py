"""What readers of scenarios of their own found hard to read, or true by a ten-millionth alone."""

import re
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import all_answered, alts, commit, figures, right, says, seen, text, visited
from hypothesis import example, given
from hypothesis import strategies as st
from said import plain, untagged, words_in
from scenarios import answer_by_hand, fraction, level_by_hand, level_scenarios, logits_by_hand, run, scenarios

from engine import Scenario, generate
from engine.claims import find
from engine.compare import ROUNDING, gaps
from engine.cost import DEVICES, MODELS
from engine.cost.requests import request
from engine.cost.units import decimal_bytes
from engine.counts import cached_counts
from engine.experiments import rows
from engine.sampling import likeliest
from engine.toy.edits import set_rule
from engine.toy.empty_row_policies import empty_case, treatments
from engine.toy.scenario import MAX_VALUE
from pages.lessons.attention import maps
from pages.lessons.attention import story as attention_story
from pages.lessons.attention.figures import cell_way
from pages.lessons.attention.figures.every_row import every_row
from pages.lessons.attention.figures.narrow_map import narrow_map
from pages.lessons.cache import story as cache_story
from pages.lessons.cache import two_runs
from pages.lessons.cache.stale_keys import stale_keys
from pages.lessons.counting import questions as counting_questions
from pages.lessons.decode import split
from pages.lessons.decode import steps as decode_steps
from pages.lessons.guess import pays
from pages.lessons.less import steps as less_steps
from pages.lessons.logits import challenge, drawing_words, nearest_flip, temperature
from pages.lessons.logits import story as logits_story
from pages.lessons.logits.steps import silence_question
from pages.lessons.prefill import questions as prefill_questions
from pages.lessons.prefill import story as prefill_story
from pages.lessons.roofline import batching, waiting
from pages.lessons.roofline.figures import roofline as roofline_figure
from pages.lessons.rules import sentences as rules_sentences
from pages.lessons.rules import story as rules_story
from pages.lessons.rules.figures.products import product_said
from pages.lessons.tiles import steps as tiles_steps
from pages.parts.controls import answer_position, toy
from pages.parts.drawing.headline import headline
from pages.parts.drawing.sheet import Sheet
from pages.parts.hardware.setup import Setup
from pages.parts.text.amounts import seconds
from pages.parts.text.claims import CLAIMS
from pages.parts.text.digits import as_number, contexts_of, logits_side_by_side, share_said
from pages.parts.text.format import entered, join, number, percent, scientific
from pages.parts.text.toy_names import EMPTY_ROW_NAMES
from pages.parts.visit.scenario_query import to_query

ONE_HEAD = Scenario(("Anna", "feeds", "cats"), (12, 3, -4), ("previous",), ("daily", "never"), (6, -2), ((0.5, -0.3),))
APPLES = Scenario(
    ("We", "bought", "six", "ripe", "apples"), (4, 9, 6, 11, 28), ("odd", "previous", "at:3", "all"), ("today", "cheap", "and"),
    (5, 12, 1), ((0.3, 0.2, 0.1), (0.1, 0.4, 0.2), (-0.2, 0.3, 0.1), (0.2, 0.2, 0.4)), empty_row="softmax1", sharpness=4,
)  # fmt: skip
TRAIN = Scenario(
    ("The", "train", "to", "Bern", "is"), (2, 15, 1, 30, 4), ("window:2", "first", "all"), ("late", "full", "red"), (9, 6, 2),
    ((0.1, 0.4, -0.2), (0.6, 0.1, 0.3), (0.2, 0.3, 0.1)),
)  # fmt: skip
BOTTLES = Scenario(
    tuple(["Ten", "green", "bottles", "on", "the", "wall"]),
    (10, 6, 24, 1, 1, 17),
    ("last", "even", "first", "all"),
    sharpness=2,
    empty_row="soft",
)


def test_halves_are_rounded_as_by_hand():
    """4.05 halved became 2.02."""
    assert [number(x) for x in (2.025, 2.725, -0.125, 0.045)] == ["2.03", "2.73", "−0.13", "0.05"]
    assert (percent(0.0625), percent(0.125, 0), scientific(2.25e-7, 1), decimal_bytes(1_125)) == (
        "6.3%",
        "13%",
        "2.3·10⁻⁷",
        "1.13 kB",
    )
    assert scientific(9.96e-6, 1) == "1.0·10⁻⁵"


@given(scenarios())
@example(ONE_HEAD)  # “below −2.666·10⁷ never”: a ten-millionth of leak
def test_no_flip_lies_where_no_value_may(s):
    if np.isfinite(run(s).logits[-1]).all():
        lines = nearest_flip.flip_table(s, run(s))
        assert all(-MAX_VALUE <= f.value <= MAX_VALUE for line in lines for f in (*line.down, *line.up))
        for line, value in zip(lines, s.values, strict=True):
            assert (
                all(f.value < MAX_VALUE for f in line.up)
                and all(f.value > -MAX_VALUE for f in line.down)
                and abs(value) <= MAX_VALUE
            )


def test_no_number_of_w_is_asked_for_that_cannot_be_typed():
    far = replace(ONE_HEAD, values=(1, 0.001, 1), w_vocab=((900, 0), (900, 0)), rules=("previous", "first"))
    layer = run(far).layers[0]
    _, told = challenge.challenge(far, layer.context[:, -1, 0], run(far).logits[-1], 0, 1)
    assert told == "More than 1,000 in size, and no number may be that large."


def test_a_candidate_word_stands_in_quotation_marks():
    """“cheap 8.4 and and 7.37”."""
    question, now = silence_question(APPLES), run(APPLES)
    assert "“and” 7.37" in question.why and "to “and”" in question.why
    told, _ = challenge.challenge(APPLES, now.layers[0].context[:, -1, 0], now.logits[-1], 0, 2)
    assert "so that **and** wins, which is" in told
    assert "above 66.62 “and”" in nearest_flip._flips_in_words(APPLES, now, nearest_flip.flip_table(APPLES, now))


def test_what_softmax_leaks_is_no_logit():
    """“red 2.4·10⁻⁷”, which is 0 by hand."""
    zero = replace(
        TRAIN, rules=("first", "self", "self"), values=(5, 0, 0, 0, 2), w_vocab=((0.4, 1, -0.2), (0, 0, 0.3), (0, 0, 0.2))
    )
    assert 0 < abs(run(zero).logits[-1][2]) < 1e-5 and logits_side_by_side(run(zero).logits[-1])[2] == "0"


def test_what_softmax_leaks_turns_no_half_down():
    """“3.6 + 2.2 + 2.775 = 8.57”."""
    assert logits_side_by_side(np.array([8.57499999, 9.12499999, 1])) == ["8.58", "9.13", "1"]
    assert temperature._halved(np.array([8.57499999, 9.12499999, 1])).startswith("9.125 − 8.575 = 0.55 becomes 0.275")
    assert "10.75 − 10.08 ≈ 0.68" in temperature._halved(np.array([10.075, 10.75, 3.0]))  # “=”: Python’s round makes it 10.07


def test_of_many_weights_the_largest_are_named():
    """“0.02 of “on” and more”, where the more was 0.92 of “wall”."""
    layer = run(BOTTLES).layers[0]
    for head in range(4):
        takes = attention_story._what_a_row_takes(BOTTLES, layer, head, 5)
        told = attention_story._weights_in_words(layer, head, 5, takes)
        assert (len(takes) <= 4) == ("some of" not in told)
        assert takes[int(np.argmax(layer.weights[head, 5]))] in told


def test_a_share_is_told_from_the_one_that_it_nearly_is():
    assert (share_said(0.4953), share_said(0.3302), share_said(0.9953), share_said(1 / 3)) == ("0.495", "0.3302", "0.995", "1/3")
    assert (
        attention_story._weight_in_words(0.0025) == attention_story.HARDLY and attention_story._weight_in_words(1e-7) == "nothing"
    )


def test_words_that_draw_level_are_both_what_a_row_would_write():
    case, head, row = empty_case(replace(ONE_HEAD, empty_row="none"))
    table = rules_sentences.table(ONE_HEAD, case, head, row, treatments(case, head, row))
    assert "| “daily” and “never”, level |" in table and "| daily |" in table


def test_where_no_word_is_wrong_the_reason_says_why():
    found = cache_story.three_runs_of(ONE_HEAD)
    question = found and cache_story.first_wrong_question(ONE_HEAD, found)
    assert not found or question.answer != cache_story.NONE or "no word is wrong" in question.why


@given(scenarios())
@example(replace(ONE_HEAD, rules=("self",), values=(1, 1, 1), w_vocab=((2.50653, 0.55323),)))  # 2.51 / 0.55, 4.56 and not 4.53
def test_a_quotient_is_that_of_the_numbers_as_they_are_written(s):
    sums = run(s).logits[-1]
    if not np.isfinite(sums).all() or len(pair := logits_story.rivals(sums)) < 2:
        return
    for slip in logits_story.odds_question(s, sums, pair).slips.values():
        for sign, by in ((" / ", np.divide), (" × ", np.multiply)):
            if sign in slip:
                left, right = map(as_number, slip.split(" would")[0].split(sign))
                assert slip.split("would be ")[1].startswith(f"{logits_story._rounded(by(left, right))}, but")


@pytest.mark.parametrize("device", ["RTX 4090", "Apple M4", "H100 SXM"])
@pytest.mark.parametrize("model", ["Mistral-7B", "Llama-3.2-1B", "DeepSeek-V3"])
def test_the_time_of_an_answer_is_that_of_what_is_given(model, device):
    """966 ms in the takeaway, 965.3 as the answer."""
    for p, g in ((900, 250), (200, 80), (3000, 1)):
        now = request(MODELS[model], p, g, DEVICES[device], 2, weight_bits=4, kv_bits=16)
        ttft, tpot = waiting.asked_times(now)
        given = (ttft + (g - 1) * tpot) / waiting.asked_unit(now)[1]
        assert seconds(given) == seconds(now.end_to_end_s)


def test_a_step_that_stays_as_long_is_one_sentence():
    """“20.7 ms hardly change.”"""
    assert batching._longer(0.0207, 0.0207) == "The step takes 20.7 ms either way."
    assert batching._longer(0.0207, 0.0208) == "20.7 ms become 20.8 ms, hardly longer."


def test_whose_layers_are_unused_is_said():
    s = Setup(MODELS["DeepSeek-V3"], DEVICES["H200"], 8, 1000, 1, 8, 16)
    assert "the layers of DeepSeek\\-V3 that predict" in s.assumed


def test_the_third_run_is_the_same_model_with_one_key_alone():
    """“3 words of 7 wrong”, of a run with another softmax than the first two."""
    birds = Scenario(
        ("Birds", "fly", "south"), (9, 5, 14), ("even", "self", "first", "all"), ("now", "early", "again"), (8, 2, 6),
        ((0.3, 0.1, 0.2), (0.1, 0.2, 0.4), (0.2, 0.5, 0.1), (0.3, 0.1, 0.2)), empty_row="softmax1", sharpness=3,
    )  # fmt: skip
    found = cache_story.three_runs_of(birds)
    by_hand = set_rule(birds, found.head - 1, "last")
    assert found.broken == tuple(birds.id_words[i] for i in generate(by_hand.model(), birds.prompt_ids, 7).token_ids)
    assert sum(found.wrong) == 6


def test_from_where_on_guessing_is_slower_is_said_of_the_batches_that_are_computed():
    """“Slower from batch 256 on”, where it is from 146 on."""
    machine = Setup(MODELS["Falcon-7B"], DEVICES["TPU v5e"], 1, 1500, 3, 16, 16)
    state = SimpleNamespace(s=machine, kept=0.7, n_guess=4)
    said = pays.pays_said(state, pays.factors(state))
    assert "from batch **256** on" in said and "computed" in said.split(":")[0]


@pytest.mark.parametrize("causal", [True, False])
def test_counts_with_the_mask_on_are_said_to_be_that_before_they_are_asked_for(causal):
    """“696 and 136”, of 1,292 and 172."""
    link = to_query(replace(ONE_HEAD, causal=causal))
    assert ("mask on" in counting_questions.products(replace(ONE_HEAD, causal=causal)).asked) == (not causal)
    assert ("mask on" in text(visited("counting", link, slide=3))) == (not causal)


def test_four_drawers_are_named_and_their_places():
    """“And 1 more”, of nine."""
    nine = Scenario(tuple("abcdefghi"), tuple(range(9)), ("at:2.4.6.8",), w_vocab=((1, 2, 3),))
    question = rules_story.drawers_question(nine)
    assert "“h”" in question.answer and "more" not in question.answer and "places 2, 4, 6 and 8" in question.why
    assert "and 2 more" in rules_story.drawers(nine, (0, 1, 2, 3, 4))


def test_a_part_that_softmax_keeps_from_all_is_said_before_the_context_is_asked_for():
    for s in (replace(APPLES, sharpness=3), replace(APPLES, sharpness=3, empty_row="soft"), replace(APPLES, sharpness=8)):
        assert ("kept from all" in rules_story.mixes(s, 0)) == (s.empty_row == "softmax1" and s.sharpness < 5)


def test_of_rows_none_of_which_is_new_none_is_called_so():
    """“These rows are new: none”, “no row before it” where none behind it is new either."""
    off = replace(TRAIN, rules=("first",), w_vocab=TRAIN.w_vocab[:1], causal=False)
    after = replace(off, values=(2, 15, 9, 30, 4))
    assert "before it" not in prefill_questions.not_looked_at(off, after, 2)
    seen = replace(off, rules=("previous",))
    assert "no row before it" in prefill_questions.not_looked_at(seen, replace(after, rules=("previous",)), 2)
    sides = (prefill_story.Side("with the mask", np.ones((5, 5)), np.zeros(5, bool)),) * 2
    assert prefill_story.in_words(off, sides, 2, 9.0).count("no row is new") == 2


def test_which_rows_another_softmax_is_for_is_said():
    row = SimpleNamespace(layer=run(TRAIN).layers[0], instead_of=EMPTY_ROW_NAMES["softmax1"])
    assert "every row" in tiles_steps._softmax_alone(row, 0)


def test_a_weight_beside_which_its_cell_has_a_number_is_not_0():
    """“Weight 0” beside 0.0024."""
    birds = replace(TRAIN, rules=("self",), w_vocab=TRAIN.w_vocab[:1], sharpness=3)
    found = [x for x in alts(visited("attention", to_query(birds) | {"cell": "1.5.1"})) if "looking at" in x]
    assert any("weight 0.0025" in alt for alt in found) and not any("weight 0;" in alt for alt in found)


def test_twice_the_answer_is_counted_and_drawn_of_one_prompt():
    """“×4 … 504,510 → 2,009,010” of five tokens, beside a figure of 400 that wrote ×3."""
    link = to_query(TRAIN) | {"p": "400", "g": "100"}
    with all_answered():
        at = visited("counting", link, slide=1)
    ((_, alt),) = figures(at)
    a, b = (cached_counts(len(TRAIN.tokens), n).scores for n in (1000, 2000))
    assert f"{a:,} and {b:,}" in alt and f"{a:,} → {b:,}" in text(at) and f"×{b / a:.0f}" in text(at)
    assert "answer to 5 tokens" in text(at) and "answer to 5 tokens" in alt


def test_the_rows_that_a_newest_token_is_asked_about_are_one_prefills():
    """“1 of 7 differs, by up to 11.996”, of rows kept of which the same page had said that two should not stay."""
    assert "a prefill over 5" in plain(text(visited("decode", to_query(TRAIN), slide=2)))


def test_a_leak_is_no_rounding_and_a_change_smaller_than_any_said_is_bounded():
    """“No context changes here”, and “rounding” at rows that a word hidden by the mask moves by 9 · 10⁻⁷."""
    s = Scenario(
        ("Grandpa", "reads", "the", "newspaper"), (7, 12, 1, 16), ("window:2",), ("aloud", "daily", "twice"), (4, 9, -6),
        ((0.2, 0.35, -0.1),),
    )  # fmt: skip
    masked, without = (rows.contexts([run(replace(s, causal=causal))]) for causal in (True, False))
    most = float(np.abs(without - masked).max())
    assert 1e-12 < most < 1e-6
    assert f"No context changes here by {entered(1e-6)} or more." in prefill_questions.mask_question(s).why
    with all_answered():
        shown = figures(visited("prefill", to_query(s), slide=4))
    words = [w for figure, _ in shown for w in figure["data"][-1]["text"]]
    assert any("0 of 4 rows change" in word for word in words) and "rounding" not in words


def test_what_a_query_meets_is_counted_in_good_english():
    ((figure, _),) = figures(visited("decode", {"route": "story"}, slide=1))
    assert any("? keys met<" in word for word in figure["data"][-1]["text"])


def test_products_stand_in_the_order_of_the_passes_that_compute_them():
    """“1, 3 or 5 passes: 15, 17 or 25 products”: without the mask one pass takes the 25."""
    s = replace(TRAIN, causal=False)
    with all_answered():
        ((figure, _),) = figures(visited("prefill", to_query(s) | {"chunk": "2"}, slide=1))
    said = [w for w in figure["data"][-1]["text"] if not w.startswith("<b>") and re.search("pass|product|time$|at once", w)]
    assert [w.split(",")[0] for w in said if "product" in w] == ["15 products", "17 products", "25 products"]
    assert [w for w in said if "at" in w] == ["one token at a time", "2 tokens at a time", "all at once"]


def test_a_row_that_stays_0_is_not_said_to_move():
    """“… that its own row moves from 1·10⁻¹⁴ to 0”, of ±1000 that cancel out but for rounding."""
    s = Scenario(
        ("up", "down", "up"), (1000, -1000, 0), ("last", "even", "window:2"), ("left", "right"), (-1000, 1000),
        ((1000, -1000), (0.001, 0.002), (-3, 3)), sharpness=0.3, empty_row="fill", causal=False,
    )  # fmt: skip
    with all_answered():
        helps = [one.help for one in visited("cache", to_query(s), slide=7).markdown if "A patch" in (one.help or "")]
    assert len(helps) == 1 and "its own row moves" not in helps[0]


def test_words_that_flip_together_are_both_named_in_the_headline():
    snow = ("snow", "falls", "snow", "melts", "snow", "falls")
    s = Scenario(
        snow, (9, -9, 9, -9, 9, -9), ("all", "all", "self"), ("again", "always", "never"), (9, 9, -9),
        ((0.5, 0.5, 0.5), (-0.5, -0.5, -0.5), (1, 1, -1)), sharpness=0.01,
    )  # fmt: skip
    ((figure, _),) = figures(visited("logits", to_query(s), slide=3))
    (said,) = [w for w in figure["data"][-1]["text"] if "flip: " in w.lower()]
    assert "→ “again = always”" in said


def test_a_run_with_another_softmax_is_asked_about_as_one():
    """“Other words” come out, of a scenario in which none do: the key of the article's code runs with that code's softmax."""
    aunt = Scenario(
        ("My", "aunt", "bakes", "bread", "daily"), (8, -3, 5, 12, 0), ("previous:4", "even", "at:7", "all"), empty_row="nan"
    )  # fmt: skip
    asked = "a key of its own, “I am the last token”"
    said = plain(text(visited("cache", to_query(aunt), slide=3)))
    assert f"{asked}, and run all with {EMPTY_ROW_NAMES['soft']} in every row" in said
    assert f"{asked}. When" in plain(text(visited("cache", slide=3)))


def test_answers_of_one_token_queue_for_their_prompts():
    """“71,081 at once keep TTFT ≤ 500 ms”: as many have room, and each prompt was timed alone."""
    link = {"model": "SmolLM2-135M", "device": "Apple M1", "p": "1", "g": "1", "bits": "4", "kv": "8"}
    said = plain(text(visited("memory", link, slide=1)))
    assert "have room on" in said and "A prompt that runs alone keeps TTFT" in said and "at once keep" not in said


def test_rows_that_change_under_the_mask_too_are_not_put_down_to_its_absence():
    """“Without the mask a row looks at what comes later”, of four heads that look at nothing later even without it."""
    s = Scenario(
        ("Take", "the", "left", "fork"), (15, 1, -22, 40), ("at:5.6", "window:64", "first", "even"), ("then", "turn", "stop"),
        (2, 18, -9), ((0.3, -0.1, 0.05), (0.2, 0.1, -0.3), (0.02, 0.4, 0.1), (-0.05, 0.1, 0.2)), empty_row="fill", sharpness=6,
    )  # fmt: skip
    question = prefill_questions.leak_question(s)
    assert question.answer == "every row" and question.why == f"With the mask or without it: {prefill_questions.FILLED}."
    assert prefill_questions.leak_question(replace(s, rules=("all",) * 4)).why.startswith("Without the mask a row looks at")


def test_an_answer_of_one_token_is_complete_when_it_is_there():
    """“37,355 ms … after how many ms is it complete?” → “37,360 ms”."""
    s = Setup(MODELS["Llama-3.1-405B"], DEVICES["H20"], 16, 131072, 1, 8, 8)
    now = request(s.shape, s.n_tokens, 1, s.device, s.batch, **s.options)
    question = waiting.end_to_end_question(now)
    assert question.answer == waiting.asked_times(now)[0] and not question.slips


def test_caches_are_called_smaller_only_where_they_are():
    """“1 of 4 smaller caches say another word”: the one that did took 864 bytes, the whole one 768."""
    with all_answered():
        ((figure, _),) = figures(visited("less", {"prompt": "Rome", "kept_newest": "2", "kept_first": "1"}, slide=2))
    said = " ".join(figure["data"][-1]["text"])
    assert "smaller" not in said and "of 4 other caches say" in said


def test_a_row_that_finds_something_in_what_comes_later_has_a_context():
    """“none | none” of a head that looks at place 2, without the mask, once a word stands there: 1."""
    s = Scenario(("go",), (0.07,), ("even",), ("a", "b"), (1, 2), ((1, 0),), causal=False)
    (none, *_) = [line for line in rules_sentences.table(s, s, 0, 0, treatments(s, 0, 0)).splitlines() if "“none”" in line]
    assert none.split(" | ")[1:3] == ["none", "**1**"]
    masked = replace(s, causal=True)
    assert rules_sentences.table(masked, masked, 0, 0, treatments(masked, 0, 0)).count("| none | none |") == 1


def test_products_of_small_values_add_up_to_their_context():
    """“1/2 × 0.004 ≈ 0” and “1/2 × 0.002 ≈ 0”, of which a context of 0.003 was made."""
    s = Scenario(("half", "less"), (0.004, 0.002), ("all", "even"), ("yes", "no"), (0.002, 0.001), ((1, -1), (0.5, 0.2)))
    with all_answered():
        ((figure, _),) = figures(visited("rules", to_query(s), slide=2))
    said = " ".join(figure["data"][-1]["text"])
    assert "× 0.004 = <b>0.002</b>" in said and "≈ <b>0</b>" not in said


def test_a_sum_stands_beside_its_context_where_it_comes_to_it():
    """“= (0 + 0) / 2” beside −0.002."""
    s = Scenario(
        ("x", "y", "x", "y"), (0.001, -0.002, 0.003, -0.004), ("even", "last", "self"), ("x", "y", "z"), (0, 0, 0), ((1, 1, 1),) * 3,
        sharpness=20,
    )  # fmt: skip
    with all_answered():
        ((figure, _),) = figures(visited("cache", to_query(s), slide=7))
    assert "= (0 + 0) / 2" not in " ".join(figure["data"][-1]["text"])


def test_a_length_is_the_one_that_its_slider_has():
    at = visited("tiles", {"p": "2"}, slide=3)
    assert [one.value for one in at.select_slider] == [64] and "At 64 tokens" in "; ".join(alts(at)).replace("Bytes at", "At")


def test_a_page_of_many_requests_stands_where_a_full_memory_takes_back_what_it_was_handed():
    """Each failed: one that came with his cache was sent back before his first step."""
    for link in ({"p": "128", "g": "128", "cache_tokens": "512"}, {"cache_tokens": "1024"}):
        at = visited("many", {"when_full": "disaggregated"} | link, slide=4)
        assert not at.exception and any("hrown out" in w for w in figures(at)[0][0]["data"][-1]["text"])


def test_tokens_that_are_as_near_a_flip_are_counted():
    """“Nearest flip: “as” …”, where the value of “a” had to move no farther; all heads see both alike."""
    s = Scenario(
        ("soft", "as", "a", "feather", "soft"), (40, -20, 10, -5, 40), ("none", "all", "at:2.3", "window:4", "self"),
        ("falls", "soft", "as"), (7, 40, -20),
        ((0.7, 0.2, 0.1), (0.5, 0.55, 0.4), (0.1, -0.3, 0.2), (0.25, 0.3, -0.2), (0.1, 0.15, 0.05)), empty_row="softmax1", sharpness=0.05,
    )  # fmt: skip
    at = visited("logits", to_query(s), slide=3)
    ((figure, _),) = figures(at)
    assert any("; another is as near" in w for w in figure["data"][-1]["text"])
    assert not any("as near" in w for w in figures(visited("logits", slide=3))[0][0]["data"][-1]["text"])


def test_policies_that_are_level_are_named_as_the_answer_names_them():
    """“Static: at most 35.4 ms”, above the answer “several alike”."""
    link = {"model": "OPT-13B", "device": "A6000", "per_minute": "120", "p": "1024", "g": "1"}
    with all_answered():
        at = visited("many", link, slide=2)
    said = " ".join(figures(at)[0][0]["data"][-1]["text"])
    assert ("Several alike" in said) == ("several alike" in text(at)) and "Static: at most" not in said


def test_old_rows_are_not_said_to_stay_where_a_later_token_changes_them():
    link = {"slide": "3"}
    for scenario, told in ((Scenario(causal=False), True), (Scenario(empty_row="fill"), True), (Scenario(), False)):
        with all_answered():
            said = text(visited("cache", to_query(scenario) | {"against": "own"} | link))
        assert ("Old rows may come out otherwise" in said) == told and "newest rows" in said


def test_a_guess_stands_beside_the_number_that_it_was_about():
    """“78 products, your guess: 91”, a right guess of other lengths."""
    with all_answered():
        for link, stands in (({}, True), ({"p": "12", "g": "1"}, False)):
            ((figure, _),) = figures(visited("counting", link, slide=2))
            assert any("your guess" in word for word in figure["data"][-1]["text"]) == stands


def test_what_moves_old_rows_a_little_is_said_to_move_them():
    """A context that went from 0.12 to −6.35 was said to give the new word no weight worth naming."""
    home = Scenario(
        ("Where", "do", "we", "go", "now"), (7, 7, 7, 0, -3), ("previous",), ("home", "away"), (-1000, -1), ((0.19, -0.51),),
        causal=False, empty_row="softmax1", sharpness=5,
    )  # fmt: skip
    with all_answered():
        said = plain(text(visited("decode", to_query(home), slide=2)))
    assert "less than 10" in said and "6.477" in said and "worth naming" not in said


def test_a_head_is_drawn_that_differs():
    """Where values are level so are contexts, and only the weights of one head tell both ways apart."""
    tick = Scenario(
        ("tick", "tock"),
        (-8, -8),
        ("odd", "even"),
        ("tick", "boom"),
        (-8, 50),
        ((0.1, 0.2),) * 2,
        empty_row="fill",
        sharpness=0.5,
    )
    parts, one = split.both_ways(tick, 2, (*tick.prompt_ids, tick.prompt_ids[0]))
    parts, one = rows.rows_so_far(parts), rows.rows_so_far([one])
    head = split._head_to_see(parts, one)
    weights = gaps(*(np.nan_to_num(way.weights) for way in (parts, one))).max(axis=(1, 2))
    assert gaps(parts.context, one.context).max() <= ROUNDING
    assert weights[head] == weights.max() > ROUNDING


def test_a_number_at_the_edge_of_what_is_near_enough_is_right():
    """1.85 GB, which the reason itself prints, was “less: 1.8 GB”, by a float’s last bit."""
    link = {"model": "gpt-oss-120b", "kv_bits": "8"}
    assert right(commit(visited("memory", link, slide=2), "cache_size", 1.85))


def test_a_token_may_be_a_question_mark():
    """It was taken for the sign of a word that is still hidden: “token 0”."""
    tea = Scenario(("Do", "you", "like", "?"), (1, 2, 3, 4), ("self",), ("?", "yes"), (5, 8), ((0.3, 0.2),))
    said = str(figures(visited("overview", to_query(tea), slide=1)))
    assert "token 0" not in said and "token -" not in said


@pytest.mark.parametrize(("link", "votes"), [({}, True), ({"cell": "1.3.2"}, False), ({"rules": "none,self,first,all"}, False)])
def test_only_a_context_of_the_last_row_is_said_to_vote(link, votes):
    """““is” takes all of “weather”. Its context votes for the next word: move a value, and it follows”; and of a head without one."""
    assert ("votes for the next word" in plain(text(visited("attention", link, slide=1)))) == votes


@pytest.mark.parametrize("route", ["", "story"])
def test_what_is_supposed_of_a_head_is_not_drawn_while_it_is_asked(route):
    """“Context of “so”: 9 = (10 + 20 + 1 + 5) / 4”, over the question which context it makes."""
    link = {"rules": "none,none,none,none", "route": route}
    open_, told = (str(figures(visited("rules", link | more, slide=2))) for more in ({}, {"answers": "shown"}))
    assert not re.search(r"context 9\b|'<b>9</b>'|= \(10", open_) and re.search(r"context 9\b", told)


@given(scenarios())
def test_a_weight_is_not_nothing_where_something_is_taken(s):
    """One column read weight 0, value 10 and part of the context 0.0034."""
    layer = run(s).layers[0]
    for h, i in np.ndindex(layer.weights.shape[:2]):
        *_, weights, _values, parts = cell_way._bands(Sheet(), layer, h, i)
        assert all(part.lstrip("+− ") in ("0", "") or w != "0" for w, part in zip(weights.words, parts.words, strict=True))


def test_a_tile_that_is_dark_reads_another_number():
    """“10 → 10”, dark as one that changed, from a difference of 0.005 on."""
    link = {"mask": "off", "sharpness": "4", "rules": "self,first", "token": "4", "value": "20"}
    for figure, _ in figures(visited("prefill", link, slide=3)):
        words = [untagged(word) for word in figure["data"][-1]["text"]]
        assert "19.99" in words and not any(was == f"{now} →" for was, now in pairwise(words))


def test_rows_that_stay_to_within_what_is_asked_are_not_counted_as_changed():
    """Answer “every row”, to within 0.05; headline “3 of 4 rows change”."""
    said = str(figures(visited("prefill", {"sharpness": "4", "rules": "self,first", "answers": "shown"}, slide=4)))
    assert "0 of 4 rows change by 0.05 or more" in said and "<b>new</b>" not in said


def test_none_that_becomes_0_without_the_mask_is_a_change():
    """“every row”, “0 of 3 rows change”, where head 1 finds nothing for “I” with the mask and takes all of a 0 without it."""
    s = Scenario(("I", "am", "so"), (5, 0, 3), ("even", "first"), ("happy", "cold"), (4, -2), ((0.2, 0.1), (0.3, 0.1)))
    assert prefill_questions.mask_question(s).answer == "the last and some others"
    at = visited("prefill", to_query(s), slide=4)
    assert right(commit(at, "mask", "the last and some others"), "the last and some others")
    assert "1 of 3 rows" in str(figures(at)[0][0])


@pytest.mark.parametrize(("policy", "closed"), [("fill", "−10⁹"), ("nan", "−∞"), ("soft", ""), ("none", "")])
def test_scores_that_a_policy_closes_do_not_stay(policy, closed):
    """“stays −8”, and beneath it weights of 0.25 that are not softmax of −8 and three times −10⁹."""
    at = visited("attention", slide=3, empty=policy, cell="1.1.1")
    ((figure, _),) = figures(at)
    drawn = words_in(figure)
    assert any("stays" in said for said in drawn) == (not closed)
    assert (f"empty row: {closed}" in drawn) == bool(closed)
    assert ("until the policy" in str([m.help for m in at.markdown])) == bool(closed)


def test_a_small_context_is_no_0_on_a_phone():
    """“0” in the column beneath “Context of “Today”: 0.0034”."""
    s = replace(Scenario.article(), empty_row="softmax1")
    figure = narrow_map(Sheet(phone=True), run(s), s.tokens, {0: "even"}, maps.next_of(s, run(s)), (0, 0, 0)).to_plotly_json()
    assert "0.0034" in str(figure)


def test_one_row_off_names_all_words_that_draw_level():
    """“next 9”, where all contexts are 0 by hand and four words draw level."""
    s = Scenario(("hot", "cold"), (4, -4), ("all",), ("so", "but"), (0, 3), ((0.2, 0.1),))
    nine = Scenario(
        ("9", "minus", "4", "equals", "5", "so"), (9, -1, 4, 0, 5, 1), ("previous:3", "even"), ("4", "5", "9", "true"), (4, 5, 9, 2),
        ((0.6, 0.5, 0.4, -0.2), (0.2, 0.35, 0.9, 1.5)),
    )  # fmt: skip
    for one, level in ((s, "so = but"), (nine, "4 = 5 = ")):
        assert level in str(figures(visited("cache", to_query(one), slide=5))[0][0]), level


RED = Scenario(
    ("dog", "red", "red", "sun"), (1, -7.5, 2, 2), ("at:2", "previous:2", "none"), ("yes", "no", "now"), (1, -4, 9),
    ((0.3, 0.3, 0.3), (0.1, 0, 0.3), (0.2, 0.2, 0.2)), empty_row="softmax1",
)  # fmt: skip
TICK = Scenario(
    ("tick", "tock", "tick"), (1000, 2, -1000), ("at:7", "previous:2", "first"), ("tock", "boom"), (2, 900),
    ((0.1, 0.001), (0.002, 0.05), (0.0001, 0.0002)), empty_row="softmax1",
)  # fmt: skip


@given(scenarios())
@example(RED)  # “other logits, but the same word” beside −3, −2.25 and −4.5 twice
@example(TICK)  # “the same logits” beside 2.0994 and 2.0995
def test_other_logits_are_written_otherwise(s):
    s, now, _ = drawing_words.with_finite_logits(s)
    if drawing_words._prompt_of_same_mean(s, now) is None:
        return
    question = drawing_words.mean_question(s)
    twin = drawing_words._prompt_of_same_mean(s, now)
    written, then = drawing_words._told_apart([now.logits[-1], toy.prefill_of(twin).logits[-1]])
    assert (question.answer == drawing_words.SAME_LOGITS) == (written == then)


@pytest.mark.parametrize("phone", [False, True])
def test_a_row_that_takes_little_is_not_all_zeros(phone):
    """Weight 0 × 10, and a context of 0.0034."""
    s = replace(ONE_HEAD, empty_row="softmax1", rules=("even",))
    drawn = str(every_row(Sheet(phone=phone), run(s).layers[0], 0, s.tokens, "even").to_plotly_json())
    assert drawn.count("≈ 0") == 1
    assert "≈ 0" not in str(
        every_row(Sheet(phone=phone), run(replace(s, empty_row="soft")).layers[0], 0, s.tokens, "").to_plotly_json()
    )


def test_none_is_neither_nearly_0_nor_as_good_as_right():
    """“none ≈ 0” between the contexts of two ways of which one took all of a token worth 0; “as good as right” of “none” beside “0”."""
    off = Scenario(
        ("a", "b", "c"), (5, 3, 2), ("at:4", "self"), ("x", "y"), (0, 0), ((0.2, 0.1), (0.3, 0.1)), causal=False
    )  # fmt: skip
    with all_answered():
        drawn = words_in(figures(visited("decode", to_query(off), slide=2))[0][0])
    assert "none" in drawn and "≈" not in drawn and "≠" in drawn
    sink = Scenario(
        ("I", "am", "so", "very"), (3, 0, 2, 4), ("at:2", "self"), ("glad", "sad"), (5, 1), ((0.2, 0.3), (0.5, 0.2))
    )  # fmt: skip
    with all_answered():
        assert says(text(visited("less", to_query(sink), slide=1)), "none taken for 0")


def test_ways_that_differ_in_none_alone_do_not_agree():
    """“they differ by up to 9.0·10⁻⁷”, where head 1 finds nothing for “I” one at a time and takes all of a 0 all at once."""
    s = Scenario(
        ("I", "am", "so"), (5, 0, 3), ("at:2", "first"), ("happy", "cold"), (4, -2), ((0.2, 0.1), (0.3, 0.1)), causal=False
    )  # fmt: skip
    with all_answered():
        for route in ("story", "all"):
            assert says(
                text(visited("prefill", to_query(s), slide=1, route=route)), "not", "agree", "between a number and none", "mask"
            )


def test_a_row_that_takes_little_is_not_all_zeros_wherever_its_context_stands():
    """Weights 0, 0, 0, 0 and a context of 0.0034 or 0.34, in *attention*, *decode* and *cache*."""
    s = replace(Scenario.article(), empty_row="softmax1")
    for lesson, step in (("attention", 1), ("attention", 2), ("attention", 3), ("decode", 1), ("cache", 1)):
        at = visited(lesson, to_query(s), slide=step, cell="1.1.1")
        assert any(word.startswith("≈") for figure, _ in figures(at) for word in words_in(figure)), (lesson, step)
        assert not any(
            "≈0" in str(figure) or "≈ 0" in str(figure) for figure, _ in figures(visited(lesson, slide=step, cell="1.1.1"))
        )


def test_small_contexts_of_a_phone_are_told_apart():
    """“0.1” for all of 0.06 and 0.1."""
    s = Scenario(("a", "b"), (0.06, 0.1), ("self",), ("x",), (1,), ((1,),))
    drawn = words_in(
        narrow_map(Sheet(phone=True), run(s), s.tokens, {0: "self"}, maps.next_of(s, run(s)), (0, 0, 0)).to_plotly_json()
    )
    assert "0.06" in drawn and "0.1" in drawn


def test_words_that_a_policy_would_write_are_level_where_they_are_by_hand():
    """“so”, of a row without the mask whose contexts are none and 0: what softmax leaves parted two words."""
    s = Scenario(
        ("x", "y"), (0, 4), ("at:1", "at:5"), ("so", "but"), (1, 2), ((0.2, 0.1), (0.3, 0.4)), causal=False
    )  # fmt: skip
    assert "“so” and “but”, level" in rules_sentences.table(s, s, 1, 0, treatments(s, 1, 0))


@given(scenarios())
@example(replace(Scenario.article(), word_values=(1, 1, 1), w_vocab=((0.2, 0.2, 0.1),) * 4))
def test_no_word_is_wrong_that_the_model_says_as_well(s):
    """“yes” in place of “now”, which draw level."""
    if found := cache_story.three_runs_of(s):
        passes = generate(s.model(), s.prompt_ids, len(found.anew), use_cache=False).passes
        for word, wrong, one in zip(found.broken, found.wrong, passes, strict=True):
            level = [s.id_words[w] for w in likeliest(one.logits[-1])]
            assert not wrong or (len(level) == 1 and word not in level)


def test_the_load_that_no_server_keeps_is_one_that_was_tried():
    """“264 servers are too few”, which take turns and are enough."""
    query = {"policy": "static", "model": "Llama-3.1-8B", "device": "Apple M4", "p": 128, "g": 1024, "per_minute": 6}
    at = visited("many", query | {"ttft_limit": 2000, "tpot_limit": 200}, slide=3)
    (said,) = re.findall(r"even of ([\d.]+) requests", text(at))
    assert f"at {said}" in alts(at)[0] and f"At {said} a minute only" in str(figures(at)[0][0])
    assert "no number of servers" not in text(at) and says(text(at), "alone", "have", "fewer for each")


def test_where_requests_are_too_slow_alone_no_load_is_too_much_and_no_server_too_few():
    """“Even 0.23 a minute is too much for one server”, of which a step alone takes longer than the limit."""
    at = visited("many", {"tpot_limit": 5}, slide=3)
    assert "no number of servers is enough" in text(at) and "Even alone none is in time" in str(figures(at)[0][0])
    at = visited("many", {"ttft_limit": 20}, slide=3)
    (share,) = re.findall(r"only \*\*([\d.]+%)\*\* have", text(at))
    assert f"Even alone only {share} are in time" in str(figures(at)[0][0])
    assert f"{share} at 0.23" in alts(at)[0]  # of the same requests as the curve
    at = visited("many", {"device": "H100 SXM", "ttft_limit": 10}, slide=3)  # at 82% of any load
    assert "no number of servers is enough" in text(at) and "Even alone only 8" in str(figures(at)[0][0])


def test_the_one_slider_of_many_tokens_is_that_of_the_value_that_is_asked_about():
    """The slider of “My”, whose weight is 0, beside a question on “cat”; any other can be chosen, the first too."""
    six = {"tokens": "My,cat,likes,warm,milk,and", "values": "17,3,14,13,3,19"}
    at = visited("attention", six, slide=1)
    (box,) = [box for box in at.selectbox if box.label == "Value of"]
    assert "“cat”" in text(at) and [s.label for s in at.slider if "value_" in s.key] == ["cat"]
    box.set_value(0).run()
    assert [s.label for s in at.slider if "value_" in s.key] == ["My"]


def test_devices_in_all_are_those_of_so_many_servers():
    """“One server kept both limits at 1.399 requests a minute, in a run of 120, 172 devices in all”."""
    at = visited("many", {"n_devices": 4, "model": "Llama-3.1-70B", "per_minute": 1920, "answers": "shown"}, slide=3)
    (n, all_) = re.findall(r": ([\d,]+) servers, ([\d,]+) devices in all", text(at))[0]
    assert int(all_.replace(",", "")) == 4 * int(n.replace(",", "")) > 4


def test_a_step_that_reads_caches_after_its_arithmetic_does_not_wait_for_arithmetic_alone():
    """“Decode, too, waits for arithmetic” over a bar that is idle for 41%."""
    at = visited("roofline", {"model": "Mistral-7B", "device": "A100-80", "bits": 8, "p": 256, "batch": 1024}, slide=1)
    assert "decode computes 5" in str(figures(at)[0][0]) and "waits for arithmetic" not in str(figures(at)[0][0])
    assert says(text(at), "as one point", "decode computes")
    at = visited("roofline", {"model": "Llama-3.1-8B", "device": "Apple M4 Max", "bits": 4, "p": 256, "batch": 8}, slide=1)
    assert "as one point: parameters first and then caches, decode computes 94.2%" in text(at)
    assert "as one point" not in text(visited("roofline", slide=1))


def test_a_window_hides_keys_of_a_token_that_is_named():
    """“A prompt of 5 tokens … decode step 5 … hides 5 of 9 keys”, of another run."""
    found = find("newest_needs_no_mask", Scenario.article())
    assert f"keys from token {found['keys']}" in plain(CLAIMS["newest_needs_no_mask"].why(found))


def test_a_sum_that_leaves_out_what_counts_says_so_and_a_product_is_no_0():
    """“3.91 ≈ 0.5·2 + 0.5·5”, which is 3.5, and “900 × 0 = 0” beside a context of 3.91."""
    s = Scenario(("big", "small", "so"), (900, 2, 5), ("window:2",), ("x", "y"), (1, 2), ((0.1, 0.2),), sharpness=3.5)
    assert any(
        "0.5·5 + …" in word for figure, _ in figures(visited("attention", to_query(s), slide=1)) for word in words_in(figure)
    )
    with all_answered():
        drawn = words_in(figures(visited("rules", to_query(s), slide=4))[0][0])
    assert "≈ 0" in drawn and "0" not in drawn


@given(st.floats(0.006, 1), st.sampled_from((0.5, 2.0, 8.0, 12.0, 25.0, 50.0, 100.0, 1000.0)))
@example(0.0562, 8.0)
@example(0.2936, 50.0)
def test_a_product_is_written_with_an_equals_sign_only_where_what_is_written_gives_it(share, value):
    """“0.06 × 8 = 0.45” and “50 × 0.29 = 14.68”; and “0.01 × 40 ≈ 0.24”, four tenths of what is written."""
    sign, said = product_said(share, value).split(" ")
    written = float(Fraction(share_said(share))) * value
    assert sign == "≈" or written == pytest.approx(as_number(said), rel=1e-3)
    assert written == pytest.approx(as_number(said), rel=0.06, abs=0.005)


def test_a_context_of_too_little_to_be_written_has_no_sum_beside_it():
    """“Context of “Today”: 0.0034 ≈ …”."""
    drawn = words_in(figures(visited("attention", {"empty": "softmax1", "cell": "1.1.1"}, slide=1))[0][0])
    assert not any(word.rstrip().endswith("≈ …") for word in drawn)


def test_weights_of_0_that_make_the_context_are_said_to_be_nearly_0():
    """Weights “0”, “0.4999”, “0.4999” beside a context of 3.67, products of 0 beside one of 0.0015, and “weighs 0”."""
    query = {"tokens": "big,small,so", "values": "1000,2,5", "rules": "window:2", "words": "x,y", "w": "0.1,0.2", "sharpness": 4}
    with all_answered():
        wide = figures(visited("rules", query, slide=2))[0][0]
        narrow = figures(visited("rules", query | {"values": "9,0,0"}, slide=4))
    assert any(word.startswith("≈ 0") for word in words_in(wide))
    assert "≈ 0" in words_in(narrow[0][0]) and "weighs ≈ 0" in narrow[0][1]


def test_what_the_story_leaves_unnamed_of_a_row_is_said_where_it_counts():
    """“takes 0.99 of “amici”: its context is −5.58”, which is −5.94."""
    s = replace(
        Scenario.article(), tokens=("a", "b", "c"), values=(100.0, 2.0, -6.0), rules=("self",), words=("x",), word_values=(1.0,),
        w_vocab=((1.0,),), sharpness=2.8284271, empty_row="soft",
    )  # fmt: skip
    assert "a little of others" in attention_story.last_row(s, run(s), 0)
    assert "others" not in attention_story.last_row(Scenario.article(), run(Scenario.article()), 0)


def test_words_that_draw_level_are_quoted_each_in_the_headline_of_one_mean():
    """“和”, “。” and “和 and 。, level”."""
    s = replace(Scenario.article(), w_vocab=tuple((1.0, 1.0, *row[2:]) for row in Scenario.article().w_vocab))
    with all_answered():
        drawn = " ".join(words_in(figures(visited("logits", to_query(s), slide=6))[0][0]))
    assert not re.search("“[^”]*, level”", drawn)


def test_on_a_phone_the_share_of_time_that_decode_computes_is_read_to_its_end():
    """“At peak rates decode computes 21.4% of its ti…”."""
    waits = SimpleNamespace(waits_for="memory", busy=0.214)
    sheet = Sheet(phone=True)
    sheet.on_phone()
    headline(sheet, roofline_figure._large(waits, waits))
    assert " ".join(words_in(sheet.figure(100).to_plotly_json())).endswith("21.4% of its time")


def test_a_context_that_is_0_beside_a_value_of_hundreds_is_0():
    """“Context of “0”: 6.1·10⁻⁵ = 1·0”, and a word that wins with 0.50002, beside one of 0.5."""
    w, tokens = ((0.2, 0.1), (0.1, 0.3)), ("und", "500", "Euro", "0")
    s = Scenario(tokens, (1, 500, 40, 0), ("self", "window:2"), ("nur", "bar"), (1, 2), w)
    drawn = words_in(figures(visited("attention", to_query(s), slide=1))[0][0])
    assert not any("·10⁻" in word for word in drawn) and "others" not in attention_story.last_row(s, run(s), 0)


@pytest.mark.parametrize(
    ("tokens", "values", "rules", "words", "word_values", "w"),
    [
        ("no,one,buys,ten,twice", "0,1,2,10,2", "previous,window:3", "pens,books", "2,2", "0.3,0.2;0.2,0.3"),
        ("five,no,five,no", "5,0,5,0", "at:2,previous,self", "yes,no", "0,0", "0.1,0.3;0.2,0.2;0.3,0.1"),
    ],
)
def test_words_that_are_level_in_both_runs_are_not_wrong_in_one(tokens, values, rules, words, word_values, w):
    """“The logits are off by up to 1·10⁻⁷, and 4 words of 7 are others”."""
    query = {"tokens": tokens, "values": values, "rules": rules, "words": words, "word_values": word_values, "w": w}
    with all_answered():
        at = visited("cache", query | {"against": "stale"}, slide=3)
    assert "the logits come out the same" in text(at) and not any("10⁻" in alt for alt in alts(at))
    assert f"**{two_runs.SAME}**" in text(at)


def test_logits_of_nothing_are_0_wherever_they_stand():
    """“Logit 9.9·10⁻¹²”, of a row whose contexts are all 0."""
    query = {"tokens": "I,owe,100,and,have,0", "values": "0,2,100,3,5,0", "rules": "self,first", "words": "yes,no"}
    query |= {"word_values": "3,-3", "w": "0.5,0.1;0.3,0.2"}
    for lesson, slide in (("attention", 2), ("decode", 1)):
        with all_answered():
            at = visited(lesson, query, slide=slide)
        assert not re.search(r"10⁻\d*[¹⁰]", text(at) + str(alts(at)) + str(figures(at)))


def test_contexts_of_decode_are_those_of_every_other_lesson():
    """“2.8·10⁻⁵ and −1.67”, “2.0001”, “2.12” of 2.125."""
    cancel, hundreds = ("500,2,5,-5,5,-5", "window:2,window:3"), ("1,3,2,890,1,2,2,2", "self,odd")
    halves = ("0.5,2,-500,4,1,3.5,0", "window:4,self")
    for (values, rules), context in ((cancel, "0"), (hundreds, "2"), (halves, "2.125")):
        n = len(values.split(","))
        query = {"tokens": ",".join(f"t{i}" for i in range(n)), "values": values, "rules": rules, "w": "0.2,0.1;0.1,0.3"}
        with all_answered():
            alt = alts(visited("decode", query | {"words": "gain,loss", "word_values": "5,-5"}, slide=1))[0]
        assert f"Contexts of the last row: {context} and" in alt


def test_an_eighth_is_rounded_as_by_hand_in_a_sum():
    """“4.5 ≈ 0.12·1 + …” above “0.13 of “a””."""
    query = {"tokens": "a,b,c,d,e,f,g,h", "values": "1,2,3,4,5,6,7,8", "rules": "all", "words": "x,y", "w": "0.1,0.2"}
    assert any("0.13·1" in word for word in words_in(figures(visited("attention", query, slide=1))[0][0]))
    assert product_said(1 / 8, 1.0) == "≈ 0.13"


def test_ways_differ_by_what_they_differ_by_hand():
    """“They differ by up to 599.9999”, and “off by 116.6667” beside “off by 116.6666”."""
    query = {
        "tokens": "Pay,600,now,or,0",
        "values": "2,600,1,3,0",
        "rules": "last,self",
        "words": "yes,no",
        "w": "0.2,0.1;0.1,0.3",
    }
    with all_answered():
        at = visited("prefill", query, slide=1)
    assert "9999" not in text(at) + str(alts(at)) and "differ" in text(at)


def test_a_sum_of_logits_has_nothing_of_what_softmax_leaves():
    """“The logits add up to −212.3999” under −70.4, −36.2 and −105.8."""
    query = {"tokens": "up,700,down,700,flat", "values": "4,700,-4,-700,0", "rules": "window:2,previous:2,self", "words": "a,b,c"}
    at = visited("logits", query | {"word_values": "-700,700,0", "w": "0.2,0.1,0.3;0.1,0.3,0.2;0.2,0.2,0.1"}, slide=5)
    assert "add up to **−212.4**" in text(at)
    query = {"tokens": "I,paid,20,and,got,2", "values": "1,3,20,0,4,2", "rules": "self", "words": "tea,milk,cake"}
    at = visited("logits", query | {"word_values": "2,1,4", "w": "0.2,0.1,0.2"}, slide=6)
    assert right(commit(at, "mean", "they do"), "they do")


SIX_BIG_DOGS = Scenario(
    ("Six", "big", "dogs", "eat", "six"), (6, 8, 1, 2, 6), ("self", "even"), ("bones", "times"), (6, 4), ((0.3, 0.2), (0.1, 0.2)),
    empty_row="fill",
)  # fmt: skip
PENS = Scenario(
    ("Pens", "cost", "four", "each"), (6, 4, 4, 3), ("at:2", "self"), ("today", "only", "now"), (3, 3, 2),
    ((0.3, 0.3, 0.2), (0.2, 0.1, 0.3)),
)  # fmt: skip
ANNS_PENS = Scenario(
    ("Ann", "has", "2", "red", "pens"), (2, 3, 4, 4, 3), ("previous:2", "first", "odd"), ("today", "now", "again"), (1, 3, 1),
    ((0.1, 0.2, 0.1), (0.1, 0.1, 0.3), (0.1, 0.1, 0.1)),
)  # fmt: skip
SHE_HAD_900 = Scenario(
    ("She", "had", "900", "and", "spent", "it", "now", "0"), (0, 0, 900, 4, 1, 2, 3, 0), ("self", "first"), ("gone", "left", "more"),
    (0, 5, -5), ((0.2, 0.1, 0.3), (0.1, 0.2, 0.1)),
)  # fmt: skip


def at_the_prompt(s):
    """Where a visit stands that has not stepped on."""
    return SimpleNamespace(at=0, answer_ids=(), next_id=answer_by_hand(s, 1)[0][0], model=s.model())


@given(level_scenarios(least=2))
@example(SIX_BIG_DOGS)
@example(SHE_HAD_900)
@example(ANNS_PENS)
def test_two_runs_write_what_is_fed_to_them_and_what_comes_out_by_hand(s):
    """“Fed: more, left” beneath “comes out: gone, left”, of words that were level."""
    own, broken = (two_runs.two_runs(s, at_the_prompt(s), which) for which in (two_runs.OWN, two_runs.STALE))
    words = [s.words[w] for w in answer_by_hand(s, len(own.ids) + 1)[0]]
    assert [strip.words for strip in own.strips] == [words] * 2 and [s.words[w] for w in own.ids] == words[:-1]
    values = [fraction(x) for x in (*s.values, *(s.word_values[w] for w in broken.ids))]
    for strip, kept in zip(broken.strips, (len(s.tokens), None), strict=True):
        rows = (logits_by_hand(broken.model, values[:n], kept) for n in range(len(s.tokens), len(values) + 1))
        assert strip.words == [s.words[level_by_hand(row)[0]] for row in rows]


@given(level_scenarios(least=2))
@example(SIX_BIG_DOGS)  # “With false keys: 6 words of 7 wrong”, where the lesson says that the logits come out the same
@example(PENS)
def test_three_runs_write_the_words_by_hand_and_none_is_wrong_where_nothing_is_off(s):
    if found := cache_story.three_runs_of(s):
        words, _ = answer_by_hand(s, len(found.anew))
        assert found.anew == found.cached == tuple(s.words[w] for w in words)
        key = next(key for key in stale_keys(s) if key.rules[found.head - 1].breaks_cache)
        broken = replace(key, empty_row=s.empty_row)
        if s.empty_row == "fill":
            return  # whose empty rows take in tokens that come later
        assert found.broken == tuple(s.words[w] for w in answer_by_hand(broken, len(words), len(s.tokens))[0])
        values, first = [fraction(x) for x in s.values], next((k for k, wrong in enumerate(found.wrong) if wrong), None)
        if first is not None:
            values += [fraction(s.word_values[w]) for w in words[:first]]
            assert logits_by_hand(broken, values) != logits_by_hand(broken, values, len(s.tokens))


def test_where_level_words_stay_the_story_says_none_is_wrong():
    """“Word 2” of words that the lesson says are the same."""
    assert not any(cache_story.three_runs_of(SIX_BIG_DOGS).wrong)


@given(level_scenarios())
@example(ANNS_PENS)
@example(SHE_HAD_900)
def test_words_are_level_alone_and_the_first_of_them_goes_in_everywhere(s):
    """“Level with now but for 5·10⁻⁹”, a number that was nobody's; “gone” on the map of lessons, where “more” had come out."""
    words, level = answer_by_hand(s, 3)
    made = answer_position.shared_answer(s, 3, (), 0.0, 0)
    for one, word, ids in zip(made.passes, words, level, strict=False):
        said = decode_steps._level_with(s, SimpleNamespace(this_pass=one, next_id=word), lambda names: names)
        assert said == (f", level with {join([s.words[w] for w in ids[1:]])}" if len(ids) > 1 else "")
    assert list(made.token_ids[:3]) == words
    assert maps.next_of(s, toy.prefill_of(s)).strong == words[0]
    assert less_steps.Toy(s, toy.prefill_of(s), "").ids[-1] == words[0]


def test_the_map_of_lessons_has_the_word_that_comes_out():
    """“gone” goes back in, where “more” had come out two steps before."""
    with all_answered():
        drawn, said = (
            alts(visited("overview", to_query(SHE_HAD_900), slide=3)),
            seen(visited("overview", to_query(SHE_HAD_900), slide=1)),
        )
    assert says(drawn[0], "the word that comes out, “gone”, goes back in") and "“more” comes out" not in said and "gone" in said


def test_a_row_too_few_or_too_many_is_held_against_the_right_one_by_hand():
    """“Logits off by up to 1·10⁻⁷”, of logits that are 0 at any position; “not right either”, of a key that goes out of date where
    all values that it could choose are the same."""
    nothing = Scenario(("Take", "2", "from", "5"), (0, 2, 1, 5), ("self",), ("is", "equals"), (0, 0), ((0.2, 0.1),))
    at = visited("cache", to_query(nothing), slide=5)
    assert "logits that stay the same" in str(figures(at)[0][0]) and "·10" not in alts(at)[0] + str(figures(at)[0][0])
    three = Scenario(
        ("Two", "and", "one", "make", "3"), (2, 0, 1, 4, 3), ("last", "first"), ("apples", "pears"), (3, 3), ((0.2, 0.1), (0.1, 0.3))
    )  # fmt: skip
    said = alts(visited("cache", to_query(three), slide=5))[0]
    assert "as many rows as tokens: logits off by 0" in said and "not right either" not in said


def test_the_second_token_of_a_row_by_tiles_is_the_word_that_comes_out():
    """“dogs”, whose 0.1 + 0.2 is more than 0.3."""
    s = Scenario(("three",), (3,), ("first", "self"), ("cats", "dogs"), (3, 4), ((0.3, 0.2), (0.1, 0.2)))
    drawn = words_in(figures(visited("tiles", to_query(s), slide=1))[0][0])
    assert "cats" in drawn and "dogs" not in drawn


def test_a_little_that_many_matches_share_their_row_with_is_no_leak():
    """“0.002, 0, 0”, of a thousand that softened scores give the less of the more tokens match; “1.7·10⁻⁶ × 1,000 … ≈ 0”."""
    s = Scenario(
        ("We", "won", "1000", "and", "then", "lost", "it", "all", "again"), (0, 0, 1000, 0, 0, 0, 0, 0, 0),
        ("at:1.2.4.5.6.7.8", "self"), ("so", "but"), (1, 2), ((0.2, 0.1), (0.1, 0.3)), sharpness=32**0.5,
    )  # fmt: skip
    assert contexts_of(toy.prefill_of(s).layers[0], 8)[0] == "0.0017" and toy.prefill_of(s).layers[0].context[0, 8, 0] > 0


def test_a_word_that_comes_out_as_before_is_not_another_where_one_draws_level_with_it():
    """“home = off, another word”, of which the first comes out, as with everything kept."""
    s = Scenario(("He", "ran", "a", "mile"), (4, 2, 4, 4), ("previous:2",), ("home", "off"), (2, 3), ((0.3, 0.1),))
    with all_answered():
        at = visited("less", to_query(s), slide=1)
    drawn = words_in(figures(at)[0][0])
    assert "home = off" in drawn and "another word" not in drawn and "not the same words" in text(at)


def test_a_claim_adds_up_the_logits_that_are_seen():
    """“The logits sum to 1.2·10⁻⁷, not to 1”, of logits that are 0 by hand."""
    s = Scenario(("Zero", "goals", "one", "fan"), (0, 0, 1, 0), ("self",), ("left", "came"), (0, 0), ((0.1, 0.2),))
    assert run(s).logits[-1].sum() != 0 == find("logits_are_chances", s)["sum"]


def test_beside_what_a_stale_key_makes_rounding_is_0():
    """“Logits off by 1·10⁻¹⁶” at a step, beside others that are off by a half."""
    s = Scenario(
        ("two", "none"), (2, 0), ("self", "previous:2"), ("one", "more"), (1, 2), ((0.25, 0.5), (0.5, 0.25)), empty_row="soft"
    )
    with all_answered():
        drawn = words_in(figures(visited("cache", {**to_query(s), "against": "stale"}, slide=3))[0][0])
    assert any(word.endswith("off by") for word in drawn) and not any("·10⁻" in word for word in drawn)
