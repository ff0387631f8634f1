"""Whole numbers, bits and bytes as every formula of the cost engine takes them: checked at its door, exact, never overflowing."""

from numbers import Integral
from typing import NamedTuple

from engine.config_json.fields import excerpt

MAX_BITS, MAX_COUNT = 64, 2**40


class Setup(NamedTuple):
    """What formulas take as **setup: bits of a stored weight and of a cached number, and devices that share each layer."""

    weight_bits: float = 16
    kv_bits: float = 16
    n_devices: int = 1


def bytes_of(n_values: int, bits: float) -> int:
    """Whole bytes for n_values numbers of so many bits each, the last one rounded up.

    Bits may be fractional, since quantised formats store a scale beside a block of numbers: 8.5 in llama.cpp's q8_0, 4.5 in
    q4_0, 4.25 in mxfp4.
    """
    check_bits("bits", bits)
    return int(-(-n_values * bits // 8))


def check_bits(name: str, bits: float) -> None:
    """ValueError unless `bits` is a number above 0 and at most 64."""
    if isinstance(bits, bool) or not isinstance(bits, (int, float)) or not 0 < bits <= MAX_BITS:
        raise ValueError(f"{name}: expected a number of bits, more than 0 and at most {MAX_BITS}, got {excerpt(bits)}")


def check_count(name: str, value: int, least: int = 1, most: int = MAX_COUNT) -> int:
    """The value as a Python integer, which cannot overflow; ValueError unless it is a whole number from `least` to `most`."""
    if type(value) is int and least <= value <= most:  # most are, and the general question takes ten times as long
        return value
    if isinstance(value, bool) or not isinstance(value, Integral) or not least <= value <= most:
        raise ValueError(f"{name}: expected a whole number from {least} to {most}, got {excerpt(value)}")
    return int(value)
