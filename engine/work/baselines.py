"""Three ways to the same answer, and what each costs: pass by pass, in all, and when the answer gets twice as long.

recompute   every pass runs the whole sequence again; what a model of several layers must do without a cache
last query  all keys and values again, but only the newest token asks; enough for one layer, and nothing deeper
cache       keys and values are kept; a decode step computes one of each, and reads the rest
"""

from collections.abc import Callable
from dataclasses import fields

from engine.counts import Counts, cached_counts, last_query_counts, prefill_counts, recomputed_counts

BASELINES: dict[str, Callable[[int, int], Counts]] = {
    "recompute": recomputed_counts,
    "last query": last_query_counts,
    "cache": cached_counts,
}
KINDS = tuple(field.name for field in fields(Counts))


def pass_counts(baseline: str, n_prompt: int, step: int) -> Counts:
    """The work of one pass: step 0 is prefill, the same whatever the baseline; step i ends with token P + i.

    Law: summed over 0 … G − 1 it is BASELINES[baseline](P, G).
    """
    _check(baseline)
    if step == 0:
        return prefill_counts(n_prompt)
    n = n_prompt + step
    if baseline == "recompute":
        return prefill_counts(n)
    return Counts(n if baseline == "last query" else 1, 1, n, n)


def work(baseline: str, kind: str, n_prompt: int, n_generated: int) -> int:
    """One kind of work of one baseline, in all, for one head of one layer."""
    _check(baseline, kind)
    return getattr(BASELINES[baseline](n_prompt, n_generated), kind)


def doubling(baseline: str, kind: str, n_prompt: int, n_generated: int) -> float:
    """Work for an answer of 2G tokens divided by work for one of G. Near 2 is linear, near 4 a square, near 8 a cube.

    >>> [round(doubling(baseline, "scores", 1, 1000), 3) for baseline in BASELINES]
    [7.988, 3.998, 3.998]
    >>> round(doubling("cache", "kv_rows", 1, 1000), 3)
    2.0
    """
    return work(baseline, kind, n_prompt, 2 * n_generated) / work(baseline, kind, n_prompt, n_generated)


def order(factor: float) -> int:
    """The power of the length that a doubling factor comes nearest to: 1 for 2, 2 for 4, 3 for 8."""
    return min((1, 2, 3), key=lambda power: abs(2**power - factor))


def _check(baseline: str, kind: str = KINDS[0]) -> None:
    if baseline not in BASELINES:
        raise ValueError(f"baseline: expected one of {', '.join(BASELINES)}, got {baseline!r}")
    if kind not in KINDS:
        raise ValueError(f"kind: expected one of {', '.join(KINDS)}, got {kind!r}")
