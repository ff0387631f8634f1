"""One empty row, treated in all the ways that are in use: what the head returns, and which of them change when text is added."""

from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from engine.prefill import prefill
from engine.toy.by_hand import empty_rows, rows_by_hand
from engine.toy.edits import set_rule
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.scenario import Scenario


@dataclass(frozen=True)
class Treatment:
    """What one policy makes of an empty row.

    context: of the row; later: of the same row once another token stands behind the prompt, which must not matter; largest: of
    the values that either is made of, without their signs. total: the sum of its weights. later_sees: whether that token is one
    that the row looks for.
    """

    policy: str
    context: float
    later: float
    largest: float
    total: float
    later_sees: bool


def empty_case(s: Scenario) -> tuple[Scenario, int, int]:
    """(scenario, head, row) of the first empty row: of `s` itself, or of `s` with another rule in head 1 that has one.

    >>> empty_case(Scenario.article())[1:]
    (0, 0)
    """
    for case in (s, set_rule(s, 0, "even"), set_rule(s, 0, "none")):
        empty = np.argwhere(empty_rows(prefill(case.model(), case.prompt_ids).layers[0]))
        if empty.size:
            return case, int(empty[0, 0]), int(empty[0, 1])
    raise AssertionError("a head that looks at nothing has only empty rows")


@lru_cache(maxsize=32)  # a page asks three times a run
def treatments(s: Scenario, head: int, row: int) -> tuple[Treatment, ...]:
    """Every policy's result for one row of one head, with the prompt of `s` and with its first candidate word behind it."""
    made = []
    for policy in EMPTY_ROW:
        model = replace(s, empty_row=policy).model()
        now, then = prefill(model, s.prompt_ids), prefill(model, (*s.prompt_ids, 0))
        both = [rows_by_hand(run.layers[0], row)[head] for run in (now, then)]
        largest = max(look.largest for look in both)
        contexts, total = (look.context for look in both), float(now.layers[0].weights[head, row].sum())
        made.append(Treatment(policy, *contexts, largest, total, bool(both[1].seen)))
    return tuple(made)
