"""How much of what is set aside for caches holds tokens: room for the longest sequence, or blocks as they are needed.

A cache in one piece must be as long as its sequence may become, because nobody knows where the answer will end. In pages only
the rest of the last block is set aside for nothing. What servers measured in 2023 is in `MEASURED`.
"""

from collections.abc import Sequence

# Shares of the memory for caches in which tokens lay: Kwon et al. 2023 (arXiv 2309.06180), Figure 2. The three earlier ways
# reserve for the longest sequence, for the next power of two, and for the length that only an oracle knows.
MEASURED = {"earlier": (0.204, 0.382), "paged": 0.963}


def in_one_piece(lengths: Sequence[int], longest: int) -> int:
    """Slots that sequences reserve when each may become `longest` tokens.

    >>> in_one_piece((100, 900), 2048)
    4096
    """
    return len(lengths) * longest


def in_pages(lengths: Sequence[int], block_size: int) -> int:
    """Slots of the blocks that the sequences need.

    >>> in_pages((100, 900), 16)
    1024
    """
    return sum(-(-n // block_size) * block_size for n in lengths)


def mean_waste(longest: int, block_size: int) -> float:
    """Slots that stay empty in the last block, on average over all lengths from 1 to `longest`.

    >>> mean_waste(2048, 16)
    7.5
    """
    return sum(-n % block_size for n in range(1, longest + 1)) / longest
