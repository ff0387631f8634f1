"""The lesson on the cache’s size: the multiplication, the bar, the comparison and the question."""

from __future__ import annotations

import streamlit as st

from engine import KVCache, prefill
from engine.cost import (
    ModelShape,
    both_bytes,
    decimal_bytes,
    largest_batch,
    llama_cpp_kv_bytes,
    longest_context,
    memory_use,
)
from engine.cost.heads import kind_of_heads
from engine.cost.written_out import kv_factors
from engine.toy import Scenario
from pages.parts import hardware, scenario, tables
from pages.parts.figures.cache_growth import cache_growth
from pages.parts.figures.memory_bar import factor_text, memory_bar
from pages.parts.figures.roofline import amount
from pages.parts.hardware import Setup
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.widgets import show
from pages.parts.words import md, number

ASKED = 100_000  # tokens
COMPARED = ("Llama-2-7B", "Gemma-3-27B", "DeepSeek-V3")  # beside the chosen model: no grouping, windows, a latent
MOST_COMPARED = 3


def size(s: Setup) -> None:
    """Controls, the multiplication and the bar."""
    factors = kv_factors(s.shape, s.n_tokens, s.batch, s.kv_bits)
    use = memory_use(s.shape, s.n_tokens, s.device, s.batch, **s.options)
    alt = (
        f"KV cache of {s.shape.name}: {' times '.join(f'{factor_text(f)} {f.what}' for f in factors)} is {use.cache_bytes:,} "
        "bytes, "
        f"{both_bytes(use.cache_bytes)}. Memory of {s.on}, {both_bytes(use.device_bytes)}: weights "
        f"{both_bytes(use.weight_bytes)}, "
        f"cache {both_bytes(use.cache_bytes)}, activations about {decimal_bytes(use.activation_bytes)}, "
        + (f"{decimal_bytes(use.room_bytes)} left." if use.fits else f"{decimal_bytes(-use.room_bytes)} too much.")
    )
    plot(memory_bar(s.shape, factors, use, s.on, _facts(s), **look(0.97 if presenting() else 1.0)), alt, "memory_bar")
    with st.container(key="takeaway_size"):
        share = use.cache_bytes / use.weight_bytes
        st.markdown(
            f"Every token of every sequence adds **{both_bytes(s.shape.kv_bytes_per_token(s.kv_bits))}**"
            f"{' until its windows are full' if any(s.shape.windows) else ''}, for as long as its answer lasts; the weights "
            f"are there once for all. Here the cache takes {amount(share) if share > 0.05 else number(share, 4)} × as much."
        )


def _facts(s: Setup) -> tuple[str, ...]:
    """What fits, in one line."""
    most = largest_batch(s.shape, s.n_tokens, s.device, **s.options)
    longest = longest_context(s.shape, s.device, batch=s.batch, **s.options)
    sequences = "one sequence" if s.batch == 1 else f"each of {s.batch:,} sequences"
    if not longest and longest is not None:
        return ("Not even one token fits: more devices, or fewer bits a weight",)
    length = "of any length (all layers have windows)" if longest is None else f"of {longest:,} tokens"
    plural = "s" * (most != 1)
    return (
        f"Fits at most: {most:,} sequence{plural} of {s.n_tokens:,} tokens, or {sequences} {length}"
        f" (trained for {s.shape.n_ctx:,})",
    )


def formula(s: Setup) -> None:
    """The same multiplication as text to copy, and what a running program allocates."""
    factors = kv_factors(s.shape, s.n_tokens, s.batch, s.kv_bits)
    result = s.shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    text = " * ".join(factor_text(f).replace(",", "").replace("×", "*") for f in factors)
    names = " × ".join(f.what for f in factors)
    tables.formula(f"{text} == {result}  # bytes: {names}", "size")
    logged = llama_cpp_kv_bytes(s.shape, s.n_tokens, s.batch, s.kv_bits)
    st.caption(
        f"GB is 10⁹ bytes, GiB is 2³⁰ = 1.0737 · 10⁹. llama.cpp, which pads to 256 tokens{_slack(s.shape)}, would log "
        f"{logged / 2**20:,.2f} MiB. Left out: the unused end of pages, the scales of quantised numbers (llama.cpp’s q8_0 is "
        f"8.5 bits, q4_0 4.5), and the gigabyte or so that a program needs for itself. Shape: {md(s.shape.source)}. "
        f"Device: {md(s.device.source)}."
    )


def _slack(shape: ModelShape) -> str:
    return " and gives windows room for 512 more" if any(shape.windows) else ""


def compared(s: Setup) -> tuple[ModelShape, ...]:
    """The chosen model and up to three others, from the link."""
    text, there = scenario.extra("compare"), hardware.models()
    names = [] if text == "none" else [n for n in text.split(",") if n in there][:MOST_COMPARED] or list(COMPARED)
    return (s.shape, *(there[n] for n in dict.fromkeys(names) if there[n] != s.shape))


def choose_compared(s: Setup) -> None:
    """The control for it."""
    there = hardware.models()
    names = [name for name, shape in there.items() if shape in compared(s)[1:]]
    show("compare_with", names)

    def keep() -> None:
        chosen = st.session_state["compare_with"]
        scenario.set_extra("compare", ",".join(chosen) if chosen else "none")

    st.multiselect(
        f"Compare {hardware.named(s)} with up to three", [n for n in there if there[n] != s.shape], key="compare_with",
        max_selections=MOST_COMPARED, on_change=keep, format_func=lambda name: there[name].name,
    )  # fmt: skip


def toy_cache(toy: Scenario) -> KVCache:
    """The cache that the other lessons fill, after prefill of the current scenario."""
    model = toy.model()
    cache = KVCache.for_model(model, len(toy.tokens))
    prefill(model, toy.prompt_ids, cache)
    return cache


def compare(s: Setup, toy: Scenario) -> None:
    """Lines of bytes against tokens, and the table behind them."""
    shapes, cache = compared(s), toy_cache(toy)
    capacity = s.device.memory_bytes * s.n_devices
    lines = "; ".join(
        f"{shape.name} {shape.kv_bytes_per_token(s.kv_bits):,} bytes a token, "
        f"{decimal_bytes(shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits))} at {s.n_tokens:,} tokens" for shape in shapes
    )  # fmt: skip
    alt = (
        f"Cache bytes against tokens, both axes logarithmic. {lines}. The toy with {cache.n_tokens} tokens: {cache.nbytes} "
        "bytes. "
        f"Memory of {s.on}: {both_bytes(capacity)}."
    )
    zoom = 1.15 if presenting() else 1.0
    toy_now = (cache.n_tokens, cache.nbytes)
    plot(cache_growth(shapes, s.n_tokens, s.batch, s.kv_bits, capacity, s.on, toy_now, **look(zoom)), alt, "cache_growth")
    if not presenting():
        _table(s, shapes)


def _table(s: Setup, shapes: tuple[ModelShape, ...]) -> None:
    """Every model's numbers, on the page and as a file."""
    kinds = ["latent" if x.latent else kind_of_heads(x.n_head, x.n_kv_head) for x in shapes]
    head = ("model", "attention", "layers", "KV heads", "head width", "bytes a token", f"cache at {s.n_tokens:,}", "weights")
    rows = [
        (
            md(tables.unbroken(x.name)), kind + (", windows" if any(x.windows) else ""), f"{x.n_layer}",
            "one latent" if x.latent else f"{x.n_kv_head}",
            f"{x.kv_row if x.latent else x.d_head}", f"{x.kv_bytes_per_token(s.kv_bits):,}",
            tables.unbroken(both_bytes(x.kv_bytes(s.n_tokens, s.batch, s.kv_bits))),
            tables.unbroken(both_bytes(x.weight_bytes(s.weight_bits))),
        )
        for x, kind in zip(shapes, kinds, strict=True)
    ]  # fmt: skip
    tables.table(head, rows)
    raw_head = (
        "model", "attention", "n_layer", "n_kv_head", "d_head", "n_params", "weight_bits", "weight_bytes", "kv_bits",
        "kv_bytes_per_token", "n_tokens", "batch", "kv_bytes", "source",
    )  # fmt: skip
    raw = [
        (
            x.name, kind, x.n_layer, x.n_kv_head, x.d_head, x.n_params, s.weight_bits, x.weight_bytes(s.weight_bits), s.kv_bits,
            x.kv_bytes_per_token(s.kv_bits), s.n_tokens, s.batch, x.kv_bytes(s.n_tokens, s.batch, s.kv_bits), x.source,
        )
        for x, kind in zip(shapes, kinds, strict=True)
    ]  # fmt: skip
    tables.download("kv_cache", raw_head, raw)


def ask_size(s: Setup) -> None:
    """The cache at 100,000 tokens; at another length where the page shows that one already."""
    n_tokens = ASKED if s.n_tokens != ASKED else ASKED // 2
    n_bytes = s.shape.kv_bytes(n_tokens, 1, s.kv_bits)
    unit, power = ("GB", 1e9) if n_bytes >= 1e9 else ("MB", 1e6)
    answer = round(n_bytes / power, 1)
    row = s.shape.kv_bytes_per_token(s.kv_bits)
    windows = " Layers with a window stop growing when it is full." if any(s.shape.windows) else ""
    predict(
        "cache_size",
        f"One sequence of **{n_tokens:,} tokens** in {md(s.shape.name)}, the cache in {s.kv_bits} bits: how many {unit} "
        f"(10{'⁹' if unit == 'GB' else '⁶'} bytes)?",
        answer,
        f"{row:,} bytes a token, {n_tokens:,} tokens: {n_bytes:,} bytes = {both_bytes(n_bytes)}.{windows} The weights take "
        f"{both_bytes(s.shape.weight_bytes(s.weight_bits))}, once; this is for one sequence.",
        tolerance=max(0.05, 0.01 * answer),
        unit=unit,
    )


def caveats() -> None:
    """What the sources leave out when they praise the cache."""
    st.caption(
        "The cache buys time with memory: it makes long answers affordable and then becomes what limits context and batch. On "
        "weak "
        "hardware it is a cost, not a relief. Grouped and latent heads are sometimes called caching strategies; they are "
        "architectures. Memory here adds up requests as if each were as long as the slider says; serving programs share it "
        "in pages."
    )
