"""The stopwatch: it times the two passes it says, keeps to its budget on any machine, and counts operations by hand."""

import numpy as np
import pytest

from engine import KVCache, decode_step, prefill, recompute
from engine.timing.one_step import TimedLength, WideStack, flops, timed_lengths
from engine.trained import one_core


class Slow:
    """A model whose pass over n tokens takes n² hundredths of a second by its own clock."""

    def __init__(self):
        self.inner, self.now = WideStack(), 0.0
        self.n_vocab = self.inner.n_vocab

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def forward(self, ids, cache=None):
        self.now += len(ids) ** 2 / 100
        return self.inner.forward(ids, cache)


def test_a_length_that_would_not_fit_into_the_budget_is_not_measured_and_stays():
    """After measuring on a busy machine the row for 128 tokens had vanished."""
    model, lengths = Slow(), (8, 16, 32, 64, 128)
    done = timed_lengths(model, lengths, budget_s=60, clock=lambda: model.now)
    # A pass costs 0.64 s at 8 tokens, 10.24 at 32 and would cost 40.96 at 64, each three times: too much for what is left.
    assert [t.n_tokens for t in done] == list(lengths) and [t.measured for t in done] == [True] * 3 + [False] * 2
    assert done[0].recomputed_s == pytest.approx(0.64) and done[0].cached_s == pytest.approx(0.01)
    assert done[0].speed_up == pytest.approx(64) and done[0].clear
    assert done[4].flop_ratio == 128 and not done[4].clear


def test_operations_are_those_of_the_matrix_products_written_out():
    model = WideStack()
    n, d, h, w, v = 10, 64, 4, 16, 64
    one_layer = 2 * d * 3 * h * w + 2 * n * h * w + 2 * n * h * w + 2 * h * w * d  # q, k, v; scores; sums; back
    assert flops(model, 1, n) == 3 * one_layer + 2 * d * v
    assert flops(model, n, n) == n * flops(model, 1, n)  # so the count's ratio is the length
    assert TimedLength(n, 1.0, 4.0, flops(model, 1, n), flops(model, n, n)).flop_ratio == n


def test_what_is_timed_agrees():
    model, ids = WideStack(), list(range(40))
    cache = KVCache.for_model(model, 40)
    prefill(model, ids[:-1], cache)
    np.testing.assert_allclose(decode_step(model, ids[-1], cache).logits[-1], recompute(model, ids).logits[-1], atol=1e-9)


def test_a_real_measurement_ends_in_well_under_a_second_of_this_threads_work():
    import time

    model, start = WideStack(), time.thread_time()
    done = timed_lengths(model)
    assert time.thread_time() - start < 1 and done[0].measured
    assert all(t.cached_s > 0 and t.recomputed_s > 0 for t in done if t.measured)


def test_each_timed_product_stays_on_one_core():
    """Shared among cores that others kept busy, 128 tokens took 146 times as long as one for 128 times the operations."""
    model, kept = WideStack(), []
    forward = model.forward

    def watched(*given):
        kept.append(one_core._passes[0])
        return forward(*given)

    model.forward = watched
    timed_lengths(model, lengths=(4,), repeats=3)
    assert len(kept) > 5 and all(kept[1:])  # the first fills the cache, and is not timed
