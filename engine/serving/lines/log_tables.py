"""Tables in a log: llama-bench, llama-batched-bench and llama-sweep-bench, and any whose rows or columns are measures (measures.py).

A row of the first says something under its header only. Rows of llama-bench may be of several files: each keeps its own bytes and
parameters.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from engine.serving.lines.measures import CELL, figure, measure, share_of
from engine.serving.lines.rule import BENCH, LLAMA_CPP
from engine.serving.lines.stated import Figure, Word, figure_of

NO_MARKS = str.maketrans("", "", "`*")  # of bold type and of code
BARS = re.compile(r"[|│┃]")
RATE = re.compile(r"\bt/s\b")
APART = re.compile(r"\s{2,}")  # columns of a table without bars
NUMBER = re.compile(r"\d[\d,]{0,20}(?:\.\d{1,12})?")
SIZE = re.compile(r"(\d[\d.]{0,12}) (GiB|MiB|KiB)$")
PARAMS = re.compile(r"(\d[\d.]{0,12}) ([KMBT])$")
NO_RUN = re.compile(  # columns that are no run of what the row measures
    r"\b(?:min|max|std|stddev|p\d{1,2}|delta|diff\w*|change|improve\w*|speed\w*|gain|ratio|vs|target|limit|slo|goal|expected)\b|[Δ%]",
    re.IGNORECASE,
)
MODEL = re.compile(r"(?=\D{0,60}\d)(?=[\d.]{0,20}[a-zA-Z])[\w.-]{1,60}(?:[/:-][\w.:-]{1,100})")  # of someone, or with a number
TEST = re.compile(r"(pp|tg) ?(\d{1,8})(?: ?@ ?d(\d{1,8}))?$")
BATCHED = {  # ggml-org/llama.cpp pulls 3545 and 16894; ik_llama.cpp's llama-sweep-bench has no B
    "PP": "batch_prompt", "TG": "batch_answer", "B": "batch_seqs", "N_KV": "batch_held", "T_PP s": "batch_prompt_s",
    "S_PP t/s": "prompt_rate", "T_TG s": "batch_answer_s", "S_TG t/s": "answer_rate",
}  # fmt: skip
FORMS = {"size": SIZE, "params": PARAMS, "test": TEST}
TESTS = {"pass_tokens": "prompt_rate", "pass_steps": "answer_rate"}


@dataclass(frozen=True)
class Row:
    """What one row says."""

    line: int
    figures: list[Figure]
    words: list[Word]


def table_rows(lines: list[str]) -> Iterator[Row]:
    """Every row that says something, under the header above it."""
    headers: dict[bool, list[str]] = {}  # of tables with bars and without
    for n, line in enumerate(lines, 1):
        cells, bars = _cells(line), bool(BARS.search(line))
        if len(cells) < 2 + (not bars):
            continue
        header = headers.get(bars, [])
        if not any(CELL.fullmatch(cell) for cell in cells[1:]) and any(map(str.isalnum, line)):
            headers[bars] = cells if bars or any(map(measure, cells)) else []
        else:
            # A row may be cut off, or have a cell that its header has not (ikawrakow/ik_llama.cpp pull 283).
            by_cells = len(header) < len(cells) and (_without_header(cells) or [""] * (len(cells) if not header else 0))
            header = by_cells or header[: len(cells)]
            if len(header) < len(cells):
                continue
            figures, words = _reader(header)(header, cells, n)
            if figures:
                yield Row(n, figures, words)


def _cells(line: str) -> list[str]:
    cells = [cell.strip() for cell in BARS.split(line.strip().translate(NO_MARKS))]
    if len(cells) == 1:
        return APART.split(cells[0])
    return cells[not cells[0] : len(cells) - (not cells[-1])] if len(cells) > 2 else []


def _reader(header: list[str]):
    """What reads the rows under a header."""
    names = set(header)
    return _llama_bench if _test_and_rates(header) else _batched if {"PP", "TG", "S_TG t/s"} <= names else _measures


def _test_and_rates(header: list[str]) -> tuple[str, list[str]] | None:
    """llama-bench's columns: of the test, and of its rate, or of the rates of two versions ("master t/s": ggml-org/llama.cpp pull 3084)."""
    test = next((column for column in header if column.casefold() == "test"), None)
    rates = [column for column in header if RATE.search(column)]
    return (test, rates) if test and rates else None


def _without_header(cells: list[str]) -> list[str]:
    """The columns of a row of llama-bench whose header was cut off (ggml-org/llama.cpp pull 5625); [] where it is none."""
    at = {name: k for k, cell in enumerate(cells) for name, form in FORMS.items() if form.match(cell)}
    if not {"size", "params", "test"} <= at.keys() or "±" not in cells[-1]:
        return []
    names = {0: "model", len(cells) - 1: "t/s"} | {k: name for name, k in at.items()}
    return [names.get(k, "") for k in range(len(cells))]


def _llama_bench(header: list[str], cells: list[str], n: int) -> tuple[list[Figure], list[Word]]:
    """One test: a prompt of so many tokens, or so many steps, behind a depth of tokens; its rate."""
    row = dict(zip(header, cells, strict=True))
    column, rated = _test_and_rates(header)
    test, rates = TEST.match(row[column]), [rate[0] for name in rated if (rate := NUMBER.match(row[name]))]
    if not test or not rates:
        return [], []
    kind, count, depth = test.groups()
    name = "pass_tokens" if kind == "pp" else "pass_steps"
    stated = [(name, count, None), ("pass_past", depth or "0", None), *((TESTS[name], rate, None) for rate in rates)]
    for column, name, form in (("size", "weight_bytes", SIZE), ("params", "n_params", PARAMS)):
        if found := form.match(row.get(column, "")):
            stated.append((name, *found.groups()))
    words = [("file", row.get("model", "")), ("k_type", row.get("type_k", "")), ("v_type", row.get("type_v", ""))]
    return _figures(stated, LLAMA_CPP, n), [Word(name, word, LLAMA_CPP, n) for name, word in words if word]


def _batched(header: list[str], cells: list[str], n: int) -> tuple[list[Figure], list[Word]]:
    """A prompt of each of so many sequences, then steps of all of them together."""
    row = dict(zip(header, cells, strict=True))
    numbers = {column: NUMBER.fullmatch(row[column]) for column in BATCHED if column in row}
    if not all(numbers.values()):
        return [], []
    return _figures([(BATCHED[column], number[0], None) for column, number in numbers.items()], LLAMA_CPP, n), []


def _measures(header: list[str], cells: list[str], n: int) -> tuple[list[Figure], list[Word]]:
    """The numbers whose column, or whose row, is a measure: in several columns of several runs, or its mean and its percentiles."""
    at, row = next(((k, what) for k, cell in enumerate(cells) if not CELL.fullmatch(cell) and (what := measure(cell))), (0, None))
    found = []
    unit = next((cell for column, cell in zip(header, cells, strict=True) if column.casefold() == "unit"), "")
    for k, (column, cell) in enumerate(zip(header, cells, strict=True)):
        number, share = CELL.fullmatch(cell), share_of(column)
        of_row = row if k > at and not NO_RUN.search(column) else None
        what = number and (measure(column) or (measure(f"{share} {cells[at]}") if share else of_row))
        if what and (one := figure(what, number["value"], number["unit"] or unit, n)):
            found.append(one)
    named = [cell for column, cell in zip(header, cells, strict=True) if column.casefold() == "model" and MODEL.fullmatch(cell)]
    return found, [Word("model", name, BENCH, n) for name in named]


def _figures(stated: list[tuple], program: str, n: int) -> list[Figure]:
    """The numbers of a row; none where one is what nothing can have."""
    found = [figure_of(name, digits, unit, program, n) for name, digits, unit in stated]
    return found if all(found) else []
