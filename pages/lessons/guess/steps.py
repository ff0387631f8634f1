"""The first step: the bundled model's answer with a draft, pass by pass."""

import streamlit as st

from engine import bundled
from engine.speculative import Speculation, speed_up, tokens_by_place
from pages.lessons.guess.figures.staircase import PassWords, staircase
from pages.lessons.guess.state import DRAFT, DRAFTS, GUESSES, N_WORDS, SENTENCE, SENTENCES, State, written
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.format import number, percent, plural, quantity, unmarked, with_unit


def pass_words(speculation: Speculation) -> list[PassWords]:

    def said(ids) -> tuple[str, ...]:
        return tuple(bundled().tokenizer.decode([i]) for i in ids)

    rows = [PassWords((), *said(speculation.token_ids[:1]), ())]
    for one in speculation.rounds:
        rows.append(PassWords(said(one.guessed[: one.n_accepted]), *said([one.token_id]), said(one.guessed[one.n_accepted :])))
    return rows


@step(
    "Guessed and checked",
    minutes=5,
    ask="Which guesses stay, and what becomes of the rows of those that do not?",
    wrong={
        "The text gets worse with a bad draft": (
            "every word is the model’s own or one that it would have said: a bad draft costs passes, no words"
        ),
        "All guesses of a pass stay or none does": "they stay up to the first that the model would not have said",
    },
)
def guesses(state: State) -> None:
    """A row for each pass; sentence, draft and how many are guessed are to be chosen."""
    lead("A draft guesses what comes next; one pass of the model checks all of its guesses and adds a word of its own.",
         "speculative decoding", "draft", "acceptance")  # fmt: skip
    shown = st.container()
    columns = st.columns([1.6, 1.4, 1], vertical_alignment="bottom")
    with columns[0]:
        SENTENCE.menu("Sentence to continue", SENTENCES, "kite")
    with columns[1]:
        DRAFT.menu("Who guesses (the draft)", DRAFTS, "lookup")
    with columns[2]:
        GUESSES.slider("Guesses a pass")
    speculation = written(state)
    rows = pass_words(speculation)
    said = guesses_said(state, speculation)
    words = " ".join(word for one in rows for word in (*one.kept, one.own))
    places = places_said(speculation)
    alt = f"{N_WORDS} words in {quantity(speculation.n_passes, 'pass')}. {unmarked(said)} {places} The words: {words}"
    with shown:
        plot(staircase(sheet(high=360, slide_high=440), rows, SENTENCES[state.sentence]), alt, "staircase")
        takeaway("guesses", said, help=places)


def guesses_said(state: State, speculation: Speculation) -> str:
    """Passes, what was taken back, and for a draft of the model's own shape that it is never faster."""
    back = sum(one.n_taken_back for one in speculation.rounds)
    taken = f"{quantity(back, 'row')} {plural(back, 'was', 'were')} taken back out of the cache"
    text = f"The same text as in **{N_WORDS}** passes without a draft; {taken}."
    if state.draft != "lookup":
        best = speed_up(1.0, state.n_guess, 1.0)
        text += f" But this draft is as large as the model: with every guess right it would be {number(best)} × as fast, never faster."
    return text


def places_said(speculation: Speculation) -> str:
    """How many passes kept the first guess, the second, and so on; "" where nothing was guessed."""
    if not speculation.accepted:
        return ""
    shares = " / ".join(percent(share) for share in speculation.accepted)
    each = with_unit(number(tokens_by_place(speculation.accepted)), "words")
    return f"Passes behind prefill that kept a guess, by place: {shares}, so one of them writes {each}."
