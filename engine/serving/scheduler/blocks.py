"""The blocks of one instance: how many are held, which full ones are shared by name, and who goes when room is needed.

A block that belongs to one sequence is only counted. A full block of a prompt's beginning has a name that covers all before it;
sequences that begin alike hold it together. When nobody holds it any more it stays, for the next one, until its room is needed:
then the one goes whose last use is longest ago, and of equals the one furthest from the beginning (as in engine.caches.prefixes).
"""

from collections.abc import Hashable, Sequence

Keys = tuple[Hashable, ...]
BLOCK = 16  # tokens, as in vLLM


def blocks_of(n_tokens: int) -> int:
    """Blocks that hold so many tokens, the last one perhaps not full."""
    return -(-n_tokens // BLOCK)


class Blocks:
    """Law: held + idle blocks are never more than n_blocks. An idle block is free to whoever needs it."""

    def __init__(self, n_blocks: int):
        self.n_blocks, self.n_held = n_blocks, 0
        self._holders: dict[Hashable, int] = {}
        self._idle: dict[Hashable, None] = {}  # kept, held by nobody; the first to go stands first
        self.dropped: list[Hashable] = []  # names that have gone for others' room

    @property
    def n_free(self) -> int:
        """Blocks that nobody holds, those with something to remember included."""
        return self.n_blocks - self.n_held

    def hits(self, keys: Sequence[Hashable]) -> Keys:
        """The first of these names as far as they are all here."""
        n_hit = 0
        while n_hit < len(keys) and (keys[n_hit] in self._holders or keys[n_hit] in self._idle):
            n_hit += 1
        return tuple(keys[:n_hit])

    def to_take(self, n_own: int, keys: Keys) -> int:
        """Free blocks that go when a sequence takes n_own new ones and those of these names: held ones cost nothing."""
        return n_own + sum(key in self._idle for key in keys)

    def take(self, n_own: int, keys: Keys = ()) -> None:
        """Hold these named blocks and n_own new ones. ValueError where they are not free."""
        if self.to_take(n_own, keys) > self.n_free:
            raise ValueError(f"expected at most {self.n_free} free blocks, got {n_own} and {len(keys)} shared ones")
        for key in keys:
            self.n_held += key in self._idle
            self._idle.pop(key, None)
            self._holders[key] = self._holders.get(key, 0) + 1
        self.n_held += n_own
        while self.n_held + len(self._idle) > self.n_blocks:
            self.dropped.append(next(iter(self._idle)))
            del self._idle[self.dropped[-1]]

    def name(self, keys: Sequence[Hashable]) -> Keys:
        """Give a sequence's own blocks these names, where nobody else's have them; returns those that it now holds by name."""
        new = tuple(key for key in keys if key not in self._holders and key not in self._idle)
        self._holders.update(dict.fromkeys(new, 1))
        return new

    def release(self, n_own: int, keys: Keys = ()) -> None:
        """Give back own blocks and named ones, the last of the beginning first: it is the first to go."""
        self.n_held -= n_own
        for key in reversed(keys):
            self._holders[key] -= 1
            if not self._holders[key]:
                del self._holders[key]
                self.n_held -= 1
                self._idle[key] = None
