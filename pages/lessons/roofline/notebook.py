"""The lesson on the roofline as a notebook: a pass operation by operation, its place under the roof, batches, and a request."""

from __future__ import annotations

from engine.cost import ModelShape, even_context, tokens_per_s
from engine.cost.requests import request
from engine.cost.roofline_points import Point
from pages.lessons.roofline import steps
from pages.parts.hardware import notebook, pass_notebook
from pages.parts.hardware.setup import BATCHES, Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

ROOF = '''
def under_the_roof(done):
    """FLOPs a byte, seconds at best, and how much of them arithmetic takes."""
    flops, n_bytes = sum(done.values())
    computing, reading = sum(arithmetic(done)), n_bytes / (devices * bandwidth)
    seconds = max(computing, reading)
    return flops / n_bytes, seconds, computing / seconds
'''


def cells(question: str) -> list[Cell]:
    s, n_generated = steps.given()
    shape = s.shape
    (prefill, prefill_ops), (decode, decode_ops) = steps.passes(s)
    return [
        *notebook.model_cells(s, question, "P"),
        *notebook.matrix_cells(shape),
        *pass_notebook.pass_cells(s),
        code("prefill, decode = one_pass(P, 0, attention_prefill), one_pass(1, P, attention_decode)"),
        *_table("prefill", prefill_ops),
        *_table("decode", decode_ops),
        prose("## Under the roof\n\nThe time at best is that of arithmetic or that of moving bytes, whichever is longer."),
        code(f"ridge = weight_rate / bandwidth\n{ROOF}"),
        checked("ridge", s.device.ridge_at(s.weight_bits), "FLOPs a byte at which the roof bends", 0),
        checked("under_the_roof(prefill)", _place(prefill), "prefill: FLOPs a byte, seconds, share of arithmetic", 0),
        checked("under_the_roof(decode)", _place(decode), "decode", 0),
        *_times(s, n_generated),
        *_even(s),
    ]


def _table(name: str, ops: tuple[Point, ...]) -> list[Cell]:
    """The operations as the page lists them, checked row by row."""
    order = [op.name for op in ops]
    made = code(f"{name}_table = np.array([{name}[name] for name in {order!r}])")
    return [made, checked(f"{name}_table", [[op.flops, op.bytes] for op in ops], f"{name}: FLOPs and bytes of each", 0)]


def _place(p: Point) -> list[float]:
    return [p.arithmetic_intensity, p.seconds, p.busy]


def _times(s: Setup, n_generated: int) -> list[Cell]:
    """One request, and tokens a second against batch."""
    r = request(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    rates = [[tokens_per_s(s.shape, n, s.device, b, **s.options) for b in BATCHES] for n in (s.n_tokens, 0)]
    return [
        prose(
            "## One request\n\nThe first token comes with prefill, each further one with a step; the mean step stands for all. "
            "A time counts weights and caches only: a bound, which activations would raise."
        ),
        pass_notebook.seconds_cell(s.shape),
        code(
            f"G = {n_generated}  # tokens of the answer\n"
            "middle = (2 * P + max(G - 2, 0)) // 2  # tokens behind the step in the middle of the answer\n"
            "ttft, tpot = seconds(P, 0, attention_prefill), seconds(1, middle, attention_decode)"
        ),
        checked(
            "[ttft, tpot, ttft + (G - 1) * tpot]", [r.ttft_s, r.tpot_s, r.end_to_end_s], "TTFT, TPOT, the whole answer: s", 0
        ),
        prose("## Many sequences at once\n\nThe weights are read once for all of them, a cache for each."),
        code(
            "rates = []\n"
            f"for context in (P, 0):\n    rates.append([])\n    for batch in {BATCHES!r}:\n"
            f"        rates[-1].append(batch / seconds(1, context, {pass_notebook.behind(s.shape)}))\nbatch = {s.batch}  # as it was"
        ),
        checked("rates", rates, "tokens a second behind P tokens, and behind none", 0),
    ]


def _read_of_one(shape: ModelShape) -> str:
    """What a step reads of one sequence's cache, layer by layer."""
    if shape.n_select:
        return "layers * (min(tokens, chosen) * row + tokens * width) for layers, row, width, chosen, _ in chosen_from"
    return "layers * row * (min(tokens, window) if window else tokens) for layers, row, window, _ in kept"


def _even(s: Setup) -> list[Cell]:
    """From which context on a step reads more cache than weights."""
    n = even_context(s.shape, s.batch, s.weight_bits, s.kv_bits)
    if n is None:
        return [prose("## Cache or weights?\n\nThe caches stop growing below the weights: they never outweigh them.")]
    return [
        prose(
            "## Cache or weights?\n\nThe longest context whose caches, one copy of each, are not more than the weights of a step."
        ),
        code(
            f"{notebook.LARGEST}\n\ndef caches(tokens):\n"
            f"    held = sum({_read_of_one(s.shape)})\n"
            "    return bytes_of(held * batch, kv_bits) + batch * state_bytes\n\n\n"
            "weights = bytes_of(learned(batch) + tables, weight_bits)  # the embedding counted whole, as it is printed everywhere\n"
            "even = largest(lambda tokens: caches(tokens) <= weights)"
        ),
        checked("even", n, "tokens of context"),
    ]
