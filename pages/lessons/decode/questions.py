"""What the decode lesson asks: the context of the row to come, which old rows change, the next word."""

from collections.abc import Sequence

import numpy as np

from engine.compare import ROUNDING
from engine.model import ForwardPass
from engine.sampling import likeliest
from engine.toy.leaks import leaks, old_row_gaps
from engine.toy.scenario import Scenario
from pages.parts.controls import toy
from pages.parts.controls.answer import AnswerPosition
from pages.parts.question.question import Question
from pages.parts.text.digits import gap_text, in_brackets, side_by_side, weight
from pages.parts.text.format import DRAW_LEVEL, entered, join, md, number, plural, rule_name

NOT_A_NUMBER = "none: not a number"
LEAKS = {
    "mask": "because the mask is off",
    "last": "because a key that says “I am the last” knows the future",
    "fill": "because −10⁹ without a guard lets an empty row see later tokens",
}


def how_far(change: float) -> str:
    """The largest change of a number, which may be that it is none any more."""
    return f"by up to **{gap_text(change)}**" if np.isfinite(change) else "between a number and **NaN**"


def because(causes: Sequence[str]) -> str:
    """What lets rows know of later tokens."""
    return join([said for name, said in LEAKS.items() if name in causes] or ["because a row knows of later tokens"])


def context_head(run: ForwardPass) -> int | None:
    """The head whose newest context is asked for: the last of those that look at the most tokens; None if none gives one."""
    layer = run.layers[0]
    finite = np.isfinite(layer.context[:, -1, 0]) & ~layer.empty[:, -1]
    seen = np.where(finite, (layer.weights[:, -1] >= 0.005).sum(axis=-1), -1)
    return len(seen) - 1 - int(np.argmax(seen[::-1])) if finite.any() else None


def context_question(s: Scenario, position: AnswerPosition, at: int) -> Question:
    """The context in the row that follows step `at`, this step or the one before; where no head gives one, how many rows come."""
    following = position.run.passes[at + 1]
    head, layer = context_head(following), following.layers[0]
    if head is None:
        return Question(
            "grow", "How many rows will the next step add to each head’s matrix?", 1.0, "One token, one row.", high=1000
        )
    n, token = len(s.tokens) + at, int(following.token_ids[-1])
    word, values = md(position.words[n]), layer.v[layer.kv_head(head), :, 0]
    said = [entered(x) for x in values[:-1]]
    unit, named = toy.unit_of(values)
    reach = toy.reach(values / unit)
    return Question(
        f"context_{at}",
        f"“{word}”, which the scenario gives the value **{entered(s.word_values[token])}**, becomes token {n + 1}. Head "
        f"{head + 1} looks at {rule_name(s.rules[head])}; values so far: {join(_some(said))}. Which context will it give?",
        float(layer.context[head, -1, 0]) / unit,
        f"{_products(layer, head)}.",
        tolerance=0.02,
        unit=named,
        low=-reach,
        high=reach,
    )


def _some(texts: list[str]) -> list[str]:
    """All of a few; of many the first and the last."""
    return texts if len(texts) <= 8 else [*texts[:4], "…", *texts[-2:]]


def _products(layer, head: int) -> str:
    """The new row's context: the average of what weighs the same, as by hand, or a sum of weights times values; what weighs nothing
    is left out."""
    weights, values = layer.weights[head, -1], layer.v[layer.kv_head(head), :, 0]
    every = list(zip(weights, values, strict=True))
    pairs = [(w, x) for w, x in every if abs(w) >= 0.005] or every
    if len({number(w, 4) for w, _ in pairs}) == 1 and len(pairs) > 1:
        of_all, total = pairs[0][0], " + ".join(_some([in_brackets(entered(x)) for _, x in pairs]))
        if number(of_all, 4) == number(1 / len(pairs), 4):
            made, mean = number(float(layer.context[head, -1, 0]), 4), number(float(np.mean([x for _, x in pairs])), 4)
            left = "" if made == mean else f" = {mean}; exponentials leave a little weight elsewhere"
            return f"The average of {len(pairs)} values: ({total}) / {len(pairs)}{left}"
        return (
            f"Weight {number(of_all, 4)} × the sum of {len(pairs)} values: {number(of_all, 4)} × ({total}){_rest(every, pairs)}"
        )
    terms = [f"{weight(w)} × {in_brackets(entered(x))}" for w, x in pairs]
    return f"Weight × value: {' + '.join(terms if len(terms) <= 6 else [*terms[:3], '…', *terms[-2:]])}{_rest(every, pairs)}"


def _rest(every: list, told: list) -> str:
    """What the tokens add whose weights are left out, where four digits of the sum show it."""
    rest = sum(w * x for w, x in every) - sum(w * x for w, x in told)
    return f"; the others, of little weight, add {number(rest, 4)}" if abs(rest) >= 5e-5 else ""


def rows_asked(position: AnswerPosition) -> tuple[int, ...]:
    """The ids whose last row is the new one: this step's, or after prefill the next one's."""
    return position.token_ids if position.at else (*position.token_ids, position.next_id)


def old_rows_question(s: Scenario, position: AnswerPosition) -> Question:
    """Which old rows change when the newest token comes in."""
    ids = rows_asked(position)
    n, word = len(ids) - 1, md(position.words[len(ids) - 1])
    changes = old_row_gaps(s, n, ids)
    changed = np.flatnonzero(changes > ROUNDING)
    options = ("none", "only the last of them", "another one, or several") if n > 1 else ("no", "yes")
    asked = f"One prefill now computes all {n + 1} rows afresh. Which of the {n} old ones come out different?"
    if n == 1:
        asked = "One prefill now computes both rows afresh. Does the old one come out different?"
    of = f"{changed.size} of {n}" if n > 1 else "It"
    why = (
        _unseen(s, word, n)
        if not changed.size
        else f"{of} {plural(changed.size, 'differs', 'differ')}, {how_far(changes.max())}, {because(leaks(s, n, ids))}."
    )
    return Question(
        "old_rows" if not position.at else f"old_rows_{position.at}",
        f"“{word}” is token {n + 1}. {asked}",
        options[0] if not changed.size else options[1] if changed.tolist() == [n - 1] else options[2],
        why,
        options=options,
    )


def _unseen(s: Scenario, word: str, n: int) -> str:
    """Why no old row, of n, changes when a word comes in."""
    if not s.causal:
        return f"The mask is off, and still {plural(n, 'it does not give', 'none of them gives')} “{word}” a weight worth naming."
    return (
        f"“{word}” cannot be seen by {plural(n, 'it', 'any of them')}: a row looks at itself and at earlier tokens, whose keys and "
        "values are what they were."
    )


def next_word_question(s: Scenario, position: AnswerPosition) -> Question:
    """Which word has the highest logit once the next token has been fed back."""
    logits = position.ahead.logits[-1]
    words = tuple(md(word) for word in s.words)
    finite = np.isfinite(logits).all()
    return Question(
        f"next_{position.at}",
        f"Feed “{md(position.words[-1])}” back in. Which word then has the highest logit?",
        NOT_A_NUMBER if not finite else DRAW_LEVEL if len(likeliest(logits)) > 1 else words[int(np.argmax(logits))],
        f"Its row gives the {plural(len(words), 'logit')} {join(side_by_side(logits.tolist()))} for {join(list(words))}.",
        options=(
            *words,
            DRAW_LEVEL,
            *([NOT_A_NUMBER] if s.empty_row == "nan" else []),
        ),  # offered also where it is wrong: else it told
    )
