"""Guessing ahead changes how many passes there are, and nothing else: the same text, the same chances, and the published numbers."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import KVCache, Scenario, bundled, probabilities
from engine import generate as without
from engine.experiments.random_model import StackModel
from engine.sampling import sample
from engine.speculative import PromptLookup, SmallerModel, check, expected_tokens, generate, residual, speed_up, tokens_by_place

PROMPTS = {
    "Tom lamp Rome pizza cold Tom lamp Rome pizza": 5,
    "Anna has a red kite. Ben has a blue boat. Anna has a": 6,
    "It is winter in Oslo. Today's weather is so": 11,
}


class Wild:
    """Guesses at random, with the chances of any distribution or, sure of itself, with none."""

    def __init__(self, n_vocab, sure, seed=0):
        self.rng, self.n_vocab, self.sure = np.random.default_rng(seed), n_vocab, sure

    def __call__(self, token_ids, n):
        chances = self.rng.dirichlet(np.full(self.n_vocab, 0.5), n)
        guessed = [sample(q, self.rng) for q in chances]
        return guessed, None if self.sure else chances


class Wrong(Wild):
    """Guesses with the same chances whatever the text."""

    def __init__(self, q, seed):
        super().__init__(len(q), False, seed)
        self.q = q

    def __call__(self, token_ids, n):
        return [sample(self.q, self.rng) for _ in range(n)], np.tile(self.q, (n, 1))


# --- the same text


@pytest.mark.parametrize(("prompt", "n_passes"), PROMPTS.items())
def test_prompt_lookup_writes_the_same_twenty_words_in_fewer_passes(prompt, n_passes):
    model = bundled()
    ids = model.tokenizer.encode(prompt)
    found = generate(model, ids, 20, PromptLookup(), 4)
    assert found.token_ids == without(model, ids, 20).token_ids and found.n_passes == n_passes
    made = sum(r.n_accepted + 1 for r in found.rounds)
    assert made == 19 and tokens_by_place(found.accepted) == pytest.approx(made / len(found.rounds))


@pytest.mark.parametrize("draft", [PromptLookup(1), Wild(99, True), Wild(99, False)], ids=("lookup", "sure", "chances"))
@pytest.mark.parametrize("n_guess", [1, 2, 5])
def test_greedy_any_draft_gives_the_same_text(draft, n_guess):
    for seed in range(4):
        model = StackModel(3, 99, seed=seed)
        prompt = np.random.default_rng(seed).integers(0, 99, 5).tolist()
        assert generate(model, prompt, 30, draft, n_guess).token_ids == without(model, prompt, 30).token_ids


@pytest.mark.parametrize("scenario", [Scenario.article(), Scenario(values=(1, 1, 1, 1))], ids=("text", "ties"))
def test_the_toy_says_the_same_words_with_a_draft(scenario):
    """Its prompt has words that it never says: a guess ends where one of them would come."""
    model = scenario.model()
    for draft in (PromptLookup(), Wild(model.n_vocab, True), SmallerModel(model)):
        assert generate(model, scenario.prompt_ids, 8, draft, 3).token_ids == without(model, scenario.prompt_ids, 8).token_ids
    never_said = generate(model, scenario.prompt_ids, 8, lambda ids, n: ([0, model.n_vocab, 0][:n], None), 3)
    assert {r.guessed for r in never_said.rounds[:-2]} == {(0,)}


@pytest.mark.parametrize("n_guess", [1, 4])
def test_a_smaller_model_is_a_draft_and_the_model_itself_is_never_refused(n_guess):
    model, smaller = StackModel(3, 20), StackModel(1, 20)
    expected = without(model, [1, 2, 3], 25).token_ids
    assert generate(model, [1, 2, 3], 25, SmallerModel(smaller), n_guess).token_ids == expected
    itself = generate(model, [1, 2, 3], 25, SmallerModel(model), n_guess)
    assert itself.token_ids == expected and all(r.n_taken_back == 0 for r in itself.rounds)
    assert itself.n_passes == 1 + -(-24 // (n_guess + 1))
    drawn = generate(model, [1, 2, 3], 25, SmallerModel(model, temperature=1.0, seed=5), n_guess, temperature=1.0)
    assert all(r.n_taken_back == 0 for r in drawn.rounds)


def test_refused_rows_leave_no_trace_in_the_cache():
    model = StackModel(2, 9)
    kept, cut = (KVCache.for_model(model, 12) for _ in range(2))
    model.forward([1, 2, 3], kept)
    model.forward([1, 2, 3, 7, 8], cut)
    cut.take_back(2)
    assert cut.n_tokens == 3 and np.allclose(cut.k, kept.k) and np.allclose(cut.v, kept.v)
    assert np.allclose(model.forward([4, 5], cut).logits, model.forward([4, 5], kept).logits)
    for wrong in (-1, 6):
        with pytest.raises(ValueError, match="n_tokens"):
            cut.take_back(wrong)


# --- the same chances


chances = st.lists(st.floats(0, 1), min_size=4, max_size=4).filter(lambda p: sum(p) > 0.01).map(lambda p: np.array(p) / sum(p))


@given(chances, chances)
@settings(deadline=None)
def test_kept_guesses_and_redrawn_words_together_have_the_models_chances(p, q):
    """Enumerated: a guess g comes with q(g) and stays with min(1, p/q); the rest is drawn from the residual."""
    stays = np.minimum(p, q)
    assert stays + (1 - stays.sum()) * residual(p, q) == pytest.approx(p, abs=1e-9)
    assert residual(p, q).sum() == pytest.approx(1)


def test_all_texts_of_three_words_have_their_chances():
    """Enumerated over every guess and every answer to it: the toy's texts, with a draft that is wrong about all of them."""
    scenario = Scenario.article()
    model, options = scenario.model(), dict(temperature=30.0)

    def next_chances(text):
        return probabilities(model.forward([*scenario.prompt_ids, *text]).logits[-1], **options)

    texts = list(product(range(model.n_vocab), repeat=3))
    expected = np.array([np.prod([next_chances(text[:j])[text[j]] for j in range(3)]) for text in texts])
    q = np.arange(1.0, model.n_vocab + 1) / np.arange(1.0, model.n_vocab + 1).sum()
    found = dict.fromkeys(texts, 0.0)
    for first, guess in product(range(model.n_vocab), repeat=2):  # the prefill's word, and one guess behind it
        weight, p = next_chances(())[first] * q[guess], next_chances((first,))
        stays = min(1.0, p[guess] / q[guess])
        for last in range(model.n_vocab):
            found[first, guess, last] += weight * stays * next_chances((first, guess))[last]
            for other in range(model.n_vocab):
                found[first, other, last] += weight * (1 - stays) * residual(p, q)[other] * next_chances((first, other))[last]
    assert np.array(list(found.values())) == pytest.approx(expected)

    n, counts = 1000, Counter()
    for seed in range(n):
        draft = Wrong(q, seed + n)
        counts[generate(model, scenario.prompt_ids, 3, draft, 2, seed=seed, **options).token_ids] += 1
    assert chi_square(counts, dict(zip(texts, expected, strict=True)), n) < 4


def chi_square(counts, expected, n):
    """How many standard deviations Σ (seen − expected)² / expected lies above its mean, the number of texts less one."""
    often = {text: n * p for text, p in expected.items() if n * p >= 5}
    total = sum((counts[text] - e) ** 2 / e for text, e in often.items())
    return (total - (len(often) - 1)) / (2 * (len(often) - 1)) ** 0.5


def test_a_sure_draft_is_kept_as_often_as_the_model_would_say_the_same():
    p = np.array([0.1, 0.6, 0.3])
    rng, q = np.random.default_rng(0), np.eye(3)[[0]]
    results = Counter(check([0], q, [p, np.eye(3)[2]], rng) for _ in range(10_000))
    shares = {result: n / 10_000 for result, n in results.items()}
    assert shares == {
        (1, 2): pytest.approx(0.1, abs=0.013),
        (0, 1): pytest.approx(0.6, abs=0.02),
        (0, 2): pytest.approx(0.3, abs=0.02),
    }


# --- what it is worth


@pytest.mark.parametrize(("alpha", "n_guess", "faster"), [(0.6, 2, 1.96), (0.7, 3, 2.53), (0.8, 5, 3.69), (0.9, 10, 6.86)])
def test_the_published_speed_ups(alpha, n_guess, faster):
    """Leviathan et al. (arXiv 2211.17192), table 1, for a draft that costs nothing."""
    assert speed_up(alpha, n_guess) == pytest.approx(faster, abs=0.005)
    geometric = sum(alpha**place for place in range(n_guess + 1))
    assert expected_tokens(alpha, n_guess) == pytest.approx(geometric) and expected_tokens(1, n_guess) == n_guess + 1


def test_acceptance_by_place_beats_one_number_for_all():
    """vLLM issue 19254: .543, .357 and .264 of the guesses at the three places stayed; each alike would give less."""
    assert tokens_by_place((0.543, 0.357, 0.264)) == pytest.approx(2.16, abs=0.005)
    assert expected_tokens(0.543, 3) == pytest.approx(2.00, abs=0.005)


def test_a_draft_of_the_same_shape_is_never_faster():
    assert all(speed_up(a, k, draft_cost=1.0) <= 1 for a in np.linspace(0, 1, 21) for k in range(1, 12))
    assert speed_up(1.0, 4, draft_cost=1.0) == 1 and speed_up(0.0, 4) == 1
    assert speed_up(0.8, 4, 0.05, check_cost=3.0) < speed_up(0.8, 4, 0.05)


def test_tokens_a_pass_are_as_many_as_the_formula_says():
    """A sure draft whose every guess stays with the same chance: the model says word 0 with .7 whatever went before."""

    rng, made = np.random.default_rng(1), []
    p = np.array([0.7, 0.3])
    for _ in range(4000):
        made.append(1 + check([0, 0, 0], np.eye(2)[[0, 0, 0]], [p] * 4, rng)[0])
    assert np.mean(made) == pytest.approx(expected_tokens(0.7, 3), abs=0.07)


def test_what_cannot_be_is_refused():
    model = StackModel(1, 5)
    for n_guess in (0, 65):
        with pytest.raises(ValueError, match="n_guess"):
            generate(model, [1], 5, PromptLookup(), n_guess)
    for bad in (([7], None), ([1, 1, 1], None), ([1], np.full((1, 5), 0.5)), ([1], np.ones((1, 4)) / 4)):
        with pytest.raises(ValueError, match="draft"):
            generate(model, [1], 5, lambda ids, n, bad=bad: bad, 2)
    with pytest.raises(ValueError, match="n_ctx"):
        generate(model, [1] * 60, 9, PromptLookup())
    with pytest.raises(ValueError, match="alpha"):
        expected_tokens(1.1, 3)
    with pytest.raises(ValueError, match="cost"):
        speed_up(0.5, 3, -1)
