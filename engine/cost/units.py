"""Bytes as text, with the unit named: GB is 10⁹ bytes, GiB is 2³⁰, and the one is printed for the other all over the web.

Memory is sold in GiB and labelled GB, bandwidth is in true GB, caches are published in either. So nothing here prints a bare
number: `decimal_bytes` and `binary_bytes` say which they mean, `both_bytes` prints the two side by side. `rounded` is how any number
that is printed is rounded.
"""

from decimal import ROUND_HALF_UP, Context, Decimal

DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB")
HALF_UP = Context(prec=400, rounding=ROUND_HALF_UP)  # room for any number that a float can be
BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def rounded(x: float, digits: int = 0) -> float:
    """A number rounded as people do it by hand, halves away from 0; a sum that is a half but for its last bits is one.

    >>> [rounded(x, 2) for x in (2.025, 2.725, -0.125, 2.345, 2.344999999)], round(2.025, 2)
    ([2.03, 2.73, -0.13, 2.35, 2.34], 2.02)
    """
    return float(Decimal(f"{x:.13g}").quantize(Decimal(1).scaleb(-digits), context=HALF_UP)) + 0.0


def decimal_bytes(n_bytes: float) -> str:
    """In powers of 1000.

    >>> decimal_bytes(13_107_200_000)
    '13.11 GB'
    """
    return _scaled(n_bytes, 1000, DECIMAL)


def binary_bytes(n_bytes: float) -> str:
    """In powers of 1024.

    >>> binary_bytes(13_107_200_000), binary_bytes(131_072)
    ('12.21 GiB', '128 KiB')
    """
    return _scaled(n_bytes, 1024, BINARY)


def both_bytes(n_bytes: float) -> str:
    """The same bytes in both: nobody has to guess which one was meant. Once where both are the same, below a thousand.

    >>> both_bytes(70_272), both_bytes(256)
    ('70.27 kB = 68.63 KiB', '256 B')
    """
    return " = ".join(dict.fromkeys((decimal_bytes(n_bytes), binary_bytes(n_bytes))))


def _scaled(n_bytes: float, base: int, units: tuple[str, ...]) -> str:
    power = 0
    # 999.999 would round to "1000": what is printed decides the unit, so the rounded number is compared.
    while rounded(abs(n_bytes) / base**power, 2) >= base and power < len(units) - 1:
        power += 1
    number = f"{rounded(n_bytes / base**power, 2):,.2f}".rstrip("0").rstrip(".")
    return f"{number} {units[power]}"
