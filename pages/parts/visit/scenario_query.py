"""A scenario as the query string of a link, and back: ?tokens=Today,weather,is,so&values=10,20,1,5&rules=even,self,first,all

A link is hostile input. Each parameter is bounded before it is split and judged alone: one that is wrong is left out, with one
sentence that says why, and the rest of the link still works. What a link leaves out is the article's text; the default scenario
is the empty query.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import parse_qsl

from engine.toy.edits import NEW_W, in_order, new_value, set_prompt
from engine.toy.presets import PRESETS
from engine.toy.scenario import MAX_HEADS, MAX_PROMPT, MAX_WORDS, Scenario

MOST_QUERY = 64_000  # characters of an address, as many as the server takes of one that is opened
MAX_CHARS = 4000  # of one parameter; the longest legitimate one, w with 8 × 12 numbers, stays below 1000

DEFAULT = Scenario.article()


def to_query(s: Scenario) -> dict[str, str]:
    """The parameters that say how `s` differs from the article's text; tokens, values and rules come together or not at all."""
    if s == DEFAULT:
        return {}
    query = {
        "tokens": _join(s.tokens),
        "values": ",".join(map(number_text, s.values)),
        "rules": ",".join(map(str, s.rules)),
        "words": _join(s.words),
        "word_values": ",".join(map(number_text, s.word_values)),
        "w": ";".join(",".join(map(number_text, row)) for row in s.w_vocab),
        "sharpness": number_text(s.sharpness),
        "mask": "on" if s.causal else "off",
        "empty": s.empty_row,
    }
    optional = {
        "words": s.words == DEFAULT.words,
        "word_values": s.word_values == DEFAULT.word_values,
        "w": s.w_vocab == usual_w(len(s.rules), len(s.words)),
        "sharpness": s.sharpness == DEFAULT.sharpness,
        "mask": s.causal == DEFAULT.causal,
        "empty": s.empty_row == DEFAULT.empty_row,
    }
    return {name: text for name, text in query.items() if not optional.get(name)}


def from_query(query: Mapping[str, str]) -> tuple[Scenario, list[str]]:
    """The scenario of a link, and one sentence for each parameter that could not be used."""
    problems: list[str] = []

    def read(name: str, parse: Callable[[str], object]) -> object | None:
        text = query.get(name)
        if text is None:
            return None
        try:
            if len(text) > MAX_CHARS:
                raise ValueError(f"expected at most {MAX_CHARS} characters, got {len(text)}")
            return parse(text)
        except ValueError as problem:
            problems.append(left_out(name, problem))
            return None

    s = DEFAULT
    tokens = read("tokens", lambda t: _checked(DEFAULT, "tokens", _split(t), values=(0.0,)).tokens)
    if tokens:
        s = set_prompt(s, tokens)
    values = read("values", lambda t: replace(s, values=_numbers(t, MAX_PROMPT)).values)
    s = replace(s, values=values or s.values)
    rules = read("rules", lambda t: _checked(DEFAULT, "rules", t.split(","), w_vocab=((0.0,) * len(DEFAULT.words),)).rules)
    if rules:
        s = replace(s, rules=rules, w_vocab=usual_w(len(rules), len(s.words)))
    words = read("words", lambda t: _checked(DEFAULT, "words", _split(t), word_values=(0.0,), w_columns=True).words)
    if words:
        w_vocab = usual_w(len(s.rules), len(words))
        word_values = (*s.word_values[: len(words)], *map(new_value, words[len(s.word_values) :]))
        s = replace(s, words=words, word_values=word_values, w_vocab=w_vocab)
    word_values = read("word_values", lambda t: replace(s, word_values=_numbers(t, MAX_WORDS)).word_values)
    s = replace(s, word_values=word_values or s.word_values)
    w = read("w", lambda t: replace(s, w_vocab=_rows(t)).w_vocab)
    s = replace(s, w_vocab=w or s.w_vocab)
    s = replace(s, sharpness=read("sharpness", lambda t: replace(s, sharpness=number(t)).sharpness) or s.sharpness)
    mask = read("mask", _on_off)
    s = replace(s, causal=s.causal if mask is None else mask)
    return replace(s, empty_row=read("empty", lambda t: replace(s, empty_row=t).empty_row) or s.empty_row), problems


def as_query(text: object) -> dict[str, str] | None:
    """The query of an address that a browser tells, None for whatever is none or is longer than the server takes of one that is opened.

    >>> as_query("?step=4&only="), as_query(None), as_query("a" * 64_001)
    ({'step': '4', 'only': ''}, None, None)
    """
    if not isinstance(text, str) or len(text) > MOST_QUERY:
        return None
    return dict(parse_qsl(text.removeprefix("?"), keep_blank_values=True))


def number_text(x: float) -> str:
    """A number as short as it can be without losing anything: 10, 0.5, -1.25.

    >>> [number_text(x) for x in (10.0, 0.5, 1 / 3)]
    ['10', '0.5', '0.3333333333333333']
    """
    return f"{x:.0f}" if x == int(x) else repr(x)


def number(text: str) -> float:
    """A plain decimal number; raises ValueError for anything else, "nan" and "1_000" included."""
    if not re.fullmatch(r"\s*[-+]?(\d{1,20}\.?\d{0,20}|\.\d{1,20})([eE][-+]?\d{1,3})?\s*", text):
        raise ValueError(f"expected a number, got {text[:40]!r}")
    return float(text)


def cut_or_filled(items: tuple, n: int, filler) -> tuple:
    """The first n items, filled up with `filler` where there are fewer."""
    return (*items[:n], *(filler,) * (n - len(items)))


def usual_w(n_head: int, n_vocab: int) -> tuple[tuple[float, ...], ...]:
    """The W that a link means when it says nothing of it: the article's, cut or filled up to (n_head, n_vocab)."""
    return cut_or_filled(tuple(cut_or_filled(row, n_vocab, NEW_W) for row in DEFAULT.w_vocab), n_head, (NEW_W,) * n_vocab)


def own_w(s: Scenario) -> bool:
    """Whether W was typed: it is neither what a link means that says nothing of it, nor a preset's, nor made for words of one's own."""
    known = (usual_w(len(s.rules), len(s.words)), *(preset.w_vocab for preset, _ in PRESETS.values()))
    return s.w_vocab not in known and s != in_order(s)


def _checked(s: Scenario, name: str, items: list[str], w_columns: bool = False, **companions) -> Scenario:
    """`s` with `items` and companions of the same length, so that Scenario judges the items and nothing else."""
    if len(items) > max(MAX_PROMPT, MAX_HEADS, MAX_WORDS):
        most = {"tokens": MAX_PROMPT, "rules": MAX_HEADS, "words": MAX_WORDS}[name]
        raise ValueError(f"expected at most {most} items, got {len(items)}")
    filled = {key: one * len(items) for key, one in companions.items()}
    if w_columns:
        filled["w_vocab"] = ((0.0,) * len(items),) * len(s.rules)
    return replace(s, **{name: tuple(items)}, **filled)


def _numbers(text: str, most: int) -> tuple[float, ...]:
    parts = text.split(",")
    if len(parts) > most:
        raise ValueError(f"expected at most {most} numbers, got {len(parts)}")
    return tuple(number(p) for p in parts)


def _rows(text: str) -> tuple[tuple[float, ...], ...]:
    rows = text.split(";")
    if len(rows) > MAX_HEADS:
        raise ValueError(f"expected at most {MAX_HEADS} rows, got {len(rows)}")
    return tuple(_numbers(row, MAX_WORDS) for row in rows)


def _on_off(text: str) -> bool:
    if text not in ("on", "off"):
        raise ValueError(f"expected on or off, got {text[:40]!r}")
    return text == "on"


def _join(words: tuple[str, ...]) -> str:
    """Words with commas between them; a comma or backslash in a word is written with a backslash before it."""
    return ",".join(w.replace("\\", "\\\\").replace(",", "\\,") for w in words)


def _split(text: str) -> list[str]:
    """The inverse of _join."""
    words, escaped = [""], False
    for letter in text:
        if escaped or letter not in ",\\":
            words[-1], escaped = words[-1] + letter, False
        elif letter == ",":
            words.append("")
        else:
            escaped = True
    return words


def left_out(name: str, problem: ValueError) -> str:
    """The sentence about a parameter that cannot be used: what the ValueError says, without the field's name in front."""
    reason = re.sub(r"^[a-z_]+: ", "", str(problem))
    return f"The link's “{name}” was left out: {reason}."
