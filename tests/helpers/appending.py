"""The four caches that grow, done: numbered rows are really moved about, to hold the engine's closed forms against."""

import numpy as np

from engine.work.append_strategies import Append


def simulate(strategy, n_prompt, n_tokens, n_ctx, n_page):
    """Rows numbered 0 … N − 1 are appended to real arrays. Returns every arrival, and the rows as they lie."""
    blocks, used, appends = [np.empty(0, int)], 0, []
    for n_new in (n_prompt, *[1] * (n_tokens - n_prompt)):
        copied, after = 0, used + n_new
        while sum(map(len, blocks)) < after:
            blocks, moved = _grown(strategy, blocks, used, after, n_ctx, n_page)
            copied += moved
        for row in range(used, after):
            _write(blocks, row)
        appends.append(Append(used, after, copied, sum(map(len, blocks))))
        used = after
    return tuple(appends), np.concatenate(blocks)[:used]


def _grown(strategy, blocks, used, needed, n_ctx, n_page):
    """More room, and how many rows had to be copied for it."""
    if strategy == "pages":
        return [*blocks, np.empty(n_page, int)], 0
    room = {"concatenate": needed, "double": 2 * len(blocks[-1]) or needed, "preallocate": n_ctx}[strategy]
    larger = np.empty(room, int)
    larger[:used] = blocks[-1][:used]
    return [larger], used


def _write(blocks, row):
    """Write the row's number into its place, wherever that lies."""
    place = row
    for block in blocks:
        if place < len(block):
            block[place] = row
            return
        place -= len(block)
