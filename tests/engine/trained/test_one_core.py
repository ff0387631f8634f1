"""Passes keep their products on one core, and leave the process's own setting as it was."""

import threading
from pathlib import Path

import numpy as np
import pytest

from engine import prefill
from engine.trained import one_core
from engine.trained.loading import load
from engine.trained.one_core import one_core_a_product

FIXTURES = Path(__file__).parents[2] / "fixtures"
# Other libraries have no thread switch that the engine knows; it leaves them alone there, and there is nothing to test.
needs_openblas = pytest.mark.skipif(one_core._openblas() is None, reason="NumPy was built with another library than OpenBLAS")


@pytest.fixture
def cores():
    """How many cores a product may use: two, whatever machine the tests run on."""
    get, put = one_core._openblas()
    before = get()
    put(2)
    yield get
    put(before)


def test_without_openblas_a_pass_runs_as_it_is(monkeypatch):
    monkeypatch.setattr(one_core, "_openblas", lambda: None)
    assert len(prefill(load(FIXTURES / "llama_mqa"), [1, 2, 3]).logits) == 3


@needs_openblas
def test_the_setting_is_put_back_even_after_an_error(cores):
    with one_core_a_product():
        assert cores() == 1
        with one_core_a_product():
            assert cores() == 1
        assert cores() == 1
    assert cores() == 2
    with pytest.raises(ZeroDivisionError), one_core_a_product():
        1 // 0  # noqa: B018
    assert cores() == 2


@needs_openblas
def test_passes_at_once_do_not_undo_each_others_setting(cores):
    """Eight visitors at once: every pass right and on one core, and the setting as before when the last has gone."""
    model, ids = load(FIXTURES / "llama_mqa").variant(keep=False), np.random.default_rng(2).integers(1, 96, 60)
    expected, found = prefill(model, ids).logits, []
    visitors = [threading.Thread(target=lambda: found.append(prefill(model, ids).logits)) for _ in range(8)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert len(found) == 8 and cores() == 2
    for logits in found:
        np.testing.assert_allclose(logits, expected, rtol=0, atol=1e-4)
