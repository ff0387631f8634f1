"""What a pass is likely to take, beside its bound: the roofline at the rates that programs reach, and what devices send each other.

A bound takes the peaks that a vendor prints, hides the shorter of arithmetic and reading behind the longer, and lets devices talk for
free. Here each is divided by the share of its peak that is reached, they overlap in part, as √(arithmetic² + reading²), and with
tensor parallelism two sums a layer go round all devices (a ring: each sends 2 (n − 1) / n of the residual rows).
"""

from dataclasses import dataclass
from math import hypot

from engine.cost.devices import Device
from engine.cost.operations import ACTIVATION_BYTES
from engine.cost.shapes.checked import Setup
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import pass_parts

SUMS_A_LAYER = 2  # after attention and after the MLP


@dataclass(frozen=True)
class Efficiency:
    """What a program reaches. mfu, mbu: shares of peak arithmetic and of peak bandwidth. link_bytes_per_s: between devices, each way.
    message_s: before the first byte of a sum arrives.

    The defaults keep every time of engine.cost.desk.published_times within 35 %; the link's rate is that of an all-reduce on eight
    A100s with NVLink (github.com/NVIDIA/nccl-tests/issues/149). ValueError for shares outside 0 to 1 and for rates that are not
    positive.
    """

    mfu: float = 0.60
    mbu: float = 0.80
    link_bytes_per_s: float = 200e9
    message_s: float = 20e-6

    def __post_init__(self):
        for name in ("mfu", "mbu"):
            if not 0 < getattr(self, name) <= 1:
                raise ValueError(f"{name}: expected a share of the peak, more than 0 and at most 1, got {getattr(self, name)}")
        if not 0 < self.link_bytes_per_s < float("inf") or not 0 <= self.message_s < float("inf"):
            raise ValueError(
                f"link_bytes_per_s, message_s: expected positive numbers, got {self.link_bytes_per_s}, {self.message_s}"
            )


TYPICAL = Efficiency()


def estimated_s(
    shape: ModelShape, n_new: int, device: Device, n_past: int = 0, batch: int = 1, efficiency: Efficiency = TYPICAL, **setup
) -> float:
    """Seconds of one pass as it is likely to be. `setup`: weight_bits, kv_bits, n_devices as in times.pass_s. Law: never below it."""
    parts = pass_parts(shape, n_new, device, n_past, batch, **setup)
    seconds = sum(hypot(computing / efficiency.mfu, reading / efficiency.mbu) for computing, reading in parts)
    return seconds + between_devices_s(shape, n_new * batch, Setup(**setup).n_devices, efficiency)


def between_devices_s(shape: ModelShape, n_rows: int, n_devices: int, efficiency: Efficiency) -> float:
    """Seconds of a pass over n_rows tokens that the devices spend adding up what each computed; 0 for one device."""
    if n_devices == 1:
        return 0.0
    sent = 2 * (n_devices - 1) / n_devices * n_rows * shape.d_model * ACTIVATION_BYTES
    return SUMS_A_LAYER * shape.n_layer * (sent / efficiency.link_bytes_per_s + efficiency.message_s)
