"""Rotary positions: a query and a key are turned by an angle that grows with their position, so that their product depends on
how far apart they are and not on where they stand (Su et al. 2021).

The convention is the one of the Hugging Face layout, "rotate half": entry i of a head turns together with entry
i + d_head / 2. Meta's own files pair neighbours (0, 1), (2, 3), … instead; their weights are laid out for that, and
mixing the two changes every logit. Angles are float32 products, as in transformers, so that far positions round alike.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rope:
    """How fast each pair of entries turns. theta: the base of the wavelengths.

    The rest stretches long wavelengths for longer texts (rope type llama3, Llama 3.1): those beyond n_ctx_original / low turn
    `factor` times slower, those below n_ctx_original / high as before, with a blend between. factor 1 stretches nothing.
    """

    theta: float = 10000.0
    factor: float = 1.0
    low: float = 1.0
    high: float = 4.0
    n_ctx_original: int = 8192


def frequencies(rope: Rope, d_head: int) -> np.ndarray:
    """Radians a position, of each pair: θ^(−2i / d_head), stretched. (d_head / 2,) float32

    >>> frequencies(Rope(theta=100.0), 4).tolist()
    [1.0, 0.10000000149011612]
    """
    plain = rope.theta ** (-np.arange(0, d_head, 2) / d_head)
    if rope.factor == 1:
        return plain.astype(np.float32)
    turns = rope.n_ctx_original * plain / (2 * math.pi)  # full turns within the original context
    share = np.clip((turns - rope.low) / (rope.high - rope.low), 0, 1)
    return ((1 - share) * plain / rope.factor + share * plain).astype(np.float32)


def rotation(rope: Rope, d_head: int, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines of the angles at `positions`: two arrays (n_new, 1, d_head / 2), float32.

    Computed for the tokens of one pass: a table for 131,072 positions would take more memory than a small model.
    """
    angle = positions.astype(np.float32)[:, None, None] * frequencies(rope, d_head)
    return np.cos(angle), np.sin(angle)


def rotate(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> None:
    """Turn queries or keys in place. x: (n_new, heads, d_head).

    Law: the product of two rotated rows depends on the difference of their positions only; lengths do not change.
    """
    half = x.shape[-1] // 2
    a, b = x[..., :half], x[..., half:]
    turned = a * cos - b * sin
    b *= cos
    b += a * sin
    a[...] = turned
