"""Caches that must fail: a key that knows the future, a row too many or too few, an old row rewritten.

A comparison that never fails proves nothing. Each function here breaks a cache in one way that programs really do break it.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.attention import Attention, attention
from engine.cache import KVCache
from engine.decode import decode_step, recompute
from engine.model import ForwardPass, Model
from engine.prefill import prefill
from engine.toy.edits import set_rule
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.scenario import Scenario


@dataclass(frozen=True, eq=False)
class StaleKey:
    """One decode step with a head whose keys say "I am the last token", in four versions, and the rows it rests on.

    head: which one. cached: behind the cache, where an old key still says so. whole: recomputed. patched: behind a copy of the
    cache in which that old key was rewritten. principled: cached, with the rule "self", which asks by position instead.
    before: the prompt's own pass, made when its last token *was* the last. refusal: what our cache says to the rewriting.
    """

    head: int
    cached: Attention
    whole: Attention
    patched: Attention
    principled: Attention
    before: Attention
    refusal: str

    @property
    def contexts(self) -> list[float]:
        """The new row's, of that head, in the four versions in this order."""
        versions = (self.cached, self.whole, self.patched, self.principled)
        return [float(layer.context[self.head, -1, 0]) for layer in versions]

    @property
    def values(self) -> np.ndarray:
        """What the contexts are made of."""
        return self.whole.v[self.whole.kv_head(self.head), :, 0]


def breaking_head(s: Scenario) -> int:
    """The head that a stale key is shown in: the first that looks at itself or the last, else the second, else the first."""
    kinds = [rule.kind for rule in s.rules]
    return next((h for h, kind in enumerate(kinds) if kind in ("self", "last")), min(1, len(kinds) - 1))


def stale_key(s: Scenario, token_id: int) -> StaleKey:
    """`token_id` decoded behind the prompt with the article's key in one head: "last of the prompt", fixed when it entered.

    As in the article's code the mask is on and softmax gives a row without a match to whatever it can see.
    """
    head = breaking_head(s)
    broken = replace(set_rule(s, head, "last"), causal=True, empty_row="soft")
    model = broken.model()
    cache = KVCache.for_model(model, len(s.tokens) + 1)
    before = prefill(model, s.prompt_ids, cache)
    cached = decode_step(model, token_id, cache).layers[0]
    whole = recompute(model, (*s.prompt_ids, token_id)).layers[0]
    k = cached.k.copy()
    k[head, len(s.tokens) - 1] = whole.k[head, len(s.tokens) - 1]
    patched = attention(cached.q, k, cached.v, cached.mask, EMPTY_ROW[broken.empty_row])
    mended = set_rule(broken, head, "self").model()
    own = KVCache.for_model(mended, len(s.tokens) + 1)
    prefill(mended, s.prompt_ids, own)
    principled = decode_step(mended, token_id, own).layers[0]
    return StaleKey(head, cached, whole, patched, principled, before.layers[0], refusal(cache))


def refusal(cache: KVCache) -> str:
    """What the cache answers when somebody writes to its first row; "" if it lets them."""
    try:
        cache.k[:, :, :1] = 0
    except ValueError as problem:
        return f"ValueError: {problem}"
    return ""


SHIFTS = (-1, 0, 1)


def shifted_ids(prompt_ids: Sequence[int], shift: int) -> tuple[int, ...]:
    """The prompt as a faulty program feeds it: its last token left out (−1), as it is (0), or its last token twice (+1)."""
    if shift not in SHIFTS:
        raise ValueError(f"shift: expected one of {SHIFTS}, got {shift}")
    if shift < 0 and len(prompt_ids) < 2:
        raise ValueError("shift: expected a prompt of at least 2 tokens to leave one out")
    return (*prompt_ids[: len(prompt_ids) + min(shift, 0)], *[prompt_ids[-1]] * max(shift, 0))


def shifted(model: Model, prompt_ids: Sequence[int], token_id: int, shift: int) -> ForwardPass:
    """`token_id` decoded behind a cache that holds `shift` rows too many: its position is off by as much.

    The cache counts its own rows, so a wrong position cannot be passed in; it takes a wrong row to get one.
    """
    ids = shifted_ids(prompt_ids, shift)
    cache = KVCache.for_model(model, len(ids) + 1)
    prefill(model, ids, cache)
    return decode_step(model, token_id, cache)
