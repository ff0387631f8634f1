"""One table of all words: the prompt's with their values, the candidate words with their value once chosen and their column of W.

A component of its own (words_table.js): as Streamlit's widgets the largest scenario would be 170 of them, and Streamlit's own
table editor draws on a canvas, without keyboard labels, and brings pandas along.
"""

import json
from collections.abc import Callable

from engine.toy import edits
from engine.toy.scenario import MAX_LETTERS, MAX_PROMPT, MAX_WORDS, Scenario
from pages.parts.lesson.fragments import step_follows
from pages.parts.visit import scenario, scenario_query
from pages.parts.visit.address import next_run
from pages.parts.visit.components import component, said_by

_COMPONENT = component("words_table", __file__, html='<table class="tbt-words"></table>')
MOST_CHARS = 80  # of a word or number that is typed: what is refused is quoted in part


def words_table(s: Scenario) -> None:
    """Show the table. Every field and button sends [kind, row, field, text], which `change` reads."""

    def edited() -> None:
        edit = change(scenario.current(), said_by("words_table", "edit"))
        if edit:
            scenario.edit(edit[1], what=edit[0])
            if edit[0].rpartition(" ")[2].startswith(("value", "w")):  # a number: what is drawn stays, and shows another
                step_follows()

    tokens = [[word, scenario_query.number_text(value)] for word, value in zip(s.tokens, s.values, strict=True)]
    columns = zip(s.words, s.word_values, zip(*s.w_vocab, strict=True), strict=True)
    words = [
        [word, scenario_query.number_text(value), [scenario_query.number_text(w) for w in column]]
        for word, value, column in columns
    ]
    full = {"token": len(tokens) == MAX_PROMPT, "word": len(words) == MAX_WORDS}
    shown = {"tokens": tokens, "words": words, "longest": MAX_LETTERS, "full": full}
    # A refused edit leaves the data as they are, and the field must still show them again; so the data always change.
    _COMPONENT(key="words_table", data={"shown": json.dumps(shown), "run": next_run()}, on_edit_change=edited)


def change(s: Scenario, message: object) -> tuple[str, Callable[[Scenario], Scenario]] | None:
    """The edit that a browser asked for, with a name for what it edits; None for whatever else it may have sent."""
    if not (isinstance(message, list) and len(message) == 4 and [type(part) for part in message] == [str, int, str, str]):
        return None
    kind, row, field, text = message
    items = {"token": s.tokens, "word": s.words}.get(kind, ())
    if not 0 <= row < len(items):
        return None
    head = int(field[1:]) if field[:1] == "w" and field[1:].isascii() and field[1:].isdigit() and len(field) < 4 else -1
    text = text[:MOST_CHARS]
    changes = {
        ("token", "name"): lambda s: edits.rename_token(s, row, text),
        ("token", "value"): lambda s: edits.set_value(s, row, _number(text)),
        ("token", "up"): lambda s: edits.swap_tokens(s, row, max(row - 1, 0)),
        ("token", "down"): lambda s: edits.swap_tokens(s, row, min(row + 1, len(items) - 1)),
        ("token", "add"): lambda s: edits.add_token(s, row),
        ("token", "remove"): lambda s: edits.remove_token(s, row),
        ("word", "name"): lambda s: edits.rename_word(s, row, text),
        ("word", "value"): lambda s: edits.set_word_value(s, row, _number(text)),
        ("word", "add"): lambda s: edits.add_word(s, free_name(s)),
        ("word", "remove"): lambda s: edits.remove_word(s, row),
        **({("word", field): lambda s: edits.set_w(s, head, row, _number(text))} if 0 <= head < len(s.rules) else {}),
    }
    edit = changes.get((kind, field))
    return (f"{kind} {row} {field}", edit) if edit else None


def free_name(s: Scenario) -> str:
    """A candidate's name that is not taken."""
    return next(name for i in range(1, MAX_WORDS + 2) if (name := f"word{i}") not in s.words)


def _number(text: str) -> float:
    """A number as people type it: with a comma for the point, or the sign that the pages write."""
    return scenario_query.number(text.strip().replace(",", ".").replace("−", "-"))
