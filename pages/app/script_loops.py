"""Event loops that open nothing until they are used.

Streamlit makes one for each session and keeps it until the session is forgotten, which may be long after the tab was closed. It
is there for scripts that use asyncio; no lesson does. An ordinary one holds three file descriptors (a selector and a pair of
sockets): with its websocket four a tab, so that a class of 200 that reloads its tabs reached the 1,024 that many systems allow.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

_open_loop = asyncio.new_event_loop


class UnopenedLoop(asyncio.AbstractEventLoop):
    """Stands for an event loop, which is made when anything is asked of it but whether it runs and whether it is closed."""

    def __init__(self):
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closed = False

    def opened(self) -> asyncio.AbstractEventLoop:
        if self._closed:
            raise RuntimeError("Event loop is closed")
        self._loop = self._loop or _open_loop()
        return self._loop

    def is_running(self) -> bool:
        return self._loop is not None and self._loop.is_running()

    def is_closed(self) -> bool:
        return self._closed or (self._loop is not None and self._loop.is_closed())

    def close(self) -> None:
        if self._loop is not None:
            self._loop.close()
        self._closed = True


def _passed_on(name: str):
    def method(self, *args, **kwargs):
        return getattr(self.opened(), name)(*args, **kwargs)

    return method


for _name in vars(asyncio.AbstractEventLoop):
    if not _name.startswith("_") and _name not in vars(UnopenedLoop):
        setattr(UnopenedLoop, _name, _passed_on(_name))


@contextmanager
def unopened() -> Iterator[None]:
    """Inside, asyncio.new_event_loop() gives such loops. asyncio.run and asyncio.Runner make theirs as ever."""
    asyncio.new_event_loop = UnopenedLoop
    try:
        yield
    finally:
        asyncio.new_event_loop = _open_loop
