"""The lesson on the cache's size as a notebook: the sum over the layers, the memory beside it, and how much fits."""

from engine.cost import largest_batch, longest_context, memory_use
from pages.lessons.memory import desk
from pages.lessons.memory.other_models import compared
from pages.lessons.memory.steps import asked_tokens
from pages.parts.hardware import notebook, setup
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

IMPORTS = """
from engine.cost import DEVICES, MODELS, Demand, Device, Efficiency, ModelShape, bytes_of, largest_batch, layer_kinds, longest_context
from engine.cost import memory_use, sizing
"""
SUM = """
kinds = layer_kinds(shape, tokens, batch, kv_bits)
for kind in kinds:
    print("layers:", len(kind.layers), kind.kind, "numbers a token:", kind.row, "tokens kept:", kind.n_held)
held = batch * sum(len(kind.layers) * kind.row * kind.n_held for kind in kinds)
"""


def cells(question: str) -> list[Cell]:
    s = setup.setup()
    asked = asked_tokens(s)
    sizes = [s.shape.kv_bytes(n, b, s.kv_bits) for n, b in ((s.n_tokens, s.batch), (asked, 1))]
    return [
        *notebook.begin(question, IMPORTS),
        notebook.setup_cell(s, "tokens"),
        prose(
            "## Bytes of the cache\n\nLayers · numbers a token · tokens · sequences · bits / 8; a window keeps so many at most."
        ),
        code(f"{SUM}sizes = [bytes_of(held, kv_bits), shape.kv_bytes({asked}, 1, kv_bits)]"),
        checked("sizes", sizes, f"bytes: as set on screen, and of one sequence of {asked:,} tokens"),
        checked("shape.next_token_bytes(tokens, kv_bits)", s.next_token_bytes, "bytes that one more token adds to a sequence"),
        *([] if s.shape.doubt else _memory(s)),
        *_other_models(s),
    ]


def _memory(s: Setup) -> list[Cell]:
    """Everything beside the cache, and what fits."""
    use = memory_use(s.shape, s.n_tokens, s.device, s.batch, **s.memory)
    longest = longest_context(s.shape, s.device, batch=s.batch, **s.memory)
    return [
        prose("## What is on the devices beside it\n\nActivations are an estimate: the widest moment of a pass, two bytes a number."),
        code(
            f'setup["reserved_bytes"] = {s.reserved_bytes}  # that a program keeps for itself on each device\n'
            f'setup["usable"] = {s.usable}  # share of the memory\n'
            "use = memory_use(shape, tokens, device, batch, **setup)\nuse"
        ),
        checked(
            "[use.weight_bytes, use.total_bytes, use.room_bytes]", [use.weight_bytes, use.total_bytes, use.room_bytes],
            "bytes of the parameters, of all on all devices, and what is left, or missing",
        ),
        *_desk(s),
        prose("## How much fits" + "\n\nA text of any length: each layer looks back a window only, or keeps a state." * (longest is None)),
        checked(
            "largest_batch(shape, tokens, device, **setup)", largest_batch(s.shape, s.n_tokens, s.device, **s.memory),
            "sequences of this length",
        ),
        *[checked("longest_context(shape, device, batch=batch, **setup)", longest, "tokens of each sequence")] * (longest is not None),
    ]  # fmt: skip


def _desk(s: Setup) -> list[Cell]:
    """Every answer of the desk from one call."""
    found, price, watts = desk.sized(s), desk.PRICE.value() or 1.0, desk.WATTS.value()
    cells = [
        prose(
            "## The desk\n\nAn estimate: arithmetic and reading at the shares of their peaks that programs reach, sums between devices; "
            "beside it the bound. Published times hold it to account: engine.cost.desk.published_times."
        ),
        code(
            f"found = sizing(shape, device, {desk.demand(s)!r}, {desk.efficiency()!r}, **setup)\n"
            f"prices = found.prices({price})  # an hour, of all devices"
        ),
        checked(
            "[found.n_full, found.n_typed, found.batch]", [found.n_full, found.n_typed, found.batch],
            "sequences that fit: at full length, at prompt and answer; that keep the limits",
        ),
        checked(
            "[time for both in (found.ttft, found.tpot) for time in (both.bound_s, both.estimate_s)]",
            [time for both in (found.ttft, found.tpot) for time in (both.bound_s, both.estimate_s)], "TTFT, TPOT: bound, estimate: s", 0,
        ),
    ]  # fmt: skip
    if prices := found.prices(price):
        each = [prices.input, prices.cached, prices.output, prices.blended]
        cells.append(checked("[prices.input, prices.cached, prices.output, prices.blended]", each, "of 10⁶ tokens", 0))
    if watts and found.batch:
        what = f"J of an answer, at {watts:g} W of all devices"
        cells.append(checked(f"found.energy_j({watts})", found.energy_j(watts), what, 0))
    return cells


def _other_models(s: Setup) -> list[Cell]:
    """The models that stand beside it on the page."""
    shapes = compared(s)[1:]
    if not shapes:
        return []
    rows = "".join(f"    {notebook.model_in_code(x)},\n" for x in shapes)
    return [
        prose("## Other models, beside it"),
        code(f"beside = [\n{rows}]"),
        checked(
            "[other.kv_bytes(tokens, batch, kv_bits) for other in beside]",
            [x.kv_bytes(s.n_tokens, s.batch, s.kv_bits) for x in shapes], "bytes of each one's cache",
        ),
    ]  # fmt: skip
