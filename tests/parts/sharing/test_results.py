"""Shared results: made once, bounded in memory, never kept when making them failed, and there at once when they are there."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from threads import until

from pages.parts.sharing import results, turns
from pages.parts.sharing.results import ResultStore


def one(_):
    return 1


def test_equal_inputs_are_made_once_even_when_many_ask_at_the_same_moment():
    made, store, go = [], ResultStore(100), threading.Event()

    def make():
        go.wait(60)
        made.append(1)
        return "result"

    with ThreadPoolExecutor(30) as class_:
        asked = [class_.submit(store.get, "a", make, one) for _ in range(30)]
        go.set()
    assert [a.result() for a in asked] == ["result"] * 30
    assert made == [1] and len(store) == 1


def test_what_is_there_waits_for_no_other_making_and_keeps_the_turn():
    """One lock for the whole store: a result that was there took 2 s while another key was made, with the turn held."""
    store, begun, go = ResultStore(100), threading.Event(), threading.Event()
    store.get("there", lambda: "result", one)

    def make():
        begun.set()
        assert go.wait(60)
        return "slow"

    with ThreadPoolExecutor(1) as other:
        slow = other.submit(store.get, "slow", make, one)
        assert begun.wait(60)
        with turns.in_turn():
            assert store.get("there", lambda: "anew", one) == "result" and turns.has_turn()
            assert store.get("another", lambda: "made", one) == "made"
        assert not slow.done()
        go.set()
    assert slow.result() == "slow"


def test_who_makes_or_waits_lets_the_others_go_on_and_is_in_turn_again_afterwards():
    store, seen = ResultStore(100), []
    with turns.in_turn():
        store.get("a", lambda: seen.append(turns.has_turn()), one)
        seen.append(turns.has_turn())
    assert seen == [False, True]


def test_the_least_used_is_forgotten_and_the_newest_always_kept():
    store = ResultStore(100)
    for name in "abc":
        store.get(name, lambda name=name: name * 2, lambda r: 40)
    assert store.nbytes == 80  # a is gone
    assert store.get("b", lambda: "anew", lambda r: 40) == "bb"
    assert store.get("a", lambda: "anew", lambda r: 40) == "anew"
    assert store.get("c", lambda: "anew", lambda r: 40) == "anew"  # b was used after c
    assert store.get("large", lambda: "large", lambda r: 1000) == "large" and len(store) == 1 and store.nbytes == 1000


def test_what_fails_is_not_kept():
    store = ResultStore(100)
    with pytest.raises(ZeroDivisionError):
        store.get("a", lambda: 1 / 0, lambda r: 1)
    assert store.get("a", lambda: 5, lambda r: 1) == 5


class Stopped(BaseException):
    """As Streamlit stops a run."""


@pytest.mark.parametrize(("problem", "makings"), [(ValueError, 1), (Stopped, 2)])
def test_who_waits_shares_a_failure_and_takes_over_from_a_run_that_was_stopped(problem, makings):
    store, begun, go, makes = ResultStore(100), threading.Event(), threading.Event(), []

    def make():
        makes.append(1)
        begun.set()
        assert go.wait(60)
        if len(makes) == 1:
            raise problem
        return "made"

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(store.get, "a", make, one)
        assert begun.wait(60)
        second = pool.submit(store.get, "a", make, one)
        until(lambda: store._making["a"]._condition._waiters)
        go.set()
    assert isinstance(first.exception(), problem) and len(makes) == makings
    if problem is Stopped:
        assert second.result() == "made"
    else:
        assert isinstance(second.exception(), ValueError)


def test_all_stores_and_caches_of_results_together_stay_below_64_mb():
    """The bound of the shared store, and what the engine's and the lessons' own caches can hold when they are full."""
    from sys import getsizeof

    from engine.claims import _find
    from engine.toy.rules import Rule, rule_signs
    from pages.lessons.counting.steps import _counted
    from pages.parts.controls.toy import _rule_label

    scenario = 20_000  # bytes of the largest scenario that a link can make, a key of two caches, with a finding about it
    caches = rule_signs.cache_parameters()["maxsize"] * (rule_signs(Rule("even")).nbytes + 1000)
    caches += sum(cache.cache_parameters()["maxsize"] for cache in (_find, _counted)) * scenario
    caches += _rule_label.cache_parameters()["maxsize"] * 2 * getsizeof("x" * 100)
    assert results.RESULTS.most_bytes + caches <= 64_000_000
