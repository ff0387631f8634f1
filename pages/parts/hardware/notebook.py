"""What the notebooks of the hardware lessons share: a model as the list of its matrices, what its layers keep, and a device.

The lists are data, written with the model's own widths, so that any model fits: one whose layers differ has longer lists. What
is computed from them stands in the notebooks as the equation a student would write.
"""

from __future__ import annotations

from collections import Counter

from engine.cost import ModelShape
from engine.cost.shapes.blocks import heads_of, mlp_params
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, code, prose

ROUND_UP = '''
def bytes_of(numbers, bits):
    """Whole bytes for so many numbers of so many bits each, rounded up."""
    return int(-(-numbers * bits // 8))
'''
LARGEST = '''
def largest(fits, most=2**40):
    """The largest n for which fits(n), 0 if there is none: try 2**40, and halve the step."""
    n, step = 0, most
    while step >= 1:
        if n + step <= most and fits(n + step):
            n += step
        step //= 2
    return n
'''
VISITED = '''
def learned(tokens):
    """Learned numbers that so many tokens meet: all but tables, of experts those that somebody probably visits."""
    met = sum(n * d_in * d_out for _, n, d_in, d_out, _ in matrices) + others
    for layers, n, k, copies, d_in, d_out, biases in experts:
        met += layers * n * (1 - (1 - k / n) ** tokens) * (copies * d_in * d_out + biases)
    return met
'''


def model_cells(s: Setup, question: str, length: str) -> list[Cell]:
    """The setup on screen as data. length: what the lesson calls its sequence."""
    latent = s.shape.latent is not None
    about = "one latent a layer serves all heads" if latent else "2 · heads · width of a head: a key and a value"
    kept = [
        prose(f"## What a layer keeps of one token\n\nA row for each kind of layer: {about}. A window of 0 is none."),
        code(
            "kept = [  # layers, numbers a token, window, heads that share them out among devices\n"
            + "".join(f"    {row},\n" for row in kept_rows(s.shape))
            + "]"
        ),
    ]
    return [
        prose(
            f"# {question}\n\nThe lesson's numbers, built again with NumPy alone. The first cells are the model, the device and "
            "the settings on screen; every assertion compares with the page."
        ),
        code(
            f"import numpy as np\n\nmodel, device = {s.shape.name!r}, {s.device.name!r}\n"
            f"{length}, batch = {s.n_tokens}, {s.batch}  # tokens of a sequence, sequences at once\n"
            f"weight_bits, kv_bits = {s.weight_bits}, {s.kv_bits}\n"
            f"devices = {s.n_devices}\nmemory = {s.device.memory_bytes}  # bytes on each device\n{ROUND_UP}"
        ),
        *kept,
    ]


def matrix_cells(shape: ModelShape) -> list[Cell]:
    """The learned numbers: every matrix by its two widths, experts apart, and what is no matrix as one number."""
    rows = "".join(f"    ({what!r}, {n}, {a}, {b}, {cached}),\n" for what, n, a, b, cached in matrices(shape))
    return [
        prose(
            "## The learned numbers\n\nEvery matrix by its widths, all layers together. All else that is met (norms, biases, "
            "what makes a state) is one number, and so are tables of which a token looks up one row."
        ),
        code(
            f"matrices = [  # operation, how many, inputs, outputs, whether the cache keeps its results\n{rows}]\n"
            f"experts = {experts(shape)!r}  # layers, experts, visited by a token, matrices of each, inputs, outputs, biases\n"
            f"others, tables = {others(shape)}, {shape.lookup_params}\n{VISITED}"
        ),
    ]


def matrices(shape: ModelShape) -> list[tuple[str, int, int | str, int | str, bool]]:
    """(operation, how many, inputs, outputs, whether the cache keeps the results); widths that are products stay products."""
    found: Counter[tuple] = Counter()
    d, latent, style = shape.d_model, shape.latent, shape.style
    for (layer, _), n in shape.attending.items():
        n_head, n_kv_head, d_head, d_v = heads_of(shape, layer)
        n *= layer.n_cache
        d_q = f"{n_head} * {d_head}" + " * 2" * style.q_gate
        if latent and latent.q_rank:
            found["q", d, latent.q_rank, False] += n
            found["q", latent.q_rank, d_q, False] += n
        else:
            found["q", d, d_q, False] += n
        if layer.kind == "attention" and latent:
            found["k", d, shape.kv_row, True] += n
            found["v", latent.rank, f"{n_head} * {latent.d_nope + d_v}", False] += n
        elif layer.kind == "attention":
            found["k", d, f"{n_kv_head} * {d_head}", True] += n
            found["v", d, f"{n_kv_head} * {d_v}", True] += n
        if layer.kind == "attention" and layer.d_index:
            found["k", d, layer.d_index, True] += n
        found["output", f"{n_head} * {d_v}", d, False] += n
    copies, moe = 2 + style.gated_mlp, shape.n_layer - _n_dense(shape)
    found["mlp", d, shape.d_ff, False] += copies * _n_dense(shape)
    if shape.experts:
        found["mlp", d, shape.experts.d_ff_shared, False] += copies * moe
        found["mlp", d, shape.experts.n_expert, False] += moe
    found["head", shape.d_embed or d, shape.n_vocab, False] += 1
    return [(what, n, a, b, cached) for (what, a, b, cached), n in found.items() if n and a and b]


def experts(shape: ModelShape) -> list[tuple[int, ...]]:
    """[(layers, experts, visited by a token, matrices of each, inputs, outputs, biases)], [] for a model without."""
    if not shape.experts:
        return []
    x, copies, d = shape.experts, 2 + shape.style.gated_mlp, shape.d_model
    biases = mlp_params(d, x.d_ff, shape.style) - copies * d * x.d_ff
    return [(shape.n_layer - _n_dense(shape), x.n_expert, x.n_active, copies, d, x.d_ff, biases)]


def others(shape: ModelShape) -> int:
    """Learned numbers that stand in no matrix of the list, nor in a table that is looked up."""
    listed = sum(n * _product(a) * _product(b) for _, n, a, b, _ in matrices(shape))
    listed += sum(n * e * (copies * a * b + biases) for n, e, _, copies, a, b, biases in experts(shape))
    return shape.n_params - shape.lookup_params - listed


def states(shape: ModelShape) -> tuple[int, int, int]:
    """What layers with a state have, all together: learned numbers, numbers of the state, its bytes for one sequence."""
    return sum(x.n_mixer for x in shape.layers), sum(x.n_state for x in shape.layers), shape.state_bytes()


def kept_rows(shape: ModelShape) -> list[str]:
    """(layers, numbers a token keeps, window, heads) for each kind of layer that keeps rows, as the notebook writes them."""
    found: Counter[tuple] = Counter()
    for layer, window, row in zip(shape.layers, shape.windows, shape.kv_rows, strict=True):
        if row:
            _, n_kv_head, d_head, d_v = heads_of(shape, layer)
            heads = 1 if shape.latent else n_kv_head
            found[_row_text(shape, layer, row, n_kv_head, d_head, d_v), window, heads] += 1
    return [f"({n}, {row}, {window}, {heads})" for (row, window, heads), n in found.items()]


def _row_text(shape: ModelShape, layer, row: int, n_kv_head: int, d_head: int, d_v: int) -> str:
    """The product that a row is, with what is added to it."""
    if shape.latent:
        text = f"{shape.latent.rank} + {shape.latent.d_rope}"
    else:
        text = f"2 * {n_kv_head} * {d_head}" if d_head == d_v else f"{n_kv_head} * ({d_head} + {d_v})"
    if layer.n_cache > 1:
        text = f"{layer.n_cache} * ({text})"
    return f"{text} + {layer.d_index}" if layer.d_index else text


def _n_dense(shape: ModelShape) -> int:
    """Layers with one ordinary MLP."""
    return len(shape.experts.dense_layers) if shape.experts else shape.n_layer


def _product(width: int | str) -> int:
    """A width that may be written as a product."""
    result = 1
    for factor in str(width).split(" * "):
        result *= int(factor)
    return result
