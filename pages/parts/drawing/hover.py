"""What hovering over the cells of a heatmap says, as pieces that are put together where the figure is drawn.

Three maps of 256 cells each, the largest that have sentences, would take 1.6 ms and 5.7 kB more with every move if the server wrote
them all, the article's map 0.4 ms and 1.5 kB; a move takes some 20 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Rows:
    """A piece that is the same along each row."""

    words: Sequence[str]


@dataclass(frozen=True)
class Columns:
    """A piece that is the same down each column; nothing is said of a column whose piece is empty, the gap between two maps."""

    words: Sequence[str]


@dataclass(frozen=True)
class Value:
    """The cell's own number: four digits of it, or with `digits` so many after the point, or with `named` words for it.

    hidden: where the mask hides, the shape of the cells, and what is said there instead.
    """

    digits: int | None = None
    named: dict[int, str] | None = None
    hidden: np.ndarray | None = None
    instead: str = "−∞, hidden by the mask"

    def said(self, z: float, hidden: bool) -> str:
        """The number of one cell in words."""
        if hidden:
            return self.instead
        if self.named is not None:
            return self.named.get(int(z), "") if z == z else ""
        return f"{z:.4g}" if self.digits is None else f"{z:.{self.digits}f}"


class Hover(tuple[str | Rows | Columns | Value, ...]):
    """The pieces of one heatmap's sentences, in order."""

    def sentences(self, z: np.ndarray) -> list[list[str]]:
        """What is said of each cell: (rows, columns).

        >>> Hover(("of ", Rows(("a", "b")), ": ", Value(digits=1))).sentences(np.array([[0.25], [2.0]]))
        [['of a: 0.2'], ['of b: 2.0']]
        """
        return [[self._sentence(z, i, j) for j in range(z.shape[1])] for i in range(z.shape[0])]

    def _sentence(self, z: np.ndarray, i: int, j: int) -> str:
        said = []
        for piece in self:
            if isinstance(piece, Value):
                said.append(piece.said(z[i, j], piece.hidden is not None and bool(piece.hidden[i, j])))
            else:
                said.append(piece if isinstance(piece, str) else piece.words[i if isinstance(piece, Rows) else j])
        return "" if "" in said else "".join(said)
