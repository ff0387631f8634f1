"""A trained decoder-only transformer: the same `attention`, cache and calls as the toy, with learned parameters.

    x = embedding[token]                         the residual stream, one row a token
    for each layer:
        x = x + out(attention(q, k, v))          q, k, v = qkv(norm(x)), turned by their positions
        x = x + down(activation(up(norm(x))))
    logits = head(norm(x))

GPT-2 and the Llama family differ in what `norm`, `activation` and the positions are (engine.trained.config), not in this forward.
A variant of a model, one that looks into the future, or lacks a head, or keeps no maps, is a model itself: everything that
runs models runs it, and it shares the parameters.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.attention import Attention, attention, visible
from engine.cache import Cache
from engine.counts import Counts
from engine.model import ForwardPass, begin_pass, counts_of, layer_mask
from engine.trained.config import Config
from engine.trained.layers import gelu, in_blocks, silu_gate
from engine.trained.one_core import one_core_a_product
from engine.trained.rope import rotate, rotation
from engine.trained.tensor_names import Block, Params
from engine.trained.tokenizer import Tokenizer

SMALL = 256  # d_model up to which a pass takes milliseconds


@dataclass(frozen=True, eq=False)
class Transformer:
    """A configuration with its parameters, and three options that make variants of one model; see engine.model for the protocol.

    keep: whether a pass returns every layer's Attention, the hidden states and all rows of logits. If not, it returns the last
    row of logits and neither maps nor states: at 1024 tokens those of GPT-2 take 1.3 GB. What is computed is the same.
    causal: whether a token sees only itself and earlier ones; if not, every token sees every other, windows or not. With more
    than one layer a cache is valid only under the mask.
    ablated: (layer, head) pairs whose context is replaced by 0, counted from 0.
    """

    config: Config
    params: Params
    tokenizer: Tokenizer | None = None
    keep: bool = True
    causal: bool = True
    ablated: frozenset[tuple[int, int]] = frozenset()

    def __post_init__(self):
        c, heads = self.config, frozenset(self.ablated)
        for layer, head in heads:
            if not (0 <= layer < c.n_layer and 0 <= head < c.n_head):
                raise ValueError(f"ablated: expected (layer, head) below ({c.n_layer}, {c.n_head}), got {(layer, head)}")
        object.__setattr__(self, "ablated", heads)

    n_layer = property(lambda self: self.config.n_layer)
    n_head = property(lambda self: self.config.n_head)
    n_kv_head = property(lambda self: self.config.n_kv_head)
    d_model = property(lambda self: self.config.d_model)
    d_head = property(lambda self: self.config.d_head)
    d_v = property(lambda self: self.config.d_head)
    n_vocab = property(lambda self: self.config.n_vocab)
    n_ids = n_vocab
    n_ctx = property(lambda self: self.config.n_ctx)
    dtype = property(lambda self: self.params.embedding.dtype)

    def variant(self, **options: bool | Iterable[tuple[int, int]]) -> "Transformer":
        """The same parameters with other options: `model.variant(ablated=[(2, 1)])`, `model.variant(keep=False)`, …"""
        known = ("keep", "causal", "ablated")
        if not set(options) <= set(known):
            raise ValueError(f"variant: expected options out of {', '.join(known)}, got {', '.join(options)}")
        return replace(self, **options)

    def forward(self, token_ids: Sequence[int], cache: Cache | None = None) -> ForwardPass:
        """One pass over `token_ids` behind what `cache` holds; see engine.model. ValueError for an unknown id or no room.

        Law: prefill, token by token and any chunks give the same logits within float32 rounding: no row sees a later token.
        """
        ids, positions = begin_pass(self, token_ids, cache)
        n_new = len(ids)
        turn = rotation(self.config.rope, self.d_head, positions) if self.config.rope else None
        x = self.params.embedding[ids]
        if self.params.positions is not None:
            x += self.params.positions[positions]
        layers, hidden = [], [x]
        last_row_only = not self.keep and (cache is None or not cache.wants_weights)
        with one_core_a_product():
            for layer, block in enumerate(self.params.blocks):
                q, k, v = self._project(block, x, turn)
                if cache is not None:
                    k, v = cache.write(layer, k, v)
                if last_row_only and layer == self.n_layer - 1:
                    q, x = q[:, -1:], x[-1:]  # of the last layer only the last row is read
                seen = self._attend(layer, q, k, v, positions[-len(x) :], cache)
                x = x + block.out(seen.context.swapaxes(0, 1).reshape(len(x), -1))
                x += self._feed_forward(block, x)
                if self.keep:
                    layers.append(seen)
                    hidden.append(x)
            logits = self.unembed(x if self.keep else x[-1:])
        counts = self._counts(positions, cache)
        if cache is not None:
            cache.advance(n_new)
        if not self.keep:
            return ForwardPass(ids, positions, (), logits, counts)
        return ForwardPass(ids, positions, tuple(layers), logits, counts, np.stack(hidden))

    def next_logits(self, run: ForwardPass) -> np.ndarray:
        return run.logits

    def unembed(self, hidden: np.ndarray) -> np.ndarray:
        """Hidden states to logits: the last norm and the head. (…, d_model) -> (…, n_vocab)

        On the states after an inner layer it is the "logit lens": what the model would say if it stopped there.
        Law: unembed(run.hidden[-1]) is run.logits.
        """
        return self.params.head(self.params.norm(hidden))

    def _project(
        self, block: Block, x: np.ndarray, turn: tuple[np.ndarray, np.ndarray] | None
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The layer's queries, keys and values: views (heads, n_new, d_head) of one array, queries and keys normed and turned."""
        n_head, n_qk = self.n_head, self.n_head + self.n_kv_head
        heads = block.qkv(block.attention_norm(x)).reshape(len(x), -1, self.d_head)
        if block.q_norm is not None:
            heads[:, :n_head] = block.q_norm(heads[:, :n_head])
            heads[:, n_head:n_qk] = block.k_norm(heads[:, n_head:n_qk])
        if turn:
            rotate(heads[:, :n_qk], *turn)
        heads = heads.swapaxes(0, 1)
        return heads[:n_head], heads[n_head:n_qk], heads[n_qk:]

    def _attend(
        self, layer: int, q: np.ndarray, k: np.ndarray, v: np.ndarray, positions: np.ndarray, cache: Cache | None
    ) -> Attention:
        """The layer's attention for the queries at `positions`, without what is ablated."""
        window = self.config.windows[layer]
        if _every_token(cache, layer):
            mask = visible(positions, range(k.shape[1]), self.causal, window)
        else:
            mask = layer_mask(cache, layer, positions, self.causal, window)
        seen = attention(q, k, v, mask)
        if cache is not None:
            cache.observe(layer, seen.weights)
        seen.context[[head for ablated_layer, head in self.ablated if ablated_layer == layer]] = 0
        return seen

    def _feed_forward(self, block: Block, x: np.ndarray) -> np.ndarray:
        """Up, activation, down. (n, d_model) -> (n, d_model)"""
        gated = block.up.w.shape[0] != block.down.w.shape[1]
        return block.down(in_blocks(silu_gate if gated else gelu, block.up(block.feed_forward_norm(x))))

    def _counts(self, positions: np.ndarray, cache: Cache | None) -> Counts:
        """Work for one head of the first layer: where layers have different windows the others do more or less."""
        if not _every_token(cache, 0):
            return counts_of(len(positions), layer_mask(cache, 0, positions, self.causal, self.config.windows[0]))
        n_new, n_past = len(positions), int(positions[0])
        n = n_past + n_new
        seen = np.minimum(np.arange(n_past + 1, n + 1), self.config.windows[0] or n) if self.causal else np.full(n_new, n)
        return Counts(n_new, n_new, int(seen.sum()), n_new * n)


def _every_token(cache: Cache | None, layer: int) -> bool:
    """Whether row j of the keys is position j, so that no mask need be built from positions."""
    return cache is None or isinstance(cache.key_positions(layer), range)
