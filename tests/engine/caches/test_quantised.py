"""Few bits: codes packed for real, errors of at most half a step, small groups better than large, and bytes that add up."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import TEXT

from engine import KVCache, bundled, decode_step, generate, prefill
from engine.caches import QuantisedCache, quantise, relative_error
from engine.caches.quantised import BITS, GROUPS, pack, unpack
from engine.experiments.random_model import StackModel


@given(st.sampled_from(BITS), st.lists(st.integers(0, 255), max_size=40))
def test_packed_codes_come_back(bits, numbers):
    codes = np.array([n % 2**bits for n in numbers], np.uint8)
    packed = pack(codes, bits)
    assert packed.dtype == np.uint8 and packed.nbytes == -(-len(codes) * bits // 8)
    np.testing.assert_array_equal(unpack(packed, bits, len(codes)), codes)


@given(st.sampled_from(BITS), st.sampled_from(GROUPS), st.integers(1, 3), st.integers(1, 9), st.integers(0, 99))
def test_every_number_is_within_half_a_step_and_the_edges_are_exact(bits, groups, n_head, n, seed):
    x = np.random.default_rng(seed).normal(size=(n_head, n, 8)).astype(np.float32)
    kept = quantise(x, bits, groups, group=4)
    axes = {"tensor": (0, 1, 2), "token": 2, "channel": 1}
    runs, axis = (x.reshape(n_head, n, 2, 4), 3) if groups == "group" else (x, axes[groups])
    low, high = runs.min(axis=axis, keepdims=True), runs.max(axis=axis, keepdims=True)
    back = kept.rows()
    apart = np.abs(back - x).reshape(runs.shape)
    assert back.dtype == np.float32 and (apart <= (high - low) / (2**bits - 1) / 2 * 1.001 + 1e-6).all()
    edge = (runs == low) | (runs == high)
    np.testing.assert_allclose(apart[edge], 0, atol=1e-6)
    assert kept.nbytes == -(-x.size * bits // 8) + 2 * 4 * low.size


def test_one_large_channel_spoils_tokens_and_not_channels():
    """KIVI's reason (Liu et al. 2024, section 3): keys of large models have outlier channels. Here one is made."""
    x = np.random.default_rng(0).normal(size=(2, 64, 16)).astype(np.float32)
    x[:, :, 3] *= 40
    others = [c for c in range(16) if c != 3]
    token, channel = (quantise(x, 2, groups).rows()[:, :, others] for groups in ("token", "channel"))
    assert relative_error(token, x[:, :, others]) > 0.9 > 0.6 > relative_error(channel, x[:, :, others])


def test_smaller_groups_and_more_bits_are_never_worse_on_a_trained_models_rows():
    cache, model = KVCache.for_model(bundled(), 128), bundled()
    prefill(model, list(range(2, 98)), cache)
    for rows in (*cache.k, *cache.v):
        by_bits = [relative_error(quantise(rows, bits, "token").rows(), rows) for bits in (8, 4, 2)]
        assert by_bits[0] < 0.005 and by_bits == sorted(by_bits)
        errors = [relative_error(quantise(rows, 2, groups, 4).rows(), rows) for groups in ("tensor", "token", "group")]
        assert errors == sorted(errors, reverse=True)


@pytest.mark.parametrize(("key_groups", "unit"), [("channel", 8), ("tensor", 8), ("token", 1), ("group", 1)])
@pytest.mark.parametrize("residual", [0, 5])
def test_what_is_old_enough_and_complete_is_rounded_and_bytes_are_what_is_kept(key_groups, unit, residual):
    model = bundled()
    cache = QuantisedCache.for_model(model, 64, 2, key_groups, "token", group=8, residual=residual)
    prefill(model, list(range(2, 32)), cache)
    for n in range(31, 41):
        decode_step(model, 7, cache)
        n_keys, n_values = (n - residual) // unit * unit, n - residual
        d, heads = 16, 2
        groups = {"channel": heads * d / 8, "tensor": 1 / 8, "token": heads, "group": heads * d / 8}[key_groups]  # a token
        keys = n_keys * (heads * d * 2 / 8 + 8 * groups) + (n - n_keys) * heads * d * 4
        values = n_values * (heads * d * 2 / 8 + 8 * heads) + (n - n_values) * heads * d * 4
        assert cache.nbytes == 3 * (keys + values)


def test_attention_reads_what_the_rows_have_become_and_the_newest_as_they_are():
    model, ids = StackModel(2, 7), [3, 4, 5, 6, 0, 1, 2, 3]
    cache, plain = QuantisedCache.for_model(model, 64, 4, "token", "token", residual=2), KVCache.for_model(model, 64)
    prefill(model, ids, cache), prefill(model, ids, plain)
    layer = decode_step(model, 1, cache).layers[0]
    old = quantise(plain.k[0][:, :6], 4, "token").rows()
    np.testing.assert_array_equal(layer.k[:, :6], old)
    np.testing.assert_array_equal(layer.k[:, 6:8], plain.k[0][:, 6:])
    assert np.abs(layer.k[:, :6] - plain.k[0][:, :6]).max() > 1e-3


def test_the_toys_keys_need_only_two_bits_because_they_have_only_two_values():
    model = TEXT.model()
    cache = QuantisedCache.for_model(model, 64, 2, "token", "token")
    assert generate(model, TEXT.prompt_ids, 10, cache=cache).token_ids == generate(model, TEXT.prompt_ids, 10).token_ids
    np.testing.assert_array_equal(decode_step(model, 0, cache).layers[0].k[0], np.eye(64)[:14])


def test_eight_bits_change_no_word_of_the_bundled_model():
    model = bundled()
    ids = model.tokenizer.encode("Anna has a red kite . Ben has a blue boat . Anna has a")
    for groups in GROUPS:
        cache = QuantisedCache.for_model(model, 64, 8, groups, groups, group=8)
        assert generate(model, ids, 12, cache=cache).token_ids == generate(model, ids, 12).token_ids


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"bits": 3}, r"bits: expected one of \(2, 4, 8\), got 3"),
        ({"key_groups": "row"}, "groups: expected one of tensor, token, channel, group, got 'row'"),
        ({"value_groups": "group", "group": 5}, "divisor of the 16 channels of a head, got 5"),
        ({"residual": -1}, "got 64 and -1"),
    ],
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ValueError, match=message):
        QuantisedCache.for_model(bundled(), 64, **options)
