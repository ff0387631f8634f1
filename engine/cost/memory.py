"""What fits: weights, cache and activations against a device's memory, and the largest batch and longest context it holds.

Several devices are one with all their memory: tensor parallelism, every tensor cut into equal parts but for what it must copy
(engine.cost.tensor_parallel). Left out: fragmentation, and what a program keeps for itself on each device unless the reader says
how much (`reserved_bytes`). Serving programs leave a tenth of the memory alone (vLLM: gpu_memory_utilization 0.9): see `usable`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from engine.cost.devices import Device
from engine.cost.operations import ACTIVATION_BYTES
from engine.cost.shapes.checked import MAX_COUNT, Setup, bytes_of, check_count
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.tensor_parallel import all_kv_bytes

CHUNK = 2048  # tokens that a serving program lets into one pass; longer prompts enter in pieces
LOGIT_BYTES = 4  # logits are kept in float32


@dataclass(frozen=True)
class MemoryUse:
    """Bytes in use on all devices together, and how many there are.

    state_bytes: of layers that keep a state of constant size. copy_bytes: what devices keep of the cache a second time and more.
    reserved_bytes: what the program keeps for itself.
    """

    weight_bytes: int
    cache_bytes: int
    activation_bytes: int
    device_bytes: int
    state_bytes: int = 0
    copy_bytes: int = 0
    reserved_bytes: int = 0

    @property
    def other_bytes(self) -> int:
        """All but weights and one copy of the cache."""
        return self.activation_bytes + self.state_bytes + self.copy_bytes + self.reserved_bytes

    @property
    def total_bytes(self) -> int:
        return self.weight_bytes + self.cache_bytes + self.other_bytes

    @property
    def room_bytes(self) -> int:
        """What is left; negative by as much as is missing."""
        return self.device_bytes - self.total_bytes

    @property
    def fits(self) -> bool:
        return self.room_bytes >= 0


def activation_bytes(shape: ModelShape, n_rows: int, n_logits: int = 1) -> int:
    """An estimate of what a pass holds at its fullest moment, n_rows tokens in flight, with fused attention and no score matrix.

    Rows · (residual and its normed copy + the wider of q, k, v, context and of the MLP's hidden layer) · 2 bytes + logits in
    float32. A layer's arrays are freed for the next layer's. Left out: workspace of kernels, buffers between devices.
    """
    check_count("n_rows", n_rows)
    experts, gates = shape.experts, 1 + shape.style.gated_mlp
    attention = shape.n_head * (shape.d_head + shape.d_v) + shape.n_kv_head * (shape.d_head + shape.d_v)
    visited = experts.n_active * experts.d_ff + experts.d_ff_shared if experts else 0
    widest = max(attention, gates * visited, 0 if experts and not experts.dense_layers else gates * shape.d_ff)
    return n_rows * (2 * shape.d_model + widest) * ACTIVATION_BYTES + n_logits * shape.n_vocab * LOGIT_BYTES


def memory_use(
    shape: ModelShape, n_tokens: int, device: Device, batch: int = 1, usable: float = 1.0, reserved_bytes: int = 0, **setup: float
) -> MemoryUse:
    """Weights once, a cache of n_tokens for each of `batch` sequences, activations of one pass; `usable` of the memory counts.

    reserved_bytes: what the program keeps for itself on each device. `setup`: weight_bits, kv_bits, n_devices.
    """
    weight_bits, kv_bits, n_devices = Setup(**setup)
    check_count("n_devices", n_devices)
    check_count("reserved_bytes", reserved_bytes, least=0, most=2**60)
    if not 0 < usable <= 1:
        raise ValueError(f"usable: expected a share of the memory, more than 0 and at most 1, got {usable}")
    n_rows = min(max(n_tokens * batch, 1), max(CHUNK, batch))
    cache = shape.kv_bytes(n_tokens, batch, kv_bits)
    copies = all_kv_bytes(shape, n_tokens, batch, kv_bits, n_devices) - cache
    activations, room = activation_bytes(shape, n_rows, max(batch, 1)), int(device.memory_bytes * n_devices * usable)
    kept = shape.state_bytes(batch), copies, n_devices * reserved_bytes
    return MemoryUse(shape.weight_bytes(weight_bits), cache, activations, room, *kept)


N_UBATCH, PAD = 512, 256  # tokens that llama.cpp computes at once, and cells that its caches are padded to
# Families whose windows llama.cpp applies (since May 2025, pull request 13194); for these others it keeps every token.
_LLAMA_CPP_WINDOWS = ("gemma2", "gemma3", "gemma3_text", "cohere2", "gpt_oss", "exaone4")
_LLAMA_CPP_NO_WINDOWS = ("mistral", "mixtral", "phi3", "qwen2", "qwen2_moe", "qwen3", "qwen3_moe", "starcoder2")


def llama_cpp_kv_bytes(shape: ModelShape, n_ctx: int, batch: int = 1, bits: float = 16) -> int | None:
    """What llama.cpp allocates and logs for n_ctx cells, as of 2025; None for models whose cache it lays out otherwise.

    Where it applies a window, those layers get min(n_ctx, window + N_UBATCH) cells, padded to PAD, since the tokens being computed need
    room too; `--swa-full` gives them all. For Mistral and Phi-3 it applies none (its source switches Phi-3's off, pull request
    13676). Left out: latents, which it keeps without a copy only since January 2026, and mixed layers.
    Each of `batch` sequences has n_ctx cells here; llama.cpp's own -c is their sum.
    """
    mixed = shape.latent or any(row != shape.kv_row for row in shape.kv_rows) or shape.state_bytes()
    if mixed or (any(shape.windows) and shape.family not in _LLAMA_CPP_WINDOWS + _LLAMA_CPP_NO_WINDOWS):
        return None
    windows = (0 if shape.family in _LLAMA_CPP_NO_WINDOWS else window for window in shape.windows)
    cells = (min(n_ctx, window + N_UBATCH) if window else n_ctx for window in windows)
    return bytes_of(sum(-(-n // PAD) * PAD for n in cells) * shape.kv_row * batch, bits)


def largest_batch(shape: ModelShape, n_tokens: int, device: Device, **setup) -> int:
    """Sequences of n_tokens that fit, 0 if not even one does. `setup` as in memory_use, without batch."""
    return largest(lambda batch: memory_use(shape, n_tokens, device, batch, **setup).fits)


def longest_context(shape: ModelShape, device: Device, **setup) -> int | None:
    """Tokens a sequence may have until memory is full, 0 if none. None: with every layer windowed the cache stops growing.

    What the model was trained for (`shape.n_ctx`) is another limit, and often the lower one. `setup` as in memory_use.
    """
    n_tokens = largest(lambda n: memory_use(shape, n, device, **setup).fits)
    return None if n_tokens == MAX_COUNT else n_tokens


def even_context(shape: ModelShape, batch: int = 1, weight_bits: float = 16, kv_bits: float = 16) -> int | None:
    """Tokens a sequence up to which the weights that a step meets outweigh the caches that it reads. None where they always do.

    Of experts those that `batch` tokens are expected to visit. Without windows floor(weight bytes / (batch · bytes a token)): for
    Llama-3.1-8B at 16 bits and batch 1 122,532. The embedding is counted whole, as published figures have it.
    """
    weights = met_weight_bytes(shape, batch, weight_bits)
    n_tokens = largest(lambda n: shape.kv_read_bytes(n, batch, kv_bits) + shape.state_bytes(batch) <= weights)
    return None if n_tokens == MAX_COUNT else n_tokens


def met_weight_bytes(shape: ModelShape, n_tokens: int = 1, bits: float = 16) -> int:
    """Bytes of the weights that n_tokens meet: all, but of experts those that they are expected to visit."""
    return bytes_of(8 * shape.visited_bytes(n_tokens, bits), 1)


def largest(holds: Callable[[int], bool], most: int = MAX_COUNT) -> int:
    """The largest n from 0 to `most` for which `holds`, which must not become true again; 0 if it is false at 1."""
    low, high = 0, 1
    while high <= most and holds(high):
        low, high = high, high * 2
    high = min(high, most + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
