"""A chat as a server bills it: at every turn the whole chat so far comes in again, and a prefix cache has most of it.

`chat_turns` counts by closed forms what PrefixCache counts by running (tests/engine/caches/test_chat_turns.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

WAYS = ("kept", "changed first", "nothing kept")
PER_TOKENS = 1_000_000  # what a price is for


@dataclass(frozen=True)
class Turn:
    """The input tokens of one turn: taken from the cache, computed and stored there, computed and not stored."""

    read: int
    written: int
    fresh: int

    @property
    def n_input(self) -> int:
        """All tokens that came in."""
        return self.read + self.written + self.fresh

    @property
    def computed(self) -> int:
        """Tokens that run through the model before the first word of the answer."""
        return self.written + self.fresh


def chat_turns(
    n_turns: int, n_system: int, n_message: int, n_answer: int, block_size: int = 1, way: str = "kept", answers: bool = False
) -> tuple[Turn, ...]:
    """The turns of a chat that begins with `n_system` tokens and adds a message and an answer at each turn.

    way: "kept"; "changed first", where the first token of every turn is another, so that nothing stored is ever found; "nothing
    kept". answers: whether the server keeps the answers that it wrote too, all but their last token, which was never fed back.

    >>> [(t.read, t.computed) for t in chat_turns(3, 100, 10, 20)]
    [(0, 110), (110, 30), (140, 30)]
    """
    if way not in WAYS:
        raise ValueError(f"way: expected one of {', '.join(WAYS)}, got {way!r}")
    turns = []
    for t in range(1, n_turns + 1):
        n_input = n_system + t * n_message + (t - 1) * n_answer
        stored = n_input - n_message - n_answer + (max(n_answer - 1, 0) if answers else 0) if t > 1 else 0
        read = stored // block_size * block_size if way == "kept" else 0
        written = n_input // block_size * block_size - read if way != "nothing kept" else 0
        turns.append(Turn(read, written, n_input - read - written))
    return tuple(turns)


def cost(turns: Sequence[Turn], read: float, write: float, fresh: float) -> float:
    """What the input of all turns costs at three prices for a million tokens.

    >>> round(cost([Turn(900_000, 0, 100_000)], 0.1, 1.25, 1.0), 3)
    0.19
    """
    return sum(t.read * read + t.written * write + t.fresh * fresh for t in turns) / PER_TOKENS


def reads_to_pay(read: float, write: float, fresh: float) -> int | None:
    """How often stored tokens must be read until they have cost less than computing them every time; None if never.

    >>> reads_to_pay(0.1, 1.25, 1.0), reads_to_pay(0.1, 1.0, 1.0), reads_to_pay(1.0, 1.25, 1.0), reads_to_pay(0.5, 1.5, 1.0)
    (1, 1, None, 2)
    """
    read, write, fresh = (Fraction(str(price)) for price in (read, write, fresh))
    if write < fresh:
        return 0
    return None if read >= fresh else (write - fresh) // (fresh - read) + 1
