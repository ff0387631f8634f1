"""The shape of a trained transformer, read from the config.json of the Hugging Face layout and checked.

GPT-2, Llama, Mistral, Qwen2 and Qwen3 are one model with different answers to a few questions: which norm, which positions,
which activation, which biases. The answers are the fields of `Config`. A configuration that needs an answer this engine does
not know is refused by name, because a model that runs with a wrong one still writes plausible text.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from engine.rope import Rope

MAX_LAYERS, MAX_SIZE = 1024, 1 << 24  # beyond any model of these families: a number above them is a broken or hostile file
ROPE_FAMILIES = ("llama", "mistral", "qwen2", "qwen3")
FAMILIES = ("gpt2", *ROPE_FAMILIES)


@dataclass(frozen=True)
class Config:
    """family: its model_type. windows: for each layer the number of newest tokens it sees, or None for all.
    rope: None means learned positions. qk_norm: queries and keys of each head are normed. tied: the embedding is the head too.
    bos_id: the token that marks a beginning, or 0 where the vocabulary has none.

    LayerNorm, learned positions and GELU go together (GPT-2), as do RMSNorm, rotary positions and a gated SiLU (the rest).
    """

    family: str
    n_layer: int
    n_head: int
    n_kv_head: int
    d_model: int
    d_head: int
    d_ff: int
    n_vocab: int
    n_ctx: int
    eps: float
    rope: Rope | None
    windows: tuple[int | None, ...]
    qkv_bias: bool
    out_bias: bool
    ff_bias: bool
    qk_norm: bool
    tied: bool
    bos_id: int = 0


def read_config(raw: Mapping) -> Config:
    """The configuration of a parsed config.json. Raises ValueError for what is missing, out of range or not supported."""
    if not isinstance(raw, Mapping):
        raise ValueError(f"config.json: expected an object, got {type(raw).__name__}")
    family = raw.get("model_type")
    if family not in FAMILIES:
        raise ValueError(f"config.json: model_type: expected one of {', '.join(FAMILIES)}, got {str(family)[:40]!r}")
    _refuse(raw, "quantization_config", None)
    return _gpt2(raw) if family == "gpt2" else _llama(raw, family)


def _gpt2(raw: Mapping) -> Config:
    """GPT-2's own names for the same sizes, and the options it has that no released GPT-2 uses."""
    _refuse(raw, "activation_function", "gelu_new", "gelu_pytorch_tanh")
    _refuse(raw, "scale_attn_weights", True)
    _refuse(raw, "scale_attn_by_inverse_layer_idx", False)
    _refuse(raw, "add_cross_attention", False)
    n_layer, n_head, d_model = _size(raw, "n_layer", MAX_LAYERS), _size(raw, "n_head"), _size(raw, "n_embd")
    return Config(
        family="gpt2", n_layer=n_layer, n_head=n_head, n_kv_head=n_head, d_model=d_model, d_head=_share(d_model, n_head),
        d_ff=_size(raw, "n_inner", default=4 * d_model), n_vocab=_size(raw, "vocab_size"),
        n_ctx=_size(raw, "n_positions", default=1024),
        eps=_real(raw, "layer_norm_epsilon", 1e-5), rope=None, windows=(None,) * n_layer,
        qkv_bias=True, out_bias=True, ff_bias=True, qk_norm=False, tied=_flag(raw, "tie_word_embeddings", True),
        bos_id=_bos_id(raw),
    )  # fmt: skip


def _llama(raw: Mapping, family: str) -> Config:
    """Llama and its relatives: they differ in biases, in norms on queries and keys, and in windows."""
    _refuse(raw, "hidden_act", "silu", "swish")
    _refuse(raw, "pretraining_tp", 1)
    n_layer, n_head = _size(raw, "num_hidden_layers", MAX_LAYERS), _size(raw, "num_attention_heads")
    n_kv_head, d_model = _size(raw, "num_key_value_heads", default=n_head), _size(raw, "hidden_size")
    if n_head % n_kv_head:
        raise ValueError(
            f"config.json: expected num_attention_heads to be a multiple of num_key_value_heads, got {n_head}, {n_kv_head}"
        )
    # Qwen3 means 128 where it says nothing; the others divide the width among the heads.
    d_head = _size(raw, "head_dim", default=128 if family == "qwen3" else _share(d_model, n_head))
    if d_head % 2:
        raise ValueError(f"config.json: head_dim: expected an even number for rotary positions, got {d_head}")
    any_bias = family in ("llama", "qwen3") and _flag(raw, "attention_bias", False)
    return Config(
        family=family, n_layer=n_layer, n_head=n_head, n_kv_head=n_kv_head, d_model=d_model, d_head=d_head,
        d_ff=_size(raw, "intermediate_size"), n_vocab=_size(raw, "vocab_size"), n_ctx=_size(raw, "max_position_embeddings"),
        eps=_real(raw, "rms_norm_eps", 1e-6), rope=_rope(raw), windows=_windows(raw, family, n_layer),
        qkv_bias=any_bias or family == "qwen2", out_bias=any_bias,
        ff_bias=family == "llama" and _flag(raw, "mlp_bias", False), qk_norm=family == "qwen3",
        tied=_flag(raw, "tie_word_embeddings", False), bos_id=_bos_id(raw),
    )  # fmt: skip


def _rope(raw: Mapping) -> Rope:
    """Rotary settings: `rope_parameters` since transformers 5, before that `rope_theta` beside `rope_scaling`."""
    settings = raw.get("rope_parameters") or raw.get("rope_scaling") or {}
    if not isinstance(settings, Mapping):
        raise ValueError(f"config.json: rope settings: expected an object, got {type(settings).__name__}")
    if any(isinstance(value, Mapping) for value in settings.values()):
        raise ValueError(f"config.json: rope settings: expected one for all layers, got one each for {', '.join(settings)}")
    kind = settings.get("rope_type", settings.get("type", "default"))
    if kind not in ("default", "llama3"):
        raise ValueError(f"config.json: rope_type: expected default or llama3, got {str(kind)[:40]!r}")
    for where in (raw, settings):
        _refuse(where, "partial_rotary_factor", 1, 1.0)
    theta = _real(settings, "rope_theta", _real(raw, "rope_theta", 10000.0))
    if kind == "default":
        return Rope(theta)
    low, high = (_real(settings, f"{name}_freq_factor") for name in ("low", "high"))
    if low >= high:
        raise ValueError(f"config.json: rope: expected low_freq_factor below high_freq_factor, got {low:g} and {high:g}")
    return Rope(theta, _real(settings, "factor"), low, high, _size(settings, "original_max_position_embeddings"))


def _windows(raw: Mapping, family: str, n_layer: int) -> tuple[int | None, ...]:
    """How many of the newest tokens each layer sees. Qwen names a window that counts only where it is switched on."""
    switched_on = family == "mistral" or (family.startswith("qwen") and _flag(raw, "use_sliding_window", False))
    # null means no window, but where the key is absent transformers takes 4096.
    if not switched_on or raw.get("sliding_window", 4096) is None:
        return (None,) * n_layer
    width, kinds = _size(raw, "sliding_window", default=4096), raw.get("layer_types")
    if kinds is None:
        first = 0 if family == "mistral" else _size(raw, "max_window_layers", default=28, least=0)
        return tuple(width if i >= first else None for i in range(n_layer))
    known = ("sliding_attention",) if family == "mistral" else ("sliding_attention", "full_attention")
    if not isinstance(kinds, list) or len(kinds) != n_layer or not all(kind in known for kind in kinds):
        raise ValueError(f"config.json: layer_types: expected {n_layer} times {' or '.join(known)}, got {str(kinds)[:80]}")
    return tuple(width if kind == "sliding_attention" else None for kind in kinds)


def _refuse(raw: Mapping, key: str, *known) -> None:
    """Raises ValueError when an option is set to something else than the values this engine knows; absent is fine."""
    if key in raw and raw[key] is not None and raw[key] not in known:
        expected = " or ".join(map(str, known))
        raise ValueError(f"config.json: {key}: this engine knows only {expected}, got {str(raw[key])[:60]!r}")


def _size(raw: Mapping, key: str, most: int = MAX_SIZE, default: int | None = None, least: int = 1) -> int:
    value = default if raw.get(key) is None else raw[key]
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"config.json: {key}: expected a whole number from {least} to {most}, got {str(value)[:40]}")
    return value


def _real(raw: Mapping, key: str, default: float | None = None) -> float:
    value = default if raw.get(key) is None else raw[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < 1e12 or not math.isfinite(value):
        raise ValueError(f"config.json: {key}: expected a positive number, got {str(value)[:40]}")
    return float(value)


def _bos_id(raw: Mapping) -> int:
    """No reason to refuse a model: small ones often keep the number of the big vocabulary they were cut from."""
    bos_id = raw.get("bos_token_id")
    return bos_id if type(bos_id) is int and 0 <= bos_id < _size(raw, "vocab_size") else 0


def _flag(raw: Mapping, key: str, default: bool) -> bool:
    value = default if raw.get(key) is None else raw[key]
    if not isinstance(value, bool):
        raise ValueError(f"config.json: {key}: expected true or false, got {str(value)[:40]}")
    return value


def _share(d_model: int, n_head: int) -> int:
    if d_model % n_head:
        raise ValueError(f"config.json: expected the width to be a multiple of the heads, got {d_model} and {n_head}")
    return d_model // n_head
