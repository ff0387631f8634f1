"""Other models beside the chosen one: bytes of the same tokens, and the table behind them."""

from collections import Counter
from collections.abc import Sequence

import streamlit as st

from engine.cost import ModelShape, both_bytes, decimal_bytes, layer_caches
from engine.cost.shapes.head_groups import kind_of_heads
from engine.prefill import filled_cache
from engine.toy.scenario import Scenario
from pages.lessons.memory import steps
from pages.lessons.memory.figures.caches import Found, Kept, caches
from pages.lessons.memory.steps import size_question
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup, setup_line
from pages.parts.hardware.setup import Setup
from pages.parts.hardware.weight_formats import on_average
from pages.parts.lesson import tables
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway
from pages.parts.question.question import Question, answer_text, written
from pages.parts.text.amounts import amount
from pages.parts.text.format import join, md, number, quantity
from pages.parts.visit import control_locks
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Text, set_widget

COMPARED = ("Llama-2-7B", "Gemma-3-27B", "DeepSeek-V3")  # beside the chosen model: no grouping, windows, a latent
MOST_COMPARED = 3
COMPARED_WITH = Text("compare")  # names with commas between them, or "none"


def compared(s: Setup) -> tuple[ModelShape, ...]:
    """The chosen model and up to three others, from the link."""
    text, there = COMPARED_WITH.text(), setup.models()
    names = [] if text == "none" else [n for n in text.split(",") if n in there][:MOST_COMPARED] or list(COMPARED)
    return (s.shape, *(there[n] for n in dict.fromkeys(names) if there[n] != s.shape))


def _choose_compared(s: Setup) -> None:
    there = setup.models()
    names = [name for name, shape in there.items() if shape in compared(s)[1:]]
    set_widget("memory_compare_with", names)

    def keep() -> None:
        chosen = st.session_state["memory_compare_with"]
        COMPARED_WITH.set_text(",".join(chosen) if chosen else "none")

    st.multiselect(
        "Compare with up to three models", [n for n in there if there[n] != s.shape], key="memory_compare_with",
        max_selections=MOST_COMPARED, select_all=False, label_visibility="collapsed", on_change=keep,
        format_func=lambda name: there[name].name,
        **control_locks.control(COMPARED_WITH.name, "Compared models"),
    )  # fmt: skip


@step(
    "Other models",
    minutes=4,
    ask="Which of these keeps the largest cache, and is it the largest model? One long sequence: multiply it out.",
    wrong={
        "The largest model": "it may be, but not for its parameters: the cache grows with layers, key heads and length",
        "Half of it": "keys and values are two, unless a model keeps one latent for both",
        "Several times as much": "query heads are counted, where key and value heads are fewer, or a latent is all that is kept",
        "GiB given for GB": "10⁹ and 2³⁰ differ by seven per cent",
    },
)
def compare(s: Setup, toy: Scenario) -> None:
    """The caches as bars, and the table behind them."""
    lead("The same tokens, kept by different models. What makes a cache large?")
    shown = st.container()  # above what it is compared with
    left, middle, right = st.columns([1, 1.1, 0.35], vertical_alignment="center")
    with left:
        setup_line.show(s)
    with middle:
        _choose_compared(s)
    question = size_question(s)
    shapes, cache = compared(s), filled_cache(toy.model(), toy.prompt_ids)
    if not presenting():
        with right, st.popover("All numbers", icon=":material/table:", key="memory_all_numbers", width="stretch"):
            _table(s, shapes)
            steps.formula(s)
            steps.left_out(s)
    kept = [_kept(s, shape) for shape in shapes]
    of = f"KV cache of {quantity(s.batch, 'sequence')} of {quantity(s.n_tokens, 'token')}, {s.kv_bits:g} bits"
    alt = f"{of}. " + "; ".join(
        f"{one.name}, {one.why}: {decimal_bytes(one.n_bytes)}, {one.next_bytes:,} bytes for the next token" for one in kept
    )
    found = _found(s, question)
    alt += f". {found.name} {found.at}: {found.said or '?'}"
    with shown:
        plot(caches(sheet(0.97, slide_zoom=1.02, high=362), of, kept, found), f"{alt}.", "caches")
        toy_said = f"The toy’s cache, to compare: {quantity(cache.n_tokens, 'token')}, {cache.nbytes:,} bytes."
        times, why = _times_as_much(s, shapes), _why_more_or_less(s.n_tokens, shapes)
        more = f"{times}. {toy_said}" if why else toy_said
        question_and_takeaway(question, "growth", f"{why or f'{times}.'}{s.assumed}", help=more, widths=(1.3, 1))


def _found(s: Setup, question: Question) -> Found:
    """The chosen model's cache at the length that is asked about; of how many bytes, once that is answered."""
    at = f"at {steps.asked_tokens(s):,} tokens"
    if not question.answered:
        return Found(s.shape.name, at)
    return Found(s.shape.name, at, answer_text(question), "" if question.guess is None else written(question, question.guess))


def _kept(s: Setup, shape: ModelShape) -> Kept:
    """A model's row: what a token keeps, and how many of its layers forget."""
    bounded = sum(n for (window, _), n in shape.kept.items() if 0 < window < s.n_tokens)
    keeping = sum(n for (_, row), n in shape.kept.items() if row)  # the others keep states, or borrow
    of = f"{keeping} of " * (keeping < shape.n_layer)
    layers = of + quantity(shape.n_layer, "layer") + f" ({bounded} with windows)" * bool(bounded)
    heads = f"a latent of {shape.kv_row:,}" if shape.latent else f"{quantity(shape.n_kv_head, 'KV head')} of {shape.d_head}"
    why = f"{layers} × {heads}" + ", states" * bool(shape.state_bytes())
    sizes = shape.next_token_bytes(s.n_tokens, s.kv_bits), shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits)
    layers = [one.kv_bytes for one in layer_caches(shape, s.n_tokens, s.batch, s.kv_bits)]
    keys = 1.0 if shape.latent else shape.d_head / (shape.d_head + shape.d_v)
    return Kept(shape.name, why, *sizes, layers, keys, 1 if shape.latent else shape.n_kv_head)


def _times_as_much(s: Setup, shapes: tuple[ModelShape, ...]) -> str:
    """The chosen model's cache beside each of the others."""
    own, *others = (shape.kv_bytes(s.n_tokens, s.batch, s.kv_bits) for shape in shapes)
    beside = [_beside_another(own, n, shape) for shape, n in zip(shapes[1:], others, strict=True) if n and own]
    of = " of keys and values" * any(shape.state_bytes() for shape in shapes)  # states are in the table
    keeps = f"{md(s.shape.name)} keeps **{both_bytes(own)}**{of}"
    if not beside:
        return f"{keeps} here"
    return f"At {steps.length(s)} {keeps}: {join(beside)}"


def _why_more_or_less(n_tokens: int, shapes: Sequence[ModelShape]) -> str:
    """What makes these models keep more or less at that length: of all that can, what they have; "" where they are alike."""
    with_heads = [x for x in shapes if not x.latent]
    apart = len({x.kv_row for x in with_heads}) > 1  # wider and shared by more may be as much
    there = {
        "layers": len({x.n_layer for x in shapes}) > 1,
        "widths": apart and len({x.n_head * x.d_head for x in with_heads}) > 1,
        "shared heads": apart and len({x.n_kv_head / x.n_head for x in with_heads}) > 1,
        "windows": len({_windows(x, n_tokens) for x in shapes}) > 1,
        "latents": len({x.latent and x.kv_row for x in shapes}) > 1, "states": len({_in_place(x) for x in shapes}) > 1,
    }  # fmt: skip
    why = join([name for name, has in there.items() if has] or [""])
    return f"{why.capitalize()} are why." if why else ""


def _in_place(shape: ModelShape) -> float:
    """The share of the layers that keep a state in place of keys and values; others may keep one beside them."""
    return 1 - sum(shape.kept.values()) / shape.n_layer if shape.state_bytes() else 0.0


def _windows(shape: ModelShape, n_tokens: int) -> frozenset[tuple[int, float]]:
    """The windows that are full at that length, each with its share of the layers."""
    full = Counter(window for window in shape.windows if 0 < window < n_tokens)
    return frozenset((window, n / shape.n_layer) for window, n in full.items())


def _beside_another(own: int, other: int, shape: ModelShape) -> str:
    """One cache against another: so many times as large, or a small part of it."""
    ratio = own / other
    if ratio < 0.01:
        return f"**1/{amount(other / own)}** of that of {md(shape.name)}"
    return f"**{amount(ratio) if ratio >= 1 else f'{ratio:.2g}'} ×** that of {md(shape.name)}"


def _weights(s: Setup, x: ModelShape) -> str:
    """Bytes of its weights, and of how many bits, since not all may have the same."""
    bits = s.weight_bits_of(x)
    return tables.unbroken(f"{both_bytes(x.weight_bytes(bits))} in {number(bits)} bits{on_average(x, bits)}")


def _table(s: Setup, shapes: tuple[ModelShape, ...]) -> None:
    """Every model's numbers, on the page and as a file."""
    kinds = ["latent" if x.latent else kind_of_heads(x.n_head, x.n_kv_head) for x in shapes]
    cache = f"cache at {s.n_tokens:,}{f' × {s.batch:,}' * (s.batch > 1)}"
    head = ("model", "attention", "layers", "KV heads", "head width", "next token", cache, "parameters")
    rows = [
        (
            md(tables.unbroken(x.name)), kind + ", windows" * any(x.windows) + ", states" * bool(x.state_bytes()), f"{x.n_layer}",
            "one latent" if x.latent else f"{x.n_kv_head}",
            f"{x.kv_row if x.latent else x.d_head}{f' + {x.d_index}' * bool(x.d_index)}",
            f"{x.next_token_bytes(s.n_tokens, s.kv_bits):,} B",
            tables.unbroken(both_bytes(x.kv_bytes(s.n_tokens, s.batch, s.kv_bits))),
            "not known" if x.doubt else _weights(s, x),
        )
        for x, kind in zip(shapes, kinds, strict=True)
    ]  # fmt: skip
    tables.table(head, rows)
    raw_head = (
        "model", "attention", "n_layer", "n_kv_head", "d_head", "n_params", "weight_bits", "weight_bytes", "kv_bits",
        "kv_bytes_per_token", "next_token_bytes", "n_tokens", "batch", "kv_bytes", "source",
    )  # fmt: skip
    raw = [
        (
            x.name, kind, x.n_layer, x.n_kv_head, x.d_head, *(("",) * 3 if x.doubt else (x.n_params, s.weight_bits_of(x),
            x.weight_bytes(s.weight_bits_of(x)))), s.kv_bits,
            x.kv_bytes_per_token(s.kv_bits), x.next_token_bytes(s.n_tokens, s.kv_bits), s.n_tokens, s.batch,
            x.kv_bytes(s.n_tokens, s.batch, s.kv_bits), x.source,
        )
        for x, kind in zip(shapes, kinds, strict=True)
    ]  # fmt: skip
    tables.download("kv_cache", raw_head, raw)
