"""Compares what this project reads in a config.json with what transformers builds, for every class of causal language models.

    python -m venv reference && reference/bin/pip install torch==2.13.0 transformers==5.23.0 numpy
    reference/bin/python -m tests.benchmarks.config_classes [--write]

Models are built on PyTorch's meta device, without memory for weights; a forward there gives the shapes of the cache. The job of
its own, not part of the quick tests: it takes some minutes. It prints a line for each class whose default configuration differs,
with the reason out of REASONS, and exits with an error where there is none. --write renews small_configs.json, small members of
each family that the quick tests hold against the reader without transformers.
"""

from __future__ import annotations

import json
import sys
import warnings
from pathlib import Path

import torch
import transformers as tf
from transformers.models.auto.configuration_auto import CONFIG_MAPPING
from transformers.models.auto.modeling_auto import MODEL_FOR_CAUSAL_LM_MAPPING_NAMES

from engine.cost import ModelShape

warnings.filterwarnings("ignore")
tf.logging.set_verbosity_error()
WRITTEN = Path(__file__).parents[1] / "engine" / "config_json" / "small_configs.json"

# Classes that differ, and why. A class that is not here must agree to the last parameter and the last row of its cache.
PICTURES = "the class counts its picture or sound encoder too; here the language model alone is counted, and it is said"
ZERO = "transformers makes gates of experts that do nothing; no checkpoint holds them (560.7 billion are published)"
GROWS = "per-layer embeddings, shared projections or correction layers are not counted: the reader says so"
REASONS = {
    "gemma3": PICTURES, "got_ocr2": PICTURES, "moss_transcribe_diarize": PICTURES, "longcat_flash": ZERO,
    "gemma3n_text": GROWS, "gemma4": GROWS, "gemma4_text": GROWS,
}  # fmt: skip
OTHER_CACHE = {
    "falcon": "transformers copies each key/value head for all its query heads before it keeps them; other engines do not",
    "gpt_neo": "transformers hides what is outside the window and keeps it all the same",
}

BASE = dict(
    num_hidden_layers=4,
    hidden_size=96,
    num_attention_heads=8,
    num_key_value_heads=2,
    intermediate_size=200,
    vocab_size=500,
    max_position_embeddings=64,
    pad_token_id=0,
    bos_token_id=0,
    eos_token_id=0,
)
LATENT = dict(kv_lora_rank=32, q_lora_rank=48, qk_rope_head_dim=8, qk_nope_head_dim=16, v_head_dim=24)
EXPERTS = dict(num_experts_per_tok=2, moe_intermediate_size=48)
MAMBA2 = dict(mamba_n_heads=12, mamba_d_head=16, mamba_n_groups=2, mamba_d_state=8, mamba_d_conv=4, mamba_expand=2)
DELTA = dict(
    linear_num_key_heads=2,
    linear_num_value_heads=4,
    linear_key_head_dim=8,
    linear_value_head_dim=12,
    linear_conv_kernel_dim=4,
    head_dim=16,
)
MIXED = ["sliding_attention", "full_attention"] * 2
SMALL = [
    ("starcoder2", dict(BASE, use_bias=False)),
    ("starcoder2", dict(BASE, tie_word_embeddings=False)),
    ("phi", dict(BASE, qk_layernorm=True)),
    (
        "opt",
        dict(
            num_hidden_layers=2,
            hidden_size=64,
            num_attention_heads=4,
            ffn_dim=128,
            vocab_size=100,
            max_position_embeddings=50,
            enable_bias=False,
        ),
    ),
    (
        "opt",
        dict(
            num_hidden_layers=2,
            hidden_size=64,
            num_attention_heads=4,
            ffn_dim=128,
            vocab_size=100,
            max_position_embeddings=50,
            word_embed_proj_dim=32,
            do_layer_norm_before=False,
        ),
    ),
    (
        "falcon",
        dict(
            num_hidden_layers=2,
            hidden_size=64,
            num_attention_heads=4,
            vocab_size=100,
            new_decoder_architecture=True,
            num_kv_heads=2,
            num_ln_in_parallel_attn=1,
            tie_word_embeddings=False,
        ),
    ),
    ("qwen2_moe", dict(BASE, num_experts=4, num_experts_per_tok=2)),
    (
        "gpt_neo",
        dict(
            num_layers=4,
            hidden_size=64,
            num_heads=4,
            vocab_size=100,
            max_position_embeddings=50,
            attention_types=[[["global", "local"], 2]],
            window_size=16,
        ),
    ),
    ("gptj", dict(n_layer=2, n_embd=64, n_head=4, vocab_size=100, n_positions=50, rotary_dim=8)),
    ("codegen", dict(n_layer=2, n_embd=64, n_head=4, vocab_size=100, n_positions=50, rotary_dim=8)),
    ("bloom", dict(n_layer=2, hidden_size=64, n_head=4, vocab_size=100)),
    ("xglm", dict(num_layers=2, d_model=64, attention_heads=4, ffn_dim=100, vocab_size=100, max_position_embeddings=50)),
    ("mpt", dict(n_layers=2, d_model=64, n_heads=4, vocab_size=100, max_seq_len=50, expansion_ratio=4)),
    (
        "dbrx",
        dict(
            n_layers=2,
            d_model=64,
            n_heads=4,
            vocab_size=100,
            max_seq_len=50,
            attn_config=dict(kv_n_heads=2, clip_qkv=8.0, rope_theta=1e4),
            ffn_config=dict(ffn_hidden_size=48, moe_num_experts=4, moe_top_k=2),
        ),
    ),
    ("stablelm", dict(BASE)),
    ("stablelm", dict(BASE, use_qkv_bias=True, qk_layernorm=True)),
    ("stablelm", dict(BASE, use_parallel_residual=True)),
    ("nemotron", dict(BASE, head_dim=16)),
    ("nemotron", dict(BASE, head_dim=16, attention_bias=True, mlp_bias=True)),
    ("arcee", dict(BASE)),
    ("apertus", dict(BASE)),
    ("cohere", dict(BASE)),
    ("cohere", dict(BASE, use_qk_norm=True, attention_bias=True)),
    ("olmo", dict(BASE)),
    ("olmo3", dict(BASE, sliding_window=8)),
    ("olmoe", dict(BASE, num_experts=4, num_experts_per_tok=2)),
    ("exaone4", dict(BASE, sliding_window=8, sliding_window_pattern=4)),
    (
        "exaone_moe",
        dict(
            BASE,
            **EXPERTS,
            num_experts=4,
            num_shared_experts=1,
            first_k_dense_replace=1,
            sliding_window=8,
            sliding_window_pattern=4,
        ),
    ),
    ("glm", dict(BASE, head_dim=16)),
    ("glm", dict(BASE, head_dim=16, attention_bias=False)),
    ("glm4", dict(BASE, head_dim=16)),
    (
        "glm4_moe",
        dict(
            BASE,
            **EXPERTS,
            head_dim=16,
            n_routed_experts=4,
            n_shared_experts=1,
            first_k_dense_replace=1,
            use_qk_norm=True,
            attention_bias=True,
        ),
    ),
    ("glm4_moe_lite", dict(BASE, **LATENT, **EXPERTS, n_routed_experts=4, n_shared_experts=1, n_group=1, topk_group=1)),
    (
        "glm_moe_dsa",
        dict(
            BASE,
            **LATENT,
            **EXPERTS,
            n_routed_experts=4,
            n_shared_experts=1,
            first_k_dense_replace=1,
            index_head_dim=8,
            index_n_heads=3,
            n_group=1,
            topk_group=1,
        ),
    ),
    ("phimoe", dict(BASE, num_local_experts=4, num_experts_per_tok=2, attention_bias=True, lm_head_bias=True)),
    ("seed_oss", dict(BASE, head_dim=16)),
    ("seed_oss", dict(BASE, head_dim=16, attention_bias=False, attention_out_bias=True)),
    ("internlm3", dict(BASE, qkv_bias=True, bias=True)),
    ("helium", dict(BASE, head_dim=12)),
    ("ministral3", dict(BASE, head_dim=16)),
    ("ernie4_5", dict(BASE, use_bias=True)),
    (
        "ernie4_5_moe",
        dict(
            BASE,
            moe_num_experts=4,
            moe_k=2,
            moe_num_shared_experts=2,
            moe_layer_start_index=1,
            moe_layer_end_index=3,
            moe_intermediate_size=32,
        ),
    ),
    ("granitemoe", dict(BASE, num_local_experts=4, num_experts_per_tok=2, attention_bias=True)),
    ("granitemoeshared", dict(BASE, num_local_experts=4, num_experts_per_tok=2, shared_intermediate_size=40)),
    ("granite_swa", dict(BASE, layer_types=MIXED, sliding_window=8)),
    ("granitemoe_swa", dict(BASE, layer_types=MIXED, sliding_window=8, num_local_experts=4, num_experts_per_tok=2)),
    ("cohere2_moe", dict(BASE, num_experts=4, num_experts_per_tok=2, sliding_window=8, layer_types=MIXED)),
    ("flex_olmo", dict(BASE, num_experts=4, num_experts_per_tok=2)),
    ("cwm", dict(BASE, head_dim=16, sliding_window=8, layer_types=MIXED)),
    ("iquestcoder", dict(BASE)),
    ("solar_open", dict(BASE, **EXPERTS, head_dim=16, n_routed_experts=4, n_shared_experts=1, n_group=1, topk_group=1)),
    ("hy_v3", dict(BASE, **EXPERTS, head_dim=16, num_experts=4, num_shared_experts=1)),
    ("minimax_m2", dict(BASE, head_dim=16, num_local_experts=4, num_experts_per_tok=2)),
    ("vaultgemma", dict(BASE, sliding_window=8)),
    (
        "llama4_text",
        dict(
            BASE,
            head_dim=16,
            num_local_experts=4,
            num_experts_per_tok=1,
            interleave_moe_layer_step=2,
            intermediate_size_mlp=300,
            attention_chunk_size=8,
        ),
    ),
    ("minicpm3", dict(BASE, **LATENT)),
    ("youtu", dict(BASE, **LATENT)),
    (
        "deepseek_v32",
        dict(
            BASE,
            **LATENT,
            **EXPERTS,
            n_routed_experts=4,
            n_shared_experts=1,
            first_k_dense_replace=1,
            index_head_dim=8,
            index_n_heads=3,
            n_group=1,
            topk_group=1,
        ),
    ),
    (
        "longcat_flash",
        dict(
            num_layers=2,
            hidden_size=96,
            num_attention_heads=8,
            ffn_hidden_size=200,
            expert_ffn_hidden_size=48,
            vocab_size=500,
            max_position_embeddings=64,
            n_routed_experts=4,
            zero_expert_num=2,
            moe_topk=3,
            **LATENT,
        ),
    ),
    (
        "mimo_v2_flash",
        dict(
            BASE,
            **EXPERTS,
            head_dim=16,
            v_head_dim=8,
            n_routed_experts=4,
            sliding_window=8,
            layer_types=["full_attention"] + ["sliding_attention"] * 3,
            mlp_layer_types=["dense"] + ["sparse"] * 3,
            n_group=1,
            topk_group=1,
        ),
    ),
    ("qwen3_next", dict(BASE, **DELTA, **EXPERTS, num_experts=4, shared_expert_intermediate_size=60)),
    ("qwen3_5_text", dict(BASE, **DELTA)),
    ("qwen3_5_moe_text", dict(BASE, **DELTA, **EXPERTS, num_experts=4, shared_expert_intermediate_size=60)),
    (
        "jamba",
        dict(
            BASE,
            num_experts=4,
            num_experts_per_tok=2,
            attn_layer_period=4,
            attn_layer_offset=2,
            expert_layer_period=2,
            expert_layer_offset=1,
            mamba_d_state=8,
            mamba_dt_rank=6,
        ),
    ),
    (
        "granitemoehybrid",
        dict(
            BASE,
            **MAMBA2,
            num_local_experts=4,
            num_experts_per_tok=2,
            shared_intermediate_size=40,
            layer_types=["mamba", "attention", "mamba", "mamba"],
        ),
    ),
    (
        "granitemoehybrid",
        dict(
            BASE, **MAMBA2, num_local_experts=0, shared_intermediate_size=40, layer_types=["mamba", "attention", "mamba", "mamba"]
        ),
    ),
    ("bamba", dict(BASE, **MAMBA2, attn_layer_indices=[1])),
    ("falcon_h1", dict(BASE, **MAMBA2, mamba_d_ssm=192, head_dim=16)),
    (
        "kimi_linear",
        dict(
            BASE,
            kv_lora_rank=32,
            qk_rope_head_dim=8,
            qk_nope_head_dim=16,
            v_head_dim=24,
            moe_intermediate_size=48,
            num_experts=4,
            num_experts_per_token=2,
            num_shared_experts=1,
            first_k_dense_replace=1,
            linear_attn_config=dict(
                full_attn_layers=[4], kda_layers=[1, 2, 3], head_dim=16, num_heads=8, short_conv_kernel_size=4
            ),
        ),
    ),
    (
        "minimax",
        dict(
            BASE, num_local_experts=4, num_experts_per_tok=2, head_dim=16, layer_types=["full_attention", "linear_attention"] * 2
        ),
    ),
    ("lfm2", dict(BASE, full_attn_idxs=[1, 3], conv_L_cache=3)),
    ("lfm2", dict(BASE, layer_types=["conv", "full_attention"] * 2, conv_L_cache=3, block_auto_adjust_ff_dim=False)),
    ("ministral", dict(BASE, head_dim=16, sliding_window=8, layer_types=MIXED)),
    ("hyperclovax", dict(BASE)),
    (
        "gemma3n_text",
        dict(
            BASE,
            head_dim=16,
            num_kv_shared_layers=2,
            sliding_window=8,
            layer_types=MIXED,
            laurel_rank=8,
            hidden_size_per_layer_input=8,
            vocab_size_per_layer_input=100,
        ),
    ),
    (
        "gemma4_text",
        dict(
            BASE,
            head_dim=16,
            global_head_dim=32,
            num_global_key_value_heads=1,
            attention_k_eq_v=True,
            sliding_window=8,
            layer_types=MIXED,
        ),
    ),
    ("qwen2", dict(BASE, num_hidden_layers=30, use_sliding_window=True, sliding_window=8)),
    (
        "qwen2_moe",
        dict(BASE, num_experts=4, num_experts_per_tok=2, use_sliding_window=True, sliding_window=8, max_window_layers=3),
    ),
    ("smollm3", dict(BASE, use_sliding_window=True, sliding_window=8, no_rope_layer_interval=2)),
]


def built(kind: str, options: dict | None = None) -> dict:
    """Parameters of a class and the shapes of its cache, as transformers makes them; "error" where it cannot be built."""
    found: dict = {}
    try:
        config = CONFIG_MAPPING[kind](**json.loads(json.dumps(options or {})))
        found["config"] = json.loads(json.dumps(config.to_dict(), default=str))
        with torch.device("meta"):
            model = tf.AutoModelForCausalLM.from_config(config).eval()
        found["n_params"] = sum(p.numel() for p in model.parameters())
        biases = (b for name, b in model.named_buffers() if name.endswith("e_score_correction_bias"))
        found["n_router_biases"] = sum(b.numel() for b in biases)  # buffers to transformers, learned and kept in the files
    except Exception as error:
        return found | {"error": repr(error)[:120]}
    found["cache"] = cache_rows(model)
    return found


def cache_rows(model) -> list | None:
    """For each layer (heads, width) of its keys and of its values, and its window; None where no forward runs without memory."""
    try:
        with torch.no_grad():
            ids = torch.ones(1, 5, dtype=torch.long, device="meta")
            kept = model.to(torch.bfloat16)(input_ids=ids, use_cache=True).past_key_values.layers
    except Exception:
        return None
    rows = []
    for layer in kept:
        keys, values = getattr(layer, "keys", None), getattr(layer, "values", None)
        shapes = [list(x.shape)[1::2] if torch.is_tensor(x) else None for x in (keys, values)]
        index = getattr(layer, "indexer_keys", None)  # DeepSeek-V3.2's, one more row of keys
        if torch.is_tensor(index) and shapes[0]:
            shapes[0] = [1, shapes[0][0] * shapes[0][1] + index.shape[-1]]
        rows.append([*shapes, getattr(layer, "sliding_window", None)])
    return rows


def difference(kind: str, found: dict, config: dict) -> str:
    """What differs between the reader and the class, "" if nothing; a refusal and a doubt are answers, not differences."""
    try:
        shape = ModelShape.from_config(config)
    except ValueError as refusal:
        return f"refused: {refusal}"
    text = ""
    gap = shape.n_params - found["n_params"] - (found["n_router_biases"] if gap_counts(shape) else 0)
    if gap and not shape.doubt:
        text = f"{gap:+,} parameters"
    elif gap:
        text = f"in doubt: {shape.doubt}"
    if found["cache"]:
        held = [(k[0] * k[1] + v[0] * v[1], w or 0) if k else (0, 0) for k, v, w in found["cache"]]
        held += [(0, 0)] * (shape.n_layer - len(held))
        got = [(row, window if row else 0) for row, window in zip(shape.kv_rows, shape.windows, strict=True)]
        text += "" if got == held else f" cache {got[:3]} … and not {held[:3]} …"
    return text.strip()


def gap_counts(shape: ModelShape) -> bool:
    """Whether the reader counts the biases of routers."""
    return shape.style.router_bias and shape.experts is not None


def main() -> int:
    torch.set_num_threads(1)
    if "--write" in sys.argv:
        lines = []
        for kind, options in SMALL:
            found = built(kind, options)
            config = {k: v for k, v in options.items() if not k.endswith("_token_id")}
            entry = {"config": {"model_type": kind, **config}} | {k: found[k] for k in ("n_params", "n_router_biases", "cache")}
            lines.append(json.dumps(entry, separators=(",", ":")))
        WRITTEN.write_text("[\n" + ",\n".join(lines) + "\n]\n", "utf-8")
    unexplained = equal = 0
    for kind in sorted(MODEL_FOR_CAUSAL_LM_MAPPING_NAMES):
        found = built(kind)
        if "error" in found:
            print(f"{kind}: its default cannot be built: {found['error']}")
            continue
        text = difference(kind, found, found["config"])
        equal += not text
        known = REASONS.get(kind) or OTHER_CACHE.get(kind) or text.startswith(("refused", "in doubt"))
        unexplained += bool(text) and not known
        if text:
            print(
                f"{kind}: {text}"
                + (f" ({REASONS.get(kind) or OTHER_CACHE.get(kind, '')})" if not isinstance(known, bool) else "")
            )
    print(f"{equal} classes agree, {unexplained} differ without a reason")
    return int(unexplained > 0)


if __name__ == "__main__":
    sys.exit(main())
