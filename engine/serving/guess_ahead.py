"""What checking guesses costs on a device, by rooflines: nearly nothing while a step waits for memory, k + 1 times as much after.

A pass over k + 1 rows reads the weights and each cache once, as a pass over one row does; its arithmetic is k + 1 times as much.
So what guessing saves depends on how many sequences share the step: the more, the sooner arithmetic is what it waits for.
"""

from collections.abc import Sequence

from engine.cost.devices import Device
from engine.cost.operations import operations
from engine.cost.shapes.checked import Setup
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import arithmetic_s, flops_by_bits, pass_parts, tpot_s
from engine.speculative import speed_up


def check_s(shape: ModelShape, device: Device, n_guess: int, n_past: int, batch: int = 1, **setup: float) -> float:
    """Seconds of a pass over n_guess guesses of each sequence and the token before them. Logits are needed of every row, where a
    prompt's pass computes those of its last one (engine.cost.operations)."""
    (computed, read), attention = pass_parts(shape, n_guess + 1, device, n_past, batch, **setup)
    weight_bits, _, n_devices = Setup(**setup)
    head = flops_by_bits(op for op in operations(shape, 1, n_past, batch, weight_bits) if op.name == "head")
    more = arithmetic_s({bits: n_guess * flops for bits, flops in head.items()}, device, n_devices)
    return max(computed + more, read) + max(attention)


def check_cost(shape: ModelShape, device: Device, n_guess: int, n_past: int, batch: int = 1, **setup: float) -> float:
    """The same by the seconds of a decode step: from 1 to about n_guess + 1. `setup`: weight_bits, kv_bits, n_devices."""
    return check_s(shape, device, n_guess, n_past, batch, **setup) / tpot_s(shape, n_past, device, batch, **setup)


def speed_ups(
    shape: ModelShape, device: Device, alpha: float, n_guess: int, n_past: int, batches: Sequence[int], **setup: float
) -> list[float]:
    """Times faster for each batch, with guesses that cost nothing and stay with chance alpha; below 1, slower."""
    return [speed_up(alpha, n_guess, 0.0, check_cost(shape, device, n_guess, n_past, batch, **setup)) for batch in batches]
