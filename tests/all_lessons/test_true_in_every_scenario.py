"""Sentences of the toy lessons, read over scenarios of every kind and held against the engine: what each says of rows that move,
of reasons and of right options. Each scenario that once made one of them false stands beside its law.
"""

import itertools
import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from app_pages import all_answered, alts, commit, figures, says, seen, text, visited
from hypothesis import example, given, settings
from hypothesis import strategies as st
from said import plain
from scenarios import CODE, KINDS, TEXT, run, scenarios

from engine import Rule, Scenario, probabilities, recompute
from engine.claims import find
from engine.compare import ROUNDING, gaps, largest_gap, row_gaps
from engine.experiments import rows
from engine.experiments.broken_caches import shifted_ids, stale_key
from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.sampling import likeliest
from engine.toy import flips
from engine.toy.by_hand import MOST_RESIDUE, rows_by_hand
from engine.toy.edits import set_value
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.empty_row_policies import empty_case, treatments
from engine.toy.flips import winners
from engine.toy.leaks import MENDS, kept_row_changes, leaks, old_row_gaps, stays_true
from engine.toy.one_cell import derive
from engine.toy.presets import PRESETS
from engine.toy.projection import averaged, slopes
from engine.toy.rules import LITTLE
from engine.toy.scenario import MAX_VALUE
from pages.lessons.attention import sentences as attention_sentences
from pages.lessons.attention import steps as attention_steps
from pages.lessons.attention.cell_in_steps import cell_steps
from pages.lessons.attention.figures import one_head
from pages.lessons.attention.figures.attention_map import STAGES, future, hovering
from pages.lessons.attention.softer import FALLS, RISES, STAYS, softened, softer_case, softer_question
from pages.lessons.attention.steps import values_question, with_value_raised
from pages.lessons.cache import broken_caches as cache_lesson
from pages.lessons.cache import stale_keys, two_runs
from pages.lessons.claims.steps import CLAIMS
from pages.lessons.counting import steps as counting
from pages.lessons.decode import questions as decode_questions
from pages.lessons.decode import split as split_lesson
from pages.lessons.decode import steps as decode
from pages.lessons.less import steps as less_steps
from pages.lessons.less.variants import SINKS, WINDOW, variants
from pages.lessons.logits import challenge as logits_challenge
from pages.lessons.logits import drawing_words, temperature
from pages.lessons.logits import steps as logits_steps
from pages.lessons.logits.figures.flip_lines import nearest_flip
from pages.lessons.logits.nearest_flip import _flip_sentence, _flips_in_words, flip_table, level_names, lines_by_hand
from pages.lessons.logits.temperature import HOT, temperature_question
from pages.lessons.overview.steps import word_question
from pages.lessons.paging import blocks
from pages.lessons.prefill import steps as three_ways
from pages.lessons.prefill.figures.rows_compared import Table, rows_compared
from pages.lessons.prefill.future import who_noticed
from pages.lessons.prefill.questions import mask_question, with_and_without
from pages.lessons.rules import questions as rules_questions
from pages.lessons.rules import sentences as rules_sentences
from pages.lessons.rules.questions import context_case, context_question
from pages.lessons.rules.value_and_weight import weight_case, weight_question
from pages.parts.controls.answer_position import AnswerPosition
from pages.parts.controls.toy import prefill_of
from pages.parts.drawing.machine import in_words
from pages.parts.drawing.sheet import Sheet
from pages.parts.text.claims import on_the_cache
from pages.parts.text.digits import (
    context_of,
    context_text,
    contexts_side_by_side,
    side_by_side,
    threshold_text,
    told_apart,
    weight,
)
from pages.parts.text.format import DRAW_LEVEL, entered, number
from pages.parts.text.softmax_residue import least_change, residue
from pages.parts.text.toy_names import head_names, rule_name
from pages.parts.visit import scenario_query

ANY = st.builds(lambda s, causal: replace(s, causal=causal), scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 7)), st.booleans())
FILL, NAN = replace(TEXT, empty_row="fill"), replace(TEXT, empty_row="nan")
FOUR = replace(TEXT, rules=tuple(Rule(kind) for kind in ("even", "last", "first", "all")), causal=False)


def position(s, at=0):
    """Where a visit stands that has chosen the first word `at` times."""
    made = answer(s.model(), s.prompt_ids, at + 2, chosen_ids=(0,) * (at + 2))
    ids = (*s.prompt_ids, *made.token_ids[: at + 1])
    return AnswerPosition(at, 9, s.model(), made, ids[:-1], ids[-1], tuple(s.id_words[i] for i in ids), ended=False)


def appended(s):
    """Which of the prompt's rows move when one of the words comes after it: (n,)"""
    model, ids = s.model(), s.prompt_ids
    return np.any(
        [row_gaps(recompute(model, ids), recompute(model, (*ids, word))) > ROUNDING for word in range(len(s.words))], axis=0
    )


@given(ANY, st.integers(0, 6), st.floats(-50, 50))
@example(replace(TEXT, rules=(Rule("self"),) * 4, causal=False), 2, 7.0)  # looks ahead nowhere
@example(replace(TEXT, causal=False), 2, TEXT.values[2])  # looks ahead, but nothing is new
@example(CODE, 2, 50.0)  # row 4 goes from 5 to 9 when the text goes on
@example(FILL, 0, 50.0)
@example(replace(TEXT, tokens=("a",), values=(4,)), 0, 4.0)
def test_no_row_sees_ahead(s, token, value):
    token %= len(s.tokens)
    after = set_value(s, token, value)
    moved = (gaps(*(rows.contexts([run(x)]) for x in (s, after))) > 0).any(axis=1)
    said = who_noticed(s, after, token, moved)
    assert (" before “" in said and "changed: " in said) == bool(moved[:token].any())
    assert said.startswith("Nothing stands before") == (token == 0)
    assert not moved[:token].any() or not s.causal or s.empty_row == "fill"
    if "stays true however" in said:
        assert not appended(s).any() and stays_true(s)
    if "does not stay true" in said:
        assert appended(s).any() and not stays_true(s)
    seen = run(s).layers[0].weights[:, :token, token]
    looked = bool((seen > ROUNDING).any())
    assert ("a weight worth naming" in said) <= (not looked) and ("Rows before it give it weight" in said) <= looked
    assert "none of them" not in said and "They" not in said  # after “only from X on” these were the rows from X on
    if "is what it was" in said:
        assert s.values[token] == after.values[token]
    assert "1 rows" not in said and "of the 1 " not in said


@given(ANY)
def test_a_prompt_stays_true_exactly_where_no_word_behind_it_moves_a_row(s):
    assert stays_true(s) <= (not appended(s).any())


@given(ANY, st.integers(0, 2))
@example(FOUR, 0)
@example(FILL, 0)  # only the first row changes: no option was right
@example(NAN, 0)  # none changes: NaN was held against NaN
def test_two_ways_have_one_right_answer_and_name_what_is_to_blame(s, at):
    here = position(s, at)
    question, ids = decode_questions.old_rows_question(s, here), decode_questions.rows_asked(here)
    n = len(ids) - 1
    apart = _plain_row_gaps(s, n, ids)
    hardly, little = decode_questions.rows_hardly_changed(s, apart, 1)
    assert (f"different by more than {entered(little)}?" in question.asked) == bool(little)
    moved = np.flatnonzero((apart > (little or least_change(s))) & ~hardly).tolist()
    assert n == len(s.tokens) + max(0, at - 1)
    assert question.answer == question.options[0 if not moved else 1 if moved == [n - 1] else 2]
    assert ("because" in question.why) <= bool(moved)
    for name, because in decode_questions.LEAKS.items():
        assert (because in question.why) <= (MENDS[name](s) != s)
    assert "1 rows" not in question.why and "by up to NaN" not in question.why


def _plain_row_gaps(s, n, ids):
    """Each old row's contexts and weights before and after, NaN beside NaN being no change: written out once more."""
    before, after = (recompute(s.model(), x).layers[0] for x in (ids[:n], ids))
    found = []
    for i in range(n):
        contexts = zip(before.context[:, i, 0], after.context[:, i, 0], strict=True)
        weights = [(a, b) for h in range(len(s.rules)) for a, b in zip(before.weights[h, i], after.weights[h, i], strict=False)]
        new = [w for h in range(len(s.rules)) for w in after.weights[h, i, n:] if not np.isnan(before.weights[h, i]).all()]
        apart = [0 if a == b or (np.isnan(a) and np.isnan(b)) else abs(a - b) for a, b in (*contexts, *weights)]
        found.append(np.inf if np.isnan([*apart, *new]).any() else max([*apart, *new]))
    return np.array(found)


@given(ANY)
@example(NAN)
def test_old_row_gaps_are_those_written_out(s):
    ids = (*s.prompt_ids, 0)
    np.testing.assert_allclose(old_row_gaps(s, len(s.tokens), ids), _plain_row_gaps(s, len(s.tokens), ids), atol=1e-12)


KEPT = replace(TEXT, values=(0.001, -0.002, 0.0004, 1000), rules=("first", "at:1.2.3", "last", "all"), causal=False,
               empty_row="softmax1", sharpness=2)  # fmt: skip
SAME = replace(TEXT, values=(2, 2, 2, 2), word_values=(2, 2, 2))  # a row more or less, a stale key: all the same 2


@given(ANY)
@example(KEPT)  # 486.63 with the cache, said of a mask that is on and another softmax
@example(SAME)
@example(replace(TEXT, tokens=("a",), values=(-4,), words=("no",), word_values=(-2.5,), w_vocab=((1,),) * 4))
def test_the_stale_key_is_the_links_own_run_or_says_what_was_changed(s):
    found = stale_key(s, 0)
    question, n = cache_lesson.stale_question(s, 0, found), len(s.tokens)
    asked, why = question.asked, question.why
    assert ("the mask on" in why) == (not s.causal) and ("softmax" in why) == (s.empty_row != "soft")
    assert asked.startswith("Give head") == (s.rules[found.head].kind != "last")
    cached, whole = (x.context[found.head, -1, 0] for x in (found.cached, found.whole))
    little = max(ROUNDING, 2e-6 * np.abs(found.values).max())  # what softmax leaks is 0 in both
    assert ("as well" in asked) <= (abs(cached - whole) <= 2 * little) and ("as well" in asked) >= (
        number(cached, 9) == number(whole, 9)
    )
    before, after = told_apart(found.before.context[found.head, -1, 0], found.whole.context[found.head, -2, 0])
    assert (f"moves from {before} to" in cache_lesson._old_row(n, before, after)) == (before != after)


@given(ANY)
@example(SAME)  # "off by up to 2·10⁻¹⁵"
def test_logits_that_are_the_same_to_rounding_are_not_said_to_be_off(s):
    right, more = (recompute(s.model(), (*shifted_ids(s.prompt_ids, x), 0)).logits[-1] for x in (0, 1))
    gap = largest_gap(right, more)
    said = cache_lesson.logits_off({0: 0.0, 1: gap})
    assert ("off by" in said) == (gap > ROUNDING) and ("stay the same" in said) == (gap <= ROUNDING)


def test_counts_with_the_mask_on_say_so_where_it_is_off():
    for s in (TEXT, replace(TEXT, causal=False)):
        assert ("mask on" in counting._counted_or_not(s, 4, 8)) == (not s.causal)


@pytest.mark.parametrize(
    ("s", "named"),
    [(TEXT, ()), (replace(TEXT, causal=False), ("mask",)), (CODE, ("last",)), (FILL, ("fill",)), (NAN, ()),
     (replace(TEXT, rules=(Rule("none"),) * 4, causal=False), ()),
     (replace(TEXT, rules=(Rule("self"),) * 4, causal=False, empty_row="fill"), ("mask",)),
     (replace(TEXT, tokens=("so",), values=(5,), rules=(Rule("even"),) * 4, causal=False, empty_row="fill"), ("mask",))],
)  # fmt: skip
def test_what_lets_a_row_know_the_future_is_named_and_nothing_else(s: Scenario, named):
    assert leaks(s, len(s.tokens), (*s.prompt_ids, 0)) == named


TICK = Scenario(
    ("Tick", "tock"), (-1, 1), ("at:9", "window:1", "previous", "at:3"), ("tick", "tock"), (-1, 1),
    ((1, -1), (-2, 2), (5, -5), (0, 0.001)), sharpness=32, empty_row="softmax1",
)  # fmt: skip
RAIN = Scenario(
    ("Rain", "falls", "Rain", "falls", "hard"), (3, -3, 3, -3, 0), ("previous:2", "window:3", "at:2.4", "none"), empty_row="soft"
)
BIG_SMALL_BIG = Scenario(("big", "small", "big"), (1000, -1000, 999.5), ("all",) * 4)
SMALL = replace(TEXT, values=(0.001, -0.002, 0.0004, 1000), rules=("first", "at:1.2.3", "all", "self"))
ALL_TWO = Scenario(
    ("To", "be", "or", "not", "to", "be"), (2,) * 6, ("self", "all", "even"), ("be", "not", "or"), (2,) * 3,
    ((0.5, 0.5, 0.1), (-0.5, -0.5, 0), (0.1, 0.1, 3)),
)  # fmt: skip
LEVEL = replace(TEXT, values=(0, 0, 0, 0))  # all logits 0: every flip lies at the present value
ALIKE = replace(TEXT, w_vocab=((1, 1, 0),) * 4)  # the first two words are level whatever the values are
ONE = replace(TEXT, tokens=("a",), values=(4,), rules=(Rule("all"),), w_vocab=((1, 1, 0),))


@given(scenarios(tuple(kind for kind in KINDS), ("none", "soft", "softmax1", "fill"), st.integers(1, 6)))
@example(LEVEL)
@example(ALIKE)
def test_the_nearest_flip_lies_where_it_is_said_to_lie(s):
    lines, now = flip_table(s, run(s)), run(s)
    said, logits = _flip_sentence(s, now, lines), now.logits[-1]
    nearest = nearest_flip(lines, s.values)
    level = logits >= logits.max() - 1e-9 * (1 + abs(logits).max())
    assert ("level" in said) == (level.sum() > 1)
    if nearest is None:
        assert ("wins" in said) == (level.sum() == 1)
        return
    token, value, word, above = nearest
    assert ("Above" in said) == above and ("Below" in said) == (not above)
    by_hand, all_slopes = lines_by_hand(s, now)
    np.testing.assert_allclose(by_hand, logits, atol=LITTLE * max(1.0, *np.abs(s.values)) * np.abs(s.w_vocab).sum())
    np.testing.assert_allclose(all_slopes, slopes(now.layers[-1], logits_steps.matrix(s)), atol=LITTLE * np.abs(s.w_vocab).sum())
    logits, slope = by_hand, all_slopes[token]
    beyond = logits + slope * (value - s.values[token] + (1e-3 if above else -1e-3) * (1 + abs(value)))
    assert beyond[word] > beyond[lines[token].now] and lines[token] == winners(logits, slope, s.values[token], MAX_VALUE)


@given(scenarios(n_tokens=st.integers(1, 6)))
@example(LEVEL)
@example(ALIKE)
@example(replace(TEXT, w_vocab=((0, 1e-6, 0),) * 4))  # “which is 0 short”
@example(replace(TEXT, values=(1000, 1000, 1000, 1000), w_vocab=((900, 1, 0),) * 4))  # 1.0e+304 fell to 1.0e+304
def test_the_odds_fall_where_the_logits_are_apart_and_draw_level_where_they_are_not(s):
    why, logits = temperature_question(s).why, np.sort(run(s).logits[-1])
    assert "e+" not in why
    if len(logits) > 1:
        gap = logits[-1] - logits[-2]
        assert ("two are level" in why) <= (gap <= 1e-9 * (1 + abs(logits).max())) and ("fall from" in why) <= (
            np.exp(min(gap, 600) / HOT) > 1
        )
        if "fall from" in why:
            *_, before, after = re.split("[=≈] ", why)  # ≈ where the gap as it is written has other digits
            assert before.split(" to ")[0] != after.split(".")[0]
    standing = attention_sentences.unedited_takeaway(s, run(s), probabilities(run(s).logits[-1]))
    assert ("next words: " in standing) == (likeliest(run(s).logits[-1])[1:] != [])
    wins = logits_challenge.who_wins(s, run(s).logits[-1])
    assert wins.endswith(" wins") == (len(logits) == 1 or logits[-1] - logits[-2] > 1e-9 * (1 + abs(logits).max()))
    assert "**0 short" not in wins and "is 0 short" not in _challenged(s)


@given(scenarios(n_tokens=st.integers(1, 6)), st.integers(2, 4), st.integers(1, 3))
@example(LEVEL, 2, 1)
@example(ALIKE, 2, 1)  # “the right word is x”, and y, with the same logit, was wrong
@example(replace(TEXT, tokens=("a", "b"), values=(0, 6)), 2, 1)
def test_words_that_draw_level_are_none_of_them_the_likeliest(s, newest, first):
    toy = less_steps.Toy(s, run(s), "")
    shown = variants(s.model(), toy.ids, newest, first, "tensor")
    question, said = less_steps.sink_question(toy, shown), less_steps.near_or_right(shown[""], shown[WINDOW], shown[SINKS])
    assert question.answer == (DRAW_LEVEL if len(shown[SINKS].level) > 1 else s.words[shown[SINKS].token_id])
    assert question.answer in question.options
    assert question.asked.count("draw level") == sum(len(shown[key].level) > 1 for key in ("", WINDOW))
    assert (" wins" not in said and " word is " not in said) or all(len(shown[key].level) == 1 for key in ("", WINDOW, SINKS))
    numbers = re.search(r"from (\S+) to \*\*(\S+)\*\*", said)
    assert not numbers or numbers[1] != numbers[2]
    if max(shown[key].error.contexts for key in (WINDOW, SINKS)) <= ROUNDING:
        assert "·10" not in said


def _challenged(s):
    return logits_challenge.challenge(s, logits_steps.last_contexts(run(s)), run(s).logits[-1], 0, 0)[0]


@given(scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 6)))
@example(replace(TEXT, rules=(Rule("none"),) * 4))
@example(replace(TEXT, sharpness=float(np.log(2) / 2)))
@example(TICK)  # "computed: it falls. It stays 1."
def test_softer_scores_have_one_right_answer_and_say_none_where_no_context_is(s):
    question, head = softer_question(s, run(s)), softer_case(s, run(s))
    before, after = (run(x).layers[0] for x in (s, softened(s)))
    none = before.empty[head, -1]
    assert ("is none." in question.asked) == none and (not none or before.empty[:, -1].all())
    a, b = (layer.context[head, -1, 0] for layer in (before, after))
    assert question.answer == (STAYS if np.isnan(b) or abs(b - a) < 5e-5 else FALLS if b < a else RISES)
    assert ("It stays" in question.why) == (question.answer == STAYS)
    assert "It becomes" not in question.why or f"It becomes {number(a, 3)}. A" not in question.why


@given(scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 6)))
@example(replace(TEXT, empty_row="softmax1", sharpness=1.0))
@example(ONE)
@example(replace(ONE, empty_row="softmax1", sharpness=1.0))
def test_a_weight_that_is_lost_is_put_down_to_whom_it_went(s):
    case, head, row = context_case(s)
    layer, why = run(case).layers[0], context_question(s).why
    ones, others = "1 in the denominator" in why, "do not match a trace" in why
    scored = layer.scores[head, row][layer.mask[head, row]]
    assert ones <= (layer.weights[head, row].sum() < 1) and ones <= (s.empty_row == "softmax1")
    assert others <= bool((scored < 0).any())
    case, head, low, high = weight_case(s)
    said, weights = weight_question(s), run(case).layers[0].weights[head, -1]
    assert said.why.startswith("Both get" if low != high else "It gets")
    if low == high:
        assert f"its weight is {number(weights[low], 4)}." in said.asked


@given(scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 6)))
@example(LEVEL)
@example(ALIKE)
def test_words_that_draw_level_are_no_winner_of_the_first_vote(s):
    """“You predicted y; computed: x. Its chance is 50.0%, “y” 50.0%.”"""
    question, logits = word_question(s, run(s)), run(s).logits[-1]
    assert question.answer in question.options
    if np.isfinite(logits).all():
        level = len(likeliest(logits)) > 1
        assert (question.answer == DRAW_LEVEL) == level == ("draw level" in question.why)


def test_the_scenarios_that_are_offered_have_a_likeliest_word_and_no_option_for_a_draw():
    for s, _ in PRESETS.values():
        question = word_question(s, run(s))
        assert DRAW_LEVEL not in question.options and question.answer in question.options


@given(scenarios(KINDS, ("none", "soft", "softmax1", "fill"), st.integers(2, 6)))
@example(ALL_TWO)  # "be beats or", where "not" did as well
def test_a_flip_names_all_words_that_win_by_it(s):
    lines = flip_table(s, run(s))
    nearest = nearest_flip(lines, s.values)
    if nearest is None:
        return
    token, _, word, _ = nearest
    slope, w = slopes(run(s).layers[-1], logits_steps.matrix(s))[token], np.array(s.w_vocab)
    twins = {s.words[k] for k in range(len(s.words)) if (w[:, k] == w[:, word]).all()}
    ahead = re.search(r"\*\*([^*]+)\*\* beats? ", _flip_sentence(s, run(s), lines))[1]
    assert twins <= {said.strip("“”") for said in re.split(", | and ", ahead)} and abs(slope[word] - slope[lines[token].now]) > 0


@given(scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 6)))
@example(TICK)  # 7 of 8: five of them by 1.3e-12
@example(RAIN)
def test_as_many_contexts_change_as_two_decimals_show_and_it_is_said_where_others_leak(s):
    edited = with_value_raised(s, prefill_of(s), 0)
    apart = gaps(*(prefill_of(x).layers[0].context for x in (s, edited)))
    said = values_question(s, prefill_of(s), 0).why
    plain, leaked = int((apart >= 0.005).sum()), int(((apart < 0.005) & (apart > ROUNDING)).sum())
    assert plain == 0 or apart.size == 1 or f" {plain} of the {apart.size} " in said
    assert ("by less than" in said) == bool(leaked and not plain) and ("or more" in said) == bool(
        plain and leaked and apart.size > 1
    )
    assert "of the 1 " not in said


@given(scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 6)))
@example(SMALL)  # "“four” looks at “one”, worth 0, and at “two”, worth 0"
@example(BIG_SMALL_BIG)  # "“big”, worth only 999.5, and “big”, worth 1000"
def test_what_somebody_typed_is_no_0_unless_it_is_and_a_word_that_comes_again_has_its_position(s):
    said = weight_question(s)
    case, _, low, high = weight_case(s)
    if low != high:
        for j in (low, high):
            assert f"worth {entered(case.values[j])}" in said.asked
            assert (entered(case.values[j]) == "0") == (case.values[j] == 0)
            assert (f"“{s.tokens[j]}” (position {j + 1}), worth" in said.asked) == (s.tokens.count(s.tokens[j]) > 1)
    edited = with_value_raised(s, prefill_of(s), 0)
    assert f"were it {entered(edited.values[attention_steps.changed_token(s, edited)])}, " in values_question(s, run(s), 0).why
    for head, row in np.ndindex(len(s.rules), len(s.tokens)):
        for look in rows_by_hand(run(s).layers[0], row)[head : head + 1]:
            text = rules_sentences.line(look, s.empty_row)[0]
            assert " = 0, softened" not in text or look.average == 0  # "only 0.001 = 0, softened"
            assert len(look.seen) > 5 or all(entered(s.values[j]) in text for j in look.seen)


@given(scenarios(KINDS, tuple(EMPTY_ROW), st.integers(1, 7)))
@example(TICK)  # "head 1 has no context for it", and then "gives the contexts 0, 1, −1 and 0"
@example(Scenario(("a", "b", "c", "d", "e"), (1, 2, 4, 8, 16), ("previous:2", "odd"), w_vocab=((1, 0, 0),) * 2, sharpness=0.5))
def test_a_row_takes_its_largest_share_by_name_and_has_a_context_unless_it_is_none(s):
    layer = run(s).layers[0]
    for head, row in np.ndindex(len(s.rules), len(s.tokens)):
        said, weights = attention_sentences.one_row(s, run(s), head, row), layer.weights[head, row]
        assert ("has no context" in said) == layer.empty[head, row]
        assert ("not a number" in said) == bool(np.isnan(layer.context[head, row, 0]))
        if "more share" in said:
            assert f"“{s.tokens[int(np.argmax(weights))]}”" in said


@given(scenarios(KINDS, ("none", "soft", "softmax1", "fill"), st.integers(1, 6)))
@example(LEVEL)
@example(ALL_TWO)
@example(RAIN)
def test_who_wins_by_the_mean_is_read_off_logits_that_tell_it(s):
    """Three logits of 0, and “delicious” won."""
    context = averaged(logits_steps.last_contexts(run(s)))
    logits = context @ logits_steps.matrix(s)
    said = [drawing_words._small_too(x, 4) for x in logits]
    if len(likeliest(logits)) == 1 and len(logits) > 1 and np.abs(logits).max() > 1e-8:
        assert set(said) != {"0"}
    assert drawing_words._winners(s, logits).endswith("level") == (len(likeliest(logits)) > 1)


def test_without_the_mask_all_products_count_and_the_long_prompt_says_that_it_has_one():
    off, on = ({"mask": "off"}, {})
    assert says(text(visited("prefill", off)), "causal mask", "off", "every cell")
    assert not says(text(visited("prefill", on)), "every cell counts")
    assert any(says(alt, "All at once", "1 pass") and "with the causal mask" in alt for alt in alts(visited("prefill", off)))


def test_rows_that_only_rounding_moves_did_not_change():
    """“Rows that changed: To, or and to”, the last two by 2e-16."""
    at = visited("prefill", scenario_query.to_query(ALL_TWO))
    commit(at, "mask", "none")
    (alt,) = (alt for alt in alts(at) if "With mask off the row" in alt)
    assert says(alt, "changed", "“To”.") and "“or”" not in alt
    assert "both rows" in text(at) and "all 2 rows" not in text(at)


def test_of_words_that_draw_level_none_wins_and_the_first_is_not_said_to_be_taken():
    """“was wins with logit 3” and “the toy takes the first of them”, is: they are level, and rounding takes the second."""
    s = Scenario(("he", "she", "it"), (5, 5, 5), ("even", "self"), ("is", "was"), (5, -5), ((0.7, 0.2), (-0.1, 0.4)), sharpness=0.6,
                 empty_row="soft", causal=False)  # fmt: skip
    assert len(likeliest(run(s).logits[-1])) == 2 and np.argmax(run(s).logits[-1]) == 1
    challenged = _challenged(s)
    assert "wins with" not in challenged and "wins alone. " in challenged
    assert "takes the first" in word_question(s, run(s)).why


def test_words_that_draw_level_are_named_together_where_a_page_is_read_aloud():
    """“Next word x, 50%”, of two words that had as much."""
    s = Scenario(("A", "B", "C"), (0, 6, 0), ("all", "first"), ("x", "y"), (4, 4), ((1, 1), (-1, -1)), sharpness=1)
    said = attention_sentences.map_in_words(s, run(s), probabilities(run(s).logits[-1]))
    assert says(said, "next word", "“x” and “y”", "level", "50.0%")
    at = visited("overview", scenario_query.to_query(s), slide=1)
    assert says(commit(at, "word", DRAW_LEVEL), "draw level", "50.0%", "each")


def test_a_single_token_and_a_single_word():
    one = Scenario(("Hm",), (-4,), ("previous",), ("no",), (-2.5,), ((-0.7,),))
    query = scenario_query.to_query(one)
    at = visited("attention", query)
    assert "none**" in seen(at) and "= **none**" not in seen(at)
    assert all("context of the row none" in alt for alt in alts(at) if "context of the row" in alt)
    at = visited("prefill", query)
    commit(at, "products", "fewer")
    assert any(says(alt, "1 product", "counts of 1") for alt in alts(at))
    assert any("the row “Hm” is none" in alt for alt in alts(at)) and not any("the row “Hm” is 0" in alt for alt in alts(at))
    assert says(text(visited("logits", query)), "only candidate") and "put in by hand" not in text(visited("logits", query))
    assert "head in one layer works on it" in text(visited("overview", query))


def test_a_rule_that_matches_nothing_is_said_to_once_and_many_positions_are_positions():
    s = replace(TEXT, rules=("previous:3", "at:1.2.3"), w_vocab=((1, 0, 0),) * 2, causal=False)
    case, head, row = empty_case(s)
    said = rules_sentences.why_empty(s, case, head, row)
    assert says(said, "no token", "matches") and "does not match" not in said
    assert rule_name(s.rules[1]) == "positions 1, 2, 3" and rule_name(Rule("at", positions=(2,))) == "position 2"


THOUSANDTHS = replace(
    TEXT, tokens=("the", "the"), values=(0.001, 0.001), rules=("self", "last", "all"), w_vocab=TEXT.w_vocab[:3], causal=False,
    sharpness=0.01,
)  # fmt: skip
SIXTEEN = Scenario(
    [f"t{i}" for i in range(16)], (1000, -1000, 1000, -1000, 999, -999, 500, -500, 250, -250, 1000, 1000, -1000, -1000, 0.5, -0.5),
    ("all", "none", "even", "odd", "first", "self", "last", "window:16"), w_vocab=(*TEXT.w_vocab, *((0.1,) * 3,) * 4), sharpness=32,
)  # fmt: skip


@given(scenarios(KINDS, ("none", "soft", "softmax1", "fill"), st.integers(1, 6)))
@example(SIXTEEN)  # “Below −24 for “a1”, nice and warm beat nice and warm”
@example(replace(THOUSANDTHS, values=(0.333, 0.2), sharpness=1))
def test_no_word_beats_itself_and_halves_are_halves(s):
    said = _flip_sentence(s, run(s), flip_table(s, run(s)))
    sides = re.search(r"\*\*, \*\*(.+?)\*\* beats? (.+?): one", said)
    assert not sides or not set(re.split(", | and ", sides[1])) & set(re.split(", | and ", sides[2]))
    why = temperature_question(s).why
    halved = re.search(r"[=≈] (\S+) becomes (\S+?), so", why)  # “0.15 − 0.14 = 0.01 becomes 0.01”
    assert not halved or halved[1] == "0" or halved[1] != halved[2]
    assert " − −" not in why and ("stay at" in why) == (len(s.words) > 1 and len(likeliest(run(s).logits[-1])) > 1)


@given(scenarios(KINDS, ("none", "soft", "softmax1", "fill"), st.integers(1, 6)))
@example(THOUSANDTHS)  # “the sums are nice 0, warm 0 and delicious 0”, and delicious is right
@example(replace(TEXT, tokens=("so",), values=(-3,), rules=("all", "none", "previous"), words=("yes", "no"), word_values=(2, -2),
                 w_vocab=((1, 1), (0, 2), (3, 0)), empty_row="softmax1"))  # fmt: skip
def test_logits_that_differ_are_written_so_that_one_sees_it(s):
    logits = run(s).logits[-1].tolist()
    written = side_by_side(logits)
    near, apart_by = 1e-9 * (1 + max(map(abs, logits))), 2e-9
    for a, said in zip(logits, written, strict=True):
        for b, other in zip(logits, written, strict=True):
            assert (said == other) <= (abs(a - b) <= apart_by + near) and (said != other) <= (abs(a - b) > near)


def test_contexts_as_small_as_the_values_are_not_written_0():
    shown = "\n".join([text(at := visited("rules", scenario_query.to_query(THOUSANDTHS))), *alts(at)])
    assert "context 0.001" in shown and "context 0;" not in shown


def test_a_number_that_rounding_could_swallow_is_0():
    assert Scenario(values=(1e-7, -1e-12, 1e-6, 5)).values == (0, 0, 1e-6, 5)


@pytest.mark.parametrize("s", [THOUSANDTHS, replace(NAN, rules=("previous", "self"), w_vocab=TEXT.w_vocab[:2])])
def test_a_row_that_is_nan_with_the_mask_and_without_stays(s):
    """“changed, to NaN” of a row that was NaN and is none any more, or that is NaN with the mask and without."""
    before, after = with_and_without(replace(s, empty_row="nan"))
    layers = [run(x).layers[0] for x in (before, after)]
    tables = [rows.contexts([run(x)]) for x in (before, after)]
    changed, sees = gaps(*tables) > ROUNDING, [layer.mask[0] for layer in layers]
    shown = [Table(t, x.empty.T, "", look, sees[0] != sees[1]) for t, x, look in zip(tables, layers, sees, strict=True)]
    drawn = list(
        rows_compared(Sheet(), tuple(shown), (changed, np.zeros(len(s.tokens), bool)), s.tokens, [str(rule) for rule in s.rules])
        .data[-1]
        .text
    )
    assert drawn.count("<b>new</b>") <= changed.any(axis=1).sum() and "<b>NaN</b>" not in drawn


def test_a_mask_that_is_off_is_not_supposed_to_be():
    assert "Suppose" in mask_question(TEXT).asked and "Suppose" not in mask_question(replace(TEXT, causal=False)).asked


def test_softmax1_hands_out_more_than_hardly_any_weight_where_scores_are_low():
    for sharpness in (0.05, 8):
        s = replace(TEXT, rules=("none",) * 4, empty_row="softmax1", sharpness=sharpness)
        (row, *_) = rows_by_hand(run(s).layers[0], 0)
        assert weight(row.weights.sum()) in rules_sentences.line(row, "softmax1")[0]
        assert ("denominator" in softer_question(s, run(s)).why) and "denominator" not in softer_question(TEXT, run(TEXT)).why


def test_tiles_that_are_larger_than_the_map_save_nothing():
    for tokens, saves in (("64", False), ("100000", True)):
        with all_answered():
            shown = text(visited("tiles", {"p": tokens}))
        assert ("what is saved is memory" in shown) == saves


NO_LOGIT = replace(TEXT, rules=("none", "all"), w_vocab=TEXT.w_vocab[:2], empty_row="nan")
LOW = replace(TEXT, rules=("even", "odd", "self", "none"), empty_row="softmax1", sharpness=0.3)


def test_where_no_logit_is_a_number_none_stays_the_same_and_no_step_follows():
    at = visited("cache", scenario_query.to_query(NO_LOGIT))
    assert "stay the same" not in text(at) and "7 passes" not in text(at) and "2 passes" in text(at)
    with all_answered():
        assert not any("time: ." in alt for alt in alts(visited("decode", scenario_query.to_query(NO_LOGIT))))


@pytest.mark.parametrize(
    ("s", "another"), [(TEXT, False), (NO_LOGIT, True), (LOW, True), (replace(TEXT, empty_row="soft"), False)]
)
def test_tiles_say_where_softmax_alone_is_not_what_the_scenario_has(s, another):
    """“The context is −17.049, that of the whole row at once”, of a row whose context is −13.32."""
    assert ("another way" in text(visited("tiles", scenario_query.to_query(s) | {"tile": "9"}, slide=1))) == another


def test_weight_that_is_no_trace_is_not_called_one_and_one_value_is_not_its_own_sum():
    for s in (LOW, replace(TEXT, sharpness=0.5)):
        shown = text(visited("rules", scenario_query.to_query(s))) + "".join(alts(visited("rules", scenario_query.to_query(s))))
        assert "trace of weight" not in context_question(s).why + shown and not re.search(r"only (\S+) = \1", shown)


def test_a_cache_of_one_head_is_not_shared():
    one = scenario_query.to_query(replace(TEXT, rules=("all",), w_vocab=TEXT.w_vocab[:1]))
    said = text(visited("cache", one | {"step": "1"}))
    assert "65 numbers" in said and "shared" not in said


SOFT_NAN = replace(TEXT, tokens=("up", "down"), values=(0.5, -0.25), rules=("previous", "none", "odd"), w_vocab=TEXT.w_vocab[:3],
                   causal=False, empty_row="nan")  # fmt: skip
TINY = Scenario(("long", "name", "x"), (0.001, -0.002, 0.0005), ("first", "even"), ("on",), (-0.001,), ((3,), (-2,)), sharpness=4,
                empty_row="softmax1")  # fmt: skip


@given(ANY)
@example(SOFT_NAN)  # “do not agree: the largest difference is 0”, which was 8.4·10⁻⁸
def test_ways_that_do_not_agree_differ_by_more_than_nothing(s):
    gap = max(three_ways.story.difference(s, three_ways.in_chunks(s, n), (run(s),)) for n in (1, 2))
    if not three_ways.story.is_rounding(gap, run(s)):
        assert "difference is 0." not in plain(three_ways._why_not(s, gap))


@given(ANY)
@example(TINY)  # “0” of 0.001 in the table, “0 patched” of −0.001, “its logit: on 0” of 0.005, “the same mean, 0”
def test_what_is_not_nothing_is_not_written_0(s):
    case, head, row = empty_case(s)
    for t in treatments(case, head, row):
        assert rules_sentences.treated(t.policy, t.context, t.largest) not in ("0", "−0") or not abs(t.context) >= 5e-5
    layers = (stale_key(s, 0).whole, stale_key(s, 0).patched)
    whole, patched = side_by_side([layer.context[stale_key(s, 0).head, -1, 0] for layer in layers])
    assert whole == patched


def test_small_values_are_written_where_they_stand():
    with all_answered():
        shown = {name: visited(name, scenario_query.to_query(TINY)) for name in ("rules", "cache", "less", "logits")}
        said = {name: plain(text(at)) for name, at in shown.items()}
    case, head, row = empty_case(TINY)
    table = rules_sentences.table(TINY, case, head, row, treatments(case, head, row))
    assert "| Softmax over what is visible | 0.001 | 0.001 |" in table
    assert any("set to −1, gives −0.001" in plain(one.help or "") for one in shown["cache"].markdown)
    assert not re.search(r"its logit: on 0[.](?!\d)", said["less"]) and "same mean, 0." not in said["logits"]
    assert "“x” 0.0005" in said["logits"]


def test_what_softmax_takes_away_is_seen_where_the_answer_shows_it():
    """Nothing of it beside the 0.0194 that is 0.02 by hand."""
    s = Scenario(("a", "b") * 3, (0.02, -0.02) * 3, ("even", "odd"), ("on",), (1,), ((1,), (1,)), sharpness=2, empty_row="soft")
    question = context_question(s)
    assert number(question.answer, 4) != "−0.02" and "makes it −0.019" in question.why
    assert "makes it" not in context_question(TEXT).why


@given(ANY)
@example(replace(SAME, causal=False))  # “every row”, for the last token is the last
def test_where_the_mask_changes_no_context_that_is_said(s):
    if len(s.tokens) > 1:
        question = mask_question(s)
        assert ("No context changes here" in question.why) == (question.answer == "every row")


def test_a_mean_is_said_of_the_contexts_that_have_it():
    """“Values 17, 20, 1, 0 have the same mean, 9.125”: their own is 9.5."""
    found = find("average", TEXT)
    said = CLAIMS["average"].why(found)
    assert "9.125 for each head" in said and "a prompt with the values 17, 20, 1, 0 gives contexts of the same mean" in said


def test_one_token_is_not_all_of_them():
    one = replace(TEXT, tokens=("a",), values=(4,), causal=False, empty_row="fill", rules=("even",) * 4)
    assert "the only token" in text(visited("rules", scenario_query.to_query(one))) and "all 1" not in text(
        visited("rules", scenario_query.to_query(one))
    )
    assert "all 1" not in rules_questions.empty_question(one).answer


def test_a_claim_names_the_value_that_was_typed():
    shown = CLAIMS["values"].lines(find("values", TINY))[-1]
    assert "value 0.0005" in shown.name
    assert "1,088" in CLAIMS["values"].why(find("values", replace(TEXT, tokens=("a",) * 16, values=(1,) * 16, rules=("all",) * 8,
                                                                  w_vocab=TEXT.w_vocab * 2)))  # fmt: skip


def test_an_answer_of_one_token_is_one_pass_everywhere():
    with all_answered():
        shown = visited("counting", {"p": "1", "g": "1"})
        assert "one pass, with a cache and without" in text(shown) and not any("each later one" in alt for alt in alts(shown))
        shown = plain(text(visited("overview", {"g": "1"})))
    assert "and one word comes out" in shown and "every pass takes one" not in shown


def test_logits_that_are_no_numbers_are_not_off_by_0():
    with all_answered():
        shown = visited("cache", scenario_query.to_query(NO_LOGIT))
        assert not any("off by 0" in alt for alt in alts(shown))
        assert "give **the same words**" not in text(shown) and "NaN in the same places" in text(shown)
        assert "give **the same words**" in text(visited("cache"))


def test_pages_of_logits_that_are_no_numbers_are_not_equal_to_the_last_bit():
    for s, said in ((NO_LOGIT, "NaN in the same places"), (TEXT, "equal to the last bit")):
        frame = blocks.story(s, 4)[1]
        assert said in blocks.pool_said(frame)


@given(ANY)
@example(FILL)  # “its weight exactly 0” of 0.25
@example(NAN)
def test_a_hidden_token_has_the_weight_that_is_said(s):
    layer = run(s).layers[0]
    for head, row, key in np.argwhere(~layer.mask):
        said = " ".join(cell_steps(s, derive(layer, head, row, key), head, row, key))
        assert ("exactly **0**" in said) == (layer.weights[head, row, key] == 0)
        assert ("becomes **−∞**" in said) == (s.empty_row != "fill") and ("becomes **−10⁹**" in said) == (s.empty_row == "fill")


def test_the_maps_show_the_weight_that_leaks_to_a_hidden_token():
    for s, sign in ((FILL, "−10⁹"), (TEXT, "−∞")):
        at = visited("attention", scenario_query.to_query(s) | {"slide": "1"})
        drawn = str(figures(at)[0][0])
        assert (sign in drawn) and ({"−10⁹": "−∞", "−∞": "−10⁹"}[sign] not in drawn)


@given(ANY)
@example(FILL)
@example(NAN)  # “0, hidden by the mask” of NaN
def test_hovering_says_0_of_what_the_mask_hides_only_where_the_weight_is_0(s):
    layer = run(s).layers[0]
    said = hovering(STAGES.index("weights"), layer, s.tokens, head_names(s))
    n_head, n, _ = layer.mask.shape
    assert {len(row) for row in said} == {n_head * (n + 1) - 1} and not any(text for row in said for text in row[n :: n + 1])
    for head, row, key in np.argwhere(~layer.mask):
        assert said[row][head * (n + 1) + key].endswith("0, hidden by the mask") == (layer.weights[head, row, key] == 0)


def test_maps_of_a_mask_that_is_off_do_not_say_that_the_future_is_hidden():
    """“future −∞” above scores of which none is."""
    off = scenario_query.to_query(replace(TEXT, causal=False))
    for lesson_step in ("1", "2", "3"):
        drawn = str(figures(visited("attention", off | {"slide": lesson_step}))[0][0])
        assert "−∞" not in drawn and (lesson_step == "2" or "hidden" in drawn or "hides none" in drawn)
    for s, said in ((replace(TEXT, causal=False), "nothing hidden"), (TEXT, "future −∞"), (FILL, "future −10⁹")):
        assert future(run(s).layers[0]) == said  # on a phone too


def test_all_that_moves_rows_between_two_ways_is_named():
    """“Differ by up to 3.5, because the mask is off”, where a decoded row also had a key that said “I am the last”."""
    s = Scenario(
        ("a", "b", "a", "c", "a", "b", "a"), (1.5, 2.5, 1.5, -3.5, 1.5, 2.5, 1.5), ("first", "self", "last", "even"),
        ("b", "c"), (2.5, -3.5), ((0.2, 0.4), (0.5, -0.2), (0.15, 0.05), (-0.3, 0.25)), causal=False,
    )  # fmt: skip
    said = split_lesson._split_caption(s, 3, (*s.prompt_ids, len(s.prompt_ids)), 3.5)
    assert "the mask is off" in said and "“I am the last”" in said
    self = replace(s, rules=("first", "self", "self", "even"))
    assert "I am the last" not in split_lesson._split_caption(self, 3, (*s.prompt_ids, len(s.prompt_ids)), 1.5)


def test_a_word_that_was_level_already_is_not_another_one():
    """“Other logits and another word” of high and home, level, against home; and “high becomes low” where home was as likely."""
    s = Scenario(
        ("up", "we", "go"), (10, 20, 30), ("previous", "even", "all"), ("high", "low", "home"), (15, 5, 25),
        ((0.2, 0.4, 0.1), (0.5, 0.2, 0.3), (0.3, 0.3, 0.6)),
    )  # fmt: skip
    assert drawing_words.mean_question(s).answer == "other logits, and not the same words ahead"
    assert drawing_words.mean_question(TEXT).answer == "other logits and another word"
    level = replace(TEXT, w_vocab=((1, 1, 1), (2, 2, 2), (3, 3, 3), (-1, -1, -1)))  # “the same word” of three that draw level
    assert "same word" not in drawing_words.mean_question(level).answer.replace("the same words", "")
    found = find("attention_finds_the_word", s)
    assert found.scenario != s and len(likeliest(np.array(found["logits"]))) == 1


@pytest.mark.parametrize("s", [TEXT, CODE, FILL, replace(TEXT, causal=False), replace(CODE, empty_row="fill", causal=False)])
def test_a_cache_is_called_right_where_it_gives_what_is_computed_anew(s):
    """“Right: 6.5” of a context that is 3: the cached key of the last token was true no more."""
    made = answer(s.model(), s.prompt_ids, 2)
    new = recompute(s.model(), (*s.prompt_ids, made.token_ids[0]))
    same = np.allclose(made.passes[1].layers[0].context[:, -1], new.layers[0].context[:, -1], atol=ROUNDING)
    (alt,) = (alt for alt in alts(visited("cache", scenario_query.to_query(s), slide=5)) if "one row missing" in alt)
    assert ("; right: logits off by 0" in alt) == same and ("as many rows as tokens" in alt) != same


def test_a_flip_far_from_all_that_can_be_typed_is_not_written_out():
    """“Above 100,000,018.8” of values that go from −1,000 to 1,000."""
    s = replace(
        TEXT, values=(1, 10, 100, 1000), rules=("even", "previous:3"), w_vocab=((0.001, 0.002, 0), (0.3, 0.1, -0.2)), sharpness=6
    )
    (alt,) = (alt for alt in alts(visited("logits", scenario_query.to_query(s))) if "moving one token alone" in alt)
    assert not re.search(r"\d,\d{3},", alt)


def test_a_flip_beside_the_present_value_is_told_from_it():
    """“Above −40 for hot, cool beats warm”, which is worth −40 and where warm wins."""
    s = Scenario(("hot", "cold", "hot"), (-40, 40, -40), ("odd", "first", "self", "all"), ("warm", "cool"), (-40, 40),
                 ((0.1, 0.100001), (-0.2, 0.3), (0.3, -0.2), (1, 1)))  # fmt: skip
    said = plain(_flip_sentence(s, run(s), flip_table(s, run(s))))
    assert "Above −39.999" in said and "Above −40 " not in said


def test_odds_that_are_written_with_a_rounded_exponent_are_about_what_they_are():
    """“e⁸ = 2978.81” of a gap of 7.9993; e⁸ is 2980.96."""
    assert "e⁸ ≈ 2,979" in temperature._halved(np.array([1.95643, 9.95571])) and "≈" not in temperature_question(TEXT).why


def test_all_heads_that_have_the_articles_key_are_named():
    s = replace(TEXT, rules=("even", "last", "all", "last"))
    asked = cache_lesson.stale_question(s, 0, stale_key(s, 0)).asked
    assert asked.startswith("Heads 2 and 4 have the key") and "head 2’s context is" in asked
    assert "The keys of heads 2 and 4 say" in text(visited("cache", scenario_query.to_query(s), slide=3))
    assert "The key of head 2 says" in text(visited("cache", scenario_query.to_query(CODE), slide=3))
    assert cache_lesson.stale_question(CODE, 0, stale_key(CODE, 0)).asked.startswith("Head 2 has the key")


def test_words_that_draw_level_have_no_highest_logit():
    level = replace(TEXT, values=(3,) * 4, word_values=(3,) * 3, w_vocab=((1, 1, 1),) * 4, rules=("all",) * 4)
    with all_answered():
        assert "same words draw level either way" in text(visited("less", scenario_query.to_query(level), slide=1))


def test_blocks_are_asked_of_the_words_that_lie_in_them():
    """“3 words each” of answers whose third word had been fed back too: 3 words of an answer leave 2 rows."""
    for n in (2, 4, 5, 9):
        s = replace(TEXT, tokens=("a",) * n, values=(1,) * n)
        question = blocks.answers_question(s, 4)
        assert "3 words of each have been fed back in" in question.asked
        assert question.why.startswith(f"4 × {-(-(n + 3) // 4)} =") and question.answer <= 4 * -(-(n + 3) // 4)


@given(ANY)
@example(Scenario(("a", "b"), (1000, -1000), ("all", "last"), causal=False, empty_row="soft", w_vocab=TEXT.w_vocab[:2]))
def test_what_moves_rows_is_all_that_moves_them_in_any_head(s):
    """Of the mask that is off and a key that says “I am the last” only the one that moved a row further was named."""
    n, ids = len(s.tokens), (*s.prompt_ids, 0)
    heads = [replace(s, rules=(rule,), w_vocab=(row,)) for rule, row in zip(s.rules, s.w_vocab, strict=True)]
    assert set(leaks(s, n, ids)) == {name for head in heads for name in leaks(head, n, ids)}


@given(ANY, st.integers(1, 6))
@example(Scenario(("sun",), (1000,), ("last", "first"), w_vocab=TEXT.w_vocab[:2], sharpness=2, empty_row="soft"), 1)
def test_ways_that_differ_have_a_named_reason(s, split):
    """“Because a row knows of later tokens”: no row of one token does, its key says “I am the last” when it is not."""
    ids, split = (*s.prompt_ids, 0), min(split, len(s.tokens))
    said = split_lesson._split_caption(s, split, ids, float(rows.pass_gaps(*split_lesson.both_ways(s, split, ids)).max()))
    assert "a row knows of later tokens" not in said
    one_by_one = three_ways.story.difference(s, three_ways.in_chunks(s, 1), (run(s),))
    if not three_ways.story.is_rounding(one_by_one, run(s)):
        assert "a row depends on" not in three_ways._why_not(s, one_by_one).lower()


@given(ANY, st.integers(0, 3))
@example(CODE, 1)
def test_as_many_rows_should_not_stay_as_change(s, word):
    """“The rows above it stay as they are, but they should not”, of six of which one would change."""
    n, ids = len(s.tokens), (*s.prompt_ids, word % len(s.words))
    said, changed = decode._rows_above(s, n, ids), int((_plain_row_gaps(s, n, ids) > ROUNDING).sum())
    assert ("should not" in said) == bool(changed)
    if changed:
        of = "it should" if n == 1 else "they should" if changed == n else f"{'one' if changed == 1 else changed} of them should"
        assert of in said


@pytest.mark.parametrize("typed", [-0.125, 0.0625, 99.125, 0.5, 1000, 0.25, -12.345, -1.5625])
def test_what_somebody_typed_is_written_as_typed(typed):
    """“−0.12” of −0.125, on nine pages."""
    assert float(entered(typed).replace("−", "-").replace(",", "")) == typed
    said = plain(text(visited("prefill", scenario_query.to_query(replace(TEXT, values=(10, typed, typed, 5))) | {"token": "3"})))
    assert typed == 0.5 or number(typed) == entered(typed) or f"{number(typed)} " not in said


def test_no_sign_stands_in_a_sentence_on_the_last_of_the_prompt():
    """“Head 2 looks at ⚠ last of the prompt”."""
    for lesson in ("decode", "rules"):
        at = visited(lesson, scenario_query.to_query(replace(CODE, rules=("last",) * 4)))
        assert "⚠" not in text(at)
        assert lesson != "rules" or any("⚠" in str(figure) for figure, _ in figures(at))


def test_a_flip_says_who_grows_faster():
    """“One more unit of it adds 3 to $5 and 3 to *”."""
    s = Scenario(("a", "b"), (1, 2), ("self",), ("$5", "*"), (1, 2), ((3, 3.0000001),))
    gains = re.search(r"adds (\S+) to .* and (\S+) to", _flip_sentence(s, run(s), flip_table(s, run(s))))
    assert gains[1] != gains[2]


@pytest.mark.parametrize("s", [TEXT, CODE, replace(CODE, rules=("last",) * 4)])
def test_logits_behind_a_stale_key_are_off_others_that_are_not_right_either(s):
    stale = any(rule.breaks_cache for rule in s.rules)
    said = cache_lesson.logits_off({-1: 1.0, 0: 0.0, 1: 2.0}, cache_lesson._stale(s))
    assert ("as many rows as tokens" in said) == stale
    (alt,) = (alt for alt in alts(visited("cache", scenario_query.to_query(s), slide=5)) if "one row missing" in alt)
    assert ("from those with as many rows as tokens" in alt) == stale == ("logits that are not right either" in alt)


def test_a_pool_of_one_block_has_no_order():
    """“Its 4 tokens take block 0, in this order”, “the first free blocks: block 2”."""
    for frame in blocks.story(TEXT, 8):
        said = blocks.event_said(TEXT, frame, 8)
        assert "order" not in said and "blocks: block" not in said
    assert any("order" in blocks.event_said(TEXT, frame, 2) for frame in blocks.story(TEXT, 2))
    assert any(
        "takes the first free blocks, 2 and 5. Where" in blocks.event_said(TEXT, frame, 2) for frame in blocks.story(TEXT, 2)
    )


def test_what_another_sequence_holds_stays_where_it_holds_something():
    """“A has ended and gives its blocks back. Free again: 0. What B holds too stays”, where B had copied the one block."""
    for size in (2, 3, 4, 8):
        for n in (1, 4):
            s = replace(TEXT, tokens=TEXT.tokens[:n], values=TEXT.values[:n])
            *before, last = itertools.takewhile(lambda frame: frame.who != "C", blocks.story(s, size))
            both = set(before[-1].tables["A"]) & set(before[-1].tables["B"])
            said = blocks.event_said(s, last, size)
            assert ("What B holds too stays" in said) == bool(both) == bool(last.left) and "Free again" in said


def test_one_row_of_a_cache_is_read_and_one_token_has_none_behind_it():
    one = scenario_query.to_query(replace(TEXT, tokens=("a",), values=(4,))) | {"step": "1"}
    with all_answered():
        assert "the other one is read" in plain(text(visited("cache", one)))
        assert "later token has rows" not in text(visited("prefill", one))
        assert "none of them" not in text(visited("decode", one)) and "any of them" not in text(visited("decode", one))


def test_small_contexts_are_no_0_in_the_table_of_means():
    """A context of 0.00033 was 0 beside a W of 9."""
    s = Scenario(("a", "b", "c"), (1, -1, 1), ("odd", "even", "first", "none"), w_vocab=TEXT.w_vocab, empty_row="softmax1")
    (row,) = (alt for _, alt in figures(visited("logits", scenario_query.to_query(s))) if alt.startswith("this prompt"))
    assert (
        [entered(x) for x in run(s).layers[0].context[3:, -1, 0]]
        == ["0.00034"]
        == re.findall(r"contexts .*?([\d.]+), mean", row)[:1]
    )


def test_keys_and_weights_that_are_wrong_move_no_logits_where_all_values_are_the_same():
    """“The logits are off by up to 9·10⁻¹⁶”."""
    same = replace(CODE, values=(4,) * len(CODE.tokens), word_values=(4,) * 3)
    with all_answered():
        said = plain(text(visited("cache", scenario_query.to_query(same))))
        assert "yet the logits come out the same" in said and "the logits are off by up to" not in said
        assert "the logits are off by up to" in plain(text(visited("cache", scenario_query.to_query(CODE))))


SMALL_WORD = Scenario(
    ("NaN", "−1", "0"), (-0.5, 12.5, -999.5), ("none", "none"), ("0", "1"), (0.005, -0.005), ((1, 1),) * 2, empty_row="nan"
)


@settings(max_examples=8)
@given(ANY)
@example(SMALL_WORD)
def test_contexts_that_decide_a_claim_are_told_apart(s):
    """“The cached context is −499.75 and the recomputed one 0”, which is 0.005: asked by position “0.005 again”."""
    for name, one, other in (("same_result", "cached", "whole"), ("old_rows_stay", "before", "after")):
        finding, claim = find(name, s), CLAIMS[name]
        said = on_the_cache.contexts_apart(finding, one, other)
        assert said[0] != said[1] and said[1] in claim.why(finding) and said[0] in claim.why(finding)
        assert all(abs(x) < 5e-5 or text.strip("−") != "0" for x, text in zip((finding[one], finding[other]), said, strict=True))
        if name == "same_result":
            assert [line.text for line in claim.lines(finding)][1:3] == list(said)


def test_what_matched_nothing_has_no_context_in_the_answer_on_sinks():
    s = replace(TEXT, rules=("even", "none"), w_vocab=TEXT.w_vocab[:2])
    with all_answered():
        assert re.search(r"its contexts are \S+ and none", plain(text(visited("less", scenario_query.to_query(s), slide=1))))


def test_the_error_of_contexts_that_cancel_out_has_no_bound():
    """“From 1 to 20,919,946,656,170,000”."""
    s = Scenario(("big", "small", "big"), (1000, -1000, 1000), ("all", "all"), ("x",), (-1000,), ((1,), (2,)))
    with all_answered():
        said = plain(text(visited("less", scenario_query.to_query(s))))
    assert "The true contexts are 0, so an error has no share" in said and not re.search(r"\d,\d{3},\d{3},", said)


@pytest.mark.parametrize("context", [0.015704, 7.79512, -34.10297])
def test_a_context_has_no_digits_by_accident(context):
    assert context_text(context) == number(context, 3 if abs(context) < 0.1 else 2) and context_text(-0.12499999) == "−0.125"


NO_NUMBERS = Scenario(("x", "y", "z", "x"), (-0.01, 0.02, -0.03, 0.04), ("self", "last", "none"), ("n", "m"), (0.01, -0.01),
                      ((1, -1), (5, 6), (0, 1)), empty_row="nan")  # fmt: skip
NOTHING = Scenario(("zero", "zero2"), (0, 0), ("all", "even"), ("u", "v"), (0, 0.5), ((1, 2), (4, 3)))


def test_logits_that_are_no_numbers_are_not_said_to_come_out_the_same():
    said = plain(text(visited("cache", scenario_query.to_query(NO_NUMBERS))))
    assert "the logits are no numbers in either run" in said and "logits come out the same" not in said


def test_ways_that_differ_by_a_number_that_is_none_say_so():
    """“Differ by at most not a number”, “off by not a number”."""
    with all_answered():
        at = visited("prefill", scenario_query.to_query(NO_NUMBERS))
    assert "not a number" not in text(at) + str([figure for figure, _ in figures(at)]) + str(alts(at))
    assert "agree: they differ between a number and NaN." in plain(text(at))


@given(ANY, st.integers(0, 7))
@example(NOTHING, 0)
@example(TEXT, 2)
@example(
    Scenario(
        ("sad", "glad"),
        (-0.75, 0.75),
        ("even", "none"),
        ("ok", "so"),
        (1, 0),
        ((2, 0), (0.5, 0.5)),
        sharpness=2,
        empty_row="softmax1",
    ),
    1,
)
def test_the_cell_that_is_told_is_enough_and_one_that_changes_nothing_is_not_asked_for(s, head):
    """“Above 0.005” of 0.0053; “Select a cell in its column” of one that is selected, with a context of 0."""
    head, target = head % len(s.rules), len(s.words) - 1
    context, logits = run(s).layers[0].context[:, -1, 0], run(s).logits[-1]
    said, told = logits_challenge.challenge(s, context, logits, head, target)
    if not np.isfinite(logits).all():
        return
    if told and "no number may be" not in told:
        side, number = re.search(r"(above|below) \*\*(.*)\*\*", told).groups()
        entry = float(number.replace("−", "-").replace(",", "")) + (1e-6 if side == "above" else -1e-6)
        moved = logits[target] + context[head] * (entry - s.w_vocab[head][target])
        assert moved > np.delete(logits, target).max() - 1e-9
    assert "Select a cell" not in said  # the one that is selected is in the column
    assert ("every context is 0" in said) == (np.abs(context).max() <= ROUNDING and "Challenge" in said)
    assert ("multiplied by 0" in said) == (abs(context[head]) <= ROUNDING < np.abs(context).max() and "Challenge" in said)


def test_words_that_are_signs_stand_in_quotation_marks():
    """“newest 3: ,, 1 sink + newest 3: ,”."""
    with all_answered():
        assert "newest 3: “,”, 1 sink" in plain(text(visited("less", {"prompt": "Yes"}, slide=2))).replace("**", "")
        assert "“,” 85.6%" in plain(text(visited("inside", {"prompt": "Yes"}, slide=2)))


def test_two_tokens_are_both_and_not_all_of_them():
    assert "a run of both tokens" in text(visited("paging", {"prompt": "A", "second": "I"}, slide=3))


def test_logits_that_a_stale_key_leaves_as_they_are_are_right():
    """“As many rows as tokens: logits that are not right either”, of values that are all the same."""
    same = replace(CODE, values=(2,) * len(CODE.tokens), word_values=(2,) * 3)
    for s, wrong in ((same, False), (CODE, True)):
        assert ("not right either" in str(alts(visited("cache", scenario_query.to_query(s), slide=5)))) == wrong


def test_two_tokens_that_are_averaged_are_both():
    s = Scenario(("go", "stay"), (3.5, -3.5), ("none",), ("x",), (1,), ((1,),), empty_row="fill")
    with all_answered():
        assert "the average of both, hidden or not" in plain(text(visited("rules", scenario_query.to_query(s), slide=3)))


LEVEL = replace(TEXT, words=("nice", "warm"), word_values=(7, 7), w_vocab=((1, 1),) * 4)


@given(ANY, ANY)
@example(LEVEL, replace(LEVEL, w_vocab=((1, 0),) * 4))
@example(LEVEL, replace(LEVEL, values=(10, 20, 1, 6)))
def test_words_that_draw_level_are_not_one_that_is_next(a, b):
    """“The next word stays nice”, “the next word is nice, logit 36.5”, of nice and warm, which draw level."""
    said = plain(attention_sentences._next_word(a, b, run(a), run(b)))
    if not np.isfinite(run(b).logits[-1]).all():
        return
    was, new = ([s.words[w] for w in likeliest(run(s).logits[-1])] for s in (a, b))
    assert ("draw level" in said) == (len(new) > 1) and all(word in said for word in new)
    assert bool(re.search("stays|still", said)) == (was == new and bool(np.isfinite(run(a).logits[-1]).all()))
    here = position(b)
    alike = [s for w, s in enumerate(b.words) if w in likeliest(here.this_pass.logits[-1]) and w != here.next_id]
    grown = plain(decode._step_said(b, here, here.rows()))
    assert ("level with" in grown) == (bool(alike) and here.next_id in likeliest(here.this_pass.logits[-1]))


@given(ANY)
@example(
    Scenario(
        ("rain", "-", "rain", "--", "rain"),
        (20, -20) * 2 + (20,),
        ("even", "odd", "all", "first", "self", "previous", "window:2"),
        ("rain", "-", "fog", "--"),
        (20, -20, 0, 1),
        ((1,) * 4, (-1,) * 4, (0,) * 4, *np.eye(4).tolist()),
        sharpness=16,
        empty_row="soft",
    )
)
def test_two_runs_that_agree_say_the_same_words(s):
    """“Next words with the cache: rain, rain; next words all anew: rain, fog”, which draw level but for rounding."""
    if not stays_true(s) or not np.isfinite(run(s).logits).all():
        return
    ids = answer(s.model(), s.prompt_ids, 7).token_ids[:6]
    for cached, whole in cached_and_recomputed(s.model(), s.prompt_ids, ids):
        assert stale_keys.word_behind(s, cached) == stale_keys.word_behind(s, whole)


@given(ANY, st.sampled_from((1, 1e-1, 1e-2, 1e-3)))
@example(replace(TEXT, values=(-4, -4, -4, -4), word_values=(-4,) * 3), 1e-3)
@example(Scenario(("hot", "cold"), (100, -100), ("previous", "even", "at:2"), ("hot",), (1,), ((1,),) * 3, sharpness=0.01), 1e-3)
def test_what_is_small_as_typed_is_not_written_0(s, scale):
    """“That head’s context is 0 with the cache”, of −0.004; “It falls: it becomes 0”, of 0.00025."""
    s = replace(s, values=[scale * x for x in s.values], word_values=[scale * x for x in s.word_values])
    found, question = stale_key(s, 0), softer_question(s, run(s))
    cached = float(found.cached.context[found.head, -1, 0])
    told = re.search(r"context is \*\*(.+?)\*\* with the cache", cache_lesson.stale_question(s, 0, found).asked)[1]
    head = softer_case(s, run(s))
    soft = float(run(softened(s)).layers[0].context[head, -1, 0])
    becomes = re.search(r"It (?:becomes|stays) (\S+): ", question.why)[1]
    largest = max(map(abs, (*s.values, *s.word_values)))
    for written, x in ((told, cached), (becomes, soft)):
        assert written != "0" or abs(x) < 5e-5 or abs(x) <= 1e-5 * largest


@given(ANY, st.sampled_from((1, 1e-2, 1e-5)))
@example(TEXT, 1e-5)
def test_evidence_on_small_logits_is_not_written_0(s, scale):
    """“Logit of hot, before → after: 0 → 0”, of −0.0001 and −0.0003."""
    s = replace(s, values=[scale * x for x in s.values])
    for name in ("logits_are_chances", "attention_finds_the_word", "average"):
        found, words = find(name, s), CLAIMS[name]
        told = [logit for key in ("logits", "swapped", "averaged", "twin") if key in found.numbers for logit in found[key]]
        for line in words.lines(found):
            zeros = re.findall(r"(?<![\d.,·⁻])0(?![\d.,%])", line.text)
            assert not zeros or "logit" not in line.name or min(map(abs, told)) < 5e-5 * (1 + max(map(abs, told))), line


def test_logits_that_are_no_numbers_at_one_step_are_not_said_to_be_none_at_all():
    """“Yet the logits are no numbers in either run” beside “next words NaN, u, u, u”."""
    s = Scenario(("only",), (1000,), ("self", "last", "even"), ("u", "v"), (1000, 1000), ((1, 1),) * 3, empty_row="nan")
    said = plain(text(visited("cache", scenario_query.to_query(s))))
    assert "the logits come out the same, and are no numbers in the same places" in said and "in either run" not in said


@given(st.sampled_from((0.0125, 0.3466, 0.05, 1.25, 7.9993)) | st.floats(0.01, 32))
def test_e_to_a_power_is_what_is_said_to_be_equal_to_it(sharpness):
    """“exp(−0.013) = 0.9876”, which is 0.9871."""
    s = replace(TEXT, sharpness=sharpness, empty_row="softmax1")
    said = softer_question(s, run(s)).why
    for power, value in re.findall(r"exp\((−[\d.]+)\) = ([\d.]+)(?![\d.·])", said):
        assert number(np.exp(float(power.replace("−", "-"))), 4) == number(float(value), 4)


def test_the_same_logits_of_another_prompt_are_not_left_without_a_reason():
    """“The same logits, as you predicted. … An average would keep one number”, of two contexts that W cancels."""
    same = Scenario(
        ("left", "right") * 3,
        (7, 7, 7, -7, -7, -7),
        ("even", "odd") * 2,
        ("left", "right"),
        (7, -7),
        ((1, 2),) * 2 + ((-1, -2),) * 2,
    )
    for s in (same, TEXT):
        question = drawing_words.mean_question(s)
        assert ("cancels" in question.why) == (question.answer == drawing_words.SAME_LOGITS) == (s is same)


def test_logits_of_0_are_the_same_logits():
    """“Other logits, but the same word” of 0, 0 and 0, 0, whose sums cancel but for the last bit."""
    s = Scenario(("A", "a") * 5 + ("A",), (5, -5) * 5 + (5,), ("all", "last") * 2 + ("all",), ("A", "a"), (5, -5),
                 ((1, -1), (1, -1), (-1, 1), (-1, 1), (0, 0)), sharpness=0.2)  # fmt: skip
    assert "logits are the same" in drawing_words.mean_question(s).why


def test_an_error_is_no_share_of_contexts_that_are_0():
    """“The sink takes the error of the contexts from 0 to ∞”."""
    said = less_steps.near_or_right(
        *(SimpleNamespace(error=SimpleNamespace(contexts=x), level=[0], one_sink=True) for x in (0, 0, np.inf))
    )
    assert "∞" not in said and "The true contexts are 0" in said


@given(ANY, st.sampled_from((1, 1e-3, 1e-6)))
@example(
    Scenario(
        ("one", "two", "one"), (1, 2, 1), ("first", "last", "previous:2"), ("one",), (1,), ((100,), (1,), (9,)), sharpness=8
    ),
    1e-6,
)
def test_a_stale_keys_contexts_are_the_same_in_question_and_figure(s, scale):
    """“Its context is 0 with the cache” beside a figure that says 0.000001."""
    s = replace(s, values=[scale * x for x in s.values], word_values=[scale * x for x in s.word_values])
    found = stale_key(s, 0)
    asked = cache_lesson.stale_question(s, 0, found).asked
    cached, whole, *_ = contexts_side_by_side(found.contexts, found.values)
    assert f"context is **{cached}** with the cache" in asked and (f"**{whole}** recomputed" in asked) == (cached != whole)


SMALL_SEVEN = Scenario(("x", "y", "z", "w", "v", "u", "t"), (2e-5, -3e-5, 4e-5, 1e-5, 0, 5e-5, -1e-5),
                       ("self", "all", "window:2", "first"), ("aa", "bb", "cc"), (2e-5, 3e-5, 1),
                       ((1, 2, 3), (0.5, 0.5, 0.5), (2, 1, 0), (-1, 0, 1)))  # fmt: skip


def test_a_context_of_values_that_are_small_is_asked_for_in_their_power_of_ten():
    """“Right: 0. The average of 8 values: (2·10⁻⁵ + …) / 8”; “worth only 1·10⁻⁵, adds 0, and x, worth 2·10⁻⁵, only 0”."""
    question, head = context_question(SMALL_SEVEN), context_case(SMALL_SEVEN)[1]
    assert question.unit == "× 10⁻⁵" and number(question.answer, 4) != "0"
    assert question.answer * 1e-5 == pytest.approx(run(SMALL_SEVEN).layers[0].context[head, -1, 0])
    assert question.low <= question.answer <= question.high
    assert not context_question(TEXT).unit


def test_a_context_of_small_values_is_none_of_0_beside_its_terms():
    """“1 × (−1·10⁻⁵) … ≈ −1.0·10⁻⁵” beside ““t” takes 1 of “t”: its context is 0”."""
    passed = run(SMALL_SEVEN)
    assert ": −1·10⁻⁵" in attention_sentences.made_of(SMALL_SEVEN, passed, 0, 6)
    assert "context 0" not in attention_sentences.map_in_words(SMALL_SEVEN, passed, probabilities(passed.logits[-1]))
    at = position(SMALL_SEVEN)
    said = (
        attention_sentences.unedited_takeaway(SMALL_SEVEN, passed, probabilities(passed.logits[-1])),
        decode._step_said(SMALL_SEVEN, at, at.rows()),
    )
    assert all("1.1·10⁻⁵" in one and "logit 0" not in one for one in map(plain, said))


def test_small_logits_do_not_add_up_to_0_nor_is_their_mean_made_of_0():
    """“The logits add up to 0” of 0.000016, 0.000006 and −0.000004; “0, 0, 0, 0” with the mean 1.0·10⁻⁵, and “the same mean”
    1.8·10⁻⁶, of a prompt whose other values were rounded away."""
    at = visited("logits", scenario_query.to_query(SMALL_SEVEN))
    alts = " ".join(alt for _, alt in figures(at))
    assert re.search(r"logits add up to [1-9]", plain(text(at))) and "contexts 0, 0, 0, 0," not in alts
    means = set(re.findall(r"(?:this prompt|the same mean): contexts .*?, mean (.*?), logits", alts))
    assert len(means) <= 1


@given(ANY, st.integers(1, 3))
# “recomputed they change by up to 0.114”, where a row that has stood since the prompt moves by 0.5.
@example(replace(TEXT, causal=False), 3)
@example(CODE, 2)
def test_rows_that_stand_there_are_compared_as_they_were_computed(s, more):
    """Each with what came in since its own pass, not since the last."""
    n, ids = len(s.tokens), (*s.prompt_ids, *[0] * (more + 1))
    passes, _ = split_lesson.both_ways(s, n, ids[:-1])
    whole = recompute(s.model(), ids).layers[0]
    kept, anew = rows.contexts(passes), whole.context.swapaxes(0, 1).reshape(len(ids), -1)[: n + more]
    found, moved = kept_row_changes(s, n + more, ids).max(axis=1), gaps(kept, anew).max(axis=1)
    assert found.shape == (n + more,) and (found >= moved - 1e-12).all()
    largest = decode.how_far(found.max())  # as the page says it
    hardly, little = decode_questions.rows_hardly_changed(s, found, more + 1)
    said = decode._rows_above(s, n + more, ids)
    assert (largest in said) == bool(((found > ROUNDING) & ~hardly).any())
    assert ("less than" in said) <= bool((found[hardly] < little).all())
    if np.isfinite(found).all() and not whole.weights[:, : n + more, n:].any():  # no weight moved that a context does not show
        np.testing.assert_array_equal(found > ROUNDING, moved > ROUNDING)


@pytest.mark.parametrize(
    "s", [FILL, replace(FILL, rules=(Rule("none"), Rule("all")), w_vocab=TEXT.w_vocab[:2]), CODE, FOUR, TEXT]
)
def test_two_ways_differ_by_as_much_as_the_old_rows(s):
    """“The two differ by up to 0.033” beside “5 of 5 differ, by up to 0.167”: what leaks to a hidden token was not counted."""
    n, ids = len(s.tokens), (*s.prompt_ids, 0)
    old, both = old_row_gaps(s, n, ids).max(), rows.pass_gaps(*split_lesson.both_ways(s, n, ids)).max()
    assert both >= old - ROUNDING


def test_nothing_is_called_hidden_where_the_mask_is_off():
    """“Because the mask is off and because −10⁹ … lets an empty row see hidden tokens”."""
    s = replace(FILL, causal=False, rules=(Rule("none"),) * len(TEXT.rules))
    assert leaks(s, len(s.tokens), (*s.prompt_ids, 0)) == ("mask", "fill") and "hidden" not in decode_questions.why_rows_know(
        ("mask", "fill")
    )


def test_a_row_that_finds_something_is_not_filled():
    """“An empty row filled with −10⁹ averages over tokens that one at a time had not come yet”, where no row of the one pass is empty."""
    s = Scenario(
        ("no", "yes", "no"), (7, 7, -14), ("last", "even", "at:1.3"), ("no", "yes"), (7, -7), ((1, -1), (0.5, 0.25), (-1, 1)),
        sharpness=0.5, causal=False, empty_row="fill",
    )  # fmt: skip
    said = three_ways._why_not(s, 12.1)
    assert "mask is off" in said and "I am the last so far" in said and "−10⁹" not in said
    masked = three_ways._why_not(replace(s, causal=True), 7)
    assert "−10⁹" in masked and "mask is off" not in masked


def test_tokens_of_one_word_are_told_apart_where_flips_are_read_out():
    """“no: above 400.93 ok; no: above −0.01 ok”."""
    s = Scenario(("no", "no", "yes"), (-3, -3, 4.5), ("self", "first"), ("ok", "no"), (2, -2), ((1, -1), (0, 2)))
    said = _flips_in_words(s, run(s), flip_table(s, run(s)))
    assert "“no” (position 1):" in said and "“no” (position 2):" in said and "“yes”:" in said


def test_what_softmax_makes_of_an_average_is_written_as_the_answer_is():
    """“Right: −0.0035 … here that makes it −0.004”."""
    s = Scenario(("no", "no", "yes", "maybe"), (-3, -3, 4.5, 0), ("self",), ("ok",), (2,), ((1,),), sharpness=3)
    question = context_question(s)
    assert f"makes it {number(question.answer, 4)}" in question.why


MILLIONTHS = Scenario(("a", "a"), (1e-6, -1e-6), ("last", "previous", "none", "self"), causal=False, empty_row="fill")
SMALL_BEFORE = Scenario(
    ("It", "is", "It", "isn't"), (-1e-6, 3e-6, 2e-6, -0.5), ("self", "first", "odd", "even"), sharpness=1, empty_row="softmax1"
)
TEN_THOUSANDTHS = Scenario(
    ("u", "v", "w", "x"), (0.0003, 0.0004, -0.0002, 0.001), ("all", "window:1", "even", "odd"), sharpness=0.01, empty_row="soft"
)


@given(ANY)
@example(MILLIONTHS)  # “contexts 0, 0 and 0”, of a millionth
@example(SMALL_BEFORE)  # the same of the rows before a large value, in eight figures and tables
@example(TEN_THOUSANDTHS)  # “context so far 0” of 0.0003
def test_a_context_is_written_0_only_where_it_is_less_than_softmax_leaks(s):
    layer = run(s).layers[0]
    for h, i in np.ndindex(layer.context.shape[:2]):
        x, seen = layer.context[h, i, 0], np.abs(layer.v[layer.kv_head(h), :, 0])[layer.weights[h, i] > 0]
        nothing = abs(x) < min(MOST_RESIDUE, 16 * np.exp(-16) * 1.2 * max(seen, default=0))
        assert (context_of(layer, h, i) in ("0", "−0")) <= (x == 0 or nothing)


def test_every_page_that_shows_a_small_context_shows_it():
    for s, lessons in ((MILLIONTHS, ("prefill", "rules", "decode", "logits", "tiles")), (SMALL_BEFORE, ("prefill", "rules"))):
        for lesson in lessons:
            with all_answered():
                said = alts(visited(lesson, scenario_query.to_query(s)))
            assert any(re.search(r"(?i)context.*10⁻", alt, re.DOTALL) for alt in said), lesson


@given(ANY)
@example(MILLIONTHS)  # “it stays the same”, of 1.0·10⁻⁶ and 9.6·10⁻⁷
@example(TEN_THOUSANDTHS)
def test_softer_scores_leave_a_context_as_it_is_only_where_it_is(s):
    head = softer_case(s, run(s))
    before, after = (x.layers[0].context[head, -1, 0] for x in (run(s), run(softened(s))))
    said, largest = softer_question(s, run(s)), np.abs(run(s).layers[0].v).max()
    if said.answer == STAYS:
        assert np.isnan(after) or abs(after - before) <= 2e-6 * largest


def test_a_row_that_weighs_several_tokens_alike_looks_most_at_no_single_one():
    """“nice looks most at weather”, which had .5 as “so” had; “1 rows”; a row of NaN “looks most at” its first token."""
    words = ("Today", "weather", "is", "so", "nice")
    said = in_words(words, 4, np.array([[0.0] * 5] * 4 + [[0, 0.5, 0, 0.5, 0]]), "head 1", False)
    assert says(said, "alike", "weather", "so") and "most at “weather”" not in said
    assert "looks most" not in in_words(words, 4, np.full((5, 5), np.nan), "head 1", False)
    assert "1 row of" in in_words(words, 1, np.eye(5), "head 1", False)


@given(ANY)
def test_two_words_that_win_together_are_both_named(s):
    if not np.isfinite(run(s).logits).all():
        return
    for names, slope in zip(level_names(s, run(s), " = "), slopes(run(s).layers[-1], logits_steps.matrix(s)), strict=True):
        for a, b in np.ndindex(len(s.words), len(s.words)):
            same = abs(run(s).logits[-1, a] - run(s).logits[-1, b]) <= 1e-12 and abs(slope[a] - slope[b]) <= 1e-12
            assert not same or names[a] == names[b]


NOTHING_SEEN = Scenario(
    ("no", "yes"), (0, 0), ("previous", "last", "even", "at:2"), ("no", "yes"), (0, 1),
    ((1, 0), (0, 1), (1, 1), (0, 0)), empty_row="nan",
)  # fmt: skip


@given(ANY)
@example(NOTHING_SEEN)  # “values at which another word than no and yes wins: below 0 yes”
def test_a_word_that_is_level_now_is_not_said_to_win(s):
    if np.isfinite(run(s).logits).all():
        said, level = _flips_in_words(s, run(s), flip_table(s, run(s))), likeliest(run(s).logits[-1])
        assert ("level now" in said) == (len(level) > 1)
        assert f"another word than “{s.words[flip_table(s, run(s))[0].now]}” wins" in said


def test_the_same_small_number_twice_is_not_nothing_twice():
    """“It stays 0”, of a millionth that stays one."""
    question = softer_question(
        replace(TEXT, tokens=("one",), values=(1e-6,)), run(replace(TEXT, tokens=("one",), values=(1e-6,)))
    )
    assert question.answer == STAYS and "stays 0. " not in question.why and "is 0. " not in question.asked


DOG = Scenario(
    ("Dog", "bites", "man"), (4, 8, 2), ("at:2", "at:2", "at:9"), ("hard", "soft"), (4, 8), ((1, -1), (-1, 1), (5, 5)),
    causal=False,
)  # fmt: skip
LEVEL_SUMS = Scenario(("1", "2", "3"), (1, 2, 3), ("all", "all"), w_vocab=((0.1, 0.2, 0.3), (-0.1, -0.2, -0.3)))


@given(ANY, st.integers(0, 6))
@example(DOG, 0)  # “no context of the last row moved”, and six of nine did, by what softmax leaks
def test_contexts_that_move_little_are_not_said_not_to_move(s, token):
    token %= len(s.tokens)
    after = set_value(s, token, 100.0)
    said = attention_sentences.change(s, after)
    moved = largest_gap(*(run(x).layers[0].context[:, -1] for x in (s, after)))
    assert ("no context of the last row moved;" in said) <= (moved <= residue(after.values))


@given(st.floats(0.005, 0.1) | st.floats(-0.1, -0.005))
@example(0.005045)  # “0.01”, beside 0.005
def test_a_context_is_written_as_a_number_near_it(x):
    assert abs(float(context_text(x, (x,)).replace("−", "-")) - x) <= 0.1 * abs(x)


TWO_HEADS = ((1.0, 2.0, 3.0), (3.0, 2.0, 1.0))
BESIDE_A_THOUSAND = Scenario(("up", "down"), (1000.0, 1e-6), ("first", "self"), sharpness=16, empty_row="soft", w_vocab=TWO_HEADS)
ONE_NAN = Scenario(("a",), (3.0,), ("previous", "first"), empty_row="nan", w_vocab=TWO_HEADS)


def test_a_large_value_that_nothing_is_taken_of_does_not_make_a_small_one_0():
    """“Context of the row 0”, of a millionth, beside a thousand that has no weight."""
    layer = run(BESIDE_A_THOUSAND).layers[0]
    assert context_of(layer, 1, 1) != "0" != rows_by_hand(layer, 1)[1].largest
    assert rows.largest_values(layer)[1, 1] == pytest.approx(1e-6) == rows_by_hand(layer, 1)[1].largest


def test_two_runs_that_differ_by_rounding_are_not_said_to_give_the_same_numbers():
    """“Both runs give the same numbers, and NaN in the same places. Their numbers differ by 9·10⁻¹⁶ at most.”"""
    for gap in (0.0, 9e-16):
        said = two_runs._compared(ONE_NAN, np.full((6, 2), gap), spoiled=1)
        assert ("same numbers" in said) == (gap == 0) and "NaN in the same places" in said


def test_a_small_entry_of_w_is_no_0_in_its_cell_nor_in_the_alternative_text():
    """“Selected: head 1 all, hi, 0”, of 0.00001."""
    small = Scenario(
        ("lo", "hi"), (-1.0, 1.0), ("all", "even"), words=("lo", "hi"), word_values=(1, 2), w_vocab=((1e-5, 1e-5), (1e-6, 2e-6))
    )
    page = visited("logits", scenario_query.to_query(small), slide=1)
    assert re.search(r"Selected: head [^.]*10⁻", " ".join(alts(page)))
    assert any(all(entry in str(figure) for entry in ("1·10⁻⁵", "1·10⁻⁶", "2·10⁻⁶")) for figure, _ in figures(page))


def test_what_rounding_leaves_of_a_sum_is_no_logit():
    """“Logit 2.8·10⁻¹⁷, 33.3% each”."""
    assert "10⁻¹" not in attention_sentences.unedited_takeaway(
        LEVEL_SUMS, run(LEVEL_SUMS), probabilities(run(LEVEL_SUMS).logits[-1])
    )


FAR_APART = Scenario(
    ("one", "two"), (1000, -1000), ("self", "all"), ("yes", "no", "hm"), (1000, -1000, 1), ((3, -3, 0), (2, 3, 1)), sharpness=1
)


def test_a_word_that_can_be_drawn_has_no_chance_of_nothing():
    """“0.0%” and “out” of e⁻³⁰⁰⁰, which no option leaves out."""
    for lesson in ("logits", "attention", "decode", "prefill"):
        with all_answered():
            at = visited(lesson, scenario_query.to_query(FAR_APART))
        said = " ".join((text(at), *(f"{alt} {figure}" for figure, alt in figures(at))))
        assert "0.0%" not in said.replace("100.0%", "") and "'out'" not in said, lesson
    at = visited("logits", scenario_query.to_query(FAR_APART), top_k="1")
    assert "'out'" in str(figures(at))


@given(st.lists(st.floats(-50, 50) | st.floats(-1e-4, 1e-4), min_size=1, max_size=4))
@example([1.5e-5])  # 0.00002
@example([0.0046, 12.0])
def test_numbers_side_by_side_are_written_as_numbers_near_them(values):
    for x, said in zip(values, side_by_side(values), strict=True):
        mantissa, _, power = said.replace("−", "-").replace(",", "").partition("·10")
        near = float(mantissa) * 10.0 ** int(power.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")) or 0)
        assert abs(near - x) <= 0.05 * abs(x) + 2e-9 * (1 + max(map(abs, values)))


def test_flips_that_meet_but_for_rounding_are_one():
    """“Above 18.8 B, above 18.8 C”, and “above 9.999999999 …” of words that are level now."""
    for slope in ((0.15, 0.275, 0.4), (0.15, 0.4, 0.275)):
        logits = 15.3 - 8.8 * (np.array(slope) - 0.15) * (1 + np.array([0, 1e-13, -1e-13]))
        assert [f.word for f in flips.winners(logits, np.array(slope), 10).up] == [int(np.argmax(slope))]
    level = flips.winners(np.array([0.1 + 0.2, 0.3]), np.array([1e-5, 1.0]), 10)
    assert [(f.value, f.word) for f in level.up] == [(10, 1)]


@given(st.lists(st.floats(-1000, 1000) | st.just(0.0), min_size=1, max_size=3), st.data())
@example([2.5, 2.5], None)  # “2.5 = 0.99·2.5”
def test_a_context_is_the_sum_that_is_written_beneath_it_or_near_it(values, data):
    weights = np.array(
        data.draw(st.lists(st.floats(0, 1), min_size=len(values), max_size=len(values))) if data else [0.995, 0.005]
    )
    weights /= max(weights.sum(), 1e-300)
    said = one_head.written_sum(weights, np.array(values))
    if said.startswith("="):
        shown = np.where(weights >= 0.005, weights.round(2), 0) @ values
        assert abs(shown - weights @ values) <= 1e-5 * max(map(abs, values))
    assert "·−" not in said


QUARTERS = replace(TEXT, sharpness=0.01, tokens=("x", "y", "x"), values=(1.5e-5, -2e-5, 3e-4))


def test_small_scores_and_thresholds_are_no_others():
    """“±0.001” of ±0.00125; “0.00001: with weights that sum to 0.38” of 5.7·10⁻⁶; “below 0 down” of 2.4·10⁻⁵."""
    with all_answered():
        figure = str([figure for figure, _ in figures(visited("attention", scenario_query.to_query(QUARTERS)))])
    assert "±0.00125" in figure and "±0.01" in figure and "±0.001 " not in figure
    assert rules_sentences.treated("softmax1", 5.663e-6, 1.5e-5) == "5.7·10⁻⁶"
    assert threshold_text(2.4e-5) == "2.4·10⁻⁵" and threshold_text(1e-13) == "0"


def test_a_word_that_comes_again_is_told_apart_in_the_written_out_cell():
    """““x” is not later than “x””, of two positions."""
    for query, key in ((2, 0), (0, 2)):
        steps = " ".join(cell_steps(QUARTERS, derive(run(QUARTERS).layers[0], 0, query, key), 0, query, key))
        assert "(position 1)" in steps and "(position 3)" in steps and "“x”," not in steps


def test_half_of_a_gap_has_the_digits_that_it_takes():
    """“4.25 becomes 2.12”."""
    for gap in (4.25, 203.75, 1.1):
        assert f"becomes {number(gap / 2, 3)}," in temperature._halved(np.array([gap, 0.0]))


def test_what_softmax_leaks_is_0_where_flips_and_stale_contexts_are_written():
    """“Above −1.1·10⁻⁶ for tock”, “5.6·10⁻⁷ with the cache”, where the pages beside them say 0."""
    s = PRESETS["Tick tock"][0]
    assert "Above **0** for “tock”" in _flip_sentence(s, run(s), flip_table(s, run(s)))
    assert "**0** with the cache" in cache_lesson.stale_question(s, 0, stale_key(s, 0)).asked


HIDDEN_FROM_NOBODY = replace(NAN, causal=False, rules=(Rule("previous", 16), Rule("all")), w_vocab=TEXT.w_vocab[:2])


def test_nothing_is_hidden_where_nothing_hides_and_ways_apart_are_said_in_words():
    """“Hidden ones too” with the mask off; “off between a number and NaN”; “of the 2 rows from “so” on 1 changed”; “suppose head 1
    looked at even positions. Head 1 looks at even positions”."""
    case, head, row = empty_case(HIDDEN_FROM_NOBODY)
    made = treatments(case, head, row)
    assert "hidden" not in rules_sentences.table(HIDDEN_FROM_NOBODY, case, head, row, made)
    assert "hidden" in rules_sentences.table(TEXT, *empty_case(TEXT), treatments(*empty_case(TEXT)))
    assert "off between" not in str(figures(visited("prefill", scenario_query.to_query(HIDDEN_FROM_NOBODY))))
    twice = replace(TEXT, tokens=("so", "so"), values=(3, 3), rules=(Rule("previous", 1),), w_vocab=((1, 0, 0),))
    assert "on, 1 changed" in who_noticed(twice, set_value(twice, 0, 9.0), 0, np.array([False, True]))
    tick = PRESETS["Tick tock"][0]
    assert rules_questions.empty_question(tick).asked.count("even positions") == 1
