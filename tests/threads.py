"""Waiting for another thread."""

import threading


def until(condition):
    """Wait for what another thread does; it never takes a second."""
    tick = threading.Event()
    for _ in range(3000):
        if condition():
            return
        tick.wait(0.01)
    raise AssertionError("it did not happen")
