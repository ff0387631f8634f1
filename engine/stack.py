"""A small model of several layers with random parameters: the same attention and the same KV cache as the toy, but with depth.

The toy has one layer, and one layer hides what the causal mask is for: its keys come straight from the tokens, so they cannot
know a later one. From the second layer on a key is computed from what the first layer's row has *seen*. Only the mask keeps
the future out of it, and with it the cache true. Nothing here is trained; a seed fixes every parameter.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.attention import attention, causal_mask
from engine.cache import KVCache
from engine.counts import Counts
from engine.model import ForwardPass, check_token_ids

MAX_LAYERS = 3


class StackModel:
    """Embeddings, then blocks of attention on a residual stream, then logits; no MLP and no norm, which would change no point.

    n_layer: 1 to MAX_LAYERS; n_vocab: ids it knows; seed: fixes the parameters, and a deeper model begins with the shallower
    one's blocks; causal: whether the mask is on. Raises ValueError for sizes out of range.
    """

    n_head, n_kv_head, d_model, d_head, d_v, n_ctx = 2, 2, 16, 8, 8, 64
    dtype = np.dtype(np.float64)

    def __init__(self, n_layer: int, n_vocab: int, seed: int = 0, causal: bool = True):
        if not 1 <= n_layer <= MAX_LAYERS:
            raise ValueError(f"n_layer: expected 1 to {MAX_LAYERS}, got {n_layer}")
        if n_vocab < 1:
            raise ValueError(f"n_vocab: expected at least 1, got {n_vocab}")
        self.n_layer, self.n_vocab, self.causal = n_layer, n_vocab, causal
        rng = np.random.default_rng(seed)
        self._embedding = rng.normal(size=(n_vocab, self.d_model))
        self._position = rng.normal(size=(self.n_ctx, self.d_model))
        self._logits = rng.normal(size=(self.d_model, n_vocab)) / self.d_model**0.5
        # One block: the three projections of every head (3, n_head, d_model, d_head), and the way back (n_head · d_v, d_model).
        shapes = (3, self.n_head, self.d_model, self.d_head), (self.n_head * self.d_v, self.d_model)
        self._blocks = [tuple(rng.normal(size=shape) / self.d_model**0.5 for shape in shapes) for _ in range(n_layer)]

    def forward(self, token_ids: Sequence[int], cache: KVCache | None = None) -> ForwardPass:
        """One pass over `token_ids` behind what `cache` holds; see engine.model. ValueError for an unknown id or no room."""
        ids = check_token_ids(token_ids, self.n_vocab)
        n_past, n_new = cache.n_tokens if cache else 0, len(ids)
        n = n_past + n_new
        if n > self.n_ctx:
            raise ValueError(f"expected at most {self.n_ctx} tokens in all, got {n}")
        if cache:
            cache.require_room(n_new)
        positions = np.arange(n_past, n)
        mask = causal_mask(n_new, n_past) if self.causal else np.ones((n_new, n), bool)
        x = self._embedding[ids] + self._position[positions]  # (n_new, d_model), the residual stream
        layers = []
        for layer, (projections, back) in enumerate(self._blocks):
            q, k, v = x @ projections  # (3, n_head, n_new, d_head)
            if cache:
                k, v = cache.write(layer, k, v)
            layers.append(attention(q, k, v, mask))
            x = x + layers[-1].context.swapaxes(0, 1).reshape(n_new, -1) @ back
        if cache:
            cache.advance(n_new)
        counts = Counts(n_new, n_new, int(mask.sum()), mask.size)
        return ForwardPass(ids, positions, tuple(layers), x @ self._logits, counts)
