"""The passes of a model in a notebook: FLOPs and bytes of each operation, and the seconds of a pass, any model on any device."""

from __future__ import annotations

from engine.cost import ModelShape
from engine.cost.shapes.blocks import heads_of
from pages.parts.hardware import notebook
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, code, prose

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
        growing = min(max(window - past, 0), new) if window else new  # queries that still see every token before them
        pairs = growing * past + growing * (growing + 1) // 2 + (new - growing) * window
        keys = min(past + new, new + window - 1) if window else past + new
        in_and_out = batch * new * layers * heads * 2
        add("scores", 2 * batch * layers * heads * pairs * d_key, in_and_out * d_key + batch * layers * keys * read_keys * bits / 8)
        add("softmax", 5 * batch * layers * heads * pairs, 0)
        add("context", 2 * batch * layers * heads * pairs * d_value,
            in_and_out * d_value + batch * layers * keys * read_values * bits / 8)
'''
INDEX = """
    for layers, heads, width in index:  # each head scores every token; attention then meets the newest `window` at most
        add("index", 2 * batch * layers * heads * width * (new * past + new * (new + 1) // 2),
            batch * new * layers * heads * width * 2 + batch * layers * (past + new) * width * kv_bits / 8)
"""
STATE = """
    made, state, state_bytes = states
    if made or state_bytes:
        add("state", 2 * rows * (made + 2 * state), made * weight_bits / 8 + 2 * batch * state_bytes)
"""
EXTRA = """
    add("mlp", 2 * rows * unexplained, unexplained * weight_bits / 8)
"""
ARITHMETIC = '''
ATTENTION = ("index", "scores", "softmax", "context")


def arithmetic(done):
    """Seconds of arithmetic: of products with weights, and of attention."""
    attention = sum(flops for name, (flops, _) in done.items() if name in ATTENTION)
    products = sum(flops for flops, _ in done.values()) - attention
    return products / (devices * weight_rate), attention / (devices * kv_rate)
'''
SECONDS = '''
def cache(tokens):
    """Bytes of all caches on all devices, a head kept whole on each device that needs it."""
    held = 0
    for layers, row, window, heads in kept:
        copies = -(-heads // devices) * devices / heads
        held += layers * row * (min(tokens, window) if window else tokens) * copies
    return bytes_of(round(held * batch), kv_bits)


{READ}

def seconds(new, past, attention):
    """Products with weights, then attention: of each what takes longer, arithmetic or reading."""
    rows = batch * new
    products, scores = arithmetic(one_pass(new, past, attention))
    weights = (learned(rows) + min(rows * looked_up, tables)) * weight_bits / 8
    rows_moved = read(past) + cache(new) + 2 * batch * state_bytes
    return max(products, weights / (devices * bandwidth)) + max(scores, rows_moved / (devices * bandwidth))
'''
READ_ALL = "read = cache  # a step reads what is kept"
READ = '''
def read(tokens):
    """Bytes that a step reads of all caches: every index key, and the rows of the tokens that are chosen by it."""
    moved = 0
    for layers, row, width, chosen, heads in chosen_from:
        copies = -(-heads // devices) * devices / heads
        moved += layers * (min(tokens, chosen) * row + tokens * width) * copies
    return bytes_of(round(moved * batch), kv_bits)
'''


def pass_cells(s: Setup) -> list[Cell]:
    """A pass, operation by operation, and the seconds of its arithmetic; behind notebook.model_cells and matrix_cells."""
    return [
        prose(
            "## A pass, operation by operation\n\nA product of a row with a matrix is 2 · inputs · outputs FLOPs. It reads the matrix "
            "once and each row once, and writes the results. Attention is one kernel: its scores never leave the chip."
        ),
        code(_attention(s)),
        code(_pass(s.shape)),
        code(
            f"weight_rate, kv_rate = {s.device.rate(s.weight_bits)!r}, {s.device.rate(s.kv_bits)!r}"
            "  # FLOPs a second with weights, with the cache\n"
            f"bandwidth = {s.device.bytes_per_s!r}  # bytes a second of one device\n{ARITHMETIC}"
        ),
    ]


def seconds_cell(shape: ModelShape) -> Cell:
    """The seconds of a pass; behind pass_cells."""
    looked_up = 0 if shape.style.tied else shape.d_embed or shape.d_model
    return code(
        f"looked_up = {looked_up}  # numbers of the embedding that a token reads\n"
        f"state_bytes = {shape.state_bytes()}  # of a sequence, in layers that keep a state\n{_seconds(shape)}"
    )


def _seconds(shape: ModelShape) -> str:
    """The functions, with a rule of its own for what is read where an index chooses."""
    if not shape.n_select:
        return SECONDS.replace("{READ}", READ_ALL)
    rows = "".join(f"    {row},\n" for row in chosen_from(shape))
    head = "# layers, numbers a token, of its index key, tokens chosen, heads that share them out among devices"
    return f"chosen_from = [  {head}\n{rows}]\n" + SECONDS.replace("{READ}", READ.strip("\n"))


def chosen_from(shape: ModelShape) -> list[tuple[int, ...]]:
    """(layers, numbers a token without its index key, numbers of that key, tokens chosen, heads) of each kind of layer."""
    most = 2**40  # all
    return [
        (n, row, d_index, n_select or window or most, 1 if shape.latent else shape.n_kv_head)
        for (window, row, d_index, n_select), n in shape.read.items()
    ]


def _attention(s: Setup) -> str:
    """What a query meets in each kind of layer; a latent is expanded by prefill and read as it is by decode."""
    shape, latent = s.shape, s.shape.latent
    expanded, absorbed = [], []
    for (layer, window), n in shape.attending.items():
        n_head, n_kv_head, d_head, d_v = heads_of(shape, layer)
        n *= layer.n_cache
        window = min(layer.n_select, window or layer.n_select) or window
        read = f"{n_kv_head} * {d_head}, {n_kv_head} * {d_v}"
        expanded.append(f"({n}, {window}, {n_head}, {d_head}, {d_v}, {read}, {16 if latent else 'kv_bits'})")
        if latent:
            absorbed.append(f"({n}, {window}, {n_head}, {shape.kv_row}, {latent.rank}, {shape.kv_row}, 0, kv_bits)")
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
    indexed = [(n, layer.n_index, layer.d_index) for (layer, _), n in shape.attending.items() if layer.n_index]
    text += f"index = {indexed}  # layers, heads, width\n\n" * bool(indexed)
    text += f"unexplained = {shape.n_extra}  # learned numbers that the file does not explain\n\n" * bool(shape.n_extra)
    return (
        text
        + PASS.strip("\n")
        + INDEX.rstrip("\n") * bool(indexed)
        + STATE.rstrip("\n") * has_state
        + EXTRA.rstrip("\n") * bool(shape.n_extra)
        + "\n    return done"
    )


def behind(shape: ModelShape) -> str:
    """Which list attention takes: a latent is expanded where nothing is cached yet."""
    return "attention_decode if context else attention_prefill" if shape.latent else "attention_decode"
