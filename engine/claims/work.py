"""Experiments on the work: products of a step, growth by doubling, and the pace of a real model's bound."""

from engine.claims.finding import FAR, STEPS, Finding, short_answer
from engine.cost import MODELS
from engine.counts import cached_counts, last_query_counts, recomputed_counts
from engine.prefill import prefill
from engine.toy.scenario import Scenario
from engine.work.baselines import doubling, order, pass_counts

REAL, BYTES_PER_S = MODELS["Llama-3.1-8B"], 2e12  # fp16 behind 2 TB/s: reading is all that a decode step waits for
CONTEXTS = (0, 32_000, 2 * REAL.n_params // REAL.kv_bytes_per_token())  # the last: as many bytes in the cache as in the model
GROUPED = 2 * 95 * 8 * 128  # numbers a token keeps in DeepSeek 67B: 95 layers, 8 key/value heads of 128 (arXiv 2401.02954)
LATENT = (512 + 64) * 60  # and in DeepSeek-V2: a latent and a rotary key in each of 60 layers (arXiv 2405.04434)
PUBLISHED, ITS_BITS = 93.3, 6  # per cent saved, as its abstract says, and the bits to which it quantises its cache


def weights_are_spared(s: Scenario, words: int = STEPS) -> Finding:
    """The cache keeps attention weights, so that a step need not compute them: count its products, and those of an answer."""
    p, step = len(s.tokens), short_answer(s, words)[-1]
    ways = {"without": last_query_counts, "cached": cached_counts, "deep": recomputed_counts}
    numbers = dict(step=step.counts.scores, n=p + words - 1) | {name: counts(p, words).scores for name, counts in ways.items()}
    return Finding(step.counts.scores == 0, True, numbers, s)


def keys_and_values_linear(s: Scenario) -> Finding:
    """K and V work: a square without a cache, linear with it, each computed once. Doubling, and a count as it runs."""
    p = len(s.tokens)
    numbers = dict(without=doubling("recompute", "kv_rows", p, FAR), cached=doubling("cache", "kv_rows", p, FAR))
    computed = sum(run.counts.kv_rows for run in short_answer(s))
    numbers |= dict(computed=computed, tokens=p + STEPS - 1)
    holds = (order(numbers["without"]), order(numbers["cached"])) == (2, 1) and computed == numbers["tokens"]
    return Finding(holds, True, numbers, s)


def square_without(s: Scenario, far: int = FAR) -> Finding:
    """Without a cache an answer costs O(N²): true of token passes, and of attention too?"""
    p = len(s.tokens)
    rows, scores = (doubling("recompute", kind, p, far) for kind in ("kv_rows", "scores"))
    return Finding(order(rows) == 2, order(scores) == 2, dict(rows=rows, scores=scores), s)


def linear_with(s: Scenario, far: int = FAR) -> Finding:
    """With a cache decoding costs O(N): true of K/V rows, and of attention too?"""
    p = len(s.tokens)
    rows, scores = (doubling("cache", kind, p, far) for kind in ("kv_rows", "scores"))
    return Finding(order(rows) == 1, order(scores) == 1, dict(rows=rows, scores=scores), s)


def steady_pace(s: Scenario) -> Finding:
    """The first word costs the same either way, and with a cache the rest comes at a steady pace: work of each step."""
    p = len(s.tokens)
    first = prefill(s.model(), s.prompt_ids).counts, short_answer(s)[0].counts
    early, late = pass_counts("cache", p, 1), pass_counts("cache", p, FAR)
    numbers = dict(first=first[0].scores, first_cached=first[1].scores, early=early.scores, late=late.scores)
    numbers |= {f"ms_{n}": 1e3 * (2 * REAL.n_params + REAL.kv_bytes(n)) / BYTES_PER_S for n in CONTEXTS}
    holds = first[0] == first[1] and early.kv_rows == late.kv_rows
    return Finding(holds, early.scores == late.scores, numbers, s)


def a_latent_saves(s: Scenario) -> Finding:
    """DeepSeek-V2's latents make the cache 93.3 % smaller than DeepSeek 67B's: with how many bits a number on either side?"""
    saved = {bits: 100 * (1 - LATENT * bits / (GROUPED * 16)) for bits in (16, 8, ITS_BITS)}
    numbers = dict(latent=LATENT, grouped=GROUPED) | {f"saved_{bits}": share for bits, share in saved.items()}
    as_published = {bits: round(share, 1) == PUBLISHED for bits, share in saved.items()}
    return Finding(any(as_published.values()), as_published[16], numbers, None, published=True)
