"""How much of the memory for caches holds tokens: the reader's own lengths, beside what was measured on servers."""

from dataclasses import dataclass
from itertools import accumulate

import streamlit as st

from engine.caches.reservations import MEASURED, in_one_piece, in_pages, mean_waste
from engine.cost import MODELS
from engine.toy.scenario import Scenario
from pages.lessons.paging.figures.reserved import reserved
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.format import md, number, percent, plural, quantity
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Text, Whole, set_widget
from pages.parts.visit.session import of_this_visit

LENGTHS = Text("lengths")
LONGEST = Whole("longest", low=64, high=131_072, default=2048)
PAGE = Whole("page", low=1, high=1024, default=16)
LONGEST_STOPS, PAGE_STOPS = (512, 1024, 2048, 4096, 8192, 32_768, 131_072), (1, 8, 16, 32, 64, 128, 256, 1024)
DEFAULT = (90, 310, 1240, 45, 700, 150)
MOST_SEQUENCES = 10
SHOWN_MODEL, SHOWN_GIB = "OPT-13B", 12  # arXiv 2309.06180, Table 1


def read_lengths(text: str, longest: int) -> tuple[int, ...]:
    """The tokens of each sequence. ValueError in a sentence for anything but 1 to MOST_SEQUENCES numbers from 1 to `longest`."""
    parts = text.replace(",", " ").split()
    expected = f"expected 1 to {MOST_SEQUENCES} whole numbers from 1 to {longest:,}, with spaces between them"
    if not 1 <= len(parts) <= MOST_SEQUENCES:
        raise ValueError(f"{expected}, got {len(parts)} of them")
    for part in parts:
        if not (part.isascii() and part.isdigit() and len(part) <= 9 and 1 <= int(part) <= longest):
            raise ValueError(f"{expected}, got “{part[:30]}”")
    return tuple(map(int, parts))


def lengths(longest: int) -> tuple[int, ...]:
    """The link's lengths where they can be used; else those to begin with, cut to the longest, and a sentence why."""
    text = LENGTHS.text()
    usual = tuple(min(n, longest) for n in DEFAULT)
    try:
        return read_lengths(text, longest) if text else usual
    except ValueError as problem:
        st.warning(f"The lengths in use are {' '.join(map(str, usual))}: {md(str(problem))}.")
        return usual


@dataclass
class Refused:
    """why: the lengths that were typed last were not taken, until it is said."""

    why: str = ""


refused = of_this_visit(Refused)


def _controls() -> tuple[tuple[int, ...], int, int]:
    """(tokens of each sequence, the longest that may come, tokens of a block)."""
    columns = st.columns([1.5, 1, 1], vertical_alignment="bottom")
    longest = LONGEST.value()
    with columns[1]:
        LONGEST.stops("Longest that may come", LONGEST_STOPS)
    with columns[2]:
        size = PAGE.stops("Tokens in a block", PAGE_STOPS)
    if refused().why:
        st.warning(f"Those lengths were not taken: {md(refused().why)}.")
        refused().why = ""
    typed = lengths(longest)
    with columns[0]:
        set_widget("paging_lengths", " ".join(map(str, typed)))
        kept = {"max_chars": LENGTHS.most_chars, "on_change": _typed, "args": (longest,)}
        st.text_input("Tokens of each sequence", key="paging_lengths", **kept)
    return typed, longest, size


def _typed(longest: int) -> None:
    text = st.session_state["paging_lengths"]
    try:
        parsed = read_lengths(text, longest) if text.strip() else DEFAULT
    except ValueError as problem:
        refused().why = str(problem)
        return
    LENGTHS.set_text("" if parsed == DEFAULT else " ".join(map(str, parsed)))


@step(
    "Empty room",
    minutes=4,
    ask="Which sequence leaves most room empty where each gets one piece? And which does in blocks?",
    wrong={
        "More, the longer the sequence": (
            "the empty part is taken for a share of the length: only the last block has empty slots, however many stand before it"
        ),
        "A whole block": "a block that is begun is taken for an empty one: the last one holds at least one token",
        "A token takes less room in pages": "room set aside and room used are mixed up: a token’s keys and values stay as large",
    },
)
def waste(s: Scenario) -> None:
    """Both ways to set room aside, and how many sequences that makes."""
    lead("Room reserved for the longest text that may come, beside blocks that are taken as they are needed.")
    shown = st.container()
    requests, longest, size = _controls()
    shares = [sum(requests) / total for total in (in_one_piece(requests, longest), in_pages(requests, size))]
    alt = (
        f"{quantity(len(requests), 'sequence')} of {', '.join(f'{n:,}' for n in requests)} {plural(max(requests), 'token')}. "
        f"Room for {longest:,} tokens each: {percent(shares[0])} of it holds tokens. Blocks of {size:,}: {percent(shares[1])}."
    )
    low, high = (percent(share) for share in MEASURED["earlier"])
    with shown:
        plot(reserved(sheet(slide_zoom=1.02, high=276, slide_high=330), requests, longest, size), alt, "reserved")
        question_then_takeaway(
            mean_question(longest, size),
            "waste",
            how_many(requests, longest, size),
            help=f"vLLM’s authors measured {low} to {high} in one piece, {percent(MEASURED['paged'])} in pages (2023). These shares count "
            "everything: room for words still to come, room for words that never came, and gaps between pieces that no sequence fits "
            "into. The best of the three earlier ways knew every length in advance, as no server can (arXiv 2309.06180, Figure 2).",
            widths=(1.9, 1),
        )


def how_many(sequences: tuple[int, ...], longest: int, size: int) -> str:
    """What the shares mean for a card: sequences of these lengths beside each other; on a projector without what the figure shows."""
    tokens = int(SHOWN_GIB * 2**30 // MODELS[SHOWN_MODEL].kv_bytes_per_token(16))
    whole = tokens // longest
    pages, piece = in_pages(sequences, size), in_one_piece(sequences, longest)
    less = "less lies empty" if pages < piece else f"here {'as much' if pages == piece else 'more'} lies empty"
    blocks = tokens // size
    paged = f"about **{blocks * size * len(sequences) // pages:,}** of these lengths"
    if blocks * size < pages:
        paged = f"**{_at_once(sequences, blocks, size)}** of these {len(sequences)} at once"
    if presenting():
        return (
            f"{SHOWN_GIB} GiB hold **{whole:,}** {plural(whole, 'sequence')} of {SHOWN_MODEL} with room for {longest:,} tokens each; in "
            f"pages {paged}."
        )
    return (
        f"{SHOWN_GIB} GiB hold the keys and values of **{tokens:,}** tokens of {SHOWN_MODEL}: **{whole:,}** {plural(whole, 'sequence')} "
        f"that may become {longest:,} tokens long, or, in pages, {paged}. A token takes as much room as before; {less}."
    )


def _at_once(sequences: tuple[int, ...], blocks: int, size: int) -> int:
    """How many of these sequences have room in so many blocks beside each other, the short ones first."""
    taken = accumulate(-(-n // size) for n in sorted(sequences))
    return sum(n <= blocks for n in taken)


def block_asked(size: int) -> int:
    """The tokens of a block that is asked about, another one than the page shows."""
    return 64 if size != 64 else 32


def mean_question(longest: int, size: int) -> Question:
    """Empty slots of a sequence's last block, on average; of another block size than the page shows."""
    asked = block_asked(size)
    answer = mean_waste(longest, asked)
    # Else those that end within a block shift the mean.
    always = ", whether the sequences are short or long" * (longest % asked == 0)
    price = "" if presenting() else " Smaller blocks waste less; longer tables and more scattered reading are the price."
    return Question(
        "mean_waste",
        f"Sequences of any length from 1 to {longest:,} tokens, in blocks of {asked}: how many slots does one leave empty, on "
        "average?",
        answer,
        f"Only the last block has empty slots, 0 to {asked - 1} of them: on average {number(answer)}, about half a block{always}.{price}",
        tolerance=max(1.0, 0.05 * asked) / 2,
        unit="slots",
        high=longest,
    )
