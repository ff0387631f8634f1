"""From contexts to logits: W, what each head adds, and who wins without one of them."""

from dataclasses import replace

import numpy as np
import streamlit as st

from engine import probabilities
from engine.experiments.rows import largest_values
from engine.model import ForwardPass
from engine.sampling import greedy, likeliest
from engine.toy import edits
from engine.toy.projection import contributions, without_heads
from engine.toy.scenario import MAX_VALUE, MAX_WORDS, Scenario
from pages.lessons.logits import story
from pages.lessons.logits.challenge import cell_question, challenge, who_wins, winner_found
from pages.lessons.logits.figures.word_map import Sums, word_map
from pages.parts.controls import toy
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.drawing.answers import NOT_ASKED
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, question_and_takeaway, takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.digits import context_text, contexts_side_by_side, logits_side_by_side
from pages.parts.text.format import DRAW_LEVEL, entered, join, md, plural, quantity
from pages.parts.text.toy_names import head_names, in_quotes, rule_name
from pages.parts.visit import control_locks, scenario
from pages.parts.visit.parameters import Text, Whole, set_widget

WORD = Whole("word", low=1, high=MAX_WORDS)
OFF = Text("off")
WIDE = 1.09  # a step with room to spare is drawn larger still when presented


def last_contexts(run: ForwardPass) -> np.ndarray:
    """The contexts that choose the next word: (n_head,)."""
    return run.layers[-1].context[:, -1, 0]


def contexts_written(run: ForwardPass) -> list[str]:
    """The same as they are written; what a head without anything to look at adds is 0."""
    largest = largest_values(run.layers[-1])[:, -1]
    return [context_text(x, most) for x, most in zip(last_contexts(run), largest, strict=True)]


def matrix(s: Scenario) -> np.ndarray:
    """W as an array: (n_head, n_vocab)."""
    return np.array(s.w_vocab)


def with_finite_logits(s: Scenario) -> tuple[Scenario, ForwardPass, str]:
    """A scenario whose logits are numbers, its pass, and what had to be said differently: with the guard where NaN came out."""
    run = toy.prefill_of(s)
    if np.isfinite(run.logits[-1]).all():
        return s, run, ""
    guarded = replace(s, empty_row="none")
    return guarded, toy.prefill_of(guarded), "A guard gives an empty row the weights 0. "


def heads_off(s: Scenario) -> tuple[int, ...]:
    """The heads that are switched off in this lesson, counted from 0."""
    parts = OFF.text().split(".")
    asked = {int(p) - 1 for p in parts if p.isascii() and p.isdigit() and len(p) <= 2}
    return tuple(h for h in range(len(s.rules)) if h in asked)


@step(
    "Votes for a word",
    minutes=6,
    click="**Switch heads off (in this figure)** one by one.",
    ask="Which single number of W would you change to make another word win?",
    wrong={"The largest number of W decides": "a number of W counts as often as its head’s context is large"},
    in_story={"ask": "The larger sum wins. How much likelier does it make its word: as many times as it is larger?", "wrong": {}},
)
def projection(s: Scenario, run: ForwardPass) -> None:
    """W, to be edited cell by cell, and what each head adds to each logit; heads can be switched off. In the story two sums."""
    if routes.chosen() == routes.STORY and not OFF.text() and not WORD.text():
        finite, passed, guard = with_finite_logits(s)
        story.votes(finite, last_contexts(passed), contexts_written(passed), guard)
        return
    lead("Each head’s context **votes** for words; **W** says what one unit of it is worth to each. The sum is a word’s **logit**.",
         "context", "logit", "softmax")  # fmt: skip
    head = HEAD.value(high=len(s.rules)) - 1
    word = WORD.value(high=len(s.words), default=len(s.words)) - 1
    shown, said = st.container(), here_on_a_phone()
    _projection_controls(s, head, word)
    off, context, w = heads_off(s), last_contexts(run), matrix(s)
    added = contributions(context, w)
    added[list(off)] = 0
    logits = without_heads(context, w, off)
    probs = probabilities(logits) if np.isfinite(logits).all() else None

    def select(curve: int, row: int, column: int) -> None:
        if 0 <= row < len(s.rules) and 0 <= column < len(s.words):
            HEAD.set_text(str(row + 1))
            WORD.set_text(str(column + 1))

    question = None if off else cell_question(s, context, logits)
    drawn_on = under_headline(sheet(slide_zoom=WIDE, high=324), winner_found(s.words, logits, off))
    sums = Sums(context, w, added, probs, off, contexts_written(run))
    least = asked_in(question, question.options)._replace(open=False) if question and question.answered else NOT_ASKED
    figure = word_map(drawn_on, sums, head_names(s), s.words, (head, word), least=least)
    results = join(in_quotes(s.words, logits_side_by_side(logits)))
    alt = (
        f"The {plural(len(s.rules), 'context')} of {quantity(len(s.rules), 'head')} at “{s.tokens[-1]}”: "
        f"{join(contexts_written(run))}. Times W, a row for each head and a column for "
        f"{'the one word, the sum is the logit' if len(s.words) == 1 else f'each of {len(s.words)} words, the sums are the logits'} "
        f"{results}. "
        f"{'Switched off: ' + join([head_names(s)[h] for h in off]) + '. ' if off else ''}"
        f"Selected: head {head_names(s)[head]}, “{s.words[word]}”, {entered(w[head, word])}. Arrow keys select another cell."
    )
    text, solution = (_without_heads(s, off, logits), "") if off else challenge(s, context, logits, head, word)
    with shown:
        plot(figure, alt, "word_map", select)
    with said:
        if question:
            question_and_takeaway(question, "word", text, solution or None, widths=(1.5, 1))
        else:
            takeaway("word", text, help=solution or None)


def _projection_controls(s: Scenario, head: int, word: int) -> None:
    """The number in the selected cell, and the heads that are silent."""
    place = st.columns([1, 1.6], vertical_alignment="bottom")
    # A key for each cell, and empty by default: what a browser sends of a cell that it has not been told the number of is
    # nothing, and nothing is no edit.
    key = f"w_entry_{head}_{word}"

    def put() -> None:
        if st.session_state[key] is not None:
            scenario.edit(edits.set_w, head, word, st.session_state[key], what=f"w {head} {word}")

    with place[0]:
        set_widget(key, s.w_vocab[head][word])
        st.number_input(
            f"W of head {head + 1} for “{md(s.words[word])}”", -MAX_VALUE, MAX_VALUE, None, step=0.1, format="%g", key=key,
            on_change=put, **control_locks.control(control_locks.EDITOR),
        )  # fmt: skip
    with place[1]:
        options = {h: name for h, name in enumerate(head_names(s))}
        set_widget("logits_heads_off", list(heads_off(s)))

        def keep() -> None:
            OFF.set_text(".".join(str(h + 1) for h in sorted(st.session_state["logits_heads_off"])))

        st.segmented_control(
            "Switch heads off (in this figure)", list(options), key="logits_heads_off", format_func=options.get, on_change=keep,
            selection_mode="multi",
        )  # fmt: skip


def _without_heads(s: Scenario, off: tuple[int, ...], logits: np.ndarray) -> str:
    silent = f"{plural(len(off), 'head')} {join([str(h + 1) for h in off])}"
    if not np.isfinite(logits).all():
        return f"Without {silent} a context that is not a number remains, and with it logits that are none."
    if len(off) == len(s.rules):
        return "With every head silent all logits are 0: nobody is preferred, and the first of equals is taken."
    return (
        f"Without {silent} the {plural(len(logits), 'logit is', 'logits are')} {join(logits_side_by_side(logits))}: "
        f"{who_wins(s, logits)}. Each head speaks for every word at once, and the sum decides."
    )


def silence_question(s: Scenario) -> Question:
    """Who wins without one head: the first whose silence changes the winner, else head 1."""
    s, run, guard = with_finite_logits(s)
    context, w = last_contexts(run), matrix(s)
    head, rest = silent_head(context, w)
    best = greedy(rest)
    sums = join(in_quotes(s.words, logits_side_by_side(rest), md))
    gave = contexts_side_by_side((context[head] * w[head]).tolist(), np.multiply.outer(s.values, w))
    return Question(
        "silence",
        f"{guard}Switch off head {head + 1} ({md(rule_name(s.rules[head]))}). Which word has the highest logit then?",
        DRAW_LEVEL if len(likeliest(rest)) > 1 else md(s.words[best]),
        f"Without head {head + 1} the {plural(len(rest), 'sum is', 'sums are')} {sums}. It had added "
        f"{join([f'{x} to “{md(name)}”' for name, x in zip(s.words, gave, strict=True)])}.",
        options=(*(md(name) for name in s.words), DRAW_LEVEL),
    )


@step(
    "One head silent",
    minutes=4,
    ask="Switch this head off: which word wins then?",
    wrong={"The same word": "right only where the other heads’ parts suffice for it: one head may have carried it alone"},
)
def ask_head(s: Scenario, run: ForwardPass) -> None:
    """Who wins without one head: its row is grey, and beneath the sums of all heads stand those without it."""
    lead("Each head adds its own part to the sum of every word. What if one of them added nothing?", "logit")
    question = silence_question(s)
    s, run, _ = with_finite_logits(s)
    context, w = last_contexts(run), matrix(s)
    head, rest = silent_head(context, w)
    every = contributions(context, w)
    added = every.copy()
    added[head] = 0
    parts, made = list(map(md, s.words)), Sums(context, w, added, None, (head,), contexts_written(run), every)
    found = winner_found(s.words, rest if question.answered else None, (head,))
    drawn_on = under_headline(sheet(high=362), found, found.rsplit(" with ", 1)[0])
    figure = word_map(drawn_on, made, head_names(s), s.words, asked=asked_in(question, parts))
    old, new = (join(in_quotes(s.words, logits_side_by_side(logits))) for logits in (context @ w, rest))
    then = f"Without head {head + 1}: {new}." if question.answered else f"The row of head {head + 1} is grey: after your answer."
    alt = f"Logits of all heads: {old}. {then}"
    plot(figure, alt, "word_map_silent", on_press=pressed(question, parts))
    predict(question)


def silent_head(context: np.ndarray, w_vocab: np.ndarray) -> tuple[int, np.ndarray]:
    """The first head without which another word wins, else the first head; and the logits without it."""
    best = greedy(context @ w_vocab)
    without = [without_heads(context, w_vocab, (h,)) for h in range(len(context))]
    head = next((h for h, rest in enumerate(without) if greedy(rest) != best), 0)
    return head, without[head]
