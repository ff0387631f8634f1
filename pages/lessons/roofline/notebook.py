"""The lesson on the roofline as a notebook: a pass operation by operation, its place under the roof, batches, and a request."""

from __future__ import annotations

from engine.cost import ModelShape, even_context, tokens_per_s
from engine.cost.requests import request
from engine.cost.roofline_points import Point
from engine.cost.shapes.blocks import heads_of
from pages.lessons.roofline import steps
from pages.parts.hardware import notebook
from pages.parts.hardware.setup import BATCHES, Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

PASS = '''
def one_pass(new, past, attention):
    """{operation: [FLOPs, bytes]} of a pass over `new` tokens of each sequence behind `past` cached ones, all layers together."""
    done, rows = {}, batch * new

    def add(name, flops, n_bytes):
        done[name] = done.get(name, np.zeros(2)) + np.array([flops, n_bytes], float)

    for name, n, d_in, d_out, cached in matrices:
        rows_here = batch if name == "head" else rows  # only the last token of a sequence chooses a word
        read = n * d_in * d_out * weight_bits / 8
        moved = n * rows_here * (d_in * 16 + d_out * (kv_bits if cached else 16)) / 8
        add(name, 2 * rows_here * n * d_in * d_out, read + moved)
    for layers, n, k, copies, d_in, d_out, _ in experts:
        met = n * (1 - (1 - k / n) ** rows)  # experts that somebody is expected to visit
        read = layers * met * copies * d_in * d_out * weight_bits / 8
        moved = layers * k * copies * rows * (d_in + d_out) * 2
        add("mlp", 2 * rows * layers * k * copies * d_in * d_out, read + moved)
    for layers, window, heads, d_key, d_value, read_keys, read_values, bits in attention:
        first = np.arange(past + 1, past + new + 1)  # keys that each query may look at
        pairs = int((np.minimum(first, window) if window else first).sum())
        keys = min(past + new, new + window - 1) if window else past + new
        in_and_out = batch * new * layers * heads * 2
        add("scores", 2 * batch * layers * heads * pairs * d_key, in_and_out * d_key + batch * layers * keys * read_keys * bits / 8)
        add("softmax", 5 * batch * layers * heads * pairs, 0)
        add("context", 2 * batch * layers * heads * pairs * d_value,
            in_and_out * d_value + batch * layers * keys * read_values * bits / 8)
'''
STATE = """
    made, state, state_bytes = states
    if made or state_bytes:
        add("state", 2 * rows * (made + 2 * state), made * weight_bits / 8 + 2 * batch * state_bytes)
"""
EXTRA = """
    add("mlp", 2 * rows * unexplained, unexplained * weight_bits / 8)
"""
ROOF = '''
ATTENTION = ("scores", "softmax", "context")


def arithmetic(done):
    """Seconds of arithmetic: of products with weights, and of attention."""
    attention = sum(flops for name, (flops, _) in done.items() if name in ATTENTION)
    products = sum(flops for flops, _ in done.values()) - attention
    return products / (devices * weight_rate), attention / (devices * kv_rate)


def under_the_roof(done):
    """FLOPs a byte, seconds at best, and how much of them arithmetic takes."""
    flops, n_bytes = sum(done.values())
    computing, reading = sum(arithmetic(done)), n_bytes / (devices * bandwidth)
    seconds = max(computing, reading)
    return flops / n_bytes, seconds, computing / seconds
'''
SECONDS = '''
def cache(tokens):
    """Bytes of all caches on all devices, a head kept whole on each device that needs it."""
    held = 0
    for layers, row, window, heads in kept:
        copies = -(-heads // devices) * devices / heads
        held += layers * row * (min(tokens, window) if window else tokens) * copies
    return bytes_of(round(held * batch), kv_bits)


def seconds(new, past, attention):
    """Products with weights, then attention: of each what takes longer, arithmetic or reading."""
    rows = batch * new
    products, scores = arithmetic(one_pass(new, past, attention))
    weights = (learned(rows) + min(rows * looked_up, tables)) * weight_bits / 8
    rows_moved = cache(past) + cache(new) + 2 * batch * state_bytes
    return max(products, weights / (devices * bandwidth)) + max(scores, rows_moved / (devices * bandwidth))
'''


def cells(question: str) -> list[Cell]:
    s, n_generated = steps.given()
    shape = s.shape
    (prefill, prefill_ops), (decode, decode_ops) = steps.passes(s)
    return [
        *notebook.model_cells(s, question, "P"),
        *notebook.matrix_cells(shape),
        prose(
            "## A pass, operation by operation\n\nA product of a row with a matrix is 2 · inputs · outputs FLOPs. It reads the matrix "
            "once and each row once, and writes the results. Attention is one kernel: its scores never leave the chip."
        ),
        code(_attention(s)),
        code(_pass(shape)),
        code("prefill, decode = one_pass(P, 0, attention_prefill), one_pass(1, P, attention_decode)"),
        *_table("prefill", prefill_ops),
        *_table("decode", decode_ops),
        prose("## Under the roof\n\nThe time at best is that of arithmetic or that of moving bytes, whichever is longer."),
        code(
            f"weight_rate, kv_rate = {s.device.rate(s.weight_bits)!r}, {s.device.rate(s.kv_bits)!r}"
            "  # FLOPs a second with weights, with the cache\n"
            f"bandwidth = {s.device.bytes_per_s!r}  # bytes a second of one device\nridge = weight_rate / bandwidth\n{ROOF}"
        ),
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


def _attention(s: Setup) -> str:
    """What a query meets in each kind of layer; a latent is expanded by prefill and read as it is by decode."""
    shape, latent = s.shape, s.shape.latent
    expanded, absorbed = [], []
    for (layer, window), n in shape.attending.items():
        n_head, n_kv_head, d_head, d_v = heads_of(shape, layer)
        n *= layer.n_cache
        index = f" + {layer.d_index}" * bool(layer.d_index)
        read = f"{n_kv_head} * {d_head}{index}, {n_kv_head} * {d_v}"
        expanded.append(f"({n}, {window}, {n_head}, {d_head}, {d_v}, {read}, {16 if latent else 'kv_bits'})")
        if latent:
            absorbed.append(f"({n}, {window}, {n_head}, {shape.kv_row}, {latent.rank}, {shape.kv_row}{index}, 0, kv_bits)")
    head = "  # layers, window, query heads, widths of key and value, numbers read of a token's key and value, bits"
    text = f"attention_prefill = [{head}\n" + "".join(f"    {row},\n" for row in expanded) + "]\n"
    if not latent:
        return f"{text}attention_decode = attention_prefill"
    rows = "".join(f"    {row},\n" for row in absorbed)
    return f"{text}attention_decode = [  # queries are turned into the latent's space; it is key and value at once\n{rows}]"


def _pass(shape: ModelShape) -> str:
    """The function of a pass, with what this model has besides."""
    mixer, state, state_bytes = notebook.states(shape)
    has_state = bool(mixer or state_bytes)
    text = f"states = {mixer, state, state_bytes}  # learned numbers, numbers of the state, bytes of a sequence\n\n" * has_state
    text += f"unexplained = {shape.n_extra}  # learned numbers that the file does not explain\n\n" * bool(shape.n_extra)
    return (
        text + PASS.strip("\n") + STATE.rstrip("\n") * has_state + EXTRA.rstrip("\n") * bool(shape.n_extra) + "\n    return done"
    )


def _times(s: Setup, n_generated: int) -> list[Cell]:
    """One request, and tokens a second against batch."""
    r = request(s.shape, s.n_tokens, n_generated, s.device, s.batch, **s.options)
    rates = [[tokens_per_s(s.shape, n, s.device, b, **s.options) for b in BATCHES] for n in (s.n_tokens, 0)]
    looked_up = 0 if s.shape.style.tied else s.shape.d_embed or s.shape.d_model
    return [
        prose(
            "## One request\n\nThe first token comes with prefill, each further one with a step; the mean step stands for all. "
            "A time counts weights and caches only: a bound, which activations would raise."
        ),
        code(
            f"G = {n_generated}  # tokens of the answer\nlooked_up = {looked_up}  # numbers of the embedding that a token reads\n"
            f"state_bytes = {s.shape.state_bytes()}\n{SECONDS}\n\n"
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
            f"        rates[-1].append(batch / seconds(1, context, {_behind(s.shape)}))\nbatch = {s.batch}  # as it was"
        ),
        checked("rates", rates, "tokens a second behind P tokens, and behind none", 0),
    ]


def _behind(shape: ModelShape) -> str:
    """Which list attention takes: a latent is expanded where nothing is cached yet."""
    return "attention_decode if context else attention_prefill" if shape.latent else "attention_decode"


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
            "    held = sum(layers * row * (min(tokens, window) if window else tokens) for layers, row, window, _ in kept)\n"
            "    return bytes_of(held * batch, kv_bits) + batch * state_bytes\n\n\n"
            "weights = bytes_of(learned(batch) + tables, weight_bits)  # the embedding counted whole, as it is printed everywhere\n"
            "even = largest(lambda tokens: caches(tokens) <= weights)"
        ),
        checked("even", n, "tokens of context"),
    ]
