"""What the decode lesson asks: how many rows a word takes and keys its query meets, which old rows change."""

from collections.abc import Sequence

import numpy as np

from engine.toy.leaks import leaks, old_row_gaps
from engine.toy.scenario import Scenario
from pages.parts.controls.answer_position import AnswerPosition
from pages.parts.question.question import Question
from pages.parts.text.digits import gap_text
from pages.parts.text.format import entered, join, md, plural, quantity
from pages.parts.text.softmax_residue import hardly_changed, least_change, residue_bounds

LEAKS = {
    "mask": "because the mask is off",
    "last": "because a key that says “I am the last” knows the future",
    "fill": "because −10⁹ without a guard lets an empty row see later tokens",
}


def how_far(change: float) -> str:
    """The largest change of a number, which may be that it is none any more."""
    return f"by up to **{gap_text(change)}**" if np.isfinite(change) else "between a number and **NaN**"


def why_rows_know(causes: Sequence[str]) -> str:
    """What lets rows know of later tokens."""
    return join([said for name, said in LEAKS.items() if name in causes] or ["because a row knows of later tokens"])


def rows_hardly_changed(s: Scenario, change: np.ndarray, n_new: int) -> tuple[np.ndarray, float]:
    """Which rows move by no more than softmax leaks to n_new tokens that come in and do not match, where scores lie close together, and a
    round number between that and what others move by, 0 where there is no such row. change: (n,) how far a weight or context moves."""
    values = np.array([*s.values, *s.word_values])
    bounds = residue_bounds(s, n_new, max(1.0, float(np.ptp(values)), float(np.abs(values).max())))
    return hardly_changed(change > least_change(s), change, bounds)


def new_rows_question(s: Scenario, position: AnswerPosition, at: int) -> Question:
    """How many rows are computed for the word that goes in behind step `at`, this step or the one before."""
    n, new = len(s.tokens) + at, position.run.passes[at + 1].counts.kv_rows
    every, old = quantity(n + 1, "row"), quantity(n, "row")
    suppose = "Suppose " * (position.ended and position.at == at)  # no logit is a number, and no word comes
    return Question(
        f"new_rows_{at}",
        f"{suppose}“{md(position.words[n])}” goes in as token {n + 1}. How many new **rows** of query, key and value does that take?",
        quantity(new, "row"),
        f"Its own. Of the {plural(n, 'token', f'{n} tokens')} before it keys and values are only read.",
        options=tuple(dict.fromkeys((quantity(new, "row"), old, every))),
        slips={every: "That is what a run without a cache computes."},
    )


def keys_met_question(s: Scenario, position: AnswerPosition, at: int) -> Question:
    """How many keys the query of the word meets that goes in behind step `at`, as the story asks, where one new row has been seen."""
    n, met = len(s.tokens) + at, position.run.passes[at + 1].counts.scores
    suppose = "Suppose " * (position.ended and position.at == at)
    kept = plural(n, "That of the token before it, which is kept", f"Those of the {n} tokens before it, which are kept")
    return Question(
        f"keys_met_{at}",
        f"{suppose}“{md(position.words[n])}” goes in as token {n + 1}. How many **keys** does its query meet?",
        quantity(met, "key"),
        f"{kept}, and its own. Only **one row** is computed.",
        options=tuple(dict.fromkeys(quantity(k, "key") for k in (1, n, n + 1))),
        slips={"1 key": "Its own alone says nothing of what was before."} | {quantity(n, "key"): "Its own is there, too."},
    )


def rows_asked(position: AnswerPosition) -> tuple[int, ...]:
    """The ids whose last row is the new one: this step's, or after prefill the next one's."""
    return position.token_ids if position.at else (*position.token_ids, position.next_id)


def old_rows_question(s: Scenario, position: AnswerPosition) -> Question:
    """Which old rows change when the newest token comes in."""
    ids = rows_asked(position)
    n, word = len(ids) - 1, md(position.words[len(ids) - 1])
    changes = old_row_gaps(s, n, ids)
    hardly, little = rows_hardly_changed(s, changes, 1)
    changed, least = np.flatnonzero((changes > least_change(s)) & ~hardly), little or least_change(s)
    by = f" by more than {entered(little)}" * bool(little)
    options = ("none", "only the last of them", "another one, or several") if n > 1 else ("no", "yes")
    asked = (
        f"One prefill now computes all {n + 1} rows afresh. Which of the {n} of **a prefill over {n}** come out different{by}?"
    )
    if n == 1:
        asked = f"One prefill now computes both rows afresh. Does the old one come out different{by}?"
    of = f"{changed.size} of {n}" if n > 1 else "It"
    why = (
        _unseen(s, word, n, little)
        if not changed.size
        else f"{of} {plural(changed.size, 'differs', 'differ')}{by}, {how_far(changes.max())}, {why_rows_know(leaks(s, n, ids, least))}."
    )
    return Question(
        "old_rows" if not position.at else f"old_rows_{position.at}",
        f"“{word}” is token {n + 1}. {asked}",
        options[0] if not changed.size else options[1] if changed.tolist() == [n - 1] else options[2],
        why,
        options=options,
    )


def _unseen(s: Scenario, word: str, n: int, little: float) -> str:
    """Why no old row, of n, changes when a word comes in, or moves by less than `little` alone."""
    if little:
        return f"The new “{word}” moves {plural(n, 'it', 'each of them')} by less than {entered(little)}."
    if not s.causal:
        return f"The mask is off, and still {plural(n, 'it does not give', 'none of them gives')} the new “{word}” a weight worth naming."
    return (
        f"The new “{word}” cannot be seen by {plural(n, 'it', 'any of them')}: a row looks at itself and at earlier tokens, whose keys and "
        "values are what they were."
    )
