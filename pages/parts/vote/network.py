"""Where a visit comes from: the network address of its browser, as far as the server knows it.

It is the other end of the connection. Where that is a proxy which the operator names in TOKEN_BY_TOKEN_PROXIES, it is the last
address in X-Forwarded-For that is none of these: the header's end is what proxies have written, and its beginning may be any
browser's own words. A class is often many phones behind one address.
"""

import logging
import os
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

import streamlit as st

PROXIES = "TOKEN_BY_TOKEN_PROXIES"  # addresses or networks, with commas between them
LOOPBACK = "127.0.0.1"  # of which Streamlit tells no address


def network_address() -> str:
    """The address of this visit, "" where it is not known, as behind a proxy that tells none."""
    forwarded = st.context.headers.get_all("X-Forwarded-For")
    return network_of(st.context.ip_address or LOOPBACK, forwarded, os.environ.get(PROXIES, ""))


def network_of(peer: str, forwarded: Sequence[str], proxies: str = "") -> str:
    """The address that stands for a household or a school: of IPv6 the half that its owner does not choose.

    >>> network_of("203.0.113.7", ["192.0.2.1"]), network_of("10.0.0.5", ["192.0.2.1, 203.0.113.7"], "10.0.0.0/8")
    ('203.0.113.7', '203.0.113.7')
    >>> network_of("::ffff:203.0.113.7", []), network_of("2001:db8:1:2:3:4:5:6", []), network_of("10.0.0.5", ["somewhere"], "10.0.0.5")
    ('203.0.113.7', '2001:db8:1:2::', '')
    """
    for hop in reversed([*",".join(forwarded).split(","), peer]):
        address = _address(hop.strip())
        if address is None:
            return ""
        if not any(address in network for network in _networks(proxies)):
            half = ip_network((int(address), 64), strict=False).network_address if address.version == 6 else address
            return str(half)
    return ""


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """An address, of IPv4 also where a server that knows both writes it as one of IPv6; None for anything else."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


@lru_cache(maxsize=4)
def _networks(proxies: str) -> list:
    """What the operator has named; what is no address is said once in the log, and nobody is believed for it."""
    named = []
    for name in filter(None, map(str.strip, proxies.split(","))):
        try:
            named.append(ip_network(name, strict=False))
        except ValueError:
            logging.getLogger(__name__).warning("%s: “%s” is no address and no network", PROXIES, name)
    return named
