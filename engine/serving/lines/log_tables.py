"""Tables in a log: llama.cpp's own (llama_tables.py), and any whose rows or columns are measures (labels.py).

Cells stand between bars, tabs, commas or wide gaps; a label may head its column or begin its row.
"""

import csv
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from engine.serving.lines.labels import A_SECOND, TIME, measure, share_of
from engine.serving.lines.labels import SHARES as SHARES_OF
from engine.serving.lines.llama_tables import batched, llama_bench, test_and_rates, without_header
from engine.serving.lines.measures import CELL, TEST, figure, of_a_test
from engine.serving.lines.rule import COMMAND, DEVICE
from engine.serving.lines.stated import Figure, Word

NO_MARKS = str.maketrans("", "", "`*")  # of bold type and of code
BARS = re.compile(r"[|│┃]")
APART = re.compile(r"\s{2,}|\t")  # columns of a table without bars
NO_RUN = re.compile(  # columns that are no run of what the row measures
    r"\b(?:min|max|lowest|highest|std|stddev|p\d{1,2}|delta|diff\w*|change|improve\w*|speed-?up|gain|ratio|vs|target|limit|slo|goal|expected)\b|[Δ%]",
    re.IGNORECASE,
)
MODEL = re.compile(
    r"(?=[^\d\n]{0,60}\d)(?=[\d.]{0,20}[a-zA-Z])[\w.-]{2,60}(?:[ /:-][\w.:,()-]{1,100}){1,5}|(?=\D{1,20}\d)[\w.-]{6,60}"
)
MODELS, CARDS = (
    {"model", "model name", "model id", "llm", "name"},
    {"gpu", "gpus", "device", "hardware", "card", "gpu name", "accelerator"},
)
A_CARD = re.compile(DEVICE)
# “23.2ms mean, 31.3ms p95”, “1018.02 ms mean, 977.17 median”: waybarrios/vllm-mlx pull 82, lvyufeng/PocketLLM pull 289
A_SHARE = re.compile(r"(?P<value>\d[\d.]{0,12})(?:\s?(?P<unit>ms|s))?\s(?P<share>avg|mean|median|[pP]\d\d)\b")
SHARES = re.compile(r"\d[\d.]{0,12}\s?(?P<unit>ms|s)\s(?:avg|mean|median|[pP]\d\d)\b(?:, .{3,60}| \(.{1,40})?")
IN_BRACKETS = re.compile(r" \([A-Z][\w -]{3,40}\)")  # “ITL (Inter-Token Latency)”
TITLE = re.compile(r"(?:#{1,6} |\*\*)([^#*|]{2,40}?)(?:\*\*)?:?$")
UNITS_TRIED = ("", "ms", "s", "GiB", "%", "tok/s")


@dataclass(frozen=True)
class Row:
    """What one row says. table: the line of its header; unread: its numbers under headings that no rule knows."""

    line: int
    figures: list[Figure]
    words: list[Word]
    table: int = 0
    unread: int = 0


def table_rows(lines: list[str]) -> tuple[list[Row], list[Row]]:
    """Every row that says something, under the header above it; and those of tables that are left alone, for most of their numbers
    have headings that no rule knows: the few others may be of anything (sgl-project/sglang pull 36583)."""
    rows, more_unread = list(_rows(lines)), Counter()
    for row in rows:
        more_unread[row.table] += row.unread - len(row.figures)
    left = [row for row in rows if row.table and more_unread[row.table] > 0]
    return [row for row in rows if row.figures and row not in left], left


def _rows(lines: list[str]) -> Iterator[Row]:
    """Every row with a number, under the header above it."""
    headers: dict[str, list[str]] = {}  # of each way to part cells
    title, stub, begun, ruled = "", "", 0, 0  # a table's title, first cell above, header, next row behind a rule
    for n, line in enumerate(lines, 1):
        parted, cells = _cells(line)
        title = found[1] if (found := TITLE.match(line)) else title
        if len(cells) < 2:
            continue
        header, heads = headers.get(parted, []), _is_a_rule("".join(lines[n : n + 1]), "--" if n == ruled else "-")
        numbers = not heads and any(CELL.fullmatch(cell) or SHARES.fullmatch(cell) for cell in cells[1:])
        row, ruled = n == ruled and not heads, n + 2 if heads else n + 1 if n == ruled else ruled
        if parted == "bars" and ((row and not numbers) or (len(cells) > 2 and not any(cells[1:]))):
            continue  # without a number (llama.cpp issue 1665), or the rest of the label above (modelscope/evalscope issue 1101)
        if not numbers and any(map(str.isalnum, line)):
            headers[parted], begun = cells if parted == "bars" or sum(map(_known, cells)) > 1 else [], n
            continue
        # A row may be cut off, or have a cell that its header has not (ikawrakow/ik_llama.cpp pull 283).
        if len(header) < len(cells):
            header = without_header(cells) or [""] * (len(cells) if (parted == "bars" and not header) or len(cells) == 2 else 0)
        if parted == "bars" and n == len(lines) and len(header) > len(cells) and not BARS.match(line.rstrip()[-1:]):
            cells = cells[:-1]  # the text ends within a cell: tenstorrent/tt-inference-server issue 342
        whole, header = header, header[: len(cells)]
        if _reader(whole) is not _reader(header):
            continue  # the text ends within a test's row: ikawrakow/ik_llama.cpp pull 757
        if parted == "bars" and cells[:1] == [""] and header and header[0]:  # as the row above: InferenceX issue 828
            cells = [stub, *cells[1:]]
        stub = cells[0]
        if len(header) == len(cells):
            reader = _reader(header)
            figures, words = reader(header, cells, n, title)
            counted = sum(map(_should_be_known, header[1:], cells[1:])) if reader is _measures and parted == "bars" else 0
            table, counted = (begun, counted) if counted else (n, 0 if figures else _unheaded(cells))
            if figures or counted:
                yield Row(n, figures, words, table if counted else 0, max(0, counted - len(figures)))


def _cells(line: str) -> tuple[str, list[str]]:
    """How the cells of a line are parted, and the cells."""
    cells = [cell.strip() for cell in BARS.split(line.strip().translate(NO_MARKS))]
    if len(cells) > 1:
        return "bars", cells[not cells[0] : len(cells) - (not cells[-1])] if len(cells) > 2 else []
    if len(apart := APART.split(cells[0])) > 1:
        return "gaps", apart
    return "commas", [cell.strip() for cell in next(csv.reader([cells[0][:2000]]), [])] if cells[0].count(",") > 1 else []


def _is_a_rule(line: str, least: str) -> bool:
    """Whether it parts a header from its rows, whatever stands in that (“1K (969)”: kvcache-ai/ktransformers issue 1914)."""
    return "|" in line and least in line and set(line) <= set("|-: \t")


def _unheaded(cells: list[str]) -> int:
    """How many numbers a row of a measure has where nothing says what its columns are: its least and its greatest may be among them
    (sgl-project/sglang pull 32207), and beside a test's rate its peak (andysalerno/r9700-serving issue 11)."""
    n = sum(map(bool, map(CELL.fullmatch, cells)))
    alone = 1 if any(map(TEST.match, cells)) else 2
    return n if n > alone and any(map(_known, cells)) and not any(map(_share_in, cells)) else 0


def _share_in(cell: str) -> bool:
    """Whether a label says its share itself: “Mean TTFT (ms)”."""
    return any(map(share_of, cell.split()))


def _should_be_known(column: str, cell: str) -> bool:
    """Whether a cell is a number that its heading says something of, other than how it compares."""
    return bool(column and CELL.fullmatch(cell) and not cell.endswith("%") and not NO_RUN.search(column))


def _known(cell: str) -> bool:
    """Whether a cell can head a column that is read."""
    return cell.casefold() in MODELS | CARDS or bool(TEST.match(cell)) or any(measure(cell, unit) for unit in UNITS_TRIED)


def _reader(header: list[str]):
    """What reads the rows under a header."""
    names = set(header)
    return llama_bench if test_and_rates(header) else batched if {"PP", "TG", "S_TG t/s"} <= names else _measures


def _measures(header: list[str], cells: list[str], n: int, title: str) -> tuple[list[Figure], list[Word]]:
    """The numbers whose column, or whose row, is a measure or a test: in columns of several runs, or its mean and its percentiles."""
    labels = [
        k for k, cell in enumerate(cells) if not CELL.fullmatch(cell) and (_known(IN_BRACKETS.sub("", cell)) or TEST.match(cell))
    ]
    at, found, words = labels[0] if labels else len(cells), [], []
    if not any(header[1:]) and _unheaded(cells):
        return [], []
    unit = next((cell for column, cell in zip(header, cells, strict=True) if column.casefold() == "unit"), "")
    for k, (column, cell) in enumerate(zip(header, cells, strict=True)):
        if number := CELL.fullmatch(cell):
            own, share = number["unit"] or unit, share_of(column)
            of_row = cells[at] if k > at and not NO_RUN.search(column) else ""
            what = (
                (measure(f"{share} {cells[at]}", own) if share and k > at else None)
                or measure(column, own)
                or measure(of_row, own)
            )
            what = what or (measure(title, own) if number["unit"] and not NO_RUN.search(column) else None)
            test = None if what else TEST.match(column) or TEST.match(of_row)
            if test and (not own or A_SECOND.fullmatch(own.casefold())):
                found += of_a_test(test, number["value"], n)
            elif what and (one := figure(what, number["value"], n)):
                middle = what.kind != TIME and SHARES_OF.get(column.casefold()) == "median"
                found += [one] * (not middle or one.name not in {other.name for other in found})
        elif k > at and (shares := SHARES.fullmatch(cell)):
            for one in A_SHARE.finditer(cell):
                what = measure(f"{one['share']} {IN_BRACKETS.sub('', cells[at])}", one["unit"] or shares["unit"])
                found += filter(None, [what and figure(what, one["value"], n)])
        elif column.casefold() in MODELS and MODEL.fullmatch(cell):
            words.append(Word("file" if "params" in header else "model", cell, COMMAND, n))
        elif column.casefold() in CARDS and (card := A_CARD.search(cell)):
            words.append(Word("device", card["device"], COMMAND, n))
    return found, words
