"""What the decode lesson shows: the growing map; with the sentences that name their numbers."""

from collections.abc import Callable, Iterable
from functools import lru_cache, partial

import streamlit as st

from engine.experiments.broken_caches import breaking_head
from engine.sampling import likeliest
from engine.toy.leaks import kept_row_changes, to_blame
from engine.toy.scenario import Scenario
from pages.lessons.decode import story
from pages.lessons.decode.figures.growing_map import Taken, growing_map
from pages.lessons.decode.questions import how_far, keys_met_question, new_rows_question, rows_hardly_changed, why_rows_know
from pages.parts.controls import toy
from pages.parts.controls.answer_position import AnswerPosition, answer_controls, moving_controls, next_probs, question_at_step
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.next_word import NextWord
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, said_and_asked
from pages.parts.question.question import Question
from pages.parts.text.digits import context_text, logit_text
from pages.parts.text.format import entered, join, md, plural, quantity
from pages.parts.text.softmax_residue import least_change
from pages.parts.text.toy_names import head_names, in_quotes
from pages.parts.visit import scenario_query
from pages.parts.visit.display import narrow
from pages.parts.visit.scenario import on_paper


@step(
    "A word goes in",
    minutes=6,
    click="Take the class’s answer, then press **One word more** a few times (on a slide the key →).",
    ask="A word comes in. For how many tokens must something be computed now? What is only read?",
    wrong={
        "The whole map has to be computed again": (
            "right only where old rows take something of the new token, or a key speaks of the future: where the mask hides it, "
            "they stay"
        ),
        "Nothing, the word is known": "the next word needs the query, key and value of this one, and its contexts",
    },
    in_story={"ask": "A word goes in. Which keys does its query meet, and which of them must be computed now?", "wrong": {}},
)
def grow(s: Scenario, position: AnswerPosition) -> None:
    """The map that grows by a row a step, and how many rows the next word takes; answering."""
    lead(
        "Each word that comes out goes in as the next row."
        + " Keys and values of those before it are kept, in the **KV cache**."
        * (not on_paper())  # where a later question asks it
        + f" This answer follows a W that no preset has{', until you reset it' * (not on_paper())}." * scenario_query.own_w(s),
        *() if story.is_read() else ("greedy",),
    )
    told = story.is_read()
    # On a phone the figure comes first; in the story what is to be pressed stays in sight beside what is said of it.
    above = st.container() if narrow() else None
    asked = st.container() if narrow() and not told else None
    places = answer_controls(choosable=not told)
    figure = above or st.container()
    if asked:
        said, beside = st.container(key="takeaway_step"), asked
    else:
        said, beside = said_and_asked("step", (1.4, 1) if told else (1, 1.4), asked_first=told)
    with beside:
        ask_later(_asked, s, position, on_commit=partial(story.row_comes, position) if told else None)
    with figure:
        live(partial(_grow, places), s, position, said=said)


def _grow(places: tuple, s: Scenario, position: AnswerPosition) -> str | tuple[str, str | None]:
    """The stepper in its place, the map, and what the step comes to, its numbers behind that."""
    moving_controls(places, s, position)
    rows, probs = position.rows(), next_probs(position)
    next_ = NextWord(position.words[-2], s.words, rows.logits, probs, None if position.ended else position.next_id)
    passes, taken = position.run.passes[: position.at + 1], rows_taken(s, position)
    told = taken and taken[0] == (position.n, position.n + 1) and not position.ended
    coming = position.run.passes[position.at + 1] if told else None
    drawn_on, head = under_headline(sheet(), *_headline(position, taken)), head_drawn(s)
    named = head, f"weights, head {head_names(s)[head]}"
    figure = growing_map(drawn_on, passes, position.words[:-1], named, next_, taken, None if story.is_read() else coming)
    if story.is_read():
        text = story.step_said(s, position, rows, _rows_above(s, position.n - 1, position.token_ids) if position.at else "")
    else:
        text = _in_short(s, position, bool(taken)), None if position.ended else _step_said(s, position, rows)
    plot(figure, _growing_in_words(s, position, rows), "growing_map")
    return text


def head_drawn(s: Scenario) -> int:
    """The head that is drawn, from 0: the one that was chosen, here or before, or the one of which other steps show the query;
    as its context leads to the next word, untouched one that votes for it."""
    voters, first = toy.voting_heads(s), breaking_head(s) if s.model().n_kv_head > 1 else 0
    return HEAD.value(high=len(s.rules), default=1 + (first if first in voters or not voters else voters[0])) - 1


def _headline(position: AnswerPosition, taken: Taken) -> tuple[str, str]:
    """How many rows the newest word takes, in the story how many keys its query meets; on a phone in short."""
    n, what = position.n, "keys met" if story.is_read() else "new rows"
    if position.at:
        return f"“{position.words[n - 1]}”: 1 new row, {n - 1} only read", f"1 new row, {n - 1} only read"
    if position.ended:
        return f"prefill: {quantity(n, 'row')} in one pass", f"{quantity(n, 'row')} in one pass"
    who = f"“{position.words[n]}” goes in: "
    if not taken:
        return f"{who}? {what}", f"{who}? {what}"
    said = f"{n + 1} keys met" if story.is_read() else f"1 new row, {n} only read"
    return f"{who}{said}", said


def _in_short(s: Scenario, position: AnswerPosition, told: bool) -> str:
    """What one step comes to, without its numbers. told: whether it is known how many rows the next one takes."""
    if position.ended:
        return _step_said(s, position, position.rows())
    if not position.at:
        return f"Prefill made {quantity(position.n, 'row')} in one pass{', then one a pass' * told}."
    return f"**One new row** for each head{_rows_above(s, position.n - 1, position.token_ids)}"


def rows_taken(s: Scenario, position: AnswerPosition) -> Taken:
    """The rows that the newest word of which something was asked takes, or those whose keys its query meets, and those that were
    guessed, once it is answered."""
    for at in (position.at, position.at - 1) if position.at else (0,):
        name, ask = _asks_at(at)
        if asked_and_answered(name, ask, s, position, at):
            question, n = ask(s, position, at), len(s.tokens) + at
            right, guess = (int(said.split()[0]) for said in (question.answer, question.guess or "0"))
            old = guess == n and guess != right  # all before it, and not the word's own
            return (n + 1 - right, n + 1), ((0, n) if old else (n + 1 - guess, n + 1))  # of none no row
    return ()


def _asks_at(at: int) -> tuple[str, Callable[[Scenario, AnswerPosition, int], Question]]:
    """The key of the question about the word that goes in behind step `at`, and what makes it: how many rows it takes; in the story,
    and where one has been seen going in, how many keys its query meets."""
    return (f"keys_met_{at}", keys_met_question) if at or story.is_read() else (f"new_rows_{at}", new_rows_question)


def _asked(s: Scenario, position: AnswerPosition) -> Question | None:
    onward = position.most if story.is_read() else 1  # there it stays, and what the step comes to stays beside it
    return question_at_step(lambda at: _asks_at(at)[1](s, position, at), position.at, onward)


def _growing_in_words(s: Scenario, position: AnswerPosition, rows) -> str:
    new = "all of them computed in one prefill pass" if not position.at else f"only the last, “{position.words[-2]}”, is new"
    contexts = join([_context(rows, h) for h in range(len(s.rules))])
    return (
        f"Attention weights of {quantity(position.n, 'row')} in head {head_names(s)[head_drawn(s)]}, {new}. "
        f"Contexts of the last row: {contexts}. Next word: {_next_word(s, position)}."
    )


def _context(rows, head: int) -> str:
    return "none" if rows.empty[head, -1] else context_text(rows.context[head, -1], rows.largest[head, -1])


def _next_word(s: Scenario, position: AnswerPosition) -> str:
    if position.ended:
        return "none, a logit is not a number"
    return f"“{s.words[position.next_id]}”{_level_with(s, position, in_quotes)}"


def _level_with(s: Scenario, position: AnswerPosition, written: Callable[[list[str]], Iterable[str]]) -> str:
    """The words that draw level with the next one, where it is one of the likeliest."""
    best = likeliest(position.this_pass.logits[-1])
    alike = [s.words[w] for w in best if w != position.next_id]
    return f", level with {join(list(written(alike)))}" if alike and position.next_id in best else ""


def _step_said(s: Scenario, position: AnswerPosition, rows) -> str:
    """One step in two sentences: the new row and what it leads to; the old rows and what they would be if computed again."""
    contexts, last = join([_context(rows, h) for h in range(len(s.rules))]), md(position.words[-2])
    if position.ended:
        follows = "a logit is not a number, so no word can be drawn: the answer ends here, unless you choose by hand"
    else:
        word = md(s.words[position.next_id])
        logits = position.this_pass.logits[-1]
        with_ = _level_with(s, position, lambda words: [f"**{md(other)}**" for other in words])
        follows = f"the next word is **{word}**, logit {logit_text(logits[position.next_id], logits)}{with_}"
    if not position.at:
        return (
            f"Prefill made {quantity(position.n, 'row')} in one pass; the last, “{last}”, gives the "
            f"{plural(len(s.rules), 'context')} **{contexts}**, and {follows}."
        )
    return (
        f"**One new row** for each head: “{last}” gives the {plural(len(s.rules), 'context')} **{contexts}**, and {follows}"
        f"{_rows_above(s, position.n - 1, position.token_ids)}"
    )


@lru_cache(maxsize=256)
def _rows_above(s: Scenario, n: int, ids: tuple[int, ...]) -> str:
    """What becomes of the n rows above the new one, and how many of them would be others if they were computed again.

    Kept of the last few: a class steps through the same answer, and for it all rows are computed twice.
    """
    change = kept_row_changes(s, n, ids).max(axis=1)
    hardly, little = rows_hardly_changed(s, change, len(ids) - len(s.prompt_ids))
    changed, least = int(((change > least_change(s)) & ~hardly).sum()), little or least_change(s)
    if not changed:
        within = f", within {entered(little)} of what {plural(n, 'it', 'they')} would be if computed again" * bool(little)
        return f"; the {plural(n, 'one above it stays as it is', f'{n} above it stay as they are')}{within}."
    stay = plural(n, "The row above it stays as it is", f"The {n} rows above it stay as they are")
    others = f" ({plural(int(hardly.sum()), 'another', f'{hardly.sum()} others')} by less than {entered(little)})" * bool(little)
    should = "**but it should not**" if n == 1 else f"**but {_of_them(changed, n)} should not**"
    return (
        f". {stay}, {should}: recomputed, {plural(changed, 'its', 'their')} weights or contexts change {how_far(change.max())}{others}, "
        f"{why_rows_know(to_blame(s, lambda x: kept_row_changes(x, n, ids), least))}."
    )


def _of_them(changed: int, n: int) -> str:
    """So many of n rows.

    >>> _of_them(1, 4), _of_them(2, 4), _of_them(2, 2), _of_them(4, 4)
    ('one of them', '2 of them', 'they', 'they')
    """
    return "they" if changed == n else "one of them" if changed == 1 else f"{changed} of them"
