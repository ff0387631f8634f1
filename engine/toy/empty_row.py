"""The empty row: what a head does at a position where its rule matches nothing it may see, such as "even" at position 1.

Softmax must hand out a weight of 1 and there is nobody to give it to. Five answers are in use; each is a `normalise` function
for `attention`: (scores, mask) -> weights. A row is empty when no visible score is positive. Only "none" and "soft" keep both
laws, no look into the future and no NaN, with rows that sum to 1 or to 0.
"""

from collections.abc import Callable

import numpy as np

from engine.attention import masked_softmax, softmax

Normalise = Callable[[np.ndarray, np.ndarray], np.ndarray]


def without_empty_rows(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """The mask with every empty row closed entirely: the rule taken as a hard mask where it leaves nothing to see."""
    return mask & (mask & (scores > 0)).any(axis=-1, keepdims=True)


def zero_weights(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Hard mask with a guard: the weights of an empty row are 0 and its context is "none" (so PyTorch, fused; PR 133882)."""
    return masked_softmax(scores, without_empty_rows(scores, mask))


def naive_softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Hard mask with −∞ and no guard: 0 / 0, so the row is not a number, and so is everything computed from it."""
    masked = np.where(without_empty_rows(scores, mask), scores, -np.inf)
    with np.errstate(invalid="ignore"):
        shifted = np.exp(masked - masked.max(axis=-1, keepdims=True))
        return shifted / shifted.sum(axis=-1, keepdims=True)


def filled_softmax(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Hard mask with −10⁹ instead of −∞: an empty row becomes the average of *all* keys, the hidden future included."""
    return softmax(np.where(without_empty_rows(scores, mask), scores, scores.dtype.type(-1e9)))


def softmax_one(scores: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """Softmax with 1 added to the denominator: any row may keep weight back ("attention is off by one", E. Miller 2023)."""
    masked = np.where(mask, scores, -np.inf)
    top = np.maximum(masked.max(axis=-1, keepdims=True), 0)  # the added 1 is the exponential of a score of 0
    shifted = np.exp(masked - top)
    return shifted / (shifted.sum(axis=-1, keepdims=True) + np.exp(-top))


EMPTY_ROW: dict[str, Normalise] = {
    "none": zero_weights,
    "soft": masked_softmax,
    "nan": naive_softmax,
    "fill": filled_softmax,
    "softmax1": softmax_one,
}
