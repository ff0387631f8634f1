"""Fewer key and value heads: MHA, GQA, MQA and a latent, what each keeps, and the mistakes that are common in counting it."""

from __future__ import annotations

import streamlit as st

from engine.cost import (
    binary_bytes,
    both_bytes,
    decimal_bytes,
)
from engine.cost.heads import kind_of_heads, kv_head_choices, with_kv_heads
from engine.cost.mistakes import mistakes
from pages.parts import hardware, scenario, tables
from pages.parts.figures.head_groups import head_groups
from pages.parts.hardware import Setup
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.widgets import show
from pages.parts.words import md, number


def heads(s: Setup) -> None:
    """The same model with other numbers of key/value heads."""
    shape = s.shape
    choices = kv_head_choices(shape)
    if len(choices) == 1:
        _latent(s) if shape.latent else st.markdown(f"{md(shape.name)} has one query head: there is nothing to share.")
        return
    options = {str(n): f"{kind_of_heads(shape.n_head, n)} {n}" for n in choices}
    value = int(scenario.choice_extra("kv_heads", tuple(options), str(shape.n_kv_head)))
    show("extra_kv_heads", str(value))

    def keep() -> None:
        chosen = st.session_state["extra_kv_heads"]
        scenario.set_extra("kv_heads", "" if chosen == str(shape.n_kv_head) else chosen)

    st.select_slider(
        f"Key/value heads of {md(shape.name)}: from one for each query head to one for all", list(options), key="extra_kv_heads",
        on_change=keep, format_func=options.get,
    )  # fmt: skip
    sizes = [with_kv_heads(shape, n).kv_bytes(s.n_tokens, s.batch, s.kv_bits) for n in choices]
    whole, now = sizes[0], sizes[choices.index(value)]
    kind = kind_of_heads(shape.n_head, value)
    alt = (
        f"{shape.n_head} query heads share {value} key/value heads, {kind}. Cache at {s.n_tokens:,} tokens: "
        + "; ".join(f"{n} heads {decimal_bytes(b)}" for n, b in zip(choices, sizes, strict=True))
        + "."
    )
    plot(
        head_groups(shape.n_head, value, shape.n_kv_head, choices, sizes, **look(0.93 if presenting() else 1.0)),
        alt,
        "head_groups",
    )
    with st.container(key="takeaway_heads"):
        smaller = with_kv_heads(shape, shape.n_head).n_params - with_kv_heads(shape, value).n_params
        saved = (
            f"With {value} of {shape.n_head} heads the cache is **{number(value / shape.n_head, 4)}** of MHA’s: it saves "
            f"{both_bytes(whole - now)} of {both_bytes(whole)}, and {smaller:,} parameters of the k and v projections."
            if value < shape.n_head
            else f"With a key and a value for each of {shape.n_head} heads (MHA) nothing is saved: **{both_bytes(whole)}**."
        )
        st.markdown(
            f"{saved} Scores cost the same, since every query head still asks. This is an architecture, chosen in training, not"
            " a setting of the cache: the model shown “as trained” is the only one that exists."
        )


def _latent(s: Setup) -> None:
    """Where the heads share one latent there is nothing to group: what it replaces, instead."""
    wrong = next(m for m in mistakes(s.shape, s.n_tokens, s.batch, s.kv_bits) if m.what.startswith("all heads"))
    with st.container(key="takeaway_heads"):
        st.markdown(
            f"{md(s.shape.name)} caches no heads: one vector of {s.shape.kv_row} numbers a layer serves all {s.shape.n_head} "
            "heads "
            f"as key and as value (multi-head latent attention). Keys and values of all heads would take "
            f"{both_bytes(wrong.wrong_bytes)} at {s.n_tokens:,} tokens, **{number(wrong.factor, 1)} ×** as much as "
            f"{both_bytes(wrong.right_bytes)}. To morph from MHA to MQA, choose another model."
        )


def common_mistakes(s: Setup) -> None:
    """What calculators get wrong, computed for this model, and published cases of it."""
    st.markdown(
        f"**What goes wrong in such sums**, for {md(s.shape.name)} with {s.n_tokens:,} tokens: the same formula with one number "
        "mistaken."
    )
    rows = [
        (m.what, m.how, both_bytes(m.wrong_bytes), f"**{number(m.factor, 3)} ×**")
        for m in mistakes(s.shape, s.n_tokens, s.batch, s.kv_bits)
    ]
    tables.table(("mistake", "how", "gives", "of the right result"), rows)
    models = hardware.models()
    blog, big = models["Llama-3.1-8B"], models["Llama-3.1-405B"]
    st.caption(
        f"Seen in print: Hugging Face’s post on Llama 3.1 gives the 8B’s cache at 16k (16,000) tokens as 1.95 “GB”, which is "
        f"{binary_bytes(blog.kv_bytes(16_000))} = {decimal_bytes(blog.kv_bytes(16_000))}, and the 405B’s twice too large for its "
        f"{big.n_kv_head} key/value heads; the vLLM paper’s “800 KB” a token of OPT-13B are "
        f"{binary_bytes(models['OPT-13B'].kv_bytes_per_token())} = {decimal_bytes(models['OPT-13B'].kv_bytes_per_token())}."
    )
