"""What the counts mean outside the model: speed, energy and money, scale, and who can use it."""

from __future__ import annotations

import streamlit as st

from engine.cost import (
    DEVICES,
    both_bytes,
    decimal_bytes,
    energy_j,
    longest_context,
    memory_use,
    price_per_million_tokens,
    tokens_per_s,
)
from engine.cost.requests import Request, answer_flops, recomputed_flops, recomputed_s, request
from engine.counts import tokens_processed
from engine.toy.scenario import Scenario
from pages.lessons.bridge.steps import rows_question
from pages.parts.controls.shared_parameters import PRICE
from pages.parts.hardware.room import NONE, room
from pages.parts.hardware.setup import Setup
from pages.parts.lesson import tables
from pages.parts.lesson.lesson import step
from pages.parts.question.predict import predict
from pages.parts.text.amounts import amount, flop, money, seconds
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Real

WATTS = Real("watts", high=10_000_000)


def _typed_figures() -> None:
    """Watts and price an hour; the only source of energy and money on the page."""
    left, right = st.columns(2)
    with left:
        WATTS.typed("Watts that all devices draw while they work (yours to type)", placeholder="nothing typed")
    with right:
        PRICE.typed("Price of all devices for an hour, in your currency", placeholder="nothing typed")


@step(
    "What it means",
    minutes=4,
    ask="How many times as many rows without a cache?",
    wrong={"As many times as there are words": "every pass is longer than the one before"},
)
def implications(s: Setup, toy: Scenario, n_generated: int) -> None:
    """Speed, energy, scale, accessibility: what can be computed of each; the rows without a cache wait for the answer."""
    question = rows_question(s, n_generated)
    watts, price = WATTS.value(), PRICE.value()
    r = request(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    rows = [_speed(s, r), _energy(s, r, watts, price), _scale(s), _access(s, r)]
    tables.table(("said of the cache", "computed here"), [row[:2] for row in rows], left=True)
    predict(question)
    if presenting():
        return
    with st.expander("Energy and money from your own figures, and what is not computed", icon=":material/bolt:"):
        _typed_figures()
        for what, _, missing in rows:
            st.markdown(f"- {what}. Not computed: {missing}.")
        st.caption(
            "That the cache is “a cornerstone” is an opinion. It never makes an answer more accurate: it computes the same one "
            "(up to the last digits of rounding), unless the cache itself is cut or coarsened."
        )


def _speed(s: Setup, r: Request) -> tuple[str, str, str]:
    slow = _recomputed_s(s, r)
    return (
        "**Speed**: answers come fluently",
        f"end to end at least {seconds(r.end_to_end_s)} with a cache, {seconds(slow)} without: "
        f"**{amount(slow / r.end_to_end_s)} ×**. TTFT is the same with and without",
        "what a server adds: a queue, the network, its own program. “Fast enough to chat” is the reader’s to judge",
    )


def _recomputed_s(s: Setup, r: Request) -> float:
    """Seconds for the same answer without a cache."""
    return recomputed_s(s.shape, r.n_prompt, r.n_generated, s.device, s.batch, **s.options)


def _saves(s: Setup, r: Request) -> str:
    """What the cache saves, as far as the digits of the row on speed show it: nothing of an answer of one pass."""
    if amount(_recomputed_s(s, r) / r.end_to_end_s) == "1":
        return "saves no time of so short an answer, and memory never"
    return "saves time, never memory"


def _energy(s: Setup, r: Request, watts: float, price: float) -> tuple[str, str, str]:
    """The ratio of operations; joules and money only from what was typed."""
    once, again = (f(s.shape, r.n_prompt, r.n_generated) for f in (answer_flops, recomputed_flops))
    done = f"{flop(once)} for this answer with a cache"
    question = rows_question(s, r.n_generated)
    if question.answered:
        done += (
            f", {flop(again)} without: **{amount(again / once)} ×** the operations, ✓ **{amount(question.answer)} ×** the rows"
        )
    else:
        done += "; without one, after the question below"
    if watts:
        joules = energy_j(watts, r.end_to_end_s)
        done += f"; at your {watts:,.6g} W at least {_little(joules)} J for {_answers(s)}"
    if price:
        rate = tokens_per_s(s.shape, s.n_tokens, s.device, s.batch, **s.options)
        cost = price_per_million_tokens(price, rate)
        done += f"; at your {price:,.6g} an hour at least {_little(cost)} for 10⁶ generated tokens, kept busy"
    missing = [] if watts else ["joules: type the watts"]
    missing += [] if price else ["money: type a price"]
    missing.append(
        "carbon: it depends on where the power comes from. Bytes moved cost energy too, and operations alone do not tell"
    )
    return "**Energy, cost**: less computing", done, "; ".join(missing)


def _little(x: float) -> str:
    """An amount that is next to nothing is not written 0."""
    return amount(x) if x >= 0.1 else money(x)


def _answers(s: Setup) -> str:
    return "this answer" if s.batch == 1 else f"these {s.batch:,} answers"


def _scale(s: Setup) -> tuple[str, str, str]:
    found = room(s)
    holds = f"{found[0].lower()}{found[1:]}" if found.startswith(NONE) else f"room for {found}"
    trained = f"{s.shape.n_ctx:,}" if s.shape.n_ctx else "an unknown length"
    return (
        "**Scale**: long texts, many readers",
        f"on {s.on}: {holds}; trained for {trained}. {_limit(s)}",
        "how well a model uses a long text: fitting is not understanding",
    )


def _limit(s: Setup) -> str:
    """What ends first as texts grow: memory, or what the model was trained for."""
    longest = longest_context(s.shape, s.device, batch=s.batch, **s.memory)
    if longest is None or (s.shape.n_ctx and longest > s.shape.n_ctx):
        return "**Memory limits how many**, training how long"
    return "**Memory becomes the limit**"


def _access(s: Setup, r: Request) -> tuple[str, str, str]:
    n = tokens_processed(r.n_prompt, r.n_generated)
    setup = dict(weight_bits=s.weight_bits, kv_bits=s.kv_bits, reserved_bytes=s.reserved_bytes)
    fits = [d for d in DEVICES.values() if memory_use(s.shape, n, d, s.batch, **setup).fits]
    smallest = min(fits, key=lambda d: d.memory_bytes).name if fits else ""
    found = f"fits on {len(fits)} of the {len(DEVICES)} devices listed here" + (f", the smallest {smallest}" if fits else "")
    cache = s.shape.kv_bytes(n, s.batch, s.kv_bits)
    return (
        "**Accessibility**: weak hardware",
        f"{found}, singly. The cache **adds** {both_bytes(cache)} to {decimal_bytes(s.shape.weight_bytes(s.weight_bits))} of "
        f"weights: it {_saves(s, r)}",
        "what else runs on such a machine, and whether its software knows the model",
    )
