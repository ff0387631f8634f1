"""One causal pass over the prompt gives, at every position, what that position would get if the prompt ended there."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import CODE, PRINCIPLED, SOUND, TEXT, VALUES, contexts, scenarios

from engine import KVCache, chunked_prefill, prefill

ANY_KIND = (*PRINCIPLED, "last")


def assert_same(layers_and_logits, expected, rows=slice(None)):
    """Contexts and logits of passes laid end to end, against rows of one pass."""
    found_context = np.concatenate([run.layers[0].context for run in layers_and_logits], axis=1)
    np.testing.assert_allclose(found_context, expected.layers[0].context[:, rows], rtol=0, atol=1e-9)
    found_logits = np.concatenate([run.logits for run in layers_and_logits])
    np.testing.assert_allclose(found_logits, expected.logits[rows], rtol=0, atol=1e-6)


@given(scenarios(kinds=ANY_KIND, policies=(*SOUND, "nan"), n_tokens=st.integers(2, 16)), st.data())
def test_changing_a_token_leaves_every_earlier_row_the_same_to_the_last_bit(scenario, data):
    at = data.draw(st.integers(1, len(scenario.tokens) - 1))
    values = [data.draw(VALUES) if j >= at else v for j, v in enumerate(scenario.values)]
    if scenario.empty_row == "nan":  # the policy that breaks a row must still not break the others
        before, after = contexts(scenario), contexts(replace(scenario, values=values))
        np.testing.assert_array_equal(before[:, :at], after[:, :at])
        return
    before, after = (prefill(s.model(), s.prompt_ids) for s in (scenario, replace(scenario, values=values)))
    np.testing.assert_array_equal(before.layers[0].context[:, :at], after.layers[0].context[:, :at])
    np.testing.assert_array_equal(before.logits[:at], after.logits[:at])
    assert not before.layers[0].weights[:, ~np.tri(len(values), dtype=bool)].any()


@given(scenarios(n_tokens=st.integers(2, 16)), st.data())
def test_a_longer_prompt_begins_with_the_rows_of_a_shorter_one(scenario, data):
    n = data.draw(st.integers(1, len(scenario.tokens) - 1))
    shorter = replace(scenario, tokens=scenario.tokens[:n], values=scenario.values[:n])
    whole = prefill(scenario.model(), scenario.prompt_ids)
    assert_same([prefill(shorter.model(), shorter.prompt_ids)], whole, slice(n))


@given(scenarios(), st.data())
def test_any_chunking_gives_the_rows_the_cache_and_the_work_of_one_pass(scenario, data):
    model, ids = scenario.model(), scenario.prompt_ids
    whole_cache, cache = KVCache.for_model(model, 16), KVCache.for_model(model, 16)
    whole, passes = prefill(model, ids, whole_cache), []
    while left := ids[cache.n_tokens :]:
        n_past = cache.n_tokens
        passes.append(model.forward(left[: data.draw(st.integers(1, len(left)))], cache))
        assert passes[-1].n_past == n_past and cache.n_tokens == n_past + passes[-1].n_new
    assert_same(passes, whole)
    np.testing.assert_array_equal(cache.k, whole_cache.k)
    np.testing.assert_array_equal(cache.v, whole_cache.v)
    for work in ("kv_rows", "query_rows", "scores"):
        assert sum(getattr(p.counts, work) for p in passes) == getattr(whole.counts, work)


@given(scenarios(), st.integers(1, 20))
def test_chunks_of_equal_length_are_one_pass_too(scenario, n_chunk):
    model, cache = scenario.model(), KVCache.for_model(scenario.model(), 16)
    passes = chunked_prefill(model, scenario.prompt_ids, cache, n_chunk)
    assert [p.n_new for p in passes[:-1]] == [n_chunk] * (len(passes) - 1) and 1 <= passes[-1].n_new <= n_chunk
    assert_same(passes, prefill(model, scenario.prompt_ids))


@given(scenarios(kinds=ANY_KIND))
def test_prefill_with_and_without_a_cache_is_the_same_pass(scenario):
    model = scenario.model()
    with_cache, without = prefill(model, scenario.prompt_ids, KVCache.for_model(model, 16)), prefill(model, scenario.prompt_ids)
    np.testing.assert_array_equal(with_cache.logits, without.logits)
    assert with_cache.counts == without.counts
    assert with_cache.positions.tolist() == without.positions.tolist() == list(range(len(scenario.tokens)))
    assert with_cache.token_ids.tolist() == list(scenario.prompt_ids)


def test_the_key_of_the_articles_code_is_the_one_that_depends_on_how_the_prompt_is_cut():
    model = CODE.model()
    one, whole = KVCache.for_model(model, 4), prefill(model, CODE.prompt_ids)
    last = chunked_prefill(model, CODE.prompt_ids, one, 1)[-1]
    assert whole.layers[0].context[1, -1, 0] == pytest.approx(5, abs=1e-5)
    assert last.layers[0].context[1, -1, 0] == pytest.approx(9)  # every cached key still says "I am the last"


@pytest.mark.parametrize(
    ("token_ids", "message"),
    [
        ([], r"token_ids: expected a list of at least one token id, got shape \(0,\)"),
        ([[3, 4]], r"token_ids: expected a list of at least one token id, got shape \(1, 2\)"),
        ([3.0], "token_ids: expected whole numbers, got float64"),
        ([True], "token_ids: expected whole numbers, got bool"),
        ([3, 7], "token_ids: expected ids from 0 to 6, got 3 … 7"),
        ([-1, 3], "token_ids: expected ids from 0 to 6, got -1 … 3"),
        ([3] * 65, "expected at most n_ctx = 64 tokens in all, got 65"),
    ],
)
def test_wrong_token_ids_are_refused_in_words(token_ids, message):
    with pytest.raises(ValueError, match=message):
        prefill(TEXT.model(), token_ids)


def test_a_prompt_that_does_not_fit_the_cache_is_refused_before_anything_is_written():
    cache = KVCache.for_model(TEXT.model(), 3)
    with pytest.raises(ValueError, match="at most n_ctx = 3 tokens, got 0 and 4 more"):
        prefill(TEXT.model(), TEXT.prompt_ids, cache)
    assert cache.n_tokens == 0


@pytest.mark.parametrize("n_chunk", [0, -1])
def test_a_chunk_holds_at_least_one_token(n_chunk):
    with pytest.raises(ValueError, match=f"n_chunk: expected at least 1, got {n_chunk}"):
        chunked_prefill(TEXT.model(), TEXT.prompt_ids, KVCache.for_model(TEXT.model(), 4), n_chunk)
