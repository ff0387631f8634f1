"""A shared beginning is computed once, and what follows cannot tell: equal logits, whole blocks only, the right ones evicted."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import KVCache, bundled, decode_step, generate, prefill
from engine.caches import PagePool, PrefixCache
from engine.caches.prefixes import block_hashes, shared_tokens
from engine.experiments.random_model import StackModel

MODEL = StackModel(2, 7)
PROMPT = [3, 4, 5, 6, 0, 1, 2, 3, 4]


def prefixes(n_blocks=16, block_size=4, model=MODEL):
    return PrefixCache(PagePool.for_model(model, n_blocks, block_size))


def plain_logits(ids, model=MODEL):
    return prefill(model, ids).logits[-1]


def test_only_what_is_not_there_is_computed():
    cache = prefixes()
    first, second = cache.prefill(MODEL, PROMPT), cache.prefill(MODEL, [*PROMPT[:8], 6, 6])
    assert (first.hit_tokens, first.computed_tokens) == (0, 9)
    assert (second.hit_tokens, second.computed_tokens, second.run.n_new) == (8, 2, 2)
    np.testing.assert_allclose(second.run.logits[-1], plain_logits([*PROMPT[:8], 6, 6]), rtol=0, atol=1e-12)
    assert second.cache.table[:2] == first.cache.table[:2] and second.cache.table[2] != first.cache.table[2]


def test_one_changed_early_token_leaves_no_later_block():
    cache = prefixes()
    cache.prefill(MODEL, PROMPT)
    assert cache.prefill(MODEL, [2, *PROMPT[1:]]).hit_tokens == 0
    assert cache.prefill(MODEL, [*PROMPT[:5], 2, *PROMPT[6:]]).hit_tokens == 4  # the first block is the same


def test_the_same_words_behind_other_words_are_other_blocks():
    a, b = block_hashes([1, 2, 3, 4], 2), block_hashes([9, 9, 3, 4], 2)
    assert a[1] != b[1]
    assert block_hashes([12, 3], 2) != block_hashes([1, 23], 2)
    assert block_hashes([1, 2, 3], 4) == []


def test_a_prompt_that_is_there_whole_computes_its_last_token_for_the_logits():
    """vLLM issue 7753: with every block in the cache there was nothing to compute, and no logits to choose a word from."""
    cache = prefixes()
    whole = PROMPT[:8]
    before = cache.prefill(MODEL, whole)
    again = cache.prefill(MODEL, whole)
    assert (again.hit_tokens, again.computed_tokens) == (7, 1)
    np.testing.assert_allclose(again.run.logits[-1], plain_logits(whole), rtol=0, atol=1e-12)
    # The last block is written once more, so into a copy: whoever holds the first sees nothing of it.
    assert again.cache.table[0] == before.cache.table[0] and again.cache.table[1] != before.cache.table[1]
    assert cache.n_blocks == 2


def test_3000_shared_tokens_share_nothing_in_blocks_of_4096_and_2944_in_blocks_of_128():
    """The example of docs.rbln.ai, vLLM support, prefix caching (v0.12): only whole blocks count, 2,944 are 23 of 128."""
    one, other = list(range(3000)) + [7] * 1200, list(range(3000)) + [8] * 1200
    for size, shared in ((4096, 0), (128, 2944), (16, 2992)):
        a, b = block_hashes(one, size), block_hashes(other, size)
        n = next((i for i, (x, y) in enumerate(zip(a, b, strict=True)) if x != y), len(a))
        assert n * size == shared == shared_tokens(3000, size)


def test_a_second_turn_runs_only_what_is_new_and_a_clock_time_first_loses_all():
    model = bundled()
    cache = prefixes(64, 4, model)
    prompt = model.tokenizer.encode("Anna has a red kite . Ben has a blue boat .")
    first = cache.prefill(model, prompt)
    answer = list(generate(model, [prompt[-1]], 1).token_ids)
    spoken = [*prompt, *answer]
    decode_step(model, answer[0], first.cache)
    cache.remember(spoken, first.cache)
    turn = [*spoken, *model.tokenizer.encode("Anna has a")[1:]]
    second = cache.prefill(model, turn)
    assert second.hit_tokens == len(spoken) // 4 * 4 and second.computed_tokens == len(turn) - second.hit_tokens
    np.testing.assert_allclose(second.run.logits[-1], prefill(model, turn).logits[-1], rtol=0, atol=2e-4)
    assert cache.prefill(model, [turn[0], 9, *turn[1:]]).hit_tokens == 0


def test_of_unreferenced_blocks_the_longest_unused_goes_first_and_then_the_longest_prefix():
    cache = prefixes(n_blocks=6, block_size=2)
    for ids in ([1, 1, 1, 1], [2, 2, 2, 2], [3, 3]):
        cache.prefill(MODEL, ids).cache.release()
    cache.prefill(MODEL, [2, 2, 2, 2, 0]).cache.release()  # used again: the prompt of ones is now the oldest
    assert cache.n_blocks == 5
    cache.make_room(2)
    assert len(cache.hit_blocks([1, 1, 1, 1])) == 1  # its second block went, the first is still of use
    cache.make_room(3)
    assert cache.hit_blocks([1, 1]) == [] and len(cache.hit_blocks([3, 3])) == 1
    cache.make_room(4)
    assert cache.hit_blocks([3, 3]) == [] and len(cache.hit_blocks([2, 2, 2, 2])) == 2


def test_a_block_that_a_sequence_holds_is_never_evicted():
    cache = prefixes(n_blocks=4, block_size=2)
    held = cache.prefill(MODEL, [1, 1, 1, 1])
    cache.prefill(MODEL, [2, 2, 2]).cache.release()
    cache.prefill(MODEL, [5, 5, 5]).cache.release()  # room for it comes from the twos
    assert cache.hit_blocks([2, 2]) == [] and len(cache.hit_blocks([1, 1, 1, 1])) == 2
    holders = cache.pool.holders.tolist()
    with pytest.raises(ValueError, match="need 3 free blocks, got 2 of 4"):
        cache.prefill(MODEL, [1, 1, *[6] * 6])
    assert sorted(holders) == [0, 1, 2, 2] and cache.pool.n_free == 2
    assert sorted(cache.pool.holders.tolist()) == [0, 0, 2, 2]  # the idle fives went, and the refused prompt holds nothing
    np.testing.assert_allclose(decode_step(MODEL, 0, held.cache).logits[-1], plain_logits([1, 1, 1, 1, 0]), rtol=0, atol=1e-12)


def test_decoding_finds_room_where_idle_blocks_lie():
    cache = prefixes(n_blocks=4, block_size=2)
    cache.prefill(MODEL, [1, 1, 1, 1]).cache.release()
    run = cache.prefill(MODEL, [2, 2])
    for _ in range(4):
        decode_step(MODEL, 0, run.cache)
    assert run.cache.n_tokens == 6
    assert len(cache.hit_blocks([1, 1, 1, 1])) == 1  # one block was free, the other was the idle prompt's last


@given(st.lists(st.lists(st.integers(0, 1), min_size=1, max_size=9), min_size=1, max_size=8), st.integers(1, 4))
def test_any_prompts_in_any_order_get_the_logits_of_a_prefill(prompts, block_size):
    cache = prefixes(n_blocks=24, block_size=block_size)
    for ids in prompts:
        found = cache.prefill(MODEL, ids)
        assert found.hit_tokens + found.computed_tokens == len(ids) and found.computed_tokens >= 1
        np.testing.assert_allclose(found.run.logits[-1], plain_logits(ids), rtol=0, atol=1e-12)
        plain = KVCache.for_model(MODEL, 64)
        prefill(MODEL, ids, plain)
        found.cache.release()
    held = np.bincount([kept.block for kept in cache._kept.values()], minlength=24)
    np.testing.assert_array_equal(cache.pool.holders, held)


def test_a_pool_has_one_prefix_cache_and_a_prompt_has_tokens():
    cache = prefixes()
    with pytest.raises(ValueError, match="pool without a prefix cache"):
        PrefixCache(cache.pool)
    with pytest.raises(ValueError, match="at least one token id, got none"):
        cache.prefill(MODEL, [])
