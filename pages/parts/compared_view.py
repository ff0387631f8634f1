"""Both runs of the clock compared: equal within rounding, and what becomes of the cache without the mask."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from engine.race import Beat, Race
from pages.parts.figures.logit_gaps import logit_gaps
from pages.parts.generate_view import (
    DIFFERENT,
    ONE_AT_A_TIME,
    ROUNDED,
    SAME,
    Run,
    advance,
    first_few,
    most_words,
    n_asked,
    prompt_end,
    shared_race,
    slide_zoom,
)
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.words import apart, join, md, number, percent

NOWHERE = "in none"
REAL = 1e-3  # a difference of keys or values, against the largest of them, that is no rounding
WHOLE_S = 0.4  # the longest that a figure of the whole answer computes; what is missing comes while the text runs


def _same_question(run: Run, beats: list[Beat]) -> tuple[str, str]:
    """Whether both runs gave the same logits, and what the comparison found."""
    answer = SAME if all(b.equal == 1 for b in beats) else ROUNDED if all(b.gap <= b.rounding for b in beats) else DIFFERENT
    shown = md(prompt_end(run)[-70:])
    return (
        f"“{shown}” and the first {len(beats)} words of the answer, run twice: behind the cache, and all tokens again for every "
        "word. The same model, the same tokens. Are the logits **equal**?"
    ), answer


def ask_same(run: Run) -> None:
    """Are both runs equal bit for bit?"""
    beats = first_few(run)
    question, answer = _same_question(run, beats)
    largest = max(b.gap for b in beats)
    predict(
        "same_bits", question, answer,
        f"The largest difference is **{apart(largest)}**, on logits up to {number(max(b.largest for b in beats), 1)}. "
        f"{_bits(beats)} A product of one row and one of many add the same terms up in a different order, and floating-point "
        "addition depends on the order. “The same” means here: within rounding, never bit for bit.",
        options=(SAME, ROUNDED, DIFFERENT),
    )  # fmt: skip


def _bits(beats: list[Beat]) -> str:
    """How many logits are equal in every bit."""
    further = [b.equal for b in beats[1:]] or [beats[0].equal]
    return (
        f"At prefill, the same pass in both, {percent(beats[0].equal)} of the logits are equal in every bit; "
        f"at the decode steps {percent(float(np.mean(further)))} on average."
    )


def same(run: Run) -> None:
    """The differences at every step; on a page once the question is answered."""
    if not (presenting() or answered("same_bits", *_same_question(run, first_few(run)))):
        st.markdown("Once you have committed, the difference at every word appears here.")
        return
    advance(run.race, 1, WHOLE_S)
    beats = list(run.race.beats)
    largest = max(b.gap for b in beats)
    figure = logit_gaps([("mask on", beats)], run.n_words, **look(slide_zoom()))
    plot(figure, f"Largest difference of logits at {len(beats)} steps: {apart(largest)}.", "logit_gaps")
    with st.container(key="takeaway_same"):
        st.markdown(
            f"Over {len(beats)} words the two runs differ by at most **{apart(largest)}**, "
            f"{apart(largest / max(b.largest for b in beats))} of the largest logit. {_bits(beats)}"
        )


def _unmasked(run: Run) -> Race:
    """The same prompt by the same model, whose tokens now also look at later ones."""
    free = replace(run.trained, model=run.trained.model.variant(causal=False))
    n_words = min(n_asked(run), most_words(run.trained, run.prompt))
    race = shared_race(("unmasked", *run.trained.key, run.prompt.ids), free, run.prompt, n_words)
    advance(race, n_words, 0)
    return race


def _wrong_layers(race: Race) -> np.ndarray:
    """max |Δ| of each layer's keys and values, as a share of the largest of them: (n_layer,)."""
    largest = max(float(np.abs(part).max()) for part in (race.cache.k, race.cache.v))
    with ONE_AT_A_TIME:
        return race.cache_gaps().max(axis=1) / largest


def _layers_question(run: Run, gaps: np.ndarray) -> tuple[str, str, tuple[str, ...]]:
    wrong = np.flatnonzero(gaps > REAL)
    options = (NOWHERE, *(f"from layer {i + 1} on" for i in range(min(3, len(gaps)))))
    answer = f"from layer {wrong[0] + 1} on" if len(wrong) else NOWHERE
    if answer not in options:
        options = (*options, answer)
    return (
        (
            "The same model with the **causal mask off**: every token also looks at later ones. In which of its "
            f"{len(gaps)} layers does the cache then hold keys and values that recomputing would not give?"
        ),
        answer,
        options,
    )


def ask_layers(run: Run) -> None:
    """Mask off: where the cache becomes invalid."""
    race = _unmasked(run)
    gaps = _wrong_layers(race)
    question, answer, options = _layers_question(run, gaps)
    by_layer = join([f"{percent(float(g)) if g > REAL else apart(float(g))} in layer {i + 1}" for i, g in enumerate(gaps[:6])])
    predict(
        "wrong_layers", question, answer,
        f"Against the largest key or value they are off by up to {by_layer}. A key of layer 1 is made from its own token and "
        "place, and those do not change. From layer 2 on it is made from what a row of layer 1 has seen, and that row would now "
        "see the new tokens too.",
        options=options,
    )  # fmt: skip


def layers(run: Run) -> None:
    """Both masks on one scale; on a page once the question is answered."""
    race = _unmasked(run)
    gaps = _wrong_layers(race)
    question, answer, _ = _layers_question(run, gaps)
    if not (presenting() or answered("wrong_layers", question, answer)):
        st.markdown("Once you have committed, both runs appear here on one scale.")
        return
    masked = first_few(run)
    figure = logit_gaps([("mask on", masked), ("mask off", race.beats)], max(len(race.beats), len(masked)), **look(slide_zoom()))
    on, off = (max(b.gap for b in beats) for beats in (masked, race.beats))
    plot(figure, f"Largest difference: mask on {apart(on)}, mask off {apart(off)}.", "mask_gaps")
    with st.container(key="takeaway_layers"):
        st.markdown(
            f"Mask off, the logits behind the cache are wrong by up to **{apart(off)}**; with it they agree to {apart(on)}. "
            "**The mask is what makes a cache true**: it keeps later tokens out of every row, so no row has to be made again. "
            "(This model was trained with the mask; without it its words mean nothing, and only the comparison counts.)"
        )
