"""The lesson on head rules as it is shown: one token looks back, questions, the empty row, and the article's two readings."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import streamlit as st

from engine.by_hand import empty_rows, looks
from engine.edits import set_rule
from engine.empty_row import EMPTY_ROW
from engine.model import ForwardPass
from engine.prefill import prefill
from engine.projection import slopes
from engine.readings import differing, other_reading
from engine.toy import Scenario
from engine.treatments import empty_case, treatments
from pages.parts import rules_story, scenario, widgets
from pages.parts.figures.by_hand import by_hand
from pages.parts.figures.context_tables import context_tables
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict, tried
from pages.parts.words import EMPTY_ROW_NAMES, head_names, md, number, rule_name

SHARES = (0.085, 0.9, 0.015)
TO_FIND = "?"
NOTHING = "none: there is nothing to average"
DECIDES = {"none": "none", "soft": "softmax decides", "nan": "0 / 0", "fill": "average of all", "softmax1": "hardly any weight"}


def controls(s: Scenario) -> int:
    """Values, rules, and the token that looks back; returns its position, from 0."""
    widgets.value_sliders()
    widgets.rule_selectors(SHARES)
    options = {str(j): md(word) for j, word in enumerate(s.tokens, 1)}
    chosen = widgets.extra_choice("token", "Who looks back?", options, str(max(1, len(s.tokens) - 1)))
    return int(chosen) - 1


def looking(s: Scenario, run: ForwardPass, query: int) -> None:
    """One line of arithmetic a head for one token, and what to see in it."""
    _by_hand(s, run, query, "by_hand", 0.8 if presenting() and len(s.rules) > 5 else 1.0)
    with st.container(key="takeaway"):
        st.markdown(rules_story.looking(s, looks(run.layers[0], query), query))


def _by_hand(s: Scenario, run: ForwardPass, query: int, key: str, zoom: float = 1.0) -> None:
    """The figure; a result that a question asks for stays open until it is answered. Selecting a column moves the look there."""
    made = looks(run.layers[0], query)
    to_find = zip(made, _open(s, run, query), strict=True)
    lines = [rules_story.line(x, s.empty_row) if not open_ else (rules_story.sum_of(x), TO_FIND) for x, open_ in to_find]

    def select(curve: int, row: int, column: int) -> None:
        if 0 <= column < len(s.tokens):
            scenario.set_extra("token", str(column + 1))

    figure = by_hand(made, query, s.tokens, [rule_name(r) for r in s.rules], lines, **look(zoom))
    plot(figure, rules_story.in_words(s, made, query, lines), key, select if key == "by_hand" else None)


def _open(s: Scenario, run: ForwardPass, query: int) -> list[bool]:
    """Which heads' results at `query` are still to be found: those that a question asks for and that was not answered yet."""
    case, head, row, question, answer = _context_question(s)
    asked = case == s and row == query and not answered("context", question, answer)
    empty = empty_rows(run.layers[0])[:, query] & (not answered("empty", *_empty_question(s)))
    return [bool(empty[h] or (asked and h == head)) for h in range(len(s.rules))]


def _context_question(s: Scenario) -> tuple[Scenario, int, int, str, float]:
    """(scenario, head, row, question, answer): a context of the last token, of the first head that mixes values.

    Where no head sees anything there, head 1 is supposed to look at every token.
    """
    row, case = len(s.tokens) - 1, s
    seen = [len(x.seen) for x in looks(prefill(s.model(), s.prompt_ids).layers[0], row)]
    head = next((h for least in (2, 1) for h, n in enumerate(seen) if n >= least), None)
    if head is None:
        head, case = 0, set_rule(s, 0, "all")
    answer = float(prefill(case.model(), case.prompt_ids).layers[0].context[head, row, 0])
    suppose = "" if case == s else "Suppose head 1 looked at every token. "
    question = (
        f"{suppose}“{md(s.tokens[row])}” stands at position {row + 1}. Head {head + 1} looks at "
        f"**{md(rule_name(case.rules[head]))}**. Which context does it make for “{md(s.tokens[row])}”?"
    )
    return case, head, row, question, answer


def ask_context(s: Scenario) -> None:
    """The context of the last token in a head that mixes values: "even" at "so"."""
    case, head, row, question, answer = _context_question(s)
    run = prefill(case.model(), case.prompt_ids)
    made = looks(run.layers[0], row)
    predict("context", question, answer, rules_story.why_context(made, case, head, row), tolerance=0.05)
    if presenting() and case == s:
        _by_hand(s, run, row, "by_hand_asked", 0.9)


def _empty_question(s: Scenario) -> tuple[str, str]:
    """What a row that matches nothing gives, under the scenario's policy."""
    case, head, row = empty_case(s)
    suppose = "" if case == s else f"Suppose head {head + 1} looked at {md(rule_name(case.rules[head]))}. "
    question = (
        f"{suppose}Head {head + 1} looks at **{md(rule_name(case.rules[head]))}**, and “{md(s.tokens[row])}” stands at position "
        f"{row + 1}. Which context does it make there?"
    )
    now = next(t for t in treatments(case, head, row) if t.policy == s.empty_row)
    return question, NOTHING if s.empty_row == "none" else _result(now.context, s.empty_row)


def _result(context: float, policy: str) -> str:
    return number(context, 5 if policy == "softmax1" else 2)


def ask_empty(s: Scenario) -> None:
    """The row whose rule matches nothing: "even" at "Today"."""
    case, head, row = empty_case(s)
    question, answer = _empty_question(s)
    results = (_result(t.context, t.policy) for t in treatments(case, head, row) if t.policy != "none")
    options = [NOTHING, *dict.fromkeys(results)]
    predict("empty", question, answer, rules_story.why_empty(s, case, head, row), options=options)
    if presenting() and case == s:
        _by_hand(s, prefill(s.model(), s.prompt_ids), row, "by_hand_asked", 0.9)


def empty_row(s: Scenario) -> None:
    """The five treatments side by side, and the switch between them; on a page once the question is answered."""
    if not (presenting() or tried("empty")):
        st.caption("What should a computer return there? The five answers in use appear here once you have committed yours.")
        return
    case, head, row = empty_case(s)
    widgets.show("policy", s.empty_row)

    def keep() -> None:
        scenario.edit(_policy, st.session_state["policy"])

    st.radio(
        "A row that matches nothing gets", list(EMPTY_ROW), key="policy", format_func=EMPTY_ROW_NAMES.get, on_change=keep,
        horizontal=True,
    )  # fmt: skip
    with st.container(key="treatments"):
        st.markdown(rules_story.table(s, case, head, row, treatments(case, head, row)))
    st.caption(
        "A result that changes when a word is added behind the prompt (bold) breaks the order of time: that row had been "
        "computed before the word existed. Trained heads with nothing to look at often park their weight on the first token, "
        "an attention sink."
    )


def _policy(s: Scenario, policy: str) -> Scenario:
    return replace(s, empty_row=policy)


def ask_weight(s: Scenario, run: ForwardPass) -> None:
    """Value is not attention: how much more weight the token with the larger value gets. As much as the other."""
    row = len(s.tokens) - 1
    seen = [x.seen for x in looks(run.layers[0], row)]
    head = int(np.argmax([len(x) for x in seen]))
    case, suppose = s, ""
    if len(seen[head]) < 2:
        head, case, suppose = 0, set_rule(s, 0, "all"), "Suppose head 1 looked at every token. "
    layer = prefill(case.model(), case.prompt_ids).layers[0]
    order = sorted(looks(layer, row)[head].seen, key=lambda j: s.values[j])
    low, high = order[0], order[-1]
    last = prefill(case.model(), case.prompt_ids)
    share = slopes(layer, np.array(case.w_vocab))[:, int(np.argmax(last.logits[-1]))] * np.array(case.values)
    why = rules_story.why_weight(case, last, head, low, share)
    if low == high:
        word = md(s.tokens[low])
        predict("weight", f"“{word}” is the only token. Double its value: by what factor does its weight grow?", 1.0, why)
        return
    ratio = float(layer.weights[head, row, high] / layer.weights[head, row, low])
    predict(
        "weight",
        f"{suppose}“{md(s.tokens[high])}” is worth {number(s.values[high])}, “{md(s.tokens[low])}” {number(s.values[low])}. Head "
        f"{head + 1} ({md(rule_name(case.rules[head]))}) looks at both from “{md(s.tokens[row])}”. **How many times** the weight "
        f"of “{md(s.tokens[low])}” does “{md(s.tokens[high])}” get?",
        ratio,
        why,
    )


def readings(s: Scenario, run: ForwardPass) -> None:
    """The contexts of the scenario, and of its other reading beside them."""
    other = other_reading(s)
    runs = (run, prefill(other.model(), other.prompt_ids))
    layers = [r.layers[0] for r in runs]
    differ = differing(*layers)
    titles = [
        (name, _reading(x))
        for name, x in zip(("This scenario", f"As the article’s {_name(other)} has it"), (s, other), strict=True)
    ]
    figure = context_tables(layers, differ, s.tokens, [head_names(x) for x in (s, other)], titles, **look())
    plot(figure, rules_story.tables_in_words(s, other, runs, differ), "context_tables")
    with st.container(key="takeaway_readings"):
        st.markdown(rules_story.disagreement(s, other, runs, differ))


def _name(s: Scenario) -> str:
    return "code" if s.empty_row == "soft" else "text"


def _reading(s: Scenario) -> str:
    """What a reading makes of "last" and of empty rows."""
    last = any(r.kind == "last" for r in s.rules)
    own = any(r.kind == "self" for r in s.rules)
    means = "“last” = last of the prompt; " if last else "“last” = the token itself; " if own else ""
    return f"{means}no match: {DECIDES[s.empty_row]}"


def caveats() -> None:
    """What is toy about heads with rules, and where the sources contradict themselves."""
    st.caption(
        "“Last” with the code’s meaning makes a key say “I am the last so far”, which the next token makes false: it breaks the "
        "cache. The article also says that heads are averaged, and then goes on with the contexts kept apart; here they stay "
        "apart. Nobody writes rules into a trained model: its weights are learned and smooth, and most heads cannot be put into "
        "words, though a few can."
    )
