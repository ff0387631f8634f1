"""What a sentence must say, whatever its words: the parts that are computed and one key word, in their order.

A test that compares a whole sentence fails when somebody writes it better. One that asks for its numbers and the word that makes
their meaning fails when the page says something else. A number is a whole one: 5 is found neither in 15 nor in 5.6 nor in −5.
"""

import re

LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")


def in_order(*parts: str) -> re.Pattern[str]:
    """What finds the parts one after the other, whatever stands between; capital or small letters are the same.

    >>> [bool(in_order("5", "rows").search(said)) for said in ("5 new rows", "15 rows", "rows: 5", "5.6 rows", "1,5 rows", "5, Rows")]
    [True, False, False, False, False, True]
    """
    return re.compile(".*?".join(map(_whole, parts)), re.IGNORECASE | re.DOTALL)


def _whole(part: str) -> str:
    """A part as a pattern: where it begins or ends with a digit, no number goes on there; any space is a space."""
    before = r"(?<![\d−])(?<!\d[.,])" if part[:1].isdigit() else ""
    after = r"(?![.,·]?\d)" if part[-1:].isdigit() else ""
    return before + r"\s+".join(map(re.escape, part.split())) + after


def plain(markdown: str) -> str:
    r"""Markdown as it is read, without bold, links, line breaks and escapes.

    >>> plain(r"**5** of [6](#cell-1) in “a\*b”<br>and no more")
    '5 of 6 in “a*b” and no more'
    """
    words = LINK.sub(r"\1", markdown).replace("**", "").replace("<br>", " ").replace("\u2060", "")
    return re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", words)


def untagged(word: str) -> str:
    """A figure's word as it is read, without bold, colour and line breaks.

    >>> untagged("<b>= 12.5</b>")
    '= 12.5'
    """
    return re.sub("<.*?>", "", word)


def words_in(figure: dict) -> list[str]:
    """Everything that is written in a figure, as it is read.

    >>> words_in({"data": [{"text": ["<b>= 9</b>", "none"]}, {"z": [1]}]})
    ['= 9', 'none']
    """
    return [untagged(word) for trace in figure["data"] for word in trace.get("text") or () if isinstance(word, str)]
