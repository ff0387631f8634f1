"""Where a pass and each of its operations stand under a device's roof: FLOPs a byte across, FLOPs a second up.

The roof is min(peak rate, intensity · bandwidth). An operation's point lies *on* it, because nothing was measured: that is the
fastest it could be, not what anybody reached.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cost.devices import Device
from engine.cost.operations import Operation
from engine.cost.times import bound, roofline_s


@dataclass(frozen=True)
class Point:
    """One operation, or a whole pass. seconds: its roofline alone. waits_for: "compute" or "memory"."""

    name: str
    flops: float
    bytes: float
    arithmetic_intensity: float
    seconds: float
    waits_for: str

    @property
    def flops_per_s(self) -> float:
        """How high it stands: the roof at its intensity."""
        return self.flops / self.seconds


def points(ops: tuple[Operation, ...], device: Device, n_devices: int = 1) -> tuple[Point, ...]:
    """A point for each operation, attention as one fused kernel: its softmax moves no byte and belongs to it."""
    return tuple(_point(op.name, op.flops, op.bytes, device, n_devices) for op in ops)


def whole(name: str, ops: tuple[Operation, ...], device: Device, n_devices: int = 1) -> Point:
    """The pass as a whole: all FLOPs over all bytes. Not a time: a pass is a sum of operations, see times.pass_s."""
    return _point(name, sum(op.flops for op in ops), sum(op.bytes for op in ops), device, n_devices)


def roof(arithmetic_intensity: float, device: Device, n_devices: int = 1) -> float:
    """FLOPs a second that are possible at so many FLOPs a byte, on all devices together."""
    return n_devices * min(device.flops_per_s, arithmetic_intensity * device.bytes_per_s)


def _point(name: str, flops: float, n_bytes: float, device: Device, n_devices: int) -> Point:
    intensity = flops / n_bytes if n_bytes else float("inf")
    return Point(name, flops, n_bytes, intensity, roofline_s(flops, n_bytes, device, n_devices), bound(intensity, device))
