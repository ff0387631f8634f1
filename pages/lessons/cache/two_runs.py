"""Two runs of the same words, with a cache and without, step by step: what each computes, what comes out, how far they part."""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
import streamlit as st

from engine.compare import PARTS, ROUNDING, largest_gap, last_row_gaps
from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.prefill import prefill
from engine.toy.by_hand import pass_by_hand
from engine.toy.edits import replace
from engine.toy.scenario import Scenario
from pages.lessons.cache import story
from pages.lessons.cache.figures.run_strips import RunStrip, run_strips
from pages.lessons.cache.stale_keys import with_stale_key, word_behind
from pages.parts.controls.answer_position import AnswerPosition
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, said_and_asked
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.digits import gap_text
from pages.parts.text.format import join, plural, quantity
from pages.parts.text.toy_names import articles_way, in_quotes
from pages.parts.visit.parameters import Choice
from pages.parts.visit.scenario import on_paper

AGAINST = Choice("against", formerly="compare")
STEPS = 6  # decode steps that the two runs are compared over, at least
PART_NAMES = ("keys", "values", "scores", "weights", "contexts", "logits")
TWO_RUNS = ("with the cache", "all anew")
AS_LONG_AS = "A cache changes no result as long as it drops and rounds nothing, and no later token changes an old row."
OLD_ROWS = " Old rows may come out otherwise; in one layer no newer one is made of them."
OWN, STALE = "own", "stale"
RUNS = {OWN: "This model", STALE: "With a key that goes out of date"}
SAME, OTHERS, STOPS = "the same words", "other words", "nothing, the program stops"


class TwoRuns(NamedTuple):
    """The same tokens with a cache and all anew. model: that ran; ids: what was fed; strips: one of each run; gaps: (part, pass), how
    far they part; spoiled: at how many passes the logits are no numbers."""

    model: Scenario
    ids: tuple[int, ...]
    strips: list[RunStrip]
    gaps: np.ndarray
    spoiled: int

    @property
    def others(self) -> int:
        """At how many passes the two do not say the same word."""
        return sum(a != b for a, b in zip(*(strip.words for strip in self.strips), strict=True))


def two_runs(s: Scenario, position: AnswerPosition, which: str) -> TwoRuns:
    """Both runs of the scenario as it is, or of the same with a key that goes out of date."""
    n_steps = min(max(position.at, STEPS), position.model.n_ctx - len(s.tokens))
    return _both_over(s, n_steps, (*position.answer_ids, position.next_id), which)


@lru_cache(maxsize=64)
def _both_over(s: Scenario, n_steps: int, fed: tuple[int, ...], which: str) -> TwoRuns:
    """Of so many decode steps behind the words that are fed. A page shows them, and asks about them."""
    own = s if which == OWN else with_stale_key(s, n_steps, fed)
    model = own.model()
    ids = answer(model, s.prompt_ids, n_steps + 1, chosen_ids=fed).token_ids[:n_steps]
    runs = list(cached_and_recomputed(model, s.prompt_ids, ids))
    breaks = any(rule.breaks_cache for rule in own.rules)  # what softmax leaks is then no difference that a key makes
    shown = [[pass_by_hand(run, own.w_vocab) for run in pair] for pair in runs] if breaks else runs
    apart_by_step = [last_row_gaps(cached, whole) for cached, whole in shown]
    spoiled = sum(not np.isfinite(whole.logits[-1]).all() for _, whole in runs)
    strips = [
        RunStrip(name, passes[0].n_new, [run.n_new for run in passes], [word_behind(own, run) for run in passes])
        for name, passes in zip(TWO_RUNS, zip(*runs, strict=True), strict=True)
    ]
    return TwoRuns(own, ids, strips, np.array([[step[part] for step in apart_by_step] for part in PARTS]), spoiled)


@step(
    "Same words?",
    minutes=5,
    ask="With the cache and without: where may the numbers differ? And what if one key were wrong?",
    wrong={
        "Everywhere a little": "the same sums in the same order give the same numbers; another order, rounding",
        STOPS: "every shape still fits, so nothing complains: a wrong cache goes on writing",
    },
    in_story={"ask": "Keys stay in the cache as they were made. Do the words come out as without one? When not?", "wrong": {}},
)
def compare(s: Scenario, position: AnswerPosition) -> None:
    """Two independent runs of the same tokens, step by step; and what comes out where one key goes out of date."""
    if routes.chosen() == routes.STORY and (written := three_runs_that_show_it(s, position)):
        story.show_three_runs(s, written)
        return
    said, chosen = st.columns([1.7, 1], vertical_alignment="center")
    with chosen:
        which = AGAINST.buttons("Model", RUNS, OWN, label_visibility="collapsed")
    found = two_runs(s, position, which)
    question = wrong_key_question(s, position)
    asked = bool(question) and not question.answered
    told = which == OWN or not asked
    passes = quantity(len(found.ids) + 1, "pass")
    with said:
        by_hand = " Where no logit is a number no word comes out, and one is **fed in by hand**." * bool(found.spoiled)
        lead(f"Both runs are fed the same text, {passes}: one keeps its keys and values, the other computes all anew.{by_hand}")
    _strips(s, found, told, asked)
    left, right = said_and_asked("compare", (1, 1.1))
    if told:
        there = articles_way(s) if which == STALE else ""
        run_as = f" This one is run as in the article’s code, {there}." * bool(there)
        seen = f" See it: press **{RUNS[STALE]}**." * bool(which == OWN and question and question.answered and not on_paper())
        left.markdown(
            f"{_compared(found.model, found.gaps, found.others, found.spoiled, asked)}{seen}", help=f"{AS_LONG_AS}{run_as}"
        )
    if question:
        with right:
            predict(question, on_commit=lambda: AGAINST.set_text(STALE))


def three_runs_that_show_it(s: Scenario, position: AnswerPosition) -> story.Written | None:
    """The story's three runs; None where there are none, or no word of theirs is wrong and some word of the two runs is."""
    found = story.three_runs_of(s)
    if found and not any(found.wrong) and two_runs(s, position, STALE).others:
        return None
    return found


def _strips(s: Scenario, found: TwoRuns, told: bool, asked: bool) -> None:
    """The figure. told: whether it says what came out, and how far the two part; asked: whether some run's words are asked for."""
    gaps, strips = found.gaps, found.strips
    parted = {name: row * (row > ROUNDING) for name, row in zip(PART_NAMES, gaps, strict=True) if (row > ROUNDING).any()}
    apart = {f"{name} off by": parted[name] for name in dict.fromkeys((next(iter(parted)), list(parted)[-1]))} if parted else {}
    fed = [s.words[i] for i in found.ids]
    if not told:  # what goes in is what came out
        strips, apart, fed = [strip._replace(words=["?"] * len(strip.words)) for strip in strips], {}, ["?"] * len(fed)
    quoted = in_quotes if told else list
    words = " ".join(
        f"{strip.name.capitalize()}: {quantity(sum(strip.computed), 'row')} computed, next words {join(quoted(strip.words))}."
        for strip in strips
    )
    of = PART_NAMES[int(gaps.max(axis=1).argmax())]
    most = gap_text(gaps.max()) if parted or not gaps.any() else "rounding alone"
    largest = f"Largest difference{f', of {of}' if parted else ''}: {most}. " * told
    plot(
        run_strips(sheet(), strips, ["prompt", *fed], apart or {"": gaps.max(axis=0)} if told else {}, _in_a_line(found, asked)),
        f"Two runs over {quantity(len(found.ids), 'decode step')}. {largest}{words}",
        "two_runs",
    )


def _in_a_line(found: TwoRuns, asked: bool) -> str:
    """The rows that both runs took, and their words, in few words: no words while some run's are asked for."""
    cached, anew = (f"{sum(strip.computed):,}" for strip in found.strips)
    n = len(found.strips[0].words)
    words = "the same words" if not found.others else f"{found.others} of {quantity(n, 'word')} different"
    words = f", and {words if found.spoiled < n else 'no words'}"
    return f"{cached} rows in place of {anew}{words * (not asked)}"


def wrong_key_question(s: Scenario, position: AnswerPosition) -> Question | None:
    """What comes out where one key goes out of date; None where one does already."""
    if any(rule.breaks_cache for rule in s.rules):
        return None
    found = two_runs(s, position, STALE)
    heads = [str(h) for h, rule in enumerate(found.model.rules, 1) if rule.breaks_cache]
    there = f", and run all {articles_way(s)}" * _runs_otherwise(s, found.ids)
    return Question(
        "wrong_key",
        f"Give head {heads[0]} a key of its own, “**I am the last token**”{there}. When another comes that is false, and the cache "
        "keeps it. Fed the words so far and then its own, what comes out, beside a run that computes all anew?",
        OTHERS if found.others else SAME,
        f"{'' if found.others else 'Here they happen to stay. '}Nothing complains: a cache that is wrong goes on writing.",
        options=(SAME, OTHERS, STOPS),
        slips={STOPS: "Every shape still fits."},
    )


def _runs_otherwise(s: Scenario, ids: tuple[int, ...]) -> bool:
    """Whether what the article's code does with the mask and with empty rows changes the logits of a row that says a word."""
    if not s.causal:
        return True
    fed = (*s.prompt_ids, *ids)
    own, there = (prefill(x.model(), fed).logits[len(s.tokens) - 1 :] for x in (s, replace(s, empty_row="soft")))
    return not (np.isfinite(own).all() and largest_gap(own, there) <= ROUNDING)


def _compared(s: Scenario, gaps: np.ndarray, others: int = 0, spoiled: int = 0, asked: bool = False) -> str:
    """What the differences come to, and the sign for the largest of them, in words. others: at how many passes the words are not the
    same. spoiled: at how many steps the logits are no numbers. asked: some run's words are asked for, and none are spoken of."""
    worst = gaps.max()
    if worst <= ROUNDING:
        same = f"{'the same numbers, and ' * (not worst)}NaN in the same places" if spoiled else "**the same words**"
        apart = "the newest rows’ numbers differ by rounding alone" if worst else "not one bit of the newest rows differs"
        if asked:
            return f"With this model’s own keys {apart}."
        old = OLD_ROWS * (not s.causal or s.empty_row == "fill")
        return f"Both runs give {same}, and {apart}: **a cache changes what is computed, not what comes out.**{old}"
    part = PART_NAMES[int(np.argmax((gaps > ROUNDING).any(axis=1)))]
    heads = [str(h) for h, rule in enumerate(s.rules, 1) if rule.breaks_cache]
    why = f"The cache still holds **{part}** that a new pass would make otherwise"
    if heads:
        n, which = len(heads), join(heads)
        says = f"The {plural(n, 'key')} of {plural(n, 'head')} {which} {plural(n, 'says', 'say')} “I am the last token”."
        why = f"{says} Once another token comes that is false, but the cache keeps the **{part}** as they were"
    logits = gaps[-1].max()
    if logits > ROUNDING:
        n = gaps.shape[1]
        words = (
            f"**{quantity(others, 'word')}** of {n} {plural(others, 'is another', 'are others')}"
            if others
            else "the words happen to stay"
        )
        return f"{why}: the logits are off by up to **{gap_text(logits)}**{f', and {words}' * (not asked)}."
    if spoiled == gaps.shape[1]:
        return f"{why}; the logits are no numbers in either run."
    return f"{why}; yet the logits come out the same{', and are no numbers in the same places' * bool(spoiled)}."
