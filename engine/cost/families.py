"""What a config.json leaves unsaid: for each model_type the manner of its blocks and the values its files omit.

Each row was checked by building the family with transformers 5.23 without memory for weights (PyTorch's meta device) and
counting: the sums agree to the last parameter (tests/test_model_shapes.py). A model_type that is not here is read as a Llama.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from engine.cost.blocks import Style


@dataclass(frozen=True)
class Family:
    """The manner of a family's blocks, and what its config.json may omit.

    omitted: field -> the value its configuration class assumes. full_every: one layer in so many sees everything where the file
    names a window but no pattern (0: all layers have the window). window_is_optional: `sliding_window` counts only with
    `use_sliding_window` (Qwen writes a window into files that do not use it). dense_d_ff: d_ff is so many d_model when absent.
    """

    style: Style
    omitted: dict[str, object] = field(default_factory=dict)
    full_every: int = 0
    window_is_optional: bool = False
    dense_d_ff: int = 0


_GPT2 = Style(gated_mlp=False, norm_bias=True, qkv_bias=True, o_bias=True, mlp_bias=True, n_position_offset=0, tied=True)
_NEOX = Style(gated_mlp=False, norm_bias=True, qkv_bias=True, o_bias=True, mlp_bias=True)
_LLAMA, _TIED = Style(), Style(tied=True)
_QWEN3 = Style(qk_norm="head")

_GEMMA3_OMITS = {
    "vocab_size": 262_208, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
    "max_position_embeddings": 131_072, "sliding_window": 4096,
}  # fmt: skip
_GEMMA3 = Family(Style(n_block_norms=4, qk_norm="head", tied=True), _GEMMA3_OMITS, full_every=6)

FAMILIES: dict[str, Family] = {
    "gpt2": Family(_GPT2, dense_d_ff=4),
    "gpt_bigcode": Family(_GPT2, dense_d_ff=4),
    "gpt_neox": Family(_NEOX),
    "opt": Family(Style(**{**vars(_GPT2), "n_position_offset": 2})),
    "falcon": Family(
        Style(gated_mlp=False, norm_bias=True, n_block_norms=1, tied=True),
        {"max_position_embeddings": 2048},
        dense_d_ff=4,
    ),
    "phi": Family(Style(**{**vars(_NEOX), "n_block_norms": 1, "head_bias": True})),
    "starcoder2": Family(Style(**{**vars(_NEOX), "tied": True})),
    "llama": Family(_LLAMA),
    "mistral": Family(_LLAMA, {"sliding_window": 4096}),
    "mixtral": Family(_LLAMA),
    "phi3": Family(_LLAMA),
    "smollm3": Family(_TIED),
    "granite": Family(_LLAMA),
    "olmo2": Family(Style(qk_norm="all")),
    "cohere2": Family(Style(n_block_norms=1, tied=True), {"sliding_window": 4096}, full_every=4),
    "gemma": Family(_TIED, {"head_dim": 256}),
    "gemma2": Family(Style(n_block_norms=4, tied=True), {"head_dim": 256, "sliding_window": 4096}, full_every=2),
    "gemma3": _GEMMA3,
    "gemma3_text": _GEMMA3,
    "qwen2": Family(Style(qkv_bias=True), window_is_optional=True),
    "qwen2_moe": Family(Style(qkv_bias=True), window_is_optional=True),
    "qwen3": Family(_QWEN3, {"head_dim": 128}, window_is_optional=True),
    "qwen3_moe": Family(_QWEN3, window_is_optional=True),
    "gpt_oss": Family(
        Style(qkv_bias=True, o_bias=True, mlp_bias=True, router_bias=True, sinks=True),
        {"head_dim": 64, "sliding_window": 128},
        full_every=2,
    ),
    "deepseek_v2": Family(_LLAMA),
    "deepseek_v3": Family(Style(router_bias=True)),  # e_score_correction_bias, learned without a gradient and kept in the file
}

# Not a decoder whose layers all keep keys and values: the formulas here would be wrong for these, so they are refused by name.
NOT_DECODERS = frozenset({
    "bert", "roberta", "xlm-roberta", "distilbert", "electra", "deberta-v2", "t5", "mt5", "umt5", "bart", "mbart", "pegasus",
    "marian", "whisper", "clip", "siglip", "vit", "wav2vec2", "xlnet",
    "mamba", "mamba2", "falcon_mamba", "rwkv", "recurrent_gemma",
})  # fmt: skip
_RECURRENT = "layers that keep a state instead of keys and values"
# What the formulas would get wrong, by the field that betrays it.
REFUSED_FIELDS = {
    "ssm_cfg": _RECURRENT,
    "mamba_d_state": _RECURRENT,
    "state_size": _RECURRENT,
    "attn_layer_period": _RECURRENT,
    "hybrid_override_pattern": _RECURRENT,
    "layers_block_type": _RECURRENT,
    "linear_num_key_heads": _RECURRENT,
    "attn_type_list": _RECURRENT,
    "num_kv_shared_layers": "layers that use another layer's keys and values",
    "global_head_dim": "heads of different widths in different layers",
    "index_head_dim": "an index of keys kept beside the cache",
    "compress_ratios": "keys and values kept for groups of tokens",
}
