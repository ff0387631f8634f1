"""What a server's log says, beside what the same log and the model's shape make it: sums of the cache, and bounds of its times.

Each check states its formula with the numbers in it. It agrees where printed and expected differ by no more than printing and
whole blocks explain; otherwise a known reason is named if one fits, and if none does that is said.
"""

from __future__ import annotations

from dataclasses import dataclass

from engine.cost import Device, ModelShape, tpot_s, ttft_s
from engine.serving.log_lines import ServerLog

BLOCK_SIZE = 16  # tokens; vLLM's default, where the log does not say another
TYPE_BITS = {  # bits a number, scales included (llama.cpp, ggml-common.h: bytes of a block over its numbers)
    "f32": 32, "f16": 16, "bf16": 16, "q8_0": 8.5, "q5_1": 6, "q5_0": 5.5, "q4_1": 5, "q4_0": 4.5, "iq4_nl": 4.5,
}  # fmt: skip
NEAR = 0.01  # relative; how near a ratio must be to a reason for it to be named
WEIGHTS_SLACK = 0.05  # buffers beside the weights, and layers that a quantised file leaves at 16 bits


@dataclass(frozen=True)
class Check:
    """One statement of the log and what it should be. kind: "tokens", "times" (a factor), "bytes", "a token" or "layers"."""

    what: str
    kind: str
    printed: float
    expected: float
    slack: float
    how: str
    why: str = ""

    @property
    def agrees(self) -> bool:
        """Whether printing and whole blocks explain the difference."""
        return abs(self.printed - self.expected) <= self.slack


@dataclass(frozen=True)
class Time:
    """A measured time beside the least that it can be: bound_s for a sequence alone, and loaded_s for n_together at once."""

    what: str
    measured_s: float
    bound_s: float
    how: str
    n_together: int = 1
    loaded_s: float = 0.0

    @property
    def least_s(self) -> float:
        """The bound that belongs to how many ran together."""
        return max(self.bound_s, self.loaded_s)


def share_a_device(shape: ModelShape, n_devices: int) -> float:
    """What one of n_devices keeps of a token under tensor parallelism: whole heads, and a latent is kept by each.

    >>> from engine.cost import MODELS
    >>> [share_a_device(MODELS[name], 16) for name in ("Llama-3.1-8B", "DeepSeek-V3")]
    [0.125, 1.0]
    """
    return 1.0 if shape.latent else -(-shape.n_kv_head // n_devices) / shape.n_kv_head


def cache_checks(
    log: ServerLog, shape: ModelShape, n_devices: int = 1, kv_bits: float = 16, weight_bits: float = 16
) -> list[Check]:
    """All that can be checked of the cache and the weights. n_devices, bits: where the log does not say its own."""
    n_devices = int(log.value("n_devices") or n_devices)
    tokens = held_tokens(log)
    found = [_blocks(log), _concurrency(log, tokens), *_llama_cpp(log, shape)]
    found.append(_a_token(log, shape, tokens, n_devices, kv_bits))
    weights = log.last("weight_bytes")
    if weights and n_devices >= 1:
        expected = shape.weight_bytes(weight_bits) / n_devices
        how = f"{shape.n_params:,} parameters · {weight_bits:g} bits" + (f" ÷ {n_devices} devices" if n_devices > 1 else "")
        why = _reason(weights.value / expected, {n_devices: "the line counts all devices", 0.5: _bits(weight_bits / 2),
                                                 0.25: _bits(weight_bits / 4), 2: _bits(weight_bits * 2)}, 0.12)  # fmt: skip
        found.append(Check("weights", "bytes", weights.value, expected, WEIGHTS_SLACK * expected, how, why))
    return [check for check in found if check]


def held_tokens(log: ServerLog) -> float | None:
    """Tokens that the cache holds: printed, or blocks times the block's size."""
    printed, n_blocks = log.value("kv_tokens"), log.value("n_blocks")
    if printed is not None or n_blocks is None:
        return printed
    return n_blocks * (log.value("block_size") or BLOCK_SIZE)


def _blocks(log: ServerLog) -> Check | None:
    n_blocks, tokens = log.value("n_blocks"), log.last("kv_tokens")
    if n_blocks is None or tokens is None:
        return None
    size = log.value("block_size") or BLOCK_SIZE
    how = f"{n_blocks:,.0f} blocks · {size:.0f}"
    why = (
        ""
        if "block_size" in {f.name for f in log.figures}
        else f"the block size is not in the log; {BLOCK_SIZE} is vLLM’s default"
    )
    return Check("tokens in the cache", "tokens", tokens.value, n_blocks * size, 0.5, how, why)


def _concurrency(log: ServerLog, tokens: float | None) -> Check | None:
    """Sequences of the greatest length that fit; vLLM prints tokens ÷ length to two digits."""
    printed, n_ctx = log.last("concurrency"), log.value("n_ctx")
    if not (printed and tokens and n_ctx):
        return None
    why = (
        f"{printed.value:,.2f} sequences of {n_ctx:,.0f} would be {printed.value * n_ctx:,.0f} tokens: where layers keep "
        "different lengths (windows), tokens held is no single number, and vLLM’s two lines have counted them differently"
    )
    how = f"{tokens:,.0f} tokens ÷ {n_ctx:,.0f}"
    return Check("sequences of full length", "times", printed.value, tokens / n_ctx, printed.half * 1.001, how, why)


def _a_token(log: ServerLog, shape: ModelShape, tokens: float | None, n_devices: int, kv_bits: float) -> Check | None:
    """Bytes over tokens, beside what the model's shape keeps of one token on one device."""
    stored, halves = log.last("kv_bytes"), 0.0
    if log.all("cells"):
        return None  # llama.cpp says more; see _llama_cpp
    n_bytes = stored.value if stored else None
    if stored:
        halves = stored.half
    elif log.last("k_bytes") and log.last("v_bytes"):
        n_bytes = log.value("k_bytes") + log.value("v_bytes")
        halves = log.last("k_bytes").half + log.last("v_bytes").half
    if not (n_bytes and tokens):
        return None
    expected = shape.kv_bytes_per_token(kv_bits) * share_a_device(shape, n_devices)
    block = log.value("block_size") or BLOCK_SIZE
    slack = halves / tokens + expected * block / tokens  # what is printed, and memory too small for one block more
    how = f"{shape.kv_bytes_per_token(kv_bits):,} bytes of {shape.name} at {kv_bits:g} bits"
    if n_devices > 1:
        how += f", on each of {n_devices} devices"
    ratio = n_bytes / tokens / expected
    reasons = {0.5: _bits(kv_bits / 2), 2.0: _bits(kv_bits * 2), n_devices: "the line counts all devices"}
    why = _reason(ratio, {k: v for k, v in reasons.items() if k != 1}, NEAR)
    if not why and any(shape.windows):
        why = "its windows let vLLM and SGLang share memory between layers, so that bytes ÷ tokens is not one layer’s sum"
    return Check("bytes a token", "a token", n_bytes / tokens, expected, slack, how, why or _unexplained(ratio))


def _llama_cpp(log: ServerLog, shape: ModelShape) -> list[Check]:
    """Each cache that llama.cpp allocates: its layers, K + V, and cells times what the shape keeps in so many layers."""
    found = []
    k_bits, v_bits = (TYPE_BITS.get(log.words.get(name, "f16"), 16.0) for name in ("k_type", "v_type"))
    sizes = log.all("kv_bytes") if "llama.cpp" in log.programs else []
    for size, k, v in zip(sizes, log.all("k_bytes"), log.all("v_bytes"), strict=False):
        how = f"K {k.printed} + V {v.printed}"
        found.append(Check("K and V together", "bytes", size.value, k.value + v.value, size.half + k.half + v.half, how))
    per_layer = shape.n_kv_head * (shape.d_head * k_bits + shape.d_v * v_bits) / 8
    plain = not shape.latent and len(set(shape.kv_rows)) == 1
    for cells, n_layer, size in zip(log.all("cells"), log.all("n_layer"), sizes, strict=False):
        if plain:
            expected = cells.value * n_layer.value * per_layer
            how = f"{cells.value:,.0f} cells · {n_layer.value:.0f} layers · {per_layer:,.0f} bytes of {shape.name}"
            ratio = size.value / expected
            found.append(Check("the cache", "bytes", size.value, expected, size.half, how, _unexplained(ratio)))
    layers = sum(f.value for f in log.all("n_layer"))
    if layers:
        how, why = f"layers of {shape.name}", "another model, or layers that keep no cache of their own"
        found.append(Check("layers with a cache", "layers", layers, shape.n_layer, 0, how, why))
    return found


def times(log: ServerLog, shape: ModelShape, device: Device, **setup) -> list[Time]:
    """Measured times beside their bounds, which `shape` has on `device`. setup: weight_bits, kv_bits, n_devices."""
    return [*_bench(log, shape, device, setup), *_llama_cpp_times(log, shape, device, setup), *_sglang(log, shape, device, setup)]


def _bench(log: ServerLog, shape: ModelShape, device: Device, setup: dict) -> list[Time]:
    """Mean TTFT and TPOT of a benchmark, with the mean lengths of its requests and, by Little's law, how many ran together."""
    names = ("n_requests", "n_input", "n_output", "ttft_ms", "tpot_ms")
    n, n_input, n_output, ttft_ms, tpot_ms = (log.value(name) for name in names)
    if None in (n, n_input, n_output, ttft_ms, tpot_ms) or min(n, n_input, n_output) < 1:
        return []
    p, g = max(1, round(n_input / n)), max(1, round(n_output / n))
    together = 1
    if log.value("duration_s"):
        together = max(1, round(n / log.value("duration_s") * (ttft_ms + (g - 1) * tpot_ms) / 1000))
    how = f"{n:,.0f} requests of {p:,} + {g:,} tokens on average"
    running = f"{how}; {together:,} at once on average (requests a second · seconds each, Little’s law)"
    past = p + g // 2
    return [
        Time("TTFT, mean", ttft_ms / 1000, ttft_s(shape, p, device, **setup), f"{how}; the time in the queue is in it"),
        Time("TPOT, mean", tpot_ms / 1000, tpot_s(shape, past, device, **setup), running, together,
             tpot_s(shape, past, device, together, **setup)),
    ]  # fmt: skip


def _llama_cpp_times(log: ServerLog, shape: ModelShape, device: Device, setup: dict) -> list[Time]:
    """Prompt and answer of one request."""
    found, n_prompt = [], int(log.value("n_prompt") or 0)
    if n_prompt:
        how = f"{n_prompt:,} tokens of the prompt"
        found.append(Time("prompt", log.value("prefill_ms") / 1000, ttft_s(shape, n_prompt, device, **setup), how))
    if log.value("n_steps"):
        each = log.value("decode_ms") / 1000 / log.value("n_steps")
        how = f"{log.value('n_steps'):,.0f} steps behind {n_prompt:,} tokens"
        found.append(Time("each further token", each, tpot_s(shape, max(1, n_prompt), device, **setup), how))
    return found


def _sglang(log: ServerLog, shape: ModelShape, device: Device, setup: dict) -> list[Time]:
    """The last decode batch: how many run, how many tokens they hold, and tokens a second together."""
    n, held, rate = (log.value(name) for name in ("n_running", "n_cached", "tokens_per_s"))
    if not (n and held and rate):
        return []
    n, each = int(n), max(1, round(held / n))
    how = f"{n:,} running, {held:,.0f} tokens held, {rate:,.1f} tokens a second together"
    alone, loaded = (tpot_s(shape, each, device, batch, **setup) for batch in (1, n))
    return [Time("each step", n / rate, alone, how, n, loaded)]


def _reason(ratio: float, reasons: dict[float, str], near: float) -> str:
    """The reason whose factor the ratio is, within `near`; "" where none is."""
    return next((why for factor, why in reasons.items() if factor != 1 and abs(ratio / factor - 1) <= near), "")


def _bits(bits: float) -> str:
    return f"that is a cache or a file of {bits:g} bits a number"


def _unexplained(ratio: float) -> str:
    return f"{ratio:.3g} × what is expected, and no rule here explains it: another model, other bits, or memory kept for more"
