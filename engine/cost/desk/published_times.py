"""What others measured, to hold a roofline and an estimate against: with model, devices, prompt and who says so.

TensorRT-LLM 0.9.0, docs/source/performance.md, "low latency": A100 80 GB, FP16, batch 1, the time to the first token. gpt-fast,
README, "Tensor Parallelism": A100 80 GB limited to 330 W, bfloat16, batch 1, prompts of five tokens, tokens a second; 200 are
generated unless one says otherwise.
"""

from dataclasses import dataclass

from engine.cost.desk.estimate import TYPICAL, Efficiency, estimated_s
from engine.cost.devices import DEVICES, Device
from engine.cost.shapes.catalogue import MODELS
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.times import pass_s

SOURCE = "TensorRT-LLM 0.9.0, docs/source/performance.md: A100 80 GB, FP16, batch 1"


@dataclass(frozen=True)
class Measured:
    """A measured pass: n_new tokens behind n_past. measured_s: as published, in seconds."""

    model: str
    n_devices: int
    n_new: int
    measured_s: float
    n_past: int = 0
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
        return pass_s(self.shape, self.n_new, self.on, self.n_past, n_devices=self.n_devices)

    def estimate_s(self, efficiency: Efficiency = TYPICAL) -> float:
        return estimated_s(self.shape, self.n_new, self.on, self.n_past, 1, efficiency, n_devices=self.n_devices)


TENSORRT_LLM = tuple(
    Measured(model, n_devices, n_prompt, ms / 1e3)
    for model, n_devices, n_prompt, ms in (
        ("Llama-2-7B", 1, 128, 16.2), ("Llama-2-7B", 1, 2048, 132.4),
        ("Mistral-7B", 1, 128, 16.3), ("Mistral-7B", 1, 2048, 139.6),
        ("Mixtral-8x7B", 2, 128, 23.8), ("Mixtral-8x7B", 2, 2048, 160.9),
        ("Llama-2-70B", 4, 128, 45.6), ("Llama-2-70B", 8, 2048, 249.2),
    )
)  # fmt: skip
GPT_FAST = tuple(
    Measured(model, n_devices, 1, 1 / tokens_per_s, n_past=5 + 200 // 2)
    for model, n_devices, tokens_per_s in (
        ("Llama-2-7B", 1, 104.9), ("Llama-2-7B", 2, 168.84), ("Llama-2-7B", 4, 254.02), ("Llama-2-7B", 8, 328.43),
        ("Llama-2-70B", 2, 21.32), ("Llama-2-70B", 4, 38.01), ("Llama-2-70B", 8, 62.50),
    )
)  # fmt: skip
PUBLISHED = TENSORRT_LLM + GPT_FAST


def furthest_off(efficiency: Efficiency = TYPICAL) -> float:
    """By how much of a published time the estimate misses it where it misses most: 0.32 for the default efficiencies."""
    return max(abs(m.estimate_s(efficiency) / m.measured_s - 1) for m in PUBLISHED)
