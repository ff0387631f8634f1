"""Tables of llama.cpp's own programs: llama-bench, llama-batched-bench and llama-sweep-bench, with their header or without it.

A row of llama-bench may be of several files: each keeps its own bytes and parameters.
"""

import re

from engine.serving.lines.measures import CELL, TEST
from engine.serving.lines.rule import LLAMA_CPP
from engine.serving.lines.stated import Figure, Word, figure_of

RATE = re.compile(r"^(?!.*\bpeak\b).*\bt/s\b(?!.*\(req\))", re.IGNORECASE)
PEAK = re.compile(r"^peak t/s(?: \(total\))?$", re.IGNORECASE)  # andysalerno/r9700-serving issue 11
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


def llama_bench(header: list[str], cells: list[str], n: int, title: str) -> tuple[list[Figure], list[Word]]:
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
    stated += [
        ("peak_rate", most[0], None) for name in header if PEAK.match(name) and (most := NUMBER.match(row[name.casefold()]))
    ]
    for column, name, form in (("size", "weight_bytes", SIZE), ("params", "n_params", PARAMS)):
        if found := form.match(row.get(column, "")):
            stated.append((name, *found.groups()))
    if size := NUMBER.fullmatch(row.get("model size [gib]", "")):  # compare-llama-bench: llama.cpp pull 4844
        stated.append(("weight_bytes", size[0], "GiB"))
    words = [("file", row.get("model", "")), ("k_type", row.get("type_k", "")), ("v_type", row.get("type_v", ""))]
    return _figures(stated, LLAMA_CPP, n), [Word(name, word, LLAMA_CPP, n) for name, word in words if word]


def batched(header: list[str], cells: list[str], n: int, title: str) -> tuple[list[Figure], list[Word]]:
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
