"""What several devices keep twice: the copies of a cache under tensor parallelism.

Every matrix and every head is cut into equal parts, one a device. A key/value head cannot be cut: where there are more devices
than such heads, each device keeps a head whole, and heads are copied; a latent serves all query heads, so every device keeps it
all (vLLM and SGLang without data-parallel attention). States of constant size are cut. Left out: the few matrices and norms
that are copied too, and what devices send each other.
"""

from dataclasses import replace

from engine.config_json.block_style import Layer
from engine.cost.operations import Operation
from engine.cost.shapes.checked import bytes_of, check_count
from engine.cost.shapes.model_shape import ModelShape, numbers_read


def kv_copies(n_kv_head: int, n_devices: int) -> float:
    """How often the devices together keep the keys and values of one layer: ceil(heads / devices) · devices / heads.

    >>> kv_copies(8, 8), kv_copies(8, 32), kv_copies(1, 4)
    (1.0, 4.0, 4.0)
    """
    return -(-n_kv_head // n_devices) * n_devices / n_kv_head


def all_kv_bytes(shape: ModelShape, n_tokens: int, batch: int = 1, bits: float = 16, n_devices: int = 1) -> int:
    """Bytes of the cache on all devices together, copies counted. Law: shape.kv_bytes on one device, never less on several."""
    check_count("n_devices", n_devices)
    if n_devices == 1:
        return shape.kv_bytes(n_tokens, batch, bits)
    held = 0.0
    for (window, row, layer), n in shape.alike.items():
        held += n * row * (min(n_tokens, window) if window else n_tokens) * layer_copies(shape, layer, n_devices)
    return bytes_of(round(held * batch), bits)


def all_kv_read_bytes(shape: ModelShape, n_tokens: int, batch: int = 1, bits: float = 16, n_devices: int = 1) -> int:
    """Bytes of the cache that a step behind n_tokens reads on all devices together. Law: all_kv_bytes where nothing is chosen."""
    check_count("n_devices", n_devices)
    if n_devices == 1:
        return shape.kv_read_bytes(n_tokens, batch, bits)
    moved = 0.0
    for (window, row, layer), n in shape.alike.items():
        kind = (window, row - layer.d_index, layer.d_index, layer.n_select)
        moved += n * (numbers_read(kind, n_tokens) if row else 0) * layer_copies(shape, layer, n_devices)
    return bytes_of(round(moved * batch), bits)


def with_copies(ops: tuple[Operation, ...], shape: ModelShape, n_new: int, n_past: int, n_devices: int) -> tuple[Operation, ...]:
    """The operations of a pass as all devices do them together: what cannot be cut is written and read on each of them.

    A first prefill reads the keys and values that it has expanded out of its latents for each head; those are cut. Law: the
    same operations on one device.
    """
    n = n_past + n_new
    one = shape.kv_read_bytes(n)
    copies = all_kv_read_bytes(shape, n, n_devices=n_devices) / one if one else 1.0
    kept = ("k", "v", "index") if shape.latent and not n_past else ("k", "v", "index", "scores", "context")
    return tuple(replace(op, cache_bytes=op.cache_bytes * copies) if op.name in kept else op for op in ops)


def layer_copies(shape: ModelShape, layer: Layer, n_devices: int) -> float:
    """How often the devices together keep one layer's rows: of a latent, which serves all heads, each keeps it whole."""
    return kv_copies(1 if shape.latent else layer.n_kv_head or shape.n_kv_head, n_devices)
