"""This machine as a device: measured once for the whole process, when somebody asks for it, and then there for everybody.

The measurement takes a second and both cores; whoever comes while it runs waits for the same one. NumPy lets go of Python's lock
inside each product, which takes milliseconds, so other visitors' clicks pass in between.
"""

import streamlit as st

from engine.cost import Device, measure_this_machine
from pages.parts.sharing import turns
from pages.parts.sharing.fair_lock import FairLock

SECONDS = 0.4  # for each of the two rates
NAME = "This machine"


class _OneMeasurement:
    """The measured device, and the lock that lets one visitor measure at a time."""

    def __init__(self):
        self.lock, self.device = FairLock(), None

    def measure(self) -> Device:
        with turns.out_of_turn(), self.lock:
            self.device = self.device or measure_this_machine(SECONDS)
        return self.device


_ONCE = _OneMeasurement()


def measured() -> Device | None:
    """This machine, or None as long as nobody had it measured."""
    return _ONCE.device


def button() -> None:
    """Offers the measurement; afterwards says what was found."""
    device = measured()
    if device is None:
        told = "Memory bandwidth and matrix products of the computer that runs this program, a second in all, once"
        look = {"icon": ":material/speed:", "help": told}
        st.button("Measure this machine", key="measure_machine", on_click=lambda: _ONCE.measure(), **look)
        return
    st.caption(
        f"**{NAME}**, now in the list of devices: {device.bytes_per_s / 1e9:.1f} GB/s of memory, {device.flops_per_s / 1e9:,.0f} "
        f"GFLOP/s in float32 products, so a ridge at {device.ridge:.1f} FLOP a byte. The best of many runs, on the computer that "
        "runs this program; others may have been using it."
    )
