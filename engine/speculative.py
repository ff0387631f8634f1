"""Guess ahead: a draft guesses a few tokens, one pass of the model checks them all, and only what the model would say stays.

A decode step reads all weights for one row; k + 1 rows cost hardly more while it waits for memory. So the next k tokens are
guessed by something cheap, and the pass over them gives the model's own chances at each place. A guess g is kept with chance
min(1, p(g) / q(g)), p the model's chances and q the draft's; at the first that is not, a token is drawn from what p has above q,
and the rows behind it are taken back out of the cache. What comes out is distributed exactly as without a draft, whatever the
draft says; greedy, it is the same text (Leviathan et al., arXiv 2211.17192; Chen et al., arXiv 2302.01318).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from engine.cache import KVCache
from engine.decode import check_answer
from engine.model import ForwardPass, Model
from engine.prefill import prefill
from engine.sampling import probabilities, sample

MOST_GUESSES = 64


class Draft(Protocol):
    """What guesses: at most n tokens behind token_ids, and for each the chances that it was drawn from, (n_guessed, n_vocab);
    None where it was certain."""

    def __call__(self, token_ids: Sequence[int], n: int) -> tuple[list[int], np.ndarray | None]: ...


@dataclass(frozen=True)
class PromptLookup:
    """Guess what stood behind the last tokens when they came before, the latest time first: at most n_gram of them, else fewer.

    >>> PromptLookup()([5, 6, 7, 8, 5, 6], 3)
    ([7, 8, 5], None)
    """

    n_gram: int = 3

    def __call__(self, token_ids: Sequence[int], n: int) -> tuple[list[int], None]:
        ids = list(token_ids)
        for length in range(min(self.n_gram, len(ids) - 1), 0, -1):
            for start in range(len(ids) - length - 1, -1, -1):
                if ids[start : start + length] == ids[-length:]:
                    return ids[start + length : start + length + n], None
        return [], None


class SmallerModel:
    """A model that guesses: it decodes n tokens behind a cache of its own, which keeps what it shares with the text so far.

    temperature and filters as in engine.sampling.probabilities. ValueError where it knows fewer words than ids come.
    """

    def __init__(self, model: Model, temperature: float = 0.0, seed: int = 0, **filters: float):
        self.model, self.temperature, self.filters = model, temperature, filters
        self.cache, self.ids, self.rng = KVCache.for_model(model, model.n_ctx), [], np.random.default_rng(seed)

    def __call__(self, token_ids: Sequence[int], n: int) -> tuple[list[int], np.ndarray | None]:
        ids, found, chances = list(token_ids), [], []
        n = min(n, self.model.n_ctx - len(ids))
        same = next((k for k, (a, b) in enumerate(zip(self.ids, ids, strict=False)) if a != b), min(len(self.ids), len(ids)))
        same = min(same, len(ids) - 1)
        self.cache.take_back(len(self.ids) - same)
        self.ids = self.ids[:same]
        while len(found) < n:
            new = ids[len(self.ids) :]
            logits = self.model.next_logits(self.model.forward(new, self.cache))[-1]
            chances.append(probabilities(logits, self.temperature, **self.filters))
            self.ids += new
            found.append(sample(chances[-1], self.rng))
            ids.append(found[-1])
        return found, np.array(chances) if found else None


@dataclass(frozen=True, eq=False)
class Round:
    """One pass that checks. guessed: the draft's ids; n_accepted: the first of them that stay; token_id: what the model said
    behind these, so a round makes n_accepted + 1 tokens. run: the pass over the token before and all guesses."""

    guessed: tuple[int, ...]
    n_accepted: int
    token_id: int
    run: ForwardPass

    @property
    def n_taken_back(self) -> int:
        """Rows that leave the cache again."""
        return len(self.guessed) - self.n_accepted


@dataclass(frozen=True, eq=False)
class Speculation:
    """The generated ids; the prefill, which gives the first; and a round for each further pass."""

    token_ids: tuple[int, ...]
    prefill: ForwardPass
    rounds: tuple[Round, ...]

    @property
    def n_passes(self) -> int:
        """Passes of the model, prefill included: G without a draft."""
        return 1 + len(self.rounds)

    @property
    def accepted(self) -> tuple[float, ...]:
        """The share of all rounds in which the guess at each place stayed. Law: tokens_by_place of it are the tokens a round."""
        most = max((len(r.guessed) for r in self.rounds), default=0)
        return tuple(sum(r.n_accepted > place for r in self.rounds) / len(self.rounds) for place in range(most))


def generate(
    model: Model, prompt_ids: Sequence[int], n_new_tokens: int, draft: Draft, n_guess: int = 4, seed: int = 0, **options: float
) -> Speculation:
    """Generate `n_new_tokens` ids with a draft that guesses up to n_guess at a time. options: temperature, greedy without one, and
    filters, as in engine.decode.generate.

    Law: greedy, the ids are those of engine.decode.generate; else each has its chance there. Raises ValueError as that does, for
    n_guess not from 1 to 64, and for a draft that gives other than ids of the model or wrong chances.
    """
    if not 1 <= n_guess <= MOST_GUESSES:
        raise ValueError(f"n_guess: expected 1 to {MOST_GUESSES}, got {n_guess}")
    cache = KVCache.for_model(model, check_answer(prompt_ids, n_new_tokens, model.n_ctx))
    rng, options = np.random.default_rng(seed), {"temperature": 0.0} | options
    first, rounds = prefill(model, prompt_ids, cache), []
    ids = [*prompt_ids, sample(probabilities(model.next_logits(first)[-1], **options), rng)]
    while (n_left := len(prompt_ids) + n_new_tokens - len(ids)) > 0:
        guessed, chances = _guess(draft, ids, min(n_guess, n_left - 1), model)
        run = model.forward([ids[-1], *guessed], cache)
        wanted = [probabilities(logits, **options) for logits in model.next_logits(run)]
        n_accepted, token_id = check(guessed, chances, wanted, rng)
        cache.take_back(len(guessed) - n_accepted)
        rounds.append(Round(tuple(guessed), n_accepted, token_id, run))
        ids += [*guessed[:n_accepted], token_id]
    return Speculation(tuple(ids[len(prompt_ids) :]), first, tuple(rounds))


def check(guessed: Sequence[int], chances: np.ndarray, wanted: Sequence[np.ndarray], rng: np.random.Generator) -> tuple[int, int]:
    """How many guesses stay, and the token behind them. chances: the draft's, (n, n_vocab); wanted: the model's, n + 1 rows."""
    for place, (token_id, q, p) in enumerate(zip(guessed, chances, wanted, strict=False)):
        if rng.random() * q[token_id] >= p[token_id]:
            return place, sample(residual(p, q), rng)
    return len(guessed), sample(wanted[len(guessed)], rng)


def residual(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    """What is drawn from where a guess is refused: max(0, p − q), scaled to sum to 1. Law: q(g) min(1, p/q) + (1 − α) of it = p."""
    above = np.maximum(p - q, 0.0)
    return above / above.sum() if above.any() else p  # p = q refuses nothing but by rounding


def expected_tokens(alpha: float, n_guess: int) -> float:
    """Tokens a pass when each guess stays with chance α: E = (1 − α^(k+1)) / (1 − α), and k + 1 where all stay.

    >>> [round(expected_tokens(a, k), 2) for a, k in ((0.6, 2), (0.7, 3), (0.8, 5), (0.9, 10))]
    [1.96, 2.53, 3.69, 6.86]
    """
    _check(alpha, n_guess)
    return n_guess + 1.0 if alpha == 1 else (1 - alpha ** (n_guess + 1)) / (1 - alpha)


def speed_up(alpha: float, n_guess: int, draft_cost: float = 0.0, check_cost: float = 1.0) -> float:
    """Times faster than a pass a token: E / (k c + v). draft_cost c: a guess's time, check_cost v: that of the pass over k + 1
    rows, both by that of one row. A draft that costs as much as the model, c = 1, makes nothing faster: E is at most k + 1."""
    if not (0 <= draft_cost < math.inf and 0 < check_cost < math.inf):
        raise ValueError(f"expected costs that are not negative, got draft_cost = {draft_cost}, check_cost = {check_cost}")
    return expected_tokens(alpha, n_guess) / (n_guess * draft_cost + check_cost)


def tokens_by_place(accepted: Sequence[float]) -> float:
    """Tokens a pass from the share of passes in which the guess at each place stayed: 1 + Σ.

    >>> round(tokens_by_place((0.543, 0.357, 0.264)), 2), round(expected_tokens(0.543, 3), 2)
    (2.16, 2.0)
    """
    return 1.0 + sum(accepted)


def _guess(draft: Draft, ids: Sequence[int], n: int, model: Model) -> tuple[list[int], np.ndarray]:
    """The draft's guesses, up to the first word that the model never says, and its chances written out. ValueError for others."""
    guessed, chances = draft(ids, n) if n else ([], None)
    if len(guessed) > n or not all(0 <= i < model.n_ids for i in guessed):
        raise ValueError(f"draft: expected at most {n} ids from 0 to {model.n_ids - 1}, got {list(guessed)[:8]}")
    n_said = next((place for place, i in enumerate(guessed) if i >= model.n_vocab), len(guessed))
    guessed, shape = list(guessed[:n_said]), (n_said, model.n_vocab)
    chances = np.eye(model.n_vocab)[np.array(guessed, int)] if chances is None else chances[:n_said]
    if chances.shape != shape or (chances < 0).any() or not np.allclose(chances.sum(axis=1), 1):
        raise ValueError(f"draft: expected chances of shape {shape} that sum to 1, got {chances.shape}")
    return guessed, chances


def _check(alpha: float, n_guess: int) -> None:
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha: expected a chance from 0 to 1, got {alpha}")
    if n_guess < 0:
        raise ValueError(f"n_guess: expected 0 or more, got {n_guess}")
