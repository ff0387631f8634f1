"""The lesson on counting: sizes, passes, three ways, growth, and how a cache grows. Counts come from engine.counts and ways."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import streamlit as st

from engine.append import growth
from engine.cost import MODELS
from engine.counts import Counts, cached_counts, last_query_counts, recomputed_counts, tokens_processed
from engine.decode import generate
from engine.toy import Scenario
from engine.ways import doubling
from pages.parts import scenario, widgets
from pages.parts.figures.append_strips import append_strips
from pages.parts.figures.growth_curves import CURVES, growth_curves
from pages.parts.figures.strips import count, times
from pages.parts.figures.work_passes import work_passes
from pages.parts.look import look, presenting
from pages.parts.plot import plot

SIZES = (*range(1, 17), 20, 24, 32, 48, 64, 100, 128, 200, 256, 500, 512, 1000, 2000, 4000, 10_000, 32_000, 100_000)
MOST = SIZES[-1]
SHAPE = MODELS["GPT-2 small"]  # whose rows the bytes are of
ANSWER = 8  # tokens generated, untouched
COUNTED = 32  # tokens up to which the engine runs both ways at every edit; 64 is what the toy can hold
ROOMS = (16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144)  # preallocated: the first that is enough


def sizes(s: Scenario) -> tuple[int, int]:
    """P and G: from the link, else the length of the scenario's prompt and ANSWER."""
    return (
        scenario.whole_extra("p", len(s.tokens), 1, MOST),
        scenario.whole_extra("g", ANSWER, 1, MOST),
    )


def controls(s: Scenario) -> None:
    """The two lengths, apart: what the reader wrote, and what the model writes."""
    p, g = sizes(s)
    left, right = st.columns(2, gap="medium")
    with left:
        _size("p", "Prompt tokens, P", p, len(s.tokens))
    with right:
        _size("g", "Tokens generated, G", g, ANSWER)


def _size(name: str, label: str, value: int, default: int) -> None:
    """A slider over SIZES; a number from a link that is none of them takes its place among them."""
    key = f"extra_{name}"
    options = sorted({*SIZES, value, default})
    widgets.show(key, value)

    def keep() -> None:
        chosen = st.session_state[key]
        scenario.set_extra(name, "" if chosen == default else str(chosen))

    st.select_slider(label, options, key=key, format_func=lambda n: f"{n:,}", on_change=keep)


def passes(s: Scenario) -> None:
    """Both runs pass by pass."""
    p, g = sizes(s)
    without, cached = recomputed_counts(p, g), cached_counts(p, g)
    alt = (
        f"Work of {p} prompt tokens and {g} generated ones, for one head of one layer. Without a cache {g} passes over {p} to "
        f"{p + g - 1} tokens compute {without.kv_rows} key and value rows and {without.scores} score products. With a cache the "
        f"first pass computes {p} rows and each later one 1, together {cached.kv_rows} rows and {cached.scores} products."
    )
    plot(work_passes(p, g, **look()), alt, "work_passes")


def passes_takeaway(s: Scenario) -> None:
    """What the cache saves of this answer, kind by kind."""
    p, g = sizes(s)
    without, cached = recomputed_counts(p, g), cached_counts(p, g)
    with st.container(key="takeaway"):
        st.markdown(
            f"The cache computes **{count(cached.kv_rows)}** K/V rows instead of {count(without.kv_rows)} "
            f"({times(without.kv_rows / cached.kv_rows)}): each once, N = P + G − 1, because the last word is never fed back. "
            f"Score products fall to {count(cached.scores)} ({times(without.scores / cached.scores)}). They are not gone: "
            "a new query still meets **every** cached key, one product more at each step."
        )


def three_ways(s: Scenario) -> None:
    """The three baselines with their closed forms, and the counts of the engine beside them where it can run them."""
    if presenting():
        controls(s)
    p, g = sizes(s)
    rows = (
        ("**No cache, recompute everything**  \nwhat a model of several layers must do", recomputed_counts(p, g),
         "GP + G(G−1)/2", "the same", "[N(N+1)(N+2) − (P−1)P(P+1)] / 6"),
        ("**No cache, last query only**  \nenough for one layer; the article’s first version", last_query_counts(p, g),
         "GP + G(G−1)/2", "N", "N(N+1)/2"),
        ("**KV cache**", cached_counts(p, g), "N", "N", "N(N+1)/2"),
    )  # fmt: skip
    table = ["| For one head of one layer | K/V rows | query rows | score products |", "|:--|--:|--:|--:|"]
    for name, c, kv, queries, scores in rows:
        cells = [f"**{count(n)}**  \n{form}" for n, form in ((c.kv_rows, kv), (c.query_rows, queries), (c.scores, scores))]
        cells = [cell.replace("  \n", "<br>") for cell in (name, *cells)]
        table.append(f"| {' | '.join(cells)} |")
    st.markdown("\n".join(table), unsafe_allow_html=True)
    st.markdown(_counted_or_not(s, p, g))


def _counted_or_not(s: Scenario, p: int, g: int) -> str:
    n = tokens_processed(p, g)
    head = f"P = {p:,}, G = {g:,}, so N = P + G − 1 = {n:,}. "
    if n > COUNTED:
        return (
            f"{head}By formula: nothing of this size is run. Up to N = {COUNTED} the engine runs both ways while you look, and "
            "counts what it does."
        )
    without, cached = counted(s, p, g, use_cache=False), counted(s, p, g, use_cache=True)
    same = without == recomputed_counts(p, g) and cached == cached_counts(p, g)
    return (
        f"{head}The engine has just run both and counted: {without.kv_rows}, {without.query_rows} and {without.scores} "
        f"without a cache, {cached.kv_rows}, {cached.query_rows} and {cached.scores} with it: "
        f"**{'equal to the formulas' if same else 'not what the formulas say'}**. The middle line is a formula only."
    )


def counted(s: Scenario, n_prompt: int, n_generated: int, use_cache: bool) -> Counts:
    """The work of a real run over the scenario's prompt, repeated or cut to n_prompt tokens, counted pass by pass.

    The mask is on and empty rows give 0: counts do not depend on values or rules, and a run must not stop at a NaN.
    """
    return _counted(replace(s, causal=True, empty_row="none"), n_prompt, n_generated, use_cache)


@lru_cache(maxsize=512)
def _counted(s: Scenario, n_prompt: int, n_generated: int, use_cache: bool) -> Counts:
    return generate(s.model(), toy_ids(s, n_prompt), n_generated, use_cache).counts


def toy_ids(s: Scenario, n: int) -> list[int]:
    """The prompt's ids over again until there are n."""
    return [s.prompt_ids[i % len(s.tokens)] for i in range(n)]


def growth_figure(s: Scenario) -> None:
    """The curves, with a switch for the axes."""
    if presenting():
        controls(s)
    p, g = sizes(s)
    view = widgets.extra_choice("view", "Axes", {"log": "logarithmic", "linear": "plain"}, "log", label_visibility="collapsed")
    factors = "; ".join(f"{c.name} by {doubling(c.way, c.kind, p, g):.3f}" for c in CURVES)
    alt = f"Work against tokens generated, for {p} prompt tokens. From {g} to {2 * g} tokens it multiplies: {factors}."
    plot(growth_curves(p, g, view == "log", **look()), alt, "growth_curves")


def growth_takeaway(s: Scenario) -> None:
    """What "O(n²) becomes O(n)" is true of, and what not."""
    p, _ = sizes(s)
    long = max(1000, p)
    with st.container(key="takeaway_growth"):
        st.markdown(
            "**“The cache turns O(n²) into O(n)” is true of the key and value projections** (and of the rest that is done once a "
            f"token, such as the MLP): twice the answer, G = {long:,} → {2 * long:,}, costs "
            f"×{doubling('cache', 'kv_rows', p, long):.3f} with it and ×{doubling('recompute', 'kv_rows', p, long):.3f} without. "
            "**It is not true of attention**: each step reads every cached row, O(n) a step and O(N²) over the answer, "
            f"×{doubling('cache', 'scores', p, long):.3f}; recomputing everything it would be O(N³), "
            f"×{doubling('recompute', 'scores', p, long):.3f}."
        )


def room(n_tokens: int) -> int:
    """What is preallocated for n_tokens: the first of ROOMS that is enough."""
    return next(r for r in ROOMS if r >= n_tokens)


def appends(s: Scenario) -> None:
    """Four ways to append, with what each copies."""
    p, g = sizes(s)
    n = tokens_processed(p, g)
    n_page = 4 if n <= COUNTED else 16
    results = {k: growth(k, p, n, room(n), n_page) for k in ("concatenate", "double", "pages")}
    alt = (
        f"{p} rows arrive at once and {n - p} one by one. Concatenating copies {results['concatenate'].copied} rows in all, "
        f"doubling {results['double'].copied}, preallocating and pages none; reserved and unused at the end: "
        f"{results['double'].waste} by doubling, {room(n) - n} preallocated, {results['pages'].waste} in pages."
    )
    plot(append_strips(p, n, room(n), n_page, SHAPE.kv_bytes_per_token(32), **look()), alt, "append_strips")
    with st.container(key="takeaway_append"):
        st.markdown(
            f"Concatenating copies N(N−1)/2 − P(P−1)/2 = **{count(results['concatenate'].copied)}** rows to keep {count(n)}: the "
            "square that the cache had removed from the arithmetic comes back as copying. Doubling copies fewer than 2 a row; a "
            f"preallocated cache (our engine’s; {count(room(n))} rows here) and pages of {n_page} copy **0**. Pages waste at "
            f"most {n_page - 1} rows, but their rows lie apart, and reading them costs more."
        )
        st.caption(
            f"Bytes are those of {SHAPE.name} in fp32: a token’s keys and values, {SHAPE.n_layer} layers × 2 × {SHAPE.n_kv_head} "
            f"heads × {SHAPE.d_head} × 4 B = {SHAPE.kv_bytes_per_token(32):,} B."
        )
