"""Reads a safetensors file by memory map: eight bytes of length, a JSON header, then the tensors' bytes one behind the other.

The file is treated as hostile. Everything the header says is checked against the size of the file before a tensor is touched,
so that a wrong offset cannot read outside and a huge shape cannot take memory: the checks cost a walk through the header.
What comes out are views of the mapped file; the system loads a page when it is first read and shares it between processes.
"""

import json
import math
import mmap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

MAX_HEADER_BYTES = 10_000_000  # some 60,000 tensors; the format itself allows ten times as much
BLOCK = 1 << 20  # numbers that are looked at together
ITEM_BYTES = {"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I64": 8, "I32": 4, "I16": 2, "I8": 1, "U64": 8, "U32": 4, "U16": 2,
              "U8": 1, "BOOL": 1, "F8_E4M3": 1, "F8_E5M2": 1}  # fmt: skip
READABLE = {"F32": "<f4", "F16": "<f2", "BF16": "<u2"}  # NumPy has no bfloat16: its bits are the upper half of a float32
# A number is not finite where all bits of its exponent are ones: the type to look at the bits with, and those bits.
EXPONENT = {"F32": ("<u4", 0x7F800000), "F16": ("<u2", 0x7C00), "BF16": ("<u2", 0x7F80)}


@dataclass(frozen=True)
class Entry:
    """What the header says of one tensor; start and end are bytes from the beginning of the file."""

    dtype: str
    shape: tuple[int, ...]
    start: int
    end: int


class TensorFile:
    """An open safetensors file. entries: name -> Entry; metadata: the header's own strings. ValueError for a broken file."""

    def __init__(self, path: Path):
        self.path = Path(path)
        if not self.path.is_file():  # a pipe would be waited for
            got = "something else" if self.path.exists() else "none"
            raise FileNotFoundError(f"{self.path.name}: expected a file, got {got}")
        n_bytes = self.path.stat().st_size
        with self.path.open("rb") as file:
            header, data_start = _read_header(file, n_bytes, self.path.name)
            self.metadata = header.pop("__metadata__", {})
            if not isinstance(self.metadata, Mapping):
                raise ValueError(f"{self.path.name}: __metadata__: expected an object, got {type(self.metadata).__name__}")
            self.entries = {name: _entry(name, raw, data_start, n_bytes) for name, raw in header.items()}
            _check_cover(self.entries, data_start, n_bytes, self.path.name)
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def check_finite(self, name: str) -> None:
        """ValueError where a number of a tensor is not finite; the pages read for it are given back."""
        bits, ones = EXPONENT[self.entries[name].dtype]
        rows = self.view(name).reshape(-1).view(bits)
        for start in range(0, len(rows), BLOCK):
            if ((rows[start : start + BLOCK] & ones) == ones).any():
                raise ValueError(f"{name:.80}: expected finite numbers, got others in {self.path.name}")
        self._release(name)

    def view(self, name: str) -> np.ndarray:
        """A tensor as a read-only view of the file, of dtype float32, float16 or, for BF16, uint16. ValueError for others."""
        entry = self.entries[name]
        if entry.dtype not in READABLE:
            raise ValueError(f"{name}: expected dtype {', '.join(READABLE)}, got {entry.dtype}")
        count = math.prod(entry.shape)
        return np.frombuffer(self._map, READABLE[entry.dtype], count, entry.start).reshape(entry.shape)

    def copy_to(self, name: str, out: np.ndarray, transposed: bool = False) -> None:
        """Write a tensor into `out` as float32, then give the pages of the file back, or both would count as memory."""
        rows = self.view(name)
        if self.entries[name].dtype == "BF16":
            # Shifted where it will stay: the upper half of each float32 is the bfloat16, the lower half is 0.
            bits = out.view(np.uint32)
            bits[...] = rows.T if transposed else rows
            bits <<= 16
        else:
            out[...] = rows.T if transposed else rows
        self._release(name)

    def _release(self, name: str) -> None:
        """Tell the system that the whole pages of a tensor need not stay in memory; read again, they come back from the file."""
        if hasattr(mmap, "MADV_DONTNEED"):
            entry = self.entries[name]
            first = -(-entry.start // mmap.PAGESIZE) * mmap.PAGESIZE
            length = entry.end // mmap.PAGESIZE * mmap.PAGESIZE - first
            if length > 0:
                self._map.madvise(mmap.MADV_DONTNEED, first, length)


def _read_header(file, n_bytes: int, where: str) -> tuple[dict, int]:
    """The parsed header and where the tensors' bytes begin."""
    if n_bytes < 8:
        raise ValueError(f"{where}: expected at least 8 bytes, got {n_bytes}")
    length = int.from_bytes(file.read(8), "little")
    if length > min(MAX_HEADER_BYTES, n_bytes - 8):
        raise ValueError(f"{where}: header length: expected at most {min(MAX_HEADER_BYTES, n_bytes - 8)} bytes, got {length}")
    return parse_object(file.read(length), f"{where}: header"), 8 + length


def parse_object(text: bytes, where: str) -> dict:
    """A JSON object out of bytes nobody vouches for: ValueError when it is none, names a key twice, or is nested too deep."""
    try:
        parsed = json.loads(text.decode("utf-8"), object_pairs_hook=_without_repeats)
        if rb"\ud" in text.lower():  # half of a character, which no message could repeat
            json.dumps(parsed, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{where}: expected JSON, got {str(error)[:120] or type(error).__name__}") from None
    if not isinstance(parsed, dict):
        raise ValueError(f"{where}: expected a JSON object, got {type(parsed).__name__}")
    return parsed


def _without_repeats(pairs: list[tuple[str, object]]) -> dict:
    parsed = {}
    for name, value in pairs:
        if name in parsed:
            raise ValueError(f"the name {name[:60]!r} twice")
        parsed[name] = value
    return parsed


def _entry(name: str, raw: object, data_start: int, n_bytes: int) -> Entry:
    """One tensor's entry, checked: known dtype, a shape, and as many bytes as both say, inside the file."""
    if not isinstance(raw, dict) or set(raw) != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"{name:.80}: expected dtype, shape and data_offsets, got {str(raw)[:80]}")
    dtype, shape, offsets = raw["dtype"], raw["shape"], raw["data_offsets"]
    if not isinstance(dtype, str) or dtype not in ITEM_BYTES:
        raise ValueError(f"{name:.80}: dtype: expected one of {', '.join(ITEM_BYTES)}, got {str(dtype)[:40]!r}")
    if not _whole_numbers(shape) or len(shape) > 8:
        raise ValueError(f"{name:.80}: shape: expected at most 8 whole numbers, got {str(shape)[:80]}")
    if not _whole_numbers(offsets) or len(offsets) != 2:
        raise ValueError(f"{name:.80}: data_offsets: expected two whole numbers, got {str(offsets)[:80]}")
    start, end = offsets[0] + data_start, offsets[1] + data_start
    if not start <= end <= n_bytes:
        raise ValueError(f"{name:.80}: data_offsets: expected start ≤ end ≤ {n_bytes - data_start}, got {offsets}")
    needed = math.prod(shape) * ITEM_BYTES[dtype]
    if end - start != needed:
        raise ValueError(f"{name:.80}: expected {needed} bytes for shape {tuple(shape)} of {dtype}, got {end - start}")
    return Entry(dtype, tuple(shape), start, end)


def _whole_numbers(values: object) -> bool:
    """True for a list of whole numbers from 0 to 2⁶³; True and False are not numbers here."""
    return isinstance(values, list) and all(type(value) is int and 0 <= value < 1 << 63 for value in values)


def _check_cover(entries: dict[str, Entry], data_start: int, n_bytes: int, where: str) -> None:
    """The tensors lie one behind the other from the header to the end of the file: no overlap, no gap."""
    end, before = data_start, "the header"
    for name, entry in sorted(entries.items(), key=lambda item: (item[1].start, item[1].end)):
        if entry.start != end:
            wrong = "overlaps" if entry.start < end else "leaves a gap behind"
            raise ValueError(
                f"{name:.80}: expected to start at byte {end}, behind {before:.80}, got {entry.start}: it {wrong} it"
            )
        end, before = entry.end, name
    if end != n_bytes:
        raise ValueError(f"{where}: expected the tensors to end with the file at byte {n_bytes}, got {end}")
