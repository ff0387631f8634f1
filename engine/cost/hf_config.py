"""Read a Hugging Face config.json: which numbers it states, which it leaves to its family, and which windows its layers have.

Pasted by strangers, so every field is checked for kind and size before it is used, and the answer tells what was understood and
what was assumed. Old and new spellings are read alike: `n_embd` and `hidden_size`, `rope_scaling` and `rope_parameters`,
`sliding_window_pattern` and `layer_types`. Anything else than a decoder made of attention layers is refused by name.
"""

from __future__ import annotations

from dataclasses import replace

from engine.cost.blocks import Experts, Latent, Style
from engine.cost.families import FAMILIES, NOT_DECODERS, REFUSED_FIELDS, Family
from engine.cost.hf_fields import LIMITS, Fields, show

_NESTED = ("text_config", "llm_config", "language_config")
# Families whose blocks do not heed `attention_bias`, whatever the file says.
_NO_BIAS_SWITCH = frozenset({
    "gpt2", "gpt_bigcode", "opt", "falcon", "phi", "phi3", "starcoder2", "mixtral", "qwen2", "qwen2_moe",
})  # fmt: skip
_LAYER_KINDS = {"full_attention": None, "sliding_attention": "sliding_window", "chunked_attention": "attention_chunk_size"}


def read(config: dict, name: str = "") -> dict:
    """The arguments of ModelShape that a config.json states or implies. ValueError names the field, what was expected and got."""
    file = Fields(_text_part(config))
    kind = file.text("model_type")
    if kind in NOT_DECODERS or file.flag("is_encoder_decoder", False):
        raise ValueError(f"model_type: expected a decoder-only language model, got {kind or 'an encoder and a decoder'}")
    for field, reason in REFUSED_FIELDS.items():
        if file.raw(field):
            raise ValueError(f"{field}: expected layers that all keep keys and values of their own, got {reason}")
    family = FAMILIES.get(kind) or Family(Style())
    file.omitted = family.omitted
    if kind in FAMILIES:
        file.understood.append(f"Read as {kind}.")
    else:
        file.assumed.append(f"model_type {show(kind)} is not known here: read as a Llama block (gated MLP, RMSNorm, no biases).")
    n_layer = file.count("n_layer", "num_hidden_layers", "n_layer", "n_layers", "num_layers")
    shape = dict(name=name or file.text("_name_or_path") or kind or "model", n_layer=n_layer, **_widths(file, family))
    shape["n_vocab"] = file.count("n_vocab", "vocab_size")
    shape["n_ctx"] = _n_ctx(file)
    shape |= _latent(file) or _heads(file, shape["n_head"], shape["d_model"], kind)
    shape["experts"] = _experts(file, n_layer, shape["d_ff"])
    shape["windows"] = _windows(file, n_layer, family)
    shape["style"] = _style(file, family, kind)
    file.understood.insert(0, f"{n_layer} layers of width {shape['d_model']:,}, {shape['n_vocab']:,} words.")
    _other_notes(file, config)
    return shape | {"understood": tuple(file.understood), "assumed": tuple(file.assumed)}


def _text_part(config: dict) -> dict:
    """The language model's own part of a multimodal file, which lies one level down."""
    if not isinstance(config, dict):
        raise ValueError(f"config: expected a JSON object {{…}}, got {show(config)}")
    inner = next((config[name] for name in _NESTED if config.get(name) is not None), None)
    if inner is None:
        return config
    if not isinstance(inner, dict):
        raise ValueError(f"text_config: expected an object, got {show(inner)}")
    # Some files state these outside the language model's part; what the part itself states wins.
    outer = {k: config[k] for k in ("model_type", "tie_word_embeddings", "quantization_config") if k in config}
    return outer | inner


def _widths(file: Fields, family: Family) -> dict:
    d_model = file.count("d_model", "hidden_size", "n_embd", "d_model")
    default = family.dense_d_ff * d_model or None
    names = ("intermediate_size", "ffn_dim", "n_inner", "ffn_hidden_size", "d_ff")
    if file.raw(*names) is None and default:
        file.assumed.append(f"{names[0]} is not in the file: {family.dense_d_ff} · {d_model:,} = {default:,}.")
    n_head = file.count("n_head", "num_attention_heads", "n_head", "n_heads")
    return dict(d_model=d_model, n_head=n_head, d_ff=file.count("d_ff", *names, default=default))


def _n_ctx(file: Fields) -> int:
    """max_position_embeddings; how the rotary angles are scaled, old or new spelling, is told and changes no byte."""
    rope = file.raw("rope_parameters", "rope_scaling") or {}
    if not isinstance(rope, dict):
        raise ValueError(f"rope_parameters: expected an object, got {show(rope)}")
    rope = rope.get("full_attention", rope) if isinstance(rope.get("full_attention", rope), dict) else rope
    theta = rope.get("rope_theta") if rope.get("rope_theta") is not None else file.raw("rope_theta")
    scaling = rope.get("rope_type") or rope.get("type")
    if theta is not None:
        file.understood.append(f"Rotary positions, base {file.number('rope_theta', theta):,.0f}.")
    if isinstance(scaling, str) and scaling != "default":
        factor = rope.get("factor")
        by = f" by {file.number('rope factor', factor):g}" if factor is not None else ""
        file.understood.append(f"Positions are stretched{by} ({scaling[:20]}).")
    return file.count("n_ctx", "max_position_embeddings", "n_positions", "n_ctx", "seq_length", "max_sequence_length")


def _heads(file: Fields, n_head: int, d_model: int, kind: str) -> dict:
    """Key/value heads and their width. Falcon and GPT-BigCode say "multi_query" where others give a number."""
    n_kv_head = _n_kv_head(file, n_head, kind)
    if n_head % n_kv_head:
        raise ValueError(f"num_key_value_heads: expected a divisor of the {n_head} query heads, got {n_kv_head}")
    if file.raw("head_dim") is None and file.implied("head_dim") is None:
        if d_model % n_head:
            raise ValueError(f"head_dim: expected it in the file, since {d_model} / {n_head} is not whole")
        d_head = d_model // n_head
        if d_head > LIMITS["d_head"]:
            raise ValueError(f"head_dim: expected at most {LIMITS['d_head']:,}, got {d_model:,} / {n_head:,} = {d_head:,}")
        file.assumed.append(f"head_dim is not in the file: hidden_size / heads = {d_model:,} / {n_head} = {d_head}.")
    else:
        d_head = file.count("d_head", "head_dim")
    file.understood.append(f"{n_head} query heads share {n_kv_head} key/value heads of width {d_head}.")
    return dict(n_kv_head=n_kv_head, d_head=d_head)


def _n_kv_head(file: Fields, n_head: int, kind: str) -> int:
    if kind == "gpt_bigcode" or (kind == "falcon" and not file.flag("new_decoder_architecture", False)):
        return 1 if file.flag("multi_query", True) else n_head
    names = ("num_key_value_heads", "num_kv_heads", "n_kv_heads", "multi_query_group_num")
    if file.raw(*names) is None and file.implied(*names) is None:
        file.assumed.append(f"num_key_value_heads is not in the file: every one of the {n_head} query heads has its own.")
    return file.count("n_head", *names, default=n_head)


def _latent(file: Fields) -> dict | None:
    if file.raw("kv_lora_rank") is None:
        return None
    rank, d_rope = file.count("rank", "kv_lora_rank"), file.count("d_head", "qk_rope_head_dim")
    d_nope, d_v = file.count("d_head", "qk_nope_head_dim"), file.count("d_head", "v_head_dim")
    q_rank = file.count("rank", "q_lora_rank", default=0, least=0)
    file.understood.append(f"Latent attention: a token caches {rank} + {d_rope} numbers a layer, for all heads together.")
    latent = Latent(rank, d_rope, d_nope, q_rank)
    n_head = file.count("n_head", "num_attention_heads", "n_head", "n_heads")
    return dict(n_kv_head=n_head, d_head=d_nope + d_rope, d_v=d_v, latent=latent)


def _experts(file: Fields, n_layer: int, d_ff: int) -> Experts | None:
    n_expert = file.count("n_expert", "num_local_experts", "num_experts", "n_routed_experts", default=0, least=0)
    if n_expert <= 1:
        return None
    n_active = file.count("n_expert", "num_experts_per_tok", "experts_per_token", "moe_topk")
    if n_active > n_expert:
        raise ValueError(f"num_experts_per_tok: expected at most {n_expert}, got {n_active}")
    d_expert = file.count("d_ff", "moe_intermediate_size", default=d_ff)
    d_shared = file.count("n_expert", "n_shared_experts", default=0, least=0) * d_expert
    gated = file.raw("shared_expert_intermediate_size") is not None
    d_shared = file.count("d_ff", "shared_expert_intermediate_size", default=d_shared, least=0)
    dense = _dense_layers(file, n_layer)
    file.understood.append(f"Each token visits {n_active} of {n_expert} experts; {len(dense)} layers have an ordinary MLP.")
    return Experts(n_expert, n_active, d_expert, d_shared, gated and d_shared > 0, dense)


def _dense_layers(file: Fields, n_layer: int) -> tuple[int, ...]:
    """DeepSeek: the first k, then all but every freq-th. Qwen: all but every step-th, and those listed."""
    first = file.count("n_layer", "first_k_dense_replace", default=0, least=0)
    every = file.count("n_layer", "moe_layer_freq", default=1)
    step = file.count("n_layer", "decoder_sparse_step", default=1)
    listed = file.raw("mlp_only_layers") or []
    if not isinstance(listed, list) or not all(type(i) is int for i in listed):
        raise ValueError(f"mlp_only_layers: expected a list of layer numbers, got {show(listed)}")
    sparse = {i for i in range(n_layer) if i >= first and i % every == 0 and (i + 1) % step == 0} - set(listed)
    return tuple(i for i in range(n_layer) if i not in sparse)


def _windows(file: Fields, n_layer: int, family: Family) -> tuple[int, ...]:
    """How far back each layer looks, 0 for all the way."""
    kinds = file.raw("layer_types")
    if kinds is not None:
        return _listed_windows(file, kinds, n_layer)
    if not file.flag("use_sliding_window", not family.window_is_optional):
        if file.raw("sliding_window") is not None:
            file.understood.append("sliding_window is in the file but not in use.")
        return (0,) * n_layer
    if file.raw("sliding_window") is None and file.implied("sliding_window") is None:
        return (0,) * n_layer
    window = file.count("n_ctx", "sliding_window")
    every = file.raw("sliding_window_pattern", "_sliding_window_pattern")
    every = family.full_every if every is None else file.count("n_layer", "sliding_window_pattern", "_sliding_window_pattern")
    # Qwen2: the first max_window_layers see everything.
    first = file.count("n_layer", "max_window_layers", default=0, least=0) if family.window_is_optional else 0
    full = [i < first or (every and (i + 1) % every == 0) for i in range(n_layer)]
    file.understood.append(f"{n_layer - sum(map(bool, full))} of {n_layer} layers look back {window:,} tokens only.")
    return tuple(0 if sees_all else window for sees_all in full)


def _listed_windows(file: Fields, kinds: list, n_layer: int) -> tuple[int, ...]:
    if not isinstance(kinds, list) or len(kinds) != n_layer:
        raise ValueError(f"layer_types: expected a list of {n_layer}, one for each layer, got {show(kinds)}")
    for kind in kinds:
        if not isinstance(kind, str) or kind not in _LAYER_KINDS:
            raise ValueError(f"layer_types: expected {', '.join(_LAYER_KINDS)}, got {show(kind)}")
    windows = {kind: file.count("n_ctx", field) for kind, field in _LAYER_KINDS.items() if field and kind in kinds}
    for kind, window in windows.items():
        file.understood.append(f"{kinds.count(kind)} of {n_layer} layers look back {window:,} tokens only ({kind}).")
    return tuple(windows.get(kind, 0) for kind in kinds)


def _style(file: Fields, family: Family, kind: str) -> Style:
    """The family's manner, with the switches that a file may set."""
    style = replace(family.style, tied=file.flag("tie_word_embeddings", family.style.tied))
    if kind not in _NO_BIAS_SWITCH:
        bias = file.flag("attention_bias", style.qkv_bias)
        style = replace(style, qkv_bias=bias, o_bias=bias, mlp_bias=file.flag("mlp_bias", style.mlp_bias))
    if kind == "falcon":
        bias = file.flag("bias", False)
        two = file.flag("new_decoder_architecture", False) or not file.flag("parallel_attn", True)
        style = replace(style, qkv_bias=bias, o_bias=bias, mlp_bias=bias, n_block_norms=2 if two else 1)
    return style


def _other_notes(file: Fields, config: dict) -> None:
    """What the numbers leave out, where the file shows that there is something."""
    if any(isinstance(config.get(part), dict) for part in ("vision_config", "audio_config")):
        file.assumed.append("The language model alone is counted, without the parts that read pictures or sound.")
    if file.raw("num_nextn_predict_layers"):
        file.assumed.append("The layers that predict several tokens at once (num_nextn_predict_layers) are not counted.")
    if file.raw("quantization_config") is not None:
        file.assumed.append("The file is quantised; here all weights have the bits you choose.")
