"""Every sentence that a lesson shows where there is one of everything, and where one is left of two: no number 1 with a plural.

All questions are answered, so that their reasons and what waits for them are there; figures are read with their alternatives.
"""

import re

import pytest
from app_pages import LESSONS, TOY_LESSONS, all_answered, alone, figures, show, text

from pages.parts.text.format import plural

NOUNS = (
    "token", "row", "head", "context", "sum", "word", "layer", "step", "pass", "product", "key", "value", "query", "byte", "bit",
    "sequence", "device", "block", "number", "turn", "column", "cell", "weight", "logit", "position", "draw", "slot", "request",
    "expert", "pair", "option", "server", "answer", "prompt", "tile", "chunk", "state", "copy", "unknown", "reading", "message", "lesson",
)  # fmt: skip
ONE = {
    "tokens": "so", "values": "5", "rules": "all", "words": "nice", "p": "1", "g": "1", "context": "1", "batch": "1",
    "kv_heads": "1", "block": "1", "prompt": "Anna", "next": "And", "second": "Anna", "turns": "1", "message": "1", "reply": "1",
    "system": "0", "doubled": "1", "per_minute": "1", "lengths": "1", "draft": "untrained", "guesses": "1", "kept": "0",
}  # fmt: skip
ONE_LEFT = {
    "tokens": "so,warm", "values": "5,8", "rules": "last,last", "step": "1", "split": "1", "p": "2", "g": "2", "context": "2",
    "model": "Falcon-7B", "n_devices": "2", "block": "2", "prompt": "Anna has a", "next": "And Ben",
}  # fmt: skip
MANY = {"tokens": "a,b,c,d", "values": "1,2,3,4", "rules": "even,last,first,all", "mask": "off", "step": "1", "token": "1"}
# "Layer 1 contexts" and "head 1 the sums" are names, a power or a quotient is no count.
PLURALS = "|".join(plural(2, noun) for noun in NOUNS)
PLURAL_OF_ONE = re.compile(
    rf"(?<![\w.,/·×+^=√–−-])(?<!layer )(?<!Layer )(?<!head )(?<![+−×·÷/] )1 (?!where |of |the )(?:[a-zA-Z/·-]+ )?(?:{PLURALS})\b"
)
ONE_AND_A_PLURAL_VERB = re.compile(
    r"\bThe 1 \w+ (?:are|were|have)\b|\b[Hh]ead \d+(?:, \d+)+ and \d+ (?:says|asks|looks)\b|(?<![\d.,])1 \w+ (?:fit|keep|run|do)\b"
)


def strings(part):
    """All texts of a figure."""
    if isinstance(part, str):
        return [part]
    return [said for inner in (part.values() if isinstance(part, dict) else part) for said in strings(inner)] if isinstance(
        part, dict | list
    ) else []  # fmt: skip


def faults(at):
    said = [text(at), *(m.help or "" for m in at.markdown)]
    for figure, alt in figures(at):
        said += [alt, *strings(figure.get("data", []))]
    plain = [part.replace("\u00a0", " ").replace("**", "") for part in said]
    return {part[max(0, m.start() - 40) : m.end() + 20] for part in plain for rule in (PLURAL_OF_ONE, ONE_AND_A_PLURAL_VERB)
            for m in rule.finditer(part)}  # fmt: skip


@pytest.mark.parametrize("lesson", LESSONS)
def test_one_of_anything_is_said_in_the_singular(lesson):
    with all_answered():
        at = alone(lesson)
        for query in (ONE, ONE_LEFT, MANY)[: 3 if lesson in TOY_LESSONS else 2]:  # the last is about the scenario
            show(at, query)
            assert not at.exception, at.exception[0].value
            assert faults(at) == set(), query


@pytest.mark.parametrize(
    ("lesson", "query", "wrong"),
    [
        ("roofline", {"model": "Gemma-3-27B", "device": "B200", "p": "1048576", "usable": "1"}, ("1 sequence fit.",)),
        ("paging", {"prompt": "A", "block": "2"}, ("all 2 tokens",)),
        ("paging", {"p": "1", "g": "2"}, ("= 1 rows",)),
        ("logits", {"words": "solo", "word_values": "5", "w": "1;1;1;1"}, ("each of 1 ", "sums are the logits solo")),
        ("decode", {**ONE, "step": "1"}, ("of the 1 ", "all 2 rows", "the logits", "At all 1 ")),
        ("decode", {"rules": "last,even,last,last"}, ("looks at last of", "(⚠")),
        ("decode", {**MANY, "mask": "on"}, ("They do because",)),  # 1 row changes
        ("less", {**ONE, "values": "-4", "rules": "previous"}, ("its contexts are", "its logits")),
        ("claims", {**ONE, "values": "0", "rules": "last", "statement": "6"}, ("1 products", "of 1 weights")),
        *(("claims", {**ONE, "statement": str(at)}, ("1 products", "of 1 weights", "0 move ")) for at in (2, 5, 8, 12)),
    ],
)  # fmt: skip
def test_a_sentence_about_one_is_written_for_one(lesson, query, wrong):
    with all_answered():
        at = alone(lesson)
        show(at, query)
    assert not at.exception, at.exception[0].value
    said = "\n".join([text(at), *(alt for _, alt in figures(at))]).replace("**", "")
    assert not [words for words in wrong if words in said]


def test_the_reader_sees_what_it_looks_for():
    for wrong in ("1 pass that wait; 1 tokens", "at 1 tokens", "1 key/value heads", "The 1 context are 1 independent sums",
                  "head 1, 2 and 3 says", "At most 89.2; 1 sequence fit."):  # fmt: skip
        assert PLURAL_OF_ONE.search(wrong) or ONE_AND_A_PLURAL_VERB.search(wrong), wrong
    for right in ("1 token", "head 1 the sums", "layer 1 contexts", "31 tokens", "0.1 tokens", "1 of 5 rows", "P + 1 rows"):
        assert not PLURAL_OF_ONE.search(right) and not ONE_AND_A_PLURAL_VERB.search(right), right
