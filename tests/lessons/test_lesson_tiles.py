"""Tiles: the running numbers are the engine's, the last block gives the whole, and the bytes are multiplied out."""

from functools import partial

import numpy as np
import pytest
from app_pages import BIG, commit, figures, press, text, visited

from engine import attention, causal_mask
from engine.caches import tiled_attention
from pages.lessons.tiles.maps import map_bytes, rows_bytes, trained_head

page = partial(visited, "tiles")


def written(at, nth):
    """What is written on the page's nth figure."""
    return figures(at)[nth][0]["data"][-1]["text"]


def test_the_running_context_of_the_articles_even_head():
    """Even, one key a block, 10 20 1 5: −8, +8, −8, +8. After each key: 10, then 20 twice, and 12.5 in the end."""
    said = []
    for tile in range(4):
        at = page(tile=str(tile))
        said.append(figures(at)[0][1].split("context so far ")[1])
    assert said == ["10.", "20.", "20.", "12.5."]
    assert "the context is **12.5**, that of the whole row at once, off by **0**" in text(at)
    assert "e⁻¹⁶" not in written(at, 0)
    assert "**by e⁻¹⁶**, as you predicted" in commit(at, "correction", "by e⁻¹⁶")
    assert "e⁻¹⁶" in written(at, 0)


def test_next_goes_a_block_on():
    at = page()
    press(at, "tile_next")
    assert "**Block 2** of 4" in text(at) and "keys 1 to 2 of 4 read" in figures(at)[0][1]


def test_one_key_is_still_to_come_and_one_block_has_nothing_to_correct():
    assert "1 is still to come" in text(page(tile="2"))
    at = page(key_block="4")
    assert "reads its whole row as one block" in text(at)
    assert "there is nothing to correct" in commit(at, "correction", "by 1: it stays")


def test_a_head_without_a_larger_score_is_never_corrected():
    at = page(head="4")
    assert "**by 1: it stays**, as you predicted" in commit(at, "correction", "by 1: it stays")


def test_the_trained_heads_tiles_are_the_whole_map_to_twelve_digits():
    q, k, v = (rows[None] for rows in trained_head())
    whole = attention(q, k, v, causal_mask(q.shape[1])).context
    for side in (8, 13, 26):
        np.testing.assert_allclose(tiled_attention(q, k, v, side), whole, rtol=0, atol=1e-12)
    at = page(map_tile="10")
    assert "**10**, as you predicted" in commit(at, "n_tiles", 10.0)  # 45 tokens in tiles of 13: 4 + 3 + 2 + 1
    assert "more than **169** of its 2,025 scores" in text(at)


def test_a_hundred_thousand_tokens_are_multiplied_out():
    assert map_bytes(100_000) == 20_000_000_000 and rows_bytes(100_000) == 2 * 4 * 100_000 * 128
    at = page()
    assert "20 GB" not in text(at) + str(written(at, 2))
    assert "Near enough:] **20 GB**; you predicted 20.2 GB" in commit(at, "map_bytes", 20.2)
    assert "<b>20 GB</b>" in str(written(at, 2)) and "**20 GB** against 102.4 MB" in text(at)


@pytest.mark.parametrize(
    "query",
    [
        {**BIG, "tile": "999", "key_block": "1", "head": "8", "p": "1", "tile_size": "7"},
        {"tokens": "a", "values": "0", "rules": "even", "empty": "nan", "key_block": "99", "tile_side": "1", "map_tile": "99"},
        {"p": "999999999", "sharpness": "32", "mask": "off", "tile_side": "26", "map_tile": "0"},
        {"rules": "last,none", "w_vocab": "x", "values": "-1000,1000,0,5", "sharpness": "0.01", "key_block": "3", "tile": "1"},
    ],
)  # fmt: skip
def test_extreme_links_show_a_lesson(query):
    at = page(query)
    assert len(figures(at)) == 3
    commit(at, "correction", next(r for r in at.radio if r.key == "guess_correction").options[0])
