"""How far each token's value is from making another word win."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.toy.flips import Winners, winners
from engine.toy.projection import slopes
from engine.toy.scenario import Scenario
from pages.lessons.logits.figures.flip_lines import flip_lines, nearest_flip
from pages.lessons.logits.steps import WIDE, matrix
from pages.parts.controls import toy
from pages.parts.drawing.plot import plot
from pages.parts.lesson.lesson import lead, step
from pages.parts.text.format import md, number
from pages.parts.visit.display import look, presenting


def flip_table(s: Scenario, run: ForwardPass) -> list[Winners]:
    """Who wins along the value of each token: exact, because every logit is a straight line in it."""
    slope = slopes(run.layers[-1], matrix(s))
    return [winners(run.logits[-1], slope[j], value) for j, value in enumerate(s.values)]


@step("Nearest flip")
def flips(s: Scenario, run: ForwardPass) -> None:
    """How far each token's value is from making another word win, with the sliders to try it."""
    if not presenting():
        lead("A **flip** is where another word becomes the likeliest when one value is moved and all else stays.", "value")
    toy.value_sliders()
    if not np.isfinite(run.logits[-1]).all():
        st.markdown("One context is not a number, so no logit is one: there is no winner to flip.")
        return
    lines = flip_table(s, run)
    low, high = min(toy.SLIDER[0], *s.values), max(toy.SLIDER[1], *s.values)
    zoom = 1.0 if not presenting() else WIDE if len(s.tokens) <= 8 else 0.96  # two rows of sliders stand above the lines
    figure = flip_lines(lines, s.values, s.tokens, s.words, low, high, **look(zoom))
    plot(figure, _flips_in_words(s, lines), "flip_lines")
    with st.container(key="takeaway_flips"):
        st.markdown(_flip_sentence(s, run, lines))


def _flips_in_words(s: Scenario, lines: list[Winners]) -> str:
    """Every threshold, as the text alternative."""
    told = []
    for token, line in zip(s.tokens, lines, strict=True):
        cuts = [f"above {number(f.value)} {s.words[f.word]}" for f in line.up]
        cuts += [f"below {number(f.value)} {s.words[f.word]}" for f in line.down]
        told.append(f"{token}: {', '.join(cuts) or 'no value changes the winner'}")
    return f"Values at which another word than {s.words[lines[0].now]} wins, moving one token alone. {'; '.join(told)}."


def _flip_sentence(s: Scenario, run: ForwardPass, lines: list[Winners]) -> str:
    """The nearest flip, and why it is exact."""
    now, nearest = md(s.words[lines[0].now]), nearest_flip(lines, s.values)
    if nearest is None:
        return f"**{now}** wins whatever a single value is: no logit grows faster with any of them than its own does."
    token, value, word = nearest
    slope, name = slopes(run.layers[-1], matrix(s))[token], md(s.words[word])
    side = "Above" if value > s.values[token] else "Below"
    return (
        f"{side} **{number(value)}** for “{md(s.tokens[token])}”, **{name}** beats {now}: one more unit of it adds "
        f"{number(slope[word], 3)} to {name} and {number(slope[lines[0].now], 3)} to {now}, on straight lines, because no weight "
        "moves with a value."
    )
