"""The caches that must fail do fail, by the stated amounts; and what compares them can see it."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import CODE, TEXT, scenarios

from engine import KVCache, decode_step, prefill, recompute
from engine.cache import floats_per_token
from engine.compare import gaps, largest_gap, last_row_gaps, row_gaps
from engine.experiments.broken_caches import breaking_head, refusal, shifted, shifted_ids, stale_key
from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.experiments.rows import rows_so_far

NICE = 0


def test_the_articles_stale_key_its_patch_and_the_principled_key():
    for scenario in (TEXT, CODE):
        found = stale_key(scenario, NICE)
        assert found.head == 1
        contexts = [getattr(found, v).context[1, -1, 0] for v in ("cached", "whole", "patched", "principled")]
        np.testing.assert_allclose(contexts, [6, 7, 7, 7], atol=1e-5)
        np.testing.assert_allclose(found.before.context[1, :, 0], [10, 15, 31 / 3, 5], atol=1e-5)
        np.testing.assert_allclose(found.whole.context[1, :, 0], [10, 15, 31 / 3, 9, 7], atol=1e-5)
        assert np.flatnonzero(found.cached.k[1, :, 0] != found.whole.k[1, :, 0]).tolist() == [3]
        assert found.refusal == "ValueError: assignment destination is read-only"


def test_the_cache_that_was_written_to_is_unchanged():
    cache = KVCache.for_model(TEXT.model(), 4)
    prefill(TEXT.model(), TEXT.prompt_ids, cache)
    before = cache.k.copy()
    assert refusal(cache)
    np.testing.assert_array_equal(cache.k, before)


@given(scenarios(n_tokens=st.integers(1, 16)))
def test_a_stale_key_is_found_in_any_scenario_at_the_prompts_last_token(scenario):
    found = stale_key(scenario, NICE)
    assert found.head == breaking_head(scenario)
    stale = np.flatnonzero((found.cached.k[found.head] != found.whole.k[found.head]).any(axis=-1))
    assert stale.tolist() == [len(scenario.tokens) - 1]


def test_a_row_missing_or_too_many_gives_other_contexts():
    contexts = {x: shifted(TEXT.model(), TEXT.prompt_ids, NICE, x).layers[0].context[:, -1, 0] for x in (-1, 0, 1)}
    np.testing.assert_allclose(contexts[-1], [13.5, 7, 10, 9.5], atol=1e-5)
    np.testing.assert_allclose(contexts[0], [12.5, 7, 10, 8.6], atol=1e-5)
    np.testing.assert_allclose(contexts[1], [32 / 3, 7, 10, 8], atol=1e-5)


@pytest.mark.parametrize(("ids", "shift"), [((1, 2), 2), ((1, 2), -2), ((1,), -1)])
def test_a_shift_that_makes_no_sense_is_refused(ids, shift):
    with pytest.raises(ValueError, match="shift: expected"):
        shifted_ids(ids, shift)


def test_the_comparison_names_where_the_error_enters():
    (_, _), (cached, whole) = cached_and_recomputed(CODE.model(), CODE.prompt_ids, [NICE])
    apart = last_row_gaps(cached, whole)
    assert apart["k"] == 2 and apart["v"] == 0 and apart["scores"] == pytest.approx(16)
    assert apart["context"] == pytest.approx(1, abs=1e-5) and apart["logits"] == pytest.approx(0.5, abs=1e-5)


def test_old_rows_change_where_a_key_knows_the_future_or_the_mask_is_off_and_nowhere_else():
    def changes(scenario):
        model = scenario.model()
        return row_gaps(recompute(model, scenario.prompt_ids), recompute(model, (*scenario.prompt_ids, NICE)))

    assert changes(TEXT).tolist() == [0, 0, 0, 0]
    np.testing.assert_allclose(changes(CODE), [0, 0, 0, 4], atol=1e-5)
    assert (changes(replace(TEXT, causal=False)) > 0.1).all()


def test_gaps_know_what_is_not_a_number():
    a, b = np.array([np.nan, np.nan, np.inf, -np.inf, 1]), np.array([np.nan, 0, np.inf, np.inf, 3])
    assert gaps(a, b).tolist() == [0, np.inf, 0, np.inf, 2]
    assert largest_gap(np.zeros(0), np.zeros(0)) == 0


@given(scenarios(n_tokens=st.integers(1, 8)), st.integers(0, 6), st.integers(0, 3))
def test_the_walk_is_the_steps_one_by_one_and_what_is_chosen_by_hand_is_said(scenario, n_words, word):
    model, by_hand = scenario.model(), (word % len(scenario.words),) * n_words
    run = answer(model, scenario.prompt_ids, n_words + 1, by_hand)
    assert run.token_ids[:n_words] == by_hand
    cache = KVCache.for_model(model, 64)
    passes = [prefill(model, scenario.prompt_ids, cache), *(decode_step(model, i, cache) for i in by_hand)]
    for mine, theirs in zip(run.passes, passes, strict=True):
        np.testing.assert_array_equal(mine.logits, theirs.logits)
    rows = rows_so_far(run.passes)
    assert rows.context.shape == (len(scenario.rules), len(scenario.tokens) + n_words) and rows.n_new == (
        1 if n_words else len(scenario.tokens)
    )
    decoded = rows.hidden[:, len(scenario.tokens) :]
    assert not decoded.any()  # a single new query has nothing to hide


def test_an_answer_ends_where_a_logit_is_not_a_number():
    spoilt = replace(TEXT, tokens=("Today",), values=(10,), empty_row="nan")
    run = answer(spoilt.model(), spoilt.prompt_ids, 5)
    assert run.token_ids == () and len(run.passes) == 1
    assert answer(spoilt.model(), spoilt.prompt_ids, 3, chosen_ids=(0,)).token_ids[:2] == (0, 0)


@pytest.mark.parametrize(("n_words", "message"), [(0, "at least 1"), (62, "at most n_ctx = 64")])
def test_an_answer_of_no_words_or_too_many_is_refused(n_words, message):
    with pytest.raises(ValueError, match=message):
        answer(TEXT.model(), TEXT.prompt_ids, n_words)


def test_floats_per_token_are_those_of_the_cache():
    for scenario, floats in ((TEXT, 65), (CODE, 260)):
        model = scenario.model()
        cache = KVCache.for_model(model, 8)
        prefill(model, scenario.prompt_ids, cache)
        assert cache.nbytes == 8 * 4 * floats
        assert floats_per_token(model.n_kv_head, model.d_head, model.n_kv_head, model.d_v) == floats
