"""What softmax makes of lower scores, and what is simpler here than in a trained model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st

from engine.experiments.rows import largest_values
from engine.model import ForwardPass
from engine.toy.scenario import Scenario
from pages.lessons.attention.figures.softer_rows import SoftRow, softer_rows
from pages.parts.controls import toy
from pages.parts.controls.answer_in_figure import asked_in
from pages.parts.drawing.answers import NOT_ASKED
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.digits import told_apart, weight
from pages.parts.text.format import e_to, join, md, number
from pages.parts.text.softmax_residue import residue
from pages.parts.text.toy_names import head_names
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Choice

SOFTER = Choice("softer")  # the score of a match, where the question on it has been answered
RISES, FALLS, STAYS = CANDIDATES = "it rises", "it falls", "it stays the same"


@step(
    "Softer scores",
    minutes=4,
    ask="The scores get smaller. Does the last row’s context rise, fall or stay?",
    wrong={
        "it stays the same": (
            "softmax is taken for a choice of the largest; with scores closer together the others get their share"
        )
    },
)
def softer(s: Scenario, run: ForwardPass) -> None:
    """What lower scores do to the last row of a head: once that is answered, the slider goes there and can be moved."""
    head, question = softer_case(s, run), softer_question(s, run)
    lead(
        "**Softmax** raises e to the power of each score: the distance between the scores decides how sharply a row looks.",
        "softmax",
    )
    drawn = here_on_a_phone()
    with st.container(key="softer_score"):  # empty at first: what follows keeps its place, and a slide its question
        shown = replace(s, sharpness=score_shown(s, question.answered))
    asked = shown if question.answered else softened(s)
    runs = run, toy.prefill_of(asked)
    rows, layers = [], [r.layers[0] for r in runs]
    for x, layer, said in zip((s, asked), layers, _contexts(head, runs), strict=True):
        scores, weights, made = layer.scores[head, -1], layer.weights[head, -1], float(layer.context[head, -1, 0])
        rows.append(SoftRow(f"±{x.sharpness:.4g}", scores, weights, said, made))
    if not question.answered:
        rows[1] = rows[1]._replace(context="?", made=rows[0].made)
    name = f"head {head_names(s)[head]}"
    scores, contexts = (f"{getattr(rows[0], part)} → {getattr(rows[1], part)}" for part in ("name", "context"))
    marked = asked_in(question, CANDIDATES) if asked == softened(s) else NOT_ASKED  # of other scores it says nothing
    drawn_on = under_headline(sheet(), f"scores {scores}: context {contexts}", f"{scores}: context {contexts}")
    figure = softer_rows(drawn_on, tuple(rows), s.tokens, name, marked)
    with drawn:
        plot(figure, _in_words(s, rows, name), "softer_rows")
        predict(question, on_commit=lambda: SOFTER.set_text(""))
    if not presenting():
        with st.expander("What is simpler here than in a trained model", icon=":material/info:"):
            caveats()


def _contexts(head: int, runs: tuple[ForwardPass, ForwardPass]) -> list[str]:
    """What the last row of a head makes in each of two passes, told apart where it is not the same; none where it takes nothing."""
    before, after = _last(head, runs)
    said = told_apart(before, before if _same_but_for_leaks(head, runs) else after, 3)
    return ["none" if run.layers[0].empty[head, -1] else context for run, context in zip(runs, said, strict=True)]


def _last(head: int, runs: tuple[ForwardPass, ForwardPass]) -> tuple[float, float]:
    """The context of the last row of a head in two passes; what rounding leaves of a sum that is 0 is 0."""
    made = [(float(run.layers[0].context[head, -1, 0]), largest_values(run.layers[0])[head, -1]) for run in runs]
    before, after = (0.0 if abs(context) < 1e-12 * largest else context for context, largest in made)
    return before, after


def _same_but_for_leaks(head: int, runs: tuple[ForwardPass, ForwardPass]) -> bool:
    """Whether they are the same, but for what softmax leaks."""
    before, after = _last(head, runs)
    leaks = residue(largest_values(runs[1].layers[0])[head, -1:])
    return bool(abs(after - before) < leaks or np.isnan(after) or before == after)


def _in_words(s: Scenario, rows: Sequence[SoftRow], name: str) -> str:
    said = [
        f"scores of {row.name}: weights {'to be found' if row.context == '?' else join([number(w, 4) for w in row.weights])}, context "
        f"{'to be found' if row.context == '?' else row.context}"
        for row in rows
    ]
    return f"The last row, “{s.tokens[-1]}”, of {name}. With {'; with '.join(said)}."


def score_shown(s: Scenario, answered: bool) -> float:
    """The score of a match that the slider and the figure show. It is this step's own: the question on the scenario's stays
    answered when it is moved, and the lessons that follow keep theirs."""
    asked, scores = softened(s).sharpness, sorted({*toy.SHARPNESS, s.sharpness, softened(s).sharpness})
    stops = {f"{score:.6g}": toy.score_name(score) for score in scores}
    if answered:
        said = SOFTER.stops("Score of a match, in this step", stops, f"{asked:.6g}", help=toy.SCORE_HELP)
        return next(score for score in scores if f"{score:.6g}" == said)
    return s.sharpness


def softened(s: Scenario) -> Scenario:
    """The scenario with scores an eighth as high."""
    return replace(s, sharpness=s.sharpness / 8)


def softer_case(s: Scenario, run: ForwardPass) -> int:
    """The head whose context of the last row lower scores change most; of equals one that has a context there."""
    now, new = run.layers[0], toy.prefill_of(softened(s)).layers[0]
    change = np.abs(np.nan_to_num(new.context - now.context)[:, -1, 0])
    return int(np.argmax(np.where(now.empty[:, -1], -1.0, change)))


def softer_question(s: Scenario, run: ForwardPass) -> Question:
    """What lower scores do to the context of the last row: the leak that softmax always leaves gets visible."""
    soft, head = softened(s), softer_case(s, run)
    runs = run, toy.prefill_of(soft)
    (before, after), close = _last(head, runs), _same_but_for_leaks(head, runs)
    was, becomes = _contexts(head, runs)
    return Question(
        "softer",
        f"With scores of ±{number(s.sharpness, 3)} head {head + 1}’s context at “{md(s.tokens[-1])}” is {was}. "
        f"Make the scores an eighth of that, ±{number(soft.sharpness, 5)}: what happens to it?",
        STAYS if close else FALLS if after < before else RISES,
        f"{f'It stays {was}' if close else f'It becomes {becomes}'}: a token that does not match then weighs "
        f"{e_to(-2 * soft.sharpness)} = {weight(np.exp(-2 * soft.sharpness))} of a match, where there is one.{_denominator(s, soft)}",
        options=(RISES, FALLS, STAYS),
    )


def _denominator(s: Scenario, soft: Scenario) -> str:
    """What the 1 in the denominator takes beside a match, where there is one."""
    if s.empty_row != "softmax1":
        return ""
    now, was = (weight(np.exp(-x.sharpness)) for x in (soft, s))
    return f" The 1 in the denominator weighs {e_to(-soft.sharpness)} = {now} of a match; it was {was}."


def caveats() -> None:
    """What the toy simplifies, so that nobody takes it for the real thing."""
    st.caption(
        "In a trained model nobody writes rules: queries and keys are learned, weights are seldom 0 or 1, and most heads cannot "
        "be put into words; a few can (the previous token, the first one, what followed last time). A value is content, not "
        "importance: a large one is not looked at more, and softmax does not pick a winner, it can spread evenly. It never gives exactly "
        "0 either; only a mask does, or a policy for rows in which nothing matches."
    )
