"""How many query–key pairs a pass computes, and how many keys it reads."""


def visible_pairs(n_new: int, n_past: int = 0, window: int = 0) -> int:
    """Query–key pairs that the causal mask (and a window, if not 0) leaves: the query at position p sees min(p + 1, window) keys.

    Without a window: n_new · n_past + n_new (n_new + 1) / 2, half of a dense prefill.

    >>> visible_pairs(4), visible_pairs(1, n_past=4), visible_pairs(4, window=2)
    (10, 5, 7)
    """
    first, last = n_past + 1, n_past + n_new  # keys that the first and the last query would see without a window
    if not window or last <= window:
        return (first + last) * n_new // 2
    n_growing = max(0, window - n_past)  # queries that still see everything
    return (first + n_past + n_growing) * n_growing // 2 + (n_new - n_growing) * window


def dense_pairs(n_new: int, n_past: int = 0, window: int = 0) -> int:
    """Pairs that a kernel computes which does not skip what the mask hides: each query with every key that any of them sees."""
    return n_new * keys_seen(n_new, n_past, window)


def keys_seen(n_new: int, n_past: int = 0, window: int = 0) -> int:
    """Different keys that the pass reads: all n_past + n_new, or with a window those within reach of the first query."""
    return min(n_past + n_new, n_new + window - 1) if window else n_past + n_new
