"""Any cache, every model: the exact ones equal the plain cache, the others say what they changed, and nothing knows the toy."""

from functools import cache as once
from pathlib import Path

import numpy as np
import pytest
from scenarios import CODE, TEXT

from engine import KVCache, bundled, caches, decode_step, generate, load, prefill
from engine.caches import HeavyHitterCache, PagedCache, PrefixCache, QuantisedCache, WindowCache, cache_error
from engine.caches.pages import PagePool
from engine.experiments.random_model import StackModel

ROOT = Path(__file__).parents[3]
FAMILIES = ("gpt2", "llama_mha", "llama_gqa_tied", "mistral", "qwen2", "qwen3")
EXACT = {
    "pages": lambda m: PagedCache.for_model(m, 64, 3),
    "window for all": lambda m: WindowCache.for_model(m, 64, 64),
    "heavy hitters for all": lambda m: HeavyHitterCache.for_model(m, 64, 32, 32),
    "all in full": lambda m: QuantisedCache.for_model(m, 64, residual=64),
}
LOSSY = {
    "window": lambda m: WindowCache.for_model(m, 64, 3),
    "window and sink": lambda m: WindowCache.for_model(m, 64, 3, 1),
    "heavy hitters": lambda m: HeavyHitterCache.for_model(m, 64, 2, 2),
    "2 bits": lambda m: QuantisedCache.for_model(m, 64, 2, "channel", "token", group=2),
}


@once
def models():
    trained = [load(ROOT / "tests" / "fixtures" / name) for name in FAMILIES]
    return [TEXT.model(), CODE.model(), StackModel(3, 7), bundled(), *trained, trained[2].variant(keep=False)]


IDS = [3, 4, 5, 6, 0, 1, 3, 2]


@pytest.mark.parametrize("name", EXACT)
def test_with_everything_kept_every_model_says_what_it_says_with_the_plain_cache(name):
    for model in models():
        plain = generate(model, IDS, 12)
        other = generate(model, IDS, 12, cache=EXACT[name](model))
        assert other.token_ids == plain.token_ids and other.counts == plain.counts
        for a, b in zip(other.passes, plain.passes, strict=True):
            np.testing.assert_allclose(a.logits, b.logits, rtol=0, atol=2e-4)


def test_a_shared_prefix_changes_nothing_for_any_model():
    for model in models():
        prefixes = PrefixCache(PagePool.for_model(model, 16, 3))
        prefixes.prefill(model, IDS[:6])
        found = prefixes.prefill(model, IDS)
        assert (found.hit_tokens, found.computed_tokens) == (6, 2)
        whole = KVCache.for_model(model, 64)
        true = prefill(model, IDS, whole).logits[-1]
        if model is models()[1]:
            # The article's key says "I am the last": what a shared beginning keeps is false once something follows.
            assert np.abs(found.run.logits[-1] - true).max() > 0.1
            continue
        np.testing.assert_allclose(found.run.logits[-1], true, rtol=0, atol=2e-4)
        step, plain = decode_step(model, 1, found.cache), decode_step(model, 1, whole)
        np.testing.assert_allclose(step.logits, plain.logits, rtol=0, atol=2e-4)


@pytest.mark.parametrize("name", LOSSY)
def test_every_model_runs_with_less_and_says_what_changed(name):
    for model in models()[:-1]:
        cache = LOSSY[name](model)
        error = cache_error(model, IDS, [1, 0, 2], cache)
        plain = KVCache.for_model(model, 64)
        prefill(model, [*IDS, 1, 0, 2], plain)
        assert np.isfinite([error.contexts, error.logits, error.kl]).all() and error.kl >= 0
        assert (error.keys is None) == (name != "2 bits")
        # In groups of two tokens a low and a step for each channel weigh as much as the numbers: see test_quantised for bytes.
        assert name == "2 bits" or cache.nbytes < plain.nbytes


def test_an_exact_cache_has_no_error_and_a_window_of_one_has():
    model = bundled()
    ids = model.tokenizer.encode("It is winter in Oslo . Today 's weather is so")
    exact = cache_error(model, ids[:-1], ids[-1:], PagedCache.for_model(model, 64))
    assert exact.keys == exact.contexts == exact.logits == exact.kl == 0 and not exact.word_changed
    alone = cache_error(model, ids[:-1], ids[-1:], WindowCache.for_model(model, 64, 1))
    assert alone.word_changed and alone.kl > 0.5 and alone.contexts > 0.3 and alone.keys is None
    few, many = (cache_error(model, ids[:-1], ids[-1:], QuantisedCache.for_model(model, 64, b, "token")) for b in (2, 8))
    assert 0 < many.keys < 0.01 < few.keys and many.kl < few.kl and many.logits < few.logits
    assert few.scores > 0 and few.values > 0


def test_every_kind_of_cache_is_run_here_under_every_model():
    """A new one is its file, its name in engine.caches, and a line above."""
    kinds = {made for name in caches.__all__ if hasattr(made := getattr(caches, name), "write")}
    assert kinds == {type(make(TEXT.model())) for make in (*EXACT.values(), *LOSSY.values())}


def test_caches_never_know_the_toy_or_the_trained_models():
    for path in (ROOT / "engine" / "caches").glob("*.py"):
        source = path.read_text("utf-8")
        assert "engine.toy" not in source and "engine.trained" not in source and "engine.experiments" not in source
