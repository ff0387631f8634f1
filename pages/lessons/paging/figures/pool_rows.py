"""How many blocks of a pool stand side by side, and how high their rows are."""

from engine.caches.pool_story import PoolFrame

MOST_SLOTS, FEW = 22, 12  # slots side by side at most, in a small pool
FREE, MOST_HIGH = 30.0, 128.0  # pixels of a row of blocks that are all free, and of one that is not


def across_on_phone(n_blocks: int, size: int) -> int:
    """Blocks side by side on a phone: one, whose words can be read, or slots for a few of them; of very many blocks more.

    >>> across_on_phone(5, 4), across_on_phone(11, 2), across_on_phone(21, 1), across_on_phone(3, 8)
    (1, 2, 4, 1)
    """
    few = max(1, 4 // size)
    return few if n_blocks <= 6 * few else max(1, 8 // size)


def blocks_across(n_blocks: int, size: int) -> int:
    """Blocks side by side: about FEW slots where that makes two rows at most, else up to MOST_SLOTS; rows of equal length.

    >>> blocks_across(5, 4), blocks_across(11, 4), blocks_across(21, 2)
    (3, 4, 11)
    """
    few = max(1, FEW // size)
    across = few if n_blocks <= 2 * few else max(1, MOST_SLOTS // size)
    return -(-n_blocks // -(-n_blocks // min(across, n_blocks)))


def heights(frame: PoolFrame, across: int, cell: float) -> list[float]:
    """Pixels of each row of blocks, all of them as many in all: low where all are free, so that words are larger where some are held."""
    held = [any(frame.holders[k : k + across] > 0) for k in range(0, len(frame.holders), across)]
    free = held.count(False)
    if not free or free == len(held):
        return [cell] * len(held)
    low = min(cell, FREE)
    return [min(MOST_HIGH, cell + free * (cell - low) / held.count(True)) if some else low for some in held]
