"""One pass through a model, operation by operation: the arithmetic it does and the bytes it moves.

Prefill and decode differ in two numbers only: `n_new` tokens enter behind `n_past` cached ones. All layers are added up. Counted
are the matrix products and the softmax; left out, as fused into them by every engine, are norms, activation functions, rotary
turns, residual sums and the lookup of embeddings, together below a percent of the work of a real model.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine.cost.blocks import experts_visited
from engine.cost.shapes import ModelShape, check_bits, check_count

ACTIVATION_BYTES = 2  # activations stay 16-bit, whatever the weights and the cache are stored in
SOFTMAX_FLOPS = 5  # a score's maximum, subtraction, exponential, sum and division, as LLM-Viewer counts (arXiv 2402.16363)


@dataclass(frozen=True)
class Operation:
    """One operation of a pass, all layers together.

    flops: multiplications and additions. weight_bytes: parameters read. activation_bytes: inputs read and results written.
    cache_bytes: keys and values read or written. score_bytes: the score matrix going out and in again, which a fused kernel
    (FlashAttention) never does, so `bytes` leaves it out and `unfused_bytes` has it.
    """

    name: str
    flops: float
    weight_bytes: float = 0.0
    activation_bytes: float = 0.0
    cache_bytes: float = 0.0
    score_bytes: float = 0.0

    @property
    def bytes(self) -> float:
        """Bytes moved when attention is one fused kernel. Softmax then moves none: its work is done where the scores are."""
        return self.weight_bytes + self.activation_bytes + self.cache_bytes

    @property
    def unfused_bytes(self) -> float:
        """Bytes moved when every operation writes its result to memory and the next reads it back."""
        return self.bytes + self.score_bytes

    @property
    def arithmetic_intensity(self) -> float:
        """FLOPs a byte; infinite for what a fused kernel does without moving a byte."""
        return self.flops / self.bytes if self.bytes else float("inf")


def visible_pairs(n_new: int, n_past: int = 0, window: int = 0) -> int:
    """Query–key pairs that the causal mask (and a window, if not 0) leaves: the query at position p sees min(p + 1, window) keys.

    Without a window: n_new · n_past + n_new (n_new + 1) / 2, half of a dense prefill.

    >>> visible_pairs(4), visible_pairs(1, n_past=4), visible_pairs(4, window=2)
    (10, 5, 7)
    """
    first, last = n_past + 1, n_past + n_new  # keys that the first and the last query would see without a window
    if not window or last <= window:
        return (first + last) * n_new // 2
    n_growing = max(0, window - n_past)  # queries that still see everything
    return (first + n_past + n_growing) * n_growing // 2 + (n_new - n_growing) * window


def dense_pairs(n_new: int, n_past: int = 0, window: int = 0) -> int:
    """Pairs that a kernel computes which does not skip what the mask hides: each query with every key that any of them sees."""
    return n_new * keys_seen(n_new, n_past, window)


def keys_seen(n_new: int, n_past: int = 0, window: int = 0) -> int:
    """Different keys that the pass reads: all n_past + n_new, or with a window those within reach of the first query."""
    return min(n_past + n_new, n_new + window - 1) if window else n_past + n_new


def operations(
    shape: ModelShape,
    n_new: int,
    n_past: int = 0,
    batch: int = 1,
    weight_bits: float = 16,
    kv_bits: float = 16,
    pairs=visible_pairs,
) -> tuple[Operation, ...]:
    """The operations of one pass in order: q, k, v, scores, softmax, context, output, mlp, head.

    batch sequences, each with n_new tokens behind n_past cached ones; logits for the last token of each only. A matrix product
    is 2 · rows · d_in · d_out FLOPs. `pairs` counts scores: visible_pairs, or dense_pairs as most published tables do.
    Latent attention: "k" is the way down to the latent, "v" the way up to keys and values. A first prefill expands keys and
    values; behind a cache each query is turned into the latent's space instead, which is wider, and the latent is read once.
    """
    n_new, n_past = check_count("n_new", n_new), check_count("n_past", n_past, least=0)
    batch = check_count("batch", batch)
    for name, bits in (("weight_bits", weight_bits), ("kv_bits", kv_bits)):
        check_bits(name, bits)
    matrices = _Matrices(shape, batch * n_new, weight_bits / 8, kv_bits / 8)
    return (
        *matrices.projections(),
        *_attention(shape, n_new, n_past, batch, kv_bits / 8, pairs),
        matrices.linear("output", (shape.n_head * shape.d_v, shape.d_model)),
        matrices.mlp(),
        _Matrices(shape, batch, weight_bits / 8, kv_bits / 8).linear("head", (shape.d_model, shape.n_vocab), copies=1),
    )


@dataclass(frozen=True)
class _Matrices:
    """The products with learned matrices: `rows` activations, so many bytes a parameter and a cached number."""

    shape: ModelShape
    rows: int
    weight_size: float
    cache_size: float

    def linear(self, name: str, *sizes: tuple[int, int], copies: int | None = None, cached: int = 0) -> Operation:
        """Products of the given (d_in, d_out), one set a layer; `cached` of the results go to the cache."""
        copies = self.shape.n_layer if copies is None else copies
        products = copies * sum(d_in * d_out for d_in, d_out in sizes)
        moved = copies * (sum(d_in + d_out for d_in, d_out in sizes) - cached)
        return Operation(
            name,
            flops=2.0 * self.rows * products,
            weight_bytes=products * self.weight_size,
            activation_bytes=self.rows * moved * ACTIVATION_BYTES,
            cache_bytes=self.rows * copies * cached * self.cache_size,
        )

    def projections(self) -> tuple[Operation, Operation, Operation]:
        """q, k and v; what k and v compute goes to the cache."""
        shape, d, latent = self.shape, self.shape.d_model, self.shape.latent
        d_q = shape.n_head * shape.d_head
        if latent is None:
            d_k, d_v = shape.n_kv_head * shape.d_head, shape.n_kv_head * shape.d_v
            return self.linear("q", (d, d_q)), self.linear("k", (d, d_k), cached=d_k), self.linear("v", (d, d_v), cached=d_v)
        q = ((d, latent.q_rank), (latent.q_rank, d_q)) if latent.q_rank else ((d, d_q),)
        up = (latent.rank, shape.n_head * (latent.d_nope + shape.d_v))
        return self.linear("q", *q), self.linear("k", (d, shape.kv_row), cached=shape.kv_row), self.linear("v", up)

    def mlp(self) -> Operation:
        """All MLPs; of experts those that a token visits (FLOPs), those that the pass is expected to visit (weights)."""
        shape, experts, d = self.shape, self.shape.experts, self.shape.d_model
        n_matrix = 2 + shape.style.gated_mlp
        n_dense = shape.n_layer if experts is None else len(experts.dense_layers)
        done = read = n_dense * n_matrix * d * shape.d_ff
        moved = n_dense * n_matrix * (d + shape.d_ff)
        if experts is not None:
            n_moe, router = shape.n_layer - n_dense, d * experts.n_expert
            width = experts.n_active * experts.d_ff + experts.d_ff_shared
            width_read = experts_visited(experts, self.rows) * experts.d_ff + experts.d_ff_shared
            done += n_moe * (n_matrix * d * width + router)
            read += n_moe * (n_matrix * d * width_read + router)
            moved += n_moe * (n_matrix * (d * (experts.n_active + bool(experts.d_ff_shared)) + width) + d + experts.n_expert)
        return Operation("mlp", 2.0 * self.rows * done, read * self.weight_size, self.rows * moved * ACTIVATION_BYTES)


def _attention(shape: ModelShape, n_new: int, n_past: int, batch: int, cache_size: float, pairs) -> tuple[Operation, ...]:
    """scores, softmax and context: 2 · d_head, 5 and 2 · d_v FLOPs for each query head and each pair."""
    d_score, d_context, row_score, row_context = (
        shape.d_head,
        shape.d_v,
        shape.n_kv_head * shape.d_head,
        shape.n_kv_head * shape.d_v,
    )
    if shape.latent and n_past:
        d_score, d_context, row_score, row_context = shape.kv_row, shape.latent.rank, shape.kv_row, 0
    elif shape.latent:
        cache_size = ACTIVATION_BYTES  # expanded for this pass only
    layers = Counter(shape.windows).items()
    n_scores = shape.n_head * batch * sum(n * pairs(n_new, n_past, window) for window, n in layers)
    n_keys = batch * sum(n * keys_seen(n_new, n_past, window) for window, n in layers)
    score_bytes, per_width = n_scores * ACTIVATION_BYTES, batch * n_new * shape.n_layer * shape.n_head * ACTIVATION_BYTES
    return (
        Operation("scores", 2.0 * n_scores * d_score, 0, per_width * d_score, n_keys * row_score * cache_size, score_bytes),
        Operation("softmax", float(SOFTMAX_FLOPS * n_scores), score_bytes=2 * score_bytes),
        Operation(
            "context", 2.0 * n_scores * d_context, 0, per_width * d_context, n_keys * row_context * cache_size, score_bytes
        ),
    )
