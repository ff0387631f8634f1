"""The caches that must fail: a stale key, a shifted position, the mask off in deeper models; with their sentences."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.cache import KVCache
from engine.compare import ROUNDING, largest_gap, last_row_gaps, position_gaps, row_gaps
from engine.decode import decode_step, recompute
from engine.experiments.broken_caches import SHIFTS, StaleKey, shifted, shifted_ids, stale_key
from engine.experiments.random_model import MAX_LAYERS, StackModel
from engine.prefill import prefill
from engine.toy.scenario import Scenario
from pages.lessons.cache.figures.gap_grid import Block, gap_grid
from pages.lessons.cache.figures.shifted_rows import shifted_rows
from pages.lessons.cache.figures.stale_key import stale_key as stale_key_figure
from pages.parts.controls.answer import AnswerPosition
from pages.parts.drawing.plot import plot
from pages.parts.lesson.lesson import step
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.format import apart, join, md, number
from pages.parts.visit.display import look
from pages.parts.visit.parameters import Choice, Whole

NEVER = "with none of them"
LAYERS = Choice("layer")
LAYER_SEED = Whole("layer_seed", high=99)


def _first(position: AnswerPosition) -> int:
    """The first word of the answer: what the broken caches are tried with."""
    return position.run.token_ids[0] if position.run.token_ids else 0


def stale_question(s: Scenario, token: int, found: StaleKey) -> Question:
    """Which position holds the key that was true when it was made and is not any more."""
    h, n, k = found.head, len(s.tokens), found.cached.k[found.head, :, 0]
    cached, whole = (number(layer.context[h, -1, 0]) for layer in (found.cached, found.whole))
    return Question(
        "stale",
        f"Give head {h + 1} the key of the article’s code, “**am I the last token?**”. After “{md(s.words[token])}”, "
        f"at position {n + 1}, that head’s context is **{cached}** with the cache and **{whole}** recomputed. "
        "Which position holds the stale key?",
        float(n),
        f"“{md(s.tokens[-1])}” was the last token when its key was made, and the cached key still says so: "
        f"{number(k[-2], sign=True)}, as does the new token’s own, {number(k[-1], sign=True)}.{_printed(s, token, found)}",
        tolerance=0,
    )


def _printed(s: Scenario, token: int, found: StaleKey) -> str:
    """What the article prints, where the scenario is its own; its listing has been mended since."""
    if s not in (Scenario.article(), Scenario.article_code()) or s.words[token] != "nice":
        return ""
    cached, whole, mended = (number(layer.context[found.head, -1, 0]) for layer in (found.cached, found.whole, found.patched))
    return (
        f" The article prints {cached} beside {whole} and calls them identical; its listing, which rewrites the old key, gives "
        f"{mended}."
    )


@step("One row off")
def shift(s: Scenario, position: AnswerPosition) -> None:
    """The same token behind a cache with a row too few or too many."""
    token, model = _first(position), position.model
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
    with st.container(key="takeaway_shift"):
        st.markdown(
            f"The same token “{md(s.words[token])}”, the same code; one row off, and its logits are off by up to {wrong}, and "
            "nobody is warned: the shapes all fit.",
            help="Our cache counts its rows, and that count *is* the position. A program that takes the position from its caller "
            "can be wrong with the right rows too.",
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


def depth_question(s: Scenario, token: int, gaps: dict[tuple[int, bool], float]) -> Question:
    """From how many layers on a cache that was filled without the mask gives a wrong row. gaps: of the new row's logits."""
    off = join([f"{apart(gaps[n, False])} with {n}" for n in range(1, MAX_LAYERS + 1)])
    on = apart(max(gaps[n, True] for n in range(1, MAX_LAYERS + 1)))
    return Question(
        "depth",
        f"Random models of 1, 2 and {MAX_LAYERS} layers, **mask off**: every row may look at later tokens too. Then "
        f"“{md(s.words[token])}” is decoded behind the cache. From how many layers on is its row wrong?",
        next((str(n) for n in range(1, MAX_LAYERS + 1) if gaps[n, False] > ROUNDING), NEVER),
        "In layer 1 a key is made from its token alone; from layer 2 on from a row that has looked around, and without the mask "
        f"it should have seen the new token too. Logits off by {off} layers; mask on, by at most {on}.",
        options=(*(str(n) for n in range(1, MAX_LAYERS + 1)), NEVER),
    )


@step("Mask off")
def depth(s: Scenario, position: AnswerPosition) -> None:
    """Layer by layer and position by position: the mask on, and the mask off, which waits for the prediction."""
    token, seed = _first(position), LAYER_SEED.value()
    gaps = _logit_gaps(s, token, seed)
    question = depth_question(s, token, gaps)
    left, right = st.columns(2, vertical_alignment="center")
    with left:
        layers = {str(n): f"{n} layer{'s' * (n > 1)}" for n in range(1, MAX_LAYERS + 1)}
        n_layer = int(LAYERS.buttons("Layers", layers, "2", label_visibility="collapsed"))
    with right:
        LAYER_SEED.slider("Seed of the parameters", label_visibility="collapsed", format="seed %d")
    blocks, old = [], 0.0
    for causal in (True, False):
        passes, whole = depth_passes(s, token, n_layer, seed, causal)
        names, apart_ = position_gaps(passes, whole)
        old, waits = row_gaps(passes[0], whole).max(), not (causal or question.answered)
        words = (*s.tokens, s.words[token])
        blocks.append(Block(f"Mask {'on' if causal else 'off'}", names, words, apart_, waits, None if causal else len(s.tokens)))
    alt = f"{n_layer} layers. Mask on: largest difference {apart(blocks[0].gaps.max())}. Mask off: "
    off = f"{apart(blocks[1].gaps.max())}; in the new row’s logits {apart(gaps[n_layer, False])}."
    figure = gap_grid(blocks, "cached against recomputed, by position", 2 * MAX_LAYERS + 1, **look())
    plot(figure, alt + (off if question.answered else "waits for the prediction."), "depth")
    asked, said = st.columns([1.25, 1], vertical_alignment="center") if question.answered else (st.container(), None)
    with asked:
        predict(question)
    if said:
        with said, st.container(key="takeaway_depth"):
            st.markdown(_deep(n_layer, gaps, old))


def _deep(n_layer: int, gaps: dict, old: float) -> str:
    off, on = apart(gaps[n_layer, False]), apart(gaps[n_layer, True])
    if n_layer == 1:
        found = (
            f"One layer hides it: without the mask the old *rows* change by up to {apart(old)}, but their keys come straight "
            f"from the tokens: the new row is right to {off}."
        )
    else:
        found = f"With {n_layer} layers and no mask the new row is wrong by **{off}**, with the mask by {on}."
    moral = "**A cache stays true while no later token changes an old key or value**; in a deep model the causal mask sees to it."
    return f"{found} {moral}"


@step("More questions")
def more(s: Scenario, position: AnswerPosition) -> None:
    """A stale key beside the recomputed one; then the patch of the article's listing, and a key that needs none."""
    token = _first(position)
    found = stale_key(s, token)
    question = stale_question(s, token, found)
    h, n = found.head, len(s.tokens)
    cached, whole, mended = (number(layer.context[h, -1, 0]) for layer in (found.cached, found.whole, found.patched))
    before, after = number(found.before.context[h, -1, 0]), number(found.whole.context[h, -2, 0])
    moved = f"moves from {before} to **{after}**" if before != after else f"stays {after}"
    alt = f"Scores of {s.words[token]} in head {h + 1}: context {cached} with the cache, {whole} recomputed"
    if question.answered:
        alt += (
            f", {mended} patched, {number(found.principled.context[h, -1, 0])} with the rule self. Position {n}: "
            f"{before} before, {after} recomputed"
        )
    plot(stale_key_figure(found, (*s.tokens, s.words[token]), question.answered, **look()), f"{alt}.", "stale_key")
    predict(question)
    if question.answered:
        with st.container(key="takeaway_stale"):
            st.markdown(
                f"The patch, an old key set to −1, gives {mended}; but ours is append-only and answers `{found.refusal}`, and "
                f"no patch tells position {n} that its own row {moved}. **A key may say only what its token knows when it "
                "enters.**"
            )
