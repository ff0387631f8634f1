"""The size of a cache as the multiplication that one does by hand: every factor with its name, and their product.

    keys and values · key/value heads · width of a head · layers × tokens · sequences · bytes a number

Layers with a window hold fewer tokens, so "layers × tokens" is a sum where windows are mixed. A latent has no factor 2 and no
heads: one vector a layer serves all of them as key and as value; an index key, where there is one, stands beside it.
"""

from collections import Counter
from dataclasses import dataclass
from math import prod

from engine.cost.shapes.model_shape import ModelShape


@dataclass(frozen=True)
class Factor:
    """One factor. what: its name. terms: where it is a sum, the pairs of numbers whose products are added up."""

    value: float
    what: str
    terms: tuple[tuple[int, int], ...] = ()


def kv_factors(shape: ModelShape, n_tokens: int, batch: int = 1, bits: float = 16) -> tuple[Factor, ...]:
    """The factors of ModelShape.kv_bytes, in the order in which one says them. Law: their product is kv_bytes.

    >>> shape = ModelShape("8B", n_layer=32, d_model=4096, n_head=32, n_kv_head=8, d_head=128, d_ff=14336, n_vocab=128256)
    >>> [(f.value, f.what) for f in kv_factors(shape, 10)][:2], product(kv_factors(shape, 10))
    ([(2, 'key and value'), (8, 'KV heads')], 1310720.0)
    """
    alike = {row for _, row in shape.kept} == {prod(f.value for f in _row(shape))}
    counted = (*_row(shape), *_layers_and_tokens(shape, n_tokens)) if alike else (_layer_by_layer(shape, n_tokens),)
    return (*counted, Factor(batch, "sequences"), Factor(bits / 8, "bytes each"))


def product(factors: tuple[Factor, ...]) -> float:
    return float(prod(f.value for f in factors))


def _row(shape: ModelShape) -> tuple[Factor, ...]:
    """Numbers that a token keeps in an ordinary layer: shape.kv_row, and a latent's index key."""
    if shape.latent:
        parts = [(shape.latent.rank, "latent"), (shape.latent.d_rope, "rotary key"), (shape.d_index, "index key")]
        parts = [part for part in parts if part[0]]
        return (Factor(sum(n for n, _ in parts), " + ".join(name for _, name in parts), tuple((1, n) for n, _ in parts)),)
    if shape.d_head != shape.d_v:
        width = Factor(shape.d_head + shape.d_v, "key + value width", ((1, shape.d_head), (1, shape.d_v)))
        return Factor(shape.n_kv_head, "KV heads"), width
    return Factor(2, "key and value"), Factor(shape.n_kv_head, "KV heads"), Factor(shape.d_head, "head width")


def _layer_by_layer(shape: ModelShape, n_tokens: int) -> Factor:
    """Where layers keep rows of different widths: for each kind its numbers a token times its tokens, added up."""
    terms = [(n * row, min(n_tokens, window) if window else n_tokens) for (window, row), n in shape.kept.items()]
    return Factor(sum(n * tokens for n, tokens in terms), "numbers × tokens", tuple(sorted(terms, reverse=True)))


def _layers_and_tokens(shape: ModelShape, n_tokens: int) -> tuple[Factor, ...]:
    """Layers and tokens, or their sum of products where some layers forget earlier than others."""
    held = Counter()
    for (window, _), n_layer in shape.kept.items():
        held[min(n_tokens, window) if window else n_tokens] += n_layer
    if len(held) == 1:
        ((tokens, n_layer),) = held.items()
        return Factor(n_layer, "layers"), Factor(tokens, "tokens" if tokens == n_tokens else "tokens (window)")
    terms = tuple((n_layer, tokens) for tokens, n_layer in sorted(held.items(), reverse=True))
    return (Factor(sum(n * tokens for n, tokens in terms), "layers × tokens", terms),)
