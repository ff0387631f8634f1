"""How many blocks of a pool stand side by side."""

MOST_SLOTS, FEW = 22, 12  # slots side by side at most, in a small pool


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
