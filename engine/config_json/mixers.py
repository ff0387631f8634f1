"""Layers that keep a state of constant size instead of keys and values: how many numbers they keep, and how many they learned.

Each function reads one kind of layer and returns (n_state, n_tail, n_mixer): the state, the last inputs of its convolution, and
its learned numbers, checked against transformers 5.23. Nothing here grows with the text: that is what these layers are for.
"""

from collections.abc import Callable
from math import ceil

from engine.config_json.fields import Fields

Mixer = tuple[int, int, int]


def gated_delta(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer:
    """Qwen3-Next, Qwen3.5: a matrix d_key · d_value for each value head (gated delta rule)."""
    n_k, n_v = file.count("n_head", "linear_num_key_heads"), file.count("n_head", "linear_num_value_heads")
    d_k, d_v = file.count("d_head", "linear_key_head_dim"), file.count("d_head", "linear_value_head_dim")
    kernel = file.count("d_head", "linear_conv_kernel_dim", default=4)
    width = 2 * n_k * d_k + n_v * d_v
    made = d_model * (width + n_v * d_v + 2 * n_v) + width * kernel + 2 * n_v + d_v + n_v * d_v * d_model
    return n_v * d_k * d_v, width * (kernel - 1), made


def mamba(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer:
    """Jamba: d_state numbers for each of expand · d_model channels (Mamba 1)."""
    d_state, kernel = file.count("d_head", "mamba_d_state"), file.count("d_head", "mamba_d_conv", default=4)
    width = file.count("d_head", "mamba_expand", default=2) * d_model
    rank = ceil(d_model / 16) if file.raw("mamba_dt_rank") in (None, "auto") else file.count("rank", "mamba_dt_rank")
    made = 2 * d_model * width + width * (kernel + 1) + width * (rank + 2 * d_state) + rank * width + width
    made += width * d_state + width + width * d_model + rank + 2 * d_state
    return width * d_state, width * (kernel - 1), made


def mamba2(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer:
    """Granite 4, Bamba, Falcon-H1, Nemotron-H, Zamba 2: d_state numbers for each channel of many heads (Mamba 2)."""
    n, d = _mamba2_heads(file, d_model)
    d_state = file.count("d_head", "mamba_d_state", "ssm_state_size")
    groups = file.count("n_head", "mamba_n_groups", "n_groups", "mamba_ngroups", default=1)
    kernel = file.count("d_head", "mamba_d_conv", "conv_kernel", default=4)
    width = n * d + 2 * groups * d_state
    normed = file.flag("mamba_rms_norm", file.text("model_type") != "falcon_h1")
    made = d_model * (n * d + width + n) + width * (kernel + 1) + 3 * n + n * d * normed + n * d * d_model
    return n * d * d_state, width * (kernel - 1), made


def _mamba2_heads(file: Fields, d_model: int) -> tuple[int, int]:
    n = file.count("n_head", "mamba_n_heads", "mamba_num_heads", "n_mamba_heads")
    if file.raw("mamba_d_head", "mamba_head_dim", "mamba_headdim") in (None, "auto"):
        whole = file.raw("mamba_d_ssm") or file.count("d_head", "mamba_expand", default=2) * d_model
        return n, whole // n
    return n, file.count("d_head", "mamba_d_head", "mamba_head_dim", "mamba_headdim")


def delta_attention(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer:
    """Kimi Linear: a matrix d · d for each head (Kimi delta attention)."""
    inner = Fields(file.raw("linear_attn_config")) if isinstance(file.raw("linear_attn_config"), dict) else file
    n, d = inner.count("n_head", "num_heads", "linear_num_heads"), inner.count("d_head", "head_dim", "linear_head_dim")
    if inner is file:
        d = file.count("d_head", "linear_head_dim")
    kernel, width = inner.count("d_head", "short_conv_kernel_size", "linear_conv_kernel_dim", default=4), n * d
    made = 4 * d_model * width + 3 * width * kernel + width + n + 2 * (d_model * d + d * width) + d_model * n + d
    return n * d * d, 3 * width * (kernel - 1), made


def lightning(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer:
    """MiniMax-01, Ring-linear: a matrix d_head · d_head for each head (lightning attention)."""
    width = n_head * d_head
    return width * d_head, 0, d_model * 3 * width + 2 * d_model * width + width


def convolution(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer:
    """LFM2: nothing but the last inputs of a short convolution."""
    kernel, bias = file.count("d_head", "conv_L_cache", default=3), file.flag("conv_bias", False)
    return 0, d_model * (kernel - 1), 4 * d_model * d_model + d_model * kernel + bias * 5 * d_model


def recurrent_unit(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer:
    """RecurrentGemma: one number for each channel (real-gated linear recurrent unit)."""
    width, kernel = file.count("d_model", "lru_width", default=d_model), file.count("d_head", "conv1d_width", default=4)
    gates = 2 * (width * width // n_head + width) + width
    return width, width * (kernel - 1), 3 * d_model * width + 2 * width + d_model + width * (kernel + 1) + gates


BY_FIELD: dict[str, Callable[..., Mixer]] = {  # the field that betrays a kind of layer; the first one found counts
    "linear_num_value_heads": gated_delta,
    "linear_attn_config": delta_attention,
    "linear_head_dim": delta_attention,
    "mamba_n_heads": mamba2,
    "mamba_num_heads": mamba2,
    "n_mamba_heads": mamba2,
    "mamba_d_state": mamba,
    "conv_L_cache": convolution,
    "block_types": recurrent_unit,
    "layer_group_size": lightning,
}


def mixer(file: Fields, d_model: int, n_head: int, d_head: int) -> Mixer | None:
    """What the file's layers without attention keep and learned, None where their kind is not known here."""
    if file.text("model_type").startswith("minimax"):
        return lightning(file, d_model, n_head, d_head)
    by_field = next((kind for field, kind in BY_FIELD.items() if file.raw(field) is not None), None)
    return by_field(file, d_model, n_head, d_head) if by_field else None
