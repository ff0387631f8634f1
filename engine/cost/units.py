"""Bytes as text, with the unit named: GB is 10⁹ bytes, GiB is 2³⁰, and the one is printed for the other all over the web.

Memory is sold in GiB and labelled GB, bandwidth is in true GB, caches are published in either. So nothing here prints a bare
number: `decimal_bytes` and `binary_bytes` say which they mean, `both_bytes` prints the two side by side.
"""

DECIMAL = ("B", "kB", "MB", "GB", "TB", "PB")
BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


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
    ('70.27 kB = 68.62 KiB', '256 B')
    """
    return " = ".join(dict.fromkeys((decimal_bytes(n_bytes), binary_bytes(n_bytes))))


def _scaled(n_bytes: float, base: int, units: tuple[str, ...]) -> str:
    power = 0
    # 999.999 would round to "1000": what is printed decides the unit, so the rounded number is compared.
    while round(abs(n_bytes) / base**power, 2) >= base and power < len(units) - 1:
        power += 1
    number = f"{n_bytes / base**power:,.2f}".rstrip("0").rstrip(".")
    return f"{number} {units[power]}"
