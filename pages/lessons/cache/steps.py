"""The cache as it grows: what it keeps, how many rows it holds, and the answer as movement; with the sentences that name their numbers."""

import json

import numpy as np
import streamlit as st

from engine.cache import KVCache, floats_per_token
from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.decode import Generation, recompute
from engine.experiments.broken_caches import breaking_head
from engine.experiments.chosen_answer import answer
from engine.toy.scenario import Scenario
from pages.lessons.cache.figures.cache_grid import CacheStep, cache_grid
from pages.lessons.cache.figures.what_to_keep import Made, what_to_keep
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.answer_position import STEP, AnswerPosition, question_at_step, step_through
from pages.parts.drawing.machine import machine, most_varied, rows_of
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.foot import may_tell
from pages.parts.lesson.fragments import ask_later, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.machine import play
from pages.parts.lesson.sentences import lead, said_and_asked, takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.format import md, plural, quantity
from pages.parts.text.toy_names import head_names, in_quotes
from pages.parts.visit.scenario import on_paper

LATER = 2  # steps on, of which the question about the rows asks
KEPT = {("q",): "only q", ("k", "v"): "k and v", ("q", "k", "v"): "q, k and v"}
WEIGHTS = "the weights"
N_STEPS = 2  # decode steps that are played: the second is as the first, and of more the cells would be too small to be read
SAYS = "Every key and value is computed once and kept"


@step(
    "What to keep",
    minutes=5,
    click="Press what most of the class would keep.",
    ask="Of query, key and value: what will a later token need of this one?",
    wrong={
        "q, k and v": "a query asks once, for its own row, and is never asked for again",
        "the weights": "weights belong to a row that is finished",
        "only q": "what asks and what is asked are mixed up",
    },
)
def keep(s: Scenario, position: AnswerPosition) -> None:
    """Which of q, k and v a cache keeps, of all that was made of the tokens so far; answering shows what is kept."""
    lead(
        "To compute nothing twice, a program must **keep** something of each token. Memory is expensive, so it keeps only what later "
        "tokens use.",
        "token",
    )
    question = kept_question(position)
    head = breaking_head(s) if position.model.n_kv_head > 1 else 0
    parts = (KEPT["q",], KEPT["k", "v"], WEIGHTS)
    queries = np.concatenate([p.layers[0].q[head] for p in position.run.passes[: position.at + 1]])
    made = Made(position.words, len(s.tokens), position.this_pass.layers[0], head, head_names(s)[head], queries, position.rows())
    alt = (
        f"Of each of {quantity(position.n, 'token')}, {', '.join(in_quotes(position.words[:-1]))}: its query, key, value and weights in "
        f"head {head_names(s)[head]}. Beneath, a row for the next word, “{position.words[-1]}”."
    )
    if question.answered:
        alt += f" The cache holds keys and values of {quantity(position.n, 'token')}; queries and weights are not kept."
    figure = what_to_keep(sheet(high=396), made, question.answered, asked_in(question, parts))
    plot(figure, alt, "what_to_keep", on_press=pressed(question, parts))
    predict(question)


def kept_question(position: AnswerPosition) -> Question:
    """Which of q, k and v later tokens need; the answer is read off the cache itself."""
    return Question(
        "kept",
        f"{'Suppose ' * position.ended}“{md(position.words[-1])}” comes in, and more words after it. Which parts of the old "
        "rows will they need again: queries **q**, keys **k**, values **v**, weights?",
        KEPT[tuple(name for name in ("q", "k", "v") if hasattr(KVCache, name))],
        "Every later query meets each old key and takes in its value; an old query has had its answer. So **k and v** are kept: the "
        "**KV cache**.",
        options=(*KEPT.values(), WEIGHTS),
    )


@step(
    "Row by row",
    minutes=5,
    click="Press **One word more** and compare the two numbers at the right.",
    ask="How many rows does the cache hold after that many words?",
    wrong={"One more": "the last word of the answer is chosen and never fed back"},
)
def build(s: Scenario, position: AnswerPosition) -> None:
    """The cache growing by a row a step, and how many it holds later."""
    lead("The cache grows by the row that is new. Without one, every row is computed in every step.")
    moving, (said, beside) = st.container(), said_and_asked("grid", (1, 1))
    with beside:
        ask_later(_asked, s, position)
    with moving:
        help = _layouts(s, position) if len(s.rules) > 1 and not in_the_story() else None
        live(_growing_cache, s, position, said=said, help=help)


def in_the_story() -> bool:
    """Whether the story is read, where no other layouts are told."""
    return routes.chosen() == routes.STORY


def _growing_cache(s: Scenario, position: AnswerPosition) -> str:
    """The stepper, the cache at this step, and what it comes to; where the step before is on the same page, once it is answered."""
    shown = bool(STEP.text()) or may_tell("kept", kept_question, position)  # or somebody has gone on
    grid(s, position, shown, _asked(s, position))
    step_through(position)
    return _built(s, position) if shown else ""


def _asked(s: Scenario, position: AnswerPosition) -> Question | None:
    return question_at_step(lambda at: rows_question(s, position, at), position.at, LATER)


def computed(position: AnswerPosition) -> tuple[int, int]:
    """Key/value rows of this step, with a cache and without."""
    return position.this_pass.counts.kv_rows, recompute(position.model, position.token_ids).counts.kv_rows


def grid(s: Scenario, position: AnswerPosition, shown: bool, question: Question | None) -> None:
    """The cache at this step, beside what a next word computes with it and without. shown: what is kept, too; question: about the rows
    that it will hold, where there is one."""
    generated, now, prompt = position.at + 1, computed(position), len(s.tokens)
    so_far = (cached_counts(prompt, generated).kv_rows, recomputed_counts(prompt, generated).kv_rows)
    words = position.words[:-1]
    named = ", ".join(in_quotes(words))
    alt = (
        f"Keys and values of {quantity(position.n, 'token')}: {named}. A run without a cache computes "
        f"{quantity(now[1], 'row')} in this step."
    )
    if shown:
        alt = (
            f"The cache holds keys and values of {quantity(position.n, 'token')}: {named}. New in this step: {now[0]}. "
            f"A run without a cache computes {now[1]} in this step; in all steps {so_far[0]:,} with and {so_far[1]:,} without."
        )
    to_come = tuple(s.id_words[i] for i in position.run.token_ids[position.at : position.at + LATER])
    step = CacheStep(words, prompt, now[0], to_come)
    held = (int(question.answer), int(question.guess or 0)) if question and question.answered else None
    plot(cache_grid(sheet(), step, shown, held, question is not None and not held), alt, "cache_grid_build")


def _built(s: Scenario, position: AnswerPosition) -> str:
    """What this step adds, and how many numbers that makes; in the help, as many as other layouts have."""
    model = position.model
    each = floats_per_token(model.n_kv_head, model.d_head, model.n_kv_head, model.d_v, model.n_layer)
    new = computed(position)[0]
    heads = (
        f" for each of {model.n_kv_head} heads"
        if model.n_kv_head > 1
        else ", shared by all heads" * (len(s.rules) > 1 and not in_the_story())
    )
    kept = (
        f"A row is **{each} numbers**: {model.d_head} of its key and {model.d_v} of its value{heads}. Kept so far: "
        f"{quantity(position.n, 'row')}, {each * position.n:,} numbers."
    )
    if not position.at:
        return f"Prefill fills the cache with {quantity(new, 'row')} at once. {kept}"
    read = plural(position.n - 1, "the other one is read", f"the other {position.n - 1} are read")
    return f"“{md(position.words[-2])}” adds **{new} row**; {read}, not recomputed. {kept}"


def _layouts(s: Scenario, position: AnswerPosition) -> str:
    """The numbers of a token, had the heads keys or values of their own."""
    model, n_head = position.model, len(s.rules)
    shared = floats_per_token(1, model.d_head, 1, model.d_v)
    listing = floats_per_token(n_head, model.d_head, 1, model.d_v)
    own = floats_per_token(n_head, model.d_head, n_head, model.d_v)
    return (
        f"{shared} with one key and value for all heads, {listing} with a key for each of {n_head}, "
        f"{own} with a value each as well"
    )


def rows_question(s: Scenario, position: AnswerPosition, at: int) -> Question:
    """The rows that the cache holds LATER steps after step `at`."""
    prompt, generated = len(s.tokens), at + LATER + 1
    rows = tokens_processed(prompt, generated)
    return Question(
        f"rows_{at}",
        f"The prompt has {quantity(prompt, 'token')}. How many rows does the cache hold when the answer has "
        f"**{generated:,}** {plural(generated, 'token')}?",
        float(rows),
        f"{prompt} + {generated} − 1: the last token of the answer has not gone in, so it has no row yet.",
        tolerance=0,
        high=1000,
    )


@step(
    "In motion",
    minutes=3,
    ask="Watch one decode step: what is computed in it, and what is only read?",
    wrong={
        "The whole prompt once more": "that is a run without a cache: here old keys and values are read as they are",
        "The answer’s last word is in the cache as well": "it comes out of the step: its key and value are made in the next one",
    },
)
def in_motion(s: Scenario, position: AnswerPosition) -> None:
    """Prefill and the first decode steps of this answer, played in the browser; the takeaway counts what each of them did."""
    made = played(s, position)
    words = [s.id_words[i] for i in (*s.prompt_ids, *made.token_ids[: len(made.passes) - 1])]
    head = f"head {head_names(s)[most_varied(rows_of(made, len(words))[-1])]}"
    drawing = machine(made, words, s.words, 1.0, head) | {"says": SAYS}
    play(json.dumps(drawing, allow_nan=False), "cache_motion")
    takeaway("motion", _whole_movement(len(s.tokens), len(words)))


def _whole_movement(n_prompt: int, n: int) -> str:
    """What the whole movement does, true at each of its frames: it plays in the browser, and no sentence follows it there. On paper
    a question beside it asks how many there are at the end."""
    put = f"Prefill puts **{n_prompt}** {'key and value' if n_prompt == 1 else 'keys and values'} into the cache"
    if n == n_prompt:
        return f"{put}; here no word can be chosen, so no decode step follows."
    return f"{put}. Each decode step reads all of them and adds **one** of each, its own{f': **{n}** at the end' * (not on_paper())}."


def played(s: Scenario, position: AnswerPosition) -> Generation:
    """Prefill and as many decode steps as are shown, along the words that were chosen so far."""
    n = min(N_STEPS, position.most) + 1
    return answer(position.model, s.prompt_ids, n, (*position.answer_ids, *(() if position.ended else (position.next_id,)))[:n])
