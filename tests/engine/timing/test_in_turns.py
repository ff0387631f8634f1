"""Two calls in turns: medians, and no verdict from noise. A busy machine made a cache "0.4 times as long" as none."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.timing.in_turns import compared, in_turns

SECONDS = st.floats(1e-7, 1e3)


def machine(costs):
    """A clock that stands still but for the calls it sells, and the calls: one for each of `costs`."""
    now = [0.0]
    return (lambda: now[0]), [lambda c=c: now.__setitem__(0, now[0] + next(c)) for c in map(iter, costs)]


def test_the_calls_take_turns_and_a_slow_moment_is_forgotten():
    clock, calls = machine([[5, 9, 2, 7, 4], [8, 6, 3000, 9, 7]])
    turns = in_turns(*calls, budget_s=1e9, repeats=5, clock=clock)
    assert turns == [(5, 8), (9, 6), (2, 3000), (7, 9), (4, 7)]
    both = compared(turns)
    assert (both.first_s, both.second_s, both.times, both.clear) == (5, 8, 1.6, True)


def test_a_slow_machine_gets_its_least_turns_and_no_more():
    clock, calls = machine([[10.0] * 9, [1.0] * 9])
    assert in_turns(*calls, budget_s=0.4, repeats=9, clock=clock) == [(10, 1)]
    assert len(in_turns(*calls, budget_s=0.4, repeats=9, least=3, clock=clock)) == 3


def test_what_others_do_between_two_turns_is_not_timed():
    clock, calls = machine([[3.0] * 4, [1.0] * 4])
    away = []
    turns = in_turns(*calls, budget_s=100, repeats=4, clock=clock, between=lambda: away.append(clock()))
    assert turns == [(3, 1)] * 4 and away == [0, 4, 8, 12]


def test_few_turns_say_nothing():
    assert not compared([(1, 9)]).clear and not compared([(1, 9), (1, 9)]).clear and compared([(1, 9)] * 3).clear


@given(st.lists(st.tuples(SECONDS, SECONDS), min_size=1, max_size=40))
def test_what_is_clear_is_never_a_loss(turns):
    both = compared(turns)
    assert not both.clear or both.times > 1


@pytest.mark.parametrize("effect", [1.0, 1.1])
def test_a_busy_machine_seldom_convinces(effect):
    """Passes that take now once, now thirty times as long, as two cores among nine people do: no effect of a tenth is seen."""
    rng = np.random.default_rng(7)
    seen = [compared([(a, effect * b) for a, b in np.exp(rng.uniform(0, np.log(30), (40, 2)))]).clear for _ in range(200)]
    assert sum(seen) <= 4
