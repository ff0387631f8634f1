"""From logits to a word, by the article's table, by the edge rules that libraries disagree on, and by counting draws."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import probabilities, sample

ARTICLE = np.array([15.3, 14.2, 8.15])
LOGITS = st.lists(st.one_of(st.floats(-1000, 1000), st.integers(-3, 3)), min_size=1, max_size=12).map(np.array)
OPTIONS = st.fixed_dictionaries(
    dict(
        temperature=st.one_of(st.just(0), st.floats(0.01, 10)),
        top_k=st.integers(0, 14),
        top_p=st.floats(0, 1),
        min_p=st.floats(0, 1),
    )
)


@pytest.mark.parametrize(
    ("temperature", "expected"),
    [
        (0.25, [0.98787, 0.01213, 0]),
        (0.5, [0.90025, 0.09975, 0]),
        (0.7, [0.82796, 0.17201, 0.00003]),
        (1, [0.74982, 0.24959, 0.00059]),
        (1.5, [0.67168, 0.32261, 0.00572]),
        (2, [0.62307, 0.35948, 0.01746]),
        (5, [0.48976, 0.39304, 0.11720]),
        (10, [0.41928, 0.37561, 0.20511]),
    ],
)
def test_the_articles_logits_at_each_temperature(temperature, expected):
    np.testing.assert_allclose(probabilities(ARTICLE, temperature), expected, rtol=0, atol=5.1e-6)


@pytest.mark.parametrize(("temperature", "bits"), [(1, 0.8176), (2, 1.0578), (10, 1.5252), (1e6, math.log2(3))])
def test_the_hotter_the_more_bits_up_to_those_of_an_even_choice(temperature, bits):
    probs = probabilities(ARTICLE, temperature)
    assert -(probs * np.log2(probs)).sum() == pytest.approx(bits, abs=5.1e-5)


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (dict(top_k=2), [0.75026, 0.24974, 0]),
        (dict(top_k=1), [1, 0, 0]),
        (dict(top_p=0.7), [1, 0, 0]),
        (dict(top_p=0.9), [0.75026, 0.24974, 0]),
        (dict(top_p=0.9995), [0.74982, 0.24959, 0.00059]),
        (dict(min_p=0.3), [0.75026, 0.24974, 0]),
        (dict(min_p=0.34), [1, 0, 0]),
        (dict(top_k=2, top_p=0.76), [0.75026, 0.24974, 0]),
        (dict(top_k=2, top_p=0.7502), [1, 0, 0]),  # after top-k the first word alone has .75026
    ],
    ids=str,
)
def test_the_filters_on_the_articles_logits(options, expected):
    np.testing.assert_allclose(probabilities(ARTICLE, **options), expected, rtol=0, atol=5.1e-6)


def filtered_by_hand(logits, temperature, top_k, top_p, min_p):
    """The filters as sentences, on (id, probability) pairs, highest logit first and ties by id."""
    probs = probabilities(logits, temperature)
    ranked = [(i, probs[i]) for i in sorted(range(len(logits)), key=lambda i: (-logits[i], i))][: top_k or None]
    ranked = [(i, p / sum(q for _, q in ranked)) for i, p in ranked]
    kept, running = [], 0.0
    for i, p in ranked:
        assume(abs(running - top_p) > 1e-9)  # a tie of rounding is nobody's promise
        if kept and running >= top_p < 1:
            break
        kept.append((i, p))
        running += p
    assume(all(abs(p - min_p * kept[0][1]) > 1e-12 or p == kept[0][1] for _, p in kept))
    kept = [(i, p) for i, p in kept if p >= min_p * kept[0][1]]
    chances = dict(kept)
    return [chances.get(i, 0.0) / sum(chances.values()) for i in range(len(probs))]


@given(LOGITS, OPTIONS)
def test_temperature_and_filters_equal_their_definition_on_any_logits(logits, options):
    temperature = options.pop("temperature") or 1.0
    expected = filtered_by_hand(logits, temperature, **options)
    np.testing.assert_allclose(probabilities(logits, temperature, **options), expected, rtol=1e-9, atol=1e-12)


@given(LOGITS, st.floats(0.01, 10))
def test_without_filters_the_odds_are_those_of_the_exponentials(logits, temperature):
    probs = probabilities(logits, temperature)
    shares = [math.exp(x) if x > -700 else 0 for x in (logits - logits.max()) / temperature]
    np.testing.assert_allclose(probs, np.array(shares) / sum(shares), rtol=1e-9, atol=1e-300)


@given(LOGITS, OPTIONS)
def test_chances_sum_to_one_and_a_better_logit_is_never_less_likely(logits, options):
    probs = probabilities(logits, **options)
    assert (probs >= 0).all() and probs.sum() == pytest.approx(1, abs=1e-12)
    in_order = probs[np.lexsort((-np.arange(len(logits)), logits))]  # ascending; of equal logits the lower id last
    assert (np.diff(in_order) >= -1e-15).all()
    assert probs[logits.argmax()] == probs.max()


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12).map(np.array), st.integers(-1000, 1000), OPTIONS)
def test_a_constant_added_to_all_logits_changes_nothing(logits, constant, options):
    np.testing.assert_array_equal(probabilities(logits + constant, **options), probabilities(logits, **options))


@given(LOGITS, OPTIONS)
def test_temperature_zero_is_the_first_maximum_whatever_the_filters(logits, options):
    probs = probabilities(logits, **options | {"temperature": 0})
    assert probs.tolist() == [float(i == logits.tolist().index(max(logits))) for i in range(len(logits))]


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=12).map(np.array), st.sampled_from([1e-2, 1e-9, 1e-300, 5e-324]))
def test_a_temperature_towards_zero_shares_all_chance_among_the_maxima(logits, temperature):
    at_top = logits == logits.max()
    np.testing.assert_allclose(probabilities(logits, temperature), at_top / at_top.sum(), rtol=0, atol=1e-12)


def test_ties_go_to_the_lower_id():
    tied = np.array([1.0, 3.0, 3.0, 2.0, 3.0])
    assert probabilities(tied, temperature=0).tolist() == [0, 1, 0, 0, 0]
    assert probabilities(tied, top_k=2).tolist() == [0, 0.5, 0.5, 0, 0]
    assert probabilities(tied, top_p=0).tolist() == [0, 1, 0, 0, 0]
    assert np.flatnonzero(probabilities(tied, min_p=1)).tolist() == [1, 2, 4]
    assert np.flatnonzero(probabilities(np.zeros(1000), top_k=3)).tolist() == [0, 1, 2]


def test_top_k_keeps_exactly_k_and_zero_or_more_than_there_are_keeps_all():
    logits = np.random.default_rng(0).normal(size=20).round(1)
    for k in range(1, 25):
        assert np.count_nonzero(probabilities(logits, top_k=k)) == min(k, 20)
    np.testing.assert_array_equal(probabilities(logits, top_k=0), probabilities(logits, top_k=21))


def test_top_p_zero_keeps_one_word_and_one_keeps_all_even_those_lost_to_rounding():
    logits = np.random.default_rng(0).normal(size=50257).astype(np.float32) * 4
    assert np.count_nonzero(probabilities(logits, top_p=0)) == 1
    assert np.count_nonzero(probabilities(logits, top_p=1)) == 50257
    assert probabilities([50.0, 0.0])[1] == pytest.approx(math.exp(-50))  # beside it .75 rounds to 1


def test_the_word_that_crosses_top_p_is_kept():
    even = np.zeros(4)
    assert [np.count_nonzero(probabilities(even, top_p=p)) for p in (0.2, 0.25, 0.26, 0.5, 0.51, 0.99)] == [1, 1, 2, 2, 3, 4]


@pytest.mark.parametrize("scale", [1e3, 1e30, 1e308])
@pytest.mark.parametrize("temperature", [1e-300, 1.0, 1e300])
def test_huge_logits_overflow_into_nothing(scale, temperature):
    probs = probabilities(np.array([scale, -scale, scale]), temperature)
    assert np.isfinite(probs).all() and probs[0] == probs[2] and probs.sum() == pytest.approx(1)


def test_float32_logits_are_sampled_in_float64():
    assert probabilities(ARTICLE.astype(np.float32)).dtype == np.float64


@pytest.mark.parametrize(
    ("logits", "options", "message"),
    [
        ([1, math.nan], {}, "logits: expected a row of finite numbers"),
        ([1, math.inf], {}, "logits: expected a row of finite numbers"),
        ([1, math.nan], {"temperature": 0}, "logits: expected a row of finite numbers"),
        ([], {}, "logits: expected a row of finite numbers"),
        ([[1, 2]], {}, r"logits: expected a row of finite numbers, got \(1, 2\)"),
        ([1, 2], {"temperature": -0.1}, "temperature: expected 0 or more, got -0.1"),
        ([1, 2], {"temperature": math.nan}, "temperature: expected 0 or more, got nan"),
        ([1, 2], {"temperature": math.inf}, "temperature: expected 0 or more, got inf"),
        ([1, 2], {"top_k": -1}, r"top_k: expected 0 \(off\) or more, got -1"),
        ([1, 2], {"top_p": 1.1}, "top_p: expected a number from 0 to 1, got 1.1"),
        ([1, 2], {"top_p": math.nan}, "top_p: expected a number from 0 to 1, got nan"),
        ([1, 2], {"min_p": -1}, "min_p: expected a number from 0 to 1, got -1"),
    ],
)
def test_what_cannot_be_sampled_is_refused_in_words(logits, options, message):
    with pytest.raises(ValueError, match=message):
        probabilities(logits, **options)


def test_the_logits_are_left_as_they_were():
    logits = ARTICLE.copy()
    probabilities(logits, 0.7, top_k=2, top_p=0.9, min_p=0.1)
    np.testing.assert_array_equal(logits, ARTICLE)


def test_words_are_drawn_as_often_as_their_chance_says():
    probs, n = probabilities(ARTICLE, 2.0), 20_000
    rng = np.random.default_rng(0)
    drawn = np.bincount([sample(probs, rng) for _ in range(n)], minlength=3) / n
    assert (np.abs(drawn - probs) < 4 * np.sqrt(probs * (1 - probs) / n)).all()


class Fixed:
    """A generator whose next number is known."""

    def __init__(self, number):
        self.random = lambda: number


@given(
    st.lists(st.sampled_from([0.0, 1e-300, 0.1, 1 / 3, 1.0]), min_size=1, max_size=9).filter(any),
    st.floats(0, 1, exclude_max=True),
)
def test_no_random_number_draws_a_word_without_a_chance(chances, number):
    probs = np.array(chances) / sum(chances)
    for u in (0.0, number, 1 - 2**-53):
        drawn = sample(probs, Fixed(u))
        assert probs[drawn] > 0
        assert probs[:drawn].sum() <= u + 1e-12 and u <= probs[: drawn + 1].sum() + 1e-12
