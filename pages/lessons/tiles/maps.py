"""Attention by tiles, all rows: one head's map that is never there at once, and the bytes that this saves on long texts."""

from functools import lru_cache, partial

import numpy as np
import streamlit as st

from engine import attention, bundled, causal_mask
from engine.caches import map_tiles, tiled_attention
from engine.caches.tiles import tile_floats
from engine.compare import largest_gap
from engine.cost import decimal_bytes
from pages.lessons.tiles.figures.held_bytes import LEAST, MOST, Held, held_bytes
from pages.lessons.tiles.figures.tile_map import tile_map
from pages.parts.controls.shared_parameters import P
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import ask_later, asked_and_answered, live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, question_then_takeaway, said_and_asked
from pages.parts.question.question import Question
from pages.parts.text.digits import gap_text
from pages.parts.trained.prompt import PRESETS
from pages.parts.visit.parameters import Choice, Whole

MAP_BLOCK = Whole("tile_side", low=8, high=26, default=13)
MAP_AT = Whole("map_tile", low=1, high=64, default=4)
TILE = Choice("tile_size")
TILES, D_HEAD, NUMBER_BYTES = (64, 128, 256), 128, 2
ASKED = 100_000  # tokens
LENGTHS = (128, 1_000, 10_000, ASKED, 1_000_000)


@lru_cache(maxsize=1)
def trained_head() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One head of the bundled model on all prompts to try, one after another, in float64: q, k (n, d_head), v (n, d_v)."""
    model = bundled()
    layer = model.forward(model.tokenizer.encode(" ".join(PRESETS.values()))).layers[-1]
    return tuple(rows[0].astype(np.float64) for rows in (layer.q, layer.k, layer.v))


@step(
    "The whole map",
    minutes=5,
    ask="Point at the tiles that nobody needs. Which ones are needed for a part only?",
    wrong={
        "All of the square": "the mask is put on after the scores are there: a tile that is hidden altogether is left out",
        "Half of the square": (
            "the diagonal is halved with the rest: a tile on it holds keys that may be seen, so it has to be computed"
        ),
    },
)
def whole_map(*_) -> None:
    """All rows of a trained head: one tile after another, and never the map."""
    lead("All rows of one head of the trained model, a block of queries at a time.", "query", "key")  # fmt: skip
    moving, (said, beside), below = st.container(), said_and_asked("map", (1.2, 1), asked_first=True), here_on_a_phone()
    with beside:
        ask_later(_asked)
    with moving:
        live(partial(_one_tile, below), said=said)


def _one_tile(below, *_) -> str:
    """The sliders, on a phone `below`, the tile that is there, and once the question is answered what all of them come to."""
    n, answered, figure = len(trained_head()[0]), asked_and_answered("n_tiles", _asked), st.container()
    with below:
        left, right = st.columns([1, 2.2], gap="medium")
    with left:
        side = MAP_BLOCK.slider("Side of a tile", high=n)
    (found, gap), blocks = _mapped(side), -(-n // side)
    with right:  # a slider that ended at the last tile would tell how many there are
        at = MAP_AT.slider("Tile", high=len(found) if answered else blocks) - 1
    scores = found[at][1].scores
    facts = [
        ("scores held now", f"{scores.size:,}"), ("scores of the whole map", f"{n * n:,}"),
        ("tiles in the square", f"{blocks**2}"), ("of them computed", f"{len(found)}" if answered else "?"),
        ("numbers that stay, of the contexts", f"{trained_head()[2].size:,}"), ("max |Δ| against the whole", gap_text(gap)),
    ]  # fmt: skip
    corners = [(rows.start, tile.start) for rows, tile in found]
    alt = (
        f"Tile {at + 1}{f' of {len(found)}' * answered}: queries from {corners[at][0] + 1}, keys from {corners[at][1] + 1}. "
        + "; ".join(f"{name}: {value}" for name, value in facts)
    )
    with figure:
        plot(tile_map(sheet(high=318), corners, at, scores, n, side, answered), f"{alt}.", "tile_map")
    if not answered:
        return ""
    return (
        f"Every context is that of the whole map to **{gap_text(gap)}**, and at no moment were more than "
        f"**{side * side:,}** of its {n * n:,} scores there."
    )


def _asked(*_) -> Question:
    """The question about tiles of the side that is chosen."""
    n = len(trained_head()[0])
    side = MAP_BLOCK.value(high=n)
    return tiles_question(n, side, len(_mapped(side)[0]))


@lru_cache(maxsize=MAP_BLOCK.high)
def _mapped(side: int) -> tuple[list, float]:
    """The tiles of that side, each with its rows, and how far the contexts are from those of the whole map."""
    q, k, v = trained_head()
    one_head = (q[None], k[None], v[None])
    whole = attention(*one_head, causal_mask(len(q))).context
    return list(map_tiles(q, k, v, side)), largest_gap(tiled_attention(*one_head, side), whole)


def _one_to(n: int) -> str:
    """The sum from 1 to n, n at least 2, written out as far as it is short.

    >>> _one_to(2), _one_to(4), _one_to(9)
    ('1 + 2', '1 + 2 + 3 + 4', '1 + 2 + … + 9')
    """
    return " + ".join(map(str, range(1, n + 1))) if n <= 4 else f"1 + 2 + … + {n}"


def tiles_question(n: int, side: int, n_tiles: int) -> Question:
    """How many tiles the mask leaves."""
    blocks = -(-n // side)
    return Question(
        "n_tiles",
        f"Tiles of {side} × {side} cover the {n} × {n} map, {blocks} across and {blocks} down. The causal mask hides what lies "
        "right of the diagonal. How many tiles have to be computed?",
        float(n_tiles),
        f"{_one_to(blocks)} = {blocks} · {blocks + 1} / 2 = {n_tiles}: a tile that lies in the future altogether is left out; "
        "on the diagonal a part of one is masked.",
        tolerance=0,
        high=blocks**2,
        slips={float(blocks**2): "Those are all of the square; what lies in the future is not computed."},
    )


@step(
    "100,000 tokens",
    minutes=4,
    ask="Ten times as many tokens: by what factor does each of the three areas grow?",
    wrong={
        "0.0002 GB": "a score for each token is counted: it is one for each pair of tokens",
        "10 GB": "the masked half is left out: an array of all scores has room for it as well",
        "Tiles save the products": "memory and work are mixed up: every score that may be seen is still computed",
    },
)
def long_text(*_) -> None:
    """Bytes of the whole map, of the rows and of a tile, against the length."""
    lead("How many bytes would the whole map of one head take, and how many does a tile of it? Areas are bytes.")
    figure, asked = st.container(), here_on_a_phone()
    left, right = st.columns([1.6, 1], gap="medium", vertical_alignment="bottom")
    with left:
        n = P.stops("Tokens", LENGTHS, default=ASKED, high=MOST, low=LEAST)
    with right:
        size = int(TILE.buttons("Side of a tile", {str(t): f"{t} × {t}" for t in TILES}, "128"))
    tile = NUMBER_BYTES * tile_floats(size, size, D_HEAD, D_HEAD)
    of_scores = NUMBER_BYTES * size * size / tile
    rows = ("query", "key", "value", "context")
    held = [
        Held("the whole map", f"{n:,} × {n:,} scores", map_bytes(n), [("all scores", 1.0)]),
        Held("the rows it is made of", f"{n:,} × {D_HEAD} numbers of each", rows_bytes(n), [(row, 0.25) for row in rows]),
        Held(
            "one tile with its sums",
            f"{size} × {size} scores, rows of both",
            tile,
            [("scores", of_scores), *((row, (1 - of_scores) / 4) for row in rows)],
        ),
    ]
    question = map_question()
    told = "; ".join(f"{one.name} {decimal_bytes(one.n_bytes)}" for one in held[1 - question.answered :])
    with figure:
        plot(
            held_bytes(sheet(high=320, slide_high=400), held, question.answered), f"Bytes at {n:,} tokens: {told}.", "held_bytes"
        )
    with asked:
        question_then_takeaway(
            question,
            "bytes",
            f"The map grows with the square of the length, the rows with the length: at {n:,} tokens "
            f"**{decimal_bytes(map_bytes(n))}** against {decimal_bytes(rows_bytes(n))} and one tile. {_saved_said(n, tile)}",
            help="FlashAttention, Dao et al. 2022 (arXiv 2205.14135): a tile stays in the chip’s own fast memory, so the "
            "scores are never written to the large one and read back. Real programs keep the running sums in 32 bits.",
        )


def _saved_said(n: int, tile_bytes: int) -> str:
    """What tiles save at this length: nothing while the whole map is no larger than one."""
    if map_bytes(n) <= tile_bytes:
        return "Here the whole map is no larger than one tile, and nothing is saved; of the products that count nothing ever is."
    return "No product that counts is saved; what is saved is memory and the way to it."


def map_bytes(n: int) -> int:
    """Of the scores of one head."""
    return NUMBER_BYTES * n * n


def rows_bytes(n: int) -> int:
    """Of queries, keys, values and contexts of one head."""
    return NUMBER_BYTES * 4 * n * D_HEAD


def map_question() -> Question:
    """The bytes of one head's scores at 100,000 tokens."""
    return Question(
        "map_bytes",
        f"A prompt of {ASKED:,} tokens, one head of one layer, {NUMBER_BYTES} bytes a score: how many GB is the whole map?",
        map_bytes(ASKED) / 1e9,
        f"{ASKED:,} × {ASKED:,} × {NUMBER_BYTES} bytes = {decimal_bytes(map_bytes(ASKED))}, for one head of one layer. Half of "
        "it is masked, and it would be written and read back all the same.",
        tolerance=0.02 * map_bytes(ASKED) / 1e9,
        unit="GB",
        slips={map_bytes(ASKED) / 2e9: "The masked half is written as well."},
    )
