"""What is asked of a head by hand: a context, and what a row gets that matches nothing; and which contexts that leaves open."""

from collections.abc import Callable

import numpy as np

from engine.model import ForwardPass
from engine.toy.by_hand import empty_rows, rows_by_hand
from engine.toy.edits import set_rule
from engine.toy.empty_row_policies import Treatment, empty_case, treatments
from engine.toy.scenario import Scenario
from pages.lessons.rules import sentences
from pages.lessons.rules.figures.no_match import Outcome
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import HEAD
from pages.parts.lesson.foot import may_tell
from pages.parts.lesson.fragments import asked_and_answered
from pages.parts.question.question import Question
from pages.parts.text.digits import weight
from pages.parts.text.format import md
from pages.parts.text.toy_names import rule_name

# Treatments that need no words a beginner does not have; the others are shown once it is answered.
IN_WORDS = ("none", "soft", "fill")
NOTHING = "none: there is nothing to average"


def open_results(s: Scenario, run: ForwardPass, own: str = "") -> np.ndarray:
    """(n_head, n): the contexts still to be found, which are those that a question asks for until it is answered: the step's `own`,
    and another step's where that is on the same page."""

    def told(key: str, make: Callable[[Scenario], Question]) -> bool:
        return (asked_and_answered if key == own else may_tell)(key, make, s)

    asked = empty_rows(run.layers[0]) & (not told("empty", empty_question))
    case, head, row = context_case(s)
    asked[head, row] |= case == s and not told("context", context_question)
    return asked


def context_case(s: Scenario) -> tuple[Scenario, int, int]:
    """(scenario, head, row) whose context is asked for: of the last token, in the head that was chosen, if it mixes values there, or
    the first that does.

    Where no head sees anything there, head 1 is supposed to look at every token.
    """
    row = len(s.tokens) - 1
    seen = [len(x.seen) for x in rows_by_hand(toy.prefill_of(s).layers[0], row)]
    chosen = HEAD.value(high=len(seen)) - 1 if HEAD.text() else None
    head = next((h for least in (2, 1) for h, n in enumerate(seen) if n >= least), None)
    head = chosen if chosen is not None and seen[chosen] > 1 else head
    return (set_rule(s, 0, "all"), 0, row) if head is None else (s, head, row)


def looked_at(s: Scenario, case: Scenario, head: int) -> str:
    """What a head of a case is taken to look at where the scenario's own does not; "" where the case is the scenario."""
    return "" if case == s else rule_name(case.rules[head])


def context_question(s: Scenario) -> Question:
    """A context of the last token, of a head that mixes values."""
    case, head, row = context_case(s)
    layer = toy.prefill_of(case).layers[0]
    suppose = sentences.supposition(head, looked_at(s, case, head))
    unit, named = toy.unit_of(case.values)
    values = [float(case.values[j]) / unit for j in rows_by_hand(layer, row)[head].seen]
    average = "at most to one, so a context is a part of" if case.empty_row == "softmax1" else "to one, so a context is"
    summed = {sum(values): f"That is the values’ sum: the shares add up {average} an average."} if len(values) > 1 else {}
    largest = max(map(abs, case.values)) / unit
    reach = max(10.0, len(case.values) * largest)  # no sum of the values lies farther from 0
    return Question(
        "context",
        f"{suppose}“{md(s.tokens[row])}” stands at position {row + 1}. Head {head + 1} looks at "
        f"**{md(rule_name(case.rules[head]))}**. Which context does it make for “{md(s.tokens[row])}”?",
        float(layer.context[head, row, 0]) / unit,
        sentences.why_context(rows_by_hand(layer, row), case, head, row),
        tolerance=min(0.05, 0.02 * largest) if largest else 0.05,
        unit=named,
        low=-reach,
        high=reach,
        slips=summed,
    )


def empty_outcomes(s: Scenario) -> list[Outcome]:
    """What a row that matches nothing may give: under the scenario's policy, and under those that a beginner can follow."""
    case, head, row = empty_case(s)
    made = [t for t in treatments(case, head, row) if t.policy in (*IN_WORDS, s.empty_row)]
    told = next(t for t in made if t.policy == s.empty_row)
    by_number = {_number(t): t for t in reversed(made)} | {_number(told): told}
    n, visible = len(case.tokens), tuple(rows_by_hand(toy.prefill_of(case).layers[0], row)[head].visible)
    taken = {"none": (), "nan": (), "fill": tuple(range(n))}
    return [
        Outcome(_result(t, n), _number(t), taken.get(t.policy, visible), t.total)
        for t in (by_number[number] for number in dict.fromkeys(map(_number, made)))
    ]


def empty_question(s: Scenario) -> Question:
    """What a row that matches nothing gives, under the scenario's policy."""
    case, head, row = empty_case(s)
    supposed = looked_at(s, case, head)
    suppose = sentences.supposition(head, supposed and f"**{md(supposed)}**")
    told = next(t for t in treatments(case, head, row) if t.policy == s.empty_row)
    return Question(
        "empty",
        (suppose or f"Head {head + 1} looks at **{md(rule_name(case.rules[head]))}**, and ")
        + f"“{md(s.tokens[row])}” stands at position {row + 1}. Which context does it make there?",
        _result(told, len(case.tokens)),
        sentences.why_empty(s, case, head, row),
        options=tuple(outcome.option for outcome in empty_outcomes(s)),
    )


def _number(t: Treatment) -> str:
    """The context that a treatment gives."""
    return "none" if t.policy == "none" else sentences.treated(t.policy, t.context, t.largest)


def _result(t: Treatment, n: int) -> str:
    """The context that a treatment gives, and what kind of number that is; of n tokens."""
    kinds = {
        "soft": "the average of what it may see",
        "nan": "0 / 0",
        "fill": f"the average of {'both' if n == 2 else f'all {n}'}, hidden or not" if n > 1 else "the value of the only one",
        "softmax1": f"with weights that sum to {weight(t.total)}",
    }
    return NOTHING if t.policy == "none" else f"{_number(t)}: {kinds[t.policy]}"
