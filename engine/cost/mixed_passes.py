"""Seconds of passes whose sequences differ: chunks of prompts beside decode rows, each behind a cache of its own length.

A server's step is such a pass. `pass_s` knows batches of equals; here everything that a pass costs is written as a few numbers
a row, a sequence and a key in sight, so that a thousand steps are a handful of array operations. Law: for a batch of equals,
pass_s.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from engine.cost.devices import Device
from engine.cost.operations import operations
from engine.cost.pairs import visible_pairs
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.tensor_parallel import layer_copies
from engine.cost.times import ATTENTION, arithmetic_s, compute_s, flops_by_bits, memory_s, weight_read_bytes

Part = tuple[int, int]  # n_new tokens of one sequence behind n_past cached ones
ALL = 2**62  # the reach of a layer that sees everything


class PassTimes:
    """What passes through this model take on these devices, by the same roofs as engine.cost.times.pass_s."""

    def __init__(self, shape: ModelShape, device: Device, n_devices: int = 1, weight_bits: float = 16, kv_bits: float = 16):
        self.shape, self.device, self.n_devices, self.weight_bits, self.kv_bits = shape, device, n_devices, weight_bits, kv_bits
        one, two = (_product_flops(shape, n, weight_bits) for n in (1, 2))
        # By bits: (of each row, of each sequence's last row, which alone meets the head).
        self._product_flops = {bits: (two[bits] - one[bits], 2 * one[bits] - two[bits]) for bits in two}
        # FLOPs for each key in sight, by reach: of latents that are expanded, and of queries turned into their space (`absorbed`).
        self._pair_flops = [_pair_flops(shape, n_past) for n_past in (0, 1)]
        self._up_flops = _up_flops(shape, weight_bits)  # by bits: of expanding a kept latent
        self._read, self._written = _read_and_written(shape, n_devices, kv_bits)
        self._state_bytes = 2 * shape.state_bytes()  # read and written, by each sequence
        self._moved_by_each = float(sum(self._written.values()) + self._state_bytes)  # of each sequence, whatever is kept
        self._weight_s: dict[int, float] = {}  # by rows: experts make it anything but a product
        self._known_s: dict[tuple[int, int], float] = {}  # by rows and sequences: of the same few steps again and again

    def mixed_s(self, prompts: Sequence[Part], n_past: np.ndarray) -> float:
        """One pass of chunks of prompts, and of one new row behind each of n_past (n_sequences,) cached tokens."""
        flops, moved = (float(both[0]) for both in self._decode_attention(n_past, 1)) if len(n_past) else (0.0, 0.0)
        for n_new, before in prompts:
            moved += sum(b * min(before, reach) for reach, b in self._read.items()) + self._state_bytes
            moved += sum(b * min(n_new, reach) for reach, b in self._written.items())
        read_s = memory_s(moved, self.device, self.n_devices)
        behind = any(before and n_new > 1 for n_new, before in prompts)
        ways = (True, False) if behind and self._up_flops else (True,)
        return min(self._prompts_s(prompts, len(n_past), flops, read_s, way) for way in ways)

    def _prompts_s(self, prompts: Sequence[Part], n_decoding: int, flops: float, read_s: float, absorbed: bool) -> float:
        """mixed_s in one way of two: of chunks behind a cache the queries are absorbed, or what is kept is expanded."""
        rows, kept = sum(n_new for n_new, _ in prompts) + n_decoding, 0
        for n_new, before in prompts:
            turned = before > 0 and (absorbed or n_new == 1)
            kept += 0 if turned else before
            flops += sum(f * visible_pairs(n_new, before, reach % ALL) for reach, f in self._pair_flops[turned].items())
        return self._matrices_s(rows, len(prompts) + n_decoding, kept) + max(self._compute_s(flops), read_s)

    def decode_s(self, n_past: np.ndarray, n_steps: int) -> np.ndarray:
        """Each of n_steps passes in a row, in which every sequence gets one token, behind n_past (n_sequences,): (n_steps,)."""
        flops, moved = self._decode_attention(n_past, n_steps)
        attention = np.maximum(self._compute_s(flops), memory_s(moved, self.device, self.n_devices))
        return self._matrices_s(len(n_past), len(n_past)) + attention

    def _decode_attention(self, n_past: np.ndarray, n_steps: int) -> tuple[np.ndarray, np.ndarray]:
        """FLOPs and bytes of cache of all sequences, step by step: (n_steps,) each."""
        n, steps = len(n_past), np.arange(n_steps)
        kept, flops, moved = n_past.sum() + n * steps, 0.0 * steps, n * self._moved_by_each
        for reach, each in self._pair_flops[1].items():
            flops = flops + each * (kept + n if reach == ALL else _keys_in_sight(n_past + 1, steps, reach))
        for reach, each in self._read.items():
            moved = moved + each * (kept if reach == ALL else _keys_in_sight(n_past, steps, reach))
        return flops, moved + 0.0 * steps

    def _matrices_s(self, rows: int, n_sequences: int, n_expanded: int = 0) -> float:
        """The learned matrices: their FLOPs, those of n_expanded latents too, or reading once those that the rows meet."""
        if n_expanded:
            return self._matrices_anew_s(rows, n_sequences, n_expanded)
        if (rows, n_sequences) not in self._known_s:
            self._known_s[rows, n_sequences] = self._matrices_anew_s(rows, n_sequences, 0)
        return self._known_s[rows, n_sequences]

    def _matrices_anew_s(self, rows: int, n_sequences: int, n_expanded: int) -> float:
        if rows not in self._weight_s:
            read = weight_read_bytes(self.shape, rows, self.weight_bits)
            self._weight_s[rows] = memory_s(read, self.device, self.n_devices)
        flops = {bits: rows * row + n_sequences * last for bits, (row, last) in self._product_flops.items()}
        for bits, each in self._up_flops.items() if n_expanded else ():
            flops[bits] += n_expanded * each
        return max(arithmetic_s(flops, self.device, self.n_devices), self._weight_s[rows])

    def _compute_s(self, flops):
        return compute_s(flops, self.device, self.n_devices, self.kv_bits)


def _keys_in_sight(n: np.ndarray, steps: np.ndarray, reach: int) -> np.ndarray:
    """Σ over sequences of min(n + j, reach) for each j of steps, (n_steps,)."""
    return np.minimum(n[None, :] + steps[:, None], reach).sum(axis=1)


def _product_flops(shape: ModelShape, n_new: int, weight_bits: float) -> Counter[float]:
    """FLOPs of the products with learned matrices in a pass over n_new tokens, {bits: FLOPs}."""
    return flops_by_bits(op for op in operations(shape, n_new, weight_bits=weight_bits) if op.name not in ATTENTION)


def _pair_flops(shape: ModelShape, n_past: int) -> dict[int, float]:
    """FLOPs of attention for each query–key pair, of all layers that look back as far: {reach: FLOPs}."""
    reaches = set()
    operations(shape, 1, n_past, pairs=lambda n_new, n_past, window: reaches.add(window) or 0)
    flops = {}
    for reach in reaches:
        ops = operations(shape, 1, n_past, pairs=lambda n_new, n_past, window, reach=reach: int(window == reach))
        flops[reach or ALL] = sum(op.flops for op in ops if op.name in ATTENTION)
    return flops


def _up_flops(shape: ModelShape, weight_bits: float) -> Counter[float]:
    """FLOPs of expanding one latent that is kept, of all layers, {bits: FLOPs}; none of a model without latents."""
    both = (operations(shape, 1, 1, weight_bits=weight_bits, expanded=expanded) for expanded in (True, False))
    expanded, absorbed = (flops_by_bits(op for op in ops if op.name == "v") for ops in both)
    return expanded - absorbed


def _read_and_written(shape: ModelShape, n_devices: int, bits: float) -> tuple[Counter, Counter]:
    """Bytes that a pass reads for each cached token, and writes for each new one, on all devices: {tokens at most: bytes}."""
    read, written = Counter(), Counter()
    for layer, window, row in zip(shape.layers, shape.windows, shape.kv_rows, strict=True):
        if row:
            each = layer_copies(shape, layer, n_devices) * bits / 8
            window = window or ALL
            read[min(window, layer.n_select or ALL)] += (row - layer.d_index) * each
            read[window] += layer.d_index * each
            written[window] += row * each
    return +read, written
