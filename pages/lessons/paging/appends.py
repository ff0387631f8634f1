"""How the cache of one sequence grows: four ways to append a row, and what each copies and reserves."""

import streamlit as st

from engine.cost import MODELS, decimal_bytes
from engine.counts import tokens_processed
from engine.toy.scenario import Scenario
from engine.work import append_strategies
from pages.lessons.paging.figures.append_strips import append_strips
from pages.parts.controls.shared_parameters import LENGTHS, G, P
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.format import plural, quantity

SHAPE = MODELS["GPT-2 small"]  # whose rows the bytes are of
ANSWER, FEW = 8, 32  # tokens generated, untouched; tokens up to which pages are of 4
ROOMS = (16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144)  # preallocated: the first that is enough


def room(n_tokens: int) -> int:
    """What is preallocated for n_tokens: the first of ROOMS that is enough."""
    return next(r for r in ROOMS if r >= n_tokens)


@step(
    "Appending rows",
    minutes=4,
    ask="A new array for every token: how many rows are copied?",
    wrong={"One a token": "a new array takes all the old rows along"},
)
def appends(s: Scenario) -> None:
    """Four ways to append, with what each copies."""
    lead("How a cache grows decides whether its old rows are copied.", "KV cache")
    shown = st.container()
    left, right = st.columns(2, gap="medium")
    with left:
        p = P.stops("Prompt tokens, P", LENGTHS, len(s.tokens), LENGTHS[-1])
    with right:
        g = G.stops("Tokens generated, G", LENGTHS, ANSWER, LENGTHS[-1])
    n = tokens_processed(p, g)
    n_page = 4 if n <= FEW else 16
    results = {k: append_strategies.growth(k, p, n, room(n), n_page) for k in ("concatenate", "double", "pages")}
    alt = (
        f"{quantity(p, 'row')} {plural(p, 'arrives', 'arrive')} at once and {n - p:,} one by one. Concatenating copies "
        f"{quantity(results['concatenate'].copied, 'row')} in all, doubling {results['double'].copied:,}, preallocating and pages "
        f"none; reserved and unused at the end: {results['double'].waste:,} by doubling, {room(n) - n:,} preallocated, "
        f"{results['pages'].waste} in pages."
    )
    bytes_copied = decimal_bytes(results["concatenate"].copied * SHAPE.kv_bytes_per_token(32))
    said = f"The one word of this answer adds no row to the prompt’s {quantity(p, 'row')}: nobody copies **any**."
    if n > p:
        said = "What a new array for each token copies grows with the **square** of the answer; doubling copies fewer than 2 a row. In "
        said += f"{SHAPE.name} the copied rows are {bytes_copied}."
    how = (
        "Concatenating copies N(N−1)/2 − P(P−1)/2 rows, N = P + G − 1; doubling has "
        f"{quantity(results['double'].peak, 'row')} at its peak{', while it copies' * (results['double'].copied > 0)}. "
        f"A token’s keys and values: {SHAPE.n_layer} layers × 2 × {SHAPE.n_kv_head} heads × {SHAPE.d_head} × 4 B = "
        f"{SHAPE.kv_bytes_per_token(32):,} B. Pages waste at most {quantity(n_page - 1, 'row')}, but their rows lie apart, and reading "
        "them costs more."
    )
    with shown:
        plot(append_strips(sheet(high=370), p, n, room(n), n_page), alt, "append_strips")
        takeaway("append", said, help=how)
