"""A window is a mask that forgets: the same rows as a masked model, fewer bytes, and on the toy another word with a sink."""

from dataclasses import replace
from functools import cache as once
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import TEXT

from engine import KVCache, attention, chunked_prefill, decode_step, generate, load, prefill
from engine.caches import WindowCache
from engine.experiments.random_model import StackModel

FIXTURES = Path(__file__).parents[2] / "fixtures"
IDS = np.random.default_rng(2).integers(1, 96, 30)


@once
def fixture(name):
    return load(FIXTURES / name)


def windowed(model, window):
    """The model with a window in every layer, as Mistral has it: the independent way to the same rows."""
    return replace(model, config=replace(model.config, windows=(window,) * model.n_layer))


@pytest.mark.parametrize(("n_sinks", "contexts", "word"), [(0, [5, 7, 0, 6], "nice"), (1, [5, 7, 10, 22 / 3], "warm")])
def test_on_the_toy_one_sink_changes_the_word(n_sinks, contexts, word):
    """By hand: 10 20 1 5 and then 7. A window of 2 sees 5 and 7; "first" then sees nothing, with a sink it sees 10."""
    model, cache = TEXT.model(), WindowCache.for_model(TEXT.model(), 64, window=2, n_sinks=n_sinks)
    prefill(model, TEXT.prompt_ids, cache)
    run = decode_step(model, 0, cache)
    np.testing.assert_allclose(run.layers[0].context[:, 0, 0], contexts, atol=1e-5)
    assert TEXT.words[run.logits[-1].argmax()] == word
    assert cache.n_tokens <= n_sinks + 2


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("window", [1, 5])
@pytest.mark.parametrize("name", ["gpt2", "llama_gqa_tied", "qwen3"])
def test_a_window_without_sinks_is_the_model_with_a_sliding_window(name, window, keep):
    model = fixture(name).variant(keep=keep)
    cache, plain = WindowCache.for_model(model, 64, window), KVCache.for_model(model, 64)
    for ids in (IDS[:17], IDS[17:18], IDS[18:]):
        mine, theirs = prefill(model, ids, cache), prefill(windowed(model, window), ids, plain)
        np.testing.assert_allclose(mine.logits[-1], theirs.logits[-1], rtol=0, atol=2e-4)
    # The next token is the window's newest, so one fewer is kept for it.
    assert cache.n_tokens == window - 1 and cache.nbytes == plain.nbytes * (window - 1) // 30


def test_the_models_own_window_hides_a_sink_too():
    model = fixture("mistral")
    own = max(window for window in model.config.windows if window)
    cache, plain = WindowCache.for_model(model, 64, own + 5, n_sinks=2), KVCache.for_model(model, 64)
    for n in range(0, 30, 6):
        mine, theirs = (prefill(model, IDS[n : n + 6], c) for c in (cache, plain))
        np.testing.assert_allclose(mine.logits, theirs.logits, rtol=0, atol=2e-4)


@given(st.integers(1, 3), st.integers(1, 6), st.integers(0, 3), st.integers(1, 9), st.integers(0, 9))
def test_any_chunks_give_the_rows_of_one_pass_under_the_mask(n_layer, window, n_sinks, n_chunk, seed):
    model, ids = StackModel(n_layer, 7, seed), [3, 4, 5, 6, 0, 1, 2, 3, 1]
    cache, whole = (WindowCache.for_model(model, 64, window, n_sinks) for _ in range(2))
    passes, one = chunked_prefill(model, ids, cache, n_chunk), prefill(model, ids, whole)
    np.testing.assert_allclose(np.concatenate([p.logits for p in passes]), one.logits, rtol=0, atol=1e-12)
    i, j = np.arange(9)[:, None], np.arange(9)
    mask = (j <= i) & ((j > i - window) | (j < n_sinks))
    layer = one.layers[0]
    np.testing.assert_allclose(layer.context, attention(layer.q, layer.k, layer.v, mask).context, rtol=0, atol=1e-12)
    assert set(cache.kept_places) == {p for p in range(9) if p > 9 - window or p < n_sinks}


def test_what_cannot_be_is_refused_by_name():
    with pytest.raises(ValueError, match="got 64, 0, 0"):
        WindowCache.for_model(TEXT.model(), 64, 0)
    cache = WindowCache.for_model(TEXT.model(), 5, 2)
    with pytest.raises(ValueError, match="at most n_ctx = 5 tokens, got 5 and 1 more"):
        generate(TEXT.model(), TEXT.prompt_ids, 3, cache=cache)
