"""Fewer key and value heads: MHA, GQA, MQA and a latent, and what each keeps."""

import streamlit as st

from engine.cost import both_bytes, decimal_bytes
from engine.cost.common_mistakes import mistakes
from engine.cost.shapes.head_groups import kind_of_heads, kv_head_choices, with_kv_heads
from engine.toy.scenario import Scenario
from pages.lessons.memory import steps
from pages.lessons.memory.figures.head_groups import head_groups
from pages.parts.drawing.plot import plot, sheet
from pages.parts.hardware import setup_line
from pages.parts.hardware.setup import Setup
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.format import md, number, quantity
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Choice

KV_HEADS = Choice("kv_heads")
SLIDE = 470  # pixels of the figure, presented: what it comes to is its headline there


@step("Share heads", minutes=4, ask="Half as many key heads: what becomes of the cache, and of the parameters?")
def heads(s: Setup, toy: Scenario) -> None:
    """The same model with other numbers of key/value heads."""
    shape = s.shape
    kept = f"{'only ' * (not shape.state_bytes())}keys and values are kept, and heads may share them"
    lead(f"Each query head asks by itself; {'what is kept is a latent that all of them share' if shape.latent else kept}.")
    choices = kv_head_choices(shape)
    if len(choices) == 1:
        why = "has one query head: there is nothing to share" if shape.n_head == 1 else "has other heads in other layers"
        _latent(s) if shape.latent else st.markdown(f"{md(shape.name)} {why}.")
        return setup_line.show(s)
    options = {str(n): f"{kind_of_heads(shape.n_head, n)} {n}" for n in choices}
    label = "Key/value heads: from one for each query head to one for all"
    shown = st.container()  # above its slider
    value = int(KV_HEADS.stops(label, options, str(shape.n_kv_head)))
    sizes = [with_kv_heads(shape, n).kv_bytes(s.n_tokens, s.batch, s.kv_bits) for n in choices]
    whole, now = sizes[0], sizes[choices.index(value)]
    kind = kind_of_heads(shape.n_head, value)
    by_heads = "; ".join(f"{quantity(n, 'head')} {decimal_bytes(b)}" for n, b in zip(choices, sizes, strict=True))
    heads_said = f"{quantity(shape.n_head, 'query head')}, {quantity(value, 'key/value head')}: {kind}"
    place = sheet(0.93, high=350, slide_high=SLIDE)
    with shown:
        drawn = head_groups(place, shape.n_head, value, shape.n_kv_head, choices, sizes)
        plot(drawn, f"{heads_said}. Cache at {steps.length(s)}: {by_heads}.", "head_groups")
    smaller = with_kv_heads(shape, shape.n_head).n_params - with_kv_heads(shape, value).n_params
    fewer = f" {smaller:,} parameters of the k and v projections are saved as well." if smaller and not shape.doubt else ""
    n, share = quantity(shape.n_head, "head"), number(value / shape.n_head, 4)
    saved = f"With a key and a value for each of {n} (MHA) nothing is saved: **{both_bytes(whole)}**."
    if value < shape.n_head:
        saved = (
            f"With {value} of {n} the cache is **{share}** of MHA’s: it saves {both_bytes(whole - now)} of {both_bytes(whole)}."
        )
    if not presenting():
        how = f"It is no setting of the cache.{fewer} Scores cost the same: every query head still asks."
        with shown:
            takeaway("heads", f"{saved} A trained model gets fewer only by training on (uptraining).", help=how)
    return setup_line.show(s)


def _latent(s: Setup) -> None:
    """Where the heads share one latent there is nothing to group: what it replaces, instead."""
    wrong = next(m for m in mistakes(s.shape, s.n_tokens, s.batch, s.kv_bits) if m.what.startswith("all heads"))
    takeaway(
        "heads",
        f"{md(s.shape.name)} caches no heads: one vector of {s.shape.kv_row} numbers a layer serves all {s.shape.n_head} "
        f"heads as key and as value (multi-head latent attention){_index(s)}. Keys and values of all heads would take "
        f"{both_bytes(wrong.wrong_bytes)} at {steps.length(s)}, **{number(wrong.factor, 1)} ×** as much as "
        f"{both_bytes(wrong.right_bytes)}. To morph from MHA to MQA, choose another model.",
    )


def _index(s: Setup) -> str:
    """The key that is kept beside the latent, and what it is for; "" for models without."""
    if not s.shape.d_index:
        return ""
    chosen = f"keys of an index that choose the {s.shape.n_select:,} tokens to read" if s.shape.n_select else "an index key"
    return f", and beside it {s.shape.d_index} more ({chosen})"
