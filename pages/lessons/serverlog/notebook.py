"""The lesson on server logs as a notebook: what the log prints beside what it must be, and the least that its times can be."""

from __future__ import annotations

from collections.abc import Iterator

from engine.cost import ModelShape
from engine.serving.log_checks import BLOCK_SIZE, TYPE_BITS, Check, Time, cache_checks, held_tokens, times
from engine.serving.log_lines import ServerLog
from pages.lessons.serverlog import steps
from pages.parts.hardware import notebook, pass_notebook
from pages.parts.hardware.setup import Setup
from pages.parts.teaching.notebook import Cell, checked, code, prose

LEAST = """
least = []
for new, past, together in passes:
    bounds = []
    for batch in (1, together):  # alone, and with all that ran at once
        bounds.append(seconds(new, past, attention_decode if past else attention_prefill))
    least.append(max(bounds))
"""


def cells(question: str) -> list[Cell]:
    log, s = steps.given()
    checks = cache_checks(log, s.shape, s.n_devices, s.kv_bits, s.weight_bits)
    found = times(log, s.shape, s.device, **s.options)
    if not checks and not found:
        return [prose(f"# {question}\n\nThis log says nothing of which a sum could be made.")]
    return [
        *notebook.model_cells(s, question, "context"),
        *notebook.matrix_cells(s.shape),
        *(_sums(log, s, checks) if checks else []),
        *(_times(log, s, found) if found else []),
    ]


def _sums(log: ServerLog, s: Setup, checks: list[Check]) -> list[Cell]:
    """Each sum with the numbers of the log in it, in the order of the page."""
    written = list(_written(log, s, {check.what for check in checks}))
    rows = "".join(
        f"    {text},  # {check.what}: printed {_plain(check.printed)}\n" for text, check in zip(written, checks, strict=True)
    )
    return [
        prose("## Does it add up?\n\nWhat the log prints, and what the model's shape and the log's other lines make it."),
        code(
            f"parameters = learned(np.inf) + tables\na_token = bytes_of(sum(layers * row for layers, row, _, _ in kept), kv_bits)\n"
            f"expected = [\n{rows}]\nprinted = {[_plain(check.printed) for check in checks]!r}"
        ),
        checked("np.array(expected, float)", [float(check.expected) for check in checks], "what is expected"),
        code("[have / must if must else None for have, must in zip(printed, expected)]  # near 1 where log and sum agree"),
    ]  # fmt: skip


def _written(log: ServerLog, s: Setup, there: set[str]) -> Iterator[str]:
    """The sums as the notebook writes them: of blocks, sequences, llama.cpp's caches, a token, the weights."""
    value = {name: _plain(log.value(name) or 0) for name in ("n_blocks", "block_size", "n_ctx", "n_devices")}
    devices = int(value["n_devices"]) or s.n_devices
    if "tokens in the cache" in there:
        yield f"{value['n_blocks']} * {value['block_size'] or BLOCK_SIZE}"
    if "sequences of full length" in there:
        yield f"{_plain(held_tokens(log))} / {value['n_ctx']}"
    yield from _of_llama_cpp(log, s.shape, there)
    if "bytes a token" in there:
        heads = s.shape.n_kv_head
        yield "a_token" if s.shape.latent else f"a_token * -(-{heads} // {devices}) / {heads}"
    if "weights" in there:
        yield f"bytes_of(parameters, weight_bits) / {devices}"


def _of_llama_cpp(log: ServerLog, shape: ModelShape, there: set[str]) -> Iterator[str]:
    """Keys and values together, the cells of each cache, its layers."""
    sizes = log.all("kv_bytes")
    if "K and V together" in there:
        yield from (
            f"{_plain(k.value)} + {_plain(v.value)}"
            for _, k, v in zip(sizes, log.all("k_bytes"), log.all("v_bytes"), strict=False)
        )
    if "the cache" in there:
        k_bits, v_bits = (_plain(TYPE_BITS.get(log.words.get(name, "f16"), 16.0)) for name in ("k_type", "v_type"))
        row = f"{shape.n_kv_head} * ({shape.d_head} * {k_bits} + {shape.d_v} * {v_bits}) / 8"
        places = zip(log.all("cells"), log.all("n_layer"), sizes, strict=False)
        yield from (f"{_plain(cells.value)} * {_plain(layers.value)} * {row}" for cells, layers, _ in places)
    if "layers with a cache" in there:
        yield f"{shape.n_layer}"


def _times(log: ServerLog, s: Setup, found: list[Time]) -> list[Cell]:
    """Measured times beside their bounds."""
    passes = [_pass(log, time) for time in found]
    return [
        *pass_notebook.pass_cells(s),
        prose("## How near its bound?\n\nThe least that a pass can take: what takes longer, arithmetic or reading, and nothing else."),
        pass_notebook.seconds_cell(s.shape),
        code(
            f"measured = {[time.measured_s for time in found]!r}  # s: {', '.join(time.what for time in found)}\n"
            f"passes = {passes!r}  # tokens that come in, tokens before them, sequences at once\n{LEAST}"
        ),
        checked("least", [time.least_s for time in found], "s, at least", 0),
        checked(
            "[m / at_least for m, at_least in zip(measured, least)]", [time.measured_s / time.least_s for time in found],
            "times the bound", 0,
        ),
    ]  # fmt: skip


def _pass(log: ServerLog, time: Time) -> tuple[int, int, int]:
    """Which pass a time is of: tokens that come in, tokens before them, sequences at once."""
    n_prompt = int(log.value("n_prompt") or 0)
    if time.what in ("TTFT, mean", "TPOT, mean"):
        p, g = (max(1, round(log.value(name) / log.value("n_requests"))) for name in ("n_input", "n_output"))
        return (p, 0, 1) if time.what == "TTFT, mean" else (1, p + g // 2, time.n_together)
    if time.what == "prompt":
        return n_prompt, 0, 1
    if time.what == "each further token":
        return 1, max(1, n_prompt), 1
    n = int(log.value("n_running"))
    return 1, max(1, round(log.value("n_cached") / n)), n


def _plain(x: float) -> int | float:
    """A whole number without its point."""
    return int(x) if x == int(x) else x
