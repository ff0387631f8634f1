"""A cache that keeps the newest tokens and those that have been looked at most, the heavy hitters (H2O, Zhang et al. 2023).

Each key/value head keeps its own: a token's weight is the sum of all attention it has received from the head's queries, counted
while it is held. What has little of it is dropped for good, though a later token might have asked for exactly that one.
"""

import numpy as np

from engine.cache import Cache, check_room


class HeavyHitterCache(Cache):
    """The last `n_recent` tokens, and of the older ones the `n_heavy` with the most weight so far, for each head its own.

    A pass sees all of these and its own tokens; what is too much is dropped when it is over. Positions are those in the text.
    """

    wants_weights = True

    def __init__(self, model, n_ctx: int, n_recent: int, n_heavy: int):
        if n_ctx < 1 or n_recent < 1 or n_heavy < 0:
            raise ValueError(
                f"expected n_ctx and n_recent of at least 1, n_heavy of at least 0, got {n_ctx}, {n_recent}, {n_heavy}"
            )
        self.n_ctx, self.n_recent, self.n_heavy = n_ctx, n_recent, n_heavy
        heads = model.n_kv_head
        k, v = (np.zeros((heads, 0, d), model.dtype) for d in (model.d_head, model.d_v))
        # Of each layer: keys, values, positions in the text, weight received; (n_kv_head, n, …).
        self._held = [(k, v, np.zeros((heads, 0), int), np.zeros((heads, 0)))] * model.n_layer
        self._read = list(self._held)
        self._n_seen = 0

    @classmethod
    def for_model(cls, model, n_ctx: int, n_recent: int, n_heavy: int) -> "HeavyHitterCache":
        """An empty cache for texts of up to `n_ctx` tokens."""
        return cls(model, n_ctx, n_recent, n_heavy)

    @property
    def next_position(self) -> int:
        """The number of tokens before, dropped ones included."""
        return self._n_seen

    @property
    def n_tokens(self) -> int:
        """Tokens held by each head."""
        return self._held[0][2].shape[1]

    @property
    def nbytes(self) -> int:
        """Bytes of the rows held, and of the weight noted for each."""
        return sum(part.nbytes for layer in self._held for part in layer)

    def kept_places(self, layer: int) -> np.ndarray:
        """Where in the text the tokens held stood: (n_kv_head, n_tokens)."""
        return self._held[layer][2].copy()

    def received(self, layer: int) -> np.ndarray:
        """The attention that each token held has received so far: (n_kv_head, n_tokens)."""
        return self._held[layer][3].copy()

    def require_room(self, n_new: int) -> None:
        """Raises ValueError when the text would be longer than n_ctx tokens."""
        check_room(self._n_seen, n_new, self.n_ctx)

    def write(self, layer: int, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is held and the new rows behind it."""
        heads, n_new = k.shape[:2]
        self.require_room(n_new)
        places = np.tile(np.arange(self._n_seen, self._n_seen + n_new), (heads, 1))
        new = k, v, places, np.zeros((heads, n_new))
        self._read[layer] = tuple(np.concatenate([a, b], axis=1) for a, b in zip(self._held[layer], new, strict=True))
        return self._read[layer][:2]

    def key_positions(self, layer: int) -> np.ndarray:
        """Positions in the text, other ones for each head: (n_kv_head, n)."""
        return self._read[layer][2]

    def observe(self, layer: int, weights: np.ndarray) -> None:
        """Add the weight that each key receives in this pass, from all queries of its group."""
        k, v, places, received = self._read[layer]
        of_group = weights.reshape(len(k), -1, weights.shape[-1])  # (n_kv_head, group · n_new, n)
        self._read[layer] = k, v, places, received + of_group.sum(axis=1)

    def advance(self, n_new: int) -> None:
        """Keep the newest and the heaviest of the others; of equals the earlier."""
        if any(layer[2].shape[1] != self.n_tokens + n_new for layer in self._read):
            raise ValueError(f"advance: expected {n_new} new rows in every layer")
        self._n_seen += n_new
        self._held = [self._kept(*layer) for layer in self._read]
        self._read = list(self._held)

    def _kept(self, k: np.ndarray, v: np.ndarray, places: np.ndarray, received: np.ndarray) -> tuple[np.ndarray, ...]:
        if places.shape[1] <= self.n_recent + self.n_heavy:
            return k, v, places, received
        rank = np.where(places >= self._n_seen - self.n_recent, np.inf, received)
        heaviest = np.argsort(-rank, axis=1, kind="stable")[:, : self.n_recent + self.n_heavy]
        order = np.sort(heaviest, axis=1)  # rows stay in the order of the text
        rows = (np.take_along_axis(x, order[..., None], axis=1) for x in (k, v))
        return (*rows, np.take_along_axis(places, order, axis=1), np.take_along_axis(received, order, axis=1))
