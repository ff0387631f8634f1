"""Statements that are made about prefill, decode and the KV cache, each with the experiment that decides it.

    finding = find("linear_with", Scenario.article())
    finding.verdict, finding.numbers    # 'true, with a caveat', {'rows': 1.997…, 'scores': 3.986…}

An experiment takes the scenario on screen, runs the models, and returns a Finding: whether the statement holds at its word, and
whether it also holds where it names no exception. The verdict follows from these two and is stored nowhere. Where the scenario
cannot show the point (one token, one head, …) an experiment returns None, the article's own is taken, and the finding says so.
"""

from collections.abc import Callable
from functools import lru_cache

from engine.claims import attention, cache, work
from engine.claims.finding import FAR, VERDICTS, Finding, usual
from engine.claims.work import CONTEXTS, REAL
from engine.toy.scenario import Scenario

__all__ = ["CLAIMS", "CONTEXTS", "FAR", "REAL", "VERDICTS", "Finding", "find", "usual"]

CLAIMS: dict[str, Callable[[Scenario], Finding | None]] = {  # their order is the link's: a new one goes to the end
    f.__name__: f
    for f in (
        attention.values, attention.every_other, attention.newest_needs_no_mask, attention.logits_are_chances, attention.average,
        cache.only_the_query, cache.queries_are_dropped, attention.decode_makes_the_first, attention.attention_finds_the_word,
        cache.old_rows_stay, cache.same_result, cache.contexts_are_reused, work.weights_are_spared, work.keys_and_values_linear,
        work.square_without, work.linear_with, work.steady_pace, cache.keys_never_change, cache.gqa_is_a_strategy,
        work.a_latent_saves,
    )
}  # fmt: skip


def find(claim: str, s: Scenario) -> Finding:
    """Run the experiment of one of CLAIMS on `s`, with the mask on and empty rows "none" (the experiments change these
    themselves). ValueError for an unknown claim."""
    if claim not in CLAIMS:
        raise ValueError(f"claim: expected one of {', '.join(CLAIMS)}, got {claim!r}")
    return _find(claim, usual(s))


@lru_cache(maxsize=256)
def _find(claim: str, s: Scenario) -> Finding:
    return CLAIMS[claim](s) or CLAIMS[claim](Scenario.article())
