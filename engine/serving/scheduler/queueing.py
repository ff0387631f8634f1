"""The queue before a device that computes one prompt after another, each in the same time: M/D/1, in closed form."""

import math


def md1_ttft_s(prefill_s: float, rate_per_s: float, n_stages: int = 1, speed_up: float = 1.0) -> float:
    """Mean time to first token when prompts come at random, rate_per_s of them, and each takes prefill_s alone.

    D + R D² / (2 (1 − R D)), with D = prefill_s and R = rate_per_s (DistServe, arXiv 2401.09670, §3). n_stages: layers divided
    between so many devices, of which each is busy with a prompt for D / n_stages: for two D + R D² / (4 (2 − R D)).
    speed_up: layers divided within, which makes a prompt K times faster: D/K + R D² / (2 K (K − R D)). Infinite where prompts
    come faster than they can be computed. ValueError for numbers that are not positive.

    >>> [round(md1_ttft_s(0.1, rate), 4) for rate in (1, 5, 9)]
    [0.1056, 0.15, 0.55]
    """
    for name, value in (("prefill_s", prefill_s), ("rate_per_s", rate_per_s), ("n_stages", n_stages), ("speed_up", speed_up)):
        if not 0 < value < math.inf:
            raise ValueError(f"{name}: expected a positive number, got {value}")
    alone = prefill_s / speed_up
    stage = alone / n_stages
    busy = rate_per_s * stage
    return alone + rate_per_s * stage**2 / (2 * (1 - busy)) if busy < 1 else math.inf
