"""Seconds, from FLOPs and bytes: rooflines for one pass, the first token, the next token and the whole answer."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from engine.cost.devices import Device
from engine.cost.memory import largest
from engine.cost.operations import Operation, operations
from engine.cost.shapes.checked import Setup, bytes_of, check_bits, check_count
from engine.cost.shapes.file_bits import bits_of_parts
from engine.cost.shapes.model_shape import ModelShape
from engine.cost.tensor_parallel import all_kv_bytes, all_kv_read_bytes

ATTENTION = ("index", "scores", "softmax", "context")


def mha_kv_bytes_per_token(shape: ModelShape, bits: float = 16) -> int:
    """What a token would keep if each query head had its own key/value head: a classic mistake, n_head / n_kv_head too much."""
    return bytes_of(shape.n_layer * shape.n_head * (shape.d_head + shape.d_v), bits)


def prefill_flops(shape: ModelShape, n_tokens: int, batch: int = 1) -> float:
    """FLOPs of a whole prompt in one pass: about 2 · parameters · tokens, and attention growing with tokens².

    Only pairs the mask leaves count, P(P+1)/2 of P²; see operations(pairs=dense_pairs) for kernels that skip nothing.
    """
    return sum(op.flops for op in operations(shape, n_tokens, 0, batch))


def decode_flops(shape: ModelShape, n_past: int, batch: int = 1) -> float:
    """FLOPs of one new token behind n_past cached ones: about 2 · parameters, and attention growing with n_past."""
    return sum(op.flops for op in operations(shape, 1, n_past, batch))


def weight_read_bytes(shape: ModelShape, n_tokens: int = 1, bits: float = 16) -> float:
    """Bytes of parameters that a pass over n_tokens reads: of experts those it is expected to visit, of tables its rows.

    An embedding that is not the head too is looked up, one row a token. Published figures often count it whole, 6.5 % too much
    for Llama-3.1-8B: with it a bound would be none.
    """
    rows = n_tokens * (shape.d_embed or shape.d_model) * (not shape.style.tied)
    unread = shape.lookup_params - min(rows, shape.lookup_params)
    return shape.visited_bytes(n_tokens, bits) - unread * bits_of_parts(shape, bits)[-1] / 8


def attention_intensity(n_new: int, n_past: int = 0) -> float:
    """FLOPs a byte of fused 16-bit multi-head attention: S T / (S + T), T queries and S = n_past + n_new keys.

    T/2 in prefill, about 1 in decode, however long the context and large the batch (How to Scale Your Model, inference chapter).
    Grouped heads multiply it by n_head / n_kv_head in decode; skipping what the mask hides halves prefill's.
    """
    check_count("n_new", n_new)
    check_count("n_past", n_past, least=0)
    return n_new * (n_past + n_new) / (n_past + 2 * n_new)


def decode_intensity(shape: ModelShape, bits: float = 16) -> float:
    """FLOPs for each byte of cache that decode's attention reads, softmax left out: what no context and no batch changes.

    1 with a key and a value for each query head, n_head / n_kv_head where heads share them. A latent is read once for all heads:
    DeepSeek-V3 does 2 · 128 · (576 + 512) FLOP for 1,152 bytes, 242. An index, which most models have not, is left out.
    """
    ops = [op for op in operations(shape, 1, 2**20, 1, 16, bits) if op.name in ("scores", "context")]
    return sum(op.flops for op in ops) / sum(op.cache_bytes for op in ops)


def bound(arithmetic_intensity: float, device: Device, bits: float = 16) -> str:
    """What work of this many FLOPs a byte waits for: "compute" from the device's ridge for such numbers on, else "memory"."""
    return "compute" if arithmetic_intensity >= device.ridge_at(bits) else "memory"


def compute_s(flops: float, device: Device, n_devices: int = 1, bits: float = 16) -> float:
    """Seconds for so many FLOPs at the peak rate for numbers of so many bits. Left out: that real ones reach 50–80 % (mfu)."""
    check_count("n_devices", n_devices)
    return flops / (device.rate(bits) * n_devices)


def flops_by_bits(ops: Iterable[Operation]) -> Counter[float]:
    """FLOPs of some operations together by the bits of the numbers that are multiplied: {bits: FLOPs}."""
    total = Counter()
    for op in ops:
        for bits, flops in op.flops_by_bits.items():
            total[bits] += flops
    return total


def arithmetic_s(flops: Mapping[float, float], device: Device, n_devices: int = 1) -> float:
    """Seconds for FLOPs on numbers of different bits, {bits: FLOPs}, each at the peak rate for such numbers, one after the other.

    Law: between all of them at the fastest of these rates and all at the slowest.
    """
    by_rate: dict[float, float] = {}  # of one rate they are added up before they are divided
    for bits, n in flops.items():
        rate = device.rate(bits)
        by_rate[rate] = by_rate.get(rate, 0) + n
    check_count("n_devices", n_devices)
    return sum(n / (rate * n_devices) for rate, n in by_rate.items())


def memory_s(n_bytes: float, device: Device, n_devices: int = 1) -> float:
    """Seconds for moving so many bytes at the peak rate. Left out: that real reads reach 60–90 % of it (mbu)."""
    check_count("n_devices", n_devices)
    return n_bytes / (device.bytes_per_s * n_devices)


def pass_s(shape: ModelShape, n_new: int, device: Device, n_past: int = 0, batch: int = 1, **setup) -> float:
    """Seconds of one pass: a roofline for the learned matrices and one for attention, added, since a layer needs them in turn.
    `setup`: weight_bits, kv_bits, n_devices.

    Matrices: their FLOPs or reading the weights once. Attention: its FLOPs or reading the cached rows and writing the new ones.
    Where an index chooses tokens its keys are read, and the chosen tokens' rows: of several queries those that one chooses, as if
    all chose alike. Several devices read their own copies of what cannot be cut (engine.cost.tensor_parallel). Left out: activations,
    communication, launching kernels, sampling. Arithmetic is the fastest that the device has for numbers
    of so many bits (an engine that turns 4-bit weights into 16-bit ones first is slower than this bound), of a file whose parts
    have different ones for those of each part.
    """
    return sum(map(max, pass_parts(shape, n_new, device, n_past, batch, **setup)))


def pass_parts(
    shape: ModelShape, n_new: int, device: Device, n_past: int = 0, batch: int = 1, **setup: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """What pass_s adds up: (seconds of arithmetic, seconds of reading), of the learned matrices and of attention.

    Several tokens behind cached latents: the quicker of turning their queries into the latents' space and of expanding the latents.
    A decode step always does the first, as engines do.
    """
    ways = (False, True) if shape.latent and n_past and n_new > 1 else (False,)
    every = [_parts(shape, n_new, device, n_past, batch, expanded, **setup) for expanded in ways]
    return min(every, key=lambda parts: sum(map(max, parts)))


def _parts(
    shape: ModelShape, n_new: int, device: Device, n_past: int, batch: int, expanded: bool, **setup: float
) -> tuple[tuple[float, float], tuple[float, float]]:
    """pass_parts in one way of two."""
    weight_bits, kv_bits, n_devices = Setup(**setup)
    ops = operations(shape, n_new, n_past, batch, weight_bits, kv_bits, expanded=expanded)
    attention, products = ([op for op in ops if (op.name in ATTENTION) == one] for one in (True, False))
    weights = weight_read_bytes(shape, n_new * batch, weight_bits)
    on = (batch, kv_bits, n_devices)
    cache = all_kv_read_bytes(shape, n_past, *on) + all_kv_bytes(shape, n_new, *on) + 2 * shape.state_bytes(batch)
    return (
        (arithmetic_s(flops_by_bits(products), device, n_devices), memory_s(weights, device, n_devices)),
        (arithmetic_s(flops_by_bits(attention), device, n_devices), memory_s(cache, device, n_devices)),
    )


def ttft_s(shape: ModelShape, n_tokens: int, device: Device, batch: int = 1, **setup) -> float:
    """Time to first token: one pass over the prompt. Left out: waiting in a queue, turning text into tokens, the network.

    `setup`: weight_bits, kv_bits, n_devices as in pass_s.
    """
    return pass_s(shape, n_tokens, device, 0, batch, **setup)


def tpot_s(shape: ModelShape, n_past: int, device: Device, batch: int = 1, **setup) -> float:
    """Time per output token: one decode step of `batch` sequences, each behind n_past cached tokens.

    While it waits for memory this is (weights + batch · cache) / bandwidth. `setup` as in pass_s.
    """
    return pass_s(shape, 1, device, n_past, batch, **setup)


def end_to_end_s(ttft: float, tpot: float, n_generated: int) -> float:
    """TTFT + (G − 1) · TPOT: the first of G tokens comes with prefill (NVIDIA NIM, metrics).

    >>> round(end_to_end_s(0.5, 0.030, 200), 2)
    6.47
    """
    check_count("n_generated", n_generated)
    return ttft + (n_generated - 1) * tpot


def tokens_per_s(shape: ModelShape, n_past: int, device: Device, batch: int = 1, **setup) -> float:
    """Tokens a second of all sequences together: batch / TPOT. Bounded by bandwidth / cache bytes however large the batch."""
    return batch / tpot_s(shape, n_past, device, batch, **setup)


def critical_batch(device: Device, weight_bits: float = 16, arithmetic_bits: float = 16) -> float:
    """Tokens in flight from which products with a dense model's weights are bound by compute: FLOPs a byte · bytes a weight / 2.

    Left out: attention, which no batch makes compute-bound, since each sequence brings a cache of its own; experts, of which
    each token uses a few and a batch reads many: see compute_bound_tokens.
    """
    check_bits("weight_bits", weight_bits)
    return device.ridge_at(arithmetic_bits) * weight_bits / 16


def compute_bound_tokens(shape: ModelShape, device: Device, weight_bits: float = 16) -> int:
    """Tokens in flight from which this model's products with weights take no less time to compute than their weights to read.

    For a dense model critical_batch, rounded up, with arithmetic as fast as the device has it for numbers of so many bits; of a
    file whose parts have different ones for those of each part.
    Experts raise it by about n_params / n_active_params: Mixtral-8x7B on an H100 needs 1,079 tokens, a dense model 296.
    """
    return 1 + largest(lambda n_tokens: not _computes(shape, n_tokens, device, weight_bits))


def experts_raise(shape: ModelShape, device: Device, weight_bits: float = 16) -> bool:
    """Whether compute_bound_tokens would be fewer if each token met every expert."""
    if not shape.experts:
        return False
    dense = replace(shape, experts=replace(shape.experts, n_active=shape.experts.n_expert))
    return compute_bound_tokens(shape, device, weight_bits) > compute_bound_tokens(dense, device, weight_bits)


def _computes(shape: ModelShape, n_tokens: int, device: Device, weight_bits: float) -> bool:
    """Whether products with weights wait for compute when each of n_tokens sequences brings one token."""
    products = [op for op in operations(shape, 1, 1, n_tokens, weight_bits) if op.name not in ATTENTION]
    return arithmetic_s(flops_by_bits(products), device) >= memory_s(sum(op.weight_bytes for op in products), device)


def energy_j(watts: float, seconds: float) -> float:
    """Joules = watts · seconds. The watts are the reader's: nothing computed here can know what a device draws."""
    return _positive("watts", watts) * seconds


def price_per_million_tokens(price_per_hour: float, tokens_per_s: float) -> float:
    """What 10⁶ tokens cost at so much an hour for all devices, kept busy. The price is the reader's."""
    return _positive("price_per_hour", price_per_hour) / 3600 / _positive("tokens_per_s", tokens_per_s) * 1e6


def _positive(name: str, value: float) -> float:
    if not 0 < value < float("inf"):
        raise ValueError(f"{name}: expected a positive number, got {value}")
    return value
