"""Attention by tiles: one row with its running numbers, one head's map that is never there at once, and the bytes it saves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

import numpy as np
import streamlit as st

from engine import Attention, attention, bundled, causal_mask
from engine.caches import Tile, map_tiles, tiled_attention, tiles
from engine.caches.tiles import tile_floats
from engine.compare import largest_gap
from engine.cost import decimal_bytes
from engine.decode import recompute
from engine.prefill import prefill
from engine.toy.scenario import MAX_PROMPT, Scenario
from pages.lessons.tiles.figures.held_bytes import LEAST, MOST, held_bytes
from pages.lessons.tiles.figures.running_row import running_row
from pages.lessons.tiles.figures.tile_map import tile_map
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import HEAD, P
from pages.parts.controls.stepper import stepper
from pages.parts.drawing.plot import plot
from pages.parts.lesson.lesson import lead, step
from pages.parts.lesson.predict import Question, predict
from pages.parts.text.format import apart, e_to, head_names, md, number
from pages.parts.trained.prompt import PRESETS
from pages.parts.visit import scenario
from pages.parts.visit.display import look, presenting
from pages.parts.visit.parameters import Choice, Whole

MOST_BLOCKS = 8  # whose numbers there is room for
BLOCK = Whole("block", low=1, high=MAX_PROMPT + 1, default=1)
AT = Whole("tile", high=MAX_PROMPT)
MAP_BLOCK = Whole("tile_side", low=8, high=26, default=13)
MAP_AT = Whole("map_tile", low=1, high=64, default=4)
TILE = Choice("tile_size")
TILES, D_HEAD, NUMBER_BYTES = (64, 128, 256), 128, 2
ASKED = 100_000  # tokens
LENGTHS = (128, 1_000, 10_000, ASKED, 1_000_000)
PRESENTED_TILES = 4  # that the presentation's keys go through


@dataclass(frozen=True, eq=False)
class Row:
    """The last row of a toy that softmax alone normalises: its tokens' words and its attention."""

    scenario: Scenario
    words: tuple[str, ...]
    layer: Attention


def given() -> tuple[Row]:
    """The prompt's last row; behind a prompt of one token the first word of the answer."""
    s = replace(scenario.current(), empty_row="soft")
    model, ids = s.model(), s.prompt_ids
    if len(ids) < 2:
        ids = (*ids, int(prefill(model, ids).logits[-1].argmax()))
    return (Row(s, tuple(s.id_words[i] for i in ids), recompute(model, ids).layers[0]),)


def row_tiles(row: Row, head: int, n_block: int) -> list[Tile]:
    """The last row of one head, block after block."""
    kv = row.layer.kv_head(head)
    return list(tiles(row.layer.q[head, -1:], row.layer.k[kv], row.layer.v[kv], n_block))


@step("One row")
def one_row(row: Row) -> None:
    """The stepper, the running numbers and the correction."""
    if not presenting():
        lead("Softmax needs a row’s largest score and the sum of all exponentials. A block of keys knows only its own; so both "
             "are kept as they are so far, and corrected.", "softmax", "score")  # fmt: skip
    n = len(row.words)
    head, n_block = _row_controls(row, n)
    found = row_tiles(row, head, n_block)
    now = AT.value(high=len(found) - 1) + 1
    at = stepper(AT, len(found), f"**Block {now}** of {len(found)}", presented=PRESENTED_TILES)
    question = correction_question(row, head, found)
    bound = max(1.0, float(np.abs(row.layer.scores[head]).max()))
    tile = found[at]
    alt = (
        f"Head {head_names(row.scenario)[head]}, keys 1 to {tile.stop} of {n} read: largest score {number(tile.top[0])}, "
        f"sum of exponentials {number(tile.total[0], 4)}, context so far {number(tile.context[0, 0], 3)}."
    )
    plot(running_row(found, at, row.words, bound, question.answered, **look()), alt, "running_row")
    asked, said = st.columns([1.35, 1], gap="medium")
    with asked:
        predict(question)
    with said, st.container(key="takeaway_row"):
        st.markdown(_row_said(row, head, found, at, question.answered))


def _row_controls(row: Row, n: int) -> tuple[int, int]:
    """The head, from 0, and how many keys make a block."""
    columns = st.columns([2, 1, 1], gap="medium", vertical_alignment="bottom")
    with columns[0]:
        head = HEAD.buttons("Head", [md(name) for name in head_names(row.scenario)]) - 1
    with columns[1]:
        n_block = BLOCK.slider("Keys in a block", low=-(-n // MOST_BLOCKS), high=n)
    with columns[2]:
        toy.sharpness_slider("tile_sharpness")
    return head, n_block


def correction_question(row: Row, head: int, found: list[Tile]) -> Question:
    """What is summed before is multiplied by, at the block that changes the largest score most."""
    jumps = [0.0, *(float(b.top[0] - a.top[0]) for a, b in pairwise(found))]
    at = int(np.argmax(jumps)) or min(1, len(found) - 1)
    jump = jumps[at]
    power = jump or 2 * row.scenario.sharpness
    down, up, same = f"by {e_to(-power, 2)}", f"by {e_to(power, 2)}", "by 1: it stays"
    onward = " and on" if found[at].stop - found[at].start > 1 else ""
    name = f"block {at + 1} (“{md(row.words[found[at].start])}”{onward})"
    before = found[at - 1] if at else found[at]
    old, new = number(before.top[0]), number(found[at].top[0])
    why = (
        f"The largest score goes from {old} to {new}. What was summed with the old one is too large by {e_to(power, 2)}: "
        "exp(s − new) = exp(s − old) · exp(old − new)."
        if jump
        else f"The largest score stays {new}, so every exponential is what it was."
    )
    return Question(
        "correction",
        f"Head {head + 1} reads {name}. What is all that was summed before it multiplied by?",
        down if jump else same,
        why,
        options=(same, down, up),
    )


def _row_said(row: Row, head: int, found: list[Tile], at: int, answered: bool) -> str:
    """What this block did; at the last one, that nothing is missing."""
    tile, whole = found[at], row.layer.context[head, -1]
    if at == len(found) - 1:
        gap = largest_gap(tile.context[0], whole)
        return (
            f"All blocks are read: the context is **{number(tile.context[0, 0], 3)}**, that of the whole row at once, off by "
            f"**{apart(gap)}**."
        )
    if not at or not answered:
        left = len(row.words) - tile.stop
        return f"Right for the {tile.stop} key{'s' * (tile.stop > 1)} read so far; {left} are still to come."
    jump = float(tile.top[0] - found[at - 1].top[0])
    if not jump:
        return f"No larger score than {number(tile.top[0])}: the sums before are right, and this block’s are added."
    return (
        f"A larger score, {number(tile.top[0])}: the sums before it are multiplied by {e_to(-jump, 2)}, then this block’s are "
        "added."
    )


@lru_cache(maxsize=1)
def trained_head() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """One head of the bundled model on all prompts to try, one after another, in float64: q, k (n, d_head), v (n, d_v)."""
    model = bundled()
    layer = model.forward(model.tokenizer.encode(" ".join(PRESETS.values()))).layers[-1]
    return tuple(rows[0].astype(np.float64) for rows in (layer.q, layer.k, layer.v))


@step("The whole map")
def whole_map(row: Row) -> None:
    """All rows of a trained head: one tile after another, and never the map."""
    if not presenting():
        lead("All rows of one head of the trained model, a block of queries at a time. Only one tile of scores is ever there.",
             "query", "key")  # fmt: skip
    q, k, v = trained_head()
    n = len(q)
    left, right = st.columns([1, 2.2], gap="medium")
    with left:
        side = MAP_BLOCK.slider("Side of a tile", high=n)
    found = list(map_tiles(q, k, v, side))
    with right:
        at = MAP_AT.slider("Tile", high=len(found)) - 1
    question = tiles_question(n, side, len(found))
    one_head = (q[None], k[None], v[None])
    gap = largest_gap(tiled_attention(*one_head, side), attention(*one_head, causal_mask(n)).context)
    scores, blocks = found[at][1].scores, -(-n // side)
    facts = [
        ("scores held now", f"{scores.size:,}"), ("scores of the whole map", f"{n * n:,}"),
        ("tiles in the square", f"{blocks**2}"), ("of them computed", f"{len(found)}" if question.answered else "?"),
        ("numbers that stay: contexts", f"{v.size:,}"), ("max |Δ| against the whole", apart(gap)),
    ]  # fmt: skip
    corners = [(rows.start, tile.start) for rows, tile in found]
    alt = f"Tile {at + 1} of {len(found)}: queries from {corners[at][0] + 1}, keys from {corners[at][1] + 1}. " + "; ".join(
        f"{name}: {value}" for name, value in facts
    )
    plot(tile_map(corners, at, scores, n, side, facts, **look()), f"{alt}.", "tile_map")
    asked, said = st.columns([1.2, 1], gap="medium") if question.answered else (st.container(), None)
    with asked:
        predict(question)
    if said:
        with said, st.container(key="takeaway_map"):
            st.markdown(
                f"Every context is that of the whole map to **{apart(gap)}**, and at no moment were more than "
                f"**{side * side:,}** of its {n * n:,} scores there."
            )


def tiles_question(n: int, side: int, n_tiles: int) -> Question:
    """How many tiles the mask leaves."""
    blocks = -(-n // side)
    return Question(
        "n_tiles",
        f"Tiles of {side} × {side} cover the {n} × {n} map, {blocks} across and {blocks} down. The causal mask hides what lies "
        "right of the diagonal. How many tiles have to be computed?",
        float(n_tiles),
        f"1 + 2 + … + {blocks} = {blocks} · {blocks + 1} / 2 = {n_tiles}: a tile that lies in the future altogether is left out; "
        "on the diagonal a part of one is masked.",
        tolerance=0,
    )


@step("100,000 tokens")
def long_text(row: Row) -> None:
    """Bytes of the whole map, of the rows and of a tile, against the length."""
    left, right = st.columns([1.6, 1], gap="medium", vertical_alignment="bottom")
    with left:
        n = max(LEAST, min(MOST, P.stops("Tokens", LENGTHS, default=ASKED, high=MOST)))
    with right:
        size = int(TILE.buttons("Side of a tile", {str(t): f"{t} × {t}" for t in TILES}, "128"))
    lines = [
        ("the whole map", map_bytes), (f"q, k, v and contexts, {D_HEAD} wide", rows_bytes),
        ("one tile with its sums", lambda _: NUMBER_BYTES * tile_floats(size, size, D_HEAD, D_HEAD)),
    ]  # fmt: skip
    question = map_question()
    told = "; ".join(f"{name} {decimal_bytes(b(n))}" for name, b in lines[1 - question.answered :])
    plot(held_bytes(lines, n, question.answered, **look()), f"Bytes at {n:,} tokens: {told}.", "held_bytes")
    asked, said = st.columns([1.2, 1], gap="medium") if question.answered else (st.container(), None)
    with asked:
        predict(question)
    if said:
        with said, st.container(key="takeaway_bytes"):
            st.markdown(
                f"The map grows with the square of the length, the rows with the length: at {n:,} tokens "
                f"**{decimal_bytes(map_bytes(n))}** against {decimal_bytes(rows_bytes(n))} and one tile. No product is saved; what is "
                "saved is memory and the way to it.",
                help="FlashAttention, Dao et al. 2022 (arXiv 2205.14135): a tile stays in the chip’s own fast memory, so the "
                "scores are never written to the large one and read back. Real programs keep the running sums in 32 bits.",
            )


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
    )
