"""As the story has it: whose triangle is filled, and which rows notice a token's new value, with the mask and without it."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from engine import KVCache, bundled, chunked_prefill, prefill
from engine.compare import ROUNDING, gaps, largest_gap, largest_values
from engine.cost import DEVICES, MODELS, compute_s, decode_flops, tpot_s
from engine.experiments import rows
from engine.model import ForwardPass
from engine.toy.by_hand import pass_by_hand
from engine.toy.edits import set_value
from engine.toy.rules import LITTLE
from engine.toy.scenario import Scenario
from pages.lessons.prefill.figures.two_masks import Side, two_masks
from pages.lessons.prefill.questions import contexts_changed, leak_question, rows_hardly_changed, token_changed, value_given
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import TOKEN
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.sentences import lead, question_then_takeaway, takeaway
from pages.parts.question.question import Question
from pages.parts.sharing.results import RESULTS
from pages.parts.teaching import routes
from pages.parts.text.amounts import milliseconds
from pages.parts.text.format import entered, join, md, plural, quantity
from pages.parts.text.toy_names import token_name
from pages.parts.visit.display import controls_in_sight

FETCHES = (
    " Each pass fetches all **parameters**, the numbers that a model has learned, from memory; that takes far longer than to compute a "
    "few rows with them."
)
REAL, DEVICE = MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"]
TEXT, CHANGE = "Anna has a {} kite. Ben has a blue boat.", ("red", "green")  # read by the bundled model
MASK = {True: "with the mask", False: "without the mask"}


def in_chunks(s: Scenario, n_chunk: int) -> tuple[ForwardPass, ...]:
    """The prompt in passes of at most n_chunk tokens, each behind what the ones before left in the cache."""
    model = s.model()
    return chunked_prefill(model, s.prompt_ids, KVCache.for_model(model, len(s.tokens)), n_chunk)


def difference(s: Scenario, a: tuple[ForwardPass, ...], b: tuple[ForwardPass, ...]) -> float:
    """max |Δ| over all contexts and logits of two runs of one prompt, by hand where they differ by more than softmax leaks; ∞ where all
    that is apart is a context that is none in one."""
    by_hand = ([pass_by_hand(one, s.w_vocab) for one in passes] for passes in (a, b))
    little = LITTLE * largest_values(b[-1].layers[0]).max()
    if (gap := _largest_gap(*by_hand)) > little:
        return gap
    none = rows.rows_so_far(a).empty != rows.rows_so_far(b).empty
    return np.inf if none.any() else _largest_gap(a, b)


def _largest_gap(a: Sequence[ForwardPass], b: Sequence[ForwardPass]) -> float:
    return max(largest_gap(f(a), f(b)) for f in (rows.contexts, rows.logits))


def is_rounding(gap: float, run: ForwardPass) -> bool:
    """Whether a difference is no more than rounding."""
    return gap <= ROUNDING * max(1.0, float(np.nanmax(np.abs(run.logits), initial=0)))


def _came_out_the_same(s: Scenario) -> bool:
    """Whether one token at a time gave what all at once does: what the step before says."""
    return is_rounding(difference(s, in_chunks(s, 1), in_chunks(s, len(s.tokens))), toy.prefill_of(s))


def timed(s: Scenario) -> bool:
    """Whether the step asks how long one pass takes: in the story, where more than one pass could be needed."""
    return routes.chosen() == routes.STORY and len(s.tokens) > 1


def time_question(s: Scenario, run: ForwardPass) -> Question:
    """How long one pass takes against one token at a time, where the chip spends its time on fetching."""
    n, together = len(s.tokens), run.counts.scores
    single = sum(p.counts.scores for p in in_chunks(s, 1))
    cells = (
        f"the same **{quantity(together, 'cell')}**"
        if single == together
        else f"{quantity(together, 'cell')} instead of {single}"
    )
    whole, part, half = "just as long", f"about 1/{n} as long", "about half as long"
    return Question(
        "time",
        f"All at once computes {cells} in 1 pass instead of {n}. How long does it take, beside one token at a time?",
        part if n > 2 else half,
        f"The model is fetched once instead of {n} times, and to compute {n} rows in a pass takes hardly longer than one.",
        options=(whole, *dict.fromkeys((half, part if n > 2 else half)), "longer"),
        slips={whole: "So it would be if multiplying took the time; it is fetching that does."} if single == together else {},
    )


def on_a_chip(n: int) -> str:
    """What a pass of a real model waits for: its numbers, not its products."""
    fetch, rows = tpot_s(REAL, 0, DEVICE), compute_s(n * decode_flops(REAL, 0), DEVICE)
    return (
        f"In a real model ({REAL.name} on an {DEVICE.name.split()[0]}, a server’s chip) a pass fetches for **{milliseconds(fetch)}**, and "
        f"multiplies {quantity(n, 'row')} in **{milliseconds(rows)}**."
    )


def looks_and_changes(s: Scenario, causal: bool, token: int, value: float) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """What each row may look at, (n, n), which rows are others once the token has that value, (n,), and which of them by a little
    only, (n,), None where none is."""
    before = replace(s, causal=causal)
    after = set_value(before, token, value)
    hardly, least = rows_hardly_changed(before, after)
    return toy.prefill_of(before).layers[0].mask[0], contexts_changed(before, after).any(axis=1), hardly if least else None


def kept_by_a_trained_model() -> str:
    """The same, measured in the bundled model: which tokens' keys and values stay when a word of its text is another."""
    n_layer, at, moved = RESULTS.get(("kept before", TEXT, CHANGE), _measured, lambda found: found[2].nbytes)
    one, other = CHANGE
    keep = "not all tokens before it keep their" if moved[:at].any() else f"the **{at}** tokens before it keep their"
    return (
        f"The trained model of step 1 runs **{n_layer} layers** one after another. Where “{one}” becomes “{other}” there, {keep} keys "
        "and values in all of them."
    )


def _measured() -> tuple[int, int, np.ndarray]:
    """Layers, where the changed word stands, and (n,) whether any key or value of a token is another with the other word."""
    model = bundled()
    ids = [model.tokenizer.encode(TEXT.format(word)) for word in CHANGE]
    one, other = (prefill(model, x).layers for x in ids)
    apart = [gaps(getattr(a, name), getattr(b, name)).max(axis=(0, 2)) for a, b in zip(one, other, strict=True) for name in "kv"]
    return (
        len(one),
        next(k for k, pair in enumerate(zip(*ids, strict=True)) if len(set(pair)) > 1),
        np.max(apart, axis=0) > ROUNDING,
    )


def no_row_sees_ahead(s: Scenario, sentence: Callable[[Scenario, Scenario, int, np.ndarray], str]) -> None:
    """A token's value changes, with the mask and without; which rows notice is asked of the one that the scenario has not.

    sentence: says which did, of the scenario before and after, the token, and these rows.
    """
    found = (
        "Rows came out **the same**, whichever way. Was that luck?"
        if _came_out_the_same(s)
        else ("Rows came out **others**, another way. Do some look ahead?")
    )
    lead(f"{found} A test: one value changes, with the **mask** and without. Which rows come out new?", "mask", "row")
    question = leak_question(s)
    token, value = _changed(s, question is None or question.answered)
    known = {s.causal: True, not s.causal: question is None or question.answered}
    found = {causal: looks_and_changes(s, causal, token, value) for causal in MASK}
    sides = tuple(Side(name, *found[at]) if known[at] else Side(name, found[at][0], None) for at, name in MASK.items())
    plot(two_masks(sheet(), sides, s.tokens, token), in_words(s, sides, token, value), "two_masks")
    said = sentence(s, set_value(s, token, value), token, found[s.causal][1])
    trained = kept_by_a_trained_model() if question is None or question.answered else None
    if question:
        question_then_takeaway(question, "two_masks", said, trained, widths=(1.3, 1))
    else:
        takeaway("two_masks", said, trained)


def _changed(s: Scenario, free: bool) -> tuple[int, float]:
    """Which token gets another value, and which one; free: whether another token may be chosen, or a question is about this one."""
    if not free:
        token = token_changed(s)
        with st.container(key="changed_waits"):  # as high as the buttons that take its place: the figure stays where it is
            st.markdown(f"**The value of {token_name(s.tokens, token)}** goes {_from_to(s, token)}.")
        return token, value_given(s, token)
    words = [md(word) for word in s.tokens]
    with st.container(horizontal=True, vertical_alignment="center", key="changed"):
        with st.container(key="changed_label", width="content"):
            st.markdown("**Change the value of**", width="content")
        token = TOKEN.buttons("Change the value of", words, token_changed(s) + 1, label_visibility="collapsed") - 1
        name = f"**The value of {token_name(s.tokens, token)}** goes " if not controls_in_sight() else ""
        st.markdown(f"{name}{_from_to(s, token)}", width="content")
    return token, value_given(s, token)


def _from_to(s: Scenario, token: int) -> str:
    return f"from **{entered(s.values[token])}** to **{entered(value_given(s, token))}**"


def in_words(s: Scenario, sides: tuple[Side, Side], token: int, value: float) -> str:
    """The figure as a text alternative."""
    changed = f"{token_name(s.tokens, token, str)} goes from {entered(s.values[token])} to {entered(value)}"
    told = [f"{side.title} {_new_rows(s, side)}" for side in sides]
    return f"{changed}; {'; '.join(told)}."


def _new_rows(s: Scenario, side: Side) -> str:
    """Which rows of a side are new, in words."""
    if side.moved is None:
        return "is still to be found"
    hardly = side.hardly if side.hardly is not None else np.zeros(len(side.moved), bool)
    said, new = [], side.moved & ~hardly
    for which, what in ((new, f"{plural(int(new.sum()), 'this row is', 'these rows are')} new"), (hardly, "moved little")):
        if which.any():
            said.append(f"{what}: {join([token_name(s.tokens, i, str) for i in np.flatnonzero(which)])}")
    return ", ".join(said) or "no row is new"
