"""Tables in a log: llama-bench, llama-batched-bench and llama-sweep-bench, and the table of metrics that GenAI-Perf and AIPerf print.

A row says something under its header only. Rows of llama-bench may be of several files: each keeps its own bytes and parameters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.serving.lines.rule import BENCH, LLAMA_CPP
from engine.serving.lines.stated import Figure, Word, figure_of

BARS = re.compile(r"[|│┃]")
NUMBER = re.compile(r"\d[\d,]{0,20}(?:\.\d{1,12})?")
SIZE = re.compile(r"(\d[\d.]{0,12}) (GiB|MiB|KiB)$")
PARAMS = re.compile(r"(\d[\d.]{0,12}) ([KMBT])$")
TEST = re.compile(r"(pp|tg) ?(\d{1,8})(?: ?@ ?d(\d{1,8}))?$")
METRIC = re.compile(r"(.{1,60}?)(?:\s{0,4}\((ms|ns|us|s|[\w/ ]{1,20})\))?$")
BATCHED = {  # ggml-org/llama.cpp pulls 3545 and 16894; ik_llama.cpp's llama-sweep-bench has no B
    "PP": "batch_prompt", "TG": "batch_answer", "B": "batch_seqs", "N_KV": "batch_held", "T_PP s": "batch_prompt_s",
    "S_PP t/s": "prompt_rate", "T_TG s": "batch_answer_s", "S_TG t/s": "answer_rate",
}  # fmt: skip
METRICS = {  # triton-inference-server/perf_analyzer pull 433, triton-inference-server/client issue 779 (ns)
    "time to first token": "ttft", "inter token latency": "itl", "request latency": "request",
    "output sequence length": "mean_output", "input sequence length": "mean_input", "output token throughput": "answer_rate",
    "request throughput": "request_rate", "request count": "n_requests",
}  # fmt: skip
TIMES = ("ttft", "itl", "request")
COLUMNS = {"avg": "ms", "p50": "median", "p90": "p90", "p95": "p95", "p99": "p99"}
TESTS = {"pass_tokens": "prompt_rate", "pass_steps": "answer_rate"}


@dataclass(frozen=True)
class Row:
    """What one row says."""

    line: int
    figures: list[Figure]
    words: list[Word]


def table_rows(lines: list[str]) -> Iterator[Row]:
    """Every row that says something, under the header above it."""
    header: list[str] = []
    for n, line in enumerate(lines, 1):
        cells = _cells(line)
        if len(cells) < 2:
            continue
        if _reader(cells):
            header = cells
        elif len(cells) == len(header):
            figures, words = _reader(header)(dict(zip(header, cells, strict=True)), n)
            if figures:
                yield Row(n, figures, words)


def _cells(line: str) -> list[str]:
    cells = [cell.strip(" `*") for cell in BARS.split(line.strip())]
    return cells[not cells[0] : len(cells) - (not cells[-1])] if len(cells) > 2 else []


def _reader(header: list[str]):
    """What reads the rows under a header; None where it is none."""
    names = set(header)
    return _llama_bench if {"test", "t/s"} <= names else _batched if {"PP", "TG", "S_TG t/s"} <= names else (
        _metrics if len(header) > 1 and header[1] == "avg" else None)  # fmt: skip


def _llama_bench(row: dict[str, str], n: int) -> tuple[list[Figure], list[Word]]:
    """One test: a prompt of so many tokens, or so many steps, behind a depth of tokens; its rate."""
    test, rate = TEST.match(row["test"]), NUMBER.match(row["t/s"])
    if not test or not rate:
        return [], []
    kind, count, depth = test.groups()
    name = "pass_tokens" if kind == "pp" else "pass_steps"
    stated = [(name, count, None), ("pass_past", depth or "0", None), (TESTS[name], rate[0], None)]
    for column, name, form in (("size", "weight_bytes", SIZE), ("params", "n_params", PARAMS)):
        if found := form.match(row.get(column, "")):
            stated.append((name, *found.groups()))
    words = [("file", row.get("model", "")), ("k_type", row.get("type_k", "")), ("v_type", row.get("type_v", ""))]
    return _figures(stated, LLAMA_CPP, n), [Word(name, word, LLAMA_CPP, n) for name, word in words if word]


def _batched(row: dict[str, str], n: int) -> tuple[list[Figure], list[Word]]:
    """A prompt of each of so many sequences, then steps of all of them together."""
    numbers = {column: NUMBER.fullmatch(row[column]) for column in BATCHED if column in row}
    if not all(numbers.values()):
        return [], []
    return _figures([(BATCHED[column], number[0], None) for column, number in numbers.items()], LLAMA_CPP, n), []


def _metrics(row: dict[str, str], n: int) -> tuple[list[Figure], list[Word]]:
    """A metric's mean, and its median and percentiles where it is a time."""
    metric = METRIC.match(next(iter(row.values())))
    name, unit = metric and METRICS.get(metric[1].casefold().replace("-", " ")), metric and metric[2]
    if not name or (name in TIMES and unit not in ("ms", "ns", "us", "s")):
        return [], []
    stated = []
    for column, share in COLUMNS.items() if name in TIMES else (("avg", ""),):
        if number := NUMBER.search(row.get(column, "")):
            stated.append((f"{name}_{share}" if share else name, number[0], None if unit == "ms" or not share else unit))
    return _figures(stated, BENCH, n), []


def _figures(stated: list[tuple], program: str, n: int) -> list[Figure]:
    """The numbers of a row; none where one is what nothing can have."""
    found = [figure_of(name, digits, unit, program, n) for name, digits, unit in stated]
    return found if all(found) else []
