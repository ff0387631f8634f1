"""Many draws at once, to compare how often a word comes with how likely it is.

The k-th draw here is the k-th draw of engine.sampling.sample with the same seed: one uniform number each, and the first word
whose cumulative probability exceeds it.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, eq=False)
class Draws:
    """uniform: (n_draws,) numbers from 0 to 1; token_ids: (n_draws,) what each drew; counts: (n_vocab,) how often each came."""

    uniform: np.ndarray
    token_ids: np.ndarray
    counts: np.ndarray


def draw_many(probs: np.ndarray, n_draws: int, seed: int) -> Draws:
    """Draw `n_draws` words with probabilities (n_vocab,). The same seed gives the same draws.

    >>> draw_many(np.array([0.0, 1.0]), 3, seed=0).counts.tolist()
    [0, 3]
    """
    if n_draws < 1:
        raise ValueError(f"n_draws: expected at least 1, got {n_draws}")
    cumulative = np.cumsum(probs)
    uniform = np.random.default_rng(seed).random(n_draws)
    token_ids = np.searchsorted(cumulative, uniform * cumulative[-1], side="right")
    return Draws(uniform, token_ids, np.bincount(token_ids, minlength=len(probs)))


def standard_error(probs: np.ndarray, n_draws: int) -> np.ndarray:
    """How far a frequency usually lies from its probability, √(p(1 − p) / n): (n_vocab,)."""
    return np.sqrt(probs * (1 - probs) / n_draws)
