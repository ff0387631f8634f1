"""What one line of a log states: a number with half a unit of its last printed digit, or a word.

"3.81 GiB" says no more than 3.805 to 3.815. Both vLLM ("Loading model weights took 14.9888 GB") and SGLang ("K size: 8.23 GB")
divide by 2³⁰ and print GB.
"""

import re
from dataclasses import dataclass

MEASURED = re.compile(r"^(?!asked_).*_(?:ms|median|p\d\d|rate)$|^(?:duration_s|tokens_per_s)$")  # times and rates
NO_THOUSANDS = re.compile(r",(?!\d{3}(?!\d))")  # “3861,11” of a German terminal: ggml-org/llama.cpp pull 1773
MOST_COUNT = 2**40  # of tokens, layers, devices: the most that engine.cost counts with
GIB = 2**30
UNITS = {
    "GiB": GIB, "GB": GIB, "MiB": 2**20, "MB": 2**20, "KiB": 2**10, "K": 1e3, "M": 1e6, "B": 1e9, "T": 1e12,
    "k": 1000, "Ki": 1024, "/min": 1 / 60, "ms": 1, "s": 1e3, "us": 1e-3, "µs": 1e-3, "ns": 1e-6,
}  # fmt: skip


@dataclass(frozen=True)
class Figure:
    """One number that a line states, in bytes, ms, s or tokens. half: half a unit of its last printed digit; line: from 1."""

    name: str
    value: float
    half: float
    program: str
    line: int
    printed: str


@dataclass(frozen=True)
class Word:
    """One word that a line states: a model's name, the type of stored numbers."""

    name: str
    printed: str
    program: str
    line: int


def figure_of(name: str, digits: str, unit: str | None, program: str, line: int) -> Figure | None:
    """A number with its unit; None for one that nothing can have.

    >>> figure_of("kv_bytes", "1,024.5", "MiB", "vLLM", 1).value == 1024.5 * 2**20
    True
    >>> figure_of("share", "9.75e-06", None, "vLLM", 1).half
    5e-09
    """
    if NO_THOUSANDS.search(digits.rstrip(",")):
        return None
    number, _, power = digits.replace(",", "").lower().partition("e")
    value, scale = float(f"{number}e{power or 0}"), UNITS[unit] if unit else 1
    if name in ("card_bytes", "gpu_bytes") and not value:  # of a device that the program could not ask
        return None
    if not unit and value > (1 if name == "found_share" else MOST_COUNT):  # sglang pull 1461: of a hundred
        return None
    half = 0.5 * 10.0 ** (int(power or 0) - len(number.partition(".")[2]))
    return Figure(name, value * scale, half * scale, program, line, f"{digits} {unit}" if unit else digits)


def cut_off(figures: list[Figure], line: int, text: str) -> list[Figure]:
    """The figures that end a text with fewer decimals than any other of that kind has: the rest of the number is not in it.

    A page of a thread, or what was marked with the mouse, ends anywhere: "Mean ITL (ms): 7" of 76.33 (sgl-project/sglang issues 1639
    and 2097, whose request rate of 4.0 is no measured one).

    >>> others = [Figure("ttft_p99", 1.5, 0.005, "x", n, "1.50") for n in range(4)]
    >>> last = Figure("itl_ms", 7, 0.5, "x", 4, "7")
    >>> cut_off([*others, last], 4, "Mean ITL (ms): 7") == [last], cut_off([*others, last], 4, "Mean ITL (ms): 7 \\n")
    (True, [])
    """
    last = [one for one in figures if one.line == line and (MEASURED.search(one.name) or one.printed == "0")]
    ends = [one for one in last if text.endswith(one.printed)]
    whole = [one for one in last if text.endswith(f"{one.printed}.") and "." not in one.printed]  # “0.” of 0.9
    others = [one.printed for one in figures if MEASURED.search(one.name) and "." in one.printed and one not in ends]
    decimals = [len(printed.partition(".")[2]) for printed in others]
    cut = whole + [one for one in ends if len(decimals) >= 2 and len(one.printed.partition(".")[2]) < min(decimals)]
    return cut + [one for one in figures if one.line == line and one not in cut and _has_fewer_decimals(one, figures, text)]


def _has_fewer_decimals(last: Figure, figures: list[Figure], text: str) -> bool:
    """Whether a figure ends the text with fewer decimals than each other of its name has: “token usage: 0.0” of 0.07
    (sgl-project/sglang pull 13023)."""
    others = [one.printed for one in figures if one.name == last.name and one.line != last.line]
    decimals = [len(printed.partition(".")[2]) for printed in others]
    return len(decimals) >= 2 and text.endswith(last.printed) and len(last.printed.partition(".")[2]) < min(decimals)


def duration_of(name: str, text: str, program: str, line: int) -> Figure:
    """A time as Go prints it, in ms.

    >>> duration_of("decode_ms", "2m7.682s", "ollama", 1).value
    127682.0
    """
    hours, minutes, digits, unit = re.fullmatch(r"(?:(\d+)h)?(?:(\d+)m)?([\d.]+)(\D+)", text).groups()
    last = figure_of(name, digits, unit, program, line)
    before = 1000 * (3600 * int(hours or 0) + 60 * int(minutes or 0))
    return Figure(name, round(before + last.value, 9), last.half, program, line, text)
