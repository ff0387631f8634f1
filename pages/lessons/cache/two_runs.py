"""Two runs of the same words, with a cache and without, step by step: what each computes, what comes out, how far they part."""

import numpy as np
import streamlit as st

from engine.compare import PARTS, ROUNDING, last_row_gaps
from engine.experiments.broken_caches import breaking_head
from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.model import ForwardPass
from engine.sampling import likeliest
from engine.toy.edits import replace, set_rule
from engine.toy.scenario import Scenario
from pages.lessons.cache.figures.run_strips import RunStrip, run_strips
from pages.parts.controls.answer import AnswerPosition
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.digits import gap_text
from pages.parts.text.format import articles_way, join, plural, quantity
from pages.parts.visit.parameters import Choice

AGAINST = Choice("against", formerly="compare")
STEPS = 6  # decode steps that the two runs are compared over, at least
PART_NAMES = ("keys", "values", "scores", "weights", "contexts", "logits")
TWO_RUNS = ("with the cache", "all anew")
AS_LONG_AS = "A cache changes no result as long as it drops and rounds nothing, and no later token changes an old row."
RUNS = {"own": "This model", "stale": "With a key that goes out of date"}


@step(
    "Two runs",
    minutes=5,
    ask="With the cache and without: where may the numbers differ?",
    wrong={"Everywhere a little": "the same sums in the same order give the same numbers; another order, rounding"},
)
def compare(s: Scenario, position: AnswerPosition) -> None:
    """Two independent runs of the same tokens, step by step."""
    n_steps = min(max(position.at, STEPS), position.model.n_ctx - len(s.tokens))
    says = st.container()  # filled below: where a logit is no number there are fewer steps
    which = AGAINST.buttons("Model", RUNS, "own", label_visibility="collapsed")
    own = s if which == "own" else replace(set_rule(s, breaking_head(s), "last"), causal=True, empty_row="soft")
    model = own.model()
    fed = (*position.answer_ids, position.next_id)
    ids = answer(model, s.prompt_ids, n_steps + 1, chosen_ids=fed).token_ids[:n_steps]
    with says:
        lead(
            "One text in two runs: one keeps its keys and values, the other computes everything again at "
            f"{'the one step there is' if len(ids) == 1 else f'each of {len(ids)} steps'}.",
            presented=True,
        )
    runs = list(cached_and_recomputed(model, s.prompt_ids, ids))
    apart_by_step = [last_row_gaps(cached, whole) for cached, whole in runs]
    spoiled = sum(not np.isfinite(whole.logits[-1]).all() for _, whole in runs)
    gaps = np.array([[step[part] for step in apart_by_step] for part in PARTS])
    strips = [
        RunStrip(name, passes[0].n_new, [run.n_new for run in passes], [_next_word(s, run) for run in passes])
        for name, passes in zip(TWO_RUNS, zip(*runs, strict=True), strict=True)
    ]
    parted = {name: row for name, row in zip(PART_NAMES, gaps, strict=True) if (row > ROUNDING).any()}
    plot(
        run_strips(sheet(), strips, ["prefill", *(s.words[i] for i in ids)], parted or {"difference": gaps.max(axis=0)}),
        f"Two runs over {quantity(len(ids), 'decode step')}. Largest difference: {gap_text(gaps.max())}. "
        + " ".join(
            f"{strip.name.capitalize()}: {quantity(sum(strip.computed), 'row')} computed, next words {join(strip.words)}."
            for strip in strips
        ),
        "two_runs",
    )
    there = articles_way(s) if which != "own" else ""
    run_as = f" This one is run as in the article’s code, {there}." * bool(there)
    takeaway("compare", _compared(own, gaps, s if which != "own" else None, spoiled), help=f"{AS_LONG_AS}{run_as}")


def _next_word(s: Scenario, run: ForwardPass) -> str:
    """The likeliest word behind a pass; of those that are level the first."""
    logits = run.logits[-1]
    return s.words[likeliest(logits)[0]] if np.isfinite(logits).all() else "NaN"


def _compared(s: Scenario, gaps: np.ndarray, made_of: Scenario | None = None, spoiled: int = 0) -> str:
    """What the differences come to, and the sign for the largest of them, in words. made_of: from which scenario `s` was made by
    giving a head the key of the article's code. spoiled: at how many steps the logits are no numbers."""
    worst = gaps.max()
    if worst <= ROUNDING:
        same = ("NaN in the same places" if worst else "numbers, and NaN in the same places") if spoiled else "words"
        apart = f"Their numbers differ by **{gap_text(worst)}** at most, which is rounding" if worst else "Not one bit differs"
        return f"Both runs give the same {same}. {apart}: **a cache changes what is computed, not what comes out.**"
    part = PART_NAMES[int(np.argmax((gaps > ROUNDING).any(axis=1)))]
    heads = [str(h) for h, rule in enumerate(s.rules, 1) if rule.breaks_cache]
    why = ""
    if heads:
        keys = (
            f"{plural(len(heads), 'The key')} of {plural(len(heads), 'head')} {join(heads)} {plural(len(heads), 'says', 'say')}"
        )
        whose = f"For this run head {heads[0]} has a key of its own, which says" if made_of else keys
        why = f"{whose} “I am the last token”; behind the next one that is no longer true. "
    logits = gaps[-1].max()
    then = (
        f"the logits are off by up to **{gap_text(logits)}**."
        if logits > ROUNDING
        else "yet the logits are no numbers in either run."
        if spoiled == gaps.shape[1]
        else "yet the logits come out the same, and are no numbers in the same places."
        if spoiled
        else "yet the logits come out the same."
    )
    return f"{why}The error enters with the **{part}**; {then}"
