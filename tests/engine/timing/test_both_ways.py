"""One answer made twice, with a clock: the same tokens as `generate`, differences within rounding, and a mask that must be on."""

import json
from dataclasses import replace
from itertools import accumulate, cycle

import numpy as np
import pytest

from engine import KVCache, bundled, generate
from engine.compare import largest_gap
from engine.timing.both_ways import BothWays, TimedStep, compared_answers, compared_words
from engine.trained.bundled import FOLDER
from engine.trained.config import read_config
from engine.trained.induction import LIST, continued, list_ids, scores
from engine.trained.logit_lens import look_inside
from engine.trained.transformer import Transformer

TEXT = "Anna has a red kite. Ben has a blue boat."


@pytest.fixture(scope="module")
def model():
    return bundled()


def run_both(model, n_words=20, **options):
    both = BothWays(model, model.tokenizer.encode(TEXT) if model.tokenizer else [1, 2, 3], n_words, **options)
    while not both.done:
        both.step()
    return both


@pytest.mark.parametrize("options", [{}, {"temperature": 1.0, "seed": 3}])
def test_both_ways_say_what_generate_says(model, options):
    both = run_both(model, **options)
    assert tuple(b.token_id for b in both.timed) == generate(model, model.tokenizer.encode(TEXT), 20, **options).token_ids
    assert both.token_ids[: len(both.prompt_ids)] == tuple(model.tokenizer.encode(TEXT))
    assert [b.n_tokens for b in both.timed] == list(range(len(both.prompt_ids), len(both.prompt_ids) + 20))
    assert both.cache.n_tokens == both.timed[-1].n_tokens


def test_an_answer_stops_where_the_model_ends_it(model):
    """A folder's eos_token_id was never read: after its end the model went on writing."""
    whole = [step.token_id for step in run_both(model).timed]
    end = whole[4]
    ending = Transformer(replace(model.config, eos_ids=(end,)), model.params, model.tokenizer)
    both = run_both(ending)
    assert [step.token_id for step in both.timed] == whole[: whole.index(end) + 1] and both.ended and both.done
    with pytest.raises(ValueError, match="expected at most"):
        both.step()


@pytest.mark.parametrize(("stated", "ids"), [(2, (2,)), ([2, 7], (2, 7)), (None, ()), ("x", ()), ([True, -1], ())])
def test_the_end_is_what_config_json_states(stated, ids):
    raw = json.loads((FOLDER / "config.json").read_text()) | {"eos_token_id": stated}
    assert read_config(raw).eos_ids == ids


def test_both_ways_agree_within_rounding_and_not_bit_for_bit(model):
    timed = run_both(model).timed
    assert all(b.gap <= b.rounding for b in timed)
    assert timed[0].equal == 1  # prefill is the same pass in both
    assert 0 < max(b.gap for b in timed) < 1e-4
    assert np.mean([b.equal for b in timed[1:]]) < 0.9


def test_the_gap_and_the_bits_are_those_of_the_two_passes(model):
    both = run_both(model, 3)
    ids, fast = both.token_ids, model.variant(keep=False)
    cache = KVCache.for_model(model, 40)
    for n_new in (ids[:-3], ids[-3:-2], ids[-2:-1]):
        cached = fast.forward(n_new, cache).logits[-1]
    whole = fast.forward(ids[:-1]).logits[-1]
    assert both.timed[-1].gap == pytest.approx(largest_gap(cached, whole), abs=1e-5)
    assert both.timed[-1].largest == pytest.approx(float(np.abs(whole).max()), abs=1e-4)


def test_without_the_mask_the_cache_is_wrong_from_layer_2_on(model):
    on, off = (run_both(model.variant(causal=causal), 6) for causal in (True, False))
    assert max(b.gap for b in on.timed) < 1e-4 < 1e-2 < max(b.gap for b in off.timed)
    by_layer = off.cache_gaps().max(axis=1)
    assert by_layer[0] < 1e-4 and by_layer[1] > 0.1 and by_layer[2] > 0.1
    assert on.cache_gaps().max() < 1e-4


def test_the_clock_is_read_around_each_pass(model):
    seconds = iter(range(100))
    timed = run_both(model, 3, clock=lambda: float(next(seconds))).timed
    # A pass of a second is not repeated.
    assert [(b.cached_s, b.recomputed_s, len(b.turns)) for b in timed] == [(1.0, 1.0, 1)] * 3


def test_a_step_runs_both_passes_in_turns_and_keeps_one(model):
    """Once each, a word on a busy machine was whatever moment it had met."""
    still = run_both(model, 6, clock=lambda: 0.0)
    assert [len(b.turns) for b in still.timed] == [5] * 6
    once = run_both(model, 6, repeats=1)
    assert still.token_ids == once.token_ids and [b.gap for b in still.timed] == [b.gap for b in once.timed]
    assert still.cache.n_tokens == once.cache.n_tokens == still.timed[-1].n_tokens
    np.testing.assert_array_equal(still.cache.k, once.cache.k)


def test_words_are_compared_without_prefill_and_one_slow_moment_decides_nothing(model):
    assert compared_words(run_both(model, 1).timed) is None
    # When the budget ends, before, between and after both passes, and whether it is over.
    looks = accumulate(cycle((0, 0, 1, 3, 1)))
    both = compared_words(run_both(model, 20, clock=lambda: next(looks)).timed)
    assert (both.first_s, both.second_s, both.clear) == (1, 3, True)


@pytest.mark.parametrize(
    ("whole", "clear"),
    [
        ([2, 3, 4, 5, 6, 7], True), ([2, 3, 4, 90, 6, 7], False), ([2, 1, 1, 1, 1, 1], False), ([2], False),
        ([2, 3], True), ([2, 90], False), ([2, 3, 61], False), ([71, 3, 3], False), ([2, 3, 4, 90, 90, 7, 8, 9], False),
    ],
)  # fmt: skip
def test_answers_are_compared_with_prefill_and_one_pass_that_waited_does_not_decide(whole, clear):
    """Of six words one took 90 s in place of 5: the answer would have taken nine times as long. So it was of three, of which a pass or
    prefill had waited, and of two neighbours that had."""
    both = compared_answers(
        [TimedStep(1, ((2.0 if k == 0 else 1.0, float(s)),) * 3, 6 + k, 0, 1, 1) for k, s in enumerate(whole)]
    )
    assert (both.first_s, both.second_s, both.clear) == (len(whole) + 1, sum(whole), clear)


def test_waits_that_most_turns_of_some_words_met_do_not_decide():
    """“3.06 times as long” of 1.18: in three of five turns another program had the processor for some milliseconds."""
    turns = ((1.0, 1.1), (1.0, 3.0), (1.0, 3.0))
    assert not compared_answers([TimedStep(1, turns, 6 + k, 0, 1, 1) for k in range(5)]).clear
    assert compared_answers([TimedStep(1, ((1.0, 2.6), *turns[1:]), 6 + k, 0, 1, 1) for k in range(5)]).clear


def test_a_run_is_refused_before_anything_is_computed(model):
    with pytest.raises(ValueError, match="prompt_ids: expected at least one token id"):
        BothWays(model, [], 3)
    with pytest.raises(ValueError, match=r"at most n_ctx = 128 tokens, got 100 \+ 30 − 1"):
        BothWays(model, [2] * 100, 30)
    with pytest.raises(ValueError, match="at most 1 steps"):
        run_both(model, 1).step()


def test_inside_is_what_the_pass_computed(model):
    ids = model.tokenizer.encode(TEXT)
    inside, run = look_inside(model, ids), model.forward(ids)
    np.testing.assert_allclose(inside.weights, np.stack([layer.weights for layer in run.layers]), atol=1e-6)
    assert inside.hidden.sum() == model.n_layer * len(ids) * (len(ids) - 1) // 2
    np.testing.assert_allclose(inside.lens.sum(axis=1), 1, atol=1e-5)
    said = np.exp(run.logits[-1] - run.logits[-1].max())
    np.testing.assert_allclose(inside.probs, said / said.sum(), atol=1e-5)
    # Head and embedding are one matrix: read at once, a token is its own likeliest continuation.
    assert inside.lens[0].argmax() == ids[-1]


def test_the_list_is_continued_once_there_are_induction_heads(model):
    ids = list_ids(model)
    assert model.tokenizer.decode(ids) == " ".join(LIST * 2)
    found = {name: continued(bundled(name), ids) for name in ("untrained", "before", "after", "final")}
    assert [found[name].right for name in found] == [False, False, True, True]
    assert found["final"].chance > 0.9 > 0.05 > found["before"].chance
    assert scores(model).induction.max() > 0.8
    induction = [tuple(map(int, p)) for p in np.argwhere(scores(model).induction > 0.5)]
    assert not continued(model.variant(ablated=induction), ids).right
