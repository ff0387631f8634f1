"""A cache whose older rows are kept in 8, 4 or 2 bits, packed, and read as what they have become.

Rows are rounded when their pass is over, so a pass sees its own tokens as they are. Where a group runs over several tokens, as
it does for channels, they wait in full until there are `group` of them; and the newest `residual` tokens are never rounded.
"""

import numpy as np

from engine.cache import Cache, check_room
from engine.caches.quantised import Quantised, check_quantisation, quantise

OVER_TOKENS = ("tensor", "channel")  # whose groups run over several tokens


class QuantisedCache(Cache):
    """Every token is held, older ones rounded: keys grouped by `key_groups`, values by `value_groups`, see `quantise`.

    Law: with positions and order untouched, the only difference from a KVCache is at most half a step in each number.
    """

    def __init__(self, model, n_ctx: int, bits: int, key_groups: str, value_groups: str, group: int, residual: int):
        for groups, d in ((key_groups, model.d_head), (value_groups, model.d_v)):
            check_quantisation(bits, groups, group, d)
        if n_ctx < 1 or residual < 0:
            raise ValueError(f"expected n_ctx of at least 1 and residual of at least 0, got {n_ctx} and {residual}")
        self.n_ctx, self.bits, self.group, self.residual = n_ctx, bits, group, residual
        self._groups = key_groups, value_groups
        self._rounded: list[tuple[list[Quantised], list[Quantised]]] = [([], []) for _ in range(model.n_layer)]
        empty = [np.zeros((model.n_kv_head, 0, d), model.dtype) for d in (model.d_head, model.d_v)]
        self._full = [list(empty) for _ in range(model.n_layer)]  # rows not rounded yet, behind the rounded ones
        self._new = [list(empty) for _ in range(model.n_layer)]  # rows of the running pass
        self.n_tokens = 0

    @classmethod
    def for_model(
        cls,
        model,
        n_ctx: int,
        bits: int = 2,
        key_groups: str = "channel",
        value_groups: str = "token",
        group: int = 32,
        residual: int = 0,
    ) -> "QuantisedCache":
        """An empty cache for up to `n_ctx` tokens. The defaults are KIVI's: each channel of keys, each token of values."""
        return cls(model, n_ctx, bits, key_groups, value_groups, group, residual)

    @property
    def nbytes(self) -> int:
        """Bytes of all that is kept: codes, lows and steps, and the rows that still wait in full."""
        rounded = sum(block.nbytes for layer in self._rounded for part in layer for block in part)
        return rounded + sum(rows.nbytes for layer in self._full for rows in layer)

    def require_room(self, n_new: int) -> None:
        """Raises ValueError when there would be more than n_ctx tokens."""
        check_room(self.n_tokens, n_new, self.n_ctx)

    def write(self, layer: int, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The rounded rows as numbers again, the rows in full, and the new ones."""
        self.require_room(k.shape[1])
        self._new[layer] = [k.copy(), v.copy()]
        parts = zip(self._rounded[layer], self._full[layer], (k, v), strict=True)
        return tuple(np.concatenate([*(block.rows() for block in rounded), full, new], axis=1) for rounded, full, new in parts)

    def key_positions(self, layer: int) -> range:
        """All of them in order."""
        return range(self.n_tokens + self._new[layer][0].shape[1])

    def advance(self, n_new: int) -> None:
        """Round what is old enough and complete."""
        if any(rows.shape[1] != n_new for layer in self._new for rows in layer):
            raise ValueError(f"advance: expected {n_new} new rows in every layer")
        self.n_tokens += n_new
        for layer, new in enumerate(self._new):
            for part, groups in enumerate(self._groups):
                self._full[layer][part] = np.concatenate([self._full[layer][part], new[part]], axis=1)
                self._round(layer, part, groups)
            self._new[layer] = [rows[:, :0] for rows in new]

    def _round(self, layer: int, part: int, groups: str) -> None:
        """Move rows from those in full to the rounded ones, in blocks of `group` tokens where groups need them."""
        rows = self._full[layer][part]
        n = max(0, rows.shape[1] - self.residual)
        size = self.group if groups in OVER_TOKENS else max(n, 1)
        for start in range(0, n - size + 1, size):
            block = quantise(rows[:, start : start + size], self.bits, groups, self.group)
            self._rounded[layer][part].append(block)
        self._full[layer][part] = rows[:, n // size * size :].copy()
