"""What the lesson on prefill asks of the mask: which rows notice a token’s new value without it, and which rows need it."""

from dataclasses import replace
from math import floor, log10

import numpy as np

from engine.compare import ROUNDING, gaps
from engine.experiments import rows
from engine.prefill import prefill
from engine.toy.edits import set_value
from engine.toy.leaks import stays_true
from engine.toy.rules import LITTLE
from engine.toy.scenario import Scenario
from pages.parts.controls import toy
from pages.parts.question.question import Question
from pages.parts.text.format import entered, md
from pages.parts.text.softmax_residue import hardly_changed, residue_bounds
from pages.parts.text.toy_names import token_name

FILLED = "an empty row filled with −10⁹ averages over all tokens, the hidden ones too"
ROWS = ("only the first", "only the last")  # what pressing the first row says, and the last
MASK_ROWS = (*ROWS, "the last and some others", "every row", "none")
SOME = "some of them"


def token_changed(s: Scenario) -> int:
    """Which token's value is changed, untouched: the last but one, so that rows stand before it and behind it."""
    return max(1, len(s.tokens) - 1) - 1


def value_given(s: Scenario, token: int) -> float:
    """What it is changed to, untouched."""
    return 100.0 if s.values[token] != 100 else 10.0


def contexts_changed(before: Scenario, after: Scenario) -> np.ndarray:
    """Which contexts of each row are others where a value or the mask is another, by more than softmax leaves to what does not match:
    (n, n_head)."""
    return _moves(before, after) > max(ROUNDING, LITTLE * float(_moved(before, after).max()))


def _moves(before: Scenario, after: Scenario) -> np.ndarray:
    """By how much the contexts of each row are others, ∞ where only one of the two is none, which is no 0: (n, n_head)."""
    runs = [toy.prefill_of(x) for x in (before, after)]
    none, none_then = (run.layers[0].empty.T for run in runs)
    return np.where(none != none_then, np.inf, gaps(*(rows.contexts([run]) for run in runs)))


def _moved(before: Scenario, after: Scenario) -> np.ndarray:
    """By how much each value is another one, or where it is the mask that is another, the values: (n,)."""
    return np.abs(np.subtract(after.values, before.values) if before.causal == after.causal else np.array(before.values))


def rows_hardly_changed(before: Scenario, after: Scenario) -> tuple[np.ndarray, float]:
    """Which rows move by no more than softmax leaves to tokens that do not match, where scores lie close together, (n,); and a round
    number that this is less than, 0 where there is no such row."""
    changed = contexts_changed(before, after).any(axis=1)
    moved = _moved(before, after)
    # Under a mask that is another one any number of tokens comes in, each as far from the context as the values are apart.
    coming = (len(moved), float(np.ptp(before.values))) if before.causal != after.causal else (1, float(moved.max()))
    return hardly_changed(changed, _moves(before, after).max(axis=1), residue_bounds(before, *coming))


def leak_question(s: Scenario) -> Question | None:
    """Which rows notice a token's new value when the mask is off; where it is off already, when it is on. None of a single token,
    from which a mask hides nothing."""
    token, n = token_changed(s), len(s.tokens)
    if n == 1:
        return None
    before = replace(s, causal=not s.causal)
    after = set_value(before, token, value_given(s, token))
    hardly, least = rows_hardly_changed(before, after)
    moved = contexts_changed(before, after).any(axis=1) & ~hardly
    word, by = token_name(s.tokens, token), f" **by more than {entered(least)}**" if least else ""
    from_on, earlier = f"only from {word} on", f"some before {word}, too"
    options = ("none", *((from_on, earlier) if token else (SOME,)), "every row")  # nothing stands before the first
    some = SOME if not token else earlier if moved[:token].any() else from_on
    answer = "none" if not moved.any() else "every row" if moved.all() else some
    return Question(
        "leak",
        f"Suppose the mask were {'on' if before.causal else 'off'}. {word} goes from {entered(s.values[token])} to "
        f"{entered(value_given(s, token))}: which rows change{by} then?",
        answer,
        _why_leak(before, after, token, moved),
        options=options,
    )


def _why_leak(before: Scenario, after: Scenario, token: int, moved: np.ndarray) -> str:
    """What a mask, or none, does to the rows before the token. moved: (n,), which rows change."""
    if not token and moved.any():
        return f"Nothing stands before {token_name(before.tokens, token)} from which a mask could hide it."
    if before.causal and token:
        return f"Even under the mask: {FILLED}." if moved[:token].any() else "The mask hides it from every row before it."
    if not moved[:token].any():
        return not_looked_at(before, after, token)
    under_mask = contexts_changed(*(replace(x, causal=True) for x in (before, after))).any(axis=1)
    if (under_mask >= moved)[:token].all():
        return f"With the mask or without it: {FILLED}."
    kept = ": the mask is what lets them **be kept**" * stays_true(replace(before, causal=True))
    return f"Without the mask a row looks at what comes later, so each new word may change all rows before it{kept}."


def not_looked_at(before: Scenario, after: Scenario, token: int) -> str:
    """Why no earlier row changed although the mask is off."""
    if before.values[token] == after.values[token]:
        return "Its value is what it was."
    hardly, little = rows_hardly_changed(before, after)
    if hardly[:token].any():
        return f"The mask is off, and rows before it move by less than {entered(little)}."
    least = little / abs(after.values[token] - before.values[token])
    looked = (toy.prefill_of(before).layers[0].weights[:, :, token] > max(LITTLE, least)).any(axis=0)
    if looked[:token].any():
        return "Rows before it give it weight, the mask is off; but their contexts come out the same."
    return f"The mask is off, and still no row{' before it' * bool(looked.any())} gives it a weight worth naming."


def with_and_without(s: Scenario) -> tuple[Scenario, Scenario]:
    """The scenario with the causal mask and without it."""
    return replace(s, causal=True), replace(s, causal=False)


def mask_question(s: Scenario) -> Question:
    """Which rows stay as they are without the mask: the last, which was allowed to see everything anyway."""
    hardly, least = rows_hardly_changed(*with_and_without(s))
    same = ~contexts_changed(*with_and_without(s)).any(axis=1) | hardly
    within, by = (f", **to within {entered(least)}**", f" by {entered(least)} or more") if least else ("", _but_for(s))
    if len(s.tokens) == 1:
        return _mask_of_one(s, bool(same.all()))
    kept = ": the mask is what lets the rows before it be kept" * stays_true(replace(s, causal=True))
    return Question(
        "mask",
        f"Suppose the causal mask were off. Which rows would keep the contexts that they have with it{within}?"
        if s.causal
        else f"The causal mask is off here. Which rows have the contexts that they would have with it{within}?",
        rows_that_stay(same),
        f"{f'No context changes here{by}. ' if same.all() else ''}“{md(s.tokens[-1])}” is the last token: nothing comes after it, so "
        f"the mask hides nothing from it. A row that looks ahead may change with every word that follows{kept}.",
        options=MASK_ROWS,
    )


def _but_for(s: Scenario) -> str:
    """Below which power of ten contexts move with the mask, where that is more than rounding; for a sentence that says that none does."""
    masked, without = (prefill(x.model(), x.prompt_ids).layers[0].context for x in with_and_without(s))  # with what softmax leaks
    most = float(np.abs(without - masked).max())
    return f" by {entered(10.0 ** (floor(log10(most)) + 1))} or more" if ROUNDING < most < np.inf else ""


def _mask_of_one(s: Scenario, same: bool) -> Question:
    """Whether the only row stays as it is without the mask, which hides nothing from it."""
    word = md(s.tokens[0])
    return Question(
        "mask",
        f"Suppose the causal mask were off. Would “{word}”, the only token, keep the contexts that it has with it?",
        "yes" if same else "no",
        f"Nothing comes after “{word}”, so the mask hides nothing from it.",
        options=("yes", "no"),
    )


def rows_that_stay(same: np.ndarray) -> str:
    """Which rows are the same, as one of MASK_ROWS. same: (n,)"""
    if same.all():
        return "every row"
    if not same[-1]:
        return "only the first" if same[0] and same.sum() == 1 else "none"
    return "only the last" if same.sum() == 1 else "the last and some others"
