"""One answer with a clock in hand: the seconds until the first token, of each further one, and of the same answer recomputed."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from engine.cache import KVCache
from engine.decode import check_answer, passes
from engine.model import Model
from engine.timing.both_ways import Pace, pace
from engine.timing.in_turns import compared


@dataclass(frozen=True)
class TimedAnswer:
    """Seconds as measured, the usual run of several. kv_bytes: of the cache's n_tokens rows.

    clear: whether the runs without a cache took longer by more than the runs differ among themselves.
    """

    n_prompt: int
    n_generated: int
    ttft_s: float
    tpot_s: float
    end_to_end_s: float
    recomputed_s: float
    n_tokens: int
    kv_bytes: int
    clear: bool


def time_answer(
    model: Model, prompt_ids: Sequence[int], n_generated: int, runs: int = 5, clock: Callable[[], float] = time.perf_counter
) -> TimedAnswer:
    """Time n_generated tokens, greedily chosen, with a cache and without in turns, after one run that is not counted.

    What others on the machine do meets both alike; the run with the median time is the one that is told, so that the law holds:
    end to end = TTFT + (G − 1) · TPOT. ValueError for an even number of runs, which has no middle one.
    """
    if runs % 2 == 0:
        raise ValueError(f"runs: expected an odd number, got {runs}")
    n_tokens = check_answer(prompt_ids, n_generated, model.n_ctx)

    def run(use_cache: bool) -> tuple[Pace, KVCache | None]:
        cache = KVCache.for_model(model, n_tokens) if use_cache else None
        return pace(pass_seconds(model, prompt_ids, n_generated, cache, clock)), cache

    _, cache = run(True)
    turns = [(run(True)[0], run(False)[0]) for _ in range(runs)]
    usual = sorted((cached for cached, _ in turns), key=lambda p: p.total_s)[runs // 2]
    both = compared([(cached.total_s, again.total_s) for cached, again in turns])
    return TimedAnswer(
        len(prompt_ids), n_generated, usual.ttft_s, usual.tpot_s, usual.total_s, both.second_s, cache.n_tokens, cache.nbytes,
        both.clear,
    )  # fmt: skip


def pass_seconds(
    model: Model, prompt_ids: Sequence[int], n_generated: int, cache: KVCache | None, clock: Callable[[], float]
) -> list[float]:
    """Seconds of each pass of a greedy answer and of choosing its token, prefill first."""
    going, token_id, ticks = passes(model, prompt_ids, cache), None, [clock()]
    for _ in range(n_generated):
        token_id = int(going.send(token_id).logits[-1].argmax())
        ticks.append(clock())
    return [after - before for before, after in pairwise(ticks)]
