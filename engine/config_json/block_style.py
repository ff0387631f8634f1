"""What a family of models means by a block: the answers that a config.json gives or leaves to its model_type.

A config.json gives widths and counts; what else a block contains (biases, norms, a gate in its MLP) is its family's manner, a
`Style`. `Experts` replaces one MLP by many, of which a token visits few. `Latent` replaces keys and values by one short vector
for all heads (multi-head latent attention, DeepSeek-V2, arXiv 2405.04434). `Layer` says how one layer differs from the others.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Style:
    """What a family's block contains beyond its matrices.

    gated_mlp: three matrices (gate, up, down) instead of two. norm_bias: LayerNorm (scale and shift) instead of RMSNorm.
    norm_scale: norms are learned at all (not in OLMo 1). n_block_norms: norms in a block. last_norm: one before the head.
    qk_norm: "head" (one scale of d_head for queries, one for keys), "head and shift", "all" (a scale over all heads) or "".
    q_gate: a gate as wide as the queries. sinks: one learned score a head that no key owns (gpt-oss). n_position_offset: extra
    rows of a learned position table (OPT: 2), or None where positions are not learned. tied: the head is the embedding table.
    """

    gated_mlp: bool = True
    norm_bias: bool = False
    norm_scale: bool = True
    n_block_norms: int = 2
    last_norm: bool = True
    qk_norm: str = ""
    q_gate: bool = False
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


@dataclass(frozen=True)
class Layer:
    """How one layer differs from the model's ordinary one; a number that is 0 is the model's own.

    kind: "attention"; "state", which keeps a state of constant size instead of keys and values; "borrowed", which asks the keys
    and values of an earlier layer; "none", which has no attention. Some layers have both attention and a state.
    n_state, n_tail: numbers of the state (kept in 32 bits) and of a convolution's last inputs, for each sequence; n_mixer:
    learned numbers that make them. n_cache: caches in the layer. d_index: numbers of an index key that a token keeps besides,
    with which n_index heads score every past token; n_select: tokens that each query chooses by those scores, or by an earlier
    layer's, to read their keys and values alone (DeepSeek sparse attention, DeepSeek-V3.2-Exp); 0 reads all.
    """

    kind: str = "attention"
    n_head: int = 0
    n_kv_head: int = 0
    d_head: int = 0
    d_v: int = 0
    n_state: int = 0
    n_tail: int = 0
    n_mixer: int = 0
    d_index: int = 0
    n_cache: int = 1
    n_index: int = 0
    n_select: int = 0
