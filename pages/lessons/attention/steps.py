"""The attention lesson’s figures: one head large, all heads, and one cell written out."""

from functools import partial

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.toy.edits import set_value
from engine.toy.one_cell import derive
from engine.toy.scenario import Scenario
from pages.lessons.attention import cell_in_steps, sentences, story
from pages.lessons.attention.figures import attention_map as figures
from pages.lessons.attention.figures.one_head import columns
from pages.lessons.attention.maps import attention_map, cell_map, head_map, next_probs, selected_cell
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import CELL
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import BESIDE, here_on_a_phone, lead
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.digits import context_of
from pages.parts.text.format import SEEN, entered, md
from pages.parts.text.toy_names import head_names, token_name
from pages.parts.visit import scenario
from pages.parts.visit.display import controls_in_sight, narrow
from pages.parts.visit.parameters import set_widget

RULE_AND_VALUE = "A head’s **rule** decides its weights, a **value** only what they bring."
SHARES = (figures.LEFT, figures.HEADS)
ROOM = 264.0  # pixels that the rows of its figure share
MOST_SLIDERS = 4  # that stand beside a head's own controls
TERMS = ("query", "key", "score", "mask", "softmax", "weight", "value", "context", "logit")
VALUES = "values"  # the question of the first step
NONE = "none"
ONE = "one"
ITS_COLUMN = "all in its column"
ALL = "all"


@step(
    "One head",
    minutes=7,
    click="Take the class’s answer, then move the value of one token.",
    ask="I make one value larger. Which of the cells on screen will move? Point at them first.",
    wrong={
        "all": "value and weight are taken for one thing: weights come from queries and keys, the value only passes through",
        "all in its column": "the column of the token is suspected to carry its value; it carries its key",
        "one": "a cell is taken for the token’s own; a score belongs to two tokens",
    },
    in_story={
        "ask": "Every token asks now. Which of the keys that fit may it look at, and how much does it take of each?",
        "wrong": {},
    },
)
def one_head(s: Scenario, run: ForwardPass) -> None:
    """One head large: what moves its cells, what moves only what comes out of them, and which of the two a value does."""
    if routes.chosen() == routes.STORY:
        story.every_token_asks(s, run)
        return
    nothing_fits = sentences.where_nothing_fits(s, run)
    lead(
        "How well a query fits a key is their **score**; **softmax** makes a row’s scores into shares, its **weights**"
        f"{'; **none** if no key fits' * (bool(nothing_fits) and not scenario.on_paper())}. Now every token asks at once.",
        *TERMS,
    )
    figure, asked = st.container(), here_on_a_phone()
    under = head_controls(s, selected_cell(s, run))
    with asked:
        left, right = st.columns(BESIDE, gap="medium")
    with left:
        ask_later(question_of_head, s, run)
    with figure:
        said = right.container(key="takeaway_one_head")
        live(partial(head_and_values, under), s, run, said=said, help=nothing_fits)


def head_and_values(under, s: Scenario, run: ForwardPass) -> str:
    """The figure, the sliders of the values in the place `under` it, and what it comes to."""
    cell, answered = selected_cell(s, run), asked_and_answered(VALUES, question_of_head, s, run)
    said = sentences.made_of(s, run, cell[0], cell[1])
    head_map(s, run, cell, said, room=ROOM, **_follows(s, run, cell[0], answered))
    with under:
        asked = changed_token(s, with_value_raised(s, run, cell[0])) if len(s.tokens) > MOST_SLIDERS else 0
        toy.value_sliders(MOST_SLIDERS, least=toy.BENEATH, first=asked)
    if edited_from := scenario.kept().before:
        return sentences.change(edited_from, s, cell[0], with_weights=answered)
    said = sentences.one_row(s, run, cell[0], cell[1], "" if narrow() else "one_head")
    weights, contexts = run.layers[0].weights[cell[0], cell[1]], run.layers[0].context[:, cell[1]]
    if cell[1] < len(s.tokens) - 1 or not np.isfinite(contexts).all() or not weights.any():
        return said  # of another row nothing votes, what is no number chooses no word, and what takes nothing follows no value
    follows = answered and len(s.words) > 1 and controls_in_sight()
    if cell[0] not in toy.voting_heads(s) and len(s.words) > 1:
        return f"{said} Head {cell[0] + 1} has **no say** in the next word: its numbers in **W** are the same for every word."
    return f"{said} Its context **votes for the next word**{': move a value, and it follows' * follows}."


def _follows(s: Scenario, run: ForwardPass, head: int, answered: bool) -> dict[str, object]:
    """What the figure marks: the value that is asked about, and once it is known which weights follow it, these."""
    if not answered:
        return {"column": changed_token(s, with_value_raised(s, run, head)), "supposed": True}
    question, names = values_question(s, run, head), {NONE: "none", ONE: "one", ITS_COLUMN: "column", ALL: "all"}
    both = names[question.answer], names[question.answer if question.guess is None else question.guess]
    edited = with_value_raised(s, run, head)
    moved = np.abs(toy.prefill_of(edited).layers[0].context - run.layers[0].context)[head, :, 0] >= SEEN
    return {"follow": both, "column": changed_token(s, edited), "moved": tuple(moved.tolist())}


def head_controls(s: Scenario, cell: tuple[int, int, int]):
    """The place of the values, beneath the weights that they are taken by; what moves the cells is in a box of its own beside it."""
    with st.container(key="head_controls"):
        beside, under = toy.places_beneath(*columns()[-1])
        look = {"icon": ":material/tune:", "width": "content"}
        with beside, st.popover("Head, rule, sharpness", key="attention_more", on_change="rerun", **look) as box:
            if box.open:  # else it would be sent with every move
                head_menu(s, cell)
                toy.rule_selector(cell[0])
                toy.sharpness_slider("sharpness_here")
        return under


def head_menu(s: Scenario, cell: tuple[int, int, int]) -> None:
    """Which head is shown; the row and the key that are selected stay."""

    def turn() -> None:
        if isinstance(head := st.session_state["attention_cell_head"], int):  # else its name before its rule was changed
            CELL.set_text(f"{head + 1}.{cell[1] + 1}.{cell[2] + 1}")

    names = dict(enumerate(head_names(s)))
    set_widget("attention_cell_head", cell[0], among=tuple(names.values()))
    st.selectbox("Head", list(names), key="attention_cell_head", format_func=names.get, on_change=turn)


def with_value_raised(s: Scenario, run: ForwardPass, head: int) -> Scenario:
    """The scenario with another value for the token that the last row of a head weighs most."""
    token = int(np.argmax(np.nan_to_num(run.layers[0].weights[head, -1])))
    return set_value(s, token, 100.0 if s.values[token] != 100 else 10.0)


def changed_token(s: Scenario, edited: Scenario) -> int:
    """Which token's value is another."""
    return next(j for j, (a, b) in enumerate(zip(s.values, edited.values, strict=True)) if a != b)


def question_of_head(s: Scenario, run: ForwardPass) -> Question:
    """The question of the head that is shown."""
    return values_question(s, run, selected_cell(s, run)[0])


def values_question(s: Scenario, run: ForwardPass, head: int) -> Question:
    """How many weights follow a value: none, because weights come from queries and keys. It is the same whatever the values are, so
    that a value which is moved afterwards does not ask it again."""
    edited = with_value_raised(s, run, head)
    token = changed_token(s, edited)
    old, new = run.layers[0], toy.prefill_of(edited).layers[0]
    seen = int(old.mask[head].sum())
    moved = int(np.sum(~np.isclose(old.weights[head], new.weights[head], rtol=0, atol=0, equal_nan=True)))  # to the last bit
    return Question(
        VALUES,
        f"Suppose that {token_name(s.tokens, token)} had another value. How many of the weights of head {head + 1} would change?",
        {0: NONE, 1: ONE, seen: ALL}.get(moved, ITS_COLUMN),
        f"Weights come from queries and keys; a value only passes through: were it {entered(edited.values[token])}, "
        f"{sentences.moved_contexts(old, new)}.",
        options=(NONE, ONE, ITS_COLUMN, ALL),
    )


@step(
    "All heads",
    minutes=5,
    ask="Which head would you give which other rule, and what would happen to the next word? Try it.",
    wrong={
        "Each head chooses a word": "each head’s context is one number in a vector; W makes votes of all of them and adds these up"
    },
)
def stages(s: Scenario, run: ForwardPass) -> None:
    """The weights of every head with their rules, the context and the word that these make, and what the last edit changed."""
    lead("Every head looks back by its rule: its **weights**, and beneath them the **context** that its last row makes.")
    moving, rules, (left, right) = st.container(), st.container(), st.columns((5, 1), gap="small")
    with rules:
        toy.rule_selectors(SHARES)
    place = right.popover("Values", icon=":material/edit:", key="attention_values")
    with moving:
        live(partial(_all_heads, place), s, run, said=left.container(key="takeaway_all"))


def _all_heads(place, s: Scenario, run: ForwardPass) -> tuple[str, str | None]:
    """The sliders of the values in their `place`, the maps, and what the last edit changed; behind that all numbers."""
    with place:
        toy.value_sliders(where="all_")
    attention_map(s, run)
    before, numbers = scenario.kept().before, sentences.unedited_takeaway(s, run, next_probs(run))
    behind = None if next_probs(run) is None else numbers
    return sentences.change(before, s) if before else RULE_AND_VALUE if behind else numbers, behind


@step(
    "One cell",
    minutes=6,
    click="Select another cell of the scores, with the pointer or the arrow keys.",
    ask="Go through the written-out cell line by line: which number would change if the token stood elsewhere?",
)
def one_cell(s: Scenario, run: ForwardPass) -> None:
    """One cell, every number on the way."""
    cell = selected_cell(s, run)
    lead(
        f"One cell of **softmax( Q Kᵀ / √d ) V** in four steps{'' if narrow() else ': follow the **arrow** from score to context'}.",
        *TERMS,
    )
    written, made = derive(run.layers[0], *cell), context_of(run.layers[0], *cell[:2])
    equations = cell_in_steps.equations(s, written, cell[2])
    closed = cell_in_steps.closed_scores(s, written)
    cell_map(s, run, cell, cell_in_steps.in_a_line(written, made, cell[2]), equations, closed)
    derivation(s, run, cell)


def derivation(s: Scenario, run: ForwardPass, cell: tuple[int, int, int]) -> None:
    """The selected cell, every number on the way written out: on a phone as a list, elsewhere behind a sign."""
    head, query, key = cell
    written = derive(run.layers[0], head, query, key)
    listed = "\n".join(f"1. {step}" for step in cell_in_steps.cell_steps(s, written, head, query, key))
    of = f"Head **{md(head_names(s)[head])}**, row “**{md(s.tokens[query])}**”, looking at “**{md(s.tokens[key])}**”"
    colored = "Select another cell of the scores with the pointer, or with the arrow keys once the figure has the focus."
    with st.container(border=narrow(), key="derivation"):
        st.markdown(of, help=colored if narrow() else f"{colored}\n\n{listed}")
        if narrow():
            st.markdown(listed)
