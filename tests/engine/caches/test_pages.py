"""Pages are exact: whatever the blocks' order and whoever shares them, every number is the contiguous cache's to the bit."""

from functools import cache as once
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import CODE, TEXT, scenarios

from engine import KVCache, bundled, decode_step, generate, load, prefill
from engine.caches import PagedCache, PagePool
from engine.experiments.random_model import StackModel

FIXTURES = Path(__file__).parents[2] / "fixtures"
FAMILIES = ("gpt2", "llama_mha", "llama_gqa_tied", "mistral", "qwen2", "qwen3")


@once
def fixture(name):
    return load(FIXTURES / name)


def same(a, b):
    np.testing.assert_array_equal(a.logits, b.logits)
    for x, y in zip(a.layers, b.layers, strict=True):
        for part in ("k", "v", "scores", "weights", "context"):
            np.testing.assert_array_equal(getattr(x, part), getattr(y, part))


@given(st.integers(1, 3), st.integers(0, 99), st.integers(1, 5), st.data())
def test_forks_in_any_order_equal_contiguous_caches(n_layer, seed, block_size, data):
    """Several sequences in one pool, each extended or forked at random; then each one's passes run again behind a plain cache."""
    model = StackModel(n_layer, 7, seed)
    pool = PagePool.for_model(model, 64, block_size)
    held = [(pool.new(), [])]  # each with the token ids of its passes
    for _ in range(data.draw(st.integers(1, 8))):
        cache, chunks = held[data.draw(st.integers(0, len(held) - 1))]
        if data.draw(st.booleans()) and len(held) < 4:
            held.append((cache.fork(), list(chunks)))
        else:
            chunks.append(data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=6)))
            prefill(model, chunks[-1], cache)
    for cache, chunks in held:
        n, plain = sum(map(len, chunks)), KVCache.for_model(model, 64)
        for ids in chunks:
            prefill(model, ids, plain)
        assert cache.n_tokens == n and cache.waste < block_size and len(cache.table) == -(-n // block_size)
        same(decode_step(model, 0, cache), decode_step(model, 0, plain))
    assert (pool.holders == np.bincount([b for cache, _ in held for b in cache.table], minlength=64)).all()


@given(scenarios(n_tokens=st.integers(1, 9)), st.integers(1, 5))
def test_the_toy_in_pages_is_the_toy_to_the_last_bit(scenario, block_size):
    model = scenario.model()
    plain, paged = KVCache.for_model(model, 64), PagedCache.for_model(model, 64, block_size)
    for ids in (scenario.prompt_ids, [0], [0]):
        same(prefill(model, ids, paged), prefill(model, ids, plain))
    assert paged.nbytes == plain.nbytes


@pytest.mark.parametrize("model", [TEXT.model(), CODE.model(), StackModel(3, 7), *map(fixture, FAMILIES), bundled()])
def test_every_model_says_the_same_in_pages_to_the_last_bit(model):
    ids = [3, 4, 5, 6]
    plain, paged = (generate(model, ids, 20, cache=c.for_model(model, 32)) for c in (KVCache, PagedCache))
    assert paged.token_ids == plain.token_ids
    for a, b in zip(paged.passes, plain.passes, strict=True):
        same(a, b)


def test_shuffled_blocks_are_gathered_in_order():
    model = StackModel(2, 7)
    pool = PagePool.for_model(model, 8, 2)
    others = [pool.new() for _ in range(3)]
    for other in others:
        prefill(model, [1, 2], other)
    others[1].release()
    cache, plain = pool.new(), KVCache.for_model(model, 8)
    prefill(model, [3, 4, 5, 6, 0], cache)
    prefill(model, [3, 4, 5, 6, 0], plain)
    assert cache.table == [1, 3, 4] and cache.waste == 1
    same(decode_step(model, 1, cache), decode_step(model, 1, plain))


def test_a_later_token_may_lie_in_an_earlier_block():
    model = StackModel(2, 7)
    pool = PagePool.for_model(model, 8, 2)
    other, cache, plain = pool.new(), pool.new(), KVCache.for_model(model, 8)
    prefill(model, [1, 2], other)
    for each in (cache, plain):
        prefill(model, [3, 4], each)
    other.release()
    same(prefill(model, [5, 6], cache), prefill(model, [5, 6], plain))
    assert cache.table == [1, 0]
    same(decode_step(model, 1, cache), decode_step(model, 1, plain))


def test_a_shared_block_is_copied_by_the_first_who_writes_and_by_nobody_else():
    model = StackModel(2, 7)
    pool = PagePool.for_model(model, 8, 4)
    a = pool.new()
    prefill(model, [1, 2, 3, 4, 5, 6], a)
    b = a.fork()
    assert a.table == b.table == [0, 1] and pool.holders[:2].tolist() == [2, 2] and pool.n_copied == 0
    decode_step(model, 0, b)
    assert pool.n_copied == 1 and a.table == [0, 1] and b.table == [0, 2] and pool.holders[:3].tolist() == [2, 1, 1]
    decode_step(model, 3, a)  # its last block is its own again
    assert pool.n_copied == 1
    for cache, last in ((a, 3), (b, 0)):
        plain = KVCache.for_model(model, 8)
        for ids in ([1, 2, 3, 4, 5, 6], [last]):
            prefill(model, ids, plain)
        same(decode_step(model, 1, cache), decode_step(model, 1, plain))
    a.release(), b.release()
    assert pool.n_free == 8


def test_a_full_pool_refuses_before_anything_is_computed_and_a_failed_pass_changes_nothing():
    model = TEXT.model()
    cache = PagedCache.for_model(model, 6, 3)
    prefill(model, TEXT.prompt_ids, cache)
    with pytest.raises(ValueError, match="3 more tokens need 1 free blocks, got 0 of 2"):
        prefill(model, [0, 0, 0], cache)
    with pytest.raises(ValueError, match="ids from 0"):
        decode_step(model, 99, cache)
    with pytest.raises(ValueError, match="expected 1 new rows in every layer"):
        cache.advance(1)
    plain = KVCache.for_model(model, 6)
    prefill(model, TEXT.prompt_ids, plain)
    same(decode_step(model, 0, cache), decode_step(model, 0, plain))
    for sizes in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="expected at least 1, got 0"):
            PagePool.for_model(model, *sizes)


def test_what_is_wasted_is_the_rest_of_the_last_block():
    model = TEXT.model()
    cache = PagedCache.for_model(model, 64, 16)
    prefill(model, [3, 4, 5, 6, 0], cache)
    assert (cache.waste, cache.nbytes, cache.reserved_bytes) == (11, 5 * 65 * 8, 16 * 65 * 8)
