"""One pass through a model, operation by operation: the arithmetic it does and the bytes it moves.

Prefill and decode differ in two numbers only: `n_new` tokens enter behind `n_past` cached ones. All layers are added up. Counted
are the matrix products and the softmax; left out, as fused into them by every engine, are norms, activation functions, rotary
turns, residual sums and the lookup of embeddings, together below a percent of the work of a real model.
"""

from dataclasses import dataclass, replace

from engine.config_json.block_style import Layer
from engine.cost.pairs import keys_seen, visible_pairs
from engine.cost.shapes.blocks import experts_visited, heads_of
from engine.cost.shapes.checked import check_bits, check_count
from engine.cost.shapes.file_bits import bits_of_parts
from engine.cost.shapes.model_shape import ModelShape

ACTIVATION_BYTES = 2  # activations stay 16-bit, whatever the weights and the cache are stored in
SOFTMAX_FLOPS = 5  # a score's maximum, subtraction, exponential, sum and division, as LLM-Viewer counts (arXiv 2402.16363)


@dataclass(frozen=True)
class Operation:
    """One operation of a pass, all layers together.

    flops: multiplications and additions, on numbers of so many `bits`; expert_flops: those of them that are done with experts'
    matrices, whose numbers have expert_bits. weight_bytes: parameters read. activation_bytes: inputs read and results written.
    cache_bytes: keys and values read or written. score_bytes: the score matrix going out and in again, which a fused kernel
    (FlashAttention) never does, so `bytes` leaves it out and `unfused_bytes` has it.
    """

    name: str
    flops: float
    weight_bytes: float = 0.0
    activation_bytes: float = 0.0
    cache_bytes: float = 0.0
    score_bytes: float = 0.0
    bits: float = 16.0
    expert_flops: float = 0.0
    expert_bits: float = 16.0

    @property
    def flops_by_bits(self) -> dict[float, float]:
        """Its FLOPs by the bits of the numbers that are multiplied."""
        if not self.expert_flops or self.expert_bits == self.bits:
            return {self.bits: self.flops}
        return {self.bits: self.flops - self.expert_flops, self.expert_bits: self.expert_flops}

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


def operations(
    shape: ModelShape,
    n_new: int,
    n_past: int = 0,
    batch: int = 1,
    weight_bits: float = 16,
    kv_bits: float = 16,
    pairs=visible_pairs,
    expanded: bool = False,
) -> tuple[Operation, ...]:
    """The operations of one pass in order: q, k, v, (index,) scores, softmax, context, output, (state,) mlp, head.

    batch sequences, each with n_new tokens behind n_past cached ones; logits for the last token of each only. A matrix product
    is 2 · rows · d_in · d_out FLOPs. `pairs` counts scores: visible_pairs, or dense_pairs as most published tables do.
    Latent attention: "k" is the way down to the latent, "v" the way up to keys and values. A first prefill expands keys and
    values; behind a cache each query is turned into the latent's space, which is wider, and the latent is read once; `expanded`,
    cached latents go the way up instead, which is less work for many new tokens.
    Where an index chooses, each of its heads scores every token in sight, and attention counts the chosen ones alone, as if the
    newest were chosen; choosing itself is left out.
    """
    n_new, n_past = check_count("n_new", n_new), check_count("n_past", n_past, least=0)
    batch = check_count("batch", batch)
    check_bits("weight_bits", weight_bits)
    check_bits("kv_bits", kv_bits)
    of_expert, of_block, of_head = (bits / 8 for bits in bits_of_parts(shape, weight_bits))
    matrices = _Matrices(shape, batch * n_new, of_block, of_expert, kv_bits / 8)
    last = _Matrices(shape, batch, of_head, of_expert, kv_bits / 8)
    head = [(1, shape.d_embed or shape.d_model, shape.n_vocab, False)]
    absorbed = bool(shape.latent and n_past and not expanded)
    every = (
        *matrices.projections(0 if absorbed else batch * n_past),
        *_attention(shape, n_new, n_past, batch, kv_bits / 8, pairs, absorbed),
        matrices.output(),
        *matrices.states(batch),
        matrices.mlp(),
        last.linear("head", head),
    )
    return tuple(op for op in every if op.flops)  # a file may state no MLP and no vocabulary


@dataclass(frozen=True)
class _Matrices:
    """The products with learned matrices: `rows` activations, so many bytes a parameter, an expert's and a cached number."""

    shape: ModelShape
    rows: int
    weight_size: float
    expert_size: float
    cache_size: float

    def linear(self, name: str, products: list[tuple[int, int, int, bool]]) -> Operation:
        """Products of all rows with (copies, d_in, d_out, whether the results go to the cache)."""
        weights = moved = written = 0
        for n, d_in, d_out, cached in products:
            weights += n * d_in * d_out
            moved += n * (d_in if cached else d_in + d_out)
            written += n * d_out if cached else 0
        return Operation(
            name,
            flops=2.0 * self.rows * weights,
            weight_bytes=weights * self.weight_size,
            activation_bytes=self.rows * moved * ACTIVATION_BYTES,
            cache_bytes=self.rows * written * self.cache_size,
            bits=8 * self.weight_size,
        )

    def projections(self, n_kept: int) -> tuple[Operation, Operation, Operation]:
        """q, k and v; what k and v compute goes to the cache, and n_kept latents of it through v. A layer that borrows has queries only."""
        shape, d, latent = self.shape, self.shape.d_model, self.shape.latent
        q, k, v = [], [], []
        for (layer, _), n in shape.attending.items():
            n_head, n_kv_head, d_head, d_v = heads_of(shape, layer)
            own = n * layer.n_cache * (layer.kind == "attention")
            d_q = n_head * d_head * (1 + shape.style.q_gate)
            if latent and latent.q_rank:
                q += [(n * layer.n_cache, d, latent.q_rank, False), (n * layer.n_cache, latent.q_rank, d_q, False)]
            else:
                q.append((n * layer.n_cache, d, d_q, False))
            k.append((own, d, shape.kv_row if latent else n_kv_head * d_head, True))
            k += [(own, d, layer.d_index, True)] if layer.d_index else []
            v.append((own, latent.rank, n_head * (latent.d_nope + d_v), False) if latent else (own, d, n_kv_head * d_v, True))
        up = replace(self, rows=self.rows + n_kept) if latent else self
        return self.linear("q", q), self.linear("k", k), up.linear("v", v)

    def output(self) -> Operation:
        """All heads' contexts back to the width of the model."""
        products = []
        for (layer, _), n in self.shape.attending.items():
            n_head, _, _, d_v = heads_of(self.shape, layer)
            products.append((n * layer.n_cache, n_head * d_v, self.shape.d_model, False))
        return self.linear("output", products)

    def states(self, batch: int) -> tuple[Operation, ...]:
        """Layers that keep a state: their learned numbers, and each sequence's state read and written once. () for most models. Counted
        as products with matrices that have the model's width at one side (but small ones), and two operations for each number of the
        state and each token."""
        made = sum(layer.n_mixer for layer in self.shape.layers)
        if not made and not self.shape.state_bytes():
            return ()
        flops = 2.0 * self.rows * (made + 2 * sum(layer.n_state for layer in self.shape.layers))
        d, mixing = self.shape.d_model, sum(layer.n_mixer > 0 for layer in self.shape.layers)
        through, moved = self.rows * (made / d + 2 * d * mixing) * ACTIVATION_BYTES, 2.0 * self.shape.state_bytes(batch)
        return (Operation("state", flops, made * self.weight_size, through, moved, bits=8 * self.weight_size),)

    def mlp(self) -> Operation:
        """All MLPs; of experts those that a token visits (FLOPs), those that the pass is expected to visit (weights)."""
        shape, experts, d = self.shape, self.shape.experts, self.shape.d_model
        n_matrix = 2 + shape.style.gated_mlp
        n_dense = shape.n_layer if experts is None else len(experts.dense_layers)
        done = read = n_dense * n_matrix * d * shape.d_ff
        moved, of_experts, by_experts = n_dense * n_matrix * (d + shape.d_ff), 0.0, 0
        if experts is not None:
            n_moe, router = shape.n_layer - n_dense, d * experts.n_expert
            width = experts.n_active * experts.d_ff + experts.d_ff_shared
            of_experts = n_moe * n_matrix * d * experts_visited(experts, self.rows) * experts.d_ff
            by_experts = n_moe * n_matrix * d * experts.n_active * experts.d_ff
            done += n_moe * (n_matrix * d * width + router)
            read += n_moe * (n_matrix * d * experts.d_ff_shared + router)
            moved += n_moe * (n_matrix * (d * (experts.n_active + bool(experts.d_ff_shared)) + width) + d + experts.n_expert)
        done, read = done + shape.n_extra, read + shape.n_extra
        weight_bytes = read * self.weight_size + of_experts * self.expert_size
        return Operation(
            "mlp",
            flops=2.0 * self.rows * done,
            weight_bytes=weight_bytes,
            activation_bytes=self.rows * moved * ACTIVATION_BYTES,
            bits=8 * self.weight_size,
            expert_flops=2.0 * self.rows * by_experts,
            expert_bits=8 * self.expert_size,
        )


def _attention(
    shape: ModelShape, n_new: int, n_past: int, batch: int, cache_size: float, pairs, absorbed
) -> tuple[Operation, ...]:
    """index, scores, softmax and context: of these 2 · d_head, 5 and 2 · d_v FLOPs for each query head and pair; absorbed, a latent's."""
    kv_size, bits = cache_size, 8 * cache_size
    if shape.latent and not absorbed:
        cache_size = ACTIVATION_BYTES  # expanded for this pass only
    parts = {"index": [], "scores": [], "softmax": [], "context": []}  # of each kind of layer: the sizes of an operation
    for (layer, window), n in shape.attending.items():
        n_head, n_kv_head, d_score, d_context = heads_of(shape, layer)
        row_score, row_context = n_kv_head * d_score, n_kv_head * d_context
        if absorbed:
            d_score, d_context, row_score, row_context = shape.kv_row, shape.latent.rank, shape.kv_row, 0
        n *= layer.n_cache
        if layer.d_index:
            n_keys = batch * n * keys_seen(n_new, n_past, window)
            parts["index"].append(_index(layer, batch * n * pairs(n_new, n_past, window), batch * n * n_new, n_keys * kv_size))
        reach = min(layer.n_select, window or layer.n_select) or window
        n_scores = n_head * batch * n * pairs(n_new, n_past, reach)
        n_keys = batch * n * keys_seen(n_new, n_past, reach)
        matrix, rows = n_scores * ACTIVATION_BYTES, batch * n_new * n * n_head * ACTIVATION_BYTES
        read = n_keys * cache_size
        parts["scores"].append((2.0 * n_scores * d_score, 0.0, rows * d_score, read * row_score, matrix))
        parts["softmax"].append((float(SOFTMAX_FLOPS * n_scores), 0.0, 0.0, 0.0, 2 * matrix))
        parts["context"].append((2.0 * n_scores * d_context, 0.0, rows * d_context, read * row_context, matrix))
    return tuple(Operation(name, *map(sum, zip(*sizes, strict=True)), bits) for name, sizes in parts.items() if sizes)


def _index(layer: Layer, n_scores: int, n_queries: int, key_size: float) -> tuple[float, ...]:
    """A layer's index: 2 · d_index FLOPs for each of its heads and each pair, and every index key read, of key_size bytes a number."""
    queries = n_queries * layer.n_index * layer.d_index * ACTIVATION_BYTES
    flops = 2.0 * n_scores * layer.n_index * layer.d_index
    return flops, 0.0, queries, key_size * layer.d_index, n_scores * ACTIVATION_BYTES
