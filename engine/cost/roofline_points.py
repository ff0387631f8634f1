"""Where a pass and each of its operations stand under a device's roof: FLOPs a byte across, FLOPs a second up.

The roof is min(peak rate, intensity · bandwidth). An operation's point lies *on* it, because nothing was measured: that is the
fastest it could be, not what anybody reached. Numbers of fewer bits have a higher roof where the device multiplies them faster:
products with weights stand under that of the weights' bits, attention under that of the cache's, and what multiplies numbers of
several bits between their roofs.
"""

from dataclasses import dataclass, replace

from engine.cost.devices import Device
from engine.cost.operations import Operation
from engine.cost.shapes.file_bits import bits_of_parts
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import arithmetic_s, flops_by_bits, memory_s


@dataclass(frozen=True)
class Point:
    """One operation, or a whole pass. seconds: its roofline alone. busy: how much of them arithmetic takes, at most 1.

    waits_for: "compute" or "memory".
    """

    name: str
    flops: float
    bytes: float
    arithmetic_intensity: float
    seconds: float
    busy: float
    waits_for: str

    @property
    def flops_per_s(self) -> float:
        """How high it stands: the roof at its intensity."""
        return self.flops / self.seconds


@dataclass(frozen=True)
class Roof:
    """A flat part of the roof: whose products work under it, the bits of their numbers without scales, FLOPs a second of one device."""

    whose: tuple[str, ...]
    bits: tuple[int, ...]
    flops_per_s: float


ALL_ELSE = ("all else",)


def roofs(shape: ModelShape, device: Device, weight_bits: float = 16, kv_bits: float = 16) -> tuple[Roof, ...]:
    """The roofs of a model's passes, one for each rate, that of most parameters first.

    A single one is of all products; what shares the last one of several is "all else".
    """
    expert, block, outer = bits_of_parts(shape, weight_bits)
    parts = [("parameters", expert)]
    if block != outer:
        parts = [("the blocks’ parameters", block), ("the head", outer)]
    elif expert != block:
        parts = [("experts", expert), ("other parameters", block)]
    by_rate: dict[float, list[tuple[str, float]]] = {}
    for whose, bits in (*parts, ("attention", kv_bits)):
        by_rate.setdefault(device.rate(bits), []).append((whose, bits))
    found = [
        Roof(tuple(whose for whose, _ in those), tuple(sorted({int(bits) for _, bits in those})), rate)
        for rate, those in by_rate.items()
    ]
    if len(found) > 1 and len(found[-1].whose) > 1:
        found[-1] = replace(found[-1], whose=ALL_ELSE)
    return tuple(found)


def points(ops: tuple[Operation, ...], device: Device, n_devices: int = 1) -> tuple[Point, ...]:
    """A point for each operation, attention as one fused kernel: its softmax moves no byte and belongs to it."""
    return tuple(whole_pass(op.name, (op,), device, n_devices) for op in ops)


def whole_pass(name: str, ops: tuple[Operation, ...], device: Device, n_devices: int = 1) -> Point:
    """The pass as a whole: all FLOPs over all bytes. Not a time: a pass is a sum of operations, see times.pass_s."""
    flops, n_bytes = sum(op.flops for op in ops), sum(op.bytes for op in ops)
    computing, reading = arithmetic_s(flops_by_bits(ops), device, n_devices), memory_s(n_bytes, device, n_devices)
    seconds, waits_for = max(computing, reading), "compute" if computing >= reading else "memory"
    return Point(name, flops, n_bytes, flops / n_bytes if n_bytes else float("inf"), seconds, computing / seconds, waits_for)


def roof(arithmetic_intensity: float, device: Device, n_devices: int = 1, bits: float = 16) -> float:
    """FLOPs a second that are possible at so many FLOPs a byte, on numbers of so many bits, on all devices together."""
    return n_devices * min(device.rate(bits), arithmetic_intensity * device.bytes_per_s)
