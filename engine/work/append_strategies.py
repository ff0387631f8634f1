"""Where the next row goes: four ways to let a cache grow, and how many old rows each copies on the way.

    concatenate  a new array for every token, all old rows copied into it (what np.concatenate and torch.cat do)
    double       when the array is full, one of twice the size; the old rows are copied, seldom enough that it averages out
    preallocate  room for the longest sequence from the start (engine.cache does this); nothing is ever copied
    pages        a further small array when the last one is full; nothing is copied, but the rows no longer lie side by side

A prompt of P tokens arrives at once, then N − P tokens one by one. Rows are counted, not bytes: a row is one token's keys and
values in all layers.
"""

from dataclasses import dataclass

from engine.counts import sum_of_integers

STRATEGIES = ("concatenate", "double", "preallocate", "pages")


@dataclass(frozen=True)
class Growth:
    """What N rows cost. copied: rows copied in all. reserved: rows that there is room for at the end, unused ones included.
    peak: most rows reserved at one time, which is while an old array is being copied into a new one. used: N."""

    copied: int
    reserved: int
    peak: int
    used: int

    @property
    def waste(self) -> int:
        """Rows reserved and not used."""
        return self.reserved - self.used


@dataclass(frozen=True)
class Append:
    """One arrival. before, after: rows held before and after it; copied: old rows that moved; reserved: room afterwards."""

    before: int
    after: int
    copied: int
    reserved: int


def growth(strategy: str, n_prompt: int, n_tokens: int, n_ctx: int, n_page: int = 16) -> Growth:
    """The closed form. With S(n) = 1 + … + n, concatenating copies S(N − 1) − S(P − 1) rows, which is N(N − 1)/2 for P = 1;
    doubling P, 2P, 4P, … copies P(2ᵏ − 1) rows in k moves, fewer than 2N. Raises ValueError for sizes that do not fit.

    >>> [growth(s, 1, 8, n_ctx=64, n_page=16).copied for s in STRATEGIES]
    [28, 7, 0, 0]
    """
    _check(strategy, n_prompt, n_tokens, n_ctx, n_page)
    if strategy == "concatenate":
        copied = sum_of_integers(n_tokens - 1) - sum_of_integers(n_prompt - 1)
        return Growth(copied, n_tokens, n_tokens if n_tokens == n_prompt else 2 * n_tokens - 1, n_tokens)
    if strategy == "double":
        moves = (-(-n_tokens // n_prompt) - 1).bit_length()  # the smallest k with P · 2ᵏ ≥ N
        reserved = n_prompt << moves
        return Growth(reserved - n_prompt, reserved, reserved + (reserved // 2 if moves else 0), n_tokens)
    reserved = n_ctx if strategy == "preallocate" else -(-n_tokens // n_page) * n_page
    return Growth(0, reserved, reserved, n_tokens)


def _check(strategy: str, n_prompt: int, n_tokens: int, n_ctx: int, n_page: int) -> None:
    if strategy not in STRATEGIES:
        raise ValueError(f"strategy: expected one of {', '.join(STRATEGIES)}, got {strategy!r}")
    if not 1 <= n_prompt <= n_tokens:
        raise ValueError(f"expected 1 or more prompt tokens and no fewer tokens in all, got {n_prompt} and {n_tokens}")
    if n_page < 1:
        raise ValueError(f"n_page: expected at least 1, got {n_page}")
    if strategy == "preallocate" and n_tokens > n_ctx:
        raise ValueError(f"expected at most n_ctx = {n_ctx} tokens, got {n_tokens}")
