"""The shape of a trained transformer, read from the config.json of the Hugging Face layout and checked.

GPT-2, Llama, Mistral, Phi-3, Qwen2 and Qwen3 are one model with different answers to a few questions: which norm, positions,
activation, biases. The answers are the fields of `Config`. A configuration that needs an answer this engine does
not know is refused by name, because a model that runs with a wrong one still writes plausible text.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace

from engine.config_json import reader
from engine.config_json.fields import Fields, excerpt
from engine.config_json.rope_settings import rope_settings
from engine.trained.rope import Rope

FAMILIES = ("gpt2", "llama", "mistral", "phi3", "qwen2", "qwen3")


@dataclass(frozen=True)
class Config:
    """family: its model_type. windows: for each layer the number of newest tokens it sees, or None for all.
    rope: None means learned positions. qk_norm: queries and keys of each head are normed. tied: the embedding is the head too.
    bos_id: the token that marks a beginning, or 0 where the vocabulary has none. eos_ids: tokens that end an answer.

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
    o_bias: bool
    mlp_bias: bool
    qk_norm: bool
    tied: bool
    bos_id: int = 0
    eos_ids: tuple[int, ...] = ()


def read_config(raw: Mapping) -> Config:
    """The configuration of a parsed config.json. Raises ValueError for what is missing, out of range or not supported.

    Sizes, biases and windows are those that engine.config_json reads for everybody; here stands what only a program that
    computes has to know: eps, positions, activations, and what it must refuse.
    """
    if not isinstance(raw, Mapping):
        raise ValueError(f"config.json: expected an object, got {type(raw).__name__}")
    family = raw.get("model_type")
    if family not in FAMILIES:
        raise ValueError(f"config.json: model_type: expected one of {', '.join(FAMILIES)}, got {str(family)[:40]!r}")
    file, known = Fields(dict(raw)), _GPT2 if family == "gpt2" else _LLAMA
    for name, values in known.items():
        _refuse(file, name, *values)
    kinds = file.raw("layer_types")
    if family == "mistral" and kinds and kinds != ["sliding_attention"] * len(kinds):
        raise ValueError(f"layer_types: expected sliding_attention in every layer of a mistral, got {excerpt(kinds)}")
    eps = "layer_norm_epsilon" if family == "gpt2" else "rms_norm_eps"
    read = reader.read(dict(raw))
    if read["doubt"]:
        raise ValueError(f"expected a file that states every size, got one of which {read['doubt']}")
    rope = None if family == "gpt2" else _rope(file, read, family)
    # Qwen's files state the shorter one.
    stretched = int(rope.factor * rope.n_ctx_original) if rope and rope.kind == "yarn" else 0
    n_ctx, windows = max(read["n_ctx"] or _N_CTX[family], stretched), tuple(n or None for n in read["windows"])
    style = {name: getattr(read["style"], name) for name in _STYLE} | {"qk_norm": read["style"].qk_norm == "head"}
    sizes, eps = {name: read[name] for name in _SIZES}, file.number(eps, _EPS[eps] if file.raw(eps) is None else file.raw(eps))
    marks = {"bos_id": _bos_id(file, read["n_vocab"]), "eos_ids": _eos_ids(file)}
    return Config(family=family, **sizes, n_ctx=n_ctx, eps=eps, rope=rope, windows=windows, **style, **marks)


_SIZES = ("n_layer", "n_head", "n_kv_head", "d_model", "d_head", "d_ff", "n_vocab")
_STYLE = ("qkv_bias", "o_bias", "mlp_bias", "tied")
_EPS = {"rms_norm_eps": 1e-6, "layer_norm_epsilon": 1e-5}  # where the file does not say
# Rotary positions need no bound; where the file has none, that of the configuration class in transformers.
_N_CTX = {"llama": 2048, "mistral": 131_072, "phi3": 4096, "qwen2": 32_768, "qwen3": 32_768}
# Options that a file may set, and the values of them that this engine computes; absent is fine.
_BOTH = {"quantization_config": (None,)}
_LLAMA = _BOTH | {"hidden_act": ("silu", "swish")}
_GPT2 = _BOTH | {
    "activation_function": ("gelu_new", "gelu_pytorch_tanh"), "scale_attn_weights": (True,),
    "scale_attn_by_inverse_layer_idx": (False,), "add_cross_attention": (False,),
}  # fmt: skip


def _rope(file: Fields, read: dict, family: str) -> Rope:
    """Rotary settings, of the types that are built."""
    settings, d_head = Fields(rope_settings(file)), read["d_head"]
    if settings.raw("by_layer"):
        raise ValueError("rope_parameters: expected one for all layers, got one each for kinds of layers")
    kind = settings.text("rope_type")
    if kind not in ("default", "linear", "dynamic", "llama3", "yarn"):
        raise ValueError(f"rope_type: expected default, linear, dynamic, llama3 or yarn, got {kind[:40]!r}")
    share = _number(settings, "partial_rotary_factor", 1.0)
    if share != 1 and family != "phi3":
        raise ValueError(f"partial_rotary_factor: expected 1 for {family}, got {share:g}")
    if share > 1 or int(share * d_head) % 2 or int(share * d_head) < 4:
        raise ValueError(f"head_dim: expected an even number of entries to turn, at least 4, got {share:g} · {d_head}")
    rope = Rope(theta=_number(settings, "rope_theta", 10000.0), share=share)
    if kind == "default":
        return rope
    original = _N_CTX[family] if read["n_ctx"] is None else read["n_ctx"]
    if kind != "dynamic":  # which stretches what lies beyond max_position_embeddings, whatever else the file says
        original = settings.count("n_ctx", "original_max_position_embeddings", default=original)
    rope = replace(rope, kind=kind, factor=_number(settings, "factor"), n_ctx_original=original)
    if kind in ("linear", "dynamic"):
        return rope
    names = ("low_freq_factor", "high_freq_factor") if kind == "llama3" else ("beta_slow", "beta_fast")
    defaults = (None, None) if kind == "llama3" else (1.0, 32.0)
    low, high = (_number(settings, name, default) for name, default in zip(names, defaults, strict=True))
    if low >= high:
        raise ValueError(f"rope: expected {names[0]} below {names[1]}, got {low:g} and {high:g}")
    rope = replace(rope, low=low, high=high)
    if kind == "llama3":
        return rope
    return replace(rope, length=_yarn_length(settings, rope.factor), truncate=settings.flag("truncate", True))


def _yarn_length(settings: Fields, factor: float) -> float:
    """How much longer YaRN makes queries and keys: 0.1 · ln(factor) + 1, unless the file says."""
    if settings.raw("attention_factor") is not None:
        return _number(settings, "attention_factor")
    if settings.raw("mscale") and settings.raw("mscale_all_dim"):
        one, other = (_number(settings, name) for name in ("mscale", "mscale_all_dim"))
        return (0.1 * one * math.log(factor) + 1) / (0.1 * other * math.log(factor) + 1) if factor > 1 else 1.0
    return 0.1 * math.log(factor) + 1 if factor > 1 else 1.0


def _number(file: Fields, name: str, default: float | None = None) -> float:
    return file.number(name, default if file.raw(name) is None else file.raw(name))


def _refuse(file: Fields, name: str, *known) -> None:
    """Raises ValueError when an option is set to something else than the values this engine knows; absent is fine."""
    value = file.raw(name)
    if value is not None and value not in known:
        raise ValueError(f"{name}: this engine knows only {' or '.join(map(str, known))}, got {excerpt(value)}")


def _bos_id(file: Fields, n_vocab: int) -> int:
    """No reason to refuse a model: small ones often keep the number of the big vocabulary they were cut from."""
    bos_id = file.raw("bos_token_id")
    return bos_id if type(bos_id) is int and 0 <= bos_id < n_vocab else 0


def _eos_ids(file: Fields) -> tuple[int, ...]:
    """One number, several, or none; what is no number ends nothing."""
    stated = file.raw("eos_token_id")
    return tuple(i for i in (stated if isinstance(stated, list) else [stated]) if type(i) is int and i >= 0)
