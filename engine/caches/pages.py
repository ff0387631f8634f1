"""Paged caches: keys and values in blocks of a few tokens that lie anywhere in one pool, as vLLM keeps them (Kwon et al. 2023).

A contiguous cache reserves room for the longest sequence that may come. A paged one takes a block when a token needs it, and a
table says which block holds which tokens: of what is reserved only the rest of the last block is unused. Because a table may
name a block that another names too, two sequences with the same beginning can share it. A shared block is never written to:
whoever adds a token to one takes a copy of it first (copy on write).
"""

from collections.abc import Callable

import numpy as np

from engine.cache import Cache


class PagePool:
    """Room for `n_blocks` blocks of `block_size` tokens in all layers, and how many sequences hold each block.

    Storage: k (n_layer, n_kv_head, n_blocks · block_size, d_head), v with d_v. Block b has the slots from b · block_size on.
    """

    def __init__(self, n_layer: int, n_kv_head: int, n_blocks: int, block_size: int, d_head: int, d_v: int, dtype=np.float64):
        for name, size in (("n_blocks", n_blocks), ("block_size", block_size)):
            if size < 1:
                raise ValueError(f"{name}: expected at least 1, got {size}")
        self.n_layer, self.n_blocks, self.block_size = n_layer, n_blocks, block_size
        # Uninitialised memory is safe: a slot is handed out only after it has been written, see KVCache.
        self.k = np.empty((n_layer, n_kv_head, n_blocks * block_size, d_head), dtype)
        self.v = np.empty((n_layer, n_kv_head, n_blocks * block_size, d_v), dtype)
        self.holders = np.zeros(n_blocks, int)  # sequences that hold each block
        self.n_copied = 0  # blocks copied because somebody wrote to a shared one
        self.reclaim: Callable[[int], None] | None = None  # asked for n free blocks when there are fewer, see PrefixCache

    @classmethod
    def for_model(cls, model, n_blocks: int, block_size: int) -> "PagePool":
        """An empty pool of the model's shape and dtype."""
        return cls(model.n_layer, model.n_kv_head, n_blocks, block_size, model.d_head, model.d_v, model.dtype)

    def new(self) -> "PagedCache":
        """An empty sequence whose blocks come from this pool."""
        return PagedCache(self)

    @property
    def n_free(self) -> int:
        """Blocks that nobody holds."""
        return int((self.holders == 0).sum())

    @property
    def token_bytes(self) -> int:
        """Bytes of one token's keys and values in all layers."""
        return (self.k.nbytes + self.v.nbytes) // (self.n_blocks * self.block_size)

    def take(self) -> int:
        """The first free block, now held once. ValueError when there is none."""
        free = np.flatnonzero(self.holders == 0)
        if not free.size:
            raise ValueError(f"expected a free block, got a pool whose {self.n_blocks} blocks are all held")
        self.holders[free[0]] = 1
        return int(free[0])

    def slots(self, block: int) -> slice:
        """Where the block's tokens lie in `k` and `v`."""
        return slice(block * self.block_size, (block + 1) * self.block_size)


class PagedCache(Cache):
    """One sequence in pages: `table` names its blocks in order. What attention reads is gathered from them, in order.

    Law: every number a model computes behind it is the one behind a KVCache, however the blocks lie and whoever shares them.
    """

    def __init__(self, pool: PagePool, table: tuple[int, ...] = (), n_tokens: int = 0):
        """A sequence that begins with `n_tokens` tokens in the blocks of `table`, which others may hold too."""
        self.pool, self.table, self.n_tokens = pool, list(table), n_tokens
        self._written = [n_tokens] * pool.n_layer
        for block in table:
            pool.holders[block] += 1

    @classmethod
    def for_model(cls, model, n_ctx: int, block_size: int = 16) -> "PagedCache":
        """An empty sequence with a pool of its own, of as many blocks as `n_ctx` tokens need."""
        return PagePool.for_model(model, -(-n_ctx // max(block_size, 1)), block_size).new()

    @property
    def nbytes(self) -> int:
        """Bytes of the tokens held, as a KVCache counts them; `reserved_bytes` are those of whole blocks."""
        return self.n_tokens * self.pool.token_bytes

    @property
    def reserved_bytes(self) -> int:
        """Bytes of all blocks in the table, shared ones included."""
        return len(self.table) * self.pool.block_size * self.pool.token_bytes

    @property
    def waste(self) -> int:
        """Tokens that there is room for in the last block and that are not there."""
        return len(self.table) * self.pool.block_size - self.n_tokens

    def fork(self) -> "PagedCache":
        """A second sequence that shares every block so far, the unfinished last one too."""
        return PagedCache(self.pool, tuple(self.table), self.n_tokens)

    def release(self) -> None:
        """Give all blocks back; those that nobody else holds are free again. The sequence is empty then."""
        for block in self.table:
            self.pool.holders[block] -= 1
        self.table, self.n_tokens, self._written = [], 0, [0] * self.pool.n_layer

    def require_room(self, n_new: int) -> None:
        """Raises ValueError when the pool has too few free blocks for `n_new` more tokens, a copy of a shared one included."""
        if n_new < 0:
            raise ValueError(f"n_new: expected 0 or more, got {n_new}")
        needed = -(-(self.n_tokens + n_new) // self.pool.block_size) - len(self.table) + self._must_copy(n_new)
        if self.pool.reclaim is not None and needed > self.pool.n_free:
            self.pool.reclaim(needed)
        if needed > self.pool.n_free:
            raise ValueError(f"{n_new} more tokens need {needed} free blocks, got {self.pool.n_free} of {self.pool.n_blocks}")

    def write(self, layer: int, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Write the new rows into the sequence's own blocks; returns all rows gathered in order, a copy."""
        n_new = k.shape[1]
        end = self.n_tokens + n_new
        self._make_room(n_new)
        slots = self._slots(end)
        for rows, store in ((k, self.pool.k), (v, self.pool.v)):
            expected = (store.shape[1], n_new, store.shape[3])
            if rows.shape != expected:
                raise ValueError(f"layer {layer}: expected rows of shape {expected}, got {rows.shape}")
            store[layer][:, slots[self.n_tokens :]] = rows
        self._written[layer] = end
        # np.take gives rows side by side; an index would give another memory order, and sums another last bit.
        return np.take(self.pool.k[layer], slots, axis=1), np.take(self.pool.v[layer], slots, axis=1)

    def key_positions(self, layer: int) -> range:
        """All of them in order: the gathering has undone what the table did."""
        return range(self._written[layer])

    def advance(self, n_new: int) -> None:
        """The new rows belong to the sequence. ValueError when a layer was left out."""
        if min(self._written) < self.n_tokens + n_new:
            raise ValueError(f"advance: expected {n_new} new rows in every layer, got {self._written} rows")
        self.n_tokens += n_new

    def _slots(self, n: int) -> np.ndarray:
        """Where the first n tokens lie: (n,)."""
        size = self.pool.block_size
        blocks = np.array(self.table, int)[:, None] * size
        return (blocks + np.arange(size)).ravel()[:n]

    def _must_copy(self, n_new: int) -> bool:
        """Whether the next token goes into a block that somebody else holds too."""
        last, offset = divmod(self.n_tokens, self.pool.block_size)
        return n_new > 0 and offset > 0 and self.pool.holders[self.table[last]] > 1

    def _make_room(self, n_new: int) -> None:
        """Blocks of its own for the new tokens; a block that it shares is copied before the first write."""
        self.require_room(n_new)
        if self._must_copy(n_new):
            last = self.n_tokens // self.pool.block_size
            shared, own = self.table[last], self.pool.take()
            for store in (self.pool.k, self.pool.v):
                store[:, :, self.pool.slots(own)] = store[:, :, self.pool.slots(shared)]
            self.pool.holders[shared] -= 1
            self.pool.n_copied += 1
            self.table[last] = own
        while len(self.table) * self.pool.block_size < self.n_tokens + n_new:
            self.table.append(self.pool.take())
