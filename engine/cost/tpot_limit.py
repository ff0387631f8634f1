"""The largest batch whose readers still get their tokens fast enough: tokens a second and price under a limit on TPOT.

A larger batch gives more tokens a second in all and makes each reader wait longer. Who promises a time per token takes the
largest batch that keeps it and fits into memory.
"""

from dataclasses import dataclass

from engine.cost.devices import Device
from engine.cost.memory import largest, largest_batch
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import price_per_million_tokens, tpot_s


@dataclass(frozen=True)
class Served:
    """batch: sequences at once, 0 where not even one is fast enough or fits. stops: "limit" or "memory", what one more meets."""

    batch: int
    tpot_s: float
    stops: str

    @property
    def tokens_per_s(self) -> float:
        """Of all sequences together."""
        return self.batch / self.tpot_s

    def price(self, price_per_hour: float) -> float:
        """Of 10⁶ generated tokens, at so much an hour for all devices, kept busy. ValueError where nothing can be served."""
        return price_per_million_tokens(price_per_hour, self.tokens_per_s)


def served(
    shape: ModelShape, n_past: int, device: Device, limit_s: float, reserved_bytes: int = 0, usable: float = 1.0, **setup: float
) -> Served:
    """The largest batch with TPOT at most limit_s behind n_past tokens. The rest as in memory_use and pass_s."""
    if not 0 < limit_s < float("inf"):
        raise ValueError(f"limit_s: expected a positive number of seconds, got {limit_s}")
    most = largest_batch(shape, n_past + 1, device, reserved_bytes=reserved_bytes, usable=usable, **setup)
    low = largest(lambda batch: tpot_s(shape, n_past, device, batch, **setup) <= limit_s, most)
    return Served(low, tpot_s(shape, n_past, device, max(low, 1), **setup), "memory" if low == most else "limit")
