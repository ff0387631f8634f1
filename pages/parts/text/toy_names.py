"""What the toy's tokens, heads, rules and empty rows are called in a sentence or a list."""

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest

from engine.toy.rules import Rule
from engine.toy.scenario import Scenario
from pages.parts.text.format import join, md, plural

MOST_TYPED = 2000  # characters of words in one field
EMPTY_ROW_NAMES = {
    "none": "weights 0, context “none”",
    "soft": "softmax over what is visible",
    "nan": "−∞ without a guard: NaN",
    "fill": "−10⁹ without a guard: leaks",
    "softmax1": "softmax with 1 in the denominator",
}


def token_name(tokens: Sequence[str], j: int, escape: Callable[[str], str] = md) -> str:
    """A token in quotation marks, with its position where the prompt has the word again. escape: `str` where no Markdown is read.

    >>> token_name(("big", "cat", "big"), 2), token_name(("big", "cat", "big"), 1)
    ('“big” (position 3)', '“cat”')
    """
    again = f" (position {j + 1})" if list(tokens).count(tokens[j]) > 1 else ""
    return f"“{escape(tokens[j])}”{again}"


def in_quotes(words: Iterable[str], numbers: Iterable[str] = (), escape: Callable[[str], str] = str) -> list[str]:
    """Words for a list, in quotation marks, each with its number where there are numbers. escape: `md` where Markdown is read.

    >>> in_quotes(("cheap", "and")), in_quotes(("cheap", "and"), ("8.4", "7.37"))
    (['“cheap”', '“and”'], ['“cheap” 8.4', '“and” 7.37'])
    """
    return [f"“{escape(word)}” {number}".rstrip() for word, number in zip_longest(words, numbers, fillvalue="")]


def as_typed(words: Sequence[str]) -> str:
    """Words as one types them into a field: with commas between them where one has a space within.

    >>> as_typed(("cheap", "and", "good")), as_typed(("New York", "is"))
    ('cheap and good', 'New York, is')
    """
    return (", " if any(re.search(r"[\s,]", word) for word in words) else " ").join(words)


def typed(text: str) -> list[str]:
    """The words of a field, of MOST_TYPED characters at most: a space ends one; where there are commas, they alone do.

    >>> typed("cheap and  good"), typed("New York, is")
    (['cheap', 'and', 'good'], ['New York', 'is'])
    """
    text = text[:MOST_TYPED]
    return [word.strip() for word in text.split(",")] if "," in text else text.split()


def rule_name(rule: Rule) -> str:
    """What a head looks at, in words."""
    named = {
        "even": "even positions",
        "odd": "odd positions",
        "self": "itself",
        "first": "the first token",
        "all": "every token",
        "none": "nothing",
        "last": "the last of the prompt",
    }
    if rule.kind == "previous":
        return "the previous token" if rule.number == 1 else f"the token {rule.number} back"
    if rule.kind == "window":
        return f"the last {rule.number}" if rule.number > 1 else "a window of 1"
    if rule.kind == "at":
        return f"{plural(len(rule.positions), 'position')} " + ", ".join(map(str, rule.positions))
    return named[rule.kind]


def rule_label(rule: Rule) -> str:
    """A rule as it stands in a list: that which breaks the cache with a sign that says so."""
    return f"⚠ {rule_name(rule).removeprefix('the ')}" if rule.breaks_cache else rule_name(rule)


def articles_way(s: Scenario) -> str:
    """What a run with the key of the article's code takes from that code where this scenario has it otherwise; "" for nothing.

    >>> articles_way(Scenario.article_code()), articles_way(Scenario.article())
    ('', 'with softmax over what is visible in every row')
    """
    ways = ["the mask on"] * (not s.causal) + [f"{EMPTY_ROW_NAMES['soft']} in every row"] * (s.empty_row != "soft")
    return f"with {join(ways)}" if ways else ""


def head_names(s: Scenario) -> list[str]:
    """Every head with its number and its rule in short form: "1 even", "2 previous"."""
    return [f"{h} {rule}" for h, rule in enumerate(s.rules, 1)]
