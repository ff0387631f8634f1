"""What several passes over one prompt gave, joined as if it had been one: rows first, to be compared row by row.

A row, one token's place in the sequence, is what a causal mask protects; so a comparison of two runs asks which rows moved.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.model import ForwardPass


def contexts(passes: Sequence[ForwardPass]) -> np.ndarray:
    """The last layer's contexts of all rows of the passes, one after another: (n, n_head · d_v)."""
    rows = [p.layers[-1].context.swapaxes(0, 1).reshape(p.n_new, -1) for p in passes]  # (n_new, n_head · d_v) each
    return np.concatenate(rows)


def logits(passes: Sequence[ForwardPass]) -> np.ndarray:
    """The logits of all rows of the passes, one after another: (n, n_vocab)."""
    return np.concatenate([p.logits for p in passes])
