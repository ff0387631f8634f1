"""Waiting for another thread."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor


def until(condition):
    """Wait for what another thread does; it never takes a second."""
    tick = threading.Event()
    for _ in range(3000):
        if condition():
            return
        tick.wait(0.01)
    raise AssertionError("it did not happen")


def within(coroutine):
    """What a coroutine returns, run in another thread: Playwright's event loop, once started, stays in this one."""
    with ThreadPoolExecutor(1) as other:
        return other.submit(asyncio.run, coroutine).result()
