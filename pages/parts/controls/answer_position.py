"""Which words an answer has, shared by the lessons that decode, and at which decode step this visit stands, in each its own.

The link carries it: step=2 says where, choose=greedy | sample | hand how words are chosen, answer=0.0.1 which ones by hand.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from engine.decode import Generation
from engine.experiments.chosen_answer import answer
from engine.experiments.rows import Rows, rows_so_far
from engine.model import ForwardPass
from engine.sampling import probabilities
from engine.toy.by_hand import pass_by_hand
from engine.toy.rules import MAX_TOKENS
from engine.toy.scenario import Scenario, ToyModel
from pages.parts.controls.shared_parameters import SEED, TEMPERATURE
from pages.parts.controls.stepper import stepper
from pages.parts.question.question import Question, guesses
from pages.parts.sharing.results import RESULTS, pass_bytes
from pages.parts.text.format import md, percent, quantity
from pages.parts.visit import scenario
from pages.parts.visit.parameters import Choice, Text, Whole
from pages.parts.vote import in_a_room
from pages.parts.vote.rooms import REVEALED

STEP = Whole("step", low=0, high=MAX_TOKENS - 2, of_lesson=True)
CHOOSE = Choice("choose")
BY_HAND = Text("answer")
AHEAD = 8  # words: steps before the next of which find their answer made
BUTTONS = ("One word less", "One word more")  # what a decode step takes away and adds: how many rows that is, is asked
KEYED_STEPS = 4  # that the arrow keys go through: prefill and three decode steps
CHOICES = {"greedy": "Likeliest", "sample": "Drawn", "hand": "By hand"}


@dataclass(frozen=True, eq=False)
class AnswerPosition:
    """The answer up to where this visit stands, and one token further.

    at: decode steps done; most: the last step there is. run: the passes 0 … at + 1 and some more, not shown yet. token_ids: what
    has passed through the model after step `at`; next_id: the token of the pass to come; words: a word for each of
    (*token_ids, next_id). ended: whether logits that are not numbers end the answer here.
    """

    at: int
    most: int
    model: ToyModel
    run: Generation
    token_ids: tuple[int, ...]
    next_id: int
    words: tuple[str, ...]
    ended: bool

    @property
    def n(self) -> int:
        """Tokens that have passed through the model."""
        return len(self.token_ids)

    @property
    def this_pass(self) -> ForwardPass:
        """The pass of this step: prefill at step 0, one row at every other."""
        return self.run.passes[self.at]

    @property
    def answer_ids(self) -> tuple[int, ...]:
        """The words of the answer that have passed through the model, one a decode step."""
        return self.run.token_ids[: self.at]

    def rows(self) -> Rows:
        """All rows so far, each as it was when it was computed."""
        return rows_so_far(self.run.passes[: self.at + 1])


def answer_position(s: Scenario) -> AnswerPosition:
    """Where this visit stands in which answer, from the link and the scenario; everything in the link is bounded here."""
    most = MAX_TOKENS - 1 - len(s.tokens)
    at = STEP.value(high=most)
    by_hand, temperature, seed = (), 0.0, 0
    if chosen_by() == "hand":
        by_hand = _by_hand(s, most)
    if chosen_by() == "sample":
        temperature, seed = _temperature(), SEED.value()
    run = shared_answer(s, at + 2, by_hand, temperature, seed)
    reached = len(run.token_ids)  # of at + 2 words, where no logit is NaN
    ended = reached <= at
    if reached < at + 2:
        at = min(at, reached)
        most = at if ended else most
        run = shared_answer(s, at + 2, (*run.token_ids, 0, 0), temperature, seed)
    ids = (*s.prompt_ids, *run.token_ids[: at + 1])
    return AnswerPosition(at, most, s.model(), run, ids[:-1], ids[-1], tuple(s.id_words[i] for i in ids), ended)


def shared_answer(s: Scenario, n_words: int, chosen_ids: tuple[int, ...], temperature: float, seed: int) -> Generation:
    """An answer of at least n_words words, if it goes on so long. A class steps through the same one: it is made a few words ahead."""
    n = min(-(-n_words // AHEAD) * AHEAD, MAX_TOKENS + 1 - len(s.tokens))
    key = ("answer", s, n, chosen_ids, temperature, seed)
    return RESULTS.get(key, partial(_answer_by_hand, *key[1:]), lambda run: pass_bytes(*run.passes))


def _answer_by_hand(s: Scenario, n_words: int, chosen_ids: tuple[int, ...], temperature: float, seed: int) -> Generation:
    """The answer, its passes as they are by hand."""
    run = answer(s.model(), s.prompt_ids, n_words, chosen_ids, temperature, seed)
    return replace(run, passes=tuple(pass_by_hand(one, s.w_vocab) for one in run.passes))


def scenario_and_position() -> tuple[Scenario, AnswerPosition]:
    """The scenario, and where this visit stands in which answer: what each step of a lesson on answers is called with."""
    s = scenario.current()
    return s, answer_position(s)


def chosen_by() -> str:
    """How the next word is chosen: a link that brings words means them."""
    return CHOOSE.value(CHOICES, "hand" if BY_HAND.text() else "greedy")


def next_probs(position: AnswerPosition) -> np.ndarray | None:
    """The chance of each word after this step, at the temperature in use; None where a logit is not a number."""
    logits = position.this_pass.logits[-1]
    temperature = _temperature() if chosen_by() == "sample" else 1.0
    return probabilities(logits, temperature) if np.isfinite(logits).all() else None


def step_through(position: AnswerPosition) -> None:
    """A row less, a row more, play, and what this step is."""
    what = "decode: one new row" if position.at else f"prefill: {quantity(position.n, 'row')} in one pass"
    stepper(STEP, position.most + 1, f"**Step {position.at}**, {what}", keyed=KEYED_STEPS, buttons=BUTTONS)


def question_at_step(question: Callable[[int], Question], at: int, onward: int) -> Question | None:
    """The question that stands at step `at`: its own, until one has been answered; then that one alone, from where it was asked to
    `onward` steps on, where the answer is seen. None at all others: a step asks nobody a second time.

    question: the one about a given step, whose key ends with it. Visits come in at any step, for lessons share it, so not only
    the first one asks. Of a long answer only the steps are looked at of which something was said. In a class what one visit has
    answered decides nothing: its teacher, who may have answered none, and its phones have to come to the same question.
    """
    if in_a_room.code():
        return seen if at >= onward and in_a_room.stage((seen := question(at - onward)).id) == REVEALED else question(at)
    if at >= onward and (seen := question(at - onward)).answered:
        return seen
    own = question(at)
    name = own.key.removesuffix(f"_{at}")
    before = {k: one for k in range(at) if f"{name}_{k}" in guesses() and (one := question(k)).answered}
    if own.answered or not before:
        return own
    return next((one for k, one in before.items() if k > at - onward), None)


def answer_controls(choosable: bool = True) -> tuple:
    """How the next word is chosen, with temperature and seed where it is drawn, unless words are not `choosable`; returns the places of
    what moves with the steps."""
    if not choosable:
        return st.container(), None
    left, right = st.columns([2.4, 1], vertical_alignment="center")
    with right:
        how = CHOOSE.buttons("Next word", CHOICES, "hand" if BY_HAND.text() else "greedy", label_visibility="collapsed")
    if how == "sample":
        warm, seed = st.columns(2)
        with warm:
            TEMPERATURE.slider("Temperature", high=5.0)
        with seed:
            SEED.slider("Seed of the draws")
    return left, st.container() if how == "hand" else None


def moving_controls(places: tuple, s: Scenario, position: AnswerPosition) -> None:
    """The stepper, and where words are chosen by hand a button for each."""
    stands, words = places
    with stands:
        step_through(position)
    if words:
        probs, over = next_probs(position), position.at == position.most and not position.ended
        with words, st.container(horizontal=True, vertical_alignment="center", gap="small", key="say"):
            st.markdown("The next word is", width="content")
            for word, name in enumerate(s.words):
                chance = "" if probs is None else f" {percent(probs[word])}"
                said = {"on_click": _choose_word, "args": (position, word)}
                st.button(f"{md(name)}{chance}", key=f"say_{word}", disabled=over, **said)


def _choose_word(position: AnswerPosition, word: int) -> None:
    """Go on with `word`: whatever had been chosen beyond this step is forgotten."""
    BY_HAND.set_text(".".join(map(str, (*position.answer_ids, word))))
    CHOOSE.set_text("hand")
    STEP.set(position.at + 1)


def _by_hand(s: Scenario, most: int) -> tuple[int, ...]:
    """The words chosen by hand, up to the first that is not one of the scenario's."""
    ids: list[int] = []
    for part in BY_HAND.text().split(".")[: most + 1]:
        if not (part.isascii() and part.isdigit() and len(part) <= 2 and int(part) < len(s.words)):
            break
        ids.append(int(part))
    return tuple(ids)


def _temperature() -> float:
    return TEMPERATURE.value(high=5.0)
