"""A cache that keeps the newest tokens only, and perhaps the very first: window and attention sinks (Xiao et al. 2023).

Memory stops growing with the text. What falls out of the window is gone; models that put weight on their first token whatever
it says, a "sink", break when that token goes, and keeping one to four of them mends it.

A token keeps its place in the text, so that a distance means what it meant. (In the paper it stands at its place among what is kept,
so that a text may be longer than anything the model was trained on; keys then move as others leave.)
"""

import numpy as np

from engine.cache import Cache, check_room


class WindowCache(Cache):
    """The last `window` tokens, the current one included, and the first `n_sinks`; at most n_sinks + window keys are seen,
    and between two passes one fewer is held, because the next token is the newest of its own window.

    Law: the rows are those of a mask that shows just these keys, however the text is cut into passes.
    """

    def __init__(self, model, n_ctx: int, window: int, n_sinks: int = 0):
        if n_ctx < 1 or window < 1 or n_sinks < 0:
            raise ValueError(
                f"expected n_ctx and window of at least 1 and n_sinks of at least 0, got {n_ctx}, {window}, {n_sinks}"
            )
        self.n_ctx, self.window, self.n_sinks = n_ctx, window, n_sinks
        empty = tuple(np.zeros((model.n_kv_head, 0, d), model.dtype) for d in (model.d_head, model.d_v))
        self._held = [empty] * model.n_layer
        self._new = list(self._held)  # the rows of the running pass
        self._places = np.zeros(0, int)  # in the text, of what is held
        self._n_seen = 0

    @classmethod
    def for_model(cls, model, n_ctx: int, window: int, n_sinks: int = 0) -> "WindowCache":
        """An empty cache for texts of up to `n_ctx` tokens."""
        return cls(model, n_ctx, window, n_sinks)

    @property
    def next_position(self) -> int:
        """The number of tokens before, dropped ones included."""
        return self._n_seen

    @property
    def n_tokens(self) -> int:
        return len(self._places)

    @property
    def kept_places(self) -> np.ndarray:
        """Where in the text the tokens held stood: (n_tokens,)."""
        return self._places.copy()

    @property
    def nbytes(self) -> int:
        """Bytes of the rows held."""
        return sum(k.nbytes + v.nbytes for k, v in self._held)

    def require_room(self, n_new: int) -> None:
        """Raises ValueError when the text would be longer than n_ctx tokens."""
        check_room(self._n_seen, n_new, self.n_ctx)

    def write(self, layer: int, k: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """What is held and the new rows."""
        self.require_room(k.shape[1])
        self._new[layer] = k.copy(), v.copy()
        old_k, old_v = self._held[layer]
        return np.concatenate([old_k, k], axis=1), np.concatenate([old_v, v], axis=1)

    def key_positions(self, layer: int) -> np.ndarray:
        """The places in the text of what is held and of the running pass."""
        return self._with_new(self._new[layer][0].shape[1])

    def narrowed(self, mask: np.ndarray, queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Without what has left the window of each query and is no sink."""
        return mask & ((keys > queries[:, None] - self.window) | (keys < self.n_sinks))

    def advance(self, n_new: int) -> None:
        """Drop what no later token may see."""
        if any(k.shape[1] != n_new for k, _ in self._new):
            raise ValueError(f"advance: expected {n_new} new rows in every layer, got {[k.shape[1] for k, _ in self._new]}")
        places = self._with_new(n_new)
        self._n_seen += n_new
        kept = (places > self._n_seen - self.window) | (places < self.n_sinks)
        for layer, rows in enumerate(zip(self._held, self._new, strict=True)):
            self._held[layer] = tuple(np.concatenate(pair, axis=1)[:, kept] for pair in zip(*rows, strict=True))
        self._new = [tuple(x[:, :0] for x in rows) for rows in self._new]
        self._places = places[kept]

    def _with_new(self, n_new: int) -> np.ndarray:
        """The places of what is held and of n_new tokens behind all that was seen."""
        return np.concatenate([self._places, np.arange(self._n_seen, self._n_seen + n_new)])
