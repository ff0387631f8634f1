"""Decode: one new token, one new attention row, and the whole loop that turns a prompt into text.

There are two independent ways to the same logits. `decode_step` runs one token behind a cache. `recompute` runs the whole
sequence again with no cache at all. Neither is a slice of the other's result; that they agree is what the lessons prove.

`passes` runs one after another for whoever chooses the tokens: `generate`, and those who put a clock around each.
"""

import math
from collections.abc import Generator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.cache import Cache, KVCache
from engine.counts import Counts
from engine.model import ForwardPass, Model
from engine.prefill import prefill
from engine.sampling import probabilities, sample


@dataclass(frozen=True, eq=False)
class Generation:
    """What `generate` made: the G generated ids, passes[0] = prefill followed by G − 1 passes, and their work added up."""

    token_ids: tuple[int, ...]
    passes: tuple[ForwardPass, ...]
    counts: Counts

    def __repr__(self) -> str:
        """Short: a pass keeps every map that a page may show, megabytes of them."""
        return f"Generation(token_ids={self.token_ids}, passes=<{len(self.passes)}>, counts={self.counts})"


def decode_step(model: Model, token_id: int, cache: Cache) -> ForwardPass:
    """One token behind the cache: its q, k and v are computed, every older key and value is read from `cache`."""
    return model.forward([token_id], cache)


def recompute(model: Model, token_ids: Sequence[int]) -> ForwardPass:
    """The uncached twin: the whole sequence in one pass that knows no cache. Its last row is what decode_step must equal."""
    return model.forward(token_ids)


class NoNextToken(ValueError):
    """A logit is not a number, so no next token can be drawn. answer: what was made until then; its last pass has no token."""

    def __init__(self, logits: np.ndarray, answer: Generation):
        super().__init__(f"logits: expected a row of finite numbers, got {logits[:8]}")
        self.answer = answer


def passes(model: Model, prompt_ids: Sequence[int], cache: Cache | None = None) -> Generator[ForwardPass, int | None, None]:
    """The passes of an answer, each run when it is asked for: `send(None)` gives prefill, `send(token_id)` the pass behind it.

    With a cache a pass is one row; without, it is the whole sequence again.

    >>> from engine import Scenario
    >>> article = Scenario.article()
    >>> going = passes(article.model(), article.prompt_ids)
    >>> [going.send(token_id).n_new for token_id in (None, 0, 0)]
    [4, 5, 6]
    """
    ids, run = list(prompt_ids), prefill(model, prompt_ids, cache)
    while True:
        ids.append((yield run))
        run = recompute(model, ids) if cache is None else decode_step(model, ids[-1], cache)


def generate(
    model: Model,
    prompt_ids: Sequence[int],
    n_new_tokens: int,
    use_cache: bool = True,
    temperature: float = 0.0,
    seed: int = 0,
    chosen_ids: Sequence[int] = (),
    cache: Cache | None = None,
    **filters: float,
) -> Generation:
    """Generate `n_new_tokens` ids: prefill gives the first, each further one takes one pass (G tokens, G − 1 passes).

    The first ids are `chosen_ids`, the others are drawn. temperature 0 is greedy; otherwise `seed` fixes the draws, and `filters`
    are top_k, top_p and min_p of engine.sampling. With `use_cache` keys and values go to `cache`, behind what it holds, or to a
    new KVCache.
    Raises ValueError for n_new_tokens < 1 or when prompt and answer exceed the model's n_ctx, NoNextToken for a logit that is
    not a number.
    """
    if cache is not None and not use_cache:
        raise ValueError("expected a cache or use_cache=False, got both")
    n_tokens = check_answer(prompt_ids, n_new_tokens, model.n_ctx if cache is None else math.inf)  # a cache knows its own room
    if cache is None and use_cache:
        cache = KVCache.for_model(model, n_tokens)
    rng, going = np.random.default_rng(seed), passes(model, prompt_ids, cache)
    runs, token_ids = [going.send(None)], []
    for _ in range(n_new_tokens):
        if token_ids:
            runs.append(going.send(token_ids[-1]))
        if len(token_ids) < len(chosen_ids):
            token_ids.append(int(chosen_ids[len(token_ids)]))
        elif np.isfinite(logits := model.next_logits(runs[-1])[-1]).all():
            token_ids.append(sample(probabilities(logits, temperature, **filters), rng))
        else:
            raise NoNextToken(logits, _generation(token_ids, runs))
    return _generation(token_ids, runs)


def check_answer(prompt_ids: Sequence[int], n_new_tokens: int, n_ctx: float) -> int:
    """N = P + G − 1, the tokens that pass through the model. ValueError when there is none, or more than n_ctx."""
    if len(prompt_ids) < 1:
        raise ValueError("prompt_ids: expected at least one token id, got none")
    if n_new_tokens < 1:
        raise ValueError(f"n_new_tokens: expected at least 1, got {n_new_tokens}")
    n_tokens = len(prompt_ids) + n_new_tokens - 1
    if n_tokens > n_ctx:
        raise ValueError(f"expected at most n_ctx = {n_ctx} tokens, got {len(prompt_ids)} + {n_new_tokens} − 1")
    return n_tokens


def _generation(token_ids: list[int], runs: list[ForwardPass]) -> Generation:
    return Generation(tuple(token_ids), tuple(runs), sum((run.counts for run in runs), Counts()))
