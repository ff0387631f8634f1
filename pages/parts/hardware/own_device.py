"""A device that is not in the list, by the three numbers that times and memory need, typed by whoever has it."""

import streamlit as st

from engine.cost import Device
from pages.parts.visit.parameters import Real

NAME, LEAST = "Your device", 0.01
MEMORY_GB, GB_PER_S, TFLOPS = (Real(name, high=1_000_000) for name in ("own_gb", "own_gb_per_s", "own_tflops"))


def in_a_sentence(device: Device) -> str:
    """A device's name within a sentence."""
    return "your device" if device.name == NAME else device.name


def typed() -> Device | None:
    """It, once all three numbers are typed."""
    gb, rate, tflops = numbers = [one.value() for one in (MEMORY_GB, GB_PER_S, TFLOPS)]
    if min(numbers) < LEAST:
        return None
    return Device(NAME, round(gb * 1e9), rate * 1e9, tflops * 1e12, "the three numbers that you typed")


def fields() -> None:
    """The three fields, side by side."""
    columns = st.columns(3, vertical_alignment="bottom")
    labels = ("Memory, GB", "Bandwidth, GB/s", "16-bit TFLOP/s, dense")
    for column, one, label in zip(columns, (MEMORY_GB, GB_PER_S, TFLOPS), labels, strict=True):
        with column:
            one.typed(label, placeholder="nothing typed")
