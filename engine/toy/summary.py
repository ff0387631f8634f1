"""The last row's contexts taken for a summary of the prompt: which values they give back, and which they cannot tell apart.

A context is the values times weights, so the contexts of all heads are one linear map: contexts = weights @ values, with weights
(n_head, n). With as many independent heads as tokens the map can be undone, and nothing is lost. With more tokens than heads it
cannot: there are directions of values that no head sees.
"""

from dataclasses import dataclass

import numpy as np

RANK = 1e-12  # a singular value below this share of the largest counts as 0: rounding leaves some 1e-16
STEP = 5.0  # how far the value of the twin moves that moves most


@dataclass(frozen=True, eq=False)
class Summary:
    """What the contexts of one row say of the values. rank: independent heads. recovered: (n,) the values that the contexts
    alone give back, None where others fit as well. twin: (n,) other values with the same contexts, None where there are none.
    """

    rank: int
    recovered: np.ndarray | None
    twin: np.ndarray | None


def summary(weights: np.ndarray, values: np.ndarray) -> Summary:
    """weights: (n_head, n), a row of attention for each head; values: (n,).

    Law: weights @ recovered = weights @ twin = weights @ values within rounding.

    >>> summary(np.array([[0.5, 0.5]]), np.array([1.0, 3.0])).twin.tolist()
    [6.0, -2.0]
    """
    n = weights.shape[1]
    _, sizes, directions = np.linalg.svd(weights)
    rank = int((sizes > RANK * sizes[0]).sum()) if sizes[0] else 0
    if rank == n:
        return Summary(rank, np.linalg.lstsq(weights, weights @ values, rcond=None)[0], None)
    return Summary(rank, None, values + STEP * _plainest(weights, directions[rank:]))


def _plainest(weights: np.ndarray, unseen: np.ndarray) -> np.ndarray:
    """A direction that no head sees, its largest entry 1: where two tokens have equal weights everywhere, one against the other,
    because that is read most easily; else the last of `unseen`, (n_unseen, n)."""
    n = weights.shape[1]
    for a in range(n):
        for b in range(n - 1, a, -1):
            if (weights[:, a] == weights[:, b]).all():
                return np.eye(n)[a] - np.eye(n)[b]
    plain = unseen[-1] / unseen[-1][np.abs(unseen[-1]).argmax()]
    return np.where(np.abs(plain - plain.round()) < 1e-12, plain.round(), plain)  # what is left of rounding is no part of it
