"""One line on every step that computes with the chosen model: which, on what, how long, how many; it leads back to the desk."""

from __future__ import annotations

import streamlit as st

from pages.parts.hardware.setup import Setup
from pages.parts.text.format import md, number, quantity
from pages.parts.visit import menu
from pages.parts.visit.display import presenting

DESK = "memory"  # the lesson whose first step it is


def show(s: Setup, n_generated: int = 0, batch: bool = True) -> None:
    """Draw it; where the lesson runs by itself there is nowhere to lead. n_generated: tokens of the answer, where that counts; batch:
    whether one is set, and none follows from who comes when."""
    if presenting():
        return
    page = menu.of_visit().pages.get(DESK)
    if page:
        st.page_link(
            page,
            label=f":small[{said(s, n_generated, batch)}]",
            icon=":material/tune:",
            help="Change it where all of it is chosen",
        )
    else:
        st.caption(said(s, n_generated, batch))


def said(s: Setup, n_generated: int = 0, batch: bool = True) -> str:
    """ "Llama-3.1-8B on A100-80 · 16-bit weights, 16-bit cache · 2,048 + 200 tokens · batch 1"."""
    tokens = f"{s.n_tokens:,} + {n_generated:,} tokens" if n_generated else quantity(s.n_tokens, "token")
    bits = f"{number(s.weight_bits, 2)}-bit weights, {s.kv_bits}-bit cache"
    return f"{md(s.shape.name)} on {md(s.on)} · {bits} · {tokens}" + f" · batch {s.batch:,}" * batch
