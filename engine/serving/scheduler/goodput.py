"""Requests served fast enough: their share, the highest rate at which that is most of them, and among how many instances a load is divided.

Throughput counts tokens that came too late as well. Goodput (DistServe, arXiv 2401.09670) counts requests whose first token and
whose following ones both came within what was promised. It is near 1 until arrivals outrun the instance, and falls steeply there.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from engine.serving.scheduler.run import Run

ALONE = 2.0**-20  # requests a second of which none meets another: one in twelve days
LOWEST = 2.0**-8  # requests a second, the least that are tried
HIGHEST = 2.0**14  # requests a second, the most that are tried
WITHIN = 0.02  # share by which the knee may be off
MOST_TRIED = 22


def goodput(run: Run, ttft_s: float, tpot_s: float) -> float:
    """The share of requests whose first token came within ttft_s, and the others tpot_s apart on average."""
    for name, limit in (("ttft_s", ttft_s), ("tpot_s", tpot_s)):
        if not limit > 0:
            raise ValueError(f"{name}: expected a positive number of seconds, got {limit}")
    return float(((run.ttft_s <= ttft_s) & ~(run.tpot_s > tpot_s)).mean())


@dataclass(frozen=True)
class Knee:
    """rate_per_s: the highest that keeps the promise, 0 where not even the lowest does. tried: (rate, goodput), lowest first.
    alone: the goodput of the same requests so far apart that none meets another, looked at where no rate keeps the promise."""

    rate_per_s: float
    tried: tuple[tuple[float, float], ...]
    alone: float | None = None

    def n_instances(self, rate_per_s: float) -> int | None:
        """Instances among which a load is divided if none takes more than this rate; None where one keeps it at no rate tried."""
        return math.ceil(rate_per_s / self.rate_per_s) if self.rate_per_s else None


def knee(*asked, **limits) -> Knee:
    """The last of knee_so_far, which says what it is asked."""
    *_, last = knee_so_far(*asked, **limits)
    return last


def knee_so_far(
    run_at: Callable[[float], Run], ttft_s: float, tpot_s: float, share: float = 0.9, highest: float = HIGHEST
) -> Iterator[Knee]:
    """The rate up to which `share` of the requests are served in time, by doubling and then halving the step; one run at a time.

    run_at: a run of the load at a rate, always the same requests, only closer together, and long enough: a few that come all at
    once are served before a queue can grow. highest: the rate beyond which none is tried; a knee there is a bound. Found to within 2 %,
    in at most MOST_TRIED runs. ValueError for numbers out of range.
    """
    if not 0 < share <= 1:
        raise ValueError(f"share: expected more than 0 and at most 1, got {share}")
    if not LOWEST < highest <= HIGHEST:
        raise ValueError(f"highest: expected a rate from {LOWEST} to {HIGHEST}, got {highest}")
    tried, low, high = {}, 0.0, math.inf
    while high / max(low, LOWEST) > 1 + WITHIN and low < highest:
        rate = min(_next_rate(low, high), highest)
        tried[rate] = goodput(run_at(rate), ttft_s, tpot_s)
        low, high = (rate, high) if tried[rate] >= share else (low, rate)
        yield Knee(low, tuple(sorted(tried.items())))
    if not low:
        yield Knee(low, tuple(sorted(tried.items())), goodput(run_at(ALONE), ttft_s, tpot_s))


def _next_rate(low: float, high: float) -> float:
    """Twice or half of the last one until one rate keeps the promise and another breaks it; then what lies between the two."""
    if high == math.inf:
        return 2 * low or 1.0
    return math.sqrt(low * high) if low else high / 2
