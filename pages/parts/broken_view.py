"""The caches that must fail: a stale key, a shifted position, the mask off in deeper models; with their sentences."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.broken import SHIFTS, StaleKey, shifted, shifted_ids, stale_key
from engine.cache import KVCache
from engine.compare import ROUNDING, largest_gap, last_row_gaps, position_gaps, row_gaps
from engine.decode import decode_step, recompute
from engine.prefill import prefill
from engine.stack import MAX_LAYERS, StackModel
from engine.toy import Scenario
from pages.parts import scenario, widgets
from pages.parts.figures.gap_grid import Block, gap_grid
from pages.parts.figures.shifted_rows import shifted_rows
from pages.parts.figures.stale_key import stale_key as stale_key_figure
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.walk import Walk
from pages.parts.words import apart, join, md, number

NEVER = "with none of them"


def _first(walk: Walk) -> int:
    """The first word of the answer: what the broken caches are tried with."""
    return walk.run.token_ids[0] if walk.run.token_ids else 0


def _stale_question(s: Scenario, token: int, found: StaleKey) -> tuple[str, float]:
    h, n = found.head, len(s.tokens)
    cached, whole = (number(layer.context[h, -1, 0]) for layer in (found.cached, found.whole))
    question = (
        f"The article’s listing gives head {h + 1} a key that answers “**am I the last token?**”. After “{md(s.words[token])}”, "
        f"at position {n + 1}, that head’s context is **{cached}** with the cache and **{whole}** recomputed. "
        "Which position holds the stale key?"
    )
    return question, float(n)


def ask_stale(s: Scenario, walk: Walk) -> None:
    """The article's two outputs, and which key explains them."""
    token = _first(walk)
    found = stale_key(s, token)
    question, position = _stale_question(s, token, found)
    k = found.cached.k[found.head, :, 0]
    predict(
        "stale",
        question,
        position,
        f"“{md(s.tokens[-1])}” was the last token when its key was made, and the cached key still says so: "
        f"{number(k[-2], sign=True)}, as does the new token’s own, {number(k[-1], sign=True)}. "
        "The article prints both results and calls them identical.",
        tolerance=0,
    )


def stale(s: Scenario, walk: Walk) -> None:
    """The stale key, its patch and the key that needs none; on a page once the question is answered."""
    token = _first(walk)
    found = stale_key(s, token)
    if not (presenting() or answered("stale", *_stale_question(s, token, found))):
        st.markdown("Once you have committed, the key, its patch and a better key appear here.")
        return
    h, n = found.head, len(s.tokens)
    cached, whole, mended = (number(layer.context[h, -1, 0]) for layer in (found.cached, found.whole, found.patched))
    before, after = number(found.before.context[h, -1, 0]), number(found.whole.context[h, -2, 0])
    moved = f"moves from {before} to **{after}**" if before != after else f"stays {after}"
    plot(
        stale_key_figure(found, (*s.tokens, s.words[token]), **look()),
        f"Scores of {s.words[token]} in head {h + 1}: context {cached} with the cache, {whole} recomputed, {mended} patched, "
        f"{number(found.principled.context[h, -1, 0])} with the rule self. Position {n}: {before} before, {after} recomputed.",
        "stale_key",
    )
    with st.container(key="takeaway_stale"):
        st.markdown(
            f"The patch, an old key set to −1, gives {mended}; but a cache is append-only, and ours answers `{found.refusal}`. "
            f"No patch tells position {n} either that its own row, recomputed, {moved}. "
            "**A key may say only what its token knows when it enters.**"
        )


def shift(s: Scenario, walk: Walk) -> None:
    """The same token behind a cache with a row too few or too many."""
    token, model = _first(walk), walk.model
    shifts = [x for x in SHIFTS if len(s.tokens) + x >= 1]
    caches, passes = [], [shifted(model, s.prompt_ids, token, x) for x in shifts]
    for x, run in zip(shifts, passes, strict=True):
        layer = run.layers[0]
        fed = [s.id_words[i] for i in shifted_ids(s.prompt_ids, x)]
        contexts = np.where(layer.empty[:, -1], np.nan, layer.context[:, -1, 0])
        winner = s.words[int(np.argmax(run.logits[-1]))] if np.isfinite(run.logits).all() else "NaN"
        caches.append((_fed(x, s), [*fed, s.words[token]], contexts, winner))
    at = shifts.index(0)
    logits = [largest_gap(run.logits[-1], passes[at].logits[-1]) for run in passes]
    plot(
        shifted_rows(caches, at, **look()),
        "; ".join(f"{title}: logits off by {apart(gap)}" for (title, *_), gap in zip(caches, logits, strict=True)),
        "shifted_rows",
    )
    names = {-1: "one row missing", 1: "one too many"}
    wrong = join([f"**{apart(gap)}** ({names[x]})" for x, gap in zip(shifts, logits, strict=True) if x])
    with st.container(key="shift_caption"):
        st.markdown(
            f"The same token “{md(s.words[token])}”, the same code; one row off, and its logits are off by up to {wrong}. "
            "Nobody is warned: the shapes all fit. Our cache counts its rows, and that count *is* the position; a program that "
            "takes the position from its caller can be wrong with the right rows too."
        )


def _fed(shift_: int, s: Scenario) -> str:
    """What went into the cache, as a title."""
    last = s.tokens[-1][:12]
    return {-1: f"one row missing: “{last}” was never fed", 0: "right", 1: f"one row too many: “{last}” was fed twice"}[shift_]


def depth_passes(s: Scenario, token: int, n_layer: int, seed: int, causal: bool):
    """(prefill and one decode step behind it, the same tokens in one pass) of the model of several layers."""
    model = StackModel(n_layer, len(s.id_words), seed, causal)
    cache = KVCache.for_model(model, len(s.tokens) + 1)
    passes = [prefill(model, s.prompt_ids, cache), decode_step(model, token, cache)]
    return passes, recompute(model, (*s.prompt_ids, token))


def _logit_gaps(s: Scenario, token: int, seed: int) -> dict[tuple[int, bool], float]:
    """max |Δ| of the new row's logits, by (layers, mask on)."""
    gaps = {}
    for n_layer in range(1, MAX_LAYERS + 1):
        for causal in (True, False):
            passes, whole = depth_passes(s, token, n_layer, seed, causal)
            gaps[n_layer, causal] = last_row_gaps(passes[-1], whole)["logits"]
    return gaps


def _seed() -> int:
    return scenario.whole_extra("layer_seed", 0, 0, 99)


def _depth_question(s: Scenario, token: int, gaps: dict) -> tuple[str, str]:
    question = (
        f"Models of 1, 2 and {MAX_LAYERS} layers with random parameters, and the **mask off**: every row may look at later "
        f"tokens too. Then “{md(s.words[token])}” is decoded with the keys and values that were cached. From how many layers on "
        "is its row wrong?"
    )
    wrong = [n for n in range(1, MAX_LAYERS + 1) if gaps[n, False] > ROUNDING]
    return question, str(wrong[0]) if wrong else NEVER


def ask_depth(s: Scenario, walk: Walk) -> None:
    """The mask off, with one layer and with more: from which depth on the cache is no longer true."""
    gaps = _logit_gaps(s, _first(walk), _seed())
    off = join([f"{apart(gaps[n, False])} with {n}" for n in range(1, MAX_LAYERS + 1)])
    on = apart(max(gaps[n, True] for n in range(1, MAX_LAYERS + 1)))
    question, depth_ = _depth_question(s, _first(walk), gaps)
    predict(
        "depth",
        question,
        depth_,
        "A layer makes its keys and values from the rows that reach it. In layer 1 a row is its token and nothing else; from "
        "layer 2 on it has looked around, and without the mask it should have looked at the new token too, which was not there "
        "yet. "
        f"Mask off, the new row’s logits differ from recomputed ones by {off}; mask on, by at most {on}.",
        options=(*(str(n) for n in range(1, MAX_LAYERS + 1)), NEVER),
    )


def depth(s: Scenario, walk: Walk) -> None:
    """Layer by layer and position by position, mask on and off; on a page once the question is answered."""
    token, seed = _first(walk), _seed()
    gaps = _logit_gaps(s, token, seed)
    if not (presenting() or answered("depth", *_depth_question(s, token, gaps))):
        st.markdown("Once you have committed, the differences appear here, layer by layer.")
        return
    left, right = st.columns(2, vertical_alignment="center")
    with left:
        layers = {str(n): f"{n} layer{'s' * (n > 1)}" for n in range(1, MAX_LAYERS + 1)}
        n_layer = int(widgets.extra_choice("layer", "Layers", layers, "2", label_visibility="collapsed"))
    with right:
        widgets.extra_slider("layer_seed", "Seed of the parameters", 0, 99, 0, 1)
    blocks, old = [], 0.0
    for causal in (True, False):
        passes, whole = depth_passes(s, token, n_layer, seed, causal)
        names, apart_ = position_gaps(passes, whole)
        old = row_gaps(passes[0], whole).max()
        blocks.append(Block(f"Mask {'on' if causal else 'off'}", names, (*s.tokens, s.words[token]), apart_))
    plot(
        gap_grid(blocks, "cached against recomputed, by position", 2 * MAX_LAYERS + 1, **look()),
        f"{n_layer} layers. Mask on: largest difference {apart(blocks[0].gaps.max())}. Mask off: {apart(blocks[1].gaps.max())}; "
        f"in the new row’s logits {apart(gaps[n_layer, False])}.",
        "depth",
    )
    with st.container(key="takeaway_depth"):
        st.markdown(_deep(n_layer, gaps, old))


def _deep(n_layer: int, gaps: dict, old: float) -> str:
    off, on = apart(gaps[n_layer, False]), apart(gaps[n_layer, True])
    if n_layer == 1:
        found = (
            f"One layer hides it: without the mask the old *rows* change by up to {apart(old)}, but their keys come straight "
            f"from the tokens, so the cache stays right, and the new row too, to {off}."
        )
    else:
        found = (
            "From layer 2 on a key is made from a row that had looked ahead: without the mask the new row is wrong by "
            f"**{off}**, with it by {on}."
        )
    moral = "**A cache is valid exactly when a key knows only its past.** In a deep model the causal mask sees to it."
    return f"{found} {moral}"
