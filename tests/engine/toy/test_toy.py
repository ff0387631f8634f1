"""The toy reproduces every number that the article prints or implies, equals its own definition written out by hand, and
refuses what it cannot be, in words. The article's match scores +8 and a non-match −8, so e^-16 ≈ 1e-7 leaks: hence 1e-5."""

import math
import tracemalloc
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scenarios import CODE, PRINCIPLED, TEXT, VALUES, contexts, logits, run, scenarios, wants, winner

from engine import KVCache, Rule, Scenario, decode_step, prefill, probabilities
from engine.toy.empty_row import EMPTY_ROW


def with_value(token, value):
    return replace(TEXT, values=[value if t == token else v for t, v in zip(TEXT.tokens, TEXT.values, strict=True)])


def with_rule(head, rule):
    return replace(TEXT, rules=[rule if h == head else r for h, r in enumerate(TEXT.rules, 1)])


def without_head(head):
    return replace(TEXT, w_vocab=[[0] * 3 if h == head else row for h, row in enumerate(TEXT.w_vocab, 1)])


THIRD = 31 / 3
TEXT_CONTEXTS = [[0, 20, 20, 12.5], [10, 20, 1, 5], [10, 10, 10, 10], [10, 15, THIRD, 9]]
CODE_CONTEXTS = [[10, 20, 20, 12.5], [10, 15, THIRD, 5], [10, 10, 10, 10], [10, 15, THIRD, 9]]
TEXT_LOGITS = [[8, 9, 8], [30, 26.5, 12.5], [19 + 17 / 30, 17.5, 8 + 7 / 30], [15.3, 14.2, 8.15]]
CODE_LOGITS = [[16, 15, 9], [27.5, 24.5, 11.5], [24 + 7 / 30, 21 + 7 / 30, 10.1], [15.3, 14.2, 8.15]]


def test_the_default_is_the_articles_prompt():
    assert Scenario() == TEXT and TEXT.tokens == ("Today", "weather", "is", "so") and TEXT.values == (10, 20, 1, 5)
    assert [str(r) for r in TEXT.rules] == ["even", "self", "first", "all"] and TEXT.sharpness == 8 and TEXT.causal
    assert [TEXT.id_words[i] for i in TEXT.prompt_ids] == list(TEXT.tokens) and TEXT.id_words[:3] == ("nice", "warm", "delicious")


@pytest.mark.parametrize(
    ("scenario", "expected_contexts", "expected_logits"), [(TEXT, TEXT_CONTEXTS, TEXT_LOGITS), (CODE, CODE_CONTEXTS, CODE_LOGITS)]
)
def test_every_context_and_every_logit_of_both_presets_is_the_articles(scenario, expected_contexts, expected_logits):
    assert run(scenario).layers[0].weights.shape == (4, 4, 4)
    np.testing.assert_allclose(contexts(scenario), expected_contexts, rtol=0, atol=1e-5)
    np.testing.assert_allclose(run(scenario).logits, expected_logits, rtol=0, atol=1e-5)


def test_the_last_column_is_exact_up_to_the_leak_of_the_softmax():
    exact = [12.499999212253867, 5.000001800562188, 9.999999549859453, 9.0]
    for scenario in (TEXT, CODE):
        np.testing.assert_allclose(contexts(scenario)[:, -1], exact, rtol=0, atol=1e-13)


def test_text_and_code_of_the_article_differ_in_three_cells_and_in_no_final_logit():
    differ = np.abs(contexts(TEXT) - contexts(CODE)) > 1e-5
    assert np.argwhere(differ).tolist() == [[0, 0], [1, 1], [1, 2]]
    np.testing.assert_array_equal(logits(TEXT), logits(CODE))


@pytest.mark.parametrize(
    ("position", "probs"),
    [(0, [0.2119, 0.5761, 0.2119]), (1, [0.9707, 0.0293, 0]), (2, [0.8876, 0.1124, 0]), (3, [0.749819, 0.249593, 0.000589])],
)
def test_the_probabilities_at_every_position(position, probs):
    np.testing.assert_allclose(probabilities(run(TEXT).logits[position]), probs, atol=6e-5 if position < 3 else 1e-6)


def test_the_gaps_between_logits_are_the_odds():
    probs = probabilities(logits(TEXT))
    assert probs[0] / probs[1] == pytest.approx(math.exp(1.1), abs=1e-5) == pytest.approx(3.0042, abs=1e-4)
    assert probs[0] / probs[2] == pytest.approx(1274.1, abs=0.05)
    assert logits(TEXT).sum() == pytest.approx(37.65, abs=1e-5) and probs.sum() == pytest.approx(1, abs=1e-12)


def test_the_mean_over_heads_leaves_the_empty_row_out():
    layer = run(TEXT).layers[0]
    means = layer.context[..., 0].sum(0) / (~layer.empty).sum(0)
    np.testing.assert_allclose(means, [10, 16.25, THIRD, 9.125], atol=1e-5)
    assert layer.context[:, 0].mean() == 7.5


def test_what_a_value_adds_to_a_logit_is_the_value_times_a_derivative():
    slopes = np.array([[0.15, 0.275, 0.525], [0.45, 0.375, 0.075], [0.05, 0.075, 0.025], [0.95, 0.775, 0.275]])
    unit = [logits(replace(TEXT, values=row)) for row in np.eye(4)]
    np.testing.assert_allclose(unit, slopes, atol=1e-6)
    parts = [[1.5, 2.75, 5.25], [9, 7.5, 1.5], [0.05, 0.075, 0.025], [4.75, 3.875, 1.375]]
    np.testing.assert_allclose(np.array(unit) * np.array(TEXT.values)[:, None], parts, atol=1e-5)
    np.testing.assert_allclose(np.sum(parts, 0), logits(TEXT), atol=1e-5)


def test_what_a_head_adds_to_a_logit_is_its_context_times_its_row():
    parts = [[10, 7.5, 1.25], [2.5, 2, 1], [1, 2, 5], [1.8, 2.7, 0.9]]
    for head, part in enumerate(parts, 1):
        np.testing.assert_allclose(logits(TEXT) - logits(without_head(head)), part, atol=1e-5)


@pytest.mark.parametrize(
    ("token", "threshold", "below", "above"),
    [
        ("Today", 18.8, "nice", "warm"),
        ("Today", 34.2, "warm", "delicious"),
        ("weather", 16 / 3, "warm", "nice"),
        ("weather", -1 / 6, "delicious", "warm"),
        ("is", 45, "nice", "warm"),
        ("so", -9 / 7, "warm", "nice"),
        ("so", -7.1, "delicious", "warm"),
    ],
)
def test_moving_one_value_over_a_threshold_flips_the_word(token, threshold, below, above):
    assert (winner(with_value(token, threshold - 1e-4)), winner(with_value(token, threshold + 1e-4))) == (below, above)
    tied = np.sort(logits(with_value(token, threshold)))
    assert tied[-1] - tied[-2] < 1e-5


@pytest.mark.parametrize(
    ("head", "left", "word"),
    [
        (1, [5.3, 6.7, 6.9], "delicious"),
        (2, [12.8, 12.2, 7.15], "nice"),
        (3, [14.3, 12.2, 3.15], "nice"),
        (4, [13.5, 11.5, 7.25], "nice"),
    ],
)
def test_taking_a_head_away(head, left, word):
    np.testing.assert_allclose(logits(without_head(head)), left, atol=1e-5)
    assert winner(without_head(head)) == word


@pytest.mark.parametrize(
    ("head", "rule", "context", "expected", "word"),
    [
        (1, "odd", 5.5, [9.7, 10.0, 7.45], "warm"),
        (2, "previous", 1, [13.3, 12.6, 7.35], "nice"),
        (3, "self", 5, [14.8, 13.2, 5.65], "nice"),
        (4, "first", 10, [15.5, 14.5, 8.25], "nice"),
    ],
)
def test_changing_one_heads_rule(head, rule, context, expected, word):
    scenario = with_rule(head, rule)
    assert contexts(scenario)[head - 1, -1] == pytest.approx(context, abs=1e-5)
    np.testing.assert_allclose(logits(scenario), expected, atol=1e-5)
    assert winner(scenario) == word


def test_swapping_two_words_changes_the_answer():
    swapped = replace(TEXT, tokens=("weather", "Today", "is", "so"), values=(20, 10, 1, 5))
    np.testing.assert_allclose(contexts(swapped)[:, -1], [7.5, 5, 20, 9], atol=1e-5)
    np.testing.assert_allclose(logits(swapped), [12.3, 13.2, 12.65], atol=1e-5)


def test_averaging_the_heads_makes_the_ranking_a_matter_of_column_sums():
    averaging = replace(TEXT, w_vocab=[np.mean(TEXT.w_vocab, axis=0)] * 4)
    np.testing.assert_allclose(logits(averaging), [14.6, 13.6875, 8.2125], atol=1e-5)


def test_scaling_all_values_acts_like_an_inverse_temperature():
    for factor, probs in ((2, [0.9002]), (0.1, [0.4193, 0.3756, 0.2051]), (0, [1 / 3] * 3)):
        scaled = logits(replace(TEXT, values=[factor * v for v in TEXT.values]))
        np.testing.assert_allclose(scaled, factor * logits(TEXT), atol=1e-12)
        np.testing.assert_allclose(probabilities(scaled)[: len(probs)], probs, atol=6e-5)


def test_the_value_of_a_word_moves_contexts_but_no_weight():
    loud = with_value("is", 100)
    np.testing.assert_array_equal(run(loud).layers[0].weights, run(TEXT).layers[0].weights)
    np.testing.assert_allclose(contexts(loud)[:, -1], [12.5, 5, 10, 33.75], atol=1e-4)  # the leak grows with the value
    np.testing.assert_allclose(logits(loud), [20.25, 21.625, 10.625], atol=1e-4)


def test_the_conclusion_is_put_in_by_hand_through_w():
    rigged = replace(TEXT, w_vocab=[(0, 0, 1.25), *TEXT.w_vocab[1:]])
    assert winner(rigged) == "delicious" and logits(rigged)[2] >= 15.3


@pytest.mark.parametrize(
    ("d_k", "expected"),
    [
        (1, [11.6656, 6.5401, 9.6150, 9]),
        (2, [12.1093, 5.8033, 9.7992, 9]),
        (4, [12.3741, 5.2778, 9.9306, 9]),
        (8, [12.4756, 5.0553, 9.9862, 9]),
        (16, [12.4977, 5.0054, 9.9987, 9]),
        (32, [12.4999, 5.0002, 10, 9]),
        (64, [12.5, 5, 10, 9]),
    ],
)
def test_sharpness_is_the_root_of_the_articles_width_and_leaks_e_to_minus_twice_itself(d_k, expected):
    layer = run(replace(TEXT, sharpness=math.sqrt(d_k))).layers[0]
    np.testing.assert_allclose(layer.context[:, -1, 0], expected, rtol=0, atol=5.1e-5)
    assert layer.weights[2, -1, 1] / layer.weights[2, -1, 0] == pytest.approx(math.exp(-2 * math.sqrt(d_k)), rel=1e-9)


def test_four_tokens_can_be_recovered_from_the_last_contexts_and_five_cannot():
    weights = run(TEXT).layers[0].weights[:, -1]
    np.testing.assert_allclose(np.linalg.solve(weights, contexts(TEXT)[:, -1]), TEXT.values, atol=1e-9)
    longer = replace(TEXT, tokens=(*TEXT.tokens, "nice"), values=(*TEXT.values, 7))
    assert np.linalg.matrix_rank(run(longer).layers[0].weights[:, -1]) == 4


def test_without_the_mask_the_first_row_sees_everything_and_the_last_row_does_not_change():
    unmasked = replace(TEXT, causal=False)
    np.testing.assert_allclose(contexts(unmasked)[[0, 3], 0], [12.5, 9], atol=1e-5)
    np.testing.assert_array_equal(contexts(unmasked)[:, -1], contexts(TEXT)[:, -1])
    assert run(unmasked).counts.scores == 16 and run(TEXT).counts.scores == 10


def by_hand(scenario):
    """Contexts and logits in plain Python, straight from the wording: who is wanted, who is visible, what a policy does."""
    n, n_head, s = len(scenario.tokens), len(scenario.rules), scenario.sharpness
    table = [[0.0] * n for _ in range(n_head)]
    for h, rule in enumerate(scenario.rules):
        for i in range(n):
            visible = range(i + 1) if scenario.causal else range(n)
            wanted = [j == n - 1 if rule.kind == "last" else wants(rule, i + 1, j + 1) for j in visible]
            if scenario.empty_row == "none" and not any(wanted):
                continue
            shares = [math.exp(s if w else -s) for w in wanted]
            total = sum(shares) + (scenario.empty_row == "softmax1")
            table[h][i] = sum(share / total * scenario.values[j] for share, j in zip(shares, visible, strict=True))
    words = range(len(scenario.words))
    return table, [[sum(table[h][i] * scenario.w_vocab[h][w] for h in range(n_head)) for w in words] for i in range(n)]


@given(scenarios(kinds=(*PRINCIPLED, "last")), st.booleans())
def test_a_pass_equals_the_scenario_worked_out_by_hand(scenario, causal):
    scenario = replace(scenario, causal=causal)
    table, expected_logits = by_hand(scenario)
    np.testing.assert_allclose(contexts(scenario), table, rtol=0, atol=1e-9)
    np.testing.assert_allclose(run(scenario).logits, expected_logits, rtol=0, atol=1e-6)


@given(scenarios(kinds=(*PRINCIPLED, "last")), st.randoms(use_true_random=False))
def test_the_order_of_heads_is_of_no_matter_if_their_rows_of_w_move_with_them(scenario, random):
    order = random.sample(range(len(scenario.rules)), len(scenario.rules))
    moved = replace(scenario, rules=[scenario.rules[h] for h in order], w_vocab=[scenario.w_vocab[h] for h in order])
    np.testing.assert_allclose(contexts(moved), contexts(scenario)[order], rtol=0, atol=1e-9)
    np.testing.assert_allclose(run(moved).logits, run(scenario).logits, rtol=0, atol=1e-7)


@given(scenarios(kinds=(*PRINCIPLED, "last"), policies=tuple(EMPTY_ROW)), st.sampled_from([np.float32, np.float64]))
def test_every_array_of_a_pass_has_the_dtype_that_the_model_was_asked_for(scenario, dtype):
    model = scenario.model(dtype)
    cache = KVCache.for_model(model, 17)
    for passed in (prefill(model, scenario.prompt_ids, cache), decode_step(model, 0, cache), prefill(model, scenario.prompt_ids)):
        layer = passed.layers[0]
        arrays = (layer.q, layer.k, layer.v, layer.scores, layer.masked, layer.weights, layer.context, passed.logits)
        assert {x.dtype for x in (*arrays, cache.k, cache.v)} == {np.dtype(dtype)} and layer.mask.dtype == bool


@given(scenarios())
def test_float32_gives_the_same_contexts_to_six_digits(scenario):
    single = prefill(scenario.model(np.float32), scenario.prompt_ids).layers[0].context[..., 0]
    np.testing.assert_allclose(single, contexts(scenario), rtol=0, atol=0.02)


@given(scenarios())
def test_a_scenario_of_lists_equals_and_hashes_as_one_of_tuples(scenario):
    again = replace(
        scenario,
        values=list(scenario.values),
        rules=[str(r) for r in scenario.rules],
        w_vocab=np.array(scenario.w_vocab),
        word_values=np.array(scenario.word_values),
    )
    assert again == scenario and hash(again) == hash(scenario)


def test_minus_zero_reads_zero_and_words_lose_the_blanks_around_them():
    scenario = Scenario(values=(-0.0, 1, 2, 3), tokens=(" Today", "weather ", "is", "so"))
    assert str(scenario.values[0]) == "0.0" and scenario.tokens == TEXT.tokens


MANY = 10**6
BAD = [  # what is passed, and what the message must say: the field, what was expected, what was got
    ({"tokens": ()}, "tokens: expected 1 to 16 words, got 0"),
    ({"tokens": ("a",) * 17}, "tokens: expected 1 to 16 words, got 17"),
    ({"tokens": ("a",) * MANY}, "tokens: expected 1 to 16 words, got 1000000"),
    ({"tokens": "Today weather is so"}, "tokens: expected 1 to 16 words, got one string"),
    ({"tokens": ("a", "b", "c", " ")}, "tokens: expected words of 1 to 24 printable letters, got ' '"),
    ({"tokens": ("a", "b", "c", "x" * 25)}, "tokens: expected words of 1 to 24 printable letters, got 'x+'"),
    ({"tokens": ("a", "b", "c", "x" * MANY)}, "tokens: expected words of 1 to 24 printable letters, got 'x+'"),
    ({"tokens": ("a", "b", "c", "a\nb")}, r"tokens: expected words of 1 to 24 printable letters, got 'a\\nb'"),
    ({"tokens": ("a", "b", "c", 4)}, "tokens: expected words of 1 to 24 printable letters, got '4'"),
    ({"values": (1, 2, 3)}, "values: expected one number for each of the 4 tokens, got 3"),
    ({"values": (1.0,) * MANY}, "values: expected one number for each of the 4 tokens, got 1000000"),
    ({"values": (1, 2, 3, 1000.5)}, "values: expected finite numbers between -1000 and 1000, got 1000.5"),
    ({"values": (1, 2, 3, -1001)}, "values: expected finite numbers between -1000 and 1000, got -1001"),
    ({"values": (1, 2, 3, math.nan)}, "values: expected finite numbers between -1000 and 1000, got nan"),
    ({"values": (1, 2, 3, -math.inf)}, "values: expected finite numbers between -1000 and 1000, got -inf"),
    ({"values": (1, 2, 3, None)}, "values: expected finite numbers between -1000 and 1000, got None"),
    ({"values": (1, 2, 3, "much")}, "values: expected finite numbers between -1000 and 1000, got 'much'"),
    ({"values": (1, 2, 3, 10**400)}, "values: expected finite numbers between -1000 and 1000, got 10+"),
    ({"rules": ()}, "rules: expected 1 to 8 heads, got 0"),
    ({"rules": ("even",) * 9}, "rules: expected 1 to 8 heads, got 9"),
    ({"rules": ("even",) * MANY}, "rules: expected 1 to 8 heads, got 1000000"),
    ({"rules": ("even", "self", "first", "every")}, "rule: expected one of even, .* got 'every'"),
    ({"words": ()}, "words: expected 1 to 12 words, got 0"),
    ({"words": tuple("abcdefghijklm")}, "words: expected 1 to 12 words, got 13"),
    ({"words": ("a", "b", "a ")}, "words: expected different candidate words, got a, b, a"),
    ({"word_values": (1, 2)}, "word_values: expected one number for each of the 3 candidate words, got 2"),
    ({"word_values": (1, 2, 2000)}, "word_values: expected finite numbers between -1000 and 1000, got 2000"),
    ({"w_vocab": ((1, 2, 3),) * 3}, "w_vocab: expected one row for each of the 4 heads, got 3"),
    ({"w_vocab": ((1, 2, 3),) * MANY}, "w_vocab: expected one row for each of the 4 heads, got 1000000"),
    ({"w_vocab": ((1, 2, 3), (1, 2), (1, 2, 3), (1, 2, 3))}, "w_vocab row 2: expected one number for each of the 3 words, got 2"),
    ({"w_vocab": ((1, 2, math.inf),) * 4}, "w_vocab row 1: expected finite numbers between -1000 and 1000, got inf"),
    ({"sharpness": 0}, "sharpness: expected more than 0 and at most 32, got 0"),
    ({"sharpness": 32.5}, "sharpness: expected more than 0 and at most 32, got 32.5"),
    ({"sharpness": 1e9}, "sharpness: expected more than 0 and at most 32, got 1e.09"),  # “between -1000 and 1000”
    ({"sharpness": math.nan}, "sharpness: expected more than 0 and at most 32, got nan"),
    ({"causal": 1}, "causal: expected True or False, got 1"),
    ({"causal": "x" * MANY}, "causal: expected True or False, got 'x+"),
    ({"empty_row": "zero"}, "empty_row: expected one of none, soft, nan, fill, softmax1, got 'zero'"),
    ({"empty_row": "x" * MANY}, "empty_row: expected one of none, soft, nan, fill, softmax1, got 'x+'"),
]


@pytest.mark.parametrize(("change", "message"), BAD, ids=[f"{i}-{next(iter(change))}" for i, (change, _) in enumerate(BAD)])
def test_a_wrong_scenario_says_which_field_what_was_expected_and_what_was_got(change, message):
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=message) as error:
            Scenario(**change)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert len(str(error.value)) < 200
    assert peak < 3 * MANY, "a hostile length must be refused before a list of that length is made"


def test_the_bounds_themselves_are_allowed():
    largest = Scenario(
        tokens=("x" * 24,) * 16,
        values=(1000, -1000) * 8,
        rules=("all",) * 8,
        words=tuple("abcdefghijkl"),
        word_values=(0,) * 12,
        w_vocab=((1000,) * 12,) * 8,
        sharpness=32,
    )
    assert run(largest).logits.shape == (16, 12) and np.isfinite(run(largest).logits).all()
    smallest = Scenario(tokens=("a",), values=(3,), rules=(Rule("self"),), words=("b",), word_values=(0,), w_vocab=((2,),))
    assert logits(smallest).tolist() == [6]


@given(scenarios(n_tokens=st.integers(2, 16)), st.integers(0, 14), VALUES)
def test_weights_know_nothing_of_values(scenario, at, value):
    assume(at < len(scenario.values))
    other = replace(scenario, values=[value if j == at else v for j, v in enumerate(scenario.values)])
    np.testing.assert_array_equal(run(other).layers[0].weights, run(scenario).layers[0].weights)
