"""The lesson on the roofline as a notebook: a pass operation by operation, its place under the roof, batches, and a request."""

from engine.cost import even_context, tokens_per_s
from engine.cost.requests import request
from engine.cost.roofline_points import Point
from engine.cost.shapes.file_bits import bits_of_parts
from pages.lessons.roofline import steps
from pages.parts.hardware import notebook
from pages.parts.hardware.setup import BATCHES, Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

IMPORTS = """
from engine.cost import DEVICES, MODELS, Device, ModelShape, even_context, memory_s, operations, tokens_per_s
from engine.cost.requests import request
from engine.cost.tensor_parallel import with_copies
from engine.cost.times import arithmetic_s, flops_by_bits, pass_parts
"""
ROOF = '''
def under_the_roof(ops):
    """FLOPs a byte, and seconds at best."""
    flops, n_bytes = sum(op.flops for op in ops), sum(op.bytes for op in ops)
    computing = arithmetic_s(flops_by_bits(ops), device, setup["n_devices"])
    seconds = max(computing, memory_s(n_bytes, device, setup["n_devices"]))
    return flops / n_bytes, seconds
'''


def cells(question: str) -> list[Cell]:
    s, n_generated = steps.given()
    (prefill, prefill_ops), (decode, decode_ops) = steps.passes(s)
    return [
        *notebook.begin(question, IMPORTS),
        notebook.setup_cell(s, "P"),
        prose(
            "## A pass, operation by operation\n\nA product of a row with a matrix is 2 · inputs · outputs FLOPs. It reads the matrix "
            "once and each row once, and writes the results. Attention is one kernel: its scores never leave the chip. Where several "
            "devices keep copies of the cache, each reads and writes its own."
        ),
        code(
            'n_devices = setup["n_devices"]\n'
            "prefill = with_copies(operations(shape, P, 0, batch, weight_bits, kv_bits), shape, P, 0, n_devices)\n"
            "decode = with_copies(operations(shape, 1, P, batch, weight_bits, kv_bits), shape, 1, P, n_devices)"
        ),
        *(_table(name, ops) for name, ops in (("prefill", prefill_ops), ("decode", decode_ops))),
        prose("## Under the roof\n\nThe time at best is that of arithmetic or that of moving bytes, whichever is longer."),
        code(ROOF),
        *_ridges(s),
        checked("under_the_roof(prefill)", [prefill.arithmetic_intensity, prefill.seconds], "prefill: FLOPs a byte, seconds", 0),
        checked("under_the_roof(decode)", [decode.arithmetic_intensity, decode.seconds], "decode", 0),
        code("parts = pass_parts(shape, 1, device, P, batch, **setup)  # parameters, caches: seconds of arithmetic, of reading"),
        checked(
            "sum(arithmetic for arithmetic, _ in parts) / sum(map(max, parts))", steps.computing_share(s),
            "share of a decode step’s time that arithmetic takes at peak rates", 0,
        ),
        *_times(s, n_generated),
        *_even_context(s),
    ]  # fmt: skip


def _ridges(s: Setup) -> list[Cell]:
    """Where the roof bends: for the parameters' bits, or for those of each part of a file whose parts have different ones."""
    bends = "FLOPs a byte at which the roof bends"
    parts = bits_of_parts(s.shape, s.weight_bits)
    if len(set(parts)) == 1:
        return [checked("device.ridge_at(weight_bits)", s.device.ridge_at(s.weight_bits), bends, 0)]
    return [
        code("from engine.cost.shapes.file_bits import bits_of_parts\n\nexpert, block, outer = bits_of_parts(shape, weight_bits)"),
        checked(
            "[device.ridge_at(bits) for bits in (expert, block, outer)]", [s.device.ridge_at(bits) for bits in parts],
            f"{bends}: for experts, for all else in the blocks, for the head", 0,
        ),
    ]  # fmt: skip


def _table(name: str, ops: tuple[Point, ...]) -> Cell:
    """The operations as the page lists them."""
    what = f"{name}: FLOPs and bytes of {', '.join(op.name for op in ops)}"
    return checked(f"np.array([[op.flops, op.bytes] for op in {name}])", [[op.flops, op.bytes] for op in ops], what, 0)


def _times(s: Setup, n_generated: int) -> list[Cell]:
    """One request, and tokens a second against batch."""
    r = request(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    rates = [[tokens_per_s(s.shape, n, s.device, b, **s.options) for b in BATCHES] for n in (s.n_tokens, 0)]
    return [
        prose(
            "## One request\n\nThe first token comes with prefill, each further one with a step; the mean step stands for all. "
            "A time counts parameters and caches only: a bound, which activations may raise."
        ),
        code(f"G = {n_generated}  # tokens of the answer\none = request(shape, P, G, device, batch, **setup)"),
        checked(
            "[one.ttft_s, one.tpot_s, one.ttft_s + (G - 1) * one.tpot_s]", [r.ttft_s, r.tpot_s, r.end_to_end_s],
            "TTFT, TPOT, the whole answer: s", 0,
        ),
        prose("## Many sequences at once\n\nWhat several of them meet of the parameters is read once, a cache for each."),
        code(f"batches = {BATCHES!r}\nrates = [[tokens_per_s(shape, n, device, b, **setup) for b in batches] for n in (P, 0)]"),
        checked("rates", rates, "tokens a second behind P tokens, and behind none", 0),
    ]  # fmt: skip


def _even_context(s: Setup) -> list[Cell]:
    """From which context on a step reads more cache than weights."""
    n = even_context(s.shape, s.batch, s.weight_bits, s.kv_bits)
    if n is None:
        return [prose("## Cache or parameters?\n\nThe caches stop growing below the parameters: they never outweigh them.")]
    return [
        prose(
            "## Cache or parameters?\n\nThe longest context whose caches, one copy of each, are not more than the parameters of a step."
        ),
        checked("even_context(shape, batch, weight_bits, kv_bits)", n, "tokens of context"),
    ]
