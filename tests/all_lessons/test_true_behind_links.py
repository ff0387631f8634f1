"""Sentences that a link once made false, each behind such a link and held against the engine; read as a visitor reads them."""

import re
from dataclasses import replace

import numpy as np
import pytest
from app_pages import all_answered, alts, text, visited
from said import plain
from scenarios import TEXT, run

from engine.cost import DEVICES, MODELS, tpot_s
from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.toy.by_hand import rows_by_hand
from engine.toy.edits import in_order, set_words
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.presets import PRESETS
from pages.lessons.attention import story as attention_story
from pages.lessons.logits import challenge as logits_challenge
from pages.lessons.logits import steps as logits_steps
from pages.lessons.overview import story as overview_story
from pages.lessons.roofline import batching
from pages.lessons.rules import questions as rules_questions
from pages.lessons.rules import story as rules_story
from pages.lessons.why.story import look_back
from pages.parts.hardware.setup import Setup
from pages.parts.visit.scenario_query import from_query, own_w

FIRST_SELF = {"tokens": "a,b,c", "values": "5,5,5", "rules": "first,self"}
NAN = {"tokens": "Hm", "values": "0", "rules": "even", "empty": "nan"}
FILLED = {"tokens": "big,small,neg,zero,x", "values": "1000,-1000,-7,0,999.5", "rules": "last,window:2,none", "empty": "fill"}
UNMASKED = {"tokens": "I,saw,a,cat,and,ran", "values": "3,-4,0,8,0,2", "rules": "even,previous,all,first", "mask": "off"}
GO = {"tokens": "Go", "values": "-3", "rules": "none,last,all", "empty": "fill"}
SOFTMAX1 = {"tokens": "a,b,c", "values": "1000,1000,0", "rules": "even,none", "empty": "softmax1", "head": "2"}


def read(lesson, link, **extras):
    """The words of a lesson behind a link, answered."""
    with all_answered():
        return plain(text(visited(lesson, link, **extras)))


@pytest.mark.parametrize(
    "link", [FIRST_SELF, FILLED, GO, {}, {"rules": "all"}, {"words": "one"}, {"w": "1,2,3;4,5,6;7,8,9;1,0,1"}]
)
def test_a_w_is_called_typed_only_where_somebody_typed_it(link):
    """“A W of your own, until you reset it” of the rows that a link means that says nothing of W."""
    typed = "w" in link
    assert own_w(from_query(link)[0]) == typed
    assert ("no preset" in read("decode", link)) == typed
    assert ("W is typed" in read("logits", link)) <= typed


def test_the_w_of_a_preset_is_nobodys_own():
    assert not any(own_w(preset) for preset, _ in PRESETS.values())
    assert not own_w(in_order(set_words(PRESETS["We all swim"][0], ("mat", "moon", "dog"))))  # which nobody typed either


def test_a_word_that_no_logit_chose_is_said_to_be_fed_by_hand():
    """“Feed “nice” back in”, “prefill already chose the first token”, where no logit is a number."""
    s = from_query(NAN)[0]
    assert not np.isfinite(run(s).logits[-1]).any()
    assert "already chose" not in (cache := read("cache", NAN)) and "fed in by hand" in cache
    said = read("cache", UNMASKED)
    assert "fed in by hand" not in said


@pytest.mark.parametrize("policy", EMPTY_ROW)
def test_a_row_takes_nothing_only_where_its_weights_are_0(policy):
    """““c” takes nothing: its context is 0.67.”"""
    link = SOFTMAX1 | {"empty": policy}
    weights = run(from_query(link)[0]).layers[0].weights[1]
    with all_answered():
        at = visited("attention", link, route="story")
    said = next((line for line in plain(text(at)).splitlines() if line.startswith("“c” takes ")), "")
    (alt,) = (alt for alt in alts(at) if alt.startswith("Weights of head"))
    assert ("takes nothing" in said) == (weights[-1].sum() == 0)
    assert alt.count("takes nothing") == (weights.sum(axis=1) == 0).sum()


@pytest.mark.parametrize(
    "link", [FILLED, UNMASKED, GO, {}, {"tokens": "x,y,z", "values": "2,3,-1", "rules": "even,all,last,self"}]
)
def test_three_ways_come_to_the_same_answer_only_where_they_do(link):
    """“Three ways to the same answer”, of a kept key that goes out of date."""
    s = from_query(link)[0]
    ids = answer(s.model(), s.prompt_ids, 8).token_ids
    apart = any(
        np.abs(cached.logits[-1] - whole.logits[-1]).max() > 1e-6
        for cached, whole in cached_and_recomputed(s.model(), s.prompt_ids, ids)
    )
    said = read("counting", link)
    assert ("to the same answer" in said) <= (not apart)
    assert ("out of date" in said) == any(rule.breaks_cache for rule in s.rules)


@pytest.mark.parametrize("link", [UNMASKED, {}])
def test_products_are_counted_with_the_mask_on_and_it_is_said_where_it_is_off(link):
    said = read("counting", link)
    paragraph = said.split("Saved: ")[1].split("\n\n")[0].split("\n")[:2]
    assert ("mask on" in str(paragraph)) == (not from_query(link)[0].causal)
    assert "square in each of N" not in said  # of G passes


def test_a_match_and_a_miss_have_scores_of_either_sign():
    """“The score of a match is ±8.”"""
    scores = run(TEXT).layers[0].scores
    assert {8.0, -8.0} == {round(float(x), 6) for x in np.unique(scores)}
    assert "score of a match is" not in plain(text(visited("attention")))


def test_the_least_number_of_w_is_not_rounded_up_for_what_softmax_leaks():
    """“Above 0.673”, of a threshold of 0.672."""
    s = TEXT
    context, logits = logits_steps.last_contexts(run(s)), run(s).logits[-1]
    for head in range(4):
        told = logits_challenge.challenge(s, context, logits, head, 2)[1]
        needed = s.w_vocab[head][2] + round(float(logits.max() - logits[2]), 4) / round(float(context[head]), 4)
        assert float(told.split("**")[1]) == np.ceil(round(needed * 1000, 6)) / 1000


SHARED = {"tokens": "a,b,c", "values": "1,2,6", "rules": "none,first,all"}


@pytest.mark.parametrize("policy", EMPTY_ROW)
def test_a_query_that_fits_no_key_takes_nothing_only_where_it_does(policy):
    """“It opens no drawer”, of a row that takes a third of every value."""
    s = from_query(SHARED | {"empty": policy})[0]
    look = rows_by_hand(run(s).layers[0], 2)[0]
    said = rules_story.whose_drawers_open(s, look, 0, 2)
    assert ("all the same" in said) == (look.weights.sum() > 0.5)
    assert ("0 / 0" in said) == bool(np.isnan(look.context))
    assert ("should look" in plain(text(visited("prefill", SHARED, empty=policy)))) == (policy == "fill")


def test_of_equal_words_the_new_one_is_meant():
    """““yes” cannot be seen by any of them”, of rows that all see an earlier “yes”."""
    link = {"tokens": "yes,no,yes", "words": "yes,no", "word_values": "1,-1", "w": "1,-1;0.5,0.5", "rules": "all,previous"}
    assert "The new “yes” cannot be seen" in read("decode", link)


@pytest.mark.parametrize("words", ["one", "one,two"])
def test_a_value_is_said_to_move_the_next_word_only_where_there_is_another(words):
    assert ("and it follows" in read("attention", {"words": words})) == ("," in words)


def test_one_array_of_scores_need_not_be_written_out_and_a_row_looks_back_under_the_mask():
    said = read("prefill", UNMASKED)
    assert "need not be written out" in said and "under the mask a row attends to itself" in said


def test_the_first_word_is_prefills():
    """“Reading is prefill, writing is decode”: word 1 comes out of the pass that reads."""
    assert "out of the pass that reads, prefill" in read("overview", {}, route="story")


def test_a_share_that_was_picked_for_its_size_is_one_heads():
    """“The last word gives “red” 97.9% of its attention”: one of four heads of the last layer does."""
    said = read("why", {})
    look = look_back("red", "Anna")
    assert said.count("in one of them") == said.count("97.9%") == 1 and look.n_head > 1


def test_a_step_that_takes_a_seventh_longer_is_not_said_to_hardly_change():
    """“It hardly changes. 43.4 ms become 49.5 ms, 1.14 × as long.”"""
    for batch in (1, 8, 64, 512):
        s = Setup(MODELS["Mixtral-8x7B"], DEVICES["A100-80"], 1, 4096, batch, 16, 16)
        one, two = (tpot_s(s.shape, s.n_tokens, s.device, b, **s.options) for b in (batch, 2 * batch))
        assert (batching.batch_question(s).answer == "it hardly changes") == (two / one < 1.05)


def test_grammar():
    """“Its own did not change”; “its logits are off those with”; “these rows are new: Go”; a sum that begins small; “takes 1 of”;
    a rule in a link’s notation; a capital after a colon; “between 37 and 96% were reached”."""
    go = read("prefill", GO)
    assert "its own row changed" in go
    assert "are off those" not in read("cache", GO)
    with all_answered():
        (alt,) = (alt for alt in alts(visited("prefill", GO, route="story")) if "without the mask" in alt)
    assert "these rows are new: Go" not in alt and "is new: " in alt
    assert re.search(r"All of it adds up\. [A-Z]", read("serverlog", {"log": "one-card"}))
    assert "takes 1 of" not in read("attention", {"tokens": "x", "values": "3", "rules": "all"})
    assert "previous:2" not in read("rules", {"tokens": "x,y,z", "values": "1,3,5", "rules": "previous:2"})
    assert "weights 0: " not in read("logits", NAN)
    assert "pace were" not in read("roofline", {})


SOFT = {"tokens": "a,b,c", "values": "3,6,9", "rules": "all,even", "empty": "softmax1", "sharpness": "1"}
NOTHING_BUT_ONE = {"tokens": "the,cat,saw", "values": "2,7,-3", "rules": "even,all,none", "empty": "fill"}
HIDDEN = {"tokens": "Lunch,today,is,so", "values": "40,20,1,5", "rules": "last,self,none,window:2", "empty": "fill"}


@pytest.mark.parametrize(
    "lesson, link, false, true",
    [("attention", HIDDEN | {"route": "story"}, "hides what comes later: “is”", "averages over all tokens, hidden ones too")],
)
def test_what_an_audit_found_false_of_heads_words_and_slips(lesson, link, false, true):
    said = read(lesson, link)
    assert false not in said and true in said


def test_shares_that_do_not_add_up_to_one_are_not_said_to():
    s = from_query(SOFT)[0]
    assert run(s).layers[0].weights[0, -1].sum() < 0.9
    (slip,) = rules_questions.context_question(s).slips.values()
    assert "at most to one" in slip
    assert "add up to 1" not in attention_story.made_of_scores(s, run(s), 0)
    assert "add up to 1" in attention_story.made_of_scores(replace(s, empty_row="none"), run(s), 0)


def test_the_story_of_one_token_keeps_the_slip_of_its_passes():
    """The same number was another slip's, too."""
    slips = overview_story.passes_question(from_query({"tokens": "Hi", "values": "1", "rules": "self"})[0]).slips
    assert "first word, too" in slips["5"]
