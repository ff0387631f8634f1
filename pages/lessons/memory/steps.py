"""The lesson on the cache’s size in words: what the next token adds, what fits, what no sum counts, and the question."""

from dataclasses import replace

import streamlit as st

from engine.cost import ModelShape, both_bytes, layer_kinds, llama_cpp_kv_bytes, longest_context
from engine.cost.multiplication import kv_factors
from engine.serving.listed_names import TYPE_BITS
from engine.toy.scenario import Scenario
from pages.parts.hardware import setup
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.question.question import Question
from pages.parts.text.amounts import factor_text
from pages.parts.text.format import md, number, plural, quantity, superscript
from pages.parts.visit import scenario
from pages.parts.visit.display import presenting

ASKED = 100_000  # tokens
UNITS = (("GB", 1e9, 9), ("MB", 1e6, 6), ("kB", 1e3, 3))
LLAMA_CPP = {16: "f16", 8: "q8_0", 4: "q4_0"}  # its types of a cached number; quantised ones have a scale for every 32
NONE = "Not even one token fits"


def given() -> tuple[Setup, Scenario]:
    """What runs on what, and the toy to compare it with."""
    return setup.setup(), scenario.current()


def next_token(s: Setup) -> str:
    """What one more token adds, and how often several devices keep it."""
    return f"The next token adds **{both_bytes(s.next_token_bytes)}**{_windows_said(s)}.{_copies(s)}"


def _windows_said(s: Setup) -> str:
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


def room(s: Setup) -> str:
    """ "**15** sequences of 8,192 tokens, or for one of 130,000 tokens"; NONE and why where the weights alone are too much."""
    longest = longest_context(s.shape, s.device, batch=s.batch, **s.memory)
    now = f"**{s.most_sequences:,}** {plural(s.most_sequences, 'sequence')} of {quantity(s.n_tokens, 'token')}"
    if longest == 0:
        none = s.batch == 1 or longest_context(s.shape, s.device, batch=1, **s.memory) == 0
        why = "more devices, or fewer bits a parameter"
        if s.all_reserved:
            why = "what a program keeps for itself is all that a device has"
        return f"{NONE}: {why}" if none else f"{now}, and not for one token of each of {s.batch:,}"
    so_many, each = ("one", "") if s.batch == 1 else (f"{s.batch:,}", " each")
    if longest is None and not s.shape.next_token_bytes(s.n_tokens):
        return f"{now}, or of any length, since a further token adds nothing"
    if longest is None:
        return f"{now}, or for {so_many} of any length{each}, no layer keeping every token"
    return f"{now}, or for {so_many} of {quantity(longest, 'token')}{each}"


def fits_said(s: Setup) -> str:
    """How much fits, in one sentence; nothing of a model whose weights are not known."""
    if s.shape.doubt:
        return "What fits beside its parameters is not said: its number of parameters is not known."
    space = room(s)
    if space.startswith(NONE):
        return f"{space}."
    trained = f"trained for {s.shape.n_ctx:,}" if s.shape.n_ctx else "trained for an unknown length"
    return f"Room for {space} ({trained})."


def length(s: Setup) -> str:
    """ "8,192 tokens", and of how many sequences."""
    return quantity(s.n_tokens, "token") + f" of each of {s.batch:,} sequences" * (s.batch > 1)


def formula(s: Setup) -> None:
    """The multiplication as text to copy."""
    factors = kv_factors(s.shape, s.n_tokens, s.batch, s.kv_bits)
    result = s.shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    text = " * ".join(factor_text(f).replace(",", "").replace("×", "*") for f in factors)
    names = " × ".join(f.what for f in factors)
    said = "" if presenting() else f"  # bytes: {names}"  # a second line of it has no room on a slide
    tables.formula(f"{text} == {result}{said}", "size")


def left_out(s: Setup) -> None:
    """The sum layer by layer, what a running program allocates, and what no formula counts."""
    _layer_by_layer(s)
    own = f" and of {md(s.shape.name)}’s file" * (s.weight_bits == s.shape.stored_bits and s.shape.quantised[0] == 8)
    st.caption(
        f"GB is 10⁹ bytes, GiB is 2³⁰ = 1.0737 · 10⁹.{_llama_cpp(s)} Left out of the sums here: the unused end of pages, the "
        f"scales of numbers of plain 8 and 4 bits (llama.cpp’s q8_0 is 8.5 bits, q4_0 4.5){own}, and what a program needs for itself, "
        f"unless you type it. Shape: {md(s.shape.source)}. Device: {md(s.device.source)}."
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
    digits = 1 if n_bytes >= power else 3  # of less than a kB all bytes are written
    answer = round(n_bytes / power, digits)
    row = s.shape.kv_bytes_per_token(s.kv_bits)
    windows = _windows(s.shape)
    first = "a token at first" if windows else "a token"
    return Question(
        "cache_size",
        f"One sequence of **{n_tokens:,} tokens** in {md(s.shape.name)}, the cache in {s.kv_bits} bits: how many {unit} "
        f"(10{superscript(exponent)} bytes)?",
        answer,
        f"{row:,} bytes {first}, {n_tokens:,} tokens: {n_bytes:,} bytes = {both_bytes(n_bytes)}.{windows}{_weights(s)}{s.assumed}",
        tolerance=max(0.5 / 10**digits, 0.01 * answer),
        unit=unit,
    )


def _weights(s: Setup) -> str:
    """What the weights take beside the cache, where it is known."""
    if s.shape.doubt:
        return ""
    return f" The parameters take {both_bytes(s.shape.weight_bytes(s.weight_bits))}, once; this is for one sequence."
