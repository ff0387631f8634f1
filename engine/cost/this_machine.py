"""This machine as a device: its memory bandwidth and its matrix-product rate, measured in about a second each.

Both are measured by what decides an answer's speed: a matrix times a vector, as in decode, reads every weight for one product,
and a matrix times a matrix, as in prefill, uses each many times. float32, because that is what NumPy multiplies fast.
"""

import os
import time

import numpy as np

from engine.cost.devices import Device

BUFFER_BYTES = 128 * 2**20  # far more than the caches of a laptop; a server's may hold it, and then look faster than its memory
_MATRIX = 1024  # 4 MiB an operand: large enough for the peak rate, small enough to repeat many times a second


def measure_bandwidth(seconds: float = 1.0) -> float:
    """Bytes a second that a matrix-vector product reads: the best of the repetitions that fit into `seconds`, at least three."""
    matrix = np.full((BUFFER_BYTES // 4 // 4096, 4096), 0.5, np.float32)
    vector, out = np.full(4096, 0.5, np.float32), np.empty(len(matrix), np.float32)
    return matrix.nbytes / _best_s(lambda: np.matmul(matrix, vector, out=out), seconds)


def measure_flops(seconds: float = 1.0) -> float:
    """Floating-point operations a second of a float32 matrix product: 2 n³ over the best time of an n × n one, n = 1024."""
    a = np.full((_MATRIX, _MATRIX), 0.5, np.float32)
    out = np.empty_like(a)
    return 2 * _MATRIX**3 / _best_s(lambda: np.matmul(a, a, out=out), seconds)


def measure_this_machine(seconds: float = 1.0) -> Device:
    """This machine, measured now, about `seconds` for each of the two rates and 140 MB of memory while it lasts.

    The rates are the best seen and so a roof: whoever shares the cores takes part of them. ValueError for 0 seconds or over 10.
    """
    if not 0 < seconds <= 10:
        raise ValueError(f"seconds: expected more than 0 and at most 10, got {seconds}")
    rates = measure_bandwidth(seconds), measure_flops(seconds)
    return Device("This machine", memory_bytes(), *rates, source="measured here and now, float32, NumPy")


def memory_bytes() -> int:
    """Memory of this machine, or what its container may use if that is less; 1 GiB where the system does not tell (Windows)."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):
        return 2**30
    try:
        with open("/sys/fs/cgroup/memory.max") as limit:
            text = limit.read().strip()
    except OSError:
        return total
    return min(total, int(text)) if text.isdigit() and int(text) else total


def _best_s(step, seconds: float) -> float:
    """The shortest of the runs of `step` that fit into `seconds`, after one that is not counted; at least three."""
    step()
    times, end = [], time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        step()
        times.append(time.perf_counter() - start)
    return max(min(times), 1e-9)
