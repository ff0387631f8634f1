"""A window is a mask that forgets: the same rows as a masked model, fewer bytes, and on the toy another word with a sink."""

from dataclasses import replace
from functools import cache as once
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import TEXT

from engine import KVCache, attention, bundled, chunked_prefill, decode_step, generate, load, prefill
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


def test_positions_in_the_cache_are_those_of_a_text_that_has_only_what_is_kept():
    """One layer, rotary: keys do not depend on other tokens, so after any eviction the rows are those of the shortened text."""
    model = fixture("llama_mha")
    blocks = model.params.blocks[:1]
    one = replace(model, config=replace(model.config, n_layer=1, windows=(None,)), params=replace(model.params, blocks=blocks))
    cache = WindowCache.for_model(one, 500, window=4, n_sinks=2, positions="in the cache")
    for n, token_id in enumerate(np.tile(IDS, 10), 1):
        run = decode_step(one, token_id, cache)
        kept = [*np.tile(IDS, 10)[: min(2, n)], *np.tile(IDS, 10)[max(2, n - 4) : n]]
        np.testing.assert_allclose(run.logits[-1], one.forward(kept).logits[-1], rtol=0, atol=2e-4)
    assert run.positions.tolist() == [5] and n == 300 > one.n_ctx  # longer than any position that the model knows


def test_original_positions_keep_their_distance_and_those_in_the_cache_do_not():
    model = bundled()
    ids = model.tokenizer.encode("Anna has a red kite . Ben has a blue boat .")
    runs = []
    for positions in ("original", "in the cache"):
        cache = WindowCache.for_model(model, 64, 4, 1, positions)
        for token_id in ids:
            run = decode_step(model, token_id, cache)
        runs.append(run)
    assert runs[0].positions[0] == len(ids) - 1 and runs[1].positions[0] == 4
    assert np.abs(runs[0].logits - runs[1].logits).max() > 1e-3


def test_the_toys_keys_move_with_their_positions():
    model = TEXT.model()
    cache = WindowCache.for_model(model, 64, 2, 1, "in the cache")
    for token_id in (*TEXT.prompt_ids, 0):
        run = decode_step(model, token_id, cache)
    # Kept: 10, 5, 7 at places 1, 2, 3. Even sees 5, itself 7, the first 10, all 22 / 3.
    np.testing.assert_allclose(run.layers[0].context[:, 0, 0], [5, 7, 10, 22 / 3], atol=1e-5)
    assert run.layers[0].k[0].argmax(axis=-1).tolist() == [0, 1, 2]


def test_what_cannot_be_is_refused_by_name():
    for model in (StackModel(2, 7), fixture("gpt2")):
        with pytest.raises(ValueError, match="positions in the cache: expected"):
            WindowCache.for_model(model, 64, 4, positions="in the cache")
    with pytest.raises(ValueError, match="expected one of original, in the cache, got 'new'"):
        WindowCache.for_model(TEXT.model(), 64, 4, positions="new")
    with pytest.raises(ValueError, match="got 64, 0, 0"):
        WindowCache.for_model(TEXT.model(), 64, 0)
    cache = WindowCache.for_model(TEXT.model(), 5, 2)
    with pytest.raises(ValueError, match="at most n_ctx = 5 tokens, got 5 and 1 more"):
        generate(TEXT.model(), TEXT.prompt_ids, 3, cache=cache)
