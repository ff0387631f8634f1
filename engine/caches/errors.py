"""What a cache that keeps less has changed, measured on one prompt: from its keys to the next word.

The same tokens run behind a plain cache and behind the other one; the last pass of both is compared. An error is the length of
the difference divided by the length of the true vector, so 0 is exact and 1 is as wrong as zeros would be.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import Cache, KVCache
from engine.decode import passes
from engine.model import ForwardPass, Model
from engine.sampling import log_probs


@dataclass(frozen=True)
class CacheError:
    """Relative errors of the last pass, the largest over the layers. keys, values, scores: None where rows were dropped.

    kl: divergence KL(true ‖ with this cache) of the next word's chances, in nats; token_id, true_id: what each would say.
    """

    keys: float | None
    values: float | None
    scores: float | None
    contexts: float
    logits: float
    kl: float
    token_id: int
    true_id: int

    @property
    def word_changed(self) -> bool:
        """Whether another word comes out."""
        return self.token_id != self.true_id


@dataclass(frozen=True, eq=False)
class LastPass:
    """The last pass behind a cache. places: of each layer where in the text the keys stood that the pass read, its own behind
    those that the cache held: (n_kv_head, n); nbytes: what the cache held before that pass.
    """

    run: ForwardPass
    places: tuple[np.ndarray, ...]
    nbytes: int


def last_pass(model: Model, prompt_ids: Sequence[int], answer_ids: Sequence[int], cache: Cache) -> LastPass:
    """The prompt and then each id of `answer_ids` behind `cache`, which is empty and counts positions as the text does."""
    going = passes(model, prompt_ids, cache)
    for token_id in (None, *answer_ids):
        held = [np.atleast_2d(cache.key_positions(layer)).astype(int) for layer in range(model.n_layer)]
        nbytes = cache.nbytes
        run = going.send(token_id)
    new = np.tile(run.positions, (model.n_kv_head, 1))
    rows = (np.broadcast_to(old, (model.n_kv_head, old.shape[1])) for old in held)
    return LastPass(run, tuple(np.concatenate([old, new], axis=1) for old in rows), nbytes)


def cache_error(model: Model, prompt_ids: Sequence[int], answer_ids: Sequence[int], cache: Cache) -> CacheError:
    """The prompt and then each id of `answer_ids` behind `cache`, which is empty, and behind a plain one.

    The model must keep its maps. With no `answer_ids` the prompt's own pass is compared, which reads what it has just computed.
    """
    plain = KVCache.for_model(model, len(prompt_ids) + len(answer_ids))
    return pass_error(*(last_pass(model, prompt_ids, answer_ids, each).run for each in (plain, cache)))


def pass_error(true: ForwardPass, other: ForwardPass) -> CacheError:
    """What `other`, the same pass behind a cache that keeps less, has changed. Both keep their maps; logits must be finite."""
    same_rows = all(a.k.shape == b.k.shape for a, b in zip(true.layers, other.layers, strict=True))
    of = {"keys": "k", "values": "v", "scores": "scores", "contexts": "context"}
    errors = {name: _largest_error(true, other, part) if same_rows or part == "context" else None for name, part in of.items()}
    p, q = (log_probs(run.logits[-1]) for run in (true, other))
    errors["logits"] = relative_error(other.logits[-1], true.logits[-1])
    kl = max(float(np.exp(p) @ (p - q)), 0.0)
    return CacheError(**errors, kl=kl, token_id=int(q.argmax()), true_id=int(p.argmax()))


def relative_error(x: np.ndarray, true: np.ndarray, nothing: float = 0.0) -> float:
    """‖x − true‖ / ‖true‖, 0 where both are nothing but zeros. nothing: a length up to it is 0 but for rounding.

    >>> relative_error(np.array([3.0, 5.0]), np.array([3.0, 4.0])), relative_error(np.ones(1), np.array([1e-14]), 1e-12)
    (0.2, inf)
    """
    distance, length = float(np.linalg.norm(x - true)), float(np.linalg.norm(true))
    if length <= nothing:
        return 0.0 if distance <= nothing else float("inf")
    return distance / length


def _largest_error(true: ForwardPass, other: ForwardPass, part: str) -> float:
    """The largest error over the layers. What is left of values that cancel out is no length to divide by."""
    pairs = list(zip(true.layers, other.layers, strict=True))
    nothing = [1e-12 * float(np.abs(a.v).max()) if part == "context" else 0.0 for a, _ in pairs]
    return max(relative_error(getattr(b, part), getattr(a, part), least) for (a, b), least in zip(pairs, nothing, strict=True))
