"""Three ways to an answer: their passes add up to the closed forms and to what the engine counts; doubling tells the power."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import TEXT

from engine import Counts, generate
from engine.work.baselines import BASELINES, KINDS, doubling, order, pass_counts, work


@given(st.integers(1, 60), st.integers(1, 60), st.sampled_from(tuple(BASELINES)))
def test_the_passes_add_up_to_the_closed_form(p, g, baseline):
    assert sum((pass_counts(baseline, p, i) for i in range(g)), Counts()) == BASELINES[baseline](p, g)


@pytest.mark.parametrize(("baseline", "use_cache"), [("cache", True), ("recompute", False)])
def test_each_pass_is_what_the_engine_counts_as_it_runs(baseline, use_cache):
    passes = generate(TEXT.model(), TEXT.prompt_ids, 20, use_cache).passes
    assert [run.counts for run in passes] == [pass_counts(baseline, 4, i) for i in range(20)]


def test_the_articles_doubling_factors():
    factors = {(baseline, kind): doubling(baseline, kind, 1, 1000) for baseline in BASELINES for kind in ("kv_rows", "scores")}
    expected = {
        ("recompute", "kv_rows"): 3.998, ("recompute", "scores"): 7.988, ("last query", "kv_rows"): 3.998,
        ("last query", "scores"): 3.998, ("cache", "kv_rows"): 2.000, ("cache", "scores"): 3.998,
    }  # fmt: skip
    assert factors == pytest.approx(expected, abs=5.1e-4)
    powers = {key: order(factor) for key, factor in factors.items()}
    assert powers[("cache", "kv_rows")] == 1 and powers[("cache", "scores")] == 2 and powers[("recompute", "scores")] == 3


def test_unknown_ways_and_kinds_are_refused():
    with pytest.raises(ValueError, match="baseline: expected one of recompute, last query, cache"):
        pass_counts("hope", 4, 0)
    with pytest.raises(ValueError, match=f"kind: expected one of {', '.join(KINDS)}"):
        work("cache", "tokens", 4, 4)
