"""The parts of a decoder block, and exactly how many learned numbers each one holds.

A config.json gives widths and counts; what else a block contains (biases, norms, a gate in its MLP) is its family's manner, a
`Style`. `Experts` replaces one MLP by many, of which a token visits few. `Latent` replaces keys and values by one short vector
for all heads (multi-head latent attention, DeepSeek-V2, arXiv 2405.04434).
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """What a family's block contains beyond its matrices.

    gated_mlp: three matrices (gate, up, down) instead of two. norm_bias: LayerNorm (scale and shift) instead of RMSNorm.
    n_block_norms: norms in a block. qk_norm: "head" (one scale of d_head for queries, one for keys), "all" (a scale over all
    heads) or "". sinks: one learned score a head that no key owns (gpt-oss). n_position_offset: extra rows of a learned
    position table (OPT: 2), or None where positions are not learned. tied: the head is the embedding table.
    """

    gated_mlp: bool = True
    norm_bias: bool = False
    n_block_norms: int = 2
    qk_norm: str = ""
    qkv_bias: bool = False
    o_bias: bool = False
    mlp_bias: bool = False
    router_bias: bool = False
    head_bias: bool = False
    sinks: bool = False
    n_position_offset: int | None = None
    tied: bool = False


@dataclass(frozen=True)
class Latent:
    """Multi-head latent attention: a token caches `rank + d_rope` numbers a layer, one copy for all heads, keys and values alike.

    d_nope + d_rope is the width of a query; q_rank is the queries' own bottleneck, 0 where there is none.
    """

    rank: int
    d_rope: int
    d_nope: int
    q_rank: int = 0


@dataclass(frozen=True)
class Experts:
    """Mixture of experts: a router picks `n_active` of `n_expert` MLPs of width d_ff for each token.

    d_ff_shared: width of the MLP that every token visits besides (0: none); shared_gate: it has a gate of its own (Qwen2-MoE).
    dense_layers: the layers that keep one ordinary MLP.
    """

    n_expert: int
    n_active: int
    d_ff: int
    d_ff_shared: int = 0
    shared_gate: bool = False
    dense_layers: tuple[int, ...] = ()


def linear_params(d_in: int, d_out: int, bias: bool = False) -> int:
    """A matrix and its bias: d_in · d_out (+ d_out)."""
    return d_in * d_out + d_out * bias


def norm_params(width: int, style: Style) -> int:
    """A scale for each feature; LayerNorm adds a shift."""
    return width * (1 + style.norm_bias)


def attention_params(shape) -> int:
    """q, k, v and output of one layer, with their biases, query/key norms and sinks."""
    style, d = shape.style, shape.d_model
    if shape.latent:
        return _latent_attention_params(shape)
    n_qkv = shape.n_head * shape.d_head + shape.n_kv_head * (shape.d_head + shape.d_v)
    heads_normed = {"": 0, "head": 2, "all": shape.n_head + shape.n_kv_head}[style.qk_norm]
    return (
        linear_params(d, n_qkv, style.qkv_bias)
        + linear_params(shape.n_head * shape.d_v, d, style.o_bias)
        + heads_normed * shape.d_head
        + shape.n_head * style.sinks
    )


def _latent_attention_params(shape) -> int:
    """Down to the latent and up again, for keys and values together, and for queries where they have a bottleneck."""
    latent, d, style = shape.latent, shape.d_model, shape.style
    d_q = shape.n_head * (latent.d_nope + latent.d_rope)
    query = linear_params(d, d_q)
    if latent.q_rank:
        query = linear_params(d, latent.q_rank, style.qkv_bias) + latent.q_rank + linear_params(latent.q_rank, d_q)
    down = linear_params(d, latent.rank + latent.d_rope, style.qkv_bias) + latent.rank
    up = linear_params(latent.rank, shape.n_head * (latent.d_nope + shape.d_v))
    return query + down + up + linear_params(shape.n_head * shape.d_v, d, style.o_bias)


def mlp_params(d_model: int, d_ff: int, style: Style) -> int:
    """up and down, and the gate where there is one: 3 · d_model · d_ff or 2 · d_model · d_ff, and biases."""
    return (1 + style.gated_mlp) * linear_params(d_model, d_ff, style.mlp_bias) + linear_params(d_ff, d_model, style.mlp_bias)


def moe_params(d_model: int, experts: Experts, style: Style, n_visited: float) -> float:
    """`n_visited` experts, the shared one and the router of one layer; all of them with n_visited = n_expert."""
    total = n_visited * mlp_params(d_model, experts.d_ff, style)
    total += linear_params(d_model, experts.n_expert, style.router_bias)
    if experts.d_ff_shared:
        total += mlp_params(d_model, experts.d_ff_shared, style) + d_model * experts.shared_gate
    return total


def experts_visited(experts: Experts, n_tokens: int) -> float:
    """Expected number of different experts that n_tokens visit: n · (1 − (1 − k/n)^T), each token choosing k of n at random.

    One token visits k. Trained routers are not uniform, so a real batch visits somewhat fewer.
    """
    missed = (1 - experts.n_active / experts.n_expert) ** n_tokens
    return experts.n_active if n_tokens == 1 else experts.n_expert * (1 - missed)
