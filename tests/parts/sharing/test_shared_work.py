"""Work in steps: bounded in one run, shared, first come first served for one model, and no model waits for another."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from app_pages import press, ran, text, visited

from pages.parts.sharing import turns
from pages.parts.sharing.fair_lock import FairLock
from pages.parts.sharing.shared_work import Job, ThisRun
from pages.parts.trained import model

RERUN_S = 1.0


class Clock:
    """A clock that stands still but for the steps that are done."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def job(clock, n=10, step_s=0.4, lock=None, small=False):
    def steps():
        for i in range(n):
            clock.now += step_s
            yield i

    return Job(steps(), n, lock or FairLock(), small)


def test_a_run_works_for_its_time_and_a_step_beyond_and_the_next_goes_on():
    """One rerun of a slow folder took 54 s: every figure of the page computed what it wanted."""
    clock = Clock()
    work = job(clock)
    for n_done in (3, 6, 9):
        start = clock.now
        assert not work.advance_to(10, start + RERUN_S, clock=clock) and work.n_done == n_done
        assert clock.now - start <= RERUN_S + 0.4
    assert work.advance_to(10, clock.now + RERUN_S, clock=clock) and work.result == 9
    assert work.advance_to(10, clock.now - 1, clock=clock)  # what is there needs no time
    assert work.advance_to(99, clock.now, clock=clock)


def test_all_jobs_of_a_run_share_its_time():
    clock = Clock()
    first, second = job(clock, n=2, step_s=0.7), job(clock)
    until = clock.now + RERUN_S
    assert first.advance_to(2, until, clock=clock)
    assert not second.advance_to(1, until, clock=clock) and second.n_done == 0


def test_one_step_at_a_time_and_none_twice():
    done, inside, lock = [], [], FairLock()

    def steps():
        for i in range(200):
            inside.append(1)
            assert len(inside) == 1
            inside.pop()
            done.append(i)
            yield i

    work = Job(steps(), 200, lock, False)
    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(lambda _: work.advance_to(200, float("inf")), range(6)))
    assert done == list(range(200))


def test_a_slow_model_stops_neither_another_model_nor_a_page():
    """The one lock of all models was waited for with the turn held: beside a slow folder the bundled model took 9.8 s."""
    begun, go, clock = threading.Event(), threading.Event(), Clock()

    def slow():
        begun.set()
        assert go.wait(60)
        yield "slow"

    def visit(work):
        with turns.in_turn():
            return work.advance_to(1, float("inf"))

    lock = FairLock()
    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(visit, Job(slow(), 1, lock, small=False))
        assert begun.wait(60)
        assert turns._turn.acquire(0)  # the slow step has left the turn to others
        turns._turn.release()
        assert pool.submit(visit, job(clock, small=True)).result(60)
        waits = job(clock, lock=lock)
        assert not waits.advance_to(1, clock.now + 0.01, clock=clock) and waits.n_done == 0  # the same model: another time
        go.set()
        assert first.result(60)


def test_a_small_model_computes_in_turn_and_a_large_one_beside_it():
    seen = []

    def steps():
        while True:
            seen.append(turns.has_turn())
            yield

    with turns.in_turn():
        for small in (True, False):
            Job(steps(), 1, FairLock(), small).advance_to(1, float("inf"))
        assert turns.has_turn()
    assert seen == [True, False]


@pytest.mark.parametrize("problem", [ValueError("logits: expected a row of finite numbers, got [nan]"), MemoryError()])
def test_what_a_pass_cannot_do_is_a_sentence_and_is_not_tried_again(problem):
    tried = []

    def steps():
        tried.append(1)
        raise problem
        yield

    work = Job(steps(), 5, FairLock(), False)
    for _ in range(3):
        assert not work.advance_to(5, float("inf"))
    assert tried == [1] and work.problem in ("logits: expected a row of finite numbers, got [nan]",
                                             "there is not enough memory for it")  # fmt: skip
    assert not ThisRun().advance(work, 5, "It")


@pytest.mark.parametrize("error", [IndexError("row 9"), OSError(5, "gone"), MemoryError(), ZeroDivisionError()])
@pytest.mark.parametrize("n_before", [0, 2])
def test_an_error_that_nobody_has_foreseen_is_told_to_all_and_may_be_tried_again(no_results, error, n_before, caplog):
    """The next visitor was told that it is finished, had None, and his timer divided by zero."""
    errors = [error]

    def steps():
        for i in range(5):
            if i == n_before and errors:
                raise errors.pop()
            yield i

    def shared():
        return no_results.get("work", lambda: Job(steps(), 5, FairLock(), False), lambda _: 10)

    for _ in range(3):  # visitors
        work = shared()
        assert not work.advance_to(5, float("inf")) and work.problem and work.again
        assert (work.n_done, work.n_steps) == (n_before, 5)
        assert work.advance_to(n_before, float("inf")) is False
    foreseen = isinstance(error, MemoryError)
    assert foreseen or type(error).__name__ in work.problem
    assert sum("Traceback" in (record.exc_text or "") for record in caplog.records) == (not foreseen)
    work.give_up()
    assert shared() is not work and work.given_up and no_results.nbytes == 10
    assert shared().advance_to(5, float("inf")) and shared().result == 4


def test_a_run_that_is_stopped_within_a_step_leaves_no_work_that_seems_done():
    class Stopped(BaseException):
        pass

    def steps():
        yield 1
        raise Stopped

    work = Job(steps(), 3, FairLock(), False)
    with pytest.raises(Stopped):
        work.advance_to(3, float("inf"))
    assert not work.advance_to(3, float("inf")) and work.problem and work.again


def test_work_without_steps_is_a_problem_and_not_done():
    work = Job(iter(()), 3, FairLock(), False)
    assert not work.advance_to(1, float("inf")) and work.problem


def test_a_page_says_the_error_and_its_button_begins_anew(no_results, monkeypatch, caplog):
    look, errors = model.look_inside, [IndexError("row 9")]

    def broken(*args):
        if errors:
            raise errors.pop()
        return look(*args)

    monkeypatch.setattr(model, "look_inside", broken)
    first, second = visited("inside"), visited("inside")
    for at in (first, second):
        assert "IndexError" in text(at) and "Try again" in {button.label for button in at.button}
    press(first, "job_again")
    assert "IndexError" not in text(first) and "IndexError" not in text(ran(second))


def test_a_run_that_is_stopped_after_a_step_keeps_it_and_frees_the_model():
    class Stopped(BaseException):
        pass

    def stop():
        raise Stopped

    clock, lock = Clock(), FairLock()
    work = job(clock, lock=lock)
    with pytest.raises(Stopped):
        work.advance_to(10, float("inf"), meanwhile=stop)
    assert work.n_done == 1 and lock.acquire(0)


def test_long_work_gives_way_to_whoever_has_the_turn_and_never_for_good(monkeypatch):
    """Beside a search others waited four times as long: its thread kept the interpreter, and nothing asked whether anybody wanted it."""
    monkeypatch.setattr(turns, "SLICE_S", 0.0)
    monkeypatch.setattr(turns, "WAIT_S", 60.0)
    with ThreadPoolExecutor(1) as pool:
        with turns.in_turn():
            turns.give_way()  # of a run that has the turn it is a part
            assert turns.has_turn()
            work = pool.submit(turns.give_way)
            assert not work.done()
        assert work.result(60) is None
        monkeypatch.setattr(turns, "WAIT_S", 0.0)
        with turns.in_turn():
            assert pool.submit(turns.give_way).result(60) is None  # a class that never rests does not stop it
    with turns.in_turn():  # and it keeps no turn
        assert turns.has_turn()


def test_a_run_may_be_given_less_time():
    assert ThisRun(0.0).until <= ThisRun().until
