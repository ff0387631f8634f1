"""How much one token leaves behind in a cache, in numbers: it depends on how many heads have keys and values of their own."""

from __future__ import annotations


def floats_per_token(n_key_head: int, d_head: int, n_value_head: int, d_v: int, n_layer: int = 1) -> int:
    """Keys and values of one token in all layers.

    The article's toy: 65 with one key and one value for all heads, 257 with four keys and one value as in its listing, 260 with
    four of each.

    >>> [floats_per_token(k, 64, v, 1) for k, v in ((1, 1), (4, 1), (4, 4))]
    [65, 257, 260]
    """
    return n_layer * (n_key_head * d_head + n_value_head * d_v)
