"""One line on every step that computes with the chosen model: which, on what, how long, how many; it leads back to the desk."""

import streamlit as st

from pages.parts.hardware.setup import Setup
from pages.parts.hardware.weight_formats import on_average
from pages.parts.lesson.foot import all_on_one_page
from pages.parts.lesson.step_navigation import SLIDE
from pages.parts.text.format import md, number, quantity
from pages.parts.visit import all_lessons, location
from pages.parts.visit.display import narrow, presenting
from pages.parts.visit.scenario import on_paper

DESK = "memory"  # the lesson whose first step it is
HELP = "Change it where all of it is chosen"


def show(s: Setup, n_generated: int = 0, batch: bool = True) -> None:
    """Draw it; where the lesson runs by itself there is nowhere to lead. n_generated: tokens of the answer, where that counts; batch:
    whether one is set, and none follows from who comes when."""
    if presenting():
        return
    page, text = all_lessons.of_visit().pages.get(DESK), f":small[{in_words(s, n_generated, batch, narrow())}]"
    if on_paper():
        st.caption(text)
    elif location.now().lesson == DESK and not all_on_one_page():  # a link to the page that is open would leave the step as it is
        leads = {"on_click": SLIDE.set_text, "args": ("",)}
        if st.button(text, key="to_desk", icon=":material/tune:", type="tertiary", help=HELP, **leads):
            st.rerun()
    elif page:
        st.page_link(page, label=text, icon=":material/tune:", help=HELP)
    else:
        st.caption(text)


def in_words(s: Setup, n_generated: int = 0, batch: bool = True, short: bool = False) -> str:
    """ "Llama-3.1-8B on A100-80 · 16-bit weights, 16-bit cache · 2,048 + 200 tokens · batch 1"; short: in one line of a phone, which says
    of numbers how long they are where they are no longer the usual 16 bits."""
    tokens = f"{s.n_tokens:,} + {n_generated:,} tokens" if n_generated else quantity(s.n_tokens, "token")
    stored = f"{number(s.weight_bits, 2)}-bit parameters{on_average(s.shape, s.weight_bits)}"
    bits = f" · {stored}, {s.kv_bits}-bit cache" * (not short or {s.weight_bits, s.kv_bits} != {16})
    return f"{md(s.shape.name)} on {md(s.devices)}{bits} · {tokens}" + f" · batch {s.batch:,}" * batch
