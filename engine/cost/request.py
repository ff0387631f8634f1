"""One request from the prompt to the last word, in seconds: prefill, then a decode step for every further token.

A step reads a cache that grows, so later tokens take longer. The mean step is the one in the middle of the answer: exact while
the time grows evenly with the context, as it does without windows and while decode waits for memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cost.devices import Device
from engine.cost.shapes import ModelShape
from engine.cost.times import end_to_end_s, tpot_s, ttft_s

_SAMPLES = 64  # passes that a sum over an answer is estimated from when there are more


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
    """Seconds for the same answer without a cache: each of the G passes is a prefill of everything so far.

    Beyond 64 passes, 64 evenly spread ones are added up by the trapezoid rule; they grow smoothly, so little is lost.
    """
    lengths = _spread(n_prompt, n_prompt + n_generated - 1)
    times = [ttft_s(shape, n, device, batch, **setup) for n in lengths]
    if len(lengths) == n_generated:
        return sum(times)
    pairs = zip(lengths, lengths[1:], times, times[1:], strict=False)
    return sum((b - a) * (s + t) / 2 for a, b, s, t in pairs) + (times[0] + times[-1]) / 2


def _spread(first: int, last: int) -> list[int]:
    """All whole numbers from first to last, or _SAMPLES of them evenly spread, ends included."""
    n = last - first + 1
    if n <= _SAMPLES:
        return list(range(first, last + 1))
    return [first + round(i * (n - 1) / (_SAMPLES - 1)) for i in range(_SAMPLES)]
