"""What a prompt takes in chunks: the formulas against the passes that were run, and the sources' 100,000 tokens."""

import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import scenarios

from engine import KVCache, Scenario, chunked_prefill, prefill
from engine.compare import gaps
from engine.experiments import rows
from engine.work.prompt_chunks import PromptWork, prompt_work


@given(scenarios(), st.integers(1, 20))
def test_the_formula_is_what_the_passes_counted(s, n_chunk):
    model = s.model()
    passes = chunked_prefill(model, s.prompt_ids, KVCache.for_model(model, 16), n_chunk)
    work = prompt_work(len(s.tokens), n_chunk)
    assert work.passes == len(passes)
    assert work.scores == sum(p.counts.scores for p in passes)
    assert work.scores_dense == sum(p.counts.scores_dense for p in passes)
    assert work.matrix_scores == max(p.layers[0].scores[0].size for p in passes)


@given(scenarios(), st.integers(1, 20))
def test_joined_passes_are_the_rows_of_one(s, n_chunk):
    model = s.model()
    passes = chunked_prefill(model, s.prompt_ids, KVCache.for_model(model, 16), n_chunk)
    whole = prefill(model, s.prompt_ids)
    assert rows.contexts([whole]).shape == (len(s.tokens), model.n_head)
    assert np.array_equal(rows.contexts([whole]), whole.layers[0].context[..., 0].T)
    scale = 1 + np.abs(whole.logits).max()
    assert gaps(rows.contexts(passes), rows.contexts([whole])).max() < 1e-10 * scale
    assert gaps(rows.logits(passes), rows.logits([whole])).max() < 1e-10 * scale


def test_a_key_that_knows_the_future_makes_the_order_matter():
    """The negative control: the article's code, one token at a time, is off by 4.0 in its head 2 and nowhere else."""
    s = Scenario.article_code()
    model = s.model()
    passes = chunked_prefill(model, s.prompt_ids, KVCache.for_model(model, 4), 1)
    apart = gaps(rows.contexts(passes), rows.contexts([prefill(model, s.prompt_ids)])).max(axis=0)
    np.testing.assert_allclose(apart, [0, 4, 0, 0], atol=1e-5)


def test_a_hundred_thousand_tokens():
    tracemalloc.start()
    single, whole = prompt_work(100_000, 1), prompt_work(100_000, 100_000)
    chunked = prompt_work(100_000, 1_000)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10_000  # nothing of that size is held
    assert single.scores == whole.scores == chunked.scores == 5_000_050_000
    assert (single.passes, chunked.passes, whole.passes) == (100_000, 100, 1)
    assert whole.scores_dense == 10**10 and single.scores_dense == whole.scores
    assert (whole.matrix_bytes, chunked.matrix_bytes, single.matrix_bytes) == (20 * 10**9, 200 * 10**6, 200 * 10**3)


@pytest.mark.parametrize(("n", "visible", "dense"), [(1, 1, 1), (4, 10, 16), (10, 55, 100)])
def test_small_prompts(n, visible, dense):
    assert prompt_work(n, n + 5) == PromptWork(1, visible, dense, dense)


@pytest.mark.parametrize("sizes", [(0, 1), (1, 0), (-3, 2)])
def test_no_tokens_and_no_chunks_are_refused(sizes):
    with pytest.raises(ValueError, match="at least 1"):
        prompt_work(*sizes)
