"""One answer with a clock in hand: the seconds until the first token, of each further one, and of the same answer recomputed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from engine.cache import KVCache
from engine.decode import decode_step, recompute
from engine.model import Model
from engine.prefill import prefill


@dataclass(frozen=True)
class TimedAnswer:
    """Seconds as measured: the fastest of the runs with a cache, and of two without. kv_bytes: of the cache's n_tokens rows."""

    n_prompt: int
    n_generated: int
    ttft_s: float
    tpot_s: float
    end_to_end_s: float
    recomputed_s: float
    n_tokens: int
    kv_bytes: int


def time_answer(
    model: Model, prompt_ids: Sequence[int], n_generated: int, runs: int = 5, clock: Callable[[], float] = time.perf_counter
) -> TimedAnswer:
    """Time n_generated tokens, greedily chosen, with a cache and without, after one run that is not counted.

    The fastest run is the one that others on the machine disturbed least. Law: end to end = TTFT + (G − 1) · TPOT.
    """
    _cached(model, prompt_ids, n_generated, clock)
    cached = [_cached(model, prompt_ids, n_generated, clock) for _ in range(runs)]
    ttft, step, total, cache = min(cached, key=lambda run: run[2])
    again = min(_recomputed(model, prompt_ids, n_generated, clock) for _ in range(2))
    return TimedAnswer(len(prompt_ids), n_generated, ttft, step, total, again, cache.n_tokens, cache.nbytes)


def _cached(model: Model, prompt_ids: Sequence[int], n_generated: int, clock) -> tuple[float, float, float, KVCache]:
    """TTFT, mean step, total, and the cache."""
    cache = KVCache.for_model(model, len(prompt_ids) + n_generated - 1)
    start = clock()
    token = int(prefill(model, prompt_ids, cache).logits[-1].argmax())
    first = clock()
    for _ in range(n_generated - 1):
        token = int(decode_step(model, token, cache).logits[-1].argmax())
    end = clock()
    return first - start, (end - first) / max(n_generated - 1, 1), end - start, cache


def _recomputed(model: Model, prompt_ids: Sequence[int], n_generated: int, clock) -> float:
    """Seconds without a cache: the whole sequence again for every token."""
    ids, start = list(prompt_ids), clock()
    for _ in range(n_generated):
        ids.append(int(recompute(model, ids).logits[-1].argmax()))
    return clock() - start
