"""The lesson on the cache’s size: the multiplication, the bar, the question, and the reader’s own model."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from engine.cost import MemoryUse, ModelShape, both_bytes, decimal_bytes, layer_kinds, llama_cpp_kv_bytes, memory_use
from engine.cost.multiplication import kv_factors
from engine.serving.named import TYPE_BITS
from engine.toy.scenario import Scenario
from pages.lessons.memory.figures.memory_bar import memory_bar
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import pasted_config, setup
from pages.parts.hardware.room import NONE, room
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.lesson.lesson import everything, step
from pages.parts.lesson.sentences import lead, question_and_takeaway, takeaway
from pages.parts.question.question import Question
from pages.parts.text.amounts import factor_name, factor_text
from pages.parts.text.format import md, number, quantity, superscript
from pages.parts.visit import scenario
from pages.parts.visit.display import presenting

ASKED = 100_000  # tokens
UNITS = (("GB", 1e9, 9), ("MB", 1e6, 6), ("kB", 1e3, 3))
LLAMA_CPP = {16: "f16", 8: "q8_0", 4: "q4_0"}  # its types of a cached number; quantised ones have a scale for every 32


def given() -> tuple[Setup, Scenario]:
    """What runs on what, and the toy to compare it with."""
    return setup.setup(), scenario.current()


@step(
    "The multiplication",
    minutes=6,
    ask="One long sequence: how many bytes? Multiply it out before you commit.",
    wrong={
        "Half of it": "keys and values are two",
        "Several times as much": "query heads are counted in place of key and value heads",
        "GiB given for GB": "10⁹ and 2³⁰ differ by seven per cent",
    },
)
def size(s: Setup, toy: Scenario) -> None:
    """Controls, the multiplication and the bar."""
    lead("A cache keeps a key and a value for every token, in every layer: multiply it out.", "KV cache", "GQA", "MQA", "MHA")
    setup.model_and_device()
    setup.context_and_batch()
    factors = kv_factors(s.shape, s.n_tokens, s.batch, s.kv_bits)
    use = None if s.shape.doubt else memory_use(s.shape, s.n_tokens, s.device, s.batch, **s.memory)
    cache = s.shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    alt = (
        f"KV cache of {s.shape.name}: {' times '.join(f'{factor_text(f)} {factor_name(f)}' for f in factors)} is {cache:,} bytes, "
        f"{both_bytes(cache)}.{_in_memory(s, use) if use else ''}{s.assumed}"
    )
    question = size_question(s)
    note = f"✓ {asked_tokens(s):,} tokens: {number(question.answer, 1)} {question.unit}" if question.answered else ""
    plot(memory_bar(sheet(0.93, presented=0.88), s.shape, factors, cache, use, s.on, note), alt, "memory_bar")
    question_and_takeaway(
        question,
        "size",
        f"The next token adds **{both_bytes(s.next_token_bytes)}**{_until(s)}.{_copies(s)} {_fits(s)}{s.assumed}",
    )


def _in_memory(s: Setup, use: MemoryUse) -> str:
    """What lies in the devices' memory, for those who do not see the bar."""
    return (
        f" Memory of {s.on}, {both_bytes(use.device_bytes)}: weights {both_bytes(use.weight_bytes)}, cache "
        f"{both_bytes(use.cache_bytes)}, "
        + (f"a state that does not grow {both_bytes(use.state_bytes)}, " if use.state_bytes else "")
        + (f"copies of the cache on other devices {both_bytes(use.copy_bytes)}, " if use.copy_bytes else "")
        + (f"the program itself {both_bytes(use.reserved_bytes)}, " if use.reserved_bytes else "")
        + f"activations about {decimal_bytes(use.activation_bytes)}, "
        + (f"{decimal_bytes(use.room_bytes)} left." if use.fits else f"{decimal_bytes(-use.room_bytes)} too much.")
    )


def _until(s: Setup) -> str:
    """What it was before windows were full, or that it will be less."""
    whole = s.shape.kv_bytes_per_token(s.kv_bits)
    if s.next_token_bytes != whole:
        return f" ({whole:,} bytes until windows were full)"
    return " until windows are full" if any(s.shape.windows) else ""


def _copies(s: Setup) -> str:
    """How often several devices keep the cache, where they must keep it more than once."""
    if s.copies == 1:
        return ""
    what = "its latent" if s.shape.latent else f"its {quantity(s.shape.n_kv_head, 'key/value head')}"
    return f" {s.n_devices} devices keep {what} **{number(s.copies)}** times."


def _fits(s: Setup) -> str:
    """How much fits, in one sentence; nothing of a model whose weights are not known."""
    if s.shape.doubt:
        return "What fits beside its weights is not said: its number of parameters is not known."
    found = room(s)
    if found.startswith(NONE):
        return f"{found}."
    trained = f"trained for {s.shape.n_ctx:,}" if s.shape.n_ctx else "trained for an unknown length"
    return f"Room for {found} ({trained})."


def formula(s: Setup) -> None:
    """The multiplication as text to copy."""
    factors = kv_factors(s.shape, s.n_tokens, s.batch, s.kv_bits)
    result = s.shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    text = " * ".join(factor_text(f).replace(",", "").replace("×", "*") for f in factors)
    names = " × ".join(f.what for f in factors)
    tables.formula(f"{text} == {result}  # bytes: {names}", "size")


def left_out(s: Setup) -> None:
    """The sum layer by layer, what a running program allocates, and what no formula counts."""
    _layer_by_layer(s)
    st.caption(
        f"GB is 10⁹ bytes, GiB is 2³⁰ = 1.0737 · 10⁹.{_llama_cpp(s)} Left out of the sums here: the unused end of pages, the "
        "scales of quantised numbers (llama.cpp’s q8_0 is 8.5 bits, q4_0 4.5), and what a program needs for itself, unless you "
        f"type it. Shape: {md(s.shape.source)}. Device: {md(s.device.source)}."
    )


def _layer_by_layer(s: Setup) -> None:
    """The sum behind the product, where the layers of a model keep different things."""
    kinds = layer_kinds(s.shape, s.n_tokens, s.batch, s.kv_bits)
    if len(kinds) == 1:
        return
    rows = [
        (
            f"{len(kind.layers)}", kind.kind + (f", window {kind.window:,}" if kind.window else ""), f"{kind.row:,}",
            f"{kind.n_held:,}", both_bytes(kind.total_bytes),
        )
        for kind in kinds
    ]  # fmt: skip
    tables.table(("layers", "keep", "numbers a token", "tokens", "bytes"), rows)


def _llama_cpp(s: Setup) -> str:
    """What llama.cpp would log, where its layout is known: it keeps some models' windows and not others'."""
    kind = LLAMA_CPP[s.kv_bits]
    logged = llama_cpp_kv_bytes(s.shape, s.n_tokens, s.batch, TYPE_BITS[kind])
    if logged is None:
        return ""
    windows = ""
    if any(s.shape.windows):
        kept = "keeps every token of this model, windows or not" if _keeps_all(s.shape) else "gives windows room for 512 more"
        windows = f" and {kept}"
    return f" llama.cpp (2025), which pads to 256 tokens{windows}, would log {logged / 2**20:,.2f} MiB in {kind}."


def _keeps_all(shape: ModelShape) -> bool:
    """Whether llama.cpp keeps of this model also what no window looks at any more: far behind all windows that shows."""
    far = 2 * max(shape.windows) + 4096
    return llama_cpp_kv_bytes(shape, far) == llama_cpp_kv_bytes(replace(shape, windows=()), far)


def asked_tokens(s: Setup) -> int:
    """The length that the question is about: one that the page does not show."""
    return ASKED if s.n_tokens != ASKED else ASKED // 2


def _windows(shape: ModelShape) -> str:
    """Which of the layers that keep a cache stop growing; nothing where none does."""
    bounded = {bool(window) for window, _ in shape.kept}
    if True not in bounded:
        return ""
    if False not in bounded:
        return " Every layer that keeps them has a window, and stops growing when it is full."
    return " Layers with a window stop growing when it is full, the others go on."


def size_question(s: Setup) -> Question:
    """The cache at 100,000 tokens; at another length where the page shows that one already."""
    n_tokens = asked_tokens(s)
    n_bytes = s.shape.kv_bytes(n_tokens, 1, s.kv_bits)
    unit, power, exponent = next(x for x in UNITS if n_bytes >= x[1] or x is UNITS[-1])
    answer = round(n_bytes / power, 1)
    row = s.shape.kv_bytes_per_token(s.kv_bits)
    windows = _windows(s.shape)
    first = "a token at first" if windows else "a token"
    return Question(
        "cache_size",
        f"One sequence of **{n_tokens:,} tokens** in {md(s.shape.name)}, the cache in {s.kv_bits} bits: how many {unit} "
        f"(10{superscript(exponent)} bytes)?",
        answer,
        f"{row:,} bytes {first}, {n_tokens:,} tokens: {n_bytes:,} bytes = {both_bytes(n_bytes)}.{windows}{_weights(s)}{s.assumed}",
        tolerance=max(0.05, 0.01 * answer),
        unit=unit,
    )


def _weights(s: Setup) -> str:
    """What the weights take beside the cache, where it is known."""
    if s.shape.doubt:
        return ""
    return f" The weights take {both_bytes(s.shape.weight_bytes(s.weight_bits))}, once; this is for one sequence."


@step("Your model", minutes=4, ask="Paste the config.json of a model that you know.")
def your_model(s: Setup, toy: Scenario) -> None:
    """Any config.json, on which device and in how many bits, and what its cache takes beside its weights."""
    pasted_config.box()
    if not everything():  # the first step has the same controls, there on the same page
        setup.model_and_device()
    cache = s.shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    beside = "" if s.shape.doubt else f" beside {decimal_bytes(s.shape.weight_bytes(s.weight_bits))} of weights"
    own, program = (st.container(), None) if presenting() else st.columns([2.2, 1], gap="medium")
    with own:
        takeaway(
            "own",
            f"{md(s.shape.name)}: {both_bytes(s.next_token_bytes)} for the next token, **{both_bytes(cache)}** of cache "
            f"at {quantity(s.n_tokens, 'token')}{beside}. {_fits(s)}{s.assumed}",
        )
    if program:
        with program:
            setup.reserved_field()
    if not presenting():
        with st.expander("What praise of the cache leaves out", icon=":material/info:"):
            st.caption(
                "The cache buys time with memory: it makes long answers affordable and then becomes what limits context and "
                "batch. On weak hardware it is a cost, not a relief. Grouped and latent heads are sometimes called caching "
                "strategies; they are architectures. Memory here adds up requests as if each were as long as the slider says; "
                "serving programs share it in pages."
            )
