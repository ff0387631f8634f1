"""Bits of the parameters in a model's own quantised file, some of which are quantised and the others not.

A mean of all says how large the file is. A step of few sequences reads few experts and all of the rest, which has four times as many
bits in gpt-oss's files, and what is multiplied are numbers of 4 bits and of 16: so where a count is asked for at that mean, each part
has its own bits.
"""

from engine.config_json.quantised import EXPERTS, PLAIN_BITS
from engine.cost.shapes.checked import check_bits


def mean_bits(shape) -> float:
    """Bits a parameter on average, rounded to hundredths; 0 where the model has no quantised file.

    Quantised are the experts' matrices, whose biases keep 16 bits, or all of the blocks; embedding, head and norms keep 16 bits.
    """
    bits, which = shape.quantised
    if not bits or (which == EXPERTS and not shape.experts):
        return 0.0
    n_quantised = quantised_params(shape, shape.n_params, shape.experts.n_expert if shape.experts else 0)
    return round((bits * n_quantised + PLAIN_BITS * (shape.n_params - n_quantised)) / shape.n_params, 2)


def quantised_params(shape, n_params: float, n_experts: float) -> float:
    """How many of so many parameters are quantised in the model's file, n_experts of them met in each layer that has experts."""
    if shape.quantised[1] != EXPERTS:
        return n_params - shape.outer_params
    n_moe = shape.n_layer - len(shape.experts.dense_layers)
    return n_moe * n_experts * (2 + shape.style.gated_mlp) * shape.d_model * shape.experts.d_ff


def bits_of_parts(shape, bits: float) -> tuple[float, float, float]:
    """Bits of an expert's matrices, of the blocks' others, and of embedding, head and norms: those of the model's own file where
    `bits` is its mean, else `bits` of each."""
    if not shape.stored_bits or bits != shape.stored_bits:
        return bits, bits, bits
    own, which = shape.quantised
    return own, PLAIN_BITS if which == EXPERTS else own, PLAIN_BITS


def total_bits(shape, n_params: float, n_experts: float, bits: float) -> float:
    """Bits of so many parameters together, n_experts of them met in each layer that has experts."""
    check_bits("bits", bits)
    expert, _, outer = bits_of_parts(shape, bits)
    if expert == outer:
        return n_params * bits
    n_quantised = quantised_params(shape, n_params, n_experts)
    return n_quantised * expert + (n_params - n_quantised) * outer
