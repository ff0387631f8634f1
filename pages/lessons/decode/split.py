"""The split point: prefill up to it and decode behind it, against one prefill."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from engine.attention import Attention, attention
from engine.cache import KVCache
from engine.compare import ROUNDING, gaps, largest_gap
from engine.decode import decode_step, recompute
from engine.experiments.rows import Rows, pass_gaps, rows_so_far
from engine.model import ForwardPass
from engine.prefill import prefill
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.leaks import to_blame
from engine.toy.rules import MAX_TOKENS
from engine.toy.scenario import Scenario
from pages.lessons.decode.figures.split_point import split_point
from pages.lessons.decode.questions import how_far, old_rows_question, rows_asked, why_rows_know
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.answer_position import AnswerPosition
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.question.predict import predict
from pages.parts.text.digits import gap_text
from pages.parts.text.format import quantity
from pages.parts.text.softmax_residue import least_change
from pages.parts.text.toy_names import head_names
from pages.parts.visit.parameters import Whole

DECODED = Whole("split", low=1, high=MAX_TOKENS - 1, default=1)  # how many of the last rows are decoded one by one


@step(
    "Two ways",
    minutes=5,
    click="With several rows drag **Last rows decoded one by one** from one end to the other.",
    ask="We compute everything again with the new token in. Which of the old rows come out different?",
    wrong={
        "another one, or several": "the new token is thought to be seen by earlier ones",
        "only the last of them": "true for the key that says “I am the last”, and only for that",
    },
)
def two_ways(s: Scenario, position: AnswerPosition) -> None:
    """Prefill up to a point and decode behind it, against one prefill, which waits for the prediction."""
    lead(
        "A **prefill** with **decode** steps behind it, or one prefill over all: do both give the same rows?", "prefill", "decode"
    )
    question, ids = old_rows_question(s, position), rows_asked(position)
    n = len(ids)
    decoded = DECODED.value(high=n - 1)
    split = n - decoded
    passes, whole = both_ways(s, split, ids)
    parts, one = rows_so_far(passes), rows_so_far([whole])
    gap = float(pass_gaps(passes, whole).max())
    words = position.words[:n]
    alt = f"One head of {n} tokens: a prefill over {split} with {quantity(n - split, 'decode step')} beneath it"
    alt += (
        f", and one prefill over {n}. The largest difference of any weight or context in any head is {gap_text(gap)}."
        if question.answered
        else f", and one prefill over {n}, of whose old rows the numbers are still to be found."
    )
    _, last, *some = question.options
    old = [*some, last]
    drawn, (asked, moved) = st.container(), st.columns([2.2, 1])
    with asked:
        predict(question)
    with moved:
        numbers = [str(h) for h in range(1, len(s.rules) + 1)]
        head = HEAD.buttons("Head", numbers, _head_to_see(parts, one) + 1) - 1
        if n > 2:
            DECODED.slider("Last rows decoded one by one", high=n - 1)
    with drawn:
        apart = gap_text(gap) if question.answered else "?"
        said = under_headline(sheet(), f"largest difference of the two ways: {apart}", f"largest difference: {apart}")
        figure = split_point(said, (parts, one), split, words, (head, head_names(s)[head]), asked_in(question, old))
        plot(figure, alt, "split_point", on_press=pressed(question, old))
    if question.answered:
        help = _last_row_needs_no_mask(s, passes[-1].layers[0], whole.layers[0], n)
        with asked:
            takeaway("split", _split_caption(s, split, ids, gap), help=help)


def _head_to_see(parts: Rows, one: Rows) -> int:
    """The head whose contexts or weights differ most between the two ways; where none does, the one that looks at most tokens."""
    weights = gaps(*(np.nan_to_num(rows.weights) for rows in (parts, one))).max(axis=(1, 2))
    apart = np.maximum(np.nan_to_num(gaps(parts.context, one.context)).max(axis=1), weights)
    return int(np.argmax(apart if apart.max() > ROUNDING else (one.weights > 0.005).sum(axis=(1, 2))))


def both_ways(s: Scenario, split: int, ids: Sequence[int]) -> tuple[list[ForwardPass], ForwardPass]:
    """A prefill up to the split with decode steps behind it, and one prefill over all."""
    model = s.model()
    cache = KVCache.for_model(model, len(ids))
    return [prefill(model, ids[:split], cache), *(decode_step(model, i, cache) for i in ids[split:])], recompute(model, ids)


def _split_caption(s: Scenario, split: int, ids: Sequence[int], gap: float) -> str:
    n = len(ids)
    if gap > ROUNDING:
        least = least_change(s) if gap > least_change(s) else ROUNDING
        causes = to_blame(s, lambda x: pass_gaps(*both_ways(x, split, ids)), least)
        return f"The two differ {how_far(gap)}, {why_rows_know(causes)}."
    rows, same = quantity(n - split, "decoded row"), ", but for rounding" if gap else ""
    return f"Prefill over {split} with {rows} beneath it gives the weights and contexts of **one prefill over {n}**{same}."


def _last_row_needs_no_mask(s: Scenario, new: Attention, whole: Attention, n: int) -> str:
    free = attention(new.q, new.k, new.v, np.ones_like(new.mask), EMPTY_ROW[s.empty_row])
    gap = gap_text(max(largest_gap(free.weights, new.weights), largest_gap(free.context, new.context)))
    return (
        f"The last row needs no mask: nothing is later than it. Masked and unmasked it differs by {gap}; "
        f"a prefill over {n} hides {int((~whole.mask[0]).sum())} of {whole.mask[0].size} cells."
    )
