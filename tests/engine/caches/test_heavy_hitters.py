"""Heavy hitters: what has received most attention stays, each head its own; with room for all, nothing changes."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import TEXT

from engine import KVCache, Scenario, bundled, decode_step, prefill
from engine.caches import HeavyHitterCache
from engine.experiments.random_model import StackModel


def test_on_the_toy_the_token_that_a_head_looks_at_stays_and_the_others_go():
    """One head that looks at the first token and one that looks at itself, one key head for both: the first collects weight."""
    scenario = Scenario(rules=("first", "self"), w_vocab=[(0.1, 0.2, 0.3)] * 2, empty_row="soft")
    model, cache = scenario.model(), HeavyHitterCache.for_model(scenario.model(), 64, n_recent=1, n_heavy=1)
    prefill(model, scenario.prompt_ids, cache)
    assert cache.kept_places(0).tolist() == [[0, 3]]
    np.testing.assert_allclose(cache.received(0), [[5, 1]], atol=1e-5)  # 4 rows of "first" and its own; the last by itself
    step = decode_step(model, 0, cache)
    assert step.layers[0].k.shape[1] == 3 and step.positions.tolist() == [4]
    np.testing.assert_allclose(step.layers[0].context[:, 0, 0], [10, 7], atol=1e-5)
    assert cache.kept_places(0).tolist() == [[0, 4]]
    np.testing.assert_allclose(cache.received(0), [[6, 1]], atol=1e-5)  # added up over both passes


@given(st.integers(0, 99), st.integers(1, 4), st.integers(0, 4))
def test_each_head_keeps_the_newest_and_its_own_heaviest(seed, n_recent, n_heavy):
    """Written out: one pass over 9 tokens, then for each head and layer the column sums of its weights decide."""
    model, ids = StackModel(2, 7, seed), [3, 4, 5, 6, 0, 1, 2, 3, 1]
    cache = HeavyHitterCache.for_model(model, 64, n_recent, n_heavy)
    run = prefill(model, ids, cache)
    for layer in range(2):
        for head in range(2):
            received = run.layers[layer].weights[head].sum(axis=0)
            old = list(range(9 - n_recent))
            heaviest = sorted(old, key=lambda j, received=received: -received[j])[:n_heavy]
            assert cache.kept_places(layer)[head].tolist() == sorted([*heaviest, *range(9 - n_recent, 9)])
    assert cache.n_tokens == n_recent + n_heavy
    assert cache.nbytes == 2 * 2 * (n_recent + n_heavy) * (8 + 8 + 1 + 1) * 8  # with the place and the weight of each


@pytest.mark.parametrize("keep", [True, False])
def test_a_step_is_attention_over_what_each_head_has_kept(keep):
    model = bundled().variant(keep=keep)
    cache, twin = (HeavyHitterCache.for_model(m, 64, 4, 4) for m in (model, bundled()))
    ids = model.tokenizer.encode("Anna has a red kite . Ben has a blue boat . Anna has a")
    prefill(model, ids, cache), prefill(bundled(), ids, twin)
    places = cache.kept_places(0)
    assert (cache.received(2) == pytest.approx(twin.received(2), abs=1e-4)) and len({tuple(p) for p in places}) == 2
    plain = KVCache.for_model(model, 64)
    prefill(model, ids, plain)
    step = decode_step(model, 5, cache)
    if keep:
        for head in range(model.n_kv_head):
            np.testing.assert_allclose(step.layers[0].k[head, :8], plain.k[0, head][places[head]], atol=1e-6)
    assert step.counts.scores == 9 and np.abs(step.logits - decode_step(model, 5, plain).logits).max() > 1e-3


def test_with_room_for_all_it_is_the_plain_cache():
    model = StackModel(3, 7)
    cache, plain = HeavyHitterCache.for_model(model, 64, 8, 8), KVCache.for_model(model, 64)
    for ids in ([3, 4, 5, 6], [0], [1]):
        mine, theirs = (prefill(model, ids, c) for c in (cache, plain))
        np.testing.assert_allclose(mine.logits, theirs.logits, rtol=0, atol=1e-12)


def test_what_cannot_be_is_refused():
    with pytest.raises(ValueError, match="got 64, 0, 4"):
        HeavyHitterCache.for_model(TEXT.model(), 64, 0, 4)
    cache = HeavyHitterCache.for_model(TEXT.model(), 4, 1, 1)
    with pytest.raises(ValueError, match="at most n_ctx = 4 tokens"):
        prefill(TEXT.model(), [0] * 5, cache)
