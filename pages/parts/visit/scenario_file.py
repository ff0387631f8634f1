"""A scenario as JSON, to keep and to bring back. What comes back is a stranger's text: bounded, then judged field by field."""

from __future__ import annotations

import json

from engine.toy.scenario import Scenario

MOST_CHARS = 20_000  # the largest scenario there can be takes 3,000
FIELDS = ("tokens", "values", "rules", "words", "word_values", "w_vocab", "sharpness", "causal", "empty_row")
LISTS = FIELDS[:6]


def to_json(s: Scenario) -> str:
    """The scenario as text, one field a line."""
    fields = {name: getattr(s, name) for name in FIELDS} | {"rules": [str(rule) for rule in s.rules]}
    return "{\n" + ",\n".join(f"  {json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in fields.items()) + "\n}\n"


def from_json(text: object) -> Scenario:
    """The scenario of a text; ValueError says what was wrong, what was expected and how to mend it.

    A field that is left out is the article's.

    >>> from_json('{"values": [1, 2, 3]}')
    Traceback (most recent call last):
    ValueError: values: expected one number for each of the 4 tokens, got 3
    """
    if not isinstance(text, str) or len(text) > MOST_CHARS:
        got = f"{len(text):,} characters" if isinstance(text, str) else type(text).__name__
        raise ValueError(f"file: expected a scenario of at most {MOST_CHARS:,} characters, got {got}")
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        raise ValueError(f"file: expected JSON as “Save scenario” writes it; {problem.msg} in line {problem.lineno}") from None
    except (RecursionError, ValueError):
        raise ValueError("file: expected JSON as “Save scenario” writes it, got brackets too deep or a number too long") from None
    if not isinstance(found, dict) or not found:
        raise ValueError(f"file: expected an object with fields such as tokens and values, got {type(found).__name__}")
    unknown = [str(name)[:24] for name in found if name not in FIELDS]
    if unknown:
        raise ValueError(f"file: expected the fields {', '.join(FIELDS)}, got {unknown[0]!r} besides")
    for name in LISTS:
        if name in found and not isinstance(found[name], list):
            raise ValueError(f"{name}: expected a list, got {type(found[name]).__name__}")
    return Scenario(**found)
