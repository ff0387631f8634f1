"""The timeline of a request as it is shown: the figure, its text alternative, and what to see in it."""

import re

import numpy as np

from engine.model import ForwardPass
from engine.toy.scenario import Scenario
from pages.lessons.overview.figures.request_timeline import HIDDEN, request_timeline
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.text.format import join, quantity
from pages.parts.text.toy_names import in_quotes

ROWS_ZOOM = ((14, 1.0), (20, 0.93), (99, 0.84))  # of a presented timeline of at most so many rows
STANDS_FOR_A_WORD = re.compile(r"NaN|(word|token) \d+")  # that is not told, or of which there is none
MOST, USUAL = 8, 4  # tokens of the answer: at most, and untouched
NOT_SECONDS = (
    "Columns are passes, not seconds: the pass over a long prompt takes longer than a decode step. The answer ends at the length that "
    "you choose; a model may also stop earlier, when it writes a token that means “end”, which the toy has not."
)


def timeline_of(
    s: Scenario,
    passes: tuple[ForwardPass, ...],
    words: tuple[str, ...],
    key: str,
    places: int = 0,
    said: tuple[str, str | None] = ("", None),
) -> None:
    """The figure, larger when presented unless it has many rows. places: to count passes in, where how many there are is asked.
    said: the headline, and a shorter one for a phone; many rows leave it no room."""
    presented = next(zoom for most, zoom in ROWS_ZOOM if len(words) <= most)
    drawn_on = sheet(slide_zoom=presented)
    drawn_on = under_headline(drawn_on, *said) if said[0] and len(words) <= ROWS_ZOOM[0][0] else drawn_on
    plot(request_timeline(drawn_on, passes, words, places, moves=not places), in_words(s, passes, words), key)


def in_words(s: Scenario, passes: tuple[ForwardPass, ...], words: tuple[str, ...]) -> str:
    """The timeline as a text alternative."""
    n = len(s.tokens)
    lines = [f"Pass 1, prefill, computes {join(in_quotes(s.tokens))}{' together' * (n > 1)}; {_out(words[n])} comes out."]
    for k, p in enumerate(passes[1:], 2):
        reads = f"reads {quantity(p.n_past, 'token')} from the cache"
        lines.append(f"Pass {k}, decode, computes {_out(words[p.n_past])} and {reads}; {_out(words[n + k - 1])} comes out.")
    hidden = " A question mark stands for a word that is shown after the vote." if words[n] == HIDDEN else ""
    return f"Timeline of a request. {' '.join(lines)}{hidden}"


def _out(word: str) -> str:
    """A word in quotation marks; not what stands for one."""
    return "?" if word == HIDDEN else word if STANDS_FOR_A_WORD.fullmatch(word) else in_quotes([word])[0]


def passes_found(n: int, n_pass: int) -> tuple[str, str | None]:
    """The headline of a request, and a shorter one for a phone.

    >>> passes_found(4, 4), passes_found(1, 1)
    (('4 tokens in one pass, then 1 a pass', '4 in one pass, then 1 a pass'), ('1 token in one pass', None))
    """
    if n_pass == 1:
        return f"{n} {'tokens' if n > 1 else 'token'} in one pass", None
    return f"{n} {'tokens' if n > 1 else 'token'} in one pass, then 1 a pass", f"{n} in one pass, then 1 a pass"


def comes_to(s: Scenario, passes: tuple[ForwardPass, ...], voted: bool) -> str:
    """What to see in the timeline."""
    n = len(s.tokens)
    enter = f"**{n} tokens** enter **together, in one pass**" if n > 1 else "**One token** enters in one pass"
    if not np.isfinite(passes[0].logits[-1]).all():
        result = (
            "here its result is not a number, so no word can be chosen and nothing follows" if voted else "vote to see the rest"
        )
        return f"{enter}; {result}."
    if len(passes) == 1:
        return f"{enter}, and one word comes out: the whole answer."
    return "**Decode** takes in the word that came out before, pass by pass."
