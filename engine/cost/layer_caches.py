"""What each layer of a model keeps for a sequence: the sum behind kv_bytes, layer by layer.

Most models have one kind of layer, and the sum is a product. Others mix layers that see everything with layers that look back a
window, or with layers that keep a state of constant size, or that borrow another layer's keys and values and keep nothing.
"""

from dataclasses import dataclass, replace

from engine.cost.shapes.checked import bytes_of, check_count
from engine.cost.shapes.model_shape import ModelShape


@dataclass(frozen=True)
class LayerCache:
    """Layers in a row that keep the same. layers: their numbers, counted from 0. kind: "keys and values" or "latent", both
    perhaps "and index key"; "state", "keys, values and state", "borrowed" (another layer's) or "nothing". window: tokens it looks
    back, 0 for all. n_held: tokens kept. row: numbers a token. kv_bytes and state_bytes: of all these layers together."""

    layers: tuple[int, ...]
    kind: str
    window: int
    n_held: int
    row: int
    kv_bytes: int
    state_bytes: int

    @property
    def total_bytes(self) -> int:
        return self.kv_bytes + self.state_bytes


def layer_caches(shape: ModelShape, n_tokens: int, batch: int = 1, bits: float = 16) -> tuple[LayerCache, ...]:
    """One entry a layer. Law: their kv_bytes and state_bytes add up to shape.kv_bytes and shape.state_bytes.

    >>> small = ModelShape("x", n_layer=2, d_model=8, n_head=2, n_kv_head=1, d_head=4, d_ff=8, n_vocab=9, windows=(0, 3))
    >>> [(c.n_held, c.kv_bytes) for c in layer_caches(small, 10)]
    [(10, 160), (3, 48)]
    """
    check_count("n_tokens", n_tokens, least=0)
    caches = []
    for i, (layer, window, row) in enumerate(zip(shape.layers, shape.windows, shape.kv_rows, strict=True)):
        n_held = (min(n_tokens, window) if window else n_tokens) if row else 0
        state = batch * (4 * layer.n_state + 2 * layer.n_tail)
        kept = "latent" if shape.latent else "keys and values"
        kind = {"borrowed": "borrowed", "none": "nothing", "state": "state"}.get(layer.kind, kept)
        if layer.kind == "attention" and layer.d_index:
            kind += " and index key"
        if layer.kind == "attention" and state:
            kind = "keys, values and state"
        caches.append(LayerCache((i,), kind, window if row else 0, n_held, row, bytes_of(n_held * row * batch, bits), state))
    return tuple(caches)


def layer_kinds(shape: ModelShape, n_tokens: int, batch: int = 1, bits: float = 16) -> tuple[LayerCache, ...]:
    """The same, layers that keep the same put together, in the order in which they first occur: a short table of any model."""
    merged: dict[tuple, LayerCache] = {}
    for one in layer_caches(shape, n_tokens, batch, bits):
        key = (one.kind, one.window, one.row, one.state_bytes)
        if first := merged.get(key):
            sums = {name: getattr(first, name) + getattr(one, name) for name in ("layers", "kv_bytes", "state_bytes")}
            one = replace(first, **sums)
        merged[key] = one
    return tuple(merged.values())
