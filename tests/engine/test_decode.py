"""Behind a cache one token costs one row, and the row is the one that a full recomputation gives: unless a key knew the future.

The article prints the context 6.0 with cache, 7.0 without, and calls them identical. Here is where the two come from.
"""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scenarios import CODE, PRINCIPLED, TEXT, VALUES, contexts, scenarios

from engine import KVCache, Scenario, bundled, decode_step, generate, prefill, probabilities, recompute

NICE = 0
ANSWERS = st.lists(st.integers(0, 100), min_size=1, max_size=6)


def steps(scenario, answer):
    """Prefill, then each id of `answer` behind the cache; returns the passes and the cache."""
    model = scenario.model()
    cache = KVCache.for_model(model, 64)
    return [prefill(model, scenario.prompt_ids, cache), *(decode_step(model, i, cache) for i in answer)], cache


def words_of(scenario, numbers):
    return [i % len(scenario.words) for i in numbers]


@given(scenarios(), ANSWERS)
def test_cached_equals_recomputed_at_every_step_for_every_principled_rule(scenario, numbers):
    answer = words_of(scenario, numbers)
    passes, _ = steps(scenario, answer)
    for i, step in enumerate(passes[1:], 1):
        whole = recompute(scenario.model(), (*scenario.prompt_ids, *answer[:i]))
        np.testing.assert_allclose(step.layers[0].weights[:, 0], whole.layers[0].weights[:, -1], rtol=0, atol=1e-12)
        np.testing.assert_allclose(step.layers[0].context[:, 0], whole.layers[0].context[:, -1], rtol=0, atol=1e-9)
        np.testing.assert_allclose(step.logits[0], whole.logits[-1], rtol=0, atol=1e-6)


def test_cached_equals_recomputed_up_to_the_longest_sequence():
    cached, whole = (generate(TEXT.model(), TEXT.prompt_ids, 61, use_cache=use) for use in (True, False))
    assert cached.token_ids == whole.token_ids
    worst = max(np.abs(c.logits[-1] - w.logits[-1]).max() for c, w in zip(cached.passes, whole.passes, strict=True))
    assert worst <= 1e-12


@given(scenarios(n_tokens=st.integers(1, 12)), st.integers(0, 7), st.integers(0, 3))
def test_cached_is_not_recomputed_as_soon_as_one_key_says_it_is_the_last(scenario, at, word):
    rules = list(scenario.rules)
    head = at % len(rules)
    rules[head] = "last"
    values, word_values = range(1, len(scenario.tokens) + 1), [100] * len(scenario.words)
    scenario = replace(scenario, rules=rules, values=values, word_values=word_values, sharpness=8)
    new = word % len(scenario.words)
    (_, step), _ = steps(scenario, [new])
    whole = recompute(scenario.model(), (*scenario.prompt_ids, new))
    gap = whole.layers[0].context[:, -1, 0] - step.layers[0].context[:, 0, 0]
    assert gap[head] == pytest.approx((100 - len(scenario.tokens)) / 2, abs=0.1)  # the stale key takes half of the weight
    principled = [h for h, rule in enumerate(scenario.rules) if not rule.breaks_cache]
    np.testing.assert_allclose(gap[principled], 0, atol=1e-9)


@given(scenarios(kinds=(*PRINCIPLED, "last")), ANSWERS)
def test_a_step_appends_one_row_and_computes_one_of_each(scenario, numbers):
    answer = words_of(scenario, numbers)
    passes, cache = steps(scenario, answer)
    for i, step in enumerate(passes[1:]):
        n = len(scenario.tokens) + i + 1
        assert step.layers[0].weights.shape == (len(scenario.rules), 1, n) and step.logits.shape == (1, len(scenario.words))
        assert (step.n_new, step.n_past, step.counts.kv_rows, step.counts.query_rows, step.counts.scores) == (1, n - 1, 1, 1, n)
        assert step.layers[0].mask.all()  # a single new query has no future to hide
    np.testing.assert_array_equal(cache.v[0, 0, :, 0], [*scenario.values, *(scenario.word_values[i] for i in answer)])


def test_decode_reads_its_keys_and_values_from_the_cache():
    (before, step), _ = steps(TEXT, [NICE])
    np.testing.assert_array_equal(step.layers[0].k[:, :4], before.layers[0].k)
    other = replace(TEXT, values=(40, 20, 1, 5))
    cache = KVCache.for_model(TEXT.model(), 5)
    prefill(other.model(), other.prompt_ids, cache)
    assert decode_step(TEXT.model(), NICE, cache).layers[0].context[2, 0, 0] == pytest.approx(40, abs=1e-4)


def test_without_the_mask_one_layer_still_gets_the_new_row_right_and_the_old_rows_wrong():
    unmasked = replace(TEXT, causal=False)
    (before, step), _ = steps(unmasked, [NICE])
    whole = recompute(unmasked.model(), (*unmasked.prompt_ids, NICE))
    np.testing.assert_allclose(step.logits[0], whole.logits[-1], atol=1e-12)
    assert np.abs(before.layers[0].context - whole.layers[0].context[:, :4]).max() > 0.1


def test_the_row_of_nice_scores_as_in_the_article():
    (_, step), _ = steps(TEXT, [NICE])
    x = -8
    assert step.layers[0].scores[:, 0].tolist() == [[x, 8, x, 8, x], [x, x, x, x, 8], [8, x, x, x, x], [8, 8, 8, 8, 8]]


@pytest.mark.parametrize(
    ("scenario", "context", "logits", "probs"),
    [
        (TEXT, [12.5, 7, 10, 8.6], [16.22, 14.88, 8.51], [0.792208, 0.207436, 0.000355]),
        (CODE, [12.5, 6, 10, 8.6], [15.72, 14.48, 8.31], [0.775200, 0.224331, 0.000469]),
    ],
    ids=["principled keys", "stale key"],
)
def test_the_row_after_nice_is_seven_with_principled_keys_and_six_with_a_stale_one(scenario, context, logits, probs):
    (_, step), _ = steps(scenario, [NICE])
    np.testing.assert_allclose(step.layers[0].context[:, 0, 0], context, rtol=0, atol=1e-5)
    np.testing.assert_allclose(step.logits[0], logits, rtol=0, atol=1e-5)
    np.testing.assert_allclose(probabilities(step.logits[0]), probs, rtol=0, atol=1e-6)


def test_recomputing_the_articles_code_gives_seven_and_moves_an_old_row_from_five_to_nine():
    before = prefill(CODE.model(), CODE.prompt_ids).layers[0].context[..., 0]
    after = recompute(CODE.model(), (*CODE.prompt_ids, NICE)).layers[0].context[..., 0]
    np.testing.assert_allclose(after[1], [10, 15, 31 / 3, 9, 7], rtol=0, atol=1e-5)
    moved = np.abs(after[:, :4] - before).max(axis=1)
    np.testing.assert_allclose(moved, [0, 4, 0, 0], rtol=0, atol=1e-5)


def test_recomputing_the_articles_text_moves_no_old_row():
    after = recompute(TEXT.model(), (*TEXT.prompt_ids, NICE)).layers[0].context[..., 0]
    np.testing.assert_allclose(after[:, :4], contexts(TEXT), rtol=0, atol=1e-12)


@given(VALUES)
def test_the_row_after_a_word_of_any_value(x):
    (_, step), _ = steps(replace(TEXT, word_values=(x, 8, 3)), [NICE])
    np.testing.assert_allclose(step.layers[0].context[:, 0, 0], [12.5, x, 10, (36 + x) / 5], rtol=0, atol=1e-3)


GREEDY = [[15.3, 14.2, 8.15], [16.22, 14.88, 8.51], [14.7, 13.7, 8.3], [14.6619, 13.6429, 8.2810], [13.9, 13.05, 8.175]]


def test_greedy_says_nice_for_ever_with_the_articles_logits():
    out = generate(TEXT.model(), TEXT.prompt_ids, 61)
    assert set(out.token_ids) == {NICE} and len(out.token_ids) == 61
    np.testing.assert_allclose([p.logits[-1] for p in out.passes[:5]], GREEDY, rtol=0, atol=6e-5)
    for n, step in enumerate(out.passes[1:], 5):
        even = (25 + 7 * (n // 2 - 2)) / (n // 2)
        expected = [even, 7, 10, (36 + 7 * (n - 4)) / n]
        np.testing.assert_allclose(step.layers[0].context[:, 0, 0], expected, rtol=0, atol=1e-4)
    towards = np.abs(np.array([p.logits[-1] for p in out.passes[4:]]) - [11.5, 11.1, 7.8]).max(axis=1)
    assert (np.diff(towards[::2]) < 0).all() and towards[-1] < 0.5


@given(scenarios(), st.integers(1, 8), st.booleans(), st.floats(0, 3), st.integers(0, 9))
def test_g_tokens_take_one_prefill_and_g_minus_one_passes(scenario, n_generated, use_cache, temperature, seed):
    out = generate(scenario.model(), scenario.prompt_ids, n_generated, use_cache, temperature, seed)
    p = len(scenario.tokens)
    assert len(out.token_ids) == len(out.passes) == n_generated
    assert [run.n_new for run in out.passes] == [p] + [1 if use_cache else p + i for i in range(1, n_generated)]
    fed = out.passes[-1].token_ids[-(n_generated - 1) :] if n_generated > 1 else []
    assert tuple(fed)[-1:] == out.token_ids[-2:-1]  # the last generated token is never fed back
    assert all(0 <= i < len(scenario.words) for i in out.token_ids)
    again = generate(scenario.model(), scenario.prompt_ids, n_generated, use_cache, temperature, seed)
    assert again.token_ids == out.token_ids


def test_the_seed_decides_a_sampled_text_and_the_cache_does_not():
    def text(seed, use_cache=True):
        return generate(TEXT.model(), TEXT.prompt_ids, 20, use_cache, temperature=1.5, seed=seed).token_ids

    assert len({text(seed) for seed in range(10)}) > 5
    assert all(text(seed) == text(seed, use_cache=False) for seed in range(10))


def test_filters_reach_the_sampler():
    hot = dict(temperature=50.0, seed=3)
    assert len(set(generate(TEXT.model(), TEXT.prompt_ids, 40, **hot).token_ids)) == 3
    for filters in (dict(top_k=1), dict(top_p=0.0), dict(min_p=1.0)):
        out = generate(TEXT.model(), TEXT.prompt_ids, 12, **hot, **filters)
        assert out.token_ids == tuple(p.logits[-1].argmax() for p in out.passes)


@pytest.mark.parametrize(
    ("n_new_tokens", "message"),
    [(0, "n_new_tokens: expected at least 1, got 0"), (62, "n_ctx = 64 tokens, got 4 . 62"), (10**12, "n_ctx = 64 tokens")],
)
def test_an_answer_of_impossible_length_is_refused_before_anything_runs(n_new_tokens, message):
    with pytest.raises(ValueError, match=message):
        generate(TEXT.model(), TEXT.prompt_ids, n_new_tokens)


def test_a_one_word_prompt_can_be_decoded():
    one = Scenario(tokens=("Today",), values=(10,))
    cached, whole = (generate(one.model(), one.prompt_ids, 10, use_cache=use) for use in (True, False))
    assert cached.token_ids == whole.token_ids and cached.token_ids[0] == 1  # "warm", with the empty row at 0


def test_what_a_notebook_prints_of_a_result_is_short():
    """An answer's repr was 2.65 MB and took 10 s: every map of every pass, number by number."""
    model = bundled()
    out = generate(model, model.tokenizer.encode("Today's weather is so"), 5)
    assert all(len(repr(part)) < 400 for part in (out, out.passes[0], out.passes[0].layers[0]))
    assert str(out.token_ids) in repr(out) and "6 × 394" in repr(out.passes[0])
