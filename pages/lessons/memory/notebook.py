"""The lesson on the cache's size as a notebook: the sum over the layers, the memory beside it, and how much fits."""

from __future__ import annotations

from engine.cost import ModelShape, largest_batch, longest_context, memory_use
from pages.lessons.memory.other_models import compared
from pages.lessons.memory.steps import asked_tokens
from pages.parts.hardware import notebook, setup
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

CACHE = '''
def cache(kept, tokens, batch):
    """Bytes of keys and values: layers · numbers a token · tokens · sequences · bits / 8; a window holds so many at most."""
    held = sum(layers * row * (min(tokens, window) if window else tokens) for layers, row, window, _ in kept)
    return bytes_of(held * batch, kv_bits)
'''
ON_ALL = '''
def on_all_devices(tokens, batch):
    """The same with the copies: a head is on one device whole, so fewer heads than devices are kept more than once."""
    held = 0
    for layers, row, window, heads in kept:
        copies = -(-heads // devices) * devices / heads
        held += layers * row * (min(tokens, window) if window else tokens) * copies
    return bytes_of(round(held * batch), kv_bits)
'''
USE = '''
def in_use(tokens, batch):
    """Bytes on all devices together: weights, cache, states, activations of one pass, logits, the program itself."""
    rows = min(max(tokens * batch, 1), max(2048, batch))  # longer prompts enter in pieces of 2,048
    activations = rows * (2 * d_model + widest) * 2 + max(batch, 1) * vocabulary * 4
    return weights + on_all_devices(tokens, batch) + batch * state + activations + devices * program
'''


def cells(question: str) -> list[Cell]:
    s = setup.setup()
    asked = asked_tokens(s)
    sizes = [s.shape.kv_bytes(n, b, s.kv_bits) for n, b in ((s.n_tokens, s.batch), (asked, 1))]
    return [
        *notebook.model_cells(s, question, "tokens"),
        prose("## Bytes of the cache"),
        code(
            f"{CACHE}\n\nnext_token = cache(kept, tokens + 1, 1) - cache(kept, tokens, 1)\n"
            f"sizes = [cache(kept, tokens, batch), cache(kept, {asked}, 1)]"
        ),
        checked("sizes", sizes, f"bytes: as set on screen, and of one sequence of {asked:,} tokens"),
        checked("next_token", s.next_token_bytes, "bytes that one more token adds to a sequence"),
        *([] if s.shape.doubt else _memory(s)),
        *_others(s),
    ]


def _memory(s: Setup) -> list[Cell]:
    """Everything beside the cache, and what fits."""
    shape = s.shape
    use = memory_use(shape, s.n_tokens, s.device, s.batch, **s.memory)
    made = [
        *notebook.matrix_cells(shape),
        code("parameters = learned(np.inf) + tables\nweights = bytes_of(parameters, weight_bits)"),
        checked("weights", use.weight_bytes, "bytes of the weights"),
        prose(
            "## What is on the devices beside them\n\nActivations are an estimate: the widest moment of a pass, two bytes a number."
        ),
        code(
            f"d_model, vocabulary = {shape.d_model}, {shape.n_vocab}\n"
            f"widest = {_widest(shape)}  # numbers of a token: queries, keys, values, contexts, or the hidden layer\n"
            f"state = {shape.state_bytes()}  # bytes of a sequence in layers that keep a state instead of keys and values\n"
            f"program = {s.reserved_bytes}  # bytes that a program keeps for itself on each device\n{ON_ALL}\n{USE}"
        ),
        checked("in_use(tokens, batch)", use.total_bytes, "bytes in use on all devices"),
        checked("devices * memory - in_use(tokens, batch)", use.room_bytes, "bytes left, or missing"),
    ]
    longest = longest_context(shape, s.device, batch=s.batch, **s.memory)
    fit = [
        prose("## How much fits"),
        code(f"{notebook.LARGEST}\n\nsequences = largest(lambda n: in_use(tokens, n) <= devices * memory)"),
        checked("sequences", largest_batch(shape, s.n_tokens, s.device, **s.memory), "sequences of this length"),
    ]
    if longest is None:
        return [*made, *fit, prose("Every layer looks back a window only, or keeps a state: a text of any length fits.")]
    return [
        *made, *fit,
        code("length = largest(lambda n: in_use(n, batch) <= devices * memory)"),
        checked("length", longest, "tokens of each sequence"),
    ]  # fmt: skip


def _widest(shape: ModelShape) -> str:
    """The widest thing that a pass holds of a token, as the larger of products."""
    x, gates, heads = shape.experts, 1 + shape.style.gated_mlp, shape.d_head + shape.d_v
    found = [f"({shape.n_head} + {shape.n_kv_head}) * {heads}"]
    if x:
        found.append(f"{gates} * ({x.n_active} * {x.d_ff} + {x.d_ff_shared})")
    if not x or x.dense_layers:
        found.append(f"{gates} * {shape.d_ff}")
    return f"max({', '.join(found)})" if len(found) > 1 else found[0]


def _others(s: Setup) -> list[Cell]:
    """The models that stand beside it on the page."""
    shapes = compared(s)[1:]
    if not shapes:
        return []
    rows = "".join(f"    {x.name!r}: [{', '.join(notebook.kept_rows(x))}],\n" for x in shapes)
    return [
        prose("## Other models, beside it"),
        code(f"models = {{\n{rows}}}\nbeside = [cache(rows, tokens, batch) for rows in models.values()]"),
        checked("beside", [x.kv_bytes(s.n_tokens, s.batch, s.kv_bits) for x in shapes], "bytes of each one's cache"),
    ]
