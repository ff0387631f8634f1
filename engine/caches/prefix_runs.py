"""Prompts behind a prefix cache, each beside the same prompt run whole: what was found, what ran, and whether it came out alike.

The runs are iterators with a step for each pass, so that a slow model can be left between two of them.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.caches.pages import PagePool
from engine.caches.prefixes import PrefixCache
from engine.compare import largest_gap
from engine.decode import passes, recompute
from engine.model import Model
from engine.sampling import greedy


@dataclass(frozen=True, eq=False)
class PrefixRun:
    """A prompt behind what was kept, and run whole. logits, whole: (n_vocab,) of the last token, either way."""

    ids: tuple[int, ...]
    hit_tokens: int
    computed_tokens: int
    logits: np.ndarray
    whole: np.ndarray

    @property
    def gap(self) -> float:
        """max |Δ logits|."""
        return largest_gap(self.logits, self.whole)

    @property
    def largest(self) -> float:
        """The largest logit of the whole run, by its amount."""
        return float(np.abs(self.whole).max())


def n_common(a: Sequence[int], b: Sequence[int]) -> int:
    """How many tokens two prompts have in common from their first on.

    >>> n_common([5, 6, 7], [5, 6, 9, 7])
    2
    """
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


def prefix_runs(model: Model, prompts: Sequence[Sequence[int]], block_size: int) -> Iterator[tuple[PrefixRun, ...] | None]:
    """Run the prompts one after another in one prefix cache: two steps each, behind it and whole; the last step gives all."""
    n_blocks = sum(-(-len(ids) // block_size) + 1 for ids in prompts)
    kept, runs = PrefixCache(PagePool.for_model(model, n_blocks, block_size)), []
    for ids in prompts:
        runs.append((yield from _run_both_ways(model, kept, ids)))
        yield tuple(runs) if len(runs) == len(prompts) else None


def _run_both_ways(model: Model, kept: PrefixCache, ids: Sequence[int]) -> Generator[None, None, PrefixRun]:
    """A prompt behind what is kept, which is a step, and whole."""
    run = kept.prefill(model, ids)
    run.cache.release()
    yield None
    return PrefixRun(tuple(ids), run.hit_tokens, run.computed_tokens, run.run.logits[-1], recompute(model, ids).logits[-1])


@dataclass(frozen=True, eq=False)
class SecondTurn:
    """answer_ids: what the model wrote at the first turn; turn: the second turn behind what was kept of the first."""

    answer_ids: tuple[int, ...]
    turn: PrefixRun


def second_turn(
    model: Model,
    first_ids: Sequence[int],
    n_words: int,
    again_ids: Sequence[int],
    next_ids: Sequence[int],
    block_size: int,
    answer_ids: Sequence[int] = (),
) -> Iterator[SecondTurn | None]:
    """Answer `first_ids` with `n_words` words, keep both, then run `again_ids`, the answer and `next_ids`: n_words + 2 steps.

    again_ids: how the first message reads at the second turn, usually as it was. answer_ids: said instead of the likeliest words.
    """
    n_tokens = len(first_ids) + n_words + len(again_ids) + n_words + len(next_ids)
    kept = PrefixCache(PagePool.for_model(model, -(-n_tokens // block_size) + 2, block_size))
    cache, answer = kept.pool.new(), []
    going = passes(model, first_ids, cache)
    for k in range(n_words):
        run = going.send(answer[-1] if answer else None)
        answer.append(int(answer_ids[k]) if k < len(answer_ids) else greedy(model.next_logits(run)[-1]))
        yield None
    kept.remember([*first_ids, *answer][: cache.n_tokens], cache)
    cache.release()
    turn = yield from _run_both_ways(model, kept, (*again_ids, *answer, *next_ids))
    yield SecondTurn(tuple(answer), turn)
