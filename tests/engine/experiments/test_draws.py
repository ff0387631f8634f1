"""A thousand draws at once are the thousand single draws, and come as often as they should."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import probabilities, sample
from engine.experiments.draws import draw_many, standard_error

ARTICLE = probabilities(np.array([15.3, 14.2, 8.15]))


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=12), st.integers(0, 2**31))
def test_many_draws_are_as_many_single_ones(logits, seed):
    probs, rng = probabilities(np.array(logits)), np.random.default_rng(seed)
    draws = draw_many(probs, 60, seed)
    assert draws.token_ids.tolist() == [sample(probs, rng) for _ in range(60)]
    assert draws.counts.sum() == 60 and len(draws.counts) == len(probs)


def test_frequencies_are_within_four_standard_errors_and_not_all_the_same():
    counts = np.array([draw_many(ARTICLE, 1000, seed).counts for seed in range(40)])
    off = np.abs(counts / 1000 - ARTICLE) / standard_error(ARTICLE, 1000)
    assert off[:, :2].max() < 4  # "delicious" comes less than once in a thousand: no normal law for it
    assert 0.5 < np.sqrt((off[:, 0] ** 2).mean()) < 1.5  # neither exact nor wilder than chance
    assert standard_error(ARTICLE, 1000)[0] == pytest.approx(0.0137, abs=1e-4)


def test_a_word_without_a_chance_is_never_drawn():
    probs = probabilities(np.array([15.3, 14.2, 8.15]), top_k=2)
    assert draw_many(probs, 100_000, 3).counts[2] == 0


def test_no_draws_are_refused():
    with pytest.raises(ValueError, match="at least 1, got 0"):
        draw_many(ARTICLE, 0, 0)
