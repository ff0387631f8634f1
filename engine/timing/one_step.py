"""Counts say how much work there is; a clock says how long it takes. Here both are taken for the same two passes.

At each length n one token is decoded behind a cache of n − 1, and the whole sequence is run again without one. The model is the
stack of engine.experiments.random_model, wide enough for its arithmetic to show beside the calls' own time. A measurement ends
when its time is up, however slow the machine is; a length that was not reached is there with its counts alone.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from math import isnan, nan

from engine.cache import KVCache
from engine.decode import decode_step, recompute
from engine.experiments.random_model import MAX_LAYERS, StackModel
from engine.model import Model
from engine.prefill import prefill
from engine.timing.in_turns import compared, in_turns
from engine.trained.one_core import one_core_a_product

LENGTHS = (8, 16, 32, 64, 128)
BUDGET_S = 0.4
LEAST = 3  # turns of a length, however slow the machine is: fewer have no spread


class WideStack(StackModel):
    """MAX_LAYERS blocks of width 64, with room for 256 tokens.

    Measured with each product on one core: the largest would be shared among cores, whose threads wait for one another where others are
    busy, and the clock then gave ×146 for 128 times the operations (engine.trained.one_core).
    """

    n_head, n_kv_head, d_model, d_head, d_v, n_ctx = 4, 4, 64, 16, 16, 256

    def __init__(self):
        super().__init__(MAX_LAYERS, n_vocab=64)


@dataclass(frozen=True)
class TimedLength:
    """One length: the median time of each pass in seconds, NaN where it was not measured, and the operations of each.

    clear: whether recomputing took longer by more than the turns differ among themselves.
    """

    n_tokens: int
    cached_s: float
    recomputed_s: float
    cached_flops: int
    recomputed_flops: int
    clear: bool = True

    @property
    def measured(self) -> bool:
        """Whether there was time for it."""
        return not isnan(self.cached_s)

    @property
    def speed_up(self) -> float:
        """How many times longer recomputing took."""
        return self.recomputed_s / self.cached_s

    @property
    def flop_ratio(self) -> float:
        """How many times more it computed."""
        return self.recomputed_flops / self.cached_flops


def timed_lengths(
    model: Model,
    lengths: Sequence[int] = LENGTHS,
    repeats: int = 12,
    budget_s: float = BUDGET_S,
    clock: Callable[[], float] = time.perf_counter,
    between: Callable[[], None] = lambda: None,
) -> tuple[TimedLength, ...]:
    """Both passes at each of `lengths`, in turns. A length that would not fit into what is left of `budget_s` is not measured,
    nor are those after it: a pass of twice the length takes up to four times as long, and each runs three times."""
    end, done = clock() + budget_s, []
    for n in lengths:
        counted = flops(model, 1, n), flops(model, n, n)
        if done and not (LEAST * 4 * done[-1].recomputed_s <= end - clock()):  # NaN: the length before was not reached either
            done.append(TimedLength(n, nan, nan, *counted, clear=False))
            continue
        ids = [i % model.n_vocab for i in range(n)]
        # The cache keeps the token of each turn: by the last one it is `repeats` rows longer.
        cache = KVCache.for_model(model, n - 1 + repeats)
        prefill(model, ids[:-1], cache)
        decoded, again = partial(decode_step, model, ids[-1], cache), partial(recompute, model, ids)
        with one_core_a_product():
            turns = in_turns(decoded, again, budget_s / len(lengths), repeats, LEAST, clock, between)
        both = compared(turns)
        done.append(TimedLength(n, both.first_s, both.second_s, *counted, both.clear))
    return tuple(done)


def flops(model: Model, n_new: int, n: int) -> int:
    """Floating-point operations of the matrix products of one pass of the stack: n_new queries over n keys, hidden ones included.

    A product of (a, b) and (b, c) takes 2abc. Projections to q, k, v and back; scores and weighted sums; logits of every row.
    """
    widths = model.n_head * model.d_head + model.n_kv_head * (model.d_head + model.d_v) + model.n_head * model.d_v
    linear = 2 * n_new * model.d_model * widths
    attending = 2 * n_new * n * model.n_head * (model.d_head + model.d_v)
    return model.n_layer * (linear + attending) + 2 * n_new * model.d_model * model.n_vocab
