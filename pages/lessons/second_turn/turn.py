"""The second turn of a chat: prompt, answer and next message, what of it was kept, and what a clock time in front takes away."""

from __future__ import annotations

import streamlit as st

from engine.caches.second_run import n_common
from pages.lessons.second_turn.chat import MOST_ANSWER, MOST_TIME, NEXT, USUAL_ANSWER, Chat, Way, stamped, texts, ways
from pages.parts.controls.shared_parameters import BLOCK, G
from pages.parts.drawing.plot import plot
from pages.parts.drawing.token_strips import Strip, token_strips
from pages.parts.lesson.lesson import step
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.format import md
from pages.parts.trained import model, prompt, said_alike
from pages.parts.trained.model import MOST_CHARS
from pages.parts.visit.display import look, presenting
from pages.parts.visit.parameters import Text, show

KINDS = {"prefill": "prompt, runs", "new": "answer, decoded", "kept": "taken from the cache", "again": "said before, runs again"}


def _controls(c: Chat) -> None:
    """The first message, the answer's length, the next message, the block size."""
    offered = bool(model.folders())
    columns = iter(st.columns([2.6, 1, 1.4, 1, *([1] * offered)], vertical_alignment="bottom"))
    ids = " (token ids)" if c.trained.model.tokenizer is None else ""
    first, after = texts(c.trained)
    with next(columns):
        _field("First message" + ids, model.PROMPT, first)
    with next(columns):
        G.slider("Words of the answer", high=MOST_ANSWER, default=USUAL_ANSWER)
    with next(columns):
        _field("Next message" + ids, NEXT, after)
    with next(columns):
        BLOCK.slider("Tokens in a block")
    if offered:
        with next(columns):
            model.choose()


def _field(label: str, parameter: Text, text: str) -> None:
    key = f"chat_{parameter.name}"

    def keep() -> None:
        parameter.set_text(" ".join(st.session_state[key].split())[:MOST_CHARS])

    show(key, text)
    st.text_input(label, key=key, max_chars=MOST_CHARS, on_change=keep)


@step("The second turn")
def turn(c: Chat) -> None:
    """Both turns token by token; with a clock time once the question is answered."""
    _controls(c)
    for one in (c.first, c.message):
        prompt.marks(c.trained, one)
    if not c.message.ids or 2 * MOST_TIME + len(c.first.ids) > model.most_tokens(c.trained.model):
        st.warning("This model has no room for a second turn behind this message: a shorter one may do.")
        return
    plain = ways(c, stamped_too=False)
    if plain is None:
        return
    question = clock_question(c, plain["kept"])
    found = ways(c, question.answered)
    if found is None:
        return
    figure = token_strips(strips(c, found), c.block_size, KINDS, **look(0.92 if presenting() else 0.95))
    plot(figure, in_words(found), "second_turn")
    left, right = st.columns([1, 1.15], gap="medium")
    with left, st.container(key="takeaway_turn"):
        st.markdown(takeaway(c, found))
    with right:
        predict(question)


def strips(c: Chat, found: dict[str, Way]) -> list[Strip]:
    """The first turn, then the second in each way."""
    kept = found["kept"]
    answer = model.words(c.trained, kept.result.answer_ids)
    first = ["prefill"] * len(c.first.ids) + ["new"] * len(answer)
    title = f"<b>First turn</b>: {len(c.first.ids)} tokens prefilled, {len(answer)} decoded"
    named = {"kept": "Second turn", "first": "… with the clock time first", "last": "… with the clock time last"}
    rows = [Strip(title, [*c.first.words, *answer], first)]
    for name, way in found.items():
        turn = way.turn
        said = f"<b>{named[name]}</b>: {turn.hit_tokens} of {len(turn.ids)} from the cache, {turn.computed_tokens} run"
        rows.append(Strip(said, model.words(c.trained, turn.ids), kinds(way)))
    return rows


def kinds(way: Way) -> list[str]:
    """What becomes of each token of the second turn."""
    turn = way.turn
    said = len(way.again) + len(way.result.answer_ids)
    return ["kept" if i < turn.hit_tokens else "again" if i < said else "prefill" for i in range(len(turn.ids))]


def in_words(found: dict[str, Way]) -> str:
    """The figure for those who do not see it."""
    named = {"kept": "as it is", "first": "with a clock time first", "last": "with a clock time last"}
    said = [
        f"{named[name]} {way.turn.hit_tokens} of {len(way.turn.ids)} tokens come from the cache and "
        f"{way.turn.computed_tokens} run"
        for name, way in found.items()
    ]
    return f"The second turn of a chat: {'; '.join(said)}."


def takeaway(c: Chat, found: dict[str, Way]) -> str:
    """What ran, and the proof; with the clock, what it took away."""
    turn = found["kept"].turn
    before = turn.computed_tokens - len(c.message.ids)
    rest = f" and {before} before it that {'are' if before > 1 else 'is'} in no full block" if before > 0 else ""
    text = f"Only **{turn.computed_tokens}** of {len(turn.ids)} tokens run: the {len(c.message.ids)} of the new message{rest}."
    if not turn.hit_tokens:
        text = f"What came before fills no block, so all {len(turn.ids)} tokens run."
    text = f"{text} {said_alike.said_alike(c.trained, turn)}"
    if "first" in found:
        text = (
            f"As it is **{turn.computed_tokens}** tokens run, with the time first **{found['first'].turn.computed_tokens}**, "
            f"with the time last **{found['last'].turn.computed_tokens}**. What changes belongs at the end, and what was sent "
            "once is sent again unchanged."
        )
    return text


def clock_question(c: Chat, plain: Way) -> Question:
    """A clock time in front: how many tokens of the second turn come from the cache?"""
    earlier, later = c.times
    front, again = stamped(c, earlier), stamped(c, later)
    common = n_common(front, again)
    hit = common // c.block_size * c.block_size
    n = len(again) + len(plain.result.answer_ids) + len(c.message.ids)
    before = (
        f"Only the first {'token is' if common == 1 else f'{common} tokens are'} the same"
        if common
        else "Not even the first token is the same"
    )
    return Question(
        "clock_first",
        f"Now each request begins with the clock time: “{md(earlier)}” at the first turn, “{md(later)}” at the second. How many "
        f"of the second turn’s {n} tokens come from the cache?",
        hit,
        f"{before}, in blocks of {c.block_size}. A block is found only where all before it is the same too, because deeper "
        "layers make keys and values from all tokens before; that most words are equal does not help.",
        tolerance=0,
        unit="tokens",
    )
