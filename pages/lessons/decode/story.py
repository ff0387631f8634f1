"""A word goes in, as the story has it: what a head gives beside the cache, which word comes of all of them, and the word goes back in."""

from engine.experiments.rows import Rows
from engine.sampling import likeliest, probabilities
from engine.toy.scenario import Scenario
from pages.lessons.decode.questions import keys_met_question
from pages.parts.controls.answer_position import STEP, AnswerPosition, chosen_by
from pages.parts.lesson.fragments import asked_and_answered
from pages.parts.teaching import routes
from pages.parts.text.format import md, percent, plural
from pages.parts.visit.display import presenting
from pages.parts.visit.scenario import on_paper
from pages.parts.vote import in_a_room


def is_read() -> bool:
    """Whether this is the story, whose words are the likeliest: who draws them or chooses them by hand sees the lesson."""
    return routes.chosen() == routes.STORY and chosen_by() == "greedy"


def row_comes(position: AnswerPosition) -> None:
    """The row that was asked about comes into the figure when the question is answered; in a class when its teacher goes on."""
    if not in_a_room.code():
        STEP.set(min(position.at + 1, position.most))


def step_said(s: Scenario, position: AnswerPosition, rows: Rows, above: str) -> str:
    """That one row is new, and what comes of it; of the prompt's last row only once the question about the next is answered, for the
    figure says what it gives. above: what becomes of the rows above, with its full stop."""
    told = position.at < 2 and asked_and_answered("keys_met_0", keys_met_question, s, position, 0)
    comes = _next_word_said(s, position, rows)
    if not position.at:
        return comes if told or position.ended else ""
    press = told and position.at < position.most and not on_paper() and not presenting()  # where the arrow keys do it
    more = " Press **One word more**: again one row." if press else ""
    return f"**One new row**{above} {comes}{more}"


def _next_word_said(s: Scenario, position: AnswerPosition, rows: Rows) -> str:
    """The word that comes, and its chance."""
    if position.ended:
        return "A sum is not a number, so no word can be drawn: the answer ends here."
    word, chance = md(s.words[position.next_id]), percent(float(probabilities(rows.logits)[position.next_id]))
    others = len(likeliest(rows.logits)) - 1
    level = f", which {plural(others, 'another word has', f'{others} others have')}, too" * (others > 0)
    votes = plural(len(s.rules), "The head’s vote for **{0}** gives", "The heads’ votes for **{0}** give").format(word)
    return f"{votes} it a chance of **{chance}**{level}: “{word}” comes out and **goes in** next."
