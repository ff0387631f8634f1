"""A prefix cache: prompts that begin alike share the blocks of their beginning, and only the rest is computed.

A block is found by a hash of its tokens *and of the block before it*: keys and values depend on everything before them, so two
blocks with the same words mean the same only if all words before are the same too. One changed early token gives every later
block another hash. Only full blocks are kept, because an unfinished one would still change. A prompt that is there whole has
its last token computed all the same: the logits that choose the next word are kept nowhere (vLLM issue 7753).

Blocks that no sequence holds stay until room is needed. Then those go whose last use is longest ago, and of equals the one
with the longest prefix: a later block is of no use without the earlier ones, never the other way round.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from engine.caches.pages import PagedCache, PagePool
from engine.model import ForwardPass, Model


def block_hashes(token_ids: Sequence[int], block_size: int) -> list[str]:
    """A hash for each full block of the tokens, chained: each covers its own tokens and, by the one before, all earlier ones.

    >>> a, b = block_hashes([1, 2, 3, 4, 5], 2), block_hashes([1, 2, 3, 9], 2)
    >>> len(a), a[0] == b[0], a[1] == b[1]
    (2, True, False)
    """
    hashes, parent = [], ""
    for end in range(block_size, len(token_ids) + 1, block_size):
        tokens = ",".join(str(int(i)) for i in token_ids[end - block_size : end])
        parent = sha256(f"{parent}:{tokens}".encode()).hexdigest()
        hashes.append(parent)
    return hashes


def shared_tokens(n_common: int, block_size: int) -> int:
    """Tokens of a common beginning that full blocks can share.

    >>> shared_tokens(3000, 4096), shared_tokens(3000, 128)
    (0, 2944)
    """
    return n_common // block_size * block_size


@dataclass(frozen=True, eq=False)
class PrefixPrefill:
    """A prompt behind its cached beginning. cache: the sequence, to decode behind; run: the pass over what was not there."""

    cache: PagedCache
    run: ForwardPass
    hit_tokens: int
    computed_tokens: int


@dataclass
class _Block:
    """A kept block: where it lies in the pool, how many blocks go before it, and when it was last asked for."""

    block: int
    depth: int
    last_used: int


class PrefixCache:
    """Remembers full blocks of prompts in a pool and gives them to the next prompt that begins alike.

    The pool must hold blocks of one model only: hashes are of tokens, not of parameters.
    """

    def __init__(self, pool: PagePool):
        if pool.reclaim is not None:
            raise ValueError("expected a pool without a prefix cache, got one that has another")
        self.pool, pool.reclaim = pool, self.make_room
        self._kept: dict[str, _Block] = {}
        self._clock = 0

    @property
    def n_blocks(self) -> int:
        """Blocks that are remembered, whether a sequence holds them or not."""
        return len(self._kept)

    def hit_blocks(self, token_ids: Sequence[int]) -> list[str]:
        """The hashes of the prompt's first blocks as far as they are all here."""
        blocks = []
        for key in block_hashes(token_ids, self.pool.block_size):
            if key not in self._kept:
                break
            blocks.append(key)
        return blocks

    def prefill(self, model: Model, token_ids: Sequence[int]) -> PrefixPrefill:
        """Run only what is not there, and remember the prompt's full blocks. ValueError where the pool has no room.

        Law: the logits and everything decoded behind are those of a prefill of the whole prompt.
        """
        if len(token_ids) < 1:
            raise ValueError("token_ids: expected at least one token id, got none")
        hits = self.hit_blocks(token_ids)
        self._touch(hits)
        n_hit = min(len(hits) * self.pool.block_size, len(token_ids) - 1)  # of a full hit the last token runs again
        cache = PagedCache(self.pool, tuple(self._kept[key].block for key in hits), n_hit)
        try:
            run = model.forward(token_ids[n_hit:], cache)
        except Exception:
            cache.release()  # or its share of the blocks would be held for ever
            raise
        self.remember(token_ids, cache)
        return PrefixPrefill(cache, run, n_hit, len(token_ids) - n_hit)

    def remember(self, token_ids: Sequence[int], cache: PagedCache) -> None:
        """Keep the full blocks of a sequence that holds `token_ids`: a prompt, or a prompt with its answer for the next turn."""
        if len(token_ids) > cache.n_tokens:
            raise ValueError(f"expected a cache that holds the {len(token_ids)} tokens, got {cache.n_tokens}")
        keys = block_hashes(token_ids, self.pool.block_size)
        for depth, key in enumerate(keys):
            if key not in self._kept:
                self._kept[key] = _Block(cache.table[depth], depth, 0)
                self.pool.holders[cache.table[depth]] += 1
        self._touch(keys)

    def make_room(self, n_blocks: int) -> None:
        """Evict blocks that only this cache holds until `n_blocks` are free, or none is left to evict."""
        while self.pool.n_free < n_blocks:
            idle = [key for key, kept in self._kept.items() if self.pool.holders[kept.block] == 1]
            if not idle:
                return
            gone = self._kept.pop(min(idle, key=lambda key: (self._kept[key].last_used, -self._kept[key].depth)))
            self.pool.holders[gone.block] -= 1

    def _touch(self, keys: Sequence[str]) -> None:
        """These were asked for now, all at once: blocks of one prompt are equally recent."""
        self._clock += 1
        for key in keys:
            self._kept[key].last_used = self._clock
