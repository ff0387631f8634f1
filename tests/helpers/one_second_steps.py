"""A server whose every step takes one second, so that schedules can be worked out by hand, and one of a real model."""

import numpy as np

from engine.cost import DEVICES, MODELS
from engine.serving import Request, Setup

SHAPE, DEVICE = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]


class Ticks:
    """Stands for engine.cost.mixed_passes.PassTimes."""

    def mixed_s(self, prompts, n_past):
        return 1.0

    def decode_s(self, n_past, n_steps):
        return np.ones(n_steps)


def ticking(**given):
    setup = Setup(SHAPE, DEVICE, **given)
    setup.__dict__["times"] = Ticks()
    return setup


def with_blocks(n_blocks, **given):
    """Room for so many blocks of 16 tokens."""
    return ticking(memory_bytes=n_blocks * 16 * SHAPE.kv_bytes(1), **given)


def requests(*rows):
    """(arrival, prompt, answer) each."""
    return [Request(*row) for row in rows]
