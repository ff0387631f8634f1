"""Where the blocks of a pool stand: a lane for each sequence, in it its blocks in their order; a block that neighbours share at one place
stands across their lanes, so that a fork is seen as one."""

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

MOST_SLOTS, MOST_ON_PHONE = 16, 5  # slots side by side


class Held(NamedTuple):
    """A block, in which column of its band it stands, from which lane to which, and who holds it."""

    block: int
    column: int
    first: int
    last: int
    names: tuple[str, ...]


class Band(NamedTuple):
    """Lanes beneath each other, each with the names of who has it, and the blocks in them."""

    lanes: Sequence[tuple[str, ...]]
    held: Sequence[Held]


def blocks_side_by_side(longest: int, size: int, phone: bool) -> int:
    """Blocks of a sequence in one line: all where there is room for their slots.

    >>> blocks_side_by_side(2, 4, False), blocks_side_by_side(12, 4, False), blocks_side_by_side(2, 4, True)
    (2, 4, 1)
    """
    return max(1, min(longest, (MOST_ON_PHONE if phone else MOST_SLOTS) // size))


def bands(tables: Mapping[str, Sequence[int]], across: int) -> list[Band]:
    """As many blocks of each table as stand side by side make a band; where there are several bands, sequences that hold the same blocks
    in one share a lane of it.

    >>> [band.lanes for band in bands({"A": (0, 1), "B": (0, 2)}, 1)]
    [[('A', 'B')], [('A',), ('B',)]]
    >>> [(held.block, held.first, held.last) for held in bands({"A": (0, 1), "B": (0, 2)}, 2)[0].held]
    [(0, 0, 1), (1, 0, 0), (2, 1, 1)]
    """
    longest, found = max(map(len, tables.values()), default=0), []
    for start in range(0, longest, across):
        parts = {name: tuple(table[start : start + across]) for name, table in tables.items()}
        names = [name for name, part in parts.items() if part]
        together = longest > across
        lanes = [tuple(group) for _, group in groupby(names, key=lambda name: parts[name] if together else name)]
        found.append(Band(lanes, _held(lanes, [parts[lane[0]] for lane in lanes], across)))
    return found


def _held(lanes: Sequence[tuple[str, ...]], parts: Sequence[Sequence[int]], across: int) -> list[Held]:
    """The blocks of a band, column by column."""
    held = []
    for column in range(across):
        there = [k for k, part in enumerate(parts) if column < len(part)]
        for block, run in groupby(there, key=lambda k: parts[k][column]):
            run = list(run)
            held.append(Held(block, column, run[0], run[-1], sum((lanes[k] for k in run), ())))
    return held
