"""Visitors' runs take turns; nobody is stopped by one that fails, takes long or never ends."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pages.parts.sharing import turns


def run(inside, log, name):
    with turns.in_turn():
        log.append(f"{name} begins")
        inside()
        log.append(f"{name} ends")


def test_runs_that_start_together_follow_one_another():
    log = []
    with ThreadPoolExecutor(6) as class_:
        list(class_.map(lambda name: run(lambda: time.sleep(0.02), log, name), "abcdef"))
    assert len(log) == 12
    assert all(log[i][0] == log[i + 1][0] for i in range(0, 12, 2)), log


def test_a_run_that_fails_gives_its_turn_back():
    def fail():
        raise KeyError("as a rerun or a stopped script does")

    for _ in range(2):
        with pytest.raises(KeyError):
            run(fail, [], "a")
    assert turns._turn.acquire(timeout=0)
    turns._turn.release()


def waits(monkeypatch, inside, patience_s):
    """Seconds that a second visitor waits while the first one's run does `inside`, which has at most a minute."""
    monkeypatch.setattr(turns, "PATIENCE_S", patience_s)
    began, over = threading.Event(), threading.Event()

    def first():
        with turns.in_turn():
            inside()
            began.set()
            over.wait(60)

    with ThreadPoolExecutor(1) as other:
        other.submit(first)
        try:
            assert began.wait(60)
            start = time.perf_counter()
            run(lambda: None, [], "b")
            return time.perf_counter() - start
        finally:
            over.set()


def test_who_has_waited_long_enough_runs_beside_the_others(monkeypatch):
    assert 0.2 <= waits(monkeypatch, lambda: None, 0.2) < 30


def test_what_takes_long_lets_the_others_go_on(monkeypatch):
    assert waits(monkeypatch, turns.end_turn, 59) < 30


def test_what_is_put_aside_is_in_turn_again_afterwards():
    log = []
    with turns.in_turn():
        with turns.out_of_turn():
            run(lambda: log.append(turns.has_turn()), log, "b")
            assert not turns.has_turn()
        assert turns.has_turn()
        with turns.in_turn():  # part of the one that there is
            pass
        assert turns.has_turn()
    assert log == ["b begins", True, "b ends"] and not turns.has_turn()


def test_outside_a_turn_there_is_none_to_pass_on():
    turns.end_turn()
    with turns.in_turn():
        turns.end_turn()
        turns.end_turn()
    assert turns._turn.acquire(timeout=0)
    turns._turn.release()


def test_long_work_rests_for_others_but_not_before_there_are_any(monkeypatch):
    """A server rested 1,400 times while it made what the first visitor would wait for."""
    rests = []
    monkeypatch.setattr(turns.time, "sleep", rests.append)
    monkeypatch.setattr(turns, "SLICE_S", 0)
    with turns.nobody_waits():
        turns.give_way()
    assert rests == []
    turns.give_way()
    assert rests == [turns.REST_S]
