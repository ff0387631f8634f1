"""Tables of llama.cpp's own programs: llama-bench, llama-batched-bench and llama-sweep-bench, with their header or without it.

A row of llama-bench may be of several files: each keeps its own bytes and parameters. Any other table is nobody's that is known here.
"""

import re
from dataclasses import dataclass

from engine.serving.lines.rule import LLAMA_CPP
from engine.serving.lines.stated import Figure, Word, figure_of

CELL = re.compile(
    r"[~≈]?\s?\d[\d,]{0,20}(?:\.\d{1,12})?\s?(?:%|[A-Za-zµ]{1,12}(?:/[a-z]{1,6})?)?(?:\s{0,2}[±(].{0,40})?"
)  # a number
TEST = re.compile(r"(pp|tg) ?(\d{1,8})(?: ?\+ ?tg ?(\d{1,8}))?(?: ?@ ?d(\d{1,8}))?$")
BARS = re.compile(r"[|│┃]")
ENDS_IN_A_BAR = re.compile(r"\|\\$")  # as Markdown breaks a line: ggml-org/llama.cpp pull 3545
NO_MARKS = str.maketrans("", "", "`*")  # of bold type and of code
RATE = re.compile(r"^(?!.*\bpeak\b).*\bt/s\b(?!.*\(req\))", re.IGNORECASE)
NUMBER = re.compile(r"\d[\d,]{0,20}(?:\.\d{1,12})?")
SIZE = re.compile(r"(\d[\d.]{0,12}) (GiB|MiB|KiB)$")
PARAMS = re.compile(r"(\d[\d.]{0,12}) ([KMBT])$")
SIZED = re.compile(r"\b[\dx.]{1,6}[BM] \S")  # “llama 7B Q2_K”
BATCHED = {  # ggml-org/llama.cpp pulls 3545 and 16894; ik_llama.cpp's llama-sweep-bench has no B
    "PP": "batch_prompt", "TG": "batch_answer", "B": "batch_seqs", "N_KV": "batch_held", "T_PP s": "batch_prompt_s",
    "S_PP t/s": "prompt_rate", "T_TG s": "batch_answer_s", "S_TG t/s": "answer_rate",
}  # fmt: skip
FORMS = {"size": SIZE, "params": PARAMS, "test": TEST}
TESTS = {"pass_tokens": "prompt_rate", "pass_steps": "answer_rate"}


@dataclass(frozen=True)
class Row:
    line: int
    figures: list[Figure]
    words: list[Word]


def table_rows(lines: list[str]) -> tuple[list[Row], dict[int, int]]:
    """Every row of a table of llama.cpp's; and how many numbers each row has of a table that is none of these, by its line."""
    rows, others, header, ruled = [], {}, [], 0
    lines = [ENDS_IN_A_BAR.sub("|", line) for line in lines]
    for n, line in enumerate(lines, 1):
        cells = _cells(line)
        if len(cells) < 2 or set(line) <= set("|-: \t"):
            continue
        heads = _is_a_rule("".join(lines[n : n + 1]))
        numbers = sum(bool(CELL.fullmatch(cell)) for cell in cells)
        if heads or (not numbers and not ruled):
            header, ruled = cells, heads
            continue
        own = _reader(header) if len(header) >= len(cells) else None
        if own and own is _reader(header[: len(cells)]):  # the text may end within a row: ikawrakow/ik_llama.cpp pull 757
            figures, words = own(header[: len(cells)], cells, n)
        else:
            bare = without_header(cells)
            figures, words = llama_bench(bare, cells, n) if bare else ([], [])
        if figures:
            rows.append(Row(n, figures, words))
        elif numbers and not own and (ruled or BARS.match(line.strip())):  # no line of a program's with bars in it
            others[n] = numbers
    return rows, others


def _cells(line: str) -> list[str]:
    """The cells between the bars of a line; none where it has no two."""
    cells = [cell.strip() for cell in BARS.split(line.strip().translate(NO_MARKS))]
    return cells[not cells[0] : len(cells) - (not cells[-1])] if len(cells) > 2 else []


def _is_a_rule(line: str) -> bool:
    """Whether it parts a header from its rows."""
    return "|" in line and "-" in line and set(line) <= set("|-: \t")


def _reader(header: list[str]):
    """What reads the rows under a header; None for a table of another program."""
    names = {column.casefold() for column in header}
    if {"PP", "TG", "S_TG t/s"} <= set(header):
        return batched
    of_bench = {"size", "params"} <= names or "model size [gib]" in names or "speedup" in names
    return llama_bench if of_bench and test_and_rates(header) else None


def test_and_rates(header: list[str]) -> tuple[str, list[str]] | None:
    """llama-bench's columns: of the test, and of its rate, or of the rates of two versions ("master t/s": ggml-org/llama.cpp pull 3084)."""
    test = next((column for column in header if column.casefold() == "test"), None)
    rates = [column for column in header if RATE.match(column)]
    return (test, rates) if test and rates else None


def without_header(cells: list[str]) -> list[str]:
    """The columns of a row of llama-bench, or of its comparison of two versions, whose header was cut off (ggml-org/llama.cpp pulls 5625
    and 26284); [] where it is none."""
    at = {name: k for k, cell in enumerate(cells) for name, form in FORMS.items() if form.match(cell)}
    rates = [k for k in range(at.get("test", len(cells)) + 1, len(cells)) if CELL.fullmatch(cells[k])]
    one = len(rates) == 1 and {"size", "params"} <= at.keys() and "±" in cells[-1]
    if not one and not (len(rates) == 3 and _is_a_ratio(*(cells[k] for k in rates))):
        return []
    model = [k for k in range(at["test"]) if SIZED.search(cells[k])][:1]
    names = {k: "model" for k in model} | {k: name for name, k in at.items()} | {k: f"{k} t/s" for k in rates[:2]}
    return [names.get(k, "") for k in range(len(cells))]


def _is_a_ratio(before: str, after: str, faster: str) -> bool:
    """Whether the last of three cells is how many times faster a version is: a rate's peak, or a time, is no second version's
    (andysalerno/r9700-serving issue 11)."""
    rates = [NUMBER.fullmatch(cell) and float(cell.replace(",", "")) for cell in (before, after, faster)]
    return bool(all(rates)) and abs(rates[1] / rates[0] - rates[2]) < 0.01


def llama_bench(header: list[str], cells: list[str], n: int) -> tuple[list[Figure], list[Word]]:
    """One test: a prompt of so many tokens, or so many steps, behind a depth of tokens; its rate."""
    row = dict(zip(map(str.casefold, header), cells, strict=True))
    column, rated = test_and_rates(header)
    test, rates = TEST.match(row[column.casefold()]), [rate[0] for name in rated if (rate := NUMBER.match(row[name.casefold()]))]
    if not test or not rates:
        return [], []
    kind, count, then, depth = test.groups()
    name = "pass_tokens" if kind == "pp" else "pass_steps"
    if then:  # both in one rate
        stated = [("mean_input", count, None), ("mean_output", then, None), *(("total_rate", rate, None) for rate in rates)]
    else:
        stated = [(name, count, None), ("pass_past", depth or "0", None), *((TESTS[name], rate, None) for rate in rates)]
    for column, name, form in (("size", "weight_bytes", SIZE), ("params", "n_params", PARAMS)):
        if found := form.match(row.get(column, "")):
            stated.append((name, *found.groups()))
    if size := NUMBER.fullmatch(row.get("model size [gib]", "")):  # compare-llama-bench: llama.cpp pull 4844
        stated.append(("weight_bytes", size[0], "GiB"))
    backend = "CPU" if row.get("ngl") == "0" or row.get("dev") == "none" else row.get("backend", "")  # no layer on a device
    words = [
        ("file", row.get("model", "")),
        ("backend", backend),
        ("k_type", row.get("type_k", "")),
        ("v_type", row.get("type_v", "")),
    ]
    return _figures(stated, LLAMA_CPP, n), [Word(name, word, LLAMA_CPP, n) for name, word in words if word]


def batched(header: list[str], cells: list[str], n: int) -> tuple[list[Figure], list[Word]]:
    """A prompt of each of so many sequences, then steps of all of them together."""
    row = dict(zip(header, cells, strict=True))
    numbers = {column: NUMBER.fullmatch(row[column]) for column in BATCHED if column in row}
    if not all(numbers.values()):
        return [], []
    return _figures([(BATCHED[column], number[0], None) for column, number in numbers.items()], LLAMA_CPP, n), []


def _figures(stated: list[tuple], program: str, n: int) -> list[Figure]:
    """The numbers of a row; none where one is what nothing can have."""
    found = [figure_of(name, digits, unit, program, n) for name, digits, unit in stated]
    return found if all(found) else []
