"""One request from the prompt to the last word, in seconds: prefill, then a decode step for every further token.

A step reads a cache that grows, so later tokens take longer. The mean step is the one in the middle of the answer: exact while
the time grows evenly with the context, as it does without windows and while decode waits for memory.
"""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from engine.cost.devices import Device
from engine.cost.shapes.checked import check_count
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import decode_flops, end_to_end_s, prefill_flops, tpot_s, ttft_s

_SAMPLES = 64


@dataclass(frozen=True)
class Request:
    """Seconds. ttft_s: the first token. first_step_s, last_step_s: the second token's and the last one's. tpot_s: their mean."""

    n_prompt: int
    n_generated: int
    ttft_s: float
    tpot_s: float
    first_step_s: float
    last_step_s: float

    @property
    def end_to_end_s(self) -> float:
        """TTFT + (G − 1) · TPOT."""
        return end_to_end_s(self.ttft_s, self.tpot_s, self.n_generated)


def request(shape: ModelShape, n_prompt: int, n_generated: int, device: Device, batch: int = 1, **setup) -> Request:
    """The times of `batch` requests that run in step, each with n_prompt and n_generated tokens. `setup` as in times.pass_s.

    Step i of G − 1 has n_prompt + i − 1 tokens behind it.
    """
    last = n_prompt + max(n_generated - 2, 0)
    middle = (n_prompt + last) // 2
    steps = (tpot_s(shape, n_past, device, batch, **setup) for n_past in (middle, n_prompt, last))
    return Request(n_prompt, n_generated, ttft_s(shape, n_prompt, device, batch, **setup), *steps)


def recomputed_s(shape: ModelShape, n_prompt: int, n_generated: int, device: Device, batch: int = 1, **setup) -> float:
    """Seconds for the same answer without a cache: each of the G passes is a prefill of everything so far."""
    return _over_passes(n_prompt, n_generated, lambda n: ttft_s(shape, n, device, batch, **setup))


def answer_flops(shape: ModelShape, n_prompt: int, n_generated: int) -> float:
    """FLOPs of one answer with a cache: prefill, and G − 1 steps behind P, P + 1, … tokens."""
    if n_generated == 1:
        return prefill_flops(shape, n_prompt)
    steps = _over_passes(n_prompt, n_generated - 1, lambda n_past: decode_flops(shape, n_past))
    return prefill_flops(shape, n_prompt) + steps


def recomputed_flops(shape: ModelShape, n_prompt: int, n_generated: int) -> float:
    """FLOPs of the same answer without a cache."""
    return _over_passes(n_prompt, n_generated, lambda n: prefill_flops(shape, n))


def _over_passes(first: int, n: int, cost: Callable[[int], float]) -> float:
    """cost(first) + cost(first + 1) + … over n passes.

    Beyond 64 passes, 64 evenly spread ones are added up by the trapezoid rule: costs grow smoothly, so little is lost.
    """
    check_count("n_generated", n)
    if n <= _SAMPLES:
        return sum(cost(first + i) for i in range(n))
    lengths = [first + round(i * (n - 1) / (_SAMPLES - 1)) for i in range(_SAMPLES)]
    costs = [cost(length) for length in lengths]
    pieces = zip(pairwise(lengths), pairwise(costs), strict=True)
    return sum((b - a) * (s + t) / 2 for (a, b), (s, t) in pieces) + (costs[0] + costs[-1]) / 2
