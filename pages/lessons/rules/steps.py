"""The lesson on head rules as it is shown: one token looks back, a context by hand, and the row that matches nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.toy.by_hand import empty_rows, rows_by_hand
from engine.toy.edits import set_rule
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.empty_row_policies import Treatment, empty_case, treatments
from engine.toy.scenario import Scenario
from pages.lessons.rules import sentences
from pages.lessons.rules.figures.by_hand import TO_FIND, HeadLine, by_hand
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import TOKEN
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question, committed
from pages.parts.text.digits import weight
from pages.parts.text.format import EMPTY_ROW_NAMES, md, rule_label, rule_name
from pages.parts.visit import scenario
from pages.parts.visit.parameters import set_widget

LARGE = 1.22  # a step with room to spare is drawn larger still when presented
SHARES = (0.085, 0.9, 0.015)
NOTHING = "none: there is nothing to average"


@step(
    "One token looks back",
    minutes=6,
    ask="Choose a token. Whom may each head see from there, and what is their average? Let them work out one head on paper.",
    wrong={
        "Heads see the words after them, too": "the mask hides what comes later; the model could not know it when it writes",
        "The largest value wins": "a head averages what it sees; it does not choose",
    },
)
def one_token(s: Scenario, run: ForwardPass) -> None:
    """Values, rules, the token that looks back, and one line of arithmetic a head."""
    lead(
        "A **head** is here a rule for which tokens a token looks at; their average **value**, a made-up number, is its "
        "**context**.",
        "token", "value", "head", "context", "causal",
    )  # fmt: skip
    toy.value_sliders()
    toy.rule_selectors(SHARES, named=True)
    with st.container(horizontal=True, vertical_alignment="center", key="who"):
        if len(s.tokens) <= 8:
            st.markdown("**Who looks back?**", width="content")
        words = [md(word) for word in s.tokens]
        query = TOKEN.buttons("Who looks back?", words, max(1, len(words) - 1), label_visibility="collapsed") - 1
    draw_by_hand(s, run, query, "by_hand", selectable=True)
    takeaway("look", sentences.looking(s, rows_by_hand(run.layers[0], query), query))


def draw_by_hand(s: Scenario, run: ForwardPass, query: int, key: str, selectable: bool = False, **marks) -> None:
    """The figure; a result that a question asks for stays open until it is answered. Selecting a column moves the look there."""
    made = rows_by_hand(run.layers[0], query)
    to_find = zip(made, open_results(s, run)[:, query], strict=True)
    lines = [sentences.line(x, s.empty_row) if not open_ else ("", TO_FIND) for x, open_ in to_find]

    def select(curve: int, row: int, column: int) -> None:
        if 0 <= column < len(s.tokens):
            TOKEN.set_text(str(column + 1))

    presented = 0.9 if len(s.rules) > 5 else 1.0 if selectable else LARGE
    rows = [HeadLine(look, rule_label(rule), *line) for look, rule, line in zip(made, s.rules, lines, strict=True)]
    figure = by_hand(sheet(presented=presented), rows, query, s.tokens, **marks)
    plot(figure, sentences.in_words(s, made, query, lines), key, select if selectable else None)


def open_results(s: Scenario, run: ForwardPass) -> np.ndarray:
    """(n_head, n): the contexts still to be found, which are those that a question asks for until it is answered."""
    asked = empty_rows(run.layers[0]) & (not empty_question(s).answered)
    case, head, row = context_case(s)
    asked[head, row] |= case == s and not context_question(s).answered
    return asked


def context_case(s: Scenario) -> tuple[Scenario, int, int]:
    """(scenario, head, row) whose context is asked for: of the last token, in the first head that mixes values.

    Where no head sees anything there, head 1 is supposed to look at every token.
    """
    row = len(s.tokens) - 1
    seen = [len(x.seen) for x in rows_by_hand(toy.passed(s).layers[0], row)]
    head = next((h for least in (2, 1) for h, n in enumerate(seen) if n >= least), None)
    return (set_rule(s, 0, "all"), 0, row) if head is None else (s, head, row)


def context_question(s: Scenario) -> Question:
    """A context of the last token, of a head that mixes values."""
    case, head, row = context_case(s)
    layer = toy.passed(case).layers[0]
    suppose = "" if case == s else "Suppose head 1 looked at every token. "
    return Question(
        "context",
        f"{suppose}“{md(s.tokens[row])}” stands at position {row + 1}. Head {head + 1} looks at "
        f"**{md(rule_name(case.rules[head]))}**. Which context does it make for “{md(s.tokens[row])}”?",
        float(layer.context[head, row, 0]),
        sentences.why_context(rows_by_hand(layer, row), case, head, row),
        tolerance=0.05,
        low=-toy.reach(case.values),
        high=toy.reach(case.values),
    )


@step(
    "Mixed values",
    minutes=4,
    ask="Which context does the head make? Write it down before anybody says a number.",
    wrong={
        "The sum of the values": "weights sum to one: a context is an average, not a sum",
        "The average of all values": "the rule decides who is seen, the mask hides the future",
    },
)
def mixed(s: Scenario, run: ForwardPass) -> None:
    """The context of the last token in a head that mixes values: "even" at "so"."""
    case, head, row = context_case(s)
    question = context_question(s)
    draw_by_hand(case, toy.passed(case), row, "by_hand_mixed", marked=head)
    predict(question)


def empty_question(s: Scenario) -> Question:
    """What a row that matches nothing gives, under the scenario's policy."""
    case, head, row = empty_case(s)
    suppose = "" if case == s else f"Suppose head {head + 1} looked at {md(rule_name(case.rules[head]))}. "
    made = treatments(case, head, row)
    told = next(t for t in made if t.policy == s.empty_row)
    results = {_number(t): _result(t, len(case.tokens)) for t in reversed(made)} | {
        _number(told): _result(told, len(case.tokens))
    }
    return Question(
        "empty",
        f"{suppose}Head {head + 1} looks at **{md(rule_name(case.rules[head]))}**, and “{md(s.tokens[row])}” stands at position "
        f"{row + 1}. Which context does it make there?",
        results[_number(told)],
        sentences.why_empty(s, case, head, row),
        options=tuple(results[_number(t)] for t in {_number(t): t for t in made}.values()),
    )


def _number(t: Treatment) -> str:
    """The context that a treatment gives."""
    return "none" if t.policy == "none" else sentences.treated(t.policy, t.context)


def _result(t: Treatment, n: int) -> str:
    """The context that a treatment gives, and what kind of number that is; of n tokens."""
    kinds = {
        "soft": "the average of what it may see",
        "nan": "0 / 0",
        "fill": f"the average of all {n}, hidden or not" if n > 1 else "the value of the only one",
        "softmax1": f"with weights that sum to {weight(t.total)}",
    }
    return NOTHING if t.policy == "none" else f"{_number(t)}: {kinds[t.policy]}"


@step(
    "Nothing matches",
    minutes=5,
    ask="The rule matches nothing at this position. What should a program do then?",
    wrong={
        "NaN": "right for a program without a guard; this scenario may have one",
        "The average of what it may see": "what softmax does with nothing but non-matches: somebody has to get the weight",
    },
)
def finds_nothing(s: Scenario, run: ForwardPass) -> None:
    """The row whose rule matches nothing, "even" at "Today"; once answered, what the five treatments in use make of it."""
    case, head, row = empty_case(s)
    draw_by_hand(case, toy.passed(case), row, "by_hand_empty", marked=head)
    predict(empty_question(s))
    if committed("empty"):  # also while the switch in there has opened the question again
        with st.expander("The five answers in use", icon=":material/alt_route:"):
            five_treatments(s)


def five_treatments(s: Scenario) -> None:
    """The five treatments side by side, and the switch between them."""
    case, head, row = empty_case(s)
    set_widget("policy", s.empty_row)

    def keep() -> None:
        scenario.edit(_policy, st.session_state["policy"], what="policy")

    st.radio(
        "A row that matches nothing gets", list(EMPTY_ROW), key="policy", format_func=EMPTY_ROW_NAMES.get, on_change=keep,
        horizontal=True,
    )  # fmt: skip
    with st.container(key="treatments"):
        st.markdown(sentences.table(s, case, head, row, treatments(case, head, row)))
    st.caption(
        "Bold: a result that changes when a word is added behind the prompt, and breaks the order of time. Trained heads with "
        "nothing to look at often park their weight on the first token, an attention sink."
    )


def _policy(s: Scenario, policy: str) -> Scenario:
    return replace(s, empty_row=policy)
