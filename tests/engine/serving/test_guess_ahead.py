"""What checking guesses costs: nothing while a step waits for memory, as much as the rows when it waits for arithmetic."""

import pytest

from engine.cost import DEVICES, MODELS, compute_bound_tokens, tpot_s
from engine.serving.guess_ahead import check_cost, check_s, speed_ups
from engine.speculative import expected_tokens, speed_up

SHAPE, DEVICE = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]


def test_one_sequence_is_checked_at_the_price_of_a_step():
    assert check_cost(SHAPE, DEVICE, 4, 1024) == pytest.approx(1, abs=0.001)
    (fast,) = speed_ups(SHAPE, DEVICE, 0.7, 4, 1024, [1])
    assert fast == pytest.approx(expected_tokens(0.7, 4), rel=1e-3)


def test_where_products_wait_for_arithmetic_five_rows_cost_up_to_five_times_as_much():
    tokens = compute_bound_tokens(SHAPE, DEVICE)
    below, above = (check_cost(SHAPE, DEVICE, 4, 1, batch) for batch in (tokens // 5, 4 * tokens))
    assert below == pytest.approx(1, abs=0.01) and above == pytest.approx(5, rel=0.02)
    assert speed_ups(SHAPE, DEVICE, 0.7, 4, 1, [4 * tokens])[0] == speed_up(0.7, 4, 0, above) < 1


@pytest.mark.parametrize("name", MODELS)
def test_a_pass_of_more_rows_costs_no_less_than_a_step_and_no_more_than_as_many_steps(name):
    for batch in (1, 16, 256, 4096):
        for n_past in (1, 5000):
            steps = [tpot_s(MODELS[name], n_past + j, DEVICE, batch) for j in range(4)]
            assert steps[0] <= check_s(MODELS[name], DEVICE, 3, n_past, batch) * (1 + 1e-9) <= sum(steps) * (1 + 1e-8)


def test_experts_make_a_single_sequence_dear_to_check():
    """Mixtral visits two experts of eight for one token, and more for five: guessing saves less than in a dense model."""
    assert check_cost(MODELS["Mixtral-8x7B"], DEVICES["H200"], 4, 1024) > 2
