"""A word goes in, as the story has it: one head beside the cache, the others behind a press, and chances instead of logits."""

from engine.experiments.broken_caches import breaking_head
from engine.experiments.rows import Rows
from engine.toy.scenario import Scenario
from pages.parts.controls.answer_position import AnswerPosition, chosen_by
from pages.parts.teaching import routes
from pages.parts.text.digits import context_text
from pages.parts.text.format import join, md, percent, plural
from pages.parts.text.toy_names import head_names
from pages.parts.visit.parameters import Choice

HEADS_SHOWN = Choice("shown_heads")
ONE, ALL = "one", "all"
BUTTONS = {ONE: "One head", ALL: "All heads"}


def told() -> bool:
    """Whether this is the story, whose words are the likeliest: who draws them or chooses them by hand sees the lesson."""
    return routes.chosen() == routes.STORY and chosen_by() == "greedy"


def heads_button(s: Scenario) -> None:
    """One head, or all of them, where there are more."""
    if len(s.rules) > 1:
        HEADS_SHOWN.buttons("Heads", BUTTONS, ONE, label_visibility="collapsed")


def shown(s: Scenario) -> tuple[int, ...]:
    """The heads that are drawn, from 0: the one of which the steps before and after show the query, or all."""
    if len(s.rules) > 1 and HEADS_SHOWN.value(BUTTONS, ONE) == ALL:
        return tuple(range(len(s.rules)))
    return (breaking_head(s) if s.model().n_kv_head > 1 else 0,)


def said(s: Scenario, position: AnswerPosition, rows: Rows, heads: tuple[int, ...], chance: float | None) -> str:
    """What the new row takes, and how a word comes of it, without a full stop. chance: of the next word, None where there is none."""
    last, word = md(position.words[-2]), md(position.words[-1])
    contexts = [context_text(rows.context[h, -1], rows.largest[h, -1]) for h in heads if not rows.empty[h, -1]]
    where = f"in head {head_names(s)[heads[0]]}" if len(heads) == 1 < len(s.rules) else "here"
    takes = (
        f"“{last}” gets the {plural(len(contexts), 'context')} **{join(contexts)}** {where}"
        if contexts
        else f"“{last}” takes nothing {where}"
    )
    if chance is None:
        comes = "a sum is not a number, so no word can be drawn: the answer ends here"
    else:
        comes = f"the next word is **{word}**, {percent(chance)}"
    if position.at:
        return f"**One new row**: {takes}, and {comes}"
    if chance is None:
        return f"Prefill made {position.n} {'row' if position.n == 1 else 'rows'} in one pass; {takes}, and {comes}"
    filled = f"Prefill made {position.n} {'row' if position.n == 1 else 'rows'} in one pass"
    weighs = plural(
        len(s.rules),
        "multiplies its context by a number of its own",
        "multiplies every head’s context by a number of its own and adds up",
    )
    return f"{filled}; {takes}. Each candidate {weighs}; the larger, the likelier: {comes}"
