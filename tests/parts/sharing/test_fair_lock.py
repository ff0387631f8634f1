"""The lock that is given to whoever has waited longest: its order, and how somebody leaves the queue."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from threads import until

from pages.parts.sharing.fair_lock import FairLock


def queued(lock, n):
    until(lambda: len(lock._queue) == n)


def test_the_longest_waiting_comes_first():
    """Python's lock went to whoever asked at the right moment: a loop that held it in steps got it again and again, and the
    bundled model's visitors waited 9.8 s beside a slow folder."""
    lock, order = FairLock(), []

    def visitor(name):
        with lock:
            order.append(name)

    with ThreadPoolExecutor(8) as pool:
        with lock:
            for n, name in enumerate("abcdefgh", 1):
                pool.submit(visitor, name)
                queued(lock, n)
        with lock:  # asked for again at once, and yet behind all of them
            order.append("again")
    assert order == [*"abcdefgh", "again"]


def test_who_comes_later_lets_all_others_go_first():
    """What follows a move waits for everybody's moves, those that are made meanwhile too."""
    lock, order = FairLock(), []

    def visitor(name):
        assert lock.acquire(later=name.isupper())
        order.append(name)
        lock.release()

    with ThreadPoolExecutor(4) as pool, lock:
        for n, name in enumerate("aBcD", 1):
            pool.submit(visitor, name)
            until(lambda n=n: len(lock._queue) + len(lock._later) == n)
    assert order == [*"acBD"]
    with lock:
        assert not lock.acquire(0.01, later=True) and not lock._later


def test_only_one_holds_it_at_a_time():
    lock, inside, most = FairLock(), [], []

    def visitor(_):
        for _ in range(50):
            with lock:
                inside.append(1)
                most.append(len(inside))
                inside.pop()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(visitor, range(6)))
    assert max(most) == 1 and lock.acquire(0)


def test_who_gives_up_leaves_no_place_behind():
    lock = FairLock()
    with lock:
        assert not lock.acquire(0) and not lock.acquire(0.01) and not lock._queue
    assert lock.acquire(0)


def test_meanwhile_tells_how_many_come_first_and_may_end_the_waiting():
    lock, told = FairLock(), []

    class Gone(BaseException):
        """As Streamlit stops a run."""

    def tell(before):
        told.append(before)
        raise Gone

    with ThreadPoolExecutor(1) as pool:
        with lock:
            other = pool.submit(lock.acquire)
            queued(lock, 1)
            with pytest.raises(Gone):
                lock.acquire(60, tell)
            assert told == [2] and len(lock._queue) == 1
        assert other.result() and not lock.acquire(0)


def test_a_lock_handed_over_while_somebody_gives_up_is_not_lost():
    lock = FairLock()
    lock.acquire()

    def handed_over_then_gone(_):
        lock.release()
        raise KeyError

    with pytest.raises(KeyError):
        lock.acquire(60, handed_over_then_gone)
    assert lock.acquire(0)
