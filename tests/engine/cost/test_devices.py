"""Devices: dense figures as vendors print them, this machine as it measures, and bytes as text."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cost import DEVICES, Device, binary_bytes, both_bytes, decimal_bytes, measure_this_machine, this_machine

# GB/s, dense 16-bit TFLOP/s, and what the vendor prints with sparsity, where it does: typed here a second time on purpose.
PRINTED = {
    "A100-40": (1555, 312, 624), "A100-80": (2039, 312, 624), "H100 SXM": (3350, 989, 1979), "H100 PCIe": (2000, 756, 1513),
    "H200": (4800, 989, 1979), "B200": (7700, 2250, 4500), "L4": (300, 121, 242), "L40S": (864, 362, 733), "A10": (600, 125, 250),
    "A6000": (768, 155, 309.7), "RTX 4090": (1008, 165, 330.4), "RTX 5090": (1792, 209.5, 419), "MI300X": (5300, 1307.4, 2614.9),
    "TPU v5e": (819, 197, None), "GB200": (576_000 / 72, 180_000 / 72, 360_000 / 72), "B300": (7750, 2250, 36_000 / 8),
    "H20": (4000, 148, 296), "T4": (320, 65, None), "RTX 3090": (936, 71, 142), "RTX PRO 6000": (1792, 503.8, 1010),
    "DGX Spark": (273, 213, None), "MI325X": (6000, 1307.4, 2614.9), "MI355X": (8000, 2516.6, 5033.2),
}  # fmt: skip
APPLE = {"Apple M1": 68, "Apple M2 Ultra": 800, "Apple M3 Ultra": 819, "Apple M4": 120, "Apple M4 Pro": 273, "Apple M4 Max": 546}


def test_every_device_is_checked_and_has_a_source():
    assert set(DEVICES) == set(PRINTED) | set(APPLE)
    assert all(len(device.source) > 10 and "http" not in device.source for device in DEVICES.values())


@pytest.mark.parametrize("name", PRINTED)
def test_figures_are_dense_and_never_sparse(name):
    gb_per_s, tflops, sparse = PRINTED[name]
    device = DEVICES[name]
    assert device.bytes_per_s == pytest.approx(gb_per_s * 1e9)
    assert device.flops_per_s == pytest.approx(tflops * 1e12, rel=1.5e-3)
    if sparse:
        assert sparse * 1e12 / device.flops_per_s == pytest.approx(2, rel=0.013)  # the L40S data sheet rounds 724 up to 733


def test_the_apple_figures_follow_from_cores_and_clock():
    for name, gb_per_s in APPLE.items():
        assert DEVICES[name].bytes_per_s == pytest.approx(gb_per_s * 1e9, rel=0.005)
    # What Apple itself has printed: 2.6 TFLOPS for the M1, 27.2 for the M2 Ultra.
    assert DEVICES["Apple M1"].flops_per_s / 1e12 == pytest.approx(2.6, abs=0.05)
    assert DEVICES["Apple M2 Ultra"].flops_per_s / 1e12 == pytest.approx(27.2, abs=0.05)
    # hmc-tech.com: 13.74 TFLOPS for 32 cores of the M4 Max, 3.76 for the M4.
    assert DEVICES["Apple M4 Max"].flops_per_s * 32 / 40 / 1e12 == pytest.approx(13.74, abs=0.01)
    assert DEVICES["Apple M4"].flops_per_s / 1e12 == pytest.approx(3.76, abs=0.01)


def test_a_card_of_80_gb_holds_80_gib_less_a_reserve():
    # github.com/modal-labs/modal-client/pull/2797 lists what nvidia-smi prints.
    assert DEVICES["A100-80"].memory_bytes == 80 * 2**30
    assert binary_bytes(DEVICES["H100 SXM"].memory_bytes) == "79.65 GiB"
    assert decimal_bytes(DEVICES["H100 SXM"].memory_bytes) == "85.52 GB"


SMI = {
    "H200": 143771, "A6000": 49140, "RTX 4090": 24564, "RTX 5090": 32607, "GB200": 189471, "B300": 275040, "H20": 97871, "T4": 15360,
    "RTX 3090": 24576, "RTX PRO 6000": 97887,
}  # fmt: skip


@pytest.mark.parametrize(("name", "mib"), SMI.items())
def test_memory_is_what_nvidia_smi_prints(name, mib):
    """The vendor's GB of three cards were taken as 10⁹ bytes: up to 7 % too little."""
    assert DEVICES[name].memory_bytes == mib * 2**20


# Dense TOP/s of 8 and 4 bits, floats or integers: data sheets, sparsity halved.
NARROW = {
    "A100-80": (624, 1248), "H100 SXM": (1979, 0), "H200": (1979, 0), "B200": (9000 / 2, 18_000 / 2), "L4": (485 / 2, 485),
    "A10": (250, 500), "L40S": (733, 2 * 733), "A6000": (309.7, 619.4), "RTX 4090": (660.6, 1321.2),
    "RTX 5090": (3352 / 4, 3352 / 2), "MI300X": (2614.9, 0), "TPU v5e": (393, 0), "Apple M4 Max": (0, 0),
    "GB200": (360_000 / 72, 720_000 / 72), "B300": (4500, 14_000), "H20": (296, 0), "T4": (130, 260), "RTX 3090": (284, 568),
    "RTX PRO 6000": (4030 / 4, 4030 / 2), "DGX Spark": (214, 1000 / 2), "MI325X": (2614.9, 0), "MI355X": (5033, 20_132.6 / 2),
}  # fmt: skip


@pytest.mark.parametrize("name", NARROW)
def test_narrow_arithmetic_is_the_fastest_that_the_device_has(name):
    device, (eight, four) = DEVICES[name], NARROW[name]
    assert device.rate(8) == pytest.approx(max(eight * 1e12, device.flops_per_s), rel=1e-3)
    assert device.rate(4) == pytest.approx(max(four * 1e12, device.rate(8)), rel=1e-3)
    assert device.rate(16) == device.rate() == device.flops_per_s


def test_every_narrow_rate_says_whose_it_is():
    """Rates of 8 and 4 bits had no source. A device without such products says so or has none at all (Apple)."""
    for device in DEVICES.values():
        if device.flops8_per_s:
            assert "8 bits" in device.source or "8 and 4 bits" in device.source, device.name
            assert ("no 4-bit products" in device.source) == (not device.flops4_per_s), device.name


def test_the_cards_of_one_chip_have_one_ratio():
    # NVIDIA A40 data sheet, the chip of A10 and RTX A6000: 149.7 TFLOPS of 16 bits, 299.3 and 598.7 TOPS of 8 and 4, all dense.
    for name in ("A10", "A6000"):
        device = DEVICES[name]
        assert device.flops8_per_s / device.flops_per_s == pytest.approx(299.3 / 149.7, rel=2e-3)
        assert device.flops4_per_s / device.flops_per_s == pytest.approx(598.7 / 149.7, rel=2e-3)


def test_b200s_bandwidth_is_its_memory_lines_times_their_clock():
    # github.com/pytorch/ao/pull/4002: 7,680 lines, 3,996 MHz, both edges. Vendor lists say 7.7 and, for the whole package, 8.
    lines, clock = 7680, 3996e6
    assert DEVICES["B200"].bytes_per_s == pytest.approx(lines / 8 * clock * 2, rel=0.005)


@pytest.mark.parametrize("bad", [0, -1.0, float("nan"), float("inf"), True, "3"])
def test_a_device_is_made_of_positive_numbers(bad):
    good = dict(name="x", memory_bytes=1, bytes_per_s=1.0, flops_per_s=1.0)
    for field in ("memory_bytes", "bytes_per_s", "flops_per_s"):
        with pytest.raises(ValueError, match=f"{field}: expected a positive number, got"):
            Device(**good | {field: bad})


def test_this_machine_is_measured_in_bounded_time_and_memory(monkeypatch):
    clock = [0.0]

    def step_of_a_tenth():
        clock[0] += 0.1
        return clock[0]

    monkeypatch.setattr(this_machine.time, "perf_counter", step_of_a_tenth)
    monkeypatch.setattr(this_machine, "BUFFER_BYTES", 2**20)
    monkeypatch.setattr(this_machine, "_MATRIX", 64)
    device = measure_this_machine(1.0)
    # The clock moves .1 s at each look, so a run takes .1 s and the rates follow from what one run reads and multiplies.
    assert device.bytes_per_s == pytest.approx(2**20 / 0.1) and device.flops_per_s == pytest.approx(2 * 64**3 / 0.1)
    assert clock[0] < 2 * (1.0 + 0.5)
    assert 2**27 < device.memory_bytes < 2**46 and "float32" in device.source
    for seconds in (0, 11, float("nan")):
        with pytest.raises(ValueError, match="seconds: expected"):
            measure_this_machine(seconds)


def test_this_machine_can_multiply():
    device = measure_this_machine(0.05)
    assert 1e8 < device.bytes_per_s < 1e13 and 1e8 < device.flops_per_s < 1e15


def test_a_run_is_the_best_of_at_least_three():
    runs = []
    assert this_machine._best_s(lambda: runs.append(np.ones(9).sum()), 1e-9) > 0
    assert len(runs) == 4  # one to warm up


@pytest.mark.parametrize(
    ("n_bytes", "decimal", "binary"),
    [
        (0, "0 B", "0 B"),
        (999, "999 B", "999 B"),
        (1000, "1 kB", "1,000 B"),
        (1024, "1.02 kB", "1 KiB"),
        (70_272, "70.27 kB", "68.63 KiB"),
        (13_107_200_000, "13.11 GB", "12.21 GiB"),
        (999_999, "1 MB", "976.56 KiB"),
        (2**30 - 1, "1.07 GB", "1 GiB"),
        (-5_000_000_000, "-5 GB", "-4.66 GiB"),
        (10**18, "1,000 PB", "888.18 PiB"),
    ],
)
def test_bytes_name_their_unit(n_bytes, decimal, binary):
    assert (decimal_bytes(n_bytes), binary_bytes(n_bytes)) == (decimal, binary)
    assert both_bytes(n_bytes) == (decimal if decimal == binary else f"{decimal} = {binary}")


@given(st.integers(0, 10**17))
def test_what_is_printed_is_within_half_a_hundredth_of_what_is_meant(n_bytes):
    for text, base, units in (
        (decimal_bytes(n_bytes), 1000, ("B", "kB", "MB", "GB", "TB", "PB")),
        (binary_bytes(n_bytes), 1024, ("B", "KiB", "MiB", "GiB", "TiB", "PiB")),
    ):
        number, unit = text.split()
        scale = base ** units.index(unit)
        assert abs(float(number.replace(",", "")) - n_bytes / scale) <= 0.005001
        assert float(number.replace(",", "")) < base or unit == units[-1]
