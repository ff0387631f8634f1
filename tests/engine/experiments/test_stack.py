"""Depth: a model of several layers under the same calls, and the experiment that one layer cannot show."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import KVCache, chunked_prefill, decode_step, prefill
from engine.attention import attention
from engine.compare import last_row_gaps, position_gaps, row_gaps
from engine.experiments.chosen_answer import cached_and_recomputed
from engine.experiments.random_model import MAX_LAYERS, StackModel

IDS = (3, 4, 5, 6)
NICE = 0


def new_row(n_layer, causal, seed=0):
    (_, before), (cached, whole) = cached_and_recomputed(StackModel(n_layer, 7, seed, causal), IDS, [NICE])
    return last_row_gaps(cached, whole), row_gaps(before, whole)


@given(st.integers(1, MAX_LAYERS), st.integers(0, 999), st.lists(st.integers(0, 6), min_size=1, max_size=8))
def test_with_the_mask_cached_equals_recomputed_at_every_depth(n_layer, seed, answer):
    for cached, whole in cached_and_recomputed(StackModel(n_layer, 7, seed), IDS, answer):
        assert max(last_row_gaps(cached, whole).values()) < 1e-12


@given(st.integers(0, 999))
def test_one_layer_hides_that_the_mask_is_off_and_two_or_three_do_not(seed):
    gaps, old = new_row(1, False, seed)
    assert gaps["logits"] < 1e-13 and gaps["k"] < 1e-13
    assert old.max() > 0.01  # the old rows did change
    for n_layer in (2, 3):
        gaps, _ = new_row(n_layer, False, seed)
        assert gaps["k"] > 0.01 and gaps["logits"] > 1e-3
        assert new_row(n_layer, True, seed)[0]["logits"] < 1e-12


def test_the_error_starts_in_the_rows_of_layer_1_and_in_the_keys_of_layer_2():
    model = StackModel(2, 7, 0, causal=False)
    cache = KVCache.for_model(model, 5)
    passes = [prefill(model, IDS, cache), model.forward([NICE], cache)]
    names, gaps = position_gaps(passes, model.forward((*IDS, NICE)))
    assert names == ["layer 1 k, v", "layer 1 contexts", "layer 2 k, v", "layer 2 contexts", "logits"]
    assert gaps[0].max() < 1e-13
    assert (gaps[1, :4] > 0.01).all() and gaps[1, 4] < 1e-13
    assert (gaps[2, :4] > 0.01).all() and gaps[2, 4] < 1e-13
    assert (gaps[3] > 0.01).all() and (gaps[4] > 0.01).all()


@given(st.integers(1, 5), st.integers(0, 99))
def test_chunks_make_no_difference(n_chunk, seed):
    model = StackModel(3, 7, seed)
    cache = KVCache.for_model(model, 4)
    logits = np.concatenate([p.logits for p in chunked_prefill(model, IDS, cache, n_chunk)])
    np.testing.assert_allclose(logits, prefill(model, IDS).logits, rtol=0, atol=1e-12)


def test_a_deeper_model_begins_with_the_shallower_ones_blocks_and_a_seed_fixes_all():
    shallow, deep = (prefill(StackModel(n, 7, 5), IDS).layers[0].k for n in (1, 3))
    np.testing.assert_array_equal(shallow, deep)
    assert not np.array_equal(shallow, prefill(StackModel(1, 7, 6), IDS).layers[0].k)


@pytest.mark.parametrize(
    ("n_layer", "n_vocab", "message"), [(0, 7, "1 to 3, got 0"), (4, 7, "got 4"), (1, 0, "at least 1, got 0")]
)
def test_sizes_out_of_range_are_refused(n_layer, n_vocab, message):
    with pytest.raises(ValueError, match=message):
        StackModel(n_layer, n_vocab)


def test_a_prompt_whose_tokens_see_each_other_has_a_true_cache_too():
    """ "A cache is valid exactly when a key knows only its past": not so. In a prefix-LM (T5's and PrefixLM's mask) the prompt's
    keys know the whole prompt, and no later token changes them. Computed here by hand, layer by layer."""
    model, ids = StackModel(3, 16, causal=False), (3, 1, 4, 15, 9, 2)
    cache = KVCache.for_model(model, len(ids))
    prefill(model, ids[:-1], cache)
    cached = decode_step(model, ids[-1], cache)
    i = np.arange(len(ids))
    mask = (i[None, :] <= i[:, None]) | (i[None, :] < len(ids) - 1)
    x = model._embedding[list(ids)] + model._position[: len(ids)]
    for projections, back in model._blocks:
        x = x + attention(*(x @ projections), mask).context.swapaxes(0, 1).reshape(len(ids), -1) @ back
    np.testing.assert_allclose(cached.logits[-1], (x @ model._logits)[-1], atol=1e-12)


def test_a_shift_of_contexts_needs_one_number_a_layer():
    with pytest.raises(ValueError, match="context_shift: expected one number for each of 2 layers, got 1"):
        StackModel(2, 7, context_shift=(1.0,))
    for i, n_layer in ((0, 1), (1, 2)):  # zero changes nothing, not even a last digit
        same = prefill(StackModel(n_layer, 7, context_shift=(0.0,) * n_layer), IDS), prefill(StackModel(n_layer, 7), IDS)
        assert (same[0].logits == same[1].logits).all(), i
