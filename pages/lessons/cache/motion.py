"""The answer as movement: prefill enters as one block, each step brings one row, its key and value slide into the cache."""

import json

from engine.decode import Generation
from engine.experiments.chosen_answer import answer
from engine.toy.scenario import Scenario
from pages.parts.controls.answer_position import AnswerPosition
from pages.parts.drawing.machine import machine, most_varied, rows_of
from pages.parts.lesson.lesson import step
from pages.parts.lesson.machine import play
from pages.parts.lesson.sentences import takeaway
from pages.parts.text.toy_names import head_names
from pages.parts.visit.scenario import on_paper

N_STEPS = 2  # decode steps that are played: the second is as the first, and of more the cells would be too small to be read
SAYS = "Every key and value is computed once and kept"


@step(
    "In motion",
    minutes=3,
    ask="Watch one decode step: what is computed in it, and what is only read?",
    wrong={
        "The whole prompt once more": "that is a run without a cache: here old keys and values are read as they are",
        "The answer’s last word is in the cache as well": "it comes out of the step: its key and value are made in the next one",
    },
)
def in_motion(s: Scenario, position: AnswerPosition) -> None:
    """Prefill and the first decode steps of this answer, played in the browser; the takeaway counts what each of them did."""
    made = played(s, position)
    words = [s.id_words[i] for i in (*s.prompt_ids, *made.token_ids[: len(made.passes) - 1])]
    head = f"head {head_names(s)[most_varied(rows_of(made, len(words))[-1])]}"
    drawing = machine(made, words, s.words, 1.0, head) | {"says": SAYS}
    play(json.dumps(drawing, allow_nan=False), "cache_motion")
    takeaway("motion", _whole_movement(len(s.tokens), len(words)))


def _whole_movement(n_prompt: int, n: int) -> str:
    """What the whole movement does, true at each of its frames: it plays in the browser, and no sentence follows it there. On paper
    a question beside it asks how many there are at the end."""
    put = f"Prefill puts **{n_prompt}** {'key and value' if n_prompt == 1 else 'keys and values'} into the cache"
    if n == n_prompt:
        return f"{put}; here no word can be chosen, so no decode step follows."
    return f"{put}. Each decode step reads all of them and adds **one** of each, its own{f': **{n}** at the end' * (not on_paper())}."


def played(s: Scenario, position: AnswerPosition) -> Generation:
    """Prefill and as many decode steps as are shown, along the words that were chosen so far."""
    n = min(N_STEPS, position.most) + 1
    return answer(position.model, s.prompt_ids, n, (*position.answer_ids, *(() if position.ended else (position.next_id,)))[:n])
