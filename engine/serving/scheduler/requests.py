"""Requests: when each arrives, how long its prompt is and how many tokens its answer has; a list of them, or a Poisson stream.

Who arrives does not depend on who is there already: gaps between arrivals of a Poisson stream are exponential. Lengths are
log-normal with the mean and the spread that are asked for, since no length is negative and real ones have a long tail.
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cost.shapes.checked import check_count
from engine.serving.scheduler.blocks import BLOCK

MOST_REQUESTS, MOST_TOKENS, MOST_SPREADS = 20_000, 2**20, 4
Spread = tuple[float, float]  # mean and standard deviation


@dataclass(frozen=True)
class Request:
    """One prompt and the number of tokens its answer will have, the last one, at which it stops, included.

    block_keys: names of its first full blocks, each covering all before it (engine.caches.prefixes.block_hashes): prompts with
    the same names begin alike, and may share them. Raises ValueError for a time or a length that cannot be.
    """

    arrival_s: float
    n_prompt: int
    n_answer: int
    block_keys: tuple[Hashable, ...] = ()

    def __post_init__(self):
        if not (isinstance(self.arrival_s, (int, float)) and 0 <= self.arrival_s < math.inf):
            raise ValueError(f"arrival_s: expected seconds from 0 on, got {self.arrival_s!r}")
        check_count("n_prompt", self.n_prompt, most=MOST_TOKENS)
        check_count("n_answer", self.n_answer, most=MOST_TOKENS)
        if len(self.block_keys) > self.n_prompt // BLOCK:
            raise ValueError(f"block_keys: expected at most {self.n_prompt // BLOCK} full blocks, got {len(self.block_keys)}")


def poisson(rate_per_s: float, n: int, n_prompt: Spread, n_answer: Spread, seed: int = 0, n_shared: int = 0) -> list[Request]:
    """`n` requests, rate_per_s of them a second on average; prompts and answers by (mean, spread), a spread of 0 all alike.

    Lengths are at least 1, and at most 4 spreads above the mean. n_shared: tokens with which every prompt begins, as far as it
    is long enough. The same seed gives the same requests, at any rate the same but for a stretched time. ValueError for numbers
    out of range.
    """
    if not 0 < rate_per_s < math.inf:
        raise ValueError(f"rate_per_s: expected a positive number, got {rate_per_s}")
    check_count("n", n, most=MOST_REQUESTS)
    check_count("n_shared", n_shared, least=0, most=MOST_TOKENS)
    rng = np.random.default_rng(seed)
    arrivals = np.cumsum(rng.exponential(1.0, n)) / rate_per_s
    prompts, answers = _lengths("n_prompt", n_prompt, n, rng), _lengths("n_answer", n_answer, n, rng)
    keys = tuple(range(n_shared // BLOCK))
    return [
        Request(arrival, prompt, answer, keys[: prompt // BLOCK])
        for arrival, prompt, answer in zip(arrivals.tolist(), prompts.tolist(), answers.tolist(), strict=True)
    ]


def cut(requests: Sequence[Request], n_tokens: int) -> list[Request]:
    """The same requests with prompt and answer within n_tokens, as the last token is never fed back: P + G − 1. An answer keeps at
    most half of them, the prompt what is left.

    >>> cut([Request(0.0, 90, 20)], 64)
    [Request(arrival_s=0.0, n_prompt=45, n_answer=20, block_keys=())]
    """
    check_count("n_tokens", n_tokens)
    found = []
    for request in requests:
        if request.n_prompt + request.n_answer - 1 <= n_tokens:
            found.append(request)
            continue
        n_answer = min(request.n_answer, max(1, n_tokens // 2))
        n_prompt = min(request.n_prompt, n_tokens + 1 - n_answer)
        found.append(Request(request.arrival_s, n_prompt, n_answer, request.block_keys[: n_prompt // BLOCK]))
    return found


def _lengths(name: str, spread: Spread, n: int, rng: np.random.Generator) -> np.ndarray:
    """Log-normal whole numbers of this mean and standard deviation: (n,). σ² = ln(1 + (spread / mean)²), μ = ln mean − σ²/2."""
    mean, deviation = spread
    if not (1 <= mean <= MOST_TOKENS and 0 <= deviation <= mean):
        raise ValueError(f"{name}: expected a mean from 1 to {MOST_TOKENS} and a spread from 0 to it, got {spread}")
    variance = math.log1p((deviation / mean) ** 2)
    lengths = np.exp(rng.normal(math.log(mean) - variance / 2, math.sqrt(variance), n))
    most = min(math.ceil(mean + MOST_SPREADS * deviation), MOST_TOKENS)
    return np.clip(np.rint(lengths), 1, most).astype(np.int64)


def check_requests(requests: Sequence[Request]) -> None:
    """ValueError unless there is at least one request, no more than MOST_REQUESTS, and no more than 2²¹ tokens to generate."""
    check_count("requests", len(requests), most=MOST_REQUESTS)
    if not all(isinstance(request, Request) for request in requests):
        raise ValueError("requests: expected a list of Request")
    total = sum(request.n_answer for request in requests)
    if total > 2 * MOST_TOKENS:
        raise ValueError(f"requests: expected answers of at most {2 * MOST_TOKENS:,} tokens together, got {total:,}")
