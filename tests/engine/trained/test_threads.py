"""A pass that is shared among threads gives the same numbers, and leaves the process's own settings as they were."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine import KVCache, decode_step, prefill
from engine.trained import threads
from engine.trained.loading import load

FIXTURES = Path(__file__).parents[2] / "fixtures"
# Other libraries have no thread switch that the engine knows; it leaves them alone there, and there is nothing to test.
needs_openblas = pytest.mark.skipif(threads._openblas() is None, reason="NumPy was built with another library than OpenBLAS")


@pytest.fixture
def two_cores(monkeypatch):
    """Passes are shared by two threads, whatever machine the tests run on."""
    monkeypatch.setattr(threads, "_cores", lambda: 2)


def long_model(name: str):
    """A fixture's model with room for a text long enough to be shared."""
    model = load(FIXTURES / name)
    return replace(model, config=replace(model.config, n_ctx=1024))


@needs_openblas
@pytest.mark.parametrize("name", ["llama_gqa_tied", "mistral", "qwen3"])
def test_a_shared_pass_gives_the_same_logits_and_cache(name, two_cores, monkeypatch):
    model, ids = long_model(name), np.random.default_rng(1).integers(1, 96, 300)
    pools = []
    monkeypatch.setattr(threads, "_pool", lambda n, made=threads._pool: pools.append(n) or made(n))
    caches = [KVCache.for_model(model, 310) for _ in range(2)]
    whole = prefill(model, ids, caches[0])
    assert pools == []
    lean = prefill(model.variant(keep=False), ids, caches[1])
    assert pools
    assert set(pools) == {2}
    np.testing.assert_allclose(lean.logits[0], whole.logits[-1], rtol=0, atol=2e-4)
    np.testing.assert_allclose(caches[1].k, caches[0].k, rtol=0, atol=1e-4)
    steps = [decode_step(model, 7, cache).logits for cache in caches]
    np.testing.assert_allclose(steps[0], steps[1], rtol=0, atol=2e-4)
    assert lean.counts == whole.counts


def test_rows_are_shared_without_gap_or_overlap(two_cores):
    for n_rows in (1, 5, 255, 256, 257, 1000):
        parts = threads.shares(n_rows)
        assert len(parts) == (2 if n_rows >= 256 else 1)
        np.testing.assert_array_equal(np.concatenate([np.arange(n_rows)[part] for part in parts]), np.arange(n_rows))
        assert np.ptp([part.stop - part.start for part in parts]) <= 1


def test_without_openblas_a_pass_is_one_share(monkeypatch):
    monkeypatch.setattr(threads, "_openblas", lambda: None)
    assert threads.shares(5000) == [slice(0, 5000)]
    with threads.one_core_a_product(True):
        done = []
        threads.each(done.append, [1, 2, 3])
        assert done == [1, 2, 3]


@needs_openblas
def test_the_setting_is_put_back_even_after_an_error(two_cores):
    get, put = threads._openblas()
    before = get()
    put(2)
    try:
        with threads.one_core_a_product(True):
            assert get() == 1
            with threads.one_core_a_product(True):
                assert get() == 1
            assert get() == 1
        assert get() == 2
        with pytest.raises(ZeroDivisionError), threads.one_core_a_product(True):
            threads.each(lambda x: 1 // x, [1, 0, 2])
        assert get() == 2
        with threads.one_core_a_product(False):
            assert get() == 2
    finally:
        put(before)


@needs_openblas
def test_passes_at_once_do_not_undo_each_others_setting(two_cores):
    """Eight visitors at once: every pass right, and the setting as before when the last has gone."""
    get, put = threads._openblas()
    before = get()
    put(2)
    model, ids = long_model("llama_mqa").variant(keep=False), np.random.default_rng(2).integers(1, 96, 260)
    expected, found = prefill(model, ids).logits, []
    try:
        visitors = [threading.Thread(target=lambda: found.append(prefill(model, ids).logits)) for _ in range(8)]
        for visitor in visitors:
            visitor.start()
        for visitor in visitors:
            visitor.join()
        assert len(found) == 8
        for logits in found:
            np.testing.assert_allclose(logits, expected, rtol=0, atol=1e-4)
        assert get() == 2
    finally:
        put(before)
