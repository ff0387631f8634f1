"""Where a pass and each of its operations stand under a device's roof: FLOPs a byte across, FLOPs a second up.

The roof is min(peak rate, intensity · bandwidth). An operation's point lies *on* it, because nothing was measured: that is the
fastest it could be, not what anybody reached. Numbers of fewer bits have a higher roof where the device multiplies them faster:
products with weights stand under that of the weights' bits, attention under that of the cache's.
"""

from dataclasses import dataclass

from engine.cost.devices import Device
from engine.cost.operations import Operation
from engine.cost.times import ATTENTION, compute_s, memory_s


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


def points(
    ops: tuple[Operation, ...], device: Device, n_devices: int = 1, weight_bits: float = 16, kv_bits: float = 16
) -> tuple[Point, ...]:
    """A point for each operation, attention as one fused kernel: its softmax moves no byte and belongs to it."""
    return tuple(whole_pass(op.name, (op,), device, n_devices, weight_bits, kv_bits) for op in ops)


def whole_pass(
    name: str, ops: tuple[Operation, ...], device: Device, n_devices: int = 1, weight_bits: float = 16, kv_bits: float = 16
) -> Point:
    """The pass as a whole: all FLOPs over all bytes. Not a time: a pass is a sum of operations, see times.pass_s."""
    flops, n_bytes = sum(op.flops for op in ops), sum(op.bytes for op in ops)
    computing = sum(compute_s(op.flops, device, n_devices, kv_bits if op.name in ATTENTION else weight_bits) for op in ops)
    reading = memory_s(n_bytes, device, n_devices)
    seconds, waits_for = max(computing, reading), "compute" if computing >= reading else "memory"
    return Point(name, flops, n_bytes, flops / n_bytes if n_bytes else float("inf"), seconds, computing / seconds, waits_for)


def roof(arithmetic_intensity: float, device: Device, n_devices: int = 1, bits: float = 16) -> float:
    """FLOPs a second that are possible at so many FLOPs a byte, on numbers of so many bits, on all devices together."""
    return n_devices * min(device.rate(bits), arithmetic_intensity * device.bytes_per_s)
