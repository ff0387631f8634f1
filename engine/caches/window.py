"""A cache that keeps the newest tokens only, and perhaps the very first: window and attention sinks (Xiao et al. 2023).

Memory stops growing with the text. What falls out of the window is gone; models that put weight on their first token whatever
it says, a "sink", break when that token goes, and keeping one to four of them mends it.

Where a token stands can be said in two ways. "original": its place in the text, so that a distance means what it meant. "in the
cache": its place among what is kept, so that no position is ever larger than the cache and the text may be longer than anything
the model was trained on; then keys must move as others leave, which a model says how to do (`move_keys`). They move when a pass
is over, so a prompt longer than the window gives the paper's rows only when it is fed token by token.
"""

import numpy as np

from engine.cache import Cache, check_room

POSITIONS = ("original", "in the cache")


class WindowCache(Cache):
    """The last `window` tokens, the current one included, and the first `n_sinks`; at most n_sinks + window keys are seen,
    and between two passes one fewer is held, because the next token is the newest of its own window.

    Law: with positions "original" the rows are those of a mask that shows just these keys, however the text is cut into passes.
    """

    def __init__(self, model, n_ctx: int, window: int, n_sinks: int = 0, positions: str = "original"):
        if n_ctx < 1 or window < 1 or n_sinks < 0:
            raise ValueError(
                f"expected n_ctx and window of at least 1 and n_sinks of at least 0, got {n_ctx}, {window}, {n_sinks}"
            )
        if positions not in POSITIONS:
            raise ValueError(f"positions: expected one of {', '.join(POSITIONS)}, got {positions!r}")
        self.n_ctx, self.window, self.n_sinks, self.positions = n_ctx, window, n_sinks, positions
        self._move = None if positions == "original" else _mover(model)
        empty = tuple(np.zeros((model.n_kv_head, 0, d), model.dtype) for d in (model.d_head, model.d_v))
        self._held = [empty] * model.n_layer  # keys as they were computed
        self._new = list(self._held)  # the rows of the running pass
        self._places = np.zeros(0, int)  # in the text, of what is held
        self._computed_at = np.zeros(0, int)  # the positions that the keys held were computed for
        self._n_seen = 0

    @classmethod
    def for_model(cls, model, n_ctx: int, window: int, n_sinks: int = 0, positions: str = "original") -> "WindowCache":
        """An empty cache for texts of up to `n_ctx` tokens; "in the cache" needs a model whose keys can be moved."""
        return cls(model, n_ctx, window, n_sinks, positions)

    @property
    def next_position(self) -> int:
        """The number of tokens before, in the text or in the cache."""
        return self._n_seen if self._move is None else len(self._places)

    @property
    def n_tokens(self) -> int:
        """Tokens held."""
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
        """What is held and the new rows; keys stand where their positions say, moved if need be."""
        self.require_room(k.shape[1])
        self._new[layer] = k.copy(), v.copy()
        old_k, old_v = self._held[layer]
        by = np.arange(len(self._places)) - self._computed_at  # from there each time, so that no rounding adds up
        if self._move is not None and by.any():
            old_k = self._move(old_k, by)
        return np.concatenate([old_k, k], axis=1), np.concatenate([old_v, v], axis=1)

    def key_positions(self, layer: int) -> np.ndarray:
        """The places of what is held and of the running pass, as `positions` counts them."""
        n_new = self._new[layer][0].shape[1]
        if self._move is not None:
            return np.arange(len(self._places) + n_new)
        return np.concatenate([self._places, np.arange(self._n_seen, self._n_seen + n_new)])

    def narrowed(self, mask: np.ndarray, queries: np.ndarray, keys: np.ndarray) -> np.ndarray:
        """Without what has left the window of each query and is no sink."""
        return mask & ((keys > queries[:, None] - self.window) | (keys < self.n_sinks))

    def advance(self, n_new: int) -> None:
        """Drop what no later token may see."""
        if any(k.shape[1] != n_new for k, _ in self._new):
            raise ValueError(f"advance: expected {n_new} new rows in every layer, got {[k.shape[1] for k, _ in self._new]}")
        places = np.concatenate([self._places, np.arange(self._n_seen, self._n_seen + n_new)])
        computed_at = np.concatenate([self._computed_at, self.next_position + np.arange(n_new)])
        self._n_seen += n_new
        kept = (places > self._n_seen - self.window) | (places < self.n_sinks)
        for layer, rows in enumerate(zip(self._held, self._new, strict=True)):
            self._held[layer] = tuple(np.concatenate(pair, axis=1)[:, kept] for pair in zip(*rows, strict=True))
        self._new = [tuple(x[:, :0] for x in rows) for rows in self._new]
        self._places, self._computed_at = places[kept], computed_at[kept]


def _mover(model):
    """The model's `move_keys`. ValueError for a model whose keys cannot be moved."""
    move = getattr(model, "move_keys", None)
    if move is None:
        raise ValueError("positions in the cache: expected a model that can move its keys, got one without move_keys")
    move(np.zeros((model.n_kv_head, 0, model.d_head), model.dtype), np.zeros(0, int))  # one that cannot says so now
    return move
