"""What the cache lesson shows: the cache as it grows, two runs compared, and the caches that must fail; with their sentences."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.answer import answer, twins
from engine.broken import SHIFTS, StaleKey, breaking_head, shifted, shifted_ids, stale_key
from engine.cache import KVCache
from engine.compare import PARTS, ROUNDING, largest_gap, last_row_gaps, position_gaps, row_gaps
from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.decode import decode_step, recompute
from engine.edits import replace, set_rule
from engine.footprint import floats_per_token
from engine.prefill import prefill
from engine.stack import MAX_LAYERS, StackModel
from engine.toy import Scenario
from pages.parts import scenario, widgets
from pages.parts.figures.cache_grid import cache_grid
from pages.parts.figures.gap_grid import Block, gap_grid
from pages.parts.figures.shifted_rows import shifted_rows
from pages.parts.figures.stale_key import stale_key as stale_key_figure
from pages.parts.lesson import lead
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.walk import Walk
from pages.parts.words import apart, head_names, join, md, number

STEPS = 6  # decode steps that the two runs are compared over, at least
PART_NAMES = ("keys", "values", "scores", "weights", "contexts", "logits")
KEPT = {("q",): "only q", ("k", "v"): "k and v", ("q", "k", "v"): "q, k and v"}
STEP_CAPTION = "a column for each step: all keys and values so far, and the parts of the newest row"
NEVER = "with none of them"
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
