"""The story in five sentences: why two phases, what is kept, why it stays true, what it costs, what it does not save.

Numbers are those of the scenario and of P and G; bytes are those of a real model. A number that a question of this lesson asks
for waits until it has been predicted.
"""

from pathlib import Path

import streamlit as st

from engine.cost import binary_bytes
from engine.counts import cached_counts
from engine.toy.scenario import Scenario
from pages.lessons.counting import questions
from pages.lessons.counting.costs import BITS, CHAT, REAL
from pages.lessons.counting.figures.five_pictures import five_pictures
from pages.lessons.counting.questions import waits
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.text.amounts import count
from pages.parts.text.format import join
from pages.parts.visit import menu
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.display import handout, narrow, presenting

SHOWN_IN = ("prefill", "decode", "cache", "memory")  # the lessons where the five can be touched
CSS = Path(__file__).with_name("in_short.css")


@step(
    "In five sentences",
    minutes=4,
    ask="Close the screen: two phases, what is kept, why it stays true, what it costs, what it does not save. A sentence each?",
    wrong={
        "It keeps the attention": "scores and weights are thrown away after each pass; keys and values are kept",
        "It makes the answer linear": "rows grow in step with the tokens, products with their square",
    },
)
def five(s: Scenario, p: int, g: int) -> None:
    """The five sentences, each with its picture, and the lessons that showed them."""
    st.html(CSS)
    said, alt = sentences(s, p, g), "Five pictures: {}."
    tells = (
        f"1 pass, then {count(g - 1)}" if g > 1 else "1 pass", "key and value", "never ahead" if s.causal else "the mask is off",
        f"{binary_bytes(REAL.kv_bytes_per_token(BITS))} a token", "every kept key",
    )  # fmt: skip
    with st.container(key="in_short"):
        if narrow():
            for k, sentence in enumerate(said):
                plot(five_pictures(sheet(), tells, s.causal, g, only=k), f"A picture: {tells[k]}.", f"picture_{k}")
                st.markdown(f"{k + 1}. {sentence}")
        else:
            plot(five_pictures(sheet(), tells, s.causal, g), alt.format(", ".join(tells)), "pictures")
            st.markdown("\n".join(f"1. {sentence}" for sentence in said))
    pages = menu.of_visit().pages
    if pages and not (presenting() or narrowed() or handout()):
        with st.container(horizontal=True, vertical_alignment="center", key="shown_in"):
            st.caption("To see it again:", width="content")
            for name in SHOWN_IN:
                st.page_link(pages[name], label=pages[name].title, width="content")


def sentences(s: Scenario, p: int, g: int) -> tuple[str, ...]:
    """All five as Markdown, each opened by the question that it answers."""
    return (
        f"**Why two phases?** {_two_phases(p, g)}",
        f"**What is kept?** {_kept(s, p, g)}",
        f"**Why does it stay true?** {_stays_true(s)}",
        f"**What does it cost?** {_costs()}",
        f"**What does it not save?** {_not_saved(s, p, g)}",
    )


def _two_phases(p: int, g: int) -> str:
    """One pass over what is known, then one for each word that another one needs."""
    first = f"The prompt is known, so its {_rows(p)} go{'es' * (p == 1)} through the model in **one pass**"
    if g == 1:
        return f"{first}, which also gives the answer’s only word; a second word would need that one, and a **pass of its own**."
    more = f"**{count(g - 1)} more pass{'es' * (g > 2)}** for {count(g)} words"
    return f"{first}; a word of the answer must exist before the next one can be computed: {more}."


def _kept(s: Scenario, p: int, g: int) -> str:
    """Keys and values, of how many tokens."""
    n = cached_counts(p, g).kv_rows
    open_still = waits(questions.rows_with(s), s, p, g)
    tokens = "every token" if open_still else f"each of the **{count(n)}** tokens" if n > 1 else "the **1** token"
    return f"The **key and value** of {tokens} read, in every layer: no query, score or attention weight."


def _stays_true(s: Scenario) -> str:
    """The causal mask; where this scenario has none, or another way for a row to know of later tokens, what comes of that."""
    if heads := [str(h) for h, rule in enumerate(s.rules, 1) if rule.breaks_cache]:
        says = f"the key of head {heads[0]} says" if len(heads) == 1 else f"the keys of heads {join(heads)} say"
        return (
            f"**Here it does not**: {says} “I am the last so far”, which the next token makes false; a cache needs keys and "
            "values that no later token changes."
        )
    if not s.causal:
        return (
            "**The mask is off here**, so rows also see later tokens: one layer, which makes keys and values from each token "
            "alone, does not notice; from the second layer on what was kept would be wrong."
        )
    law = "Under the causal mask a row **never looks ahead**, so no later token changes an old key or value"
    if s.empty_row == "fill":
        return f"{law}; with −10⁹ for −∞, as here, a row that matches nothing does look ahead, and deeper layers would notice."
    return f"{law}."


def _costs() -> str:
    """The multiplication for a real model, and that all is read at every step."""
    return (
        f"Memory: 2 × {REAL.n_layer} layers × {REAL.n_kv_head} key/value heads × {REAL.d_head} numbers × {BITS // 8} bytes = "
        f"**{binary_bytes(REAL.kv_bytes_per_token(BITS))}** a token in {REAL.name}, **{binary_bytes(REAL.kv_bytes(CHAT, bits=BITS))}** for "
        f"{CHAT:,}. Time: **every** step reads it all."
    )


def _not_saved(s: Scenario, p: int, g: int) -> str:
    """Products, which grow with the square of the length, and the waiting."""
    n = cached_counts(p, g).scores
    open_still = waits(questions.products(s), s, p, g)
    so_many = "" if open_still else f", here **{count(n)}** a head under the mask"
    return (
        f"The products of each new query with **every** kept key: in all they still grow with the square of the length{so_many}; "
        "and each pass still **waits** for the one before."
    )


def _rows(n: int) -> str:
    return f"{count(n)} row{'s' * (n > 1)}"
