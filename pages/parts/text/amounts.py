"""Amounts with their units, as short as they read well: seconds, FLOPs, counts, factors."""

from math import floor, log10

from engine.cost import decimal_bytes
from engine.cost.multiplication import Factor
from engine.cost.units import rounded
from pages.parts.text.format import number, scientific


def amount(x: float) -> str:
    """A number with three digits or so, and two of a small one: 1.07, 12.3, 1,096, 0.00036.

    >>> [amount(x) for x in (1.066, 12.34, 1096.3, 0.06, 0.000359, 0.0)]
    ['1.07', '12.3', '1,096', '0.06', '0.00036', '0']
    """
    if 0 < x < 0.1:
        return number(x, 1 - floor(log10(x)))
    return number(x, 0) if x >= 100 else number(x, 1 if x >= 10 else 2)


def plain_number(x: float) -> str:
    """A round number with its thousands parted and no power of ten, as the ticks of an axis need it.

    >>> [plain_number(x) for x in (0.1, 100.0, 1e6, 1e-6)]
    ['0.1', '100', '1,000,000', '0.000001']
    """
    return f"{x:,.15g}" if x >= 1e-3 else number(x, 15)


def seconds(s: float) -> str:
    """A time with a unit that leaves one to three digits before the point.

    >>> [seconds(x) for x in (6.47, 0.0952, 0.00803, 3.2e-7, 1.13e-8, 125.0, 2.1e-11, 0.0)]
    ['6.47 s', '95.2 ms', '8.03 ms', '0.32 µs', '11.3 ns', '125 s', '21 ps', '0 s']
    """
    if s == 0:
        return "0 s"
    for unit, name, least in ((1.0, "s", 1.0), (1e-3, "ms", 1e-3), (1e-6, "µs", 1e-7), (1e-9, "ns", 1e-10), (1e-12, "ps", 0.0)):
        if s >= least:
            value = s / unit
            return f"{number(value, 0 if value >= 100 else 1 if value >= 10 else 2)} {name}"
    raise AssertionError("unreachable")


def flops_per_s(rate: float) -> str:
    """1 TFLOP/s and the like.

    >>> [flops_per_s(x) for x in (1e9, 312e12, 2.5e15)]
    ['1 GFLOP/s', '312 TFLOP/s', '2.5 PFLOP/s']
    """
    return decimal_bytes(rate).removesuffix("B") + "FLOP/s"


def flop(n: float) -> str:
    """A number of operations: 68.7 GFLOP."""
    return flops_per_s(n).removesuffix("/s")


def milliseconds(seconds: float) -> str:
    """Seconds as people read them: 0.43 ms, 12 ms, 1.5 s."""
    if seconds >= 1:
        return f"{seconds:.2g} s" if seconds < 99.5 else f"{seconds:,.0f} s"
    ms = 1e3 * seconds
    return f"{ms:.2g} ms" if ms < 10 else f"{ms:.0f} ms"


def count(n: int, most: int = 10**10) -> str:
    """A whole number with its thousands parted; from `most` on as a power of ten.

    >>> [count(n) for n in (22, 1_499_500, 1_166_666_500, 1_333_333_333_300_000)]
    ['22', '1,499,500', '1,166,666,500', '1.333·10¹⁵']
    """
    if n < most:
        return f"{n:,}"
    return scientific(n, 3)


def money(x: float) -> str:
    """An amount of money with as many digits as it needs.

    >>> money(0.0123456), money(12.3456), money(0), money(0.0000025), money(1.255)
    ('0.0123', '12.3', '0', '0.0000025', '1.255')
    """
    return amount(x) if x >= 10 else number(x, 3) if x >= 1 else number(x, max(4, 2 - floor(log10(x))) if x else 0)


def times(factor: float) -> str:
    """A factor as it reads well: ×1.57, ×33.9, ×750, and with two digits what is next to nothing.

    >>> [times(x) for x in (1.566, 33.9, 750.0, 0.77, 0.00049)]
    ['×1.57', '×33.9', '×750', '×0.77', '×0.00049']
    """
    if factor < 0.1:
        return f"×{amount(factor)}"
    digits = 0 if factor >= 99.95 else 1 if factor >= 9.995 else 2
    return f"×{rounded(factor, digits):,.{digits}f}"


def factor_name(factor: Factor) -> str:
    """What a factor counts: one of it is said as one, and half a byte is a byte.

    >>> factor_name(Factor(1, "tokens")), factor_name(Factor(2, "tokens")), factor_name(Factor(0.5, "bytes each"))
    ('token', 'tokens', 'byte each')
    """
    noun, *rest = factor.what.split(" ") if not factor.what.startswith("KV") else [factor.what]
    return " ".join([noun.removesuffix("s"), *rest]) if factor.value <= 1 and not factor.terms else factor.what


def factor_text(factor: Factor) -> str:
    """A factor as it is written: 8, 128, 0.5, (512 + 64), (21 × 8,192 + 21 × 4,096)."""
    if not factor.terms:
        return number(factor.value, 2) if factor.value != int(factor.value) else f"{int(factor.value):,}"
    return "(" + " + ".join(f"{a:,} × {b:,}" if a != 1 else f"{b:,}" for a, b in factor.terms) + ")"
