"""Shared results: made once, bounded in memory, and never kept when making them failed."""

import threading

import pytest

from pages.parts.kept import Kept


def test_equal_inputs_are_made_once_even_when_many_ask_at_the_same_moment():
    made, store = [], Kept(100)
    threads = [
        threading.Thread(target=store.get, args=("a", lambda: made.append(1) or "result", lambda r: 10)) for _ in range(30)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert made == [1] and len(store) == 1


def test_the_least_used_is_forgotten_and_the_newest_always_kept():
    store = Kept(100)
    for name in "abc":
        store.get(name, lambda name=name: name * 2, lambda r: 40)
    assert store.nbytes == 80  # a is gone
    assert store.get("b", lambda: "anew", lambda r: 40) == "bb"
    assert store.get("a", lambda: "anew", lambda r: 40) == "anew"
    assert store.get("c", lambda: "anew", lambda r: 40) == "anew"  # b was used after c
    assert store.get("large", lambda: "large", lambda r: 1000) == "large" and len(store) == 1


def test_what_fails_is_not_kept():
    store = Kept(100)
    with pytest.raises(ZeroDivisionError):
        store.get("a", lambda: 1 / 0, lambda r: 1)
    assert store.get("a", lambda: 5, lambda r: 1) == 5
