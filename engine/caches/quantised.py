"""Numbers in 8, 4 or 2 bits: each group of numbers is cut into 2ᵇ − 1 equal steps between its own smallest and largest.

    code = round((x − low) / step),  step = (high − low) / (2ᵇ − 1),  x ≈ low + code · step

A group's two numbers, low and step, are kept as they are, so small groups are exact and cost more. Codes are packed: four of
2 bits make a byte. What forms a group decides the error: one large channel spoils every token's step when groups run across
channels, and nobody else's when each channel has its own (KIVI, Liu et al. 2024).
"""

from dataclasses import dataclass

import numpy as np

BITS = (2, 4, 8)
GROUPS = ("tensor", "token", "channel", "group")


@dataclass(frozen=True, eq=False)
class Quantised:
    """Rows (n_head, n, d) in few bits. packed: the codes of all groups, bytes; low, step: (n_groups, 1), in the rows' dtype."""

    packed: np.ndarray
    low: np.ndarray
    step: np.ndarray
    bits: int
    groups: str
    group: int
    shape: tuple[int, int, int]

    @property
    def nbytes(self) -> int:
        """Bytes of codes, lows and steps: all that is kept."""
        return self.packed.nbytes + self.low.nbytes + self.step.nbytes

    def rows(self) -> np.ndarray:
        """The numbers again, each within half a step of what it was: (n_head, n, d)."""
        n_groups, size = len(self.low), int(np.prod(self.shape)) // max(len(self.low), 1)
        codes = unpack(self.packed, self.bits, n_groups * size).reshape(n_groups, size)
        return _ungrouped(self.low + codes.astype(self.low.dtype) * self.step, self.groups, self.shape)


def quantise(x: np.ndarray, bits: int, groups: str, group: int = 32) -> Quantised:
    """Rows (n_head, n, d) in `bits` a number. groups says which numbers share a low and a step:

    "tensor" all; "token" the channels of one token in one head; "channel" the tokens of one channel in one head; "group" `group`
    neighbouring channels of one token, fewer where a head has fewer. Raises ValueError for bits or groups that are not known.

    >>> quantise(np.array([[[0.0, 1.0, 2.0, 3.0]]]), 2, "token").packed.tolist()
    [228]
    """
    check_quantisation(bits, groups, group, x.shape[2])
    flat = _grouped(x, groups, group)
    low, high = (edge(axis=1, keepdims=True, initial=None) if flat.size else flat[:, :1] for edge in (flat.min, flat.max))
    step = (high - low) / x.dtype.type(2**bits - 1)
    codes = np.rint((flat - low) / np.where(step == 0, 1, step)).astype(np.uint8)
    return Quantised(pack(codes.ravel(), bits), low, step, bits, groups, group, x.shape)


def pack(codes: np.ndarray, bits: int) -> np.ndarray:
    """Codes below 2ᵇ as bytes, the first in the lowest bits; the last byte is filled up with zeros.

    >>> pack(np.array([1, 2, 3], np.uint8), 2).tolist()
    [57]
    """
    a_byte = 8 // bits
    padded = np.zeros(-(-codes.size // a_byte) * a_byte, np.uint8)
    padded[: codes.size] = codes
    shifts = np.arange(a_byte, dtype=np.uint8) * np.uint8(bits)
    return np.bitwise_or.reduce(padded.reshape(-1, a_byte) << shifts, axis=1)


def unpack(packed: np.ndarray, bits: int, n: int) -> np.ndarray:
    """The first n codes of packed bytes."""
    shifts = np.arange(8 // bits, dtype=np.uint8) * np.uint8(bits)
    return ((packed[:, None] >> shifts) & np.uint8(2**bits - 1)).ravel()[:n]


def check_quantisation(bits: int, groups: str, group: int, d: int) -> None:
    """Raises ValueError for what cannot be quantised so; d: channels of a head."""
    if bits not in BITS:
        raise ValueError(f"bits: expected one of {BITS}, got {bits}")
    if groups not in GROUPS:
        raise ValueError(f"groups: expected one of {', '.join(GROUPS)}, got {groups!r}")
    if group < 1 or (groups == "group" and d % min(group, d)):
        raise ValueError(f"group: expected a divisor of the {d} channels of a head, got {group}")


def _grouped(x: np.ndarray, groups: str, group: int) -> np.ndarray:
    """The numbers with a row for each group: (n_groups, size)."""
    d = x.shape[2]
    if groups == "channel":
        return x.swapaxes(1, 2).reshape(-1, x.shape[1])
    return x.reshape(-1, {"tensor": x.size, "token": d, "group": min(group, d)}[groups])


def _ungrouped(flat: np.ndarray, groups: str, shape: tuple[int, int, int]) -> np.ndarray:
    n_head, n, d = shape
    return flat.reshape(n_head, d, n).swapaxes(1, 2) if groups == "channel" else flat.reshape(shape)
