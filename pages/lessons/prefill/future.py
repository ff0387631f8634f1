"""No row sees the future: what a later token changes in earlier rows, with the mask and without."""

from dataclasses import replace
from functools import partial

import numpy as np
import streamlit as st

from engine.experiments import rows
from engine.experiments.rows import largest_values
from engine.model import ForwardPass
from engine.toy.edits import set_value
from engine.toy.leaks import stays_true
from engine.toy.scenario import Scenario
from pages.lessons.prefill import questions, story
from pages.lessons.prefill.figures.rows_compared import Table, rows_compared, rows_found
from pages.lessons.prefill.steps import WIDE
from pages.parts.controls import toy
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.controls.shared_parameters import TOKEN
from pages.parts.drawing.answers import NOT_ASKED
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.foot import may_tell
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.format import entered, join, md, plural
from pages.parts.text.toy_names import head_names, token_name
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Choice, Real

VALUE = Real("value", low=toy.SLIDER[0], high=toy.SLIDER[1])
VIEW = Choice("view")
BESIDE, ALONE = 246.0, 330.0  # pixels of the rows, with controls above them and without


@step(
    "No row sees ahead",
    minutes=5,
    click="Choose each token under **Change the value of**, then take the class’s answer.",
    ask="One value changes. Which rows change with the mask, and which without it?",
    wrong={
        "every row": "right only where each of them takes something of the token",
        "none": "a row that takes something of the token has another context",
    },
)
def future(s: Scenario, run: ForwardPass) -> None:
    """Change one token's value and see which rows notice, with the mask and, once that has been predicted, without."""
    if routes.chosen() == routes.STORY:
        story.no_row_sees_ahead(s, partial(who_noticed, in_short=True))
        return
    lead(
        f"Under the **mask** a row {toy.looks(s)} at its own token and at earlier ones. Change one token’s value: which rows notice?",
        "mask",
        "row",
    )
    question = questions.leak_question(s)
    picture, told = st.container(), here_on_a_phone()
    place = st.columns([2, 1.4, 1.6])
    with place[0]:
        token = TOKEN.buttons("Change the value of", [md(word) for word in s.tokens], default=questions.token_changed(s) + 1) - 1
    with place[1]:
        value = VALUE.slider(
            f"from {entered(s.values[token])} to", default=questions.value_given(s, token), step=toy.SLIDER[2], format="%g"
        )
    with place[2]:
        mask = _mask_on(s, question)
    before = replace(s, causal=mask)
    after = set_value(before, token, value)
    titles = tuple(f"{token_name(s.tokens, token, str)} = {entered(x)}" for x in (s.values[token], value))
    with picture:
        moved = _compare(s, before, after, titles, "future", WIDE)
    with told:
        asked, said = st.columns((1.2, 1), gap="medium") if question else (None, st.container())
    if question:
        with asked:
            predict(question, on_commit=partial(VIEW.set_text, "off" if s.causal else "on"))
    with said:
        told = question is None or question.answered  # which is of the other mask
        takeaway("future", who_noticed(before, after, token, moved) + told * with_the_mask(before, after, token))
    if not presenting():
        with st.expander("What “all at once” leaves out", icon=":material/info:"):
            caveats(run)


def who_noticed(before: Scenario, after: Scenario, token: int, moved: np.ndarray, in_short: bool = False) -> str:
    """Which rows a token's new value moved, those before it and those from it on, and why. moved: (n,); in_short: beside a figure
    of rows with the mask and without."""
    word, earlier, later = token_name(before.tokens, token), moved[:token], moved[token:]
    hardly, least = questions.rows_hardly_changed(before, after)
    if earlier.any():
        blame = "without the mask a row sees what comes later" if not before.causal else questions.FILLED
        n, little = int(earlier.sum()), int(hardly[:token].sum())
        by = f", {f'{little} of them ' * (little < n)}by less than {entered(least)}" if little else ""
        return f"**{n}** {plural(n, 'row')} before {word} changed{by}: {blame}.{in_short * with_the_mask(before, after, token)}"
    if not token:
        watch = " A later token has rows before it to watch." * (len(later) > 1)
        return (
            f"Nothing stands before {word}: {_rows_changed_too(later, word, 'changed')}{_by_little(hardly, least, later)}.{watch}"
        )
    exactly = ", not in one bit" if before.causal else ""
    if in_short and before.causal and stays_true(before):
        return f"With the mask **no** row before {word} changed{exactly}: what those rows hold **can be kept**."
    did = f"{_rows_changed_too(later, word, 'did')}{_by_little(hardly, least, later)}"
    return f"**No** row before {word} changed{exactly}; {did}. {_unmoved(before, after, token)}"


def _by_little(hardly: np.ndarray, least: float, changed: np.ndarray) -> str:
    """How many of the rows that changed did so by next to nothing. changed: which rows did, of those that are spoken of."""
    of_them = f"{int(hardly.sum())} of them " * bool(changed.sum() > 1)
    return f", {of_them}by less than {entered(least)}" if hardly.any() else ""


def with_the_mask(before: Scenario, after: Scenario, token: int) -> str:
    """How many rows before the token change under the mask, too, where it is off and empty rows are filled; "" where none does."""
    if before.causal or before.empty_row != "fill":
        return ""
    n = int(questions.contexts_changed(*(replace(x, causal=True) for x in (before, after))).any(axis=1)[:token].sum())
    return f" With it **{n}** would: {questions.FILLED}." if n else ""


def _rows_changed_too(later: np.ndarray, word: str, did: str) -> str:
    """How many rows from the changed token on changed, too."""
    if len(later) == 1:
        return (
            f"its own row {did}"
            if later.all()
            else "its own row did not either"
            if did == "did"
            else "its own row did not change"
        )
    if later.all():
        return f"{'both' if len(later) == 2 else f'all {len(later)}'} rows from {word} on {did}"
    return f"of the {len(later)} rows from {word} on, {int(later.sum()) or 'none'} {did}"


def _mask_on(s: Scenario, question: Question | None) -> bool:
    """Whether the mask is on: a switch, once the `question` on it has been answered, and the next step's where that is on the page."""
    told = question and question.answered and may_tell("mask", questions.mask_question, s)
    if not told and not VIEW.text():
        return s.causal
    return VIEW.buttons("Causal mask", {"on": "on", "off": "off"}, "on" if s.causal else "off") == "on"


def _unmoved(before: Scenario, after: Scenario, token: int) -> str:
    """Why no row before the token changed, and whether such rows stay as they are when the text goes on."""
    if not before.causal:
        return questions.not_looked_at(before, after, token)
    if stays_true(before):
        return (
            "A deeper model makes a row’s key and value in layer 2 from this row’s numbers in layer 1: those of the rows before "
            "**stay too**, layer by layer."
        )
    if heads := [str(h) for h, rule in enumerate(before.rules, 1) if rule.breaks_cache]:
        return (
            f"But {plural(len(heads), 'head')} {join(heads)} {plural(len(heads), 'asks', 'ask')} for the last of the prompt, which "
            "is another token when the text goes on: the last row does not stay true."
        )
    return f"But when the text goes on an empty row does not stay true: {questions.FILLED}."


def _compare(
    s: Scenario,
    before: Scenario,
    after: Scenario,
    titles: tuple[str, str],
    key: str,
    presented: float = 1.0,
    question: Question | None = None,
) -> np.ndarray:
    """Draw the contexts of two scenarios side by side, the second hidden until the `question` on them
    is answered; None where there is nothing to ask and controls take their room. Returns which rows differ, (n,)."""
    runs = [toy.prefill_of(x) for x in (before, after)]
    layers = [r.layers[0] for r in runs]
    sees = [layer.mask[0] for layer in layers]
    other = np.array(before.values) != np.array(after.values) if before.causal == after.causal else sees[0] != sees[1]
    tables = [
        Table(rows.contexts([r]), x.empty.T, title, look, np.broadcast_to(other, look.shape), largest_values(x).T)
        for r, x, title, look in zip(runs, layers, titles, sees, strict=True)
    ]
    changed = questions.contexts_changed(before, after)
    height = ALONE if question else BESIDE
    asked, press = (asked_in(question, questions.ROWS), pressed(question, questions.ROWS)) if question else (NOT_ASKED, None)
    moved = changed.any(axis=1)
    hardly, least = questions.rows_hardly_changed(before, after)
    by = f" by {entered(least)} or more" * bool(hardly.any())
    found = rows_found(moved & ~hardly if asked.known else None, len(moved), by)
    drawn_on = under_headline(sheet(slide_zoom=presented), f"{titles[0]} → {titles[1].split(' = ')[-1]}{found}")
    figure = rows_compared(drawn_on, tables, (changed, hardly), s.tokens, head_names(s), height, asked)
    names = join([token_name(s.tokens, j, str) for j in np.flatnonzero(moved)]) if moved.any() else "none"
    names += _by_little(hardly, least, moved)
    last = ", ".join(tables[1].text(0, h) for h in range(len(before.rules)))
    alt = (
        f"Contexts of every head in every row, {titles[0]} and {titles[1]}. Rows that changed: {names}. "
        f"With {titles[1]} the row “{s.tokens[0]}” is {last}."
    )
    waits = f"Contexts of every head in every row, {titles[0]}. Those with {titles[1]} are to be found."
    plot(figure, alt if asked.known else waits, key, on_press=press)
    return moved


@step(
    "Without the mask",
    minutes=5,
    ask="With the mask and without it: which rows are exactly the same?",
    wrong={
        "only the first": "the first row gains the most: it saw itself only, and now sees all",
        "every row": "the mask is taken for decoration; all rows but the last lose it",
        "none": "the last row saw everything already",
    },
)
def without_mask(s: Scenario, run: ForwardPass) -> None:
    """Which rows the mask matters for; the rows that one may think of wait for the answer."""
    question = questions.mask_question(s)
    lead("Take the mask away, and a row may also look at the tokens that come after it. What becomes of its numbers?")
    _compare(s, *questions.with_and_without(s), ("mask on", "mask off"), "mask_off", question=question)
    predict(question)


def caveats(run: ForwardPass) -> None:
    """What the sources leave out of “all at once”."""
    n_head, n, _ = run.layers[0].scores.shape
    st.caption(
        f"The scores of all heads are one array of {n_head} × {n} × {n}; real models have one in every layer, which need not be written "
        "out. “Attends to every other word” is wrong for these models: under the mask a row attends to itself and to what came "
        "before. Of all rows only the last one’s logits choose a word."
    )
