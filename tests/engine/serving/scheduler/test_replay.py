"""Every schedule writes the same text: a model run step by step by each policy says what it says alone."""

import numpy as np
import pytest
from one_second_steps import ticking, with_blocks

from engine import bundled, generate
from engine.experiments.random_model import StackModel
from engine.serving import Request, simulate
from engine.serving.scheduler.policies import POLICIES
from engine.serving.scheduler.replay import replay

SENTENCES = (
    "Anna has a red kite. Ben has a blue boat. Anna has a",
    "It is winter in Oslo. Today's weather is so",
    "Tom lamp Rome pizza cold Tom lamp Rome pizza",
    "The weather in Oslo is so",
    "The soup is so",
)


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize("setup", [dict(max_batch=4, max_batched_tokens=8), dict(max_batch=2, max_batched_tokens=64)], ids=str)
def test_words_are_those_that_each_prompt_gets_alone(policy, setup):
    model = bundled()
    prompts = [model.tokenizer.encode(sentence) for sentence in SENTENCES]
    load = [Request(0.7 * k, len(ids), 5 + 3 * k) for k, ids in enumerate(prompts)]
    run = simulate(load, with_blocks(5, **setup), policy)
    said = list(replay(run, model, prompts))
    for k, ids in enumerate(prompts):
        mine = [one for one in said if one.request == k]
        assert tuple(one.token_id for one in mine) == generate(model, ids, load[k].n_answer).token_ids
        assert mine[0].at_s == pytest.approx(load[k].arrival_s + run.ttft_s[k]) and mine[-1].at_s == pytest.approx(
            run.finished_s[k]
        )
        assert np.diff([one.at_s for one in mine]).min(initial=1) > 0


@pytest.mark.parametrize("policy", ["continuous", "chunked", "disaggregated"])
def test_who_was_sent_back_says_the_same(policy):
    model = StackModel(2, 11)
    prompts = [np.random.default_rng(k).integers(0, 11, 20).tolist() for k in range(4)]
    run = simulate([Request(0.0, 20, 30) for _ in prompts], with_blocks(6, max_batch=4, max_batched_tokens=16), policy)
    assert run.n_preempted.any()
    said = list(replay(run, model, prompts))
    for k, ids in enumerate(prompts):
        assert tuple(one.token_id for one in said if one.request == k) == generate(model, ids, 30).token_ids


def test_other_prompts_than_the_runs_are_refused():
    run = simulate([Request(0, 4, 2)], ticking(), "chunked")
    with pytest.raises(ValueError, match="prompts"):
        next(replay(run, StackModel(1, 5), [[1, 2, 3]]))
    shared = simulate([Request(0, 20, 2, ("a",)), Request(9, 20, 2, ("a",))], ticking(), "chunked")
    with pytest.raises(ValueError, match="shared"):
        next(replay(shared, StackModel(1, 5), [[1] * 20] * 2))
