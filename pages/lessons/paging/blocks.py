"""The pool of blocks at work, on the reader's own scenario: what each event does, and a question about many answers."""

from contextlib import nullcontext
from functools import lru_cache, partial

import streamlit as st

from engine.caches import PagePool
from engine.caches.pool_story import PoolFrame, pool_of_answers, pool_story
from engine.toy.scenario import Scenario
from pages.lessons.paging.figures.pool import pool
from pages.lessons.paging.figures.pool_answers import Answers
from pages.parts.controls.stepper import stepper
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import ask_later, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, said_and_asked
from pages.parts.question.question import Question
from pages.parts.text.digits import gap_text
from pages.parts.text.format import join, md, plural, quantity
from pages.parts.visit import scenario
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import Whole

N_FRAMES = 11
EVENT = Whole("event", high=N_FRAMES - 1, default=4)  # two sequences hold one block, and one has just been copied
SIZE = Whole("pool_block", low=2, high=8, default=4)  # tokens of a block
N_ANSWERS, N_WORDS = 4, 3


def given() -> tuple[Scenario]:
    """The toy: what lies in the blocks of the first step."""
    return (scenario.current(),)


@step(
    "Blocks",
    minutes=6,
    ask="Step back to the fork, then on to the word after it: how many blocks does B bring with it, and when?",
    wrong={
        "Four times what one answer holds": (
            "right only where the prompt fills no block; else a fork is taken for a copy: it copies the table, and a block "
            "only when somebody writes into one that others hold too"
        ),
        "No more than the prompt’s": (
            "all answers are thought to share everything: each writes words of its own, and never into a block that others hold"
        ),
    },
)
def blocks(s: Scenario) -> None:
    """Step through the events of a pool."""
    lead(
        "The cache cut into blocks: a sequence takes one when it needs it, and two may hold the same one.", "block", "block table"
    )
    moving, (said, beside) = st.container(), said_and_asked("pool", (1.05, 1))
    under = st.container() if narrow() else None
    with beside:
        ask_later(lambda s: answers_question(s, SIZE.value()), s)
    with moving:
        live(partial(_event, under), s, said=said)


def _event(under, s: Scenario) -> str:
    """The pool at this event, the stepper, on a phone in the place `under` the question, and what the event was."""
    figure = st.container()
    with under or nullcontext():
        left, right = st.columns([2.4, 1], vertical_alignment="bottom")
    with right:
        size = SIZE.slider("Tokens in a block")
    with left:
        at = stepper(EVENT, N_FRAMES, "Event {at} of {n}", buttons=("Back", "Next event"), asks=True)
    frame, answers, place = story(s, size)[at], _drawn_answers(s, size), sheet(0.95, slide_zoom=0.97, high=318, slide_high=390)
    with figure:
        plot(pool(place, frame, s.id_words, answers), in_words(frame, answers), "pool")
    return f"{event_said(s, frame, size)} {pool_said(frame)}"


@lru_cache(maxsize=32)
def story(s: Scenario, size: int) -> tuple[PoolFrame, ...]:
    """The events of a pool; kept, because whoever steps through them asks for all of them at every step."""
    return tuple(pool_story(s.model(), s.prompt_ids, s.prompt_ids[::-1], size))


def event_said(s: Scenario, frame: PoolFrame, size: int) -> str:
    """The event in a sentence or two."""
    who = frame.who
    if frame.event == "empty":
        return f"A pool of {len(frame.holders)} blocks, {size} tokens each. Nobody holds any; nothing is reserved for anybody."
    if frame.event == "prefill":
        table = frame.tables[who]
        several, listed = len(table) > 1, join([str(b) for b in table])
        where = f"{plural(len(table), 'block')} {listed}"
        if who == "A":
            n = len(frame.tokens[who])
            return f"**{who}** is prefilled: its {n} token{'s take' if n > 1 else ' takes'} {where}{', in this order' * several}."
        why = " Where they lie does not matter, their order in the table does." * several
        return f"**{who}**, the prompt backwards, takes the first free {plural(len(table), 'block')}, {listed}.{why}"
    if frame.event == "fork":
        return "**B** is to be a second answer that begins like A. It gets a copy of A’s *table*; no key and no value is copied."
    if frame.event == "release":
        freed = "None of them is free: B holds them all."
        if frame.freed:
            freed = f"Free again: {join([str(b) for b in frame.freed])}.{' What B holds too stays.' * bool(frame.left)}"
        return f"**{who}** has ended and gives its blocks back. {freed}"
    word = md(s.id_words[frame.tokens[who][-1]])
    if frame.copied:
        return (
            f"**{who}** writes “{word}” into block {frame.copied[0]}, which is shared: it first takes a **copy**, block "
            f"{frame.copied[1]}, and writes there. The other sequence keeps its own."
        )
    where = "a new block" if len(frame.tokens[who]) % size == 1 else "the last block of its own"
    return f"**{who}** writes “{word}” into {where}, {frame.tables[who][-1]}."


def pool_said(frame: PoolFrame) -> str:
    """How full the pool is, and whether pages have changed anything."""
    if not frame.n_held:
        return ""
    slots = frame.n_held * frame.slots.shape[1]
    exact = "equal to the last bit" if frame.gap == 0 else f"off by {gap_text(frame.gap)}"
    if frame.spoiled:
        exact = "NaN in the same places, all else equal to the last bit" if frame.gap == 0 else "NaN in one and not in the other"
    are = plural(frame.n_unused, "is", "are")
    return f"{frame.n_unused} of {slots} slots {are} empty. All logits so far, against a cache in one piece: {exact}."


def in_words(frame: PoolFrame, answers: Answers) -> str:
    """The pool for those who do not see it, and what many answers take."""
    held = "; ".join(
        f"{name} holds {plural(len(blocks), 'block')} {', '.join(map(str, blocks))}" for name, blocks in frame.tables.items()
    )
    together = "waits for your answer" if answers.held is None else f"{answers.held} of {answers.alone} without sharing"
    return f"A pool of {len(frame.holders)} blocks, {frame.n_held} held. {held or 'No sequence is there'}. {answers.name}: {together}."


@lru_cache(maxsize=32)
def _answers(s: Scenario, size: int) -> PagePool:
    return pool_of_answers(s.model(), s.prompt_ids, N_ANSWERS, N_WORDS, size)


def _drawn_answers(s: Scenario, size: int) -> Answers:
    """What the answers of the question take together, as the figure shows it."""
    question, found = answers_question(s, size), _answers(s, size)
    name = f"{N_ANSWERS} answers to this prompt, {N_WORDS} words each"
    alone = N_ANSWERS * -(-(len(s.prompt_ids) + N_WORDS) // size)
    if not question.answered:
        return Answers(name, alone, tokens=(len(s.prompt_ids), N_WORDS))
    guess = question.guess if isinstance(question.guess, (int, float)) else None
    return Answers(name, alone, found.n_blocks - found.n_free, int((found.holders > 1).sum()), guess)


def answers_question(s: Scenario, size: int) -> Question:
    """How many blocks several answers to one prompt take together."""
    n = len(s.prompt_ids)
    found = _answers(s, size)
    answer, alone = found.n_blocks - found.n_free, -(-(n + N_WORDS) // size)
    full = n // size
    shared = f"the prompt’s {quantity(full, 'full block')} {plural(full, 'lies', 'lie')} there once, for all"
    shared = shared if full else "the prompt fills no block, so none stays shared"
    if found.n_copied:
        shared += f"; its unfinished block is copied {found.n_copied} times, by all who write but the last, whose own it then is"
    return Question(
        "answers_blocks",
        f"{N_ANSWERS} answers to this prompt of {quantity(n, 'token')}, in blocks of {size}. {N_WORDS} words of each "
        "have been fed back in. How many blocks do they hold together?",
        answer,
        f"{N_ANSWERS} × {alone} = {N_ANSWERS * alone} without sharing. In pages {shared}.",
        tolerance=0,
        unit="blocks",
        high=N_ANSWERS * (n + N_WORDS),  # one for every token of every answer
    )
