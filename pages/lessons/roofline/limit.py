"""Who promises a time for each token takes the largest batch that keeps it: tokens a second and price under that limit."""

import streamlit as st

from engine.cost import tokens_per_s
from engine.cost.tpot_limit import Served, served
from pages.lessons.roofline.batching import why_ceiling
from pages.lessons.roofline.figures.throughput import Rates, throughput
from pages.parts.controls.shared_parameters import PRICE, TPOT_MS
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import desk_line
from pages.parts.hardware.setup import BATCHES, Setup
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.amounts import amount, money, plain_number, seconds
from pages.parts.text.format import md, number, plural, quantity, unmarked

LIMITS = (5, 10, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 500, 1000)  # ms; 50 ms is 20 tokens a second, faster than reading


@step(
    "A limit",
    minutes=4,
    ask="Lower the limit step by step: how many sequences are left, and how many tokens a second in all?",
    wrong={
        "Half the time, half the tokens a second": (
            "time and batch are thought to go together: the weights are read in every step, however many share it"
        ),
        "The largest batch is the best": "best for tokens a second in all; each reader waits longer for the next one",
    },
)
def limit(s: Setup, n_generated: int) -> None:
    """The curve of tokens a second against batch, with the largest batch that keeps the promise."""
    desk_line.show(s)
    lead("Each reader waits for the step that all of them share. How many may share it?")
    left, right = st.columns([2, 1], vertical_alignment="bottom")
    with left:
        limit_ms = TPOT_MS.stops("At most so many ms for each token of a reader (TPOT)", LIMITS)
    with right:
        price = PRICE.typed("Price of all devices for an hour, in your currency", placeholder="nothing typed")
    best = served(s.shape, s.n_tokens, s.device, limit_ms / 1e3, **s.memory)
    with_cache, without = ([tokens_per_s(s.shape, n, s.device, b, **s.options) for b in BATCHES] for n in (s.n_tokens, 0))
    at = max(best.batch, 1)
    rates = Rates(BATCHES, with_cache, without, s.ceiling, s.most, why_ceiling(s))
    now = tokens_per_s(s.shape, s.n_tokens, s.device, at, **s.options)
    figure = throughput(sheet(presented=0.98, high=345, slide=440), rates, at, now, curves=True)
    sentence = _in_words(s, best, limit_ms, price) + " An answer of one token needs no such step." * (n_generated == 1)
    plot(figure, f"Tokens a second against batch. {unmarked(sentence)}", "under_a_limit")
    takeaway("limit", sentence)


def _in_words(s: Setup, best: Served, limit_ms: int, price: float) -> str:
    """The largest batch, what it yields, and what stops a larger one."""
    if not best.batch:
        why = "does not fit" if best.stops == "memory" else f"needs {seconds(best.tpot_s)} for each token even alone"
        return f"{md(s.shape.name)} with {quantity(s.n_tokens, 'token')} on {s.on} {why}: no batch keeps {limit_ms:,} ms."
    stops = (
        "memory is full, the token of the step counted" if best.stops == "memory" else f"one more would exceed {limit_ms:,} ms"
    )
    text = (
        f"At most **{best.batch:,}** {plural(best.batch, 'sequence')} at once {plural(best.batch, 'keeps', 'keep')} {limit_ms:,} ms "
        f"on {s.on}: each token after {seconds(best.tpot_s)}, **{amount(best.tokens_per_s)}** tokens a second in all; "
        f"{stops}.{s.assumed} "
    )
    if price:
        cost = best.price(price)
        said = number(cost, 3) if cost >= 0.1 else money(cost)
        return text + f"At your {plain_number(price)} an hour, 10⁶ generated tokens cost at least **{said}**."
    return text + "Type a price an hour for the cost of 10⁶ tokens."
