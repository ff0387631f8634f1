"""Nothing takes a row for a position: models run behind a cache that shuffles its rows, hides some of them, or drops them."""

from dataclasses import replace
from functools import cache as once
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import CODE, PRINCIPLED, TEXT, scenarios

from engine import KVCache, attention, chunked_prefill, decode_step, generate, load, prefill
from engine.cache import Cache
from engine.experiments.random_model import StackModel

FIXTURES = Path(__file__).parents[1] / "fixtures"
FAMILIES = ("gpt2", "llama_mha", "llama_gqa_tied", "mistral", "qwen2", "qwen3")


class Shuffled(Cache):
    """Holds its rows in a random order, another one for each layer and, with `by_head`, for each head; never drops the newest.

    gone: positions whose rows are dropped when their pass is over; hidden: positions kept, and hidden from later passes.
    """

    def __init__(self, model, seed=0, by_head=False, gone=(), hidden=()):
        self._rng, self._by_head, self._gone, self._hidden = np.random.default_rng(seed), by_head, list(gone), list(hidden)
        heads = model.n_kv_head
        empty = [np.zeros((heads, 0, d), model.dtype) for d in (model.d_head, model.d_v)]
        self._held = [(*empty, np.zeros((heads, 0), int))] * model.n_layer
        self._read, self._next = list(self._held), 0

    next_position = property(lambda self: self._next)
    nbytes = property(lambda self: sum(k.nbytes + v.nbytes for k, v, _ in self._held))

    def require_room(self, n_new):
        pass

    def write(self, layer, k, v):
        heads, n_new = k.shape[:2]
        new = k, v, np.tile(np.arange(self._next, self._next + n_new), (heads, 1))
        rows = [np.concatenate([old, more], axis=1) for old, more in zip(self._held[layer], new, strict=True)]
        one = self._rng.permutation(rows[2].shape[1])
        order = np.array([self._rng.permutation(one) if self._by_head else one for _ in range(heads)])
        self._read[layer] = tuple(np.take_along_axis(x, order if x.ndim == 2 else order[..., None], axis=1) for x in rows)
        return self._read[layer][:2]

    def key_positions(self, layer):
        positions = self._read[layer][2]
        return positions if self._by_head else positions[0]

    def narrowed(self, mask, queries, keys):
        return mask & ~(np.isin(keys, self._hidden) & (keys < queries[0]))[..., None, :]

    def advance(self, n_new):
        self._next += n_new
        for layer, rows in enumerate(self._read):
            kept = ~np.isin(rows[2], self._gone)
            self._held[layer] = tuple(x[kept].reshape(len(x), -1, *x.shape[2:]) for x in rows)


@once
def fixture(name):
    return load(FIXTURES / name)


def run(model, ids, cache, chunk=3):
    """Logits of the last row of every pass: chunks of a prompt, then one token at a time."""
    prompt, rest = ids[:-3], ids[-3:]
    passes = [*chunked_prefill(model, prompt, cache, chunk), *(decode_step(model, i, cache) for i in rest)]
    return np.stack([p.logits[-1] for p in passes]), passes


@given(scenarios(kinds=(*PRINCIPLED, "last"), n_tokens=st.integers(2, 10)), st.booleans(), st.integers(0, 99), st.integers(1, 5))
def test_the_toy_finds_its_keys_in_any_order(scenario, by_head, seed, chunk):
    """The key "I am the last" among them: it asks for the number of tokens so far, not for the number of rows."""
    model, ids = scenario.model(), (*scenario.prompt_ids, 0, 0)
    plain, _ = run(model, ids, KVCache.for_model(model, 64), chunk)
    shuffled, _ = run(model, ids, Shuffled(model, seed, by_head), chunk)
    np.testing.assert_allclose(shuffled, plain, rtol=1e-12, atol=1e-6)


@given(st.integers(1, 3), st.booleans(), st.booleans(), st.integers(0, 99))
def test_the_stack_finds_its_keys_in_any_order(n_layer, by_head, causal, seed):
    model, ids = StackModel(n_layer, 7, seed, causal), [3, 4, 5, 6, 0, 1, 2]
    plain, _ = run(model, ids, KVCache.for_model(model, 64))
    np.testing.assert_allclose(run(model, ids, Shuffled(model, seed, by_head))[0], plain, rtol=0, atol=1e-12)


@pytest.mark.parametrize("by_head", [False, True])
@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("name", FAMILIES)
def test_a_trained_transformer_finds_its_keys_in_any_order_windows_and_all(name, keep, by_head):
    model, ids = fixture(name).variant(keep=keep), np.random.default_rng(1).integers(1, 96, 40)
    plain, before = run(model, ids, KVCache.for_model(model, 64), 16)
    shuffled, after = run(model, ids, Shuffled(model, 3, by_head), 16)
    np.testing.assert_allclose(shuffled, plain, rtol=0, atol=2e-4)
    assert [p.counts for p in after] == [p.counts for p in before]


GONE = [1, 2]


@pytest.mark.parametrize("model", [TEXT.model(), CODE.model(), StackModel(3, 7), *map(fixture, FAMILIES)])
def test_a_dropped_row_is_one_that_is_hidden_and_every_position_behind_it_stays(model):
    ids = [3, 4, 5, 6, 0, 1, 0, 2]
    hidden, _ = run(model, ids, Shuffled(model, hidden=GONE))
    dropped, passes = run(model, ids, Shuffled(model, gone=GONE))
    np.testing.assert_allclose(dropped, hidden, rtol=0, atol=2e-4)
    assert passes[-1].positions.tolist() == [7] and passes[-1].layers[0].k.shape[1] == 6
    assert np.abs(dropped[-1] - run(model, ids, KVCache.for_model(model, 64))[0][-1]).max() > 1e-3


def test_without_the_values_20_and_1_the_toy_averages_what_is_left():
    """Prompt 10, 20, 1, 5 and the answer 7, rows 2 and 3 gone: even sees 5, itself 7, the first 10, all (10 + 5 + 7) / 3."""
    model, cache = TEXT.model(), Shuffled(TEXT.model(), gone=GONE)
    prefill(model, TEXT.prompt_ids, cache)
    layer = decode_step(model, 0, cache).layers[0]
    np.testing.assert_allclose(layer.context[:, 0, 0], [5, 7, 10, 22 / 3], atol=1e-5)
    keys = np.sort(cache.key_positions(0))
    assert keys.tolist() == [0, 3, 4]


def test_generate_takes_any_cache_and_goes_on_behind_what_it_holds():
    model, plain = TEXT.model(), generate(TEXT.model(), TEXT.prompt_ids, 6)
    assert generate(model, TEXT.prompt_ids, 6, cache=Shuffled(model)).token_ids == plain.token_ids
    cache = KVCache.for_model(model, 64)
    prefill(model, TEXT.prompt_ids[:2], cache)
    assert generate(model, TEXT.prompt_ids[2:], 6, cache=cache).token_ids == plain.token_ids
    with pytest.raises(ValueError, match="got both"):
        generate(model, TEXT.prompt_ids, 6, use_cache=False, cache=cache)
    with pytest.raises(ValueError, match="n_new_tokens: expected at least 1, got 0"):
        generate(model, TEXT.prompt_ids, 0, cache=cache)


def test_a_mask_of_each_key_head_is_shared_by_its_group_of_queries():
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(4, 2, 8)), rng.normal(size=(2, 5, 8)), rng.normal(size=(2, 5, 3))
    mask = rng.random((2, 2, 5)) > 0.4
    by_group, by_head = attention(q, k, v, mask), attention(q, k, v, mask[[0, 0, 1, 1]])
    np.testing.assert_array_equal(by_group.weights, by_head.weights)
    np.testing.assert_array_equal(by_group.mask, by_head.mask)


def test_the_position_of_last_is_that_of_the_token_and_not_the_number_of_rows():
    """The article's key "I am the last of the prompt": with rows gone it still belongs to the newest token alone."""
    scenario = replace(CODE, rules=("last",) * 4)
    model, cache = scenario.model(), Shuffled(scenario.model(), gone=[0, 1, 2, 3])
    prefill(model, scenario.prompt_ids, cache)
    layer = decode_step(model, 0, cache).layers[0]
    assert (layer.k == 1).all() and layer.k.shape[1] == 1
