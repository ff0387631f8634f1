"""A word goes in, as the story has it: what the heads give beside the cache, how that votes for a word, and the word goes back in."""

import numpy as np

from engine.experiments.broken_caches import breaking_head
from engine.experiments.rows import Rows
from engine.sampling import likeliest, probabilities
from engine.toy.projection import contributions
from engine.toy.scenario import Scenario
from pages.lessons.decode.questions import new_rows_question
from pages.parts.controls.answer_position import STEP, AnswerPosition, chosen_by
from pages.parts.lesson.fragments import asked_and_answered
from pages.parts.teaching import routes
from pages.parts.text.digits import context_text, logit_text, summed
from pages.parts.text.format import join, md, percent, plural
from pages.parts.visit.display import handout, narrow, presenting
from pages.parts.visit.parameters import Choice
from pages.parts.vote import class_vote

HEADS_SHOWN = Choice("shown_heads")
ONE, ALL = "one", "all"
BUTTONS = {ONE: "One head", ALL: "All heads"}


def told() -> bool:
    """Whether this is the story, whose words are the likeliest: who draws them or chooses them by hand sees the lesson."""
    return routes.chosen() == routes.STORY and chosen_by() == "greedy"


def heads_button(s: Scenario) -> None:
    """One head, or all of them, where there are more and room for them."""
    if len(s.rules) > 1 and not narrow():
        HEADS_SHOWN.buttons("Heads", BUTTONS, ALL, label_visibility="collapsed")


def shown(s: Scenario) -> tuple[int, ...]:
    """The heads that are drawn, from 0: the one of which the steps before and after show the query, or all."""
    if len(s.rules) > 1 and HEADS_SHOWN.value(BUTTONS, ALL) == ALL:
        return tuple(range(len(s.rules)))
    return (breaking_head(s) if s.model().n_kv_head > 1 else 0,)


def votes(s: Scenario, position: AnswerPosition, rows: Rows) -> dict[int, str]:
    """What each head's context adds to the sum of the next word, as it is written; none where there is no next word."""
    if position.ended:
        return {}
    return {h: context_text(x) for h, x in enumerate(_added(s, position, rows).tolist())}


def _added(s: Scenario, position: AnswerPosition, rows: Rows) -> np.ndarray:
    """The same as numbers, (n_head,); a head without a context adds nothing."""
    context = np.where(rows.empty[:, -1], 0.0, rows.context[:, -1])
    return contributions(context, np.array(s.w_vocab))[:, position.next_id]


def row_comes(position: AnswerPosition) -> None:
    """The row that was asked about comes into the figure when the question is answered; in a class when its teacher goes on."""
    if not class_vote.code():
        STEP.set(min(position.at + 1, position.most))


def said(s: Scenario, position: AnswerPosition, rows: Rows, above: str) -> str:
    """What the row of the prompt's end takes, or that one is new, and how a word comes of it. above: what becomes of the rows above,
    with its full stop."""
    last, n_head = md(position.words[-2]), len(s.rules)
    contexts = ["none" if rows.empty[h, -1] else context_text(rows.context[h, -1], rows.largest[h, -1]) for h in range(n_head)]
    takes = f"“{last}” gets the {plural(n_head, 'context')} **{join(contexts)}**"
    comes = _comes(s, position, rows)
    if not position.at:
        return f"{takes}. {comes}"
    told = position.at == 1 and asked_and_answered("new_rows_0", new_rows_question, s, position, 0)
    press = told and position.at < position.most and not handout() and not presenting()  # where the arrow keys do it
    more = " Press **One word more**: again one row." if press else ""
    return f"**One new row**{above} {comes}{more}"


def _comes(s: Scenario, position: AnswerPosition, rows: Rows) -> str:
    """The votes for the word that comes, added up, and its chance."""
    if position.ended:
        return "A sum is not a number, so no word can be drawn: the answer ends here."
    word, logits, probs = md(s.words[position.next_id]), rows.logits, probabilities(rows.logits)
    total, chance = logit_text(logits[position.next_id], logits), percent(float(probs[position.next_id]))
    level = len(likeliest(logits)) > 1
    wins = "a sum that another word has, too" if level else "the largest sum"
    sum_ = summed(list(votes(s, position, rows).values()), total)
    return (
        f"Votes for **{word}**: {sum_}**{total}**, {wins}. Softmax makes it **{chance}**: {word} comes out and **goes in** next."
    )
