"""The parts of a decoder block, and exactly how many learned numbers each one holds."""

from engine.config_json.block_style import Experts, Layer, Style


def linear_params(d_in: int, d_out: int, bias: bool = False) -> int:
    """A matrix and its bias: d_in · d_out (+ d_out)."""
    return d_in * d_out + d_out * bias


def norm_params(width: int, style: Style) -> int:
    """A scale for each feature; LayerNorm adds a shift; OLMo's first models learn neither."""
    return width * (style.norm_scale + style.norm_bias)


def layer_params(shape, layer: Layer) -> int:
    """One layer without its MLP: its norms, its attention if it has one, its index key, and what makes its state if it keeps one."""
    total = shape.style.n_block_norms * norm_params(shape.d_model, shape.style) + layer.n_mixer + shape.d_model * layer.d_index
    return total + (layer.n_cache * attention_params(shape, layer) if layer.kind in ("attention", "borrowed") else 0)


def attention_params(shape, layer: Layer) -> int:
    """q, k, v and output of one layer, with their biases, query/key norms, gate and sinks."""
    style, d = shape.style, shape.d_model
    if shape.latent:
        return _latent_attention_params(shape)
    n_head, n_kv_head, d_head, d_v = heads_of(shape, layer)
    n_q, n_kv = n_head * d_head * (1 + style.q_gate), n_kv_head * (d_head + d_v)
    normed = {"": 0, "head": 2, "head and shift": 4, "all": n_head + n_kv_head}[style.qk_norm]
    return (
        linear_params(d, n_q + n_kv, style.qkv_bias)
        + linear_params(n_head * d_v, d, style.o_bias)
        + normed * d_head
        + n_head * style.sinks
    )


def heads_of(shape, layer: Layer) -> tuple[int, int, int, int]:
    """n_head, n_kv_head, d_head and d_v of one layer."""
    own = layer.n_head, layer.n_kv_head, layer.d_head, layer.d_v  # 0 for those of the model
    n_head, n_kv_head, d_head, d_v = shape.n_head, shape.n_kv_head, shape.d_head, shape.d_v
    return own[0] or n_head, own[1] or n_kv_head, own[2] or d_head, own[3] or d_v


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
