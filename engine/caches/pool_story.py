"""A page pool at work, event by event: a prompt comes in, its answer is forked, copied on write, given back, and taken again.

Every pass of the story runs twice, in pages and behind a plain cache, so that each frame can say whether pages change anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import KVCache
from engine.caches.pages import PagedCache, PagePool
from engine.compare import largest_gap
from engine.decode import decode_step
from engine.model import Model
from engine.prefill import prefill
from engine.sampling import greedy

NOTHING = -1  # in `slots`: no token lies there
N_DECODED = 4  # the most tokens behind the prompt of one sequence


@dataclass(frozen=True, eq=False)
class PoolFrame:
    """The pool after one event ("empty", "prefill", "decode", "fork" or "release") of the sequence `who`.

    tables, tokens: blocks and token ids of each sequence that is there, by name. holders: (n_blocks,), sequences that hold each
    block. slots: (n_blocks, block_size), the token id in each slot or NOTHING. written: (block, slot) of what the event wrote.
    copied: (shared block, its copy) or None. freed: blocks that nobody holds any more, left: that were given
    back and that others hold. gap: max |Δ logits| so far against plain
    caches. spoiled: whether some of those logits are no numbers.
    """

    event: str
    who: str
    tables: dict[str, tuple[int, ...]]
    tokens: dict[str, tuple[int, ...]]
    holders: np.ndarray
    slots: np.ndarray
    written: tuple[tuple[int, int], ...] = ()
    copied: tuple[int, int] | None = None
    freed: tuple[int, ...] = ()
    left: tuple[int, ...] = ()
    gap: float = 0.0
    spoiled: bool = False

    @property
    def n_held(self) -> int:
        """Blocks that somebody holds."""
        return int((self.holders > 0).sum())

    @property
    def n_unused(self) -> int:
        """Slots of held blocks in which no token lies."""
        return int((self.slots[self.holders > 0] == NOTHING).sum())


class _Story:
    """The sequences of the story, each in pages and behind a plain cache, and the frames so far."""

    def __init__(self, model: Model, n_blocks: int, block_size: int, n_ctx: int):
        self.model, self.n_ctx = model, n_ctx
        self.pool = PagePool.for_model(model, n_blocks, block_size)
        self.paged: dict[str, PagedCache] = {}
        self.plain: dict[str, KVCache] = {}
        self.tokens: dict[str, tuple[int, ...]] = {}
        self.logits: dict[str, np.ndarray] = {}
        self.gap, self.spoiled, self.frames = 0.0, False, []
        self._frame("empty", "")

    def run(self, event: str, who: str, ids: Sequence[int]) -> None:
        """A pass over `ids` behind what `who` holds, in pages and plainly."""
        if who not in self.paged:
            self.paged[who], self.tokens[who] = self.pool.new(), ()
            self.plain[who] = KVCache.for_model(self.model, self.n_ctx)
        cache, before, table = self.paged[who], self.paged[who].n_tokens, tuple(self.paged[who].table)
        paged, plain = (prefill(self.model, ids, c) for c in (cache, self.plain[who]))
        self.gap = max(self.gap, largest_gap(paged.logits, plain.logits))
        self.spoiled |= not np.isfinite(paged.logits).all()
        self.logits[who], self.tokens[who] = self.model.next_logits(paged)[-1], self.tokens[who] + tuple(ids)
        size = self.pool.block_size
        written = tuple((cache.table[i // size], i % size) for i in range(before, cache.n_tokens))
        copied = next(((old, new) for old, new in zip(table, cache.table, strict=False) if old != new), None)
        self._frame(event, who, written=written, copied=copied)

    def fork(self, who: str, other: str) -> None:
        """`other` begins with all that `who` holds."""
        self.paged[other], self.tokens[other] = self.paged[who].fork(), self.tokens[who]
        self.plain[other] = KVCache.for_model(self.model, self.n_ctx)
        for ids in ([*self.tokens[who][:-1]], [self.tokens[who][-1]]):  # in the same passes, or sums would round otherwise
            prefill(self.model, ids, self.plain[other])
        self.logits[other] = self.logits[who]
        self._frame("fork", other)

    def release(self, who: str) -> None:
        """`who` gives its blocks back."""
        held = list(self.paged[who].table)
        self.paged.pop(who).release()
        del self.tokens[who]
        freed, left = (tuple(b for b in held if bool(self.pool.holders[b]) == others) for others in (False, True))
        self._frame("release", who, freed=freed, left=left)

    def likeliest(self, who: str, place: int) -> int:
        """The word at a place among the likeliest next ones of `who`, the last where there are fewer."""
        left = list(range(self.model.n_vocab))
        for _ in range(min(place, len(left) - 1)):
            del left[greedy(self.logits[who][left])]
        return left[greedy(self.logits[who][left])]

    def _frame(self, event: str, who: str, **what) -> None:
        slots = np.full((self.pool.n_blocks, self.pool.block_size), NOTHING)
        for name, cache in self.paged.items():
            for i, token in enumerate(self.tokens[name]):
                slots[cache.table[i // slots.shape[1]], i % slots.shape[1]] = token
        tables = {name: tuple(cache.table) for name, cache in self.paged.items()}
        frame = PoolFrame(
            event, who, tables, dict(self.tokens), self.pool.holders.copy(), slots, gap=self.gap, spoiled=self.spoiled, **what
        )
        self.frames.append(frame)


def pool_story(model: Model, prompt_ids: Sequence[int], other_ids: Sequence[int], block_size: int) -> tuple[PoolFrame, ...]:
    """A is the prompt, B a second answer to it, C another prompt that comes when A has gone: 11 frames.

    A goes on with the likeliest word, B with the second likeliest.
    """
    longest = max(len(prompt_ids), len(other_ids)) + N_DECODED
    story = _Story(model, 2 * -(-longest // block_size) + 1, block_size, longest)
    story.run("prefill", "A", prompt_ids)
    story.run("decode", "A", [story.likeliest("A", 0)])
    story.fork("A", "B")
    story.run("decode", "B", [story.likeliest("B", 1)])
    story.run("decode", "A", [story.likeliest("A", 0)])
    story.run("decode", "B", [story.likeliest("B", 0)])
    story.release("A")
    story.run("prefill", "C", other_ids)
    story.run("decode", "C", [story.likeliest("C", 0)])
    story.run("decode", "B", [story.likeliest("B", 0)])
    return tuple(story.frames)


def pool_of_answers(model: Model, prompt_ids: Sequence[int], n_answers: int, n_words: int, block_size: int) -> PagePool:
    """A pool in which `n_answers` answers to one prompt lie, each of `n_words` words that it has written itself."""
    n_blocks = n_answers * -(-(len(prompt_ids) + n_words) // block_size)
    pool = PagePool.for_model(model, n_blocks, block_size)
    first = pool.new()
    prefill(model, prompt_ids, first)
    for cache in [first, *(first.fork() for _ in range(n_answers - 1))]:
        for _ in range(n_words):
            decode_step(model, 0, cache)
    return pool
