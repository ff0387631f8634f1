"""The lesson on server logs as a notebook: what the log prints beside what it must be, and the least that its times can be."""

from __future__ import annotations

from collections.abc import Iterator

from engine.serving.log_checks import (
    Check,
    block_size,
    cache_checks,
    caches,
    held_tokens,
    keys_and_values,
    row_of,
    sharing_weights,
)
from engine.serving.log_lines import ServerLog
from engine.serving.log_times import Time, times
from engine.serving.named import TYPE_BITS, only
from pages.lessons.serverlog import steps
from pages.lessons.serverlog.compared import Compared
from pages.parts.hardware import notebook, pass_notebook
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

LEAST = """
least = []
for new, past, together in passes:
    bounds = []
    for batch in {1, together}:  # alone, and with all that ran at once
        bounds.append(seconds(new, past, attention_decode if past else attention_prefill))
    least.append(max(bounds))
"""
OF_A_MODEL = ("bytes a token", "weights")  # sums of the model's list of matrices


def cells(question: str) -> list[Cell]:
    log, c = steps.given()
    if log is None:
        return [prose(f"# {question}\n\nNo log has been read.")]
    k = c.known
    sums = [check for check in cache_checks(log, k.shape, k.n_devices, k.kv_bits, k.weight_bits) if check.expected is not None]
    whole = not k.missing("shape", "n_devices", "kv_bits", "weight_bits") and not k.shape.doubt
    sums = [check for check in sums if whole or check.what not in OF_A_MODEL]
    sums = [check for check in sums if not check.what.startswith("a sequence of ")]
    found = times(log, k.shape, c.device, **c.options) if whole and c.device else []
    if not sums and not found:
        return [prose(f"# {question}\n\nThis log says nothing of which a sum could be made with what is known of its server.")]
    s = _setup(c) if whole else None
    return [
        *(_model(s, question, bool(found)) if whole else [prose(f"# {question}"), code("import numpy as np")]),
        *(_sums(log, c, sums, whole) if sums else []),
        *(_times(s, found) if found else []),
    ]


def _setup(c: Compared) -> Setup:
    """What the hardware lessons' cells are written from; a device is in them only where times are."""
    k = c.known
    return Setup(k.shape, c.device, k.n_devices, 1, 1, k.weight_bits, k.kv_bits)


def _model(s: Setup, question: str, with_device: bool) -> list[Cell]:
    """The model as data, and its matrices; without a device where nobody named one."""
    if with_device:
        return [*notebook.model_cells(s, question, "context"), *notebook.matrix_cells(s.shape)]
    rows = "".join(f"    {row},\n" for row in notebook.kept_rows(s.shape))
    return [
        prose(f"# {question}\n\nThe lesson's numbers, built again with NumPy alone; every assertion compares with the page."),
        code(
            f"import numpy as np\n\nmodel = {s.shape.name!r}\nweight_bits, kv_bits = {s.weight_bits}, {s.kv_bits}\n"
            f"devices = {s.n_devices}\n{notebook.ROUND_UP}"
        ),
        code(f"kept = [  # layers, numbers a token, window, heads that share them out among devices\n{rows}]"),
        *notebook.matrix_cells(s.shape),
    ]


def _sums(log: ServerLog, c: Compared, checks: list[Check], whole: bool) -> list[Cell]:
    """Each sum with the numbers of the log in it, in the order of the page."""
    written = {what: iter(list(sums)) for what, sums in _written(log, c).items()}
    rows = "".join(f"    {next(written[check.what])},  # {check.what}: printed {_plain(check.printed)}\n" for check in checks)
    of_the_model = (
        "parameters = learned(np.inf) + tables\na_token = bytes_of(sum(layers * row for layers, row, _, _ in kept), kv_bits)\n"
    )
    return [
        prose("## Does it add up?\n\nWhat the log prints, and what the model's shape and the log's other lines make it."),
        code(f"{of_the_model * whole}expected = [\n{rows}]\nprinted = {[_plain(check.printed) for check in checks]!r}"),
        checked("np.array(expected, float)", [float(check.expected) for check in checks], "what is expected"),
        code("[have / must if must else None for have, must in zip(printed, expected)]  # near 1 where log and sum agree"),
    ]  # fmt: skip


def _written(log: ServerLog, c: Compared) -> dict[str, Iterator[str]]:
    """The sums as the notebook writes them, by what they are about."""
    shape, devices = c.known.shape, c.known.n_devices or 1
    heads = shape.n_kv_head if shape else 1
    n_ctx = (log.last("concurrency") and log.on_line("n_ctx", log.last("concurrency").line)) or log.last("n_ctx")
    return {
        "tokens in the cache": iter([f"{_plain(log.value('n_blocks') or 0)} * {_plain(block_size(log))}"]),
        "sequences of full length": iter([f"{_plain(held_tokens(log) or 0)} / {_plain(n_ctx.value if n_ctx else 0)}"]),
        "bytes a token": iter(["a_token" if shape and shape.latent else f"a_token * -(-{heads} // {devices}) / {heads}"]),
        "weights": iter([f"bytes_of(parameters, weight_bits) / {sharing_weights(log, c.known)}"]),
        "learned numbers": iter([f"{shape.n_params}" if shape else ""]),
        "layers with a cache": iter([f"{sum(1 for row in shape.kv_rows if row) if shape else only(log, 'info_layer')}"]),
        "K and V together": (f"{_plain(key.value)} + {_plain(value.value)}" for _, key, value in keys_and_values(log)),
        "the cache": _caches(log, c),
    }


def _caches(log: ServerLog, c: Compared) -> Iterator[str]:
    """Each cache of llama.cpp: cells, layers, and what a layer keeps of a token."""
    row, _ = row_of(log, c.known)
    k_bits, v_bits = (TYPE_BITS.get(log.word(name).casefold(), 0) for name in ("k_type", "v_type"))
    for _, cells, layers in caches(log):
        width = f"({row[0]} * {k_bits} + {row[1]} * {v_bits}) / 8" if row else ""
        yield f"{_plain(cells.value)} * {_plain(layers.value)} * {width}"


def _times(s: Setup, found: list[Time]) -> list[Cell]:
    """Measured times beside their bounds."""
    return [
        *pass_notebook.pass_cells(s),
        prose("## How near its bound?\n\nThe least that a pass can take: what takes longer, arithmetic or reading, and nothing else."),
        pass_notebook.seconds_cell(s.shape),
        code(
            f"measured = {[time.measured_s for time in found]!r}  # s: {', '.join(time.what for time in found)}\n"
            f"passes = {[(time.n_new, time.n_past, time.n_together) for time in found]!r}"
            f"  # tokens that come in, tokens before them, sequences at once\n{LEAST}"
        ),
        checked("least", [time.least_s for time in found], "s, at least", 0),
        checked(
            "[m / at_least for m, at_least in zip(measured, least)]", [time.measured_s / time.least_s for time in found],
            "times the bound", 0,
        ),
    ]  # fmt: skip


def _plain(x: float) -> int | float:
    """A whole number without its point."""
    return int(x) if x == int(x) else x
