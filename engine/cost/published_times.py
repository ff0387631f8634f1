"""What others measured, to hold a roofline against: the time to the first token, with model, devices and prompt.

TensorRT-LLM 0.9.0, docs/source/performance.md, "low latency": A100 80 GB, FP16, batch 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cost.devices import DEVICES, Device
from engine.cost.shapes.catalogue import MODELS
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import ttft_s

SOURCE = "TensorRT-LLM 0.9.0, docs/source/performance.md: A100 80 GB, FP16, batch 1"


@dataclass(frozen=True)
class Measured:
    """A measured time to first token. measured_s: as published, in seconds."""

    model: str
    n_devices: int
    n_prompt: int
    measured_s: float
    device: str = "A100-80"

    @property
    def shape(self) -> ModelShape:
        return MODELS[self.model]

    @property
    def on(self) -> Device:
        return DEVICES[self.device]

    @property
    def bound_s(self) -> float:
        """What the roofline says: no engine can be faster."""
        return ttft_s(self.shape, self.n_prompt, self.on, n_devices=self.n_devices)


TENSORRT_LLM = tuple(
    Measured(model, n_devices, n_prompt, ms / 1e3)
    for model, n_devices, n_prompt, ms in (
        ("Llama-2-7B", 1, 128, 16.2), ("Llama-2-7B", 1, 2048, 132.4),
        ("Mistral-7B", 1, 128, 16.3), ("Mistral-7B", 1, 2048, 139.6),
        ("Mixtral-8x7B", 2, 128, 23.8), ("Mixtral-8x7B", 2, 2048, 160.9),
        ("Llama-2-70B", 4, 128, 45.6), ("Llama-2-70B", 8, 2048, 249.2),
    )
)  # fmt: skip
