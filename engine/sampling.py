"""From logits to a word: temperature, top-k, top-p, min-p, and a seeded draw.

Order: temperature, then the filters in the order top-k, top-p, min-p, each on what the one before left; what remains is scaled
to sum to 1. Ties, and greedy's up to rounding, go to the lower id everywhere. Computed in float64, whatever the logits' dtype.
"""

import numpy as np

from engine.attention import softmax

LEAST = 1e-300  # a chance that a computer would round to 0


def likeliest(logits: np.ndarray) -> list[int]:
    """The ids with the highest logit: one, or all that draw level with it up to rounding. Greedy takes the first.

    >>> likeliest(np.array([1.0, 3.0, 2.0])), likeliest(np.array([0.3, 0.1, 0.1 + 0.2]))
    ([1], [0, 2])
    """
    return np.flatnonzero(draws_level(logits)).tolist()


def draws_level(logits: np.ndarray) -> np.ndarray:
    """True where a logit draws level with the highest of its row up to rounding: (…, n_vocab).

    >>> draws_level(np.array([[3.0, 3.0 - 1e-8, 0.0], [-3.0 - 1e-8, -3.0, -1000.0]])).tolist()
    [[True, False, False], [True, True, False]]
    """
    top = logits.max(axis=-1, keepdims=True)
    return logits >= top - 1e-9 * (1 + np.maximum(top, -logits.min(axis=-1, keepdims=True)))


def best_first(of: np.ndarray, n: int | None = None) -> list[int]:
    """The ids with the highest logits or chances, the best first, of equal ones the lower id; all of them, or n.

    >>> best_first(np.array([0.1, 0.4, 0.1, 0.4]), 3)
    [1, 3, 0]
    """
    return np.argsort(-of, kind="stable")[:n].tolist()


def greedy(logits: np.ndarray) -> int:
    """The id that greedy takes: the first of the likeliest, whatever rounding makes of those that draw level. 0 of what is no number.

    >>> greedy(np.array([0.1 + 0.2 - 1e-12, 0.3, 0.1])), greedy(np.array([np.nan, 1.0]))
    (0, 0)
    """
    return next(iter(likeliest(logits)), 0)


def log_probs(logits: np.ndarray) -> np.ndarray:
    """The logarithm of each word's chance: (n_vocab,) -> (n_vocab,), also of a chance that a computer rounds to 0.

    >>> log_probs(np.array([0.0, -3000.0])).tolist()
    [0.0, -3000.0]
    """
    below = np.asarray(logits, np.float64) - np.max(logits)
    return below - np.log(np.exp(below).sum())


def probabilities(
    logits: np.ndarray, temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0, min_p: float = 0.0
) -> np.ndarray:
    """The chance of each word: (n_vocab,) logits -> (n_vocab,) probabilities that sum to 1.

    temperature 0 is greedy: all probability on one word. top_k 0 keeps every word. top_p keeps the most likely words
    until their sum reaches top_p, the one that crosses it included, and always one. min_p drops words less likely than
    min_p times the most likely. What softmax leaves is never 0, though a computer rounds e⁻³⁰⁰⁰ to it: 0 is only the chance of a
    word that cannot be drawn. Raises ValueError for logits that are not finite numbers or options out of range.

    >>> probabilities(np.array([1.0, 3.0, 3.0]), temperature=0).tolist()
    [0.0, 1.0, 0.0]
    >>> (probabilities(np.array([0.0, -3000.0])) > 0).tolist(), (probabilities(np.array([0.0, -3000.0]), top_k=1) > 0).tolist()
    ([True, True], [True, False])
    """
    logits = np.asarray(logits, np.float64)
    _check(logits, temperature, top_k, top_p, min_p)
    if temperature == 0:
        return (np.arange(len(logits)) == greedy(logits)).astype(np.float64)
    # A tiny temperature overflows the division to ±inf; taking the maximum off first leaves zeros and −inf, which is the limit.
    with np.errstate(over="ignore"):
        probs = softmax((logits - logits.max()) / temperature)
    order = np.argsort(-logits, kind="stable")  # most likely first, ties by id; heat can make equal chances of unequal logits
    ranked = np.maximum(probs[order], LEAST)
    if top_k:
        ranked[top_k:] = 0
    ranked /= ranked.sum()
    before = np.concatenate([[0.0], np.cumsum(ranked)[:-1]])
    if top_p < 1:  # at 1 nothing may go, and the running sum rounds to 1 before the last word
        ranked[1:][before[1:] >= top_p] = 0
    ranked[ranked < min_p * ranked[0]] = 0
    kept = np.zeros_like(probs)
    kept[order] = ranked / ranked.sum()
    return kept


def sample(probs: np.ndarray, rng: np.random.Generator) -> int:
    """Draw one id: the first whose cumulative probability exceeds a uniform number from `rng`."""
    cumulative = np.cumsum(probs)
    return int(np.searchsorted(cumulative, rng.random() * cumulative[-1], side="right"))


def _check(logits: np.ndarray, temperature: float, top_k: int, top_p: float, min_p: float) -> None:
    if logits.ndim != 1 or logits.size == 0 or not np.isfinite(logits).all():
        raise ValueError(f"logits: expected a row of finite numbers, got {logits[:8] if logits.ndim == 1 else logits.shape}")
    if not 0 <= temperature < np.inf:
        raise ValueError(f"temperature: expected 0 or more, got {temperature}")
    if top_k < 0:
        raise ValueError(f"top_k: expected 0 (off) or more, got {top_k}")
    if not 0 <= top_p <= 1:
        raise ValueError(f"top_p: expected a number from 0 to 1, got {top_p}")
    if not 0 <= min_p <= 1:
        raise ValueError(f"min_p: expected a number from 0 to 1, got {min_p}")
