"""The split point: prefill up to it and decode behind it, against one prefill."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.answer import rows_so_far
from engine.attention import attention
from engine.cache import KVCache
from engine.compare import ROUNDING, gaps, largest_gap
from engine.decode import decode_step, recompute
from engine.empty_row import EMPTY_ROW
from engine.prefill import prefill
from engine.toy import Scenario
from pages.parts import widgets
from pages.parts.decode_view import why_they_change
from pages.parts.figures.split_point import split_point
from pages.parts.look import look
from pages.parts.plot import plot
from pages.parts.walk import Walk
from pages.parts.words import apart, head_names


def split_view(s: Scenario, walk: Walk) -> None:
    """Prefill up to a point and decode behind it, against one prefill; and that the last row needs no mask."""
    ids = walk.token_ids if walk.n > 1 else (*walk.token_ids, walk.next_id)
    n = len(ids)
    decoded = 1
    with st.container(horizontal=True, vertical_alignment="center", key="split_point_controls"):
        if n > 2:
            decoded = widgets.extra_slider("split", "Last rows decoded one by one", 1, n - 1, 1, 1, width=360)
    split = n - decoded
    cache = KVCache.for_model(walk.model, n)
    passes = [prefill(walk.model, ids[:split], cache), *(decode_step(walk.model, i, cache) for i in ids[split:])]
    whole = recompute(walk.model, ids)
    parts, one = rows_so_far(passes), rows_so_far([whole])
    # Rows of an early pass have no column yet for a later token: no weight, as a weight of 0.
    weights = gaps(np.nan_to_num(parts.weights), np.nan_to_num(one.weights)).max()
    gap = max(float(weights), largest_gap(parts.context, one.context))
    words = walk.words[:n]
    plot(
        split_point(parts, one, split, gap, words, head_names(s), **look()),
        f"{n} tokens computed twice: a prefill of {split} with {n - split} decode steps beneath it, and one prefill of {n}. "
        f"The largest difference of any weight or context is {apart(gap)}.",
        "split_point",
    )
    with st.container(key="split_caption"):
        st.markdown(_split_caption(s, passes[-1].layers[0], whole.layers[0], split, n, gap))


def _split_caption(s: Scenario, new, whole, split: int, n: int, gap: float) -> str:
    rounding = ", which is rounding" if gap else ""
    same = (
        f"**prefill({split})** with {n - split} decoded {'row' if n - split == 1 else 'rows'} beneath it is **prefill({n})**: "
        f"max |Δ| = **{apart(gap)}**{rounding}. Prefill and decode are one calculation; they differ in how many rows a pass has."
        if gap <= ROUNDING
        else f"The two differ by up to **{apart(gap)}**, {why_they_change(s)}."
    )
    free = attention(new.q, new.k, new.v, np.ones_like(new.mask), EMPTY_ROW[s.empty_row])
    apart_new = apart(max(largest_gap(free.weights, new.weights), largest_gap(free.context, new.context)))
    hidden, dense = int((~whole.mask[0]).sum()), whole.mask[0].size
    mask = (
        f"The last row needs no mask: nothing is later than it, so masked and unmasked it is the same, max |Δ| = {apart_new}; "
        f"a prefill of {n} hides {hidden} of {dense} cells."
    )
    return f"{same} {mask}"
