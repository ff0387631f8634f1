"""A schedule played with a real model: every piece of a prompt and every token computed in the order in which a run has them.

A schedule decides when a row is computed and never what is in it: each sequence has a cache of its own, and a row sees its own
sequence alone. So every policy writes the same text, whoever was in the step with it, and whoever was sent back and began again.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cache import KVCache
from engine.model import Model
from engine.sampling import probabilities
from engine.serving.scheduler.run import Run
from engine.serving.scheduler.steps import Stretch


class Said(NamedTuple):
    """A token of the answer to a request, by its place in the run's list, and when its step has ended."""

    request: int
    token_id: int
    at_s: float


def replay(run: Run, model: Model, prompts: Sequence[Sequence[int]]) -> Iterator[Said]:
    """The tokens of all answers, each the likeliest one, as they come; of several instances one after the other.

    prompts: token ids of each request, as many as its n_prompt. Law: those of one request are engine.decode.generate's. ValueError
    for prompts of other lengths, and for a run that found blocks of other prompts, whose ids it does not know.
    """
    if [len(prompt) for prompt in prompts] != [request.n_prompt for request in run.requests]:
        raise ValueError(
            f"prompts: expected {[r.n_prompt for r in run.requests][:8]} tokens, got {[len(p) for p in prompts][:8]}"
        )
    if run.n_hit.any():
        raise ValueError("run: expected one without shared blocks, got one that found some")
    known = [list(prompt) for prompt in prompts]
    caches: dict[int, KVCache] = {}
    for ids, stretches in zip(run.ids, run.stretches, strict=True):
        for stretch in stretches:
            for step in range(stretch.n_steps):
                yield from _step(stretch, step, ids.tolist(), model, known, caches)


def _step(
    stretch: Stretch, step: int, ids: Sequence[int], model: Model, known: list[list[int]], caches: dict[int, KVCache]
) -> Iterator[Said]:
    """One step: its pieces of prompts, and a row for each who decodes. Whose last known token was computed gets the next."""
    pieces = [(ids[i], n_past, n_new) for i, n_past, n_new in stretch.prompts]
    pieces += [(ids[i], len(known[ids[i]]) - 1, 1) for i in stretch.decoding.tolist()]
    end = float(stretch.starts_s[step] + stretch.durations_s[step])
    for i, n_past, n_new in pieces:
        if n_past == 0:  # at the beginning, and once more where it was sent back
            caches[i] = KVCache.for_model(model, model.n_ctx)
        logits = model.next_logits(model.forward(known[i][n_past : n_past + n_new], caches[i]))[-1]
        if n_past + n_new == len(known[i]):
            known[i].append(int(probabilities(logits, 0.0).argmax()))
            yield Said(i, known[i][-1], end)
