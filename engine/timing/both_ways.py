"""One answer made twice, step by step, with a clock: behind a cache, and from the whole sequence again.

Both runs are given the same tokens, so their logits can be compared at every step. They are equal within the rounding of the
model's numbers and seldom bit for bit: a product of one row adds its terms up in another order than a product of many rows.
Whoever holds a BothWays decides when it takes its next step, so that it can be watched, stopped, and shared.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

import numpy as np

from engine.cache import KVCache
from engine.compare import gaps
from engine.decode import check_answer, recompute
from engine.prefill import prefill
from engine.sampling import probabilities, sample
from engine.timing.in_turns import Compared, Turn, compared, in_turns
from engine.trained.transformer import Transformer

# Of the largest logit: what the order of float32 sums leaves in models of these sizes, measured against another library.
ROUNDING_SHARE = 5e-6
REPEATS, REPEATS_S = 5, 0.05  # turns of a step, and when no further one begins: a large model takes a step once
WAITED_SHARE = 0.25  # of the difference between two answers: if passes that waited make up more, they decide it
WRITING_SHARE = 0.25  # of prefill, that writing its rows into a cache takes at most: what takes longer has waited


@dataclass(frozen=True)
class TimedStep:
    """One step: the token it chose, seconds of both passes in each turn, and how far their logits are apart.

    n_tokens: rows in the cache after it; gap: max |Δ logit|; largest: max |logit|; equal: share of logits equal in every bit; pair:
    the logit that is furthest apart, behind the cache and from scratch, the largest one where none is; pair_id: the token it is of.
    """

    token_id: int
    turns: tuple[Turn, ...]
    n_tokens: int
    gap: float
    largest: float
    equal: float
    pair: tuple[float, float] = (0.0, 0.0)
    pair_id: int = 0

    @property
    def cached_s(self) -> float:
        """The median of the passes behind the cache."""
        return median(cached for cached, _ in self.turns)

    @property
    def recomputed_s(self) -> float:
        """The median of the passes over the whole sequence."""
        return median(whole for _, whole in self.turns)

    @property
    def rounding(self) -> float:
        """The largest gap that rounding explains: absolute and relative, as the parity tests have it."""
        return ROUNDING_SHARE * (1 + self.largest)


class RepeatableCache(KVCache):
    """A cache behind which the same pass can be run several times: its rows belong to the cache once they are `keep`t."""

    def advance(self, n_new: int) -> None:
        """The rows stay where the next pass writes its own."""
        self.n_pending = n_new

    def keep(self) -> None:
        """The last pass is the one that counts."""
        super().advance(self.n_pending)


class BothWays:
    """A generation in two ways; `step` takes both one token further until there are `n_words`, or the model's own
    end of an answer. The first step is prefill. Both passes of a step are run in turns, up to `repeats` times.

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
        repeats: int = REPEATS,
        clock: Callable[[], float] = time.perf_counter,
    ):
        n_tokens = check_answer(prompt_ids, n_words, model.n_ctx)
        self.model, self.prompt_ids, self.n_words = model.variant(keep=False), tuple(prompt_ids), n_words
        self.cache = RepeatableCache.for_model(model, n_tokens)
        self.timed: list[TimedStep] = []
        self._temperature, self._rng, self._repeats, self._clock = temperature, np.random.default_rng(seed), repeats, clock

    @property
    def done(self) -> bool:
        """Whether every word has been made, or the model has ended its answer."""
        return len(self.timed) == self.n_words or self.ended

    @property
    def ended(self) -> bool:
        """Whether the model has said that its answer ends here: eos_token_id of its config.json."""
        return bool(self.timed) and self.timed[-1].token_id in self.model.config.eos_ids

    @property
    def token_ids(self) -> tuple[int, ...]:
        """The prompt and the words so far."""
        return (*self.prompt_ids, *(step.token_id for step in self.timed))

    def step(self) -> TimedStep:
        """One token further: the pass behind the cache, then the same tokens from scratch. ValueError when it is done."""
        if self.done:
            raise ValueError(f"expected at most {self.n_words} steps")
        if not self.timed:
            recompute(self.model, self.prompt_ids)  # not counted: whoever comes first fetches the weights
        turns, cached, whole = self._both_passes()
        token_id, n_tokens = sample(probabilities(cached, self._temperature), self._rng), len(self.token_ids)
        off, largest = gaps(cached, whole), float(np.abs(whole).max())
        equal = float((off == 0).mean())
        at = int(np.argmax(off if equal < 1 else np.abs(whole)))
        pair = float(cached[at]), float(whole[at])
        step = TimedStep(token_id, turns, n_tokens, float(off.max()), largest, equal, pair, at)
        self.timed.append(step)
        return step

    def _both_passes(self) -> tuple[tuple[Turn, ...], np.ndarray, np.ndarray]:
        """The pass behind the cache and the one from scratch, in turns: their seconds, and the last logits of each."""
        ids, logits = self.token_ids, {}
        new = ids[self.cache.n_tokens :]  # the whole prompt at first, then the last word

        def cached() -> None:
            logits["cached"] = self.model.forward(new, self.cache).logits[-1]

        def whole() -> None:
            logits["whole"] = recompute(self.model, ids).logits[-1]

        turns = in_turns(cached, whole, REPEATS_S, self._repeats, clock=self._clock)
        self.cache.keep()
        return tuple(turns), logits["cached"], logits["whole"]

    def cache_gaps(self) -> np.ndarray:
        """How far each layer's keys and values are from those of one pass over the same tokens: max |Δ|, (n_layer, n_tokens)."""
        fresh = KVCache.for_model(self.model, self.cache.n_tokens)
        prefill(self.model, self.token_ids[: self.cache.n_tokens], fresh)
        k, v = (np.abs(a - b).max(axis=(1, 3)) for a, b in ((self.cache.k, fresh.k), (self.cache.v, fresh.v)))
        return np.maximum(k, v)


def compared_words(timed: Sequence[TimedStep]) -> Compared | None:
    """All turns of all decode steps together; None before there is one. Prefill is the same pass both ways and says nothing."""
    turns = [turn for step in timed[1:] for turn in step.turns]
    return compared(turns) if turns else None


def compared_answers(timed: Sequence[TimedStep]) -> Compared:
    """The whole answer, prefill and all words. clear: whether its words are (`compared_words`), and what passes waited (`waited_s`)
    makes up too little of the difference to have decided it, of which the fastest turns of all steps show more than half."""
    words = compared_words(timed)
    first_s, second_s = sum(step.cached_s for step in timed), sum(step.recomputed_s for step in timed)
    fastest_s = sum(min(whole for _, whole in step.turns) - min(cached for cached, _ in step.turns) for step in timed)
    apart_s = second_s - first_s
    clear = words is not None and words.clear and waited_s(timed) < WAITED_SHARE * apart_s < 2 * WAITED_SHARE * fastest_s
    return Compared(first_s, second_s, clear)


def waited_s(timed: Sequence[TimedStep]) -> float:
    """The seconds that passes of both runs have waited for others, as far as it shows: prefill in one run beside the same pass in the
    other; further passes beside those before and after them, and beside what so many rows can take: twice as long as prefill for as
    many as that, and as the square of their number, as attention does."""
    first = timed[0]
    least = min(first.cached_s, first.recomputed_s)
    total = max(0.0, max(first.cached_s, first.recomputed_s) - (1 + WRITING_SHARE) * least)
    most = [2 * least * (step.n_tokens / first.n_tokens) ** 2 for step in timed[1:]]
    for seconds in ([step.cached_s for step in timed[1:]], [step.recomputed_s for step in timed[1:]]):
        beyond = sum(max(0.0, s - bound) for s, bound in zip(seconds, most, strict=True))
        total += max(beyond, sum(seconds) - sum(_beside(seconds)), 0.0)
    return total


def saved_s(timed: Sequence[TimedStep]) -> tuple[float, float]:
    """What prefill takes longer behind the cache, and what the words after it take less."""
    longer, *less = (step.cached_s - step.recomputed_s for step in timed)
    return longer, -sum(less)


def too_few(timed: Sequence[TimedStep]) -> bool:
    """Whether there are so few words that what prefill takes longer, as it writes the cache, is more than half of what they save."""
    longer, saved = saved_s(timed)
    return 0 < longer <= WRITING_SHARE * timed[0].recomputed_s and 0 < saved < 2 * longer


def _beside(seconds: Sequence[float]) -> list[float]:
    """Of each pass the median of it and its neighbours, two on each side.

    >>> _beside([1, 9, 8, 3, 2])
    [8, 5.5, 3, 5.5, 3]
    """
    return [median(seconds[max(0, k - 2) : k + 3]) for k in range(len(seconds))]
