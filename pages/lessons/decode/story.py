"""A word goes in, as the story has it: one head beside the cache, the others behind a press, and chances instead of logits."""

from engine.experiments.broken_caches import breaking_head
from engine.experiments.rows import Rows
from engine.toy.scenario import Scenario
from pages.lessons.decode.questions import new_rows_question
from pages.parts.controls.answer_position import AnswerPosition, chosen_by
from pages.parts.lesson.fragments import asked_and_answered
from pages.parts.teaching import routes
from pages.parts.text.digits import context_text
from pages.parts.text.format import join, md, plural
from pages.parts.text.toy_names import head_names
from pages.parts.visit.display import handout, narrow
from pages.parts.visit.parameters import Choice

HEADS_SHOWN = Choice("shown_heads")
ONE, ALL = "one", "all"
BUTTONS = {ONE: "One head", ALL: "All heads"}


def told() -> bool:
    """Whether this is the story, whose words are the likeliest: who draws them or chooses them by hand sees the lesson."""
    return routes.chosen() == routes.STORY and chosen_by() == "greedy"


def heads_button(s: Scenario) -> None:
    """One head, or all of them, where there are more and room for them."""
    if len(s.rules) > 1 and not narrow():
        HEADS_SHOWN.buttons("Heads", BUTTONS, ONE, label_visibility="collapsed")


def shown(s: Scenario) -> tuple[int, ...]:
    """The heads that are drawn, from 0: the one of which the steps before and after show the query, or all."""
    if len(s.rules) > 1 and HEADS_SHOWN.value(BUTTONS, ONE) == ALL:
        return tuple(range(len(s.rules)))
    return (breaking_head(s) if s.model().n_kv_head > 1 else 0,)


def said(s: Scenario, position: AnswerPosition, rows: Rows, heads: tuple[int, ...], above: str) -> str:
    """What the new row takes, and how a word comes of it. above: what becomes of the rows above, with its full stop."""
    last, word = md(position.words[-2]), md(position.words[-1])
    contexts = [context_text(rows.context[h, -1], rows.largest[h, -1]) for h in heads if not rows.empty[h, -1]]
    where = f"in head {head_names(s)[heads[0]]}" if len(heads) == 1 < len(s.rules) else "here"
    takes = (
        f"“{last}” gets the {plural(len(contexts), 'context')} **{join(contexts)}** {where}"
        if contexts
        else f"“{last}” takes nothing {where}"
    )
    of = "the contexts of all heads" if len(s.rules) > 1 else "the context"
    comes = (
        "A sum is not a number, so no word can be drawn: the answer ends here"
        if position.ended
        else f"Every word weighs {of} in its own way, and the largest sum wins: **{word}**"
        if chosen_by() == "greedy"
        else f"From {of} comes the next word: **{word}**"
    )
    if not position.at:
        told = asked_and_answered("new_rows_0", new_rows_question, s, position, 0) and not handout()
        more = " Now press **One word more**." if told and not position.ended else ""
        return f"Prefill made {position.n} {'row' if position.n == 1 else 'rows'} in one pass; {takes}. {comes}.{more}"
    return f"**One new row**: {takes}{above} Without a cache all **{position.n}** would be computed again. {comes}."
