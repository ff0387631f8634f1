"""From MHA over GQA to MQA: the same model with fewer key/value heads, and what that takes off its cache.

Grouping is an architecture, chosen when a model is trained (GQA, arXiv 2305.13245; MQA, arXiv 1911.02150), not a switch of the
cache: a model cannot be run with other key/value heads than it has. The number of scores stays, since every query head asks.
"""

from dataclasses import replace

from engine.cost.shapes.model_shape import ModelShape

MOST_CHOICES = 8


def kv_head_choices(shape: ModelShape) -> tuple[int, ...]:
    """Numbers of key/value heads that divide the query heads, from all of them (MHA) down to 1 (MQA), the model's own included.

    Where there are more than MOST_CHOICES, the smallest ones but 1 are left out. A latent has no heads to group, and layers
    that differ in their heads have no common grouping: only the model's own.

    >>> kv_head_choices(ModelShape("8B", n_layer=1, d_model=64, n_head=32, n_kv_head=8, d_head=2, d_ff=1, n_vocab=1))
    (32, 16, 8, 4, 2, 1)
    """
    if shape.latent or len({layer.n_kv_head for layer in shape.layers}) > 1:
        return (shape.n_kv_head,)
    divisors = [n for n in range(shape.n_head, 0, -1) if shape.n_head % n == 0]
    kept = {shape.n_head, 1, shape.n_kv_head}
    for n in divisors:
        if len(kept) < MOST_CHOICES:
            kept.add(n)
    return tuple(sorted(kept, reverse=True))


def with_kv_heads(shape: ModelShape, n_kv_head: int) -> ModelShape:
    """The same shape with n_kv_head key/value heads: caches shrink by n_kv_head / n_head. ValueError for a latent."""
    if shape.latent and n_kv_head != shape.n_kv_head:
        raise ValueError(f"n_kv_head: expected {shape.n_kv_head}, since a latent serves all heads, got {n_kv_head}")
    return replace(shape, n_kv_head=n_kv_head)


def kind_of_heads(n_head: int, n_kv_head: int) -> str:
    """MHA, GQA or MQA."""
    if n_kv_head == n_head:
        return "MHA"
    return "MQA" if n_kv_head == 1 else "GQA"
