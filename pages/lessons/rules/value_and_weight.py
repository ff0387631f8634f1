"""Value is not attention: which of two tokens, of unlike values, gets the larger weight."""

from functools import partial

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.toy.by_hand import RowByHand, rows_by_hand
from engine.toy.edits import set_rule
from engine.toy.scenario import Scenario
from pages.lessons.rules import sentences
from pages.lessons.rules.figures.look import TO_FIND
from pages.lessons.rules.figures.products import shares_said
from pages.lessons.rules.figures.weighed_values import weighed_values
from pages.lessons.rules.questions import looked_at, open_results
from pages.lessons.rules.steps import FEW
from pages.parts.controls import toy
from pages.parts.controls.answer_in_figure import asked_when_said
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead
from pages.parts.question.question import Question, committed
from pages.parts.text.format import entered, md, number
from pages.parts.text.toy_names import rule_name, token_name

SAME = "both the same"


def weight_case(s: Scenario) -> tuple[Scenario, int, int, int]:
    """(scenario, head, token with the smaller value, token with the larger) of what the last token looks at.

    Where no head sees two tokens there, head 1 is supposed to look at every token.
    """
    row, case = len(s.tokens) - 1, s
    seen = [len(x.seen) for x in rows_by_hand(toy.prefill_of(s).layers[0], row)]
    head = int(np.argmax(seen))
    if seen[head] < 2:
        head, case = 0, set_rule(s, 0, "all")
    layer = toy.prefill_of(case).layers[0]
    order = sorted(rows_by_hand(layer, row)[head].seen, key=lambda j: s.values[j])
    return case, head, order[0], order[-1]


def _names(s: Scenario, *tokens: int) -> list[str]:
    """What there is to choose from: tokens with their values."""
    return [f"{token_name(s.tokens, j)}, worth {entered(s.values[j])}" for j in tokens]


def weight_question(s: Scenario) -> Question:
    """Value is not attention: whether the token with the larger value gets the larger weight. Both get the same."""
    case, head, low, high = weight_case(s)
    run = toy.prefill_of(case)
    weights = run.layers[0].weights[head, -1]
    why = sentences.why_weight(run, head, low)
    if low == high:
        asked = (
            f"“{md(s.tokens[low])}” is the only token, and its weight is {number(weights[low], 4)}. Double its value: what becomes "
            "of its weight?"
        )
        return Question("weight", asked, "it stays", why, options=("it doubles", "it halves", "it stays"))
    suppose = sentences.supposition(head, looked_at(s, case, head))
    names = _names(s, high, low)
    more = weights[high] - weights[low]
    return Question(
        "weight",
        f"{suppose}In head {head + 1} ({md(rule_name(case.rules[head]))}) “{md(s.tokens[-1])}” looks at {names[0]}, "
        f"and at {names[1]}. "
        "A **weight** is what a value is multiplied with before all are added up. Which of the two gets the larger weight?",
        SAME if abs(more) < 1e-9 else names[0] if more > 0 else names[1],
        why,
        options=(*names, SAME),
    )


@step(
    "Value and weight",
    minutes=4,
    ask="Which of the two tokens gets the larger share?",
    wrong={"The token with the larger value": "a value is content, not importance: the share comes from query and key alone"},
)
def value_and_weight(s: Scenario, run: ForwardPass) -> None:
    """Whether a larger value gets more weight; once answered, the weights stand in the figure and the values move."""
    lead("In each drawer lies a **value**. The share of it that is taken is its **weight**.", "value", "weight")
    figure, asked, under = st.container(), here_on_a_phone(), st.container()
    with asked:
        ask_later(lambda s, run: weight_question(s), s, run)
    with figure:
        live(partial(_weights, under), s, run)


def _weights(under, s: Scenario, run: ForwardPass) -> None:
    """The figure, and once it is answered the sliders of the values in the place `under` it: before, they would repeat its bars."""
    case, head, low, high = weight_case(s)
    told = asked_and_answered("weight", weight_question, s) or committed("weight") is not None  # a value that is moved afterwards
    names = dict(zip((high, low), _names(s, high, low), strict=False)) if low != high else {}
    asked, press = asked_when_said("weight", partial(weight_question, s), [names.get(j, "") for j in range(len(s.tokens))])
    looks = rows_by_hand(toy.prefill_of(case).layers[0], len(s.tokens) - 1)[head]
    result = TO_FIND if open_results(s, run)[head, -1] else sentences.line(looks, s.empty_row)[1]
    drawn_on = under_headline(sheet(), sentences.weights_found(s, looks, told)) if len(s.tokens) <= FEW else sheet()
    figure = weighed_values(drawn_on, looks, result, s.tokens, (low, high), asked, told)
    suppose = sentences.supposition(head, looked_at(s, case, head))
    plot(figure, f"{suppose}{_in_words(s, head, looks, result, told)}", "one_row_weights", on_press=press)
    with under:
        if told:
            toy.value_sliders(least=toy.BENEATH)
        else:
            st.empty()  # a fragment may write later only where it wrote at first


def _in_words(s: Scenario, head: int, looks: RowByHand, result: str, told: bool) -> str:
    of = [
        f"“{word}” is worth {entered(value)}{f' and weighs {share}' * told}"
        for word, value, share in zip(s.tokens, looks.values, shares_said(looks.weights.tolist(), looks.values), strict=True)
    ]
    made = f"context {'to be found' if result == TO_FIND else result}" if told else "what each weighs is to be found"
    return f"Head {head + 1} at “{s.tokens[-1]}”: {', '.join(of)}; {made}."
