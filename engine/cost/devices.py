"""What a model runs on: bytes of memory, bytes a second, dense 16-bit floating-point operations a second, and who says so.

Dense figures only: vendors print "with sparsity" beside them, which is twice as much and needs weights of which half are zero.
Tensor-core figures are those with 32-bit accumulation. Memory is what the driver reports where a report was found, since a card
sold as "80 GB" holds 80 GiB less a reserve; else the vendor's GB, taken as 10⁹ bytes and so a little too careful.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

MIB, GB, TERA = 2**20, 10**9, 10**12


@dataclass(frozen=True)
class Device:
    """One accelerator, or this machine.

    memory_bytes: its whole memory. bytes_per_s: peak memory bandwidth. flops_per_s: peak dense rate of a 16-bit matrix product
    (float32 for a measured machine). source: where the three come from. Raises ValueError for anything but positive numbers.
    """

    name: str
    memory_bytes: int
    bytes_per_s: float
    flops_per_s: float
    source: str = ""

    def __post_init__(self):
        for field in ("memory_bytes", "bytes_per_s", "flops_per_s"):
            value = getattr(self, field)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not (math.isfinite(value) and value > 0):
                raise ValueError(f"{field}: expected a positive number, got {value!r}")

    @property
    def ridge(self) -> float:
        """FLOPs it can do while it fetches one byte: flops_per_s / bytes_per_s. Work with fewer FLOPs a byte waits for memory."""
        return self.flops_per_s / self.bytes_per_s


def _nvidia(name: str, memory_mib: float, gb_per_s: float, tflops: float, source: str) -> Device:
    return Device(name, int(memory_mib * MIB), gb_per_s * GB, tflops * TERA, source)


# Totals that nvidia-smi prints, as listed by a cloud that rents these cards.
_SMI = "memory: nvidia-smi, github.com/modal-labs/modal-client/pull/2797"
# 128 lanes a GPU core, 2 FLOPs a lane and clock, float16 at the float32 rate (github.com/philipturner/metal-benchmarks).
_APPLE_LANES = 128


def _apple(name: str, memory_gib: int, gb_per_s: float, n_core: int, mhz: float, source: str) -> Device:
    return Device(name, memory_gib * 2**30, gb_per_s * GB, n_core * _APPLE_LANES * 2 * mhz * 1e6, source)


_DEVICES = (
    _nvidia("A100-40", 40960, 1555, 312, f"NVIDIA A100 datasheet, 40 GB SXM; {_SMI}"),
    _nvidia("A100-80", 81920, 2039, 312, f"NVIDIA A100 datasheet, 80 GB SXM; {_SMI}"),
    _nvidia("H100 SXM", 81559, 3350, 989.4, f"NVIDIA H100 datasheet, SXM5, 1,979 TFLOPS with sparsity halved; {_SMI}"),
    _nvidia("H100 PCIe", 81559, 2000, 756.5, f"NVIDIA H100 datasheet, PCIe, 1,513 TFLOPS with sparsity halved; {_SMI}"),
    Device("H200", 141 * GB, 4800 * GB, 989.4 * TERA, "NVIDIA H200 datasheet, SXM, 1,979 TFLOPS with sparsity halved"),
    # The often-quoted 8 TB/s and 192 GB are the whole package; the driver reports 7,680 of its 8,192 memory lines: 7.67 TB/s.
    _nvidia("B200", 178.35 * 1024, 7700, 2250, "NVIDIA HGX B200 datasheet, sparsity halved; github.com/pytorch/ao/pull/4002"),
    _nvidia("L4", 23034, 300, 121, f"NVIDIA L4 datasheet, 242 TFLOPS with sparsity halved; {_SMI}"),
    _nvidia("L40S", 46068, 864, 362.05, f"NVIDIA L40S datasheet, dense figure; {_SMI}"),
    _nvidia("A10", 23028, 600, 125, f"NVIDIA A10 datasheet, dense figure; {_SMI}"),
    Device("A6000", 48 * GB, 768 * GB, 309.677 / 2 * TERA, "NVIDIA RTX A6000 datasheet, 309.7 TFLOPS with sparsity halved"),
    Device("RTX 4090", 24 * GB, 1008 * GB, 165.2 * TERA, "NVIDIA Ada whitepaper, dense, 32-bit accumulation"),
    _nvidia(
        "RTX 5090", 32607, 1792, 209.5,
        "NVIDIA RTX Blackwell whitepaper, dense, 32-bit accumulation; memory: github.com/noonghunna/club-3090/issues/1229",
    ),
    Device(
        "MI300X", 201_310_208 * 1024, 5300 * GB, 1307.4 * TERA,
        "AMD Instinct MI300X data sheet, dense; memory: rocminfo, github.com/ROCm/legacy-rocm-build/issues/4414",
    ),
    Device("TPU v5e", 16 * GB, 819 * GB, 197 * TERA, "docs.cloud.google.com/tpu/docs/v5e"),
    _apple("Apple M1", 16, 68.25, 8, 1278, "bandwidth: Apple; clock: github.com/philipturner/metal-benchmarks"),
    _apple("Apple M2 Ultra", 192, 800, 76, 1398, "bandwidth: Apple; clock: github.com/philipturner/metal-benchmarks"),
    _apple("Apple M3 Ultra", 512, 819, 80, 1398, "bandwidth: Apple; clock: that of the M3 Max, hmc-tech.com"),
    _apple("Apple M4", 32, 120, 10, 1470, "bandwidth: Apple; clock: hmc-tech.com"),
    _apple("Apple M4 Pro", 64, 273, 20, 1678, "bandwidth: Apple; clock: that of the M4 Max, hmc-tech.com"),
    _apple("Apple M4 Max", 128, 546, 40, 1678, "bandwidth: Apple; clock: hmc-tech.com"),
)  # fmt: skip

DEVICES: dict[str, Device] = {device.name: device for device in _DEVICES}
