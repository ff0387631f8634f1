"""One answer made twice, step by step, with a clock: behind a cache, and from the whole sequence again.

Both runs are given the same tokens, so their logits can be compared at every step. They are equal within the rounding of the
model's numbers and seldom bit for bit: a product of one row adds its terms up in another order than a product of many rows.
Whoever holds a race decides when it takes its next step, so that it can be watched, stopped, and shared.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import KVCache
from engine.compare import gaps, largest_gap
from engine.decode import recompute
from engine.prefill import prefill
from engine.sampling import probabilities, sample
from engine.transformer import Transformer

# Of the largest logit: what the order of float32 sums leaves in models of these sizes, measured against another library.
ROUNDING_SHARE = 5e-6


@dataclass(frozen=True)
class Beat:
    """One step: the token it chose, seconds of both passes, and how far their logits are apart.

    n_tokens: rows in the cache after it; gap: max |Δ logit|; largest: max |logit|; equal: share of logits equal in every bit.
    """

    token_id: int
    cached_s: float
    recomputed_s: float
    n_tokens: int
    gap: float
    largest: float
    equal: float

    @property
    def rounding(self) -> float:
        """The largest gap that rounding explains: absolute and relative, as the parity tests have it."""
        return ROUNDING_SHARE * (1 + self.largest)


class Race:
    """A generation in two ways; `step` takes both one token further until there are `n_words`. The first step is prefill.

    temperature 0 is greedy; otherwise `seed` fixes the draws. The token is always chosen from the logits behind the cache.
    Raises ValueError for an empty prompt, n_words < 1, and more tokens than the model can hold.
    """

    def __init__(
        self,
        model: Transformer,
        prompt_ids: Sequence[int],
        n_words: int,
        temperature: float = 0.0,
        seed: int = 0,
        clock: Callable[[], float] = time.perf_counter,
    ):
        n_tokens = len(prompt_ids) + n_words - 1
        if len(prompt_ids) < 1 or n_words < 1:
            raise ValueError(f"expected at least one token and one word, got {len(prompt_ids)} and {n_words}")
        if n_tokens > model.n_ctx:
            raise ValueError(f"expected at most n_ctx = {model.n_ctx} tokens, got {len(prompt_ids)} + {n_words} − 1")
        self.model, self.prompt_ids, self.n_words = model.variant(keep=False), tuple(prompt_ids), n_words
        self.cache = KVCache.for_model(model, n_tokens)
        self.beats: list[Beat] = []
        self._temperature, self._rng, self._clock = temperature, np.random.default_rng(seed), clock

    @property
    def done(self) -> bool:
        """Whether every word has been made."""
        return len(self.beats) == self.n_words

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The prompt and the words so far."""
        return (*self.prompt_ids, *(beat.token_id for beat in self.beats))

    def step(self) -> Beat:
        """One token further: the pass behind the cache, then the same tokens from scratch. ValueError when it is done."""
        if self.done:
            raise ValueError(f"expected at most {self.n_words} steps")
        ids = self.token_ids
        if not self.beats:
            recompute(self.model, ids)  # not counted: whoever comes first fetches the weights
        start = self._clock()
        cached = prefill(self.model, ids[self.cache.n_tokens :], self.cache).logits[-1]
        middle = self._clock()
        whole = recompute(self.model, ids).logits[-1]
        end = self._clock()
        token = sample(probabilities(cached, self._temperature), self._rng)
        equal = float((gaps(cached, whole) == 0).mean())
        beat = Beat(token, middle - start, end - middle, len(ids), largest_gap(cached, whole), float(np.abs(whole).max()), equal)
        self.beats.append(beat)
        return beat

    def cache_gaps(self) -> np.ndarray:
        """How far each layer's keys and values are from those of one pass over the same tokens: max |Δ|, (n_layer, n_tokens)."""
        fresh = KVCache.for_model(self.model, self.cache.n_tokens)
        prefill(self.model, self.token_ids[: self.cache.n_tokens], fresh)
        k, v = (np.abs(a - b).max(axis=(1, 3)) for a, b in ((self.cache.k, fresh.k), (self.cache.v, fresh.v)))
        return np.maximum(k, v)


@dataclass(frozen=True)
class Pace:
    """What a run took: seconds to the first token, mean seconds of each further one (0 if none), tokens a second, all of it."""

    ttft_s: float
    tpot_s: float
    tokens_per_s: float
    total_s: float


def pace(seconds: Sequence[float]) -> Pace:
    """The pace of a run whose passes took `seconds`, prefill first.

    >>> pace([0.5, 0.25, 0.25])
    Pace(ttft_s=0.5, tpot_s=0.25, tokens_per_s=3.0, total_s=1.0)
    """
    total, further = sum(seconds), seconds[1:]
    return Pace(seconds[0], sum(further) / max(1, len(further)), len(seconds) / total, total)
