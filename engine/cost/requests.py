"""One request from the prompt to the last word, in seconds: prefill, then a decode step for every further token.

A step reads a cache that grows, so later tokens take longer. The mean step is the one in the middle of the answer: exact while
the time grows evenly with the context, as it does without windows and while decode waits for memory.
"""

from dataclasses import dataclass

from engine.cost.devices import Device
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import end_to_end_s, tpot_s, ttft_s


@dataclass(frozen=True)
class Request:
    """Seconds. ttft_s: the first token; tpot_s: the mean of the further ones."""

    n_prompt: int
    n_generated: int
    ttft_s: float
    tpot_s: float

    @property
    def end_to_end_s(self) -> float:
        """TTFT + (G − 1) · TPOT."""
        return end_to_end_s(self.ttft_s, self.tpot_s, self.n_generated)


def request(shape: ModelShape, n_prompt: int, n_generated: int, device: Device, batch: int = 1, **setup) -> Request:
    """The times of `batch` requests that run in step, each with n_prompt and n_generated tokens. `setup` as in times.pass_s.

    Step i of G − 1 has n_prompt + i − 1 tokens behind it.
    """
    middle = n_prompt + max(n_generated - 2, 0) // 2
    tpot = tpot_s(shape, middle, device, batch, **setup)
    return Request(n_prompt, n_generated, ttft_s(shape, n_prompt, device, batch, **setup), tpot)
