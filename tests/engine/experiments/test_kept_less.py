"""What less costs, measured: perplexities and errors are those of passes and formulas written out here."""

from functools import cache as once

import numpy as np
import pytest

from engine import KVCache, bundled, prefill
from engine.caches import quantise
from engine.experiments.kept_less import GROUP, SINKS, KeptLess, measured, n_steps, text_length
from engine.experiments.random_model import StackModel

PROMPT = "Today's weather is so"


@once
def probe():
    ids = bundled().tokenizer.encode(PROMPT)
    return list(measured(bundled(), ids, 120)), ids


def test_the_steps_are_as_many_as_were_announced_and_the_last_has_the_result():
    steps, ids = probe()
    assert len(steps) == n_steps(len(ids), 120) and steps[:-1] == [None] * (len(steps) - 1)
    found = steps[-1]
    assert isinstance(found, KeptLess) and found.token_ids[: len(ids)] == tuple(ids) and len(found.token_ids) == 120
    assert set(found.perplexity) == {None, *SINKS} and found.budget == 16


def masked_perplexity(model, ids, first, window, n_sinks):
    """By a mask of our own over the model's own layers: no cache at all. One layer, one pass."""
    run = prefill(model, ids)
    i, j = np.arange(len(ids))[:, None], np.arange(len(ids))
    mask = (j <= i) & ((j > i - window) | (j < n_sinks))
    layer = run.layers[0]
    weights = np.exp(np.where(mask, layer.scores - layer.scores.max(), -np.inf))
    context = (weights / weights.sum(axis=-1, keepdims=True)) @ layer.v
    x = model._embedding[ids] + model._position[: len(ids)]
    x = x + context.swapaxes(0, 1).reshape(len(ids), -1) @ model._blocks[0][1]
    logits = x @ model._logits
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    return np.exp(-np.log(chances[np.arange(first, len(ids) - 1), ids[first + 1 :]]).mean())


def test_perplexities_are_those_of_a_mask_written_out():
    model = StackModel(1, 7)
    *_, found = measured(model, [3, 4, 5], 40)
    ids, budget = np.array(found.token_ids), found.budget
    assert budget == 6
    for n_sinks, perplexity in found.perplexity.items():
        window = len(ids) if n_sinks is None else budget - n_sinks
        assert perplexity == pytest.approx(masked_perplexity(model, ids, budget, window, n_sinks or 0), rel=1e-9)


def test_the_errors_are_those_of_blocks_of_tokens_and_the_channels_those_of_the_cache():
    found = probe()[0][-1]
    cache = KVCache.for_model(bundled(), 120)
    run = prefill(bundled(), list(found.token_ids), cache)
    rows = cache.k.reshape(-1, 120, 16)
    back = np.concatenate([quantise(rows[:, at : at + GROUP], 2, "channel").rows() for at in (0, 32, 64, 96)], axis=1)
    wanted = np.linalg.norm(back - rows) / np.linalg.norm(rows)
    assert found.errors["keys", "channel", 2] == pytest.approx(wanted, rel=1e-3)
    np.testing.assert_allclose(found.keys, np.abs(cache.k).mean(axis=2), atol=1e-4)
    first = np.mean([layer.weights[:, 16:, 0].mean(axis=1) for layer in run.layers[:1]], axis=0)
    np.testing.assert_allclose(found.to_first[0], first, atol=1e-4)


def test_what_did_not_happen_with_the_bundled_model():
    """No sink: no head leaves much on the first token, and keeping it mends nothing. Keys have outlier channels, mild ones."""
    found = probe()[0][-1]
    assert found.to_first.max() < 0.2 and found.perplexity[4] > 0.95 * found.perplexity[0]
    assert 2 < found.outlier("keys") < 6 and found.outlier("values") < 3
    assert 1.1 < found.errors["keys", "token", 2] / found.errors["keys", "channel", 2] < 1.6


def test_a_long_prompt_leaves_room_for_a_text_and_a_small_model_for_less():
    assert [text_length(n, 500) for n in (6, 200)] == [120, 216] and text_length(6, 40) == 40
