"""Rotary positions: a query and a key are turned by an angle that grows with their position, so that their product depends on
how far apart they are and not on where they stand (Su et al. 2021).

The convention is the one of the Hugging Face layout, "rotate half": entry i of a head turns together with entry
i + d_head / 2 (half of the part that turns, where only a part does). Meta's own files pair neighbours (0, 1), (2, 3), … instead;
their weights are laid out for that, and mixing the two changes every logit. Angles are float32 products, as in transformers, so
that far positions round alike.
"""

import math
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rope:
    """How fast each pair of entries turns. theta: the base of the wavelengths. share: the part of a head that turns at all.

    kind: how long wavelengths are stretched for longer texts, with the names of Hugging Face's `rope_type`; factor 1 stretches
    nothing. "linear": all turn `factor` times slower. "llama3": those beyond n_ctx_original / low do, those below
    n_ctx_original / high turn as before, with a blend between. "yarn" (arXiv 2309.00071): the same with a blend between the pairs
    that turn `low` and `high` times, whole ones where `truncate`; queries and keys grow by `length`. "dynamic": theta grows with
    the text, from n_ctx_original tokens on.
    """

    theta: float = 10000.0
    factor: float = 1.0
    low: float = 1.0
    high: float = 4.0
    n_ctx_original: int = 8192
    kind: str = "llama3"
    share: float = 1.0
    length: float = 1.0
    truncate: bool = True


def frequencies(rope: Rope, d_head: int, n_tokens: int = 1) -> np.ndarray:
    """Radians a position, of each pair that turns: θ^(−2i / width), stretched. (width / 2,) float32, width = share · d_head.

    n_tokens: tokens of the whole text so far; only "dynamic" asks, and within n_ctx_original it makes no difference.

    >>> frequencies(Rope(theta=100.0), 4).tolist()
    [1.0, 0.10000000149011612]
    """
    width = int(rope.share * d_head)
    theta = rope.theta
    if rope.kind == "dynamic":
        longer = rope.factor * max(n_tokens, rope.n_ctx_original) / rope.n_ctx_original - (rope.factor - 1)
        theta *= longer ** (width / (width - 2))
    plain = theta ** (-np.arange(0, width, 2) / width)
    if rope.factor == 1 or rope.kind == "dynamic":
        return plain.astype(np.float32)
    kept = {"linear": 0.0, "llama3": _kept_llama3, "yarn": _kept_yarn}[rope.kind]
    kept = kept(rope, plain) if callable(kept) else kept
    return ((1 - kept) * plain / rope.factor + kept * plain).astype(np.float32)


def _kept_llama3(rope: Rope, plain: np.ndarray) -> np.ndarray:
    """The share of each wavelength that stays as it was: by how often it turns within the original context."""
    turns = rope.n_ctx_original * plain / (2 * math.pi)
    return np.clip((turns - rope.low) / (rope.high - rope.low), 0, 1)


def _kept_yarn(rope: Rope, plain: np.ndarray) -> np.ndarray:
    """The same by the number of the pair: all of it up to the pair that turns `high` times, nothing from `low` times on."""
    width = 2 * len(plain)
    first, last = (
        width * math.log(rope.n_ctx_original / (turns * 2 * math.pi)) / (2 * math.log(rope.theta))
        for turns in (rope.high, rope.low)
    )
    if rope.truncate:
        first, last = math.floor(first), math.ceil(last)
    first, last = max(first, 0), min(last, width - 1)
    return 1 - np.clip((np.arange(width // 2) - first) / (last - first or 0.001), 0, 1)


def rotation(rope: Rope, d_head: int, positions: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Cosines and sines of the angles at `positions`: two arrays (n_new, 1, pairs that turn), float32.

    Computed for the tokens of one pass: a table for 131,072 positions would take more memory than a small model.
    """
    n_tokens = int(positions[-1]) + 1 if len(positions) else 1
    angle = positions.astype(np.float32)[:, None, None] * frequencies(rope, d_head, n_tokens)
    cos, sin = np.cos(angle), np.sin(angle)
    return (cos, sin) if rope.length == 1 else (cos * np.float32(rope.length), sin * np.float32(rope.length))


def rotate(x: np.ndarray, cos: np.ndarray, sin: np.ndarray) -> None:
    """Turn queries or keys in place, the first entries of each head where only a part turns. x: (n_new, heads, d_head).

    Law: the product of two rotated rows depends on the difference of their positions only; lengths do not change.
    """
    half = cos.shape[-1]
    a, b = x[..., :half], x[..., half : 2 * half]
    turned = a * cos - b * sin
    b *= cos
    b += a * sin
    a[...] = turned
