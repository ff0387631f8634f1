"""What a teacher's link says besides the scenario: one step alone, which controls are free. And the link as an address."""

import ipaddress
import socket
from collections.abc import Mapping
from functools import lru_cache
from urllib.parse import quote, urlsplit, urlunsplit

import streamlit as st

from pages.parts.visit import control_locks, location
from pages.parts.visit.address import query as of_this_state
from pages.parts.visit.parameters import DECLARED, Choice, Text

ONLY = Choice("only")
CONTROLS = Text(control_locks.NAME, most_chars=640)
READABLE = "!*'(),;:"  # what address.js leaves as it is, so that the link is the one in the address bar
MOST_ADDRESS = 300  # characters of what a browser says where it found the page


def narrowed() -> bool:
    """Whether one step is shown alone, because the link says so or another page embeds it."""
    return embedded() or ONLY.value(("on",), "") == "on"


def embedded() -> bool:
    """Whether another page shows this one in a frame of its own, with embed=true in the address."""
    return bool(st.context.is_embedded)


def as_text(query: Mapping[str, str]) -> str:
    """A query as the address bar shows it, commas, colons and semicolons left readable.

    >>> as_text({"tokens": "a b,c+d", "w": "1;2"})
    'tokens=a+b,c%2Bd&w=1;2'
    """
    return "&".join(f"{name}={quote(value, safe=READABLE).replace('%20', '+')}" for name, value in query.items())


def query_now() -> dict[str, str]:
    """The query of this visit's lesson as it stands now."""
    return of_this_state(DECLARED, location.now().toy)


def page_address() -> str:
    """Where the browser found this lesson, without a query; "" where it has not said so in a form that a link may have.

    localhost is nowhere to a phone: it becomes the address that this computer has in its network, where it has one.
    """
    told = (st.context.url or "")[:MOST_ADDRESS]
    parts = urlsplit(told) if told.startswith(("http://", "https://")) and told.isprintable() and " " not in told else None
    if parts is None:
        return ""
    own = own_address() if is_loopback(parts.hostname or "") and not is_loopback(st.get_option("server.address") or "") else None
    return urlunsplit((parts.scheme, f"{own}:{parts.port}" if own and parts.port else parts.netloc, parts.path, "", ""))


def is_loopback(host: str) -> bool:
    """Whether a host's name means the computer that asks.

    >>> [is_loopback(host) for host in ("localhost", "127.0.0.1", "::1", "192.168.1.7", "example.org")]
    [True, True, True, False, False]
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


@lru_cache(maxsize=1)
def own_address() -> str | None:
    """This computer's address in its network, None without one. Choosing a route sends nothing."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as chosen:
        try:
            chosen.connect(("192.0.2.1", 9))  # reserved for documentation: nobody is there
        except OSError:
            return None
        own = chosen.getsockname()[0]
    return None if is_loopback(own) else own
