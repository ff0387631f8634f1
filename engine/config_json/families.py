"""What a config.json leaves unsaid: for each model_type the manner of its blocks and the values its files omit.

Each row was checked by building the family with transformers 5.23 without memory for weights (PyTorch's meta device) and
counting: the sums agree to the last parameter (tests/fixtures/make_config_classes.py, and tests/engine/config_json for those
without a class there). A model_type that is not here has its KV bytes read all the same, but no count of parameters that
anybody should trust.
"""

from dataclasses import dataclass, field

from engine.config_json.block_style import Style


@dataclass(frozen=True)
class Family:
    """The manner of a family's blocks, and what its config.json may omit.

    omitted: field -> the value its configuration class assumes. dense_d_ff: d_ff is so many d_model when absent.
    windows: which layers have the window that a file states (engine.config_json.windows): "never" whatever it states, "all",
    "pattern" (all but every full_every-th, 0 for all; or as the file lists them), "chunked" (layers with rotary positions), and
    the "switched" ones, which count only with `use_sliding_window`: "switched from" and "switched before" layer
    `max_window_layers`, "switched all", and "switched unturned" (layers without rotary positions).
    switches: field -> the parts of the style that it switches, where the file has it; "qk_norm=all" switches to a value.
    exact: whether the parameters are counted to the last one.
    """

    style: Style
    omitted: dict[str, object] = field(default_factory=dict)
    full_every: int = 0
    windows: str = "never"
    dense_d_ff: int = 0
    switches: dict[str, tuple[str, ...]] = field(default_factory=lambda: LLAMA_SWITCHES)
    exact: bool = True


LLAMA_SWITCHES = {"attention_bias": ("qkv_bias", "o_bias"), "mlp_bias": ("mlp_bias",)}
UNKNOWN = Family(Style(), windows="pattern", exact=False)  # heeds whatever a file states

_BIASES = ("qkv_bias", "o_bias", "mlp_bias")
_FIXED: dict[str, tuple[str, ...]] = {}  # no field switches anything
_QKV = {"attention_bias": ("qkv_bias",)}
_ATTENTION = {"attention_bias": ("qkv_bias", "o_bias")}
_GPT2 = Style(gated_mlp=False, norm_bias=True, qkv_bias=True, o_bias=True, mlp_bias=True, n_position_offset=0, tied=True)
_OPT = Style(**{**vars(_GPT2), "n_position_offset": 2})
_NEOX = Style(gated_mlp=False, norm_bias=True, qkv_bias=True, o_bias=True, mlp_bias=True)
_GPTJ = Style(gated_mlp=False, norm_bias=True, n_block_norms=1, mlp_bias=True, head_bias=True)
_LLAMA, _TIED, _UNGATED = Style(), Style(tied=True), Style(gated_mlp=False)
_QWEN3, _HEAD_NORMS, _ALL_NORMS = Style(qk_norm="head"), Style(qk_norm="head"), Style(qk_norm="all")
_ROUTED = Style(router_bias=True)  # e_score_correction_bias, learned without a gradient and kept in the file
_COHERE = Style(n_block_norms=1, tied=True)
_HEAD_128, _ONE_DENSE, _THREE_DENSE = {"head_dim": 128}, {"first_k_dense_replace": 1}, {"first_k_dense_replace": 3}
_CHOOSES = {"index_topk": 2048}
_DELTA = Style(qk_norm="head", q_gate=True)

_GEMMA3_OMITS = {
    "vocab_size": 262_208, "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 256,
    "max_position_embeddings": 131_072, "sliding_window": 4096,
}  # fmt: skip
_GEMMA3 = Family(Style(n_block_norms=4, qk_norm="head", tied=True), _GEMMA3_OMITS, full_every=6, windows="pattern")
_GEMMA3N = Family(_TIED, {"head_dim": 256, "sliding_window": 512}, full_every=5, windows="pattern", exact=False)
_GEMMA4 = Family(
    _TIED, {"head_dim": 256, "global_head_dim": 512, "sliding_window": 512}, full_every=6, windows="pattern", exact=False
)
_QWEN2_MOE = {
    "sliding_window": 4096, "num_experts": 60, "num_experts_per_tok": 4, "moe_intermediate_size": 1408,
    "shared_expert_intermediate_size": 5632,
}  # fmt: skip
_LLAMA4 = Family(
    _LLAMA, {"attention_chunk_size": 8192, "head_dim": 128, "num_experts_per_tok": 1, "intermediate_size_mlp": 16_384},
    windows="chunked", switches=_ATTENTION,
)  # fmt: skip
_QWEN3_5 = Family(_DELTA, {"head_dim": 256}, switches=_ATTENTION)
_DEEPSEEK_V2 = {"n_routed_experts": 64, "n_shared_experts": 2, "num_experts_per_tok": 6}

FAMILIES: dict[str, Family] = {
    # learned, sinusoidal or linear positions, and early rotary ones
    "gpt2": Family(_GPT2, {"n_positions": 1024}, dense_d_ff=4, switches=_FIXED),
    "gpt_bigcode": Family(_GPT2, {"n_positions": 1024}, dense_d_ff=4, switches=_FIXED),
    "gpt_neo": Family(
        Style(**{**vars(_GPT2), "qkv_bias": False}), {"max_position_embeddings": 2048, "window_size": 256}, dense_d_ff=4,
        windows="neo", switches=_FIXED,
    ),
    "gpt_neox": Family(_NEOX, switches={"attention_bias": ("qkv_bias", "o_bias")}),
    "gptj": Family(_GPTJ, dense_d_ff=4, switches=_FIXED),
    "codegen": Family(_GPTJ, dense_d_ff=4, switches=_FIXED),
    "bloom": Family(Style(**{**vars(_NEOX), "tied": True}), dense_d_ff=4, switches=_FIXED),
    "opt": Family(_OPT, {"max_position_embeddings": 2048}, switches={"enable_bias": _BIASES}),
    "xglm": Family(Style(**{**vars(_NEOX), "tied": True}), switches=_FIXED),
    "mpt": Family(Style(gated_mlp=False, tied=True), {"expansion_ratio": 4}, switches=_FIXED),
    "falcon": Family(
        Style(gated_mlp=False, norm_bias=True, n_block_norms=1, tied=True), {"max_position_embeddings": 2048}, dense_d_ff=4,
        switches={"bias": _BIASES},
    ),
    "phi": Family(
        Style(**{**vars(_NEOX), "n_block_norms": 1, "head_bias": True}), switches={"qk_layernorm": ("qk_norm=head and shift",)}
    ),
    "starcoder2": Family(Style(**{**vars(_NEOX), "tied": True}), windows="all", switches={"use_bias": _BIASES}),
    "stablelm": Family(Style(norm_bias=True), switches={"use_qkv_bias": ("qkv_bias",)}),
    "nemotron": Family(Style(gated_mlp=False, norm_bias=True)),
    # Llama and what differs from it in a few places
    "llama": Family(_LLAMA),
    "mistral": Family(_LLAMA, {"sliding_window": 4096}, windows="all", switches=_FIXED),
    "mixtral": Family(_LLAMA, windows="all", switches=_FIXED),
    "ministral": Family(_LLAMA, {"sliding_window": 4096}, windows="pattern", switches=_FIXED),
    "ministral3": Family(_LLAMA, _HEAD_128, windows="all", switches=_FIXED),
    "phi3": Family(_LLAMA, windows="all", switches=_FIXED),
    "phimoe": Family(Style(norm_bias=True), windows="all", switches=_ATTENTION | {"lm_head_bias": ("head_bias",)}),
    "smollm3": Family(_TIED, windows="switched unturned"),
    "granite": Family(_LLAMA),
    "granitemoe": Family(_LLAMA, switches=_ATTENTION),
    "granitemoeshared": Family(_LLAMA, switches=_ATTENTION),
    "arcee": Family(_UNGATED),
    "apertus": Family(Style(gated_mlp=False, qk_norm="head"), switches=_ATTENTION),
    "baichuan": Family(_LLAMA, switches=_FIXED),
    "internlm3": Family(_LLAMA, _HEAD_128, switches={"qkv_bias": ("qkv_bias",), "bias": ("o_bias", "mlp_bias")}),
    "helium": Family(_LLAMA, _HEAD_128),
    "seed_oss": Family(
        Style(qkv_bias=True), _HEAD_128,
        switches={"attention_bias": ("qkv_bias",), "attention_out_bias": ("o_bias",), "mlp_bias": ("mlp_bias",)},
    ),
    "ernie4_5": Family(_TIED, _HEAD_128, switches={"use_bias": _BIASES}),
    "ernie4_5_moe": Family(
        Style(router_bias=True, tied=True), {"moe_layer_start_index": 1, "moe_num_shared_experts": 2},
        switches={"use_bias": _BIASES},),
    "hyperclovax": Family(_LLAMA),
    "olmo": Family(Style(norm_scale=False), switches=_ATTENTION),
    "olmo2": Family(_ALL_NORMS, switches=_ATTENTION),
    "olmo3": Family(_ALL_NORMS, {"sliding_window": 4096}, full_every=4, windows="pattern", switches=_ATTENTION),
    "olmoe": Family(_ALL_NORMS, switches=_ATTENTION),
    "cohere": Family(_COHERE, switches=_ATTENTION | {"use_qk_norm": ("qk_norm=all",)}),
    "cohere2": Family(_COHERE, {"sliding_window": 4096}, full_every=4, windows="pattern", switches=_ATTENTION),
    "exaone4": Family(_HEAD_NORMS, {"sliding_window": 4096}, full_every=4, windows="pattern", switches=_FIXED),
    "glm": Family(Style(qkv_bias=True), {"head_dim": 128}, switches=_QKV),
    "glm4": Family(Style(qkv_bias=True, n_block_norms=4), {"head_dim": 128}, switches=_QKV),
    "glm4_moe": Family(_ROUTED, _ONE_DENSE, switches=_QKV | {"use_qk_norm": ("qk_norm=head",)}),
    "chatglm": Family(Style(qkv_bias=True), switches={"add_qkv_bias": ("qkv_bias",), "add_bias_linear": ("o_bias", "mlp_bias")}),
    "cohere2_moe": Family(_COHERE, _HEAD_128 | {"sliding_window": 4096}, full_every=4, windows="pattern", switches=_ATTENTION),
    "exaone_moe": Family(
        Style(qk_norm="head", router_bias=True), _ONE_DENSE | {"sliding_window": 4096}, full_every=4, windows="pattern",
        switches=_FIXED,
    ),
    "flex_olmo": Family(_ALL_NORMS, switches=_ATTENTION),
    "afmoe": Family(_LLAMA, _HEAD_128 | {"sliding_window": 1024}, full_every=4, windows="pattern", exact=False),
    "granite_swa": Family(Style(sinks=True, tied=True), {"sliding_window": 128}, windows="pattern"),
    "granitemoe_swa": Family(Style(sinks=True), {"sliding_window": 128}, windows="pattern", switches=_ATTENTION),
    "cwm": Family(_LLAMA, _HEAD_128 | {"sliding_window": 8192}, windows="pattern"),
    "iquestcoder": Family(_LLAMA, _HEAD_128),
    "solar_open": Family(_ROUTED, _HEAD_128 | {"n_shared_experts": 1}),
    "hy_v3": Family(Style(qk_norm="head", router_bias=True), _HEAD_128 | _ONE_DENSE),
    "dbrx": Family(_LLAMA, switches=_FIXED),
    "minimax_m2": Family(Style(qk_norm="all", router_bias=True), _HEAD_128, switches=_FIXED),
    "gpt_oss": Family(
        Style(qkv_bias=True, o_bias=True, mlp_bias=True, router_bias=True, sinks=True), {"head_dim": 64, "sliding_window": 128},
        full_every=2, windows="pattern", switches=_ATTENTION,
    ),
    "llama4": _LLAMA4,
    "llama4_text": _LLAMA4,
    # Gemma and Qwen
    "gemma": Family(_TIED, {"head_dim": 256}, switches=_ATTENTION),
    "gemma2": Family(
        Style(n_block_norms=4, tied=True), {"head_dim": 256, "sliding_window": 4096}, full_every=2, windows="pattern",
        switches=_ATTENTION,
    ),
    "gemma3": _GEMMA3,
    "gemma3_text": _GEMMA3,
    "vaultgemma": Family(_TIED, {"head_dim": 256, "sliding_window": 4096}, full_every=2, windows="pattern", switches=_ATTENTION),
    # embeddings for each layer and borrowed caches: their caches are exact, their parameters are not
    "gemma3n": _GEMMA3N,
    "gemma3n_text": _GEMMA3N,
    "gemma4": _GEMMA4,
    "gemma4_text": _GEMMA4,
    "qwen": Family(Style(qkv_bias=True), switches={"no_bias": ()}),
    "qwen2": Family(Style(qkv_bias=True), {"sliding_window": 4096}, windows="switched from", switches=_FIXED),
    "qwen2_moe": Family(Style(qkv_bias=True), _QWEN2_MOE, windows="switched before", switches={"qkv_bias": ("qkv_bias",)}),
    "qwen3": Family(_QWEN3, {"head_dim": 128, "sliding_window": 4096}, windows="switched from", switches=_ATTENTION),
    "qwen3_moe": Family(_QWEN3, {"sliding_window": 4096}, windows="switched all", switches=_ATTENTION),
    # latents
    "deepseek_v2": Family(_LLAMA, _DEEPSEEK_V2, switches=_ATTENTION),
    "deepseek_v3": Family(_ROUTED, _THREE_DENSE, switches=_ATTENTION),
    "deepseek_v32": Family(_ROUTED, _THREE_DENSE | _CHOOSES, switches=_ATTENTION),
    "kimi_k2": Family(_ROUTED, switches=_ATTENTION),
    "glm4_moe_lite": Family(_ROUTED, _ONE_DENSE, switches=_ATTENTION),
    "glm_moe_dsa": Family(_ROUTED, _THREE_DENSE | _CHOOSES, switches=_ATTENTION),
    "minicpm3": Family(_TIED, switches=_ATTENTION),
    "youtu": Family(_TIED),
    "longcat_flash": Family(Style(router_bias=True, n_block_norms=4), switches=_ATTENTION),
    "mimo_v2_flash": Family(Style(router_bias=True), windows="pattern", switches=_ATTENTION),
    # attention in some layers, a state of constant size in the others
    "qwen3_next": _QWEN3_5,
    "qwen3_5": _QWEN3_5,
    "qwen3_5_text": _QWEN3_5,
    "qwen3_5_moe": _QWEN3_5,
    "qwen3_5_moe_text": _QWEN3_5,
    "jamba": Family(_LLAMA, {"num_experts": 16, "num_experts_per_tok": 2}, switches=_FIXED),
    "granitemoehybrid": Family(_LLAMA, switches=_ATTENTION),
    "bamba": Family(_LLAMA),
    "falcon_h1": Family(_LLAMA),
    "kimi_linear": Family(_ROUTED, switches=_FIXED),
    "minimax": Family(_LLAMA, switches=_FIXED),
    "lfm2": Family(Style(qk_norm="head", tied=True), switches=_FIXED),
}  # fmt: skip
FAMILIES["kimi_k25"], FAMILIES["minimax_text_01"] = FAMILIES["kimi_k2"], FAMILIES["minimax"]
