"""What an answer costs: bytes, FLOPs and seconds, from a model's shape and a device's three numbers, each law a small function.

    shape, device = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
    shape.kv_bytes(100_000)                      # 13,107,200,000
    ttft_s(shape, 2048, device), tpot_s(shape, 2048, device)

    sizing(shape, device, Demand(n_ctx=100_000))     # how many fit, TTFT, TPOT, prices

Times are rooflines: the longer of arithmetic and memory traffic, at the peaks a vendor prints. They are bounds. TensorRT-LLM 0.9
on an A100 needs 16.2 ms for the first token of a 128-token prompt to Llama-2-7B where `ttft_s` says 6.5, and 132.4 for 2,048
tokens where it says 88.6 (its docs/source/performance.md). Several devices divide all work evenly and talk for
free; what they must keep twice is counted. `estimated_s` is what a pass is likely to take instead.

For notebooks alone, and held against published tables by tests: `prefill_flops`, `dense_pairs`, an operation's `unfused_bytes` and a
model's `n_active_params`.
"""

from engine.cost.desk.answers import Demand, Sizing, sizing
from engine.cost.desk.estimate import Efficiency, estimated_s
from engine.cost.devices import DEVICES, Device
from engine.cost.layer_caches import LayerCache, layer_caches, layer_kinds
from engine.cost.memory import (
    MemoryUse,
    activation_bytes,
    even_context,
    largest_batch,
    llama_cpp_kv_bytes,
    longest_context,
    memory_use,
    met_weight_bytes,
)
from engine.cost.operations import Operation, operations
from engine.cost.pairs import dense_pairs, visible_pairs
from engine.cost.shapes.catalogue import MODELS
from engine.cost.shapes.checked import bytes_of
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.this_machine import measure_this_machine
from engine.cost.times import (
    attention_intensity,
    bound,
    compute_bound_tokens,
    compute_s,
    critical_batch,
    decode_flops,
    end_to_end_s,
    energy_j,
    memory_s,
    mha_kv_bytes_per_token,
    pass_s,
    prefill_flops,
    price_per_million_tokens,
    tokens_per_s,
    tpot_s,
    ttft_s,
    weight_read_bytes,
)
from engine.cost.units import binary_bytes, both_bytes, decimal_bytes

__all__ = [
    "DEVICES", "MODELS", "Demand", "Device", "Efficiency", "LayerCache", "MemoryUse", "ModelShape", "Operation", "Sizing",
    "activation_bytes", "attention_intensity", "binary_bytes", "both_bytes", "bound", "bytes_of", "compute_bound_tokens",
    "compute_s", "critical_batch", "decimal_bytes", "decode_flops", "dense_pairs", "end_to_end_s", "energy_j", "estimated_s",
    "even_context", "largest_batch", "layer_caches", "layer_kinds", "llama_cpp_kv_bytes", "longest_context",
    "measure_this_machine", "memory_s", "memory_use", "met_weight_bytes", "mha_kv_bytes_per_token", "operations", "pass_s",
    "prefill_flops", "price_per_million_tokens", "sizing", "tokens_per_s", "tpot_s", "ttft_s", "visible_pairs",
    "weight_read_bytes",
]  # fmt: skip
