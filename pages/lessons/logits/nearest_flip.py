"""How far each token's value is from making another word win."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.sampling import likeliest
from engine.toy.by_hand import weights_by_hand
from engine.toy.flips import Winners, winners
from engine.toy.scenario import MAX_VALUE, Scenario
from pages.lessons.logits.figures.flip_lines import as_near, flip_lines, nearest_flip
from pages.lessons.logits.steps import WIDE, matrix
from pages.parts.controls import toy
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.digits import threshold_text, told_apart
from pages.parts.text.format import join, md, number, plural
from pages.parts.text.toy_names import in_quotes, token_name

STRAIGHT = "Each logit follows a value on a **straight line**: no weight moves with it."
BOUNDS = f"from −{number(MAX_VALUE)} to {number(MAX_VALUE)}"  # where values may lie


def flip_table(s: Scenario, run: ForwardPass) -> list[Winners]:
    """Who wins along the value of each token, as far as a value may go: exact, because every logit is a straight line in it."""
    logits, slope = lines_by_hand(s, run)
    return [winners(logits, slope[j], value, MAX_VALUE) for j, value in enumerate(s.values)]


def lines_by_hand(s: Scenario, run: ForwardPass) -> tuple[np.ndarray, np.ndarray]:
    """The last row's logits, (n_vocab,), and how much each grows for each unit of a token's value, (n, n_vocab), where softmax leaks
    nothing to tokens that do not match: of level words it would make values at which one or the other wins."""
    kept = weights_by_hand(run.layers[-1].weights[:, -1])  # (n_head, n)
    return kept @ np.array(s.values) @ matrix(s), kept.T @ matrix(s)


@step("Nearest flip", minutes=4, ask="Which value has to move least for another word to win?")
def flips(s: Scenario, run: ForwardPass) -> None:
    """How far each token's value is from making another word win, with the sliders to try it."""
    lead("A **flip** is where another word becomes the likeliest when one value is moved and all else stays.", "value")
    shown = st.container()
    toy.value_sliders()
    if not np.isfinite(run.logits[-1]).all():
        st.markdown("A context is not a number, so no logit is one: there is no winner to flip.")
        return
    lines = flip_table(s, run)
    low, high = min(toy.SLIDER[0], *s.values), max(toy.SLIDER[1], *s.values)
    presented = WIDE if len(s.tokens) <= 8 else 0.96  # two rows of sliders stand above the lines
    names = level_names(s, run, " = ")
    drawn_on = under_headline(sheet(slide_zoom=presented), *_found(s, lines, names))
    figure = flip_lines(drawn_on, lines, s.values, s.tokens, names, low, high)
    with shown:
        plot(figure, _flips_in_words(s, run, lines), "flip_lines")
        takeaway("flips", STRAIGHT, help=_flip_sentence(s, run, lines))


def _found(s: Scenario, lines: list[Winners], names: list[list[str]]) -> tuple[str, str]:
    """The headline, and for a phone a shorter one: the value that has to move least for another word to win. names: of each word,
    by token, with those that are level with it there."""
    nearest = nearest_flip(lines, s.values)
    if nearest is None:
        return (
            f"no single value from −{number(MAX_VALUE)} to {number(MAX_VALUE)} makes another word win",
            "no value flips the word",
        )
    token, value, word, above = nearest
    where = f"“{s.tokens[token]}” {'above' if above else 'below'} {_flip_value_text(value, s.values[token], s.values)}"
    more = as_near(lines, s.values) - 1
    near = f"; {plural(more, 'another is', f'{more} others are')} as near" if more else ""
    return f"nearest flip: {where} → “{names[token][word]}”{near}", f"flips: {where}"


def level_names(s: Scenario, run: ForwardPass, joined: str) -> list[list[str]]:
    """By token, each word together with those that its value leaves level with it: they win and lose as one."""
    logits, slope = lines_by_hand(s, run)
    return [
        [joined.join(s.words[k] for k in _words_moved_alike(logits, slope[j], w)) for w in range(len(s.words))]
        for j in range(len(s.tokens))
    ]


def _flips_in_words(s: Scenario, run: ForwardPass, lines: list[Winners]) -> str:
    """Every threshold, as the text alternative."""
    told = []
    for j, (value, line, names) in enumerate(zip(s.values, lines, level_names(s, run, "” and “"), strict=True)):
        cuts = [f"above {_flip_value_text(f.value, value, s.values)} “{names[f.word]}”" for f in line.up]
        cuts += [f"below {_flip_value_text(f.value, value, s.values)} “{names[f.word]}”" for f in line.down]
        told.append(f"{token_name(s.tokens, j, str)}: {', '.join(cuts) or f'no value {BOUNDS} changes the winner'}")
    level = in_quotes(s.words[w] for w in likeliest(run.logits[-1]))
    now = f"{join(level)} are level now. " if len(level) > 1 else ""
    return f"{now}Values at which another word than “{s.words[lines[0].now]}” wins, moving one token alone. {'; '.join(told)}."


def _flip_value_text(flip: float, value: float, values: Sequence[float]) -> str:
    """The value at which a word flips, with digits enough to tell it from the present one. values: of all tokens."""
    said = threshold_text(flip, values)
    return told_apart(flip, value)[0] if said == threshold_text(value, values) else said


def _flip_sentence(s: Scenario, run: ForwardPass, lines: list[Winners]) -> str:
    """The nearest flip, and why it is exact."""
    now, nearest = md(s.words[lines[0].now]), nearest_flip(lines, s.values)
    level = likeliest(run.logits[-1])
    if nearest is None:
        single = f"whatever a single value is {BOUNDS}"
        if len(level) > 1:
            return f"{join([f'**{md(s.words[w])}**' for w in level])} are level {single}: their logits grow alike with every one."
        if len(s.words) == 1:
            return f"**{now}** wins {single}: there is no other word."
        return f"**{now}** wins {single}: no other logit gains enough on its own by any of them."
    token, value, word, above = nearest
    logits, all_slopes = lines_by_hand(s, run)
    slope = all_slopes[token]
    there = logits + slope * (value - s.values[token])
    gains = [f"{gain} to " for gain in told_apart(slope[word], slope[lines[0].now], 3)]
    ahead, behind = (
        in_quotes([s.words[x] for x in _words_moved_alike(there, slope, w)], escape=md) for w in (word, lines[0].now)
    )
    where = _flip_value_text(value, s.values[token], s.values)
    draw = f"{join([f'**{md(s.words[w])}**' for w in level])} are level now. " if len(level) > 1 else ""
    more = as_near(lines, s.values) - 1
    near = f" {plural(more, 'Another token’s value need', f'{more} other tokens’ values need')} move no farther." if more else ""
    return (
        f"{draw}{'Above' if above else 'Below'} **{where}** for {token_name(s.tokens, token)}, **{join(ahead)}** "
        f"{plural(len(ahead), 'beats', 'beat')} {join(behind)}: one more unit of it adds {gains[0]}{_to_whom(ahead)} and "
        f"{gains[1]}{_to_whom(behind)}, on straight lines, because no weight moves with a value.{near}"
    )


def _to_whom(words: list[str]) -> str:
    return join(words) if len(words) == 1 else f"each of {join(words)}"


def _words_moved_alike(logits: np.ndarray, slope: np.ndarray, word: int) -> list[int]:
    near = 1e-9 * (1 + np.abs(logits).max())
    return np.flatnonzero((np.abs(logits - logits[word]) <= near) & (np.abs(slope - slope[word]) <= 1e-9)).tolist()
