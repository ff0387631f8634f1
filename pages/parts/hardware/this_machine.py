"""This machine as a device: measured once for the whole process, when somebody asks for it, and then there for everybody.

The measurement takes a second and both cores; whoever comes while it runs waits for the same one. NumPy lets go of Python's lock
inside each product, which takes milliseconds, so other visitors' clicks pass in between.
"""

import streamlit as st

from engine.cost import Device, measure_this_machine
from pages.parts.sharing.results import ResultStore

SECONDS = 0.4  # for each of the two rates
NAME = "This machine"
_MEASURED = ResultStore(0)  # which always keeps its newest result


def measure() -> Device:
    """This machine, measured by the first who asks; all others wait for the same."""
    return _MEASURED.get(NAME, lambda: measure_this_machine(SECONDS), lambda device: 0)


def measured() -> Device | None:
    """This machine, or None as long as nobody had it measured."""
    return measure() if len(_MEASURED) else None


def button() -> None:
    """Offers the measurement; afterwards says what was found."""
    device = measured()
    if device is None:
        told = "Memory bandwidth and matrix products of the computer that runs this program, a second in all, once"
        look = {"icon": ":material/speed:", "help": told}
        st.button("Measure this machine", key="measure_machine", on_click=measure, **look)
        return
    st.caption(
        f"**{NAME}**, now in the list of devices: {device.bytes_per_s / 1e9:.1f} GB/s of memory, {device.flops_per_s / 1e9:,.0f} "
        f"GFLOP/s in float32 products, so a ridge at {device.ridge:.1f} FLOP a byte. The best of many runs, on the computer that "
        "runs this program; others may have been using it."
    )
