"""The sentences say what the numbers say: what an edit did, what there is to see, how one cell came about."""

import re
from dataclasses import replace

import numpy as np
import pytest
from app_pages import says
from hypothesis import given
from hypothesis import strategies as st
from scenarios import scenarios

from engine import Scenario, prefill
from engine.sampling import likeliest
from engine.toy import edits
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.one_cell import derive
from engine.toy.presets import PRESETS
from pages.lessons.attention import cell_in_steps, sentences
from pages.lessons.attention.steps import next_probs

ARTICLE = Scenario.article()


def run(s):
    return prefill(s.model(), s.prompt_ids)


def bare(sentence):
    return sentence.replace("**", "").replace("\\", "")


@pytest.mark.parametrize(
    ("after", "told"),
    [
        (edits.set_value(ARTICLE, 2, 100), ("“is” 1 → 100", "no weight", "head 4 context 9 → 33.75", "now warm")),
        (
            edits.set_value(ARTICLE, 0, 11),
            ("“Today” 10 → 11", "no weight", "head 3 context 10 → 11", "head 4 context 9 → 9.25", "stays nice"),
        ),
        (edits.set_rule(ARTICLE, 1, "previous"), ("head 2 self → previous", "7 weights", "head 2 context 5 → 1", "stays nice")),
        (
            edits.rename_token(ARTICLE, 0, "Now"),
            ("“Today weather is so” → “Now weather is so”", "no weight", "no context", "stays nice"),
        ),
        (edits.set_w(ARTICLE, 0, 2, 2.0), ("W", "head 1", "delicious 0.1 → 2", "no weight", "no context", "now delicious")),
        (replace(ARTICLE, empty_row="nan"), ("−∞", "NaN", "4 weights", "no context", "stays nice")),
        (edits.remove_head(ARTICLE, 3), ("4 heads → 3", "stays nice")),
    ],
)
def test_the_sentence_after_an_edit(after, told):
    """Also what did not move is said by no number: as many arrows as there are changes."""
    sentence = sentences.change(ARTICLE, after)
    assert says(sentence, *told) and sentence.count("→") == sum(part.count("→") for part in told)


@given(scenarios(policies=sorted(EMPTY_ROW)), st.integers(0, 15), st.floats(-1000, 1000))
def test_no_value_ever_moves_a_weight(s, at, value):
    """What the lesson is about: weights come from queries and keys, and a value only passes through them."""
    after = edits.set_value(s, at % len(s.tokens), value)
    if after != s:
        assert "no weight" in sentences.change(s, after)


@given(scenarios(policies=sorted(EMPTY_ROW)), scenarios(policies=sorted(EMPTY_ROW)))
def test_any_edit_has_one_sentence_that_names_the_next_word(before, after):
    sentence = sentences.change(before, after)
    logits = run(after).logits[-1]
    words = [after.words[w] for w in likeliest(logits)] if np.isfinite(logits).all() else ["not a number"]
    assert re.findall(r"\*\*(.+?)\*\*", sentence.rpartition("; ")[2]) == words
    assert re.fullmatch(r".+: .+\.", sentence) and "\n" not in sentence


def test_an_untouched_scenario_is_told_by_its_contexts_and_its_winner():
    standing = sentences.unedited_takeaway(ARTICLE, run(ARTICLE), next_probs(run(ARTICLE)))
    assert says(standing, "“so”", "12.5, 5, 10 and 9", "nice", "likeliest", "15.3", "75.0%")


def test_a_row_that_is_not_a_number_is_said_to_spoil_the_logits():
    s = replace(ARTICLE, rules=("none", "self", "first", "all"), empty_row="nan")
    assert next_probs(run(s)) is None
    assert "not a number" in sentences.unedited_takeaway(s, run(s), None) and "not numbers" in sentences.map_in_words(
        s, run(s), None
    )


def test_the_text_alternative_says_what_the_last_row_sees():
    told = sentences.map_in_words(ARTICLE, run(ARTICLE), next_probs(run(ARTICLE)))
    assert says(
        told, "4 tokens", "4 heads", "last row", "so", "head 1 even: “weather” 0.5, “so” 0.5, context 12.5",
        "head 2 self: “so” 1, context 5", "head 3 first: “Today” 1, context 10",
        "head 4 all: “Today” 0.25, “weather” 0.25, “is” 0.25, “so” 0.25, context 9", "nice", "75.0%",
    )  # fmt: skip


def steps(s, head, query, key):
    return [bare(step) for step in cell_in_steps.cell_steps(s, derive(run(s).layers[0], head, query, key), head, query, key)]


def test_a_cell_is_written_out_from_query_and_key_to_its_share_of_the_context():
    score, mask, softmax, value = steps(ARTICLE, 3, 3, 0)
    assert says(score, "q · k = 64", "√64", "= +8")
    assert says(mask, "mask", "“Today”", "“so”", "+8")
    assert says(softmax, "softmax", "= 0.25")
    assert says(value, "0.25 × 10 = 2.5", "context", "0.25 × 10 + 0.25 × 20 + 0.25 × 1 + 0.25 × 5 = 9")


def test_a_hidden_cell_ends_at_the_mask_and_an_empty_row_at_its_policy():
    assert len(steps(ARTICLE, 0, 0, 1)) == 2 and "−∞" in steps(ARTICLE, 0, 0, 1)[1]
    empty = steps(ARTICLE, 0, 0, 0)
    assert says(empty[2], "empty row", "0", "“none”") and says(empty[3], "context", "none")
    assert "NaN" in steps(replace(ARTICLE, empty_row="nan"), 0, 0, 0)[2]


# Each preset with two of the policies in turn: how a cell is written out does not depend on both at once.
IN_TURN = [(preset, sorted(EMPTY_ROW)[(at + k) % len(EMPTY_ROW)]) for at, preset in enumerate(PRESETS) for k in (0, 2)]


@pytest.mark.parametrize(("preset", "policy"), IN_TURN)
def test_every_cell_of_every_preset_says_the_engines_own_numbers(preset, policy):
    s = replace(PRESETS[preset][0], empty_row=policy)
    layer = run(s).layers[0]
    for head, query, key in np.ndindex(*layer.scores.shape):
        score, *_, last = steps(s, head, query, key)
        told = float(score.rstrip(".").split()[-1].replace("−", "-"))
        assert told == pytest.approx(layer.scores[head, query, key], abs=5e-4)
        context = last.rstrip(".").split()[-1]
        if layer.mask[head, query, key] and context not in ("none", "NaN"):
            told = float(context.replace("−", "-").replace("·10", "e").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
            assert told == pytest.approx(layer.context[head, query, 0], abs=5e-5)
