"""What a model loses when its cache keeps less, measured on a text that it writes itself: windows, sinks, and fewer bits.

Windows and sinks: the perplexity of the same text behind caches that hold equally many tokens, some of them the very first
(StreamingLLM, Xiao et al. 2023, Table 1). Bits: the error of the text's keys and values when a channel shares a low and a step
and when a token does (KIVI, Liu et al. 2024, Table 1). Beside both what is said to explain them: the weight that every head gives
to the first token, and how large each channel is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import Cache, KVCache
from engine.caches.errors import relative_error
from engine.caches.quantised import quantise
from engine.caches.window import WindowCache
from engine.model import Model
from engine.prefill import chunked_prefill
from engine.sampling import probabilities, sample

MOST_TOKENS, MOST_BUDGET = 120, 16
SINKS = (0, 1, 4)
GROUP = 32  # tokens that a channel's low and step are shared by, KIVI's
GROUPINGS = ("channel", "token")
TEMPERATURE = 0.8  # of the text: at 1 the small model soon loses the thread
CHUNK = 32  # tokens of one pass: the logits of all rows are a vocabulary wide


@dataclass(frozen=True, eq=False)
class KeptLess:
    """What was measured. token_ids: the text; budget: tokens that a row may see in the smaller caches.

    perplexity: of the rows behind the first `budget`, by the number of sinks among the budget, None: everything is kept.
    to_first: (n_layer, n_head), those rows' mean weight on the very first token. keys, values: (n_layer, n_kv_head, d), the mean
    size |x| of each channel. group: (n, d), up to GROUP tokens' keys in the head whose largest channel stands out most. errors: relative
    error of all ("keys" or "values", grouping, bits).
    """

    token_ids: tuple[int, ...]
    budget: int
    perplexity: dict[int | None, float]
    to_first: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    group: np.ndarray
    errors: dict[tuple[str, str, int], float]

    @property
    def head(self) -> tuple[int, int]:
        """The layer and the key/value head whose largest channel of keys stands out most, from 0."""
        return _head(self.keys)

    def outlier(self, part: str) -> float:
        """How many times the median channel of its head the largest channel is, the most of all heads. part: keys or values."""
        return float(_outliers(getattr(self, part)).max())


def _outliers(sizes: np.ndarray) -> np.ndarray:
    """Of each head how many times its median channel the largest one is: (n_layer, n_kv_head, d) -> (n_layer, n_kv_head)."""
    return sizes.max(axis=-1) / np.maximum(np.median(sizes, axis=-1), 1e-30)


def _head(sizes: np.ndarray) -> tuple[int, int]:
    """The layer and the head with the largest of these."""
    ratios = _outliers(sizes)
    return tuple(int(i) for i in np.unravel_index(ratios.argmax(), ratios.shape))


def text_length(n_prompt: int, most: int) -> int:
    """How long the text becomes that the model writes behind a prompt; `most`: what there is room for."""
    return min(most, max(MOST_TOKENS, n_prompt + MOST_BUDGET))


def n_steps(n_prompt: int, n: int) -> int:
    """Steps of `measured`: the prompt, a token each, then the text behind each cache, then the bits."""
    return 1 + n - n_prompt + 1 + len(SINKS) + 1


def measured(model: Model, prompt_ids: Sequence[int], n: int, seed: int = 0) -> Iterator[KeptLess | None]:
    """Go through all the work, a step at each `next`; the last one gives the result. n: tokens of the whole text.

    The model must keep its maps. ValueError where its logits are not numbers.
    """
    ids, cache, rng = list(prompt_ids), KVCache.for_model(model, n), np.random.default_rng(seed)
    run = model.forward(ids, cache)
    yield None
    while len(ids) < n:
        ids.append(sample(probabilities(run.logits[-1], TEMPERATURE), rng))
        if len(ids) < n:
            run = model.forward(ids[-1:], cache)
        yield None
    budget, perplexity = max(2, min(MOST_BUDGET, n // 6)), {}
    plain = KVCache.for_model(model, n)
    perplexity[None], to_first = _perplexity_behind(model, ids, plain, budget)
    yield None
    for n_sinks in SINKS:
        if n_sinks < budget:
            cache = WindowCache.for_model(model, n, budget - n_sinks, n_sinks)
            perplexity[n_sinks], _ = _perplexity_behind(model, ids, cache, budget)
        yield None
    keys, values = (np.abs(rows).mean(axis=2) for rows in (plain.k, plain.v))
    group = plain.k[_head(keys)][:GROUP].copy()
    yield KeptLess(tuple(ids), budget, perplexity, to_first, keys, values, group, _bit_errors(plain))


def _perplexity_behind(model: Model, ids: Sequence[int], cache: Cache, budget: int) -> tuple[float, np.ndarray]:
    """The perplexity of the text behind a cache, from row `budget` on, and those rows' mean weights on the first token held."""
    losses, to_first, at = [], [], 0
    for run in chunked_prefill(model, ids, cache, CHUNK):
        for row in range(max(0, budget - at), run.n_new):
            if at + row + 1 < len(ids):
                logits = run.logits[row].astype(np.float64)
                top = logits.max()
                losses.append(top + np.log(np.exp(logits - top).sum()) - logits[ids[at + row + 1]])
            to_first.append([layer.weights[:, row, 0] for layer in run.layers])
        at += run.n_new
    if not np.isfinite(losses).all():
        raise ValueError("logits: expected finite numbers, got others")
    return float(np.exp(np.mean(losses))), np.mean(to_first, axis=0)


def _bit_errors(cache: KVCache) -> dict[tuple[str, str, int], float]:
    """The error of all layers' rows together, for each grouping and number of bits; rounded in blocks of GROUP tokens, the last of
    as many as are left."""
    n, errors = cache.n_tokens, {}
    for part, layers in (("keys", cache.k), ("values", cache.v)):
        rows = layers.reshape(-1, *layers.shape[2:])[:, :n]  # every head of every layer: (n_layer · n_kv_head, n, d)
        for grouping in GROUPINGS:
            for bits in (2, 4, 8):
                back = [quantise(rows[:, at : min(at + GROUP, n)], bits, grouping).rows() for at in range(0, n, GROUP)]
                errors[part, grouping, bits] = relative_error(np.concatenate(back, axis=1), rows)
    return errors
