"""Edits of a scenario: each takes one and returns another, and keeps what belongs together (a token and its value, a head and
its row of W, a word and its column). A ValueError from `Scenario` says when the result is out of bounds.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from engine.decode import generate
from engine.toy.rules import Rule
from engine.toy.scenario import MAX_VALUE, Scenario

NEW_W = 0.1  # for each word: a new head moves all logits alike until its row of W is edited
MOST_NEW_VALUE = 20  # of a token or word that an edit brings in
APART = 2.0  # at least, between the values of words that are to follow each other
SURE = (6.0, 24.0, 96.0)  # half of it is what a logit leads by where values differ as they mostly do, tried one after the other


def _put(items: tuple, at: int, item) -> tuple:
    return (*items[:at], item, *items[at + 1 :])


def _drop(items: tuple, at: int) -> tuple:
    return (*items[:at], *items[at + 1 :])


def _swap(items: tuple, a: int, b: int) -> tuple:
    return _put(_put(items, a, items[b]), b, items[a])


def letter_sum(word: str) -> int:
    """The letters of a word added up: a = 1 … z = 26 without case and accents, digits as they are, other signs by their Unicode
    number.

    >>> letter_sum("cab"), letter_sum("Café"), letter_sum("42")
    (6, 15, 6)
    """
    letters = [c for c in unicodedata.normalize("NFKD", word).lower() if not unicodedata.combining(c)]
    return sum(ord(c) - ord("a") + 1 if "a" <= c <= "z" else unicodedata.digit(c, ord(c)) for c in letters)


def new_value(word: str) -> float:
    """The value of a word that an edit brings in, a whole number from 0 to MOST_NEW_VALUE: the remainder of its letter sum.

    >>> letter_sum("Lunch"), new_value("Lunch")
    (58, 16.0)
    """
    return float(letter_sum(word) % (MOST_NEW_VALUE + 1))


def set_value(s: Scenario, token: int, value: float) -> Scenario:
    """Give one token of the prompt another value."""
    return replace(s, values=_put(s.values, token, value))


def rename_token(s: Scenario, token: int, word: str) -> Scenario:
    """Write another word at one position; its value stays."""
    return replace(s, tokens=_put(s.tokens, token, word))


def add_token(s: Scenario, after: int, word: str = "word") -> Scenario:
    """Put a new token behind the one at `after`."""
    at = after + 1
    return replace(s, tokens=(*s.tokens[:at], word, *s.tokens[at:]), values=(*s.values[:at], new_value(word), *s.values[at:]))


def remove_token(s: Scenario, token: int) -> Scenario:
    """Take one token and its value out."""
    return replace(s, tokens=_drop(s.tokens, token), values=_drop(s.values, token))


def swap_tokens(s: Scenario, a: int, b: int) -> Scenario:
    """Exchange two positions, word and value."""
    return replace(s, tokens=_swap(s.tokens, a, b), values=_swap(s.values, a, b))


def set_prompt(s: Scenario, words: Sequence[str]) -> Scenario:
    """Write the whole prompt anew. A word that was there keeps its value, every other one gets `new_value`."""
    left = list(zip(s.tokens, s.values, strict=True))
    values = []
    for word in words:
        match = next((pair for pair in left if pair[0] == word), None)
        if match:
            left.remove(match)
        values.append(match[1] if match else new_value(word))
    return replace(s, tokens=tuple(words), values=tuple(values))


def set_words(s: Scenario, words: Sequence[str]) -> Scenario:
    """Write all candidate words anew. A word that was there keeps its value and its column of W, every other one gets `new_value` and an
    even column."""
    old = {word: k for k, word in enumerate(s.words)}
    values = [s.word_values[old[word]] if word in old else new_value(word) for word in words]
    rows = tuple(tuple(row[old[word]] if word in old else NEW_W for word in words) for row in s.w_vocab)
    return replace(s, words=tuple(words), word_values=tuple(values), w_vocab=rows)


def in_order(s: Scenario) -> Scenario:
    """With a W by which the candidate words follow the prompt in their order, each likeliest where the token before it is the last.

    One head hands on the last token's value v and one the first's, f: a logit of steep · (c·v − c²/2) is the largest of the word whose c is
    nearest to v, and c is the value of what comes before it. For that a first value of 0 becomes 1, and candidates' values that are not
    apart are moved. Unchanged where no head looks at itself, or none at the first token, or the words do not come in order even so.
    """
    kinds = [rule.kind for rule in s.rules]
    if not {"self", "first"} <= {*kinds}:
        return s
    values: list[float] = []
    for value in s.word_values:
        moved = ((value + APART * k) % (MOST_NEW_VALUE + 1) for k in range(1, MOST_NEW_VALUE + 1))
        taken = (s.values[-1], *values)
        values.append(next((v for v in (value, *moved) if all(abs(v - other) >= APART for other in taken)), value))
    apart = replace(s, values=(s.values[0] or 1.0, *s.values[1:]), word_values=tuple(values))
    before = np.array([apart.values[-1], *values[:-1]])  # (n_vocab,) of each word the value of the token that it follows
    gaps = np.abs(np.subtract.outer(before, before))
    for sure in SURE:
        w = np.zeros((len(kinds), len(before)))
        steep = sure / (np.median(gaps[gaps > 0]) ** 2 if gaps.any() else 1.0)
        w[kinds.index("self")] = steep * before
        w[kinds.index("first")] = -steep * before**2 / 2 / apart.values[0]
        made = replace(apart, w_vocab=tuple(map(tuple, np.clip(w.round(2), -MAX_VALUE, MAX_VALUE).tolist())))
        if generate(made.model(), made.prompt_ids, len(before)).token_ids == tuple(range(len(before))):
            return made
    return s


def set_rule(s: Scenario, head: int, rule: Rule | str) -> Scenario:
    """Let one head look at something else."""
    return replace(s, rules=_put(s.rules, head, rule))


def set_option(s: Scenario, name: str, value: object) -> Scenario:
    """Change what the scenario has one of: sharpness, causal or empty_row."""
    return replace(s, **{name: value})


def add_head(s: Scenario, rule: Rule | str = "previous") -> Scenario:
    """A further head, with a row of W that favours no word."""
    return replace(s, rules=(*s.rules, rule), w_vocab=(*s.w_vocab, (NEW_W,) * len(s.words)))


def remove_head(s: Scenario, head: int) -> Scenario:
    """Take one head and its row of W out."""
    return replace(s, rules=_drop(s.rules, head), w_vocab=_drop(s.w_vocab, head))


def set_w(s: Scenario, head: int, word: int, number: float) -> Scenario:
    """Change one entry of W: what one head's context adds to one word's logit, per unit."""
    return replace(s, w_vocab=_put(s.w_vocab, head, _put(s.w_vocab[head], word, number)))


def rename_word(s: Scenario, word: int, name: str) -> Scenario:
    """Write another candidate word; its column of W and its value stay."""
    return replace(s, words=_put(s.words, word, name))


def set_word_value(s: Scenario, word: int, value: float) -> Scenario:
    """Give a candidate word the value that it has once it is chosen and fed back."""
    return replace(s, word_values=_put(s.word_values, word, value))


def add_word(s: Scenario, name: str) -> Scenario:
    """A further candidate word with an even column of W."""
    rows = tuple((*row, NEW_W) for row in s.w_vocab)
    return replace(s, words=(*s.words, name), word_values=(*s.word_values, new_value(name)), w_vocab=rows)


def remove_word(s: Scenario, word: int) -> Scenario:
    """Take one candidate word, its value and its column of W out."""
    rows = tuple(_drop(row, word) for row in s.w_vocab)
    return replace(s, words=_drop(s.words, word), word_values=_drop(s.word_values, word), w_vocab=rows)
