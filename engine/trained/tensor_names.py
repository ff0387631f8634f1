"""Which tensor of a checkpoint becomes which parameter: the names of the Hugging Face layout, and the shape each must have.

A parameter is one tensor of the file, or several stacked: queries, keys and values become one matrix, gate and up another,
because one product of a row with a tall matrix is faster than three with low ones. GPT-2 stores its matrices (in, out), all
others (out, in), which is how this engine keeps them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from engine.trained.config import Config
from engine.trained.layers import Linear, Norm

HEAD = "lm_head.weight"
GPT2_NORMS = {"attention_norm": "ln_1", "feed_forward_norm": "ln_2"}
GPT2_LINEARS = {"qkv": ("attn.c_attn",), "out": ("attn.c_proj",), "up": ("mlp.c_fc",), "down": ("mlp.c_proj",)}
LLAMA_NORMS = {
    "attention_norm": "input_layernorm",
    "feed_forward_norm": "post_attention_layernorm",
    "q_norm": "self_attn.q_norm",
    "k_norm": "self_attn.k_norm",
}
LLAMA_LINEARS = {
    "qkv": ("self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"),
    "out": ("self_attn.o_proj",),
    "up": ("mlp.gate_proj", "mlp.up_proj"),
    "down": ("mlp.down_proj",),
}
# Phi-3's files hold queries, keys and values in one matrix, and gate and up in another.
FUSED_LINEARS = LLAMA_LINEARS | {"qkv": ("self_attn.qkv_proj",), "up": ("mlp.gate_up_proj",)}


@dataclass(frozen=True)
class Source:
    """Where one parameter comes from: the names of the tensors stacked in it and the shape of each as the file has it."""

    names: tuple[str, ...]
    shapes: tuple[tuple[int, ...], ...]
    transposed: bool = False


@dataclass(frozen=True, eq=False)
class Block:
    """The parameters of one layer. qkv: d_model -> (n_head + 2 n_kv_head) d_head; up: d_model -> d_ff, twice that if gated."""

    attention_norm: Norm
    qkv: Linear
    q_norm: Norm | None
    k_norm: Norm | None
    out: Linear
    feed_forward_norm: Norm
    up: Linear
    down: Linear


@dataclass(frozen=True, eq=False)
class Params:
    """All learned arrays. embedding: (n_vocab, d_model); positions: (n_ctx, d_model) or None; head: d_model -> n_vocab."""

    embedding: np.ndarray
    positions: np.ndarray | None
    blocks: tuple[Block, ...]
    norm: Norm
    head: Linear


def layer_sources(config: Config, layer: int) -> dict[str, Source]:
    """The sources of one layer's parameters, keyed by the place in `Block`: "qkv.w", "out.b", "attention_norm.gain", …"""
    c, d, d_kv = config, config.d_model, config.n_kv_head * config.d_head
    d_q, gpt2 = c.n_head * c.d_head, config.family == "gpt2"
    if gpt2:
        norms, linears = GPT2_NORMS, GPT2_LINEARS
        widths = {"qkv": (d, [3 * d]), "out": (d, [d]), "up": (d, [c.d_ff]), "down": (c.d_ff, [d])}
    else:
        norms, linears = LLAMA_NORMS, LLAMA_LINEARS
        widths = {"qkv": (d, [d_q, d_kv, d_kv]), "out": (d_q, [d]), "up": (d, [c.d_ff, c.d_ff]), "down": (c.d_ff, [d])}
    if c.family == "phi3":
        linears = FUSED_LINEARS
        widths |= {"qkv": (d, [d_q + 2 * d_kv]), "up": (d, [2 * c.d_ff])}
    biased = {"qkv": c.qkv_bias, "out": c.o_bias, "up": c.mlp_bias, "down": c.mlp_bias}
    prefix = f"{'h' if gpt2 else 'layers'}.{layer}."
    sources = {}
    for place, name in norms.items():
        if place in ("q_norm", "k_norm") and not c.qk_norm:
            continue
        width = c.d_head if place in ("q_norm", "k_norm") else d
        sources[f"{place}.gain"] = Source((f"{prefix}{name}.weight",), ((width,),))
        if gpt2:
            sources[f"{place}.bias"] = Source((f"{prefix}{name}.bias",), ((width,),))
    for place, names in linears.items():
        d_in, d_outs = widths[place]
        shapes = tuple((d_in, d_out) if gpt2 else (d_out, d_in) for d_out in d_outs)
        sources[f"{place}.w"] = Source(tuple(f"{prefix}{name}.weight" for name in names), shapes, transposed=gpt2)
        if biased[place]:
            sources[f"{place}.b"] = Source(tuple(f"{prefix}{name}.bias" for name in names), tuple((d_out,) for d_out in d_outs))
    return sources


def outer_sources(config: Config) -> dict[str, Source]:
    """The sources of what lies outside the layers: embedding, learned positions, last norm, and the head where it is not tied."""
    c, gpt2 = config, config.family == "gpt2"
    sources = {"embedding": Source(("wte.weight" if gpt2 else "embed_tokens.weight",), ((c.n_vocab, c.d_model),))}
    if gpt2:
        sources["positions"] = Source(("wpe.weight",), ((c.n_ctx, c.d_model),))
        sources["norm.bias"] = Source(("ln_f.bias",), ((c.d_model,),))
    sources["norm.gain"] = Source(("ln_f.weight" if gpt2 else "norm.weight",), ((c.d_model,),))
    if not c.tied:
        sources["head"] = Source((HEAD,), ((c.n_vocab, c.d_model),))
    return sources


def all_sources(config: Config) -> Iterator[Source]:
    """Every source of the configuration: what the file must hold, and nothing else."""
    yield from outer_sources(config).values()
    for layer in range(config.n_layer):
        yield from layer_sources(config, layer).values()


def assemble(config: Config, read: Callable[[Source], np.ndarray]) -> Params:
    """The parameters, each fetched with `read`: Source -> float32 array, matrices as (out, in)."""
    outer = {place: read(source) for place, source in outer_sources(config).items()}
    blocks = []
    for layer in range(config.n_layer):
        arrays = {place: read(source) for place, source in layer_sources(config, layer).items()}
        norms = {p: _norm(arrays, p, config.eps) if f"{p}.gain" in arrays else None for p in LLAMA_NORMS}
        linears = {p: Linear(arrays[f"{p}.w"], arrays.get(f"{p}.b")) for p in LLAMA_LINEARS}
        blocks.append(Block(**norms, **linears))
    head = Linear(outer["embedding"] if config.tied else outer["head"])
    return Params(outer["embedding"], outer.get("positions"), tuple(blocks), _norm(outer, "norm", config.eps), head)


def _norm(arrays: dict[str, np.ndarray], place: str, eps: float) -> Norm:
    return Norm(arrays[f"{place}.gain"], arrays.get(f"{place}.bias"), eps)
