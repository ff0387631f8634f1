"""What a model runs on: bytes of memory, bytes a second, dense 16-bit floating-point operations a second, and who says so.

Dense figures only: vendors print "with sparsity" beside them, which is twice as much and needs weights of which half are zero.
Tensor-core figures are those with 32-bit accumulation. Memory is what the driver reports where a report was found, since a card
sold as "80 GB" holds 80 GiB less a reserve; else the vendor's GB, taken as 10⁹ bytes and so a little too careful.
"""

import math
from dataclasses import dataclass

MIB, GB, TERA = 2**20, 10**9, 10**12


@dataclass(frozen=True)
class Device:
    """One accelerator, or this machine.

    memory_bytes: its whole memory. bytes_per_s: peak memory bandwidth. flops_per_s: peak dense rate of a 16-bit matrix product
    (float32 for a measured machine). flops8_per_s, flops4_per_s: of an 8-bit and a 4-bit one, float or integer, whichever is
    faster; 0 where it has none. source: where they come from. Raises ValueError for anything but positive numbers.
    """

    name: str
    memory_bytes: int
    bytes_per_s: float
    flops_per_s: float
    source: str = ""
    flops8_per_s: float = 0.0
    flops4_per_s: float = 0.0

    def __post_init__(self):
        for field in ("memory_bytes", "bytes_per_s", "flops_per_s", "flops8_per_s", "flops4_per_s"):
            value = getattr(self, field)
            if value == 0 and field.startswith(("flops8", "flops4")):
                continue
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not (math.isfinite(value) and value > 0):
                raise ValueError(f"{field}: expected a positive number, got {value!r}")

    @property
    def ridge(self) -> float:
        """FLOPs it can do while it fetches one byte: flops_per_s / bytes_per_s. Work with fewer FLOPs a byte waits for memory."""
        return self.ridge_at(16)

    def ridge_at(self, bits: float) -> float:
        """The same for arithmetic on numbers of so many bits."""
        return self.rate(bits) / self.bytes_per_s

    def rate(self, bits: float = 16) -> float:
        """The fastest arithmetic it has for numbers of so many bits: what a bound must assume, whatever an engine uses.

        A quantised format's scales, the part behind the point, are no part of the numbers that are multiplied.
        """
        bits = int(bits)
        return max(self.flops_per_s, self.flops8_per_s * (bits <= 8), self.flops4_per_s * (bits <= 4))


def _nvidia(name: str, memory_mib: float, gb_per_s: float, tflops: float, source: str, t8: float = 0, t4: float = 0) -> Device:
    """t8, t4: TOP/s of 8 and 4 bits."""
    return Device(name, int(memory_mib * MIB), gb_per_s * GB, tflops * TERA, source, t8 * TERA, t4 * TERA)


# Totals that nvidia-smi prints, as listed by a cloud that rents these cards.
_SMI = "memory: nvidia-smi, github.com/modal-labs/modal-client/pull/2797"
# Of 8 and 4 bits, where the data sheet itself was not at hand: whoever quotes it, or the sheet of a card with the same chip.
_GA102 = "8 and 4 bits: twice and four times 16, as NVIDIA’s A40 data sheet prints for the same chip (299.3, 598.7)"
_ADA = "8 bits: data sheet; 4 bits: twice as much, as hmc-tech.com/gpu lists for L4 (501.35 of 250.68) and L40S (1,470 of 732.86)"
_HOPPER = "8 bits: data sheet, halved; no 4-bit products"
# 128 lanes a GPU core, 2 FLOPs a lane and clock, float16 at the float32 rate (github.com/philipturner/metal-benchmarks).
# Apple prints no clock. Those of M3 and later rest on one site, which has printed 1470 and 1578 MHz for the same M4: these rates
# are good to a tenth, and their sources say so.
_APPLE_LANES = 128


def _apple(name: str, memory_gib: int, gb_per_s: float, n_core: int, mhz: float, source: str) -> Device:
    return Device(name, memory_gib * 2**30, gb_per_s * GB, n_core * _APPLE_LANES * 2 * mhz * 1e6, source)


_A100 = "8 and 4 bits: the data sheet by glennklockwood.com/garden/processors/A100"
_DEVICES = (
    _nvidia("A100-40", 40960, 1555, 312, f"NVIDIA A100 datasheet, 40 GB SXM; {_A100}; {_SMI}", 624, 1248),
    _nvidia("A100-80", 81920, 2039, 312, f"NVIDIA A100 datasheet, 80 GB SXM; {_A100}; {_SMI}", 624, 1248),
    _nvidia(
        "H100 SXM", 81559, 3350, 989.4, f"NVIDIA H100 datasheet, SXM5, 1,979 TFLOPS with sparsity halved; {_HOPPER}; {_SMI}",
        1978.9,
    ),
    _nvidia(
        "H100 PCIe", 81559, 2000, 756.5, f"NVIDIA H100 datasheet, PCIe, 1,513 TFLOPS with sparsity halved; {_HOPPER}; {_SMI}",
        1513,
    ),
    _nvidia(
        "H200", 143771, 4800, 989.4,
        f"NVIDIA H200 datasheet, SXM, 1,979 TFLOPS with sparsity halved; {_HOPPER}; memory: nvidia-smi prints 143771MiB", 1978.9,
    ),
    # The often-quoted 8 TB/s and 192 GB are the whole package; the driver reports 7,680 of its 8,192 memory lines: 7.67 TB/s.
    _nvidia(
        "B200", 178.35 * 1024, 7700, 2250,
        "NVIDIA HGX B200 datasheet, 16, 8 and 4 bits (4.5, 9, 18 PFLOPS) halved; memory: github.com/pytorch/ao/pull/4002",
        4500, 9000,
    ),
    _nvidia(
        "GB200", 189471, 8000, 2500,
        "NVIDIA GB200 NVL72 datasheet, a 72nd of 576 TB/s and of 360, 720 and 1,440 PFLOPS with sparsity halved: 16, 8 and 4 bits; "
        "memory: nvidia-smi prints 189471MiB", 5000, 10000,
    ),
    _nvidia(
        "B300", 275040, 7750, 2250,
        "16 bits: NVIDIA HGX B300 datasheet, by github.com/NVIDIA/cosmos-framework/pull/114; bandwidth, 8 and 4 bits: NVIDIA’s "
        "github.com/ai-dynamo/aiconfigurator, b300_sxm; memory: nvidia-smi prints 275040MiB", 4500, 14000,
    ),
    # A Hopper chip with a seventh of the products and all of the bandwidth: what it decodes fast it prefills slowly.
    _nvidia(
        "H20", 97871, 4000, 148,
        "NVIDIA’s figures for export, 16 and 8 bits, dense, by willitrunai.com; no 4-bit products; "
        "memory: nvidia-smi prints 97871MiB", 296,
    ),
    _nvidia(
        "T4", 15360, 320, 65, f"NVIDIA T4 datasheet, 8 and 4 bits: its INT8 and INT4; {_SMI}",
        130, 260,
    ),
    _nvidia("L4", 23034, 300, 121, f"NVIDIA L4 datasheet, 242 TFLOPS with sparsity halved; {_ADA}; {_SMI}", 242.5, 485),
    _nvidia("L40S", 46068, 864, 362.05, f"NVIDIA L40S datasheet, dense figure; {_ADA}; {_SMI}", 733, 1466),
    _nvidia("A10", 23028, 600, 125, f"NVIDIA A10 datasheet, dense figure; {_GA102}; {_SMI}", 250, 500),
    _nvidia(
        "A6000", 49140, 768, 309.677 / 2,
        f"NVIDIA RTX A6000 datasheet, 309.7 TFLOPS with sparsity halved; {_GA102}; memory: nvidia-smi prints 49140MiB",
        309.7, 619.4,
    ),
    _nvidia(
        "RTX 4090", 24564, 1008, 165.2,
        "NVIDIA Ada whitepaper, dense, 32-bit accumulation; 8 and 4 bits: its INT8 and INT4, by waredb.com; "
        "memory: github.com/vllm-project/vllm/issues/7553", 660.6, 1321.2,
    ),
    _nvidia(
        "RTX 5090", 32607, 1792, 209.5,
        "NVIDIA RTX Blackwell whitepaper, dense, 32-bit accumulation; 4 bits: NVIDIA’s 3,352 TOPS with sparsity halved, "
        "8 bits: half of that; memory: github.com/noonghunna/club-3090/issues/1229",
        838, 1676,
    ),
    _nvidia(
        "RTX 3090", 24576, 936, 71,
        "NVIDIA GA102 whitepaper, dense, 32-bit accumulation; 8 and 4 bits: its INT8 and INT4; memory: nvidia-smi prints 24576MiB, "
        "github.com/noonghunna/club-3090/issues/1129", 284, 568,
    ),
    _nvidia(
        "RTX PRO 6000", 97887, 1792, 503.8,
        "Blackwell, workstation and server: dense, 32-bit accumulation, 8 and 4 bits too, by hmc-tech.com/gpu; "
        "memory: nvidia-smi prints 97887MiB", 1007.6, 2015.2,
    ),
    # NVIDIA prints one rate of it, with sparsity and in 4 bits; memory and bandwidth are shared with the processor.
    _nvidia(
        "DGX Spark", 128_538_451_968 / MIB, 273, 213,
        "16 bits and 8 bits: measured, by NVIDIA’s github.com/ai-dynamo/aiconfigurator, gb10, as is the memory that CUDA finds, 119.7 GiB; "
        "bandwidth: NVIDIA; 4 bits: NVIDIA’s 1 PFLOP with sparsity halved", 214, 500,
    ),
    Device(
        "MI300X", 201_310_208 * 1024, 5300 * GB, 1307.4 * TERA,
        "AMD Instinct MI300X data sheet, 16 and 8 bits, dense; no 4-bit products; memory: rocminfo, "
        "github.com/ROCm/legacy-rocm-build/issues/4414", 2614.9 * TERA,
    ),
    Device(
        "MI325X", 256 * GB, 6000 * GB, 1307.4 * TERA,
        "AMD Instinct MI325X data sheet, 16 and 8 bits, dense; no 4-bit products", 2614.9 * TERA,
    ),
    Device(
        "MI355X", 288 * GB, 8000 * GB, 2516.6 * TERA,
        "AMD Instinct MI355X data sheet, 16, 8 and 4 bits, dense: 8 and 4 bits twice and four times as much", 5033.2 * TERA, 10066.3 * TERA,
    ),
    Device(
        "TPU v5e", 16 * GB, 819 * GB, 197 * TERA, "docs.cloud.google.com/tpu/docs/v5e, 16 and 8 bits; no 4-bit products",
        393 * TERA,
    ),
    _apple("Apple M1", 16, 68.25, 8, 1278, "bandwidth: Apple; clock: github.com/philipturner/metal-benchmarks"),
    _apple("Apple M2 Ultra", 192, 800, 76, 1398, "bandwidth: Apple; clock: github.com/philipturner/metal-benchmarks"),
    _apple("Apple M3 Ultra", 512, 819, 80, 1398, "bandwidth: Apple; rate: approximate, the M3 Max’s clock by hmc-tech.com alone"),
    _apple("Apple M4", 32, 120, 10, 1470, "bandwidth: Apple; rate: approximate, clock by hmc-tech.com alone"),
    _apple("Apple M4 Pro", 64, 273, 20, 1678, "bandwidth: Apple; rate: approximate, the M4 Max’s clock by hmc-tech.com alone"),
    _apple("Apple M4 Max", 128, 546, 40, 1678, "bandwidth: Apple; rate: approximate, clock by hmc-tech.com alone"),
)  # fmt: skip

DEVICES: dict[str, Device] = {device.name: device for device in _DEVICES}
