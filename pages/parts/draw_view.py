"""From logits to a drawn word: temperature, top-k, top-p, min-p and seed, a thousand draws, and an average that is none."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine import prefill, probabilities
from engine.draws import draw_many, standard_error
from engine.model import ForwardPass
from engine.projection import averaged, same_mean
from engine.toy import Scenario
from pages.parts import scenario, widgets
from pages.parts.figures.word_chances import word_chances
from pages.parts.logits_view import OTHER_WORD, SAME_LOGITS, SAME_WORD, WIDE, last_contexts, matrix, sound
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import predict
from pages.parts.words import e_to, md, number, percent

HOT = 2.0  # the temperature that the question asks about
N_DRAWS = 1_000


def ask_temperature(s: Scenario) -> None:
    """What a temperature of 2 makes of the likeliest word's probability."""
    s, run, guard = sound(s)
    logits = run.logits[-1]
    best = int(np.argmax(logits))
    cold, hot = probabilities(logits)[best], probabilities(logits, HOT)[best]
    why = f"At temperature 1 it has {number(cold, 3)}. Dividing by {number(HOT)} halves every gap between logits"
    if len(s.words) > 1:
        second = float(np.sort(logits)[-2])
        gap = float(logits[best]) - second
        why += (
            f": {number(logits[best])} − {number(second)} = {number(gap)} becomes {number(gap / HOT)}, so the odds against the "
            f"second fall from {e_to(gap, 2)} = {_odds(gap)} to {e_to(gap / HOT, 2)} = {_odds(gap / HOT)}"
        )
    told = ", ".join(number(x) for x in logits)
    predict(
        "temperature",
        f"{guard}Softmax turns the logits {told} into probabilities; “{md(s.words[best])}” leads. A **temperature** of "
        f"{number(HOT)} divides all logits by {number(HOT)} first. What is its probability then? (From 0 to 1, within 0.02.)",
        float(hot),
        f"{why}. Unequal logits come closer; the order stays.",
        tolerance=0.02,
    )


def _odds(gap: float) -> str:
    """e to the power of a gap, short."""
    return f"{np.exp(gap):.2f}" if gap < 9 else f"{np.exp(min(gap, 700.0)):.1e}"


def draw_controls(s: Scenario) -> tuple[dict[str, float], int]:
    """Temperature, top-k, top-p, min-p and seed; all in the link."""
    place = st.columns(5)
    with place[0]:
        temperature = widgets.extra_slider("temperature", "Temperature", 0.0, 10.0, 1.0, 0.1, format="%g", help="0 is greedy")
    with place[1]:
        top_k = widgets.extra_slider("top_k", "top-k", 0, len(s.words), 0, 1, help="0 keeps every word")
    with place[2]:
        top_p = widgets.extra_slider("top_p", "top-p", 0.0, 1.0, 1.0, 0.01, format="%g", help="1 keeps every word")
    with place[3]:
        min_p = widgets.extra_slider("min_p", "min-p", 0.0, 1.0, 0.0, 0.01, format="%g", help="0 keeps every word")
    with place[4]:
        seed = widgets.extra_slider("seed", "Seed", 0, scenario.MOST_SEED, 0, 1)
    return {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p}, seed


def draw(s: Scenario, run: ForwardPass) -> None:
    """Logits, probabilities, what the options leave, and 1,000 draws beside them; the first draw is pointed out."""
    options, seed = draw_controls(s)
    logits = run.logits[-1]
    if not np.isfinite(logits).all():
        st.markdown("One context is not a number, so no logit is one: nothing can be drawn.")
        return
    plain, probs = probabilities(logits), probabilities(logits, **options)
    draws = draw_many(probs, N_DRAWS, seed)
    drawn = int(draws.token_ids[0])
    counted = ", ".join(
        f"{name}: logit {number(x)}, probability {percent(p)}, drawn {c}"
        for name, x, p, c in zip(s.words, logits, probs, draws.counts, strict=True)
    )
    alt = (
        f"{counted}. The logits add up to {number(logits.sum())}, the probabilities to {number(probs.sum())}. "
        f"The first draw, {number(draws.uniform[0], 3)}, falls on {s.words[drawn]}."
    )
    plot(word_chances(logits, plain, probs, draws, s.words, **look(WIDE if presenting() else 1.0)), alt, "word_chances")
    off = np.abs(draws.counts / N_DRAWS - probs)
    far = int(np.argmax(off))
    usual = standard_error(probs, N_DRAWS)[far]
    with st.container(key="takeaway_draw"):
        st.markdown(
            f"Logits are not probabilities: they add up to **{number(logits.sum())}**; only softmax makes them add up to **1**. "
            f"Seed {seed} draws **{md(s.words[drawn])}** first; over {N_DRAWS:,} draws “{md(s.words[far])}” is off by "
            f"{number(100 * off[far])} points, where √(p(1 − p) / {N_DRAWS:,}) = {number(100 * usual)} is usual."
        )


def ask_mean(s: Scenario) -> None:
    """Whether the mean of the heads' contexts decides: another prompt with the same mean, computed and shown."""
    s, run, guard = sound(s)
    context, w = last_contexts(run), matrix(s)
    twin = same_mean(s, run.layers[-1])
    if twin is None:
        _ask_sum(s, run, guard)
        return
    other = prefill(twin.model(), twin.prompt_ids)
    same = bool(np.allclose(other.logits[-1], run.logits[-1], rtol=0, atol=1e-3))
    best, new = int(np.argmax(run.logits[-1])), int(np.argmax(other.logits[-1]))
    values = ", ".join(f"{md(t)} {number(v)}" for t, v in zip(twin.tokens, twin.values, strict=True))
    answered = predict(
        "mean",
        f"{guard}Some retellings say that the heads’ outputs are **averaged**. The mean of the contexts is "
        f"{number(context.mean(), 3)}. The values {values} give the same mean. What comes out at the end?",
        SAME_LOGITS if same else SAME_WORD if best == new else OTHER_WORD,
        f"The heads stand side by side as a vector of {len(context)} numbers, and W has a row for each. An average would keep "
        "one number, and which word wins would depend on nothing but its sign and W’s column sums.",
        options=(SAME_LOGITS, SAME_WORD, OTHER_WORD),
    )
    if answered:
        rows = [
            ("this prompt", context, run.logits[-1]),
            ("the same mean", last_contexts(other), other.logits[-1]),
            ("every head replaced by the mean", averaged(context), averaged(context) @ w),
        ]
        lines = ["| | contexts | mean | logits | wins |", "|---|---|---|---|---|"]
        for name, contexts, logits in rows:
            lines.append(
                f"| {name} | {', '.join(number(x, 3) for x in contexts)} | {number(contexts.mean(), 3)} | "
                f"{', '.join(number(x, 4) for x in logits)} | **{md(s.words[int(np.argmax(logits))])}** |"
            )
        st.markdown("\n".join(lines))


def _ask_sum(s: Scenario, run: ForwardPass, guard: str) -> None:
    """Where no other prompt has the same mean: whether logits are probabilities."""
    total, options = float(run.logits[-1].sum()), ("they do", "they do not")
    predict(
        "mean",
        f"{guard}Probabilities add up to 1. Do the logits of the last row, too?",
        options[0] if abs(total - 1) < 1e-9 else options[1],
        f"They add up to {number(total, 4)}. Logits are raw scores of any size; softmax turns them into probabilities.",
        options=options,
    )
