"""Experiments on what the cache keeps and on why it may: keys, values, queries, contexts, and the same result or not."""

from dataclasses import replace

import numpy as np

from engine.attention import Attention, attention, causal_mask
from engine.cache import KVCache
from engine.claims.finding import IDS, READABLE, STEPS, Finding, cache_gap, first_word, short_answer, stacks
from engine.compare import ROUNDING, largest_gap
from engine.decode import decode_step, recompute
from engine.experiments.broken_caches import stale_key
from engine.experiments.random_model import StackModel
from engine.prefill import prefill
from engine.toy.scenario import Scenario


def only_the_query(s: Scenario, words: int = STEPS) -> Finding:
    """With a cache only the new token's query is computed: count what a decode step computes."""
    step = short_answer(s, words)[-1]
    numbers = dict(queries=step.counts.query_rows, kv=step.counts.kv_rows, read=step.n_past)
    return Finding(step.counts.kv_rows == 0, True, numbers, s)


def queries_are_dropped(s: Scenario) -> Finding:
    """Old queries are never needed again: decode behind a cache of keys and values only, on the toy and on deeper models."""
    gaps = [cache_gap(model, ids) for model, ids in [(s.model(), s.prompt_ids), *stacks(causal=True)]]
    return Finding(max(gaps) < ROUNDING, True, dict(gaps=tuple(gaps)), s)


def old_rows_stay(s: Scenario) -> Finding | None:
    """Attention of earlier tokens would come out the same: recompute it, also with a key that knows the future, and unmasked."""
    word = first_word(s)
    stale = stale_key(s, word)
    last = len(s.tokens) - 1
    before, after = (float(x.context[stale.head, last, 0]) for x in (stale.before, stale.whole))
    unmasked = _old_rows_gap(replace(s, causal=False), word)
    if min(abs(before - after), unmasked) < READABLE:
        return None
    kept = _old_rows_gap(s, word)
    numbers = dict(gap=kept, before=before, after=after, unmasked=unmasked, head=stale.head)
    return Finding(kept < ROUNDING, max(abs(before - after), unmasked) < ROUNDING, numbers, s)


def contexts_are_reused(s: Scenario) -> Finding:
    """Decode uses the contextual vectors that prefill made: change those of one layer in prefill, and decode behind it."""
    shallow, deep = (_moved_by_contexts(n, n - 1) for n in (1, 2))
    model = StackModel(2, 16)
    values = _logits_with_values_moved(model, model, 1.0)  # of all layers, instead
    numbers = dict(below=_moved_by_contexts(2, 0), last=deep, only=shallow, values=values)
    return Finding(numbers["below"] > ROUNDING, max(deep, shallow) > ROUNDING, numbers, None)


def _moved_by_contexts(n_layer: int, layer: int) -> float:
    """How far the next token's logits move when prefill adds 1 to every context of one layer of a random model."""
    shift = [float(i == layer) for i in range(n_layer)]
    return _logits_with_values_moved(StackModel(n_layer, 16), StackModel(n_layer, 16, context_shift=shift), 0.0)


def _logits_with_values_moved(model: StackModel, reader: StackModel, more: float) -> float:
    """Logits of one step of `model`: behind its own prompt, and behind one that `reader` read, `more` added to its values."""
    behind = []
    for by, added in ((model, 0.0), (reader, more)):
        read, cache = (KVCache.for_model(model, len(IDS) + 1) for _ in range(2))
        prefill(by, IDS, read)
        for i in range(model.n_layer):
            cache.write(i, read.k[i], read.v[i] + added)
        cache.advance(len(IDS))
        behind.append(decode_step(model, 0, cache).logits[-1])
    return largest_gap(*behind)


def same_result(s: Scenario) -> Finding | None:
    """With a cache the result is the same: compare, also with the key of the article's code, which knows the future."""
    stale = stale_key(s, first_word(s))
    cached, whole = (float(x.context[stale.head, -1, 0]) for x in (stale.cached, stale.whole))
    if abs(cached - whole) < READABLE:
        return None
    gap = cache_gap(s.model(), s.prompt_ids)
    mended = float(stale.principled.context[stale.head, -1, 0])
    numbers = dict(gap=gap, cached=cached, whole=whole, mended=mended, head=stale.head)
    return Finding(gap < ROUNDING, abs(cached - whole) < ROUNDING, numbers, s)


def keys_never_change(s: Scenario) -> Finding:
    """Keys and values of earlier tokens never change: on 1, 2 and 3 layers, with the mask and without."""
    masked, bare = ([cache_gap(model, ids) for model, ids in stacks(causal)] for causal in (True, False))
    numbers = dict(masked=tuple(masked), bare=tuple(bare))
    return Finding(max(masked) < ROUNDING, max(bare) < ROUNDING, numbers, None)


def gqa_is_a_strategy(s: Scenario) -> Finding:
    """GQA is a way to keep the cache: let the heads of a finished model share their keys and values, and see whether it still
    computes the same; then take a model whose heads have the same ones already."""
    n_head, n_kv_head, n, d = 8, 2, 12, 16
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, n_head, n, d))
    shared = [x.reshape(n_kv_head, -1, n, d).mean(axis=1) for x in (k, v)]  # the best single K and V for each group
    repeated = [np.repeat(x, n_head // n_kv_head, axis=0) for x in shared]
    mask = causal_mask(n)
    own, grouped, twin = (attention(q, *kv, mask) for kv in ((k, v), shared, repeated))
    full, small = (_filled_cache_bytes(x, n) for x in (own, grouped))
    numbers = dict(forced=largest_gap(own.context, grouped.context), shared=largest_gap(twin.context, grouped.context))
    numbers |= dict(full=full, small=small, heads=n_head, kv_heads=n_kv_head)
    numbers |= dict(scores=own.scores.size, grouped_scores=grouped.scores.size)
    return Finding(numbers["forced"] < ROUNDING, numbers["shared"] < ROUNDING, numbers, None)


def _old_rows_gap(s: Scenario, word: int) -> float:
    """How far the contexts of the prompt's rows move when one more token stands behind them."""
    model, n = s.model(), len(s.tokens)
    after = recompute(model, (*s.prompt_ids, word)).layers[0].context
    return largest_gap(recompute(model, s.prompt_ids).layers[0].context, after[:, :n])


def _filled_cache_bytes(layer: Attention, n: int) -> int:
    """Bytes of a cache that holds a layer's keys and values."""
    cache = KVCache(1, len(layer.k), n, layer.k.shape[2])
    cache.write(0, layer.k, layer.v)
    cache.advance(n)
    return cache.nbytes
