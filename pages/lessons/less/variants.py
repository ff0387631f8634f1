"""The caches that the lesson sets side by side: one that keeps everything, and four that keep less."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import Cache, KVCache
from engine.caches import CacheError, HeavyHitterCache, LastPass, QuantisedCache, WindowCache, last_pass, pass_error
from engine.caches.quantised_cache import OVER_TOKENS
from engine.model import Model
from engine.sampling import greedy, likeliest
from pages.parts.text.format import quantity

WINDOW = "window"
SINKS = "window and sinks"
HEAVY = "heavy hitters"
BITS = "bits"
MOST_SINKS = 4
N_BITS, MOST_GROUP = 2, 32  # tokens that a channel's low and step are shared by
KEYS = ("", WINDOW, SINKS, HEAVY, BITS)
N_VARIANTS = len(KEYS)


@dataclass(frozen=True, eq=False)
class Variant:
    """One cache on one text. name: as the figure writes it; error: None for the cache that keeps everything."""

    name: str
    last: LastPass
    error: CacheError | None

    @property
    def one_sink(self) -> bool:
        """Whether it keeps one first token, and not several."""
        return self.name.startswith("1 sink ")

    @property
    def token_id(self) -> int:
        """The word that comes out."""
        return greedy(self.last.run.logits[-1])

    @property
    def level(self) -> list[int]:
        """The words with the highest logit: one, or those that draw level; `token_id` is one of them."""
        return likeliest(self.last.run.logits[-1])

    def weights(self, layer: int, head: int, n: int) -> np.ndarray:
        """The newest token's weights in one head on all n tokens of the text, NaN where they are not there: (n,)."""
        seen = self.last.run.layers[layer]
        places, shown = self.last.places[layer][seen.kv_head(head)], seen.mask[head, -1]
        spread = np.full(n, np.nan)
        spread[places[shown]] = seen.weights[head, -1][shown]
        return spread

    def values(self, head: int, n: int) -> np.ndarray:
        """The toy's value of each token that the newest one sees in a head, NaN where it is not there: (n,)."""
        seen = self.last.run.layers[0]
        kv, shown, spread = seen.kv_head(head), seen.mask[head, -1], np.full(n, np.nan)
        spread[self.last.places[0][kv][shown]] = seen.v[kv, shown, 0]
        return spread


def variants(model: Model, ids: Sequence[int], window: int, n_sinks: int, value_groups: str = "token") -> dict[str, Variant]:
    """The last of `ids` behind each cache of the others, by the names above; "" keeps everything.

    Heavy hitters and sinks show the last row equally many tokens. ValueError where logits are not numbers.
    """
    *_, behind = variants_so_far(model, ids, window, n_sinks, value_groups)
    return behind


def variants_so_far(
    model: Model, ids: Sequence[int], window: int, n_sinks: int, value_groups: str = "token"
) -> Iterator[dict[str, Variant]]:
    """The same one after another, N_VARIANTS in all: what there is after each."""
    behind: dict[str, Variant] = {}
    for key, (name, cache) in _caches(model, len(ids), window, n_sinks, value_groups).items():
        last = last_pass(model, ids[:-1], ids[-1:], cache)
        error = pass_error(behind[""].last.run, last.run) if behind else None
        behind = {**behind, key: Variant(name, last, error)}
        yield behind


def _caches(model: Model, n: int, window: int, n_sinks: int, value_groups: str) -> dict[str, tuple[str, Cache]]:
    key_groups = "token" if value_groups in OVER_TOKENS else "channel"
    sinks, newest, over = quantity(n_sinks, "sink"), f"newest {window}", min(MOST_GROUP, n - 1)
    caches = (
        ("everything", KVCache.for_model(model, n)),
        (newest, WindowCache.for_model(model, n, window)),
        (f"{sinks} + {newest}", WindowCache.for_model(model, n, window, n_sinks)),
        (f"{n_sinks} heaviest + {newest}", HeavyHitterCache.for_model(model, n, window - 1, n_sinks)),
        (f"all, in {N_BITS} bits", QuantisedCache.for_model(model, n, N_BITS, key_groups, value_groups, over)),
    )
    return dict(zip(KEYS, caches, strict=True))
