"""One answer with a clock in hand: the seconds until the first token, of each further one, and of the same answer recomputed."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.cache import KVCache
from engine.decode import check_answer, passes
from engine.model import Model
from engine.timing.both_ways import Pace, pace


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
    n_tokens = check_answer(prompt_ids, n_generated, model.n_ctx)

    def run(use_cache: bool) -> tuple[Pace, KVCache | None]:
        cache = KVCache.for_model(model, n_tokens) if use_cache else None
        return pace(pass_seconds(model, prompt_ids, n_generated, cache, clock)), cache

    run(True)
    cached, cache = min((run(True) for _ in range(runs)), key=lambda done: done[0].total_s)
    again = min(run(False)[0].total_s for _ in range(2))
    return TimedAnswer(
        len(prompt_ids), n_generated, cached.ttft_s, cached.tpot_s, cached.total_s, again, cache.n_tokens, cache.nbytes
    )


def pass_seconds(
    model: Model, prompt_ids: Sequence[int], n_generated: int, cache: KVCache | None, clock: Callable[[], float]
) -> list[float]:
    """Seconds of each pass of a greedy answer and of choosing its token, prefill first."""
    going, token_id, ticks = passes(model, prompt_ids, cache), None, [clock()]
    for _ in range(n_generated):
        token_id = int(going.send(token_id).logits[-1].argmax())
        ticks.append(clock())
    return [after - before for before, after in pairwise(ticks)]
