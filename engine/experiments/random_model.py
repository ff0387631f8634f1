"""A small model of several layers with random parameters: the same attention and the same KV cache as the toy, but with depth.

The toy has one layer, and one layer hides what the causal mask is for: its keys come straight from the tokens, so they cannot
know a later one. From the second layer on a key is computed from what the first layer's row has *seen*. Only the mask keeps
the future out of it, and with it the cache true. Nothing here is trained; a seed fixes every parameter.
"""

from collections.abc import Sequence

import numpy as np

from engine.attention import attention
from engine.cache import Cache
from engine.model import ForwardPass, begin_pass, counts_of, layer_mask

MAX_LAYERS = 3


class StackModel:
    """Embeddings, then blocks of attention on a residual stream, then logits; no MLP and no norm, which would change no point.

    n_layer: 1 to MAX_LAYERS; n_vocab: ids it knows; seed: fixes the parameters, and a deeper model begins with the shallower
    one's blocks; causal: whether the mask is on; window: how many of the newest tokens a row sees, None for all; context_shift:
    added to every context of each layer before it goes on, so that whoever reads them shows it. ValueError for wrong sizes.
    """

    n_head, n_kv_head, d_model, d_head, d_v, n_ctx = 2, 2, 16, 8, 8, 64
    dtype = np.dtype(np.float64)

    def __init__(
        self, n_layer: int, n_vocab: int, seed: int = 0, causal: bool = True, window: int | None = None,
        context_shift: Sequence[float] = (),
    ):  # fmt: skip
        if not 1 <= n_layer <= MAX_LAYERS:
            raise ValueError(f"n_layer: expected 1 to {MAX_LAYERS}, got {n_layer}")
        if n_vocab < 1:
            raise ValueError(f"n_vocab: expected at least 1, got {n_vocab}")
        if context_shift and len(context_shift) != n_layer:
            raise ValueError(f"context_shift: expected one number for each of {n_layer} layers, got {len(context_shift)}")
        self.n_layer, self.n_vocab, self.n_ids, self.causal, self.window = n_layer, n_vocab, n_vocab, causal, window
        self._shift = tuple(context_shift) or (0.0,) * n_layer
        rng = np.random.default_rng(seed)
        self._embedding = rng.normal(size=(n_vocab, self.d_model))
        self._position = rng.normal(size=(self.n_ctx, self.d_model))
        self._logits = rng.normal(size=(self.d_model, n_vocab)) / self.d_model**0.5
        # One block: the three projections of every head (3, n_head, d_model, d_head), and the way back (n_head · d_v, d_model).
        shapes = (3, self.n_head, self.d_model, self.d_head), (self.n_head * self.d_v, self.d_model)
        self._blocks = [tuple(rng.normal(size=shape) / self.d_model**0.5 for shape in shapes) for _ in range(n_layer)]

    def forward(self, token_ids: Sequence[int], cache: Cache | None = None) -> ForwardPass:
        """One pass over `token_ids` behind what `cache` holds; see engine.model. ValueError for an unknown id or no room."""
        ids, positions = begin_pass(self, token_ids, cache)
        x = self._embedding[ids] + self._position[positions]  # (n_new, d_model), the residual stream
        layers = []
        for layer, (projections, back) in enumerate(self._blocks):
            q, k, v = x @ projections  # (3, n_head, n_new, d_head)
            if cache is not None:
                k, v = cache.write(layer, k, v)
            mask = layer_mask(cache, layer, positions, self.causal, self.window)
            layers.append(attention(q, k, v, mask))
            if cache is not None:
                cache.observe(layer, layers[-1].weights)
            contexts = layers[-1].context.swapaxes(0, 1).reshape(len(ids), -1)
            x = x + (contexts + self._shift[layer]) @ back
        if cache is not None:
            cache.advance(len(ids))
        return ForwardPass(ids, positions, tuple(layers), x @ self._logits, counts_of(len(ids), layers[0].mask))

    def next_logits(self, run: ForwardPass) -> np.ndarray:
        return run.logits
