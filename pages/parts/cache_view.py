"""The cache as it grows, and two runs, with it and without, compared; with the sentences that name their numbers."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.answer import answer, twins
from engine.broken import breaking_head
from engine.cache import KVCache
from engine.compare import PARTS, ROUNDING, last_row_gaps
from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.decode import recompute
from engine.edits import replace, set_rule
from engine.footprint import floats_per_token
from engine.toy import Scenario
from pages.parts import scenario, widgets
from pages.parts.figures.cache_grid import cache_grid
from pages.parts.figures.gap_grid import Block, gap_grid
from pages.parts.lesson import lead
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.walk import Walk
from pages.parts.words import apart, head_names, md

STEPS = 6  # decode steps that the two runs are compared over, at least
PART_NAMES = ("keys", "values", "scores", "weights", "contexts", "logits")
KEPT = {("q",): "only q", ("k", "v"): "k and v", ("q", "k", "v"): "q, k and v"}
STEP_CAPTION = "a column for each step: all keys and values so far, and the parts of the newest row"
RUNS = {"own": "This model", "stale": "With a key that says “I am the last”"}


def opening() -> None:
    """What the lesson is about; presented, the teacher says it."""
    if not presenting():
        lead(
            "Every new token has to meet all the tokens before it. A program that starts from scratch computes all of them again "
            "for every word it writes. What could it have kept — and when is what it kept still true?",
            "token", "decode",
        )  # fmt: skip


def _kept_question(walk: Walk) -> tuple[str, str]:
    kept = tuple(name for name in ("q", "k", "v") if hasattr(KVCache, name))
    return (
        f"“{md(walk.words[-1])}” comes in as a token. The model computes a query **q**, a key **k** and a value **v** for it, "
        "and from them scores and weights. What of all this will later tokens need again?"
    ), KEPT[kept]


def ask_kept(walk: Walk) -> bool:
    """Which of q, k and v a cache keeps."""
    return predict(
        "kept",
        *_kept_question(walk),
        "Every later query meets its key and takes in its value. Its query has asked once, and nobody asks with it again; its "
        "scores and weights belong to its own row. All three, q, k and v, are computed for each new token: a cache only skips "
        "the k and v of the *old* ones. And it is no dictionary: a query looks softly at all keys, with weights that are new "
        "each time.",
        options=(*KEPT.values(), "the weights"),
    )


def build(s: Scenario, walk: Walk) -> None:
    """The cache at this step, beside what a run without it computes again; untouched, it waits for the question above it."""
    if not (presenting() or scenario.extra("step") or answered("kept", *_kept_question(walk))):
        st.markdown("Once you have committed, or pressed **Next**, the cache appears here, row by row.")
        return
    layer, generated = walk.now.layers[0], walk.at + 1
    head = breaking_head(s) if walk.model.n_kv_head > 1 else 0
    now = (walk.now.counts.kv_rows, recompute(walk.model, walk.token_ids).counts.kv_rows)
    prompt = len(s.tokens)
    so_far = (cached_counts(prompt, generated).kv_rows, recomputed_counts(prompt, generated).kv_rows)
    words = walk.words[:-1]
    plot(
        cache_grid(layer, head, prompt, words, head_names(s)[head], now, so_far, **look()),
        f"The cache holds keys and values of {walk.n} tokens: {', '.join(words)}. New in this step: {now[0]}. "
        f"A run without a cache computes {now[1]} in this step; in all steps {so_far[0]} with and {so_far[1]} without a cache.",
        "cache_grid",
    )
    with st.container(key="takeaway"):
        st.markdown(_built(s, walk, now))


def _built(s: Scenario, walk: Walk, now: tuple[int, int]) -> str:
    model, n_head = walk.model, len(s.rules)
    each = floats_per_token(model.n_kv_head, model.d_head, model.n_kv_head, model.d_v)
    shared = floats_per_token(1, model.d_head, 1, model.d_v)
    listing = floats_per_token(n_head, model.d_head, 1, model.d_v)
    own = floats_per_token(n_head, model.d_head, n_head, model.d_v)
    layout = f"A token leaves **{each} floats** here ({shared} with one key and value for all heads"
    layout += f", {listing} with a key for each of {n_head}, {own} with a value each as well)" if n_head > 1 else ")"
    if not walk.at:
        return (
            f"Prefill fills the cache with {now[0]} {'row' if now[0] == 1 else 'rows'} at once. {layout}: "
            f"{each * walk.n} in all, and more with every token."
        )
    return (
        f"“{md(walk.words[-2])}” adds **{now[0]} row**; the other {walk.n - 1} are read, not recomputed. {layout}: "
        f"{each * walk.n} so far. The contexts of old rows are not among them: decode works from keys and values alone."
    )


def ask_rows(s: Scenario, walk: Walk) -> bool:
    """How many rows the cache holds a little later."""
    prompt, generated = len(s.tokens), walk.at + 3
    rows = tokens_processed(prompt, generated)
    return predict(
        f"rows_{walk.at}",
        f"The prompt has {prompt} {'token' if prompt == 1 else 'tokens'}. How many rows does the cache hold when the answer has "
        f"**{generated}** tokens?",
        float(rows),
        f"{prompt} + {generated} − 1: prefill already chose the first token, and the last one chosen has not been fed back yet. "
        f"One row a token, so memory grows in a straight line until the cache is full, here at {walk.model.n_ctx}.",
        tolerance=0,
    )


def compare(s: Scenario, walk: Walk) -> None:
    """Two independent runs of the same tokens, step by step."""
    which = widgets.extra_choice("compare", "Model", RUNS, "own", label_visibility="collapsed")
    own = s if which == "own" else replace(set_rule(s, breaking_head(s), "last"), causal=True, empty_row="soft")
    model = own.model()
    n_steps = min(max(walk.at, STEPS), model.n_ctx - len(s.tokens))
    fed = (*walk.answer_ids, walk.next_id)
    ids = answer(model, s.prompt_ids, n_steps + 1, by_hand=fed).token_ids[:n_steps]
    apart_by_step = [last_row_gaps(cached, whole) for cached, whole in twins(model, s.prompt_ids, ids)]
    gaps = np.array([[step[part] for step in apart_by_step] for part in PARTS])
    columns = ["prefill", *(s.words[i] for i in ids)]
    block = Block("max |Δ| between the cached run and the recomputed one", PART_NAMES, columns, gaps)
    plot(
        gap_grid([block], STEP_CAPTION, **look(), strong=walk.at, result=f"max |Δ| = {apart(gaps.max())}"),
        f"Differences of two runs over {len(ids)} decode steps. Largest: {apart(gaps.max())}.",
        "two_runs",
    )
    with st.container(key="compare_caption"):
        st.markdown(_compared(gaps, len(ids)))


def _compared(gaps: np.ndarray, n_steps: int) -> str:
    worst = gaps.max()
    if worst <= ROUNDING:
        left = (
            f"What is left, at most **{apart(worst)}**, is rounding: one row and many rows are added up in another order."
            if worst
            else "Here not even rounding is left: max |Δ| = **0**."
        )
        return (
            f"One run keeps its keys and values, the other computes everything again at each of {n_steps} steps. {left} "
            "A cache changes what is computed, not the result, unless it stores fewer digits or drops rows."
        )
    part = PART_NAMES[int(np.argmax((gaps > ROUNDING).any(axis=1)))]
    return (
        f"The runs part by up to **{apart(worst)}**. The error enters with the **{part}** and goes down from there: whatever "
        "is computed from them is wrong too."
    )
