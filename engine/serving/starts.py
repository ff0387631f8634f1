"""What of a log belongs together: a log may hold several starts of a server, or several benchmarks one after the other.

No figure of one is held against another's: each names what it measured only together with the lines around it
(vllm-project/vllm issues 10517 and 25350; forums.developer.nvidia.com/t/354399, two benchmarks, the second cut off).
"""

import re
from collections import Counter, defaultdict
from dataclasses import replace

from engine.serving.lines.labels import SHARES, share_of
from engine.serving.lines.rule import SGLANG, TGI, VLLM
from engine.serving.lines.stated import Figure
from engine.serving.log_lines import ServerLog

BEGINS = {"weight_bytes", "kv_bytes", "gpu_bytes", "peak_bytes", "lacking_bytes"}
ENDS = {"n_blocks", "kv_tokens", "concurrency", "needed_bytes"}
MEASURED = ("ttft_ms", "tpot_ms", "itl_ms", "request_ms", "prompt_rate", "answer_rate", "answer_rate_user", "total_rate")
ASKED = {
    "n_at_most", "mean_at_once", "mean_input", "mean_output", "at_ctx", "batch_prompt", "pass_tokens", "pass_steps", "pass_past",
    "n_prompt",
}  # fmt: skip
AT_WORK, SERVERS = {"n_now", "n_running", "n_waiting", "n_done"}, {VLLM, SGLANG, TGI}

# sgl-project/sglang pull 30147: of bench_one_batch; of a bar that vLLM draws while it works
ONE_STEP = re.compile(r"Decode \d|.{0,60}?\bProcessed prompts:.{0,200}?\best\. speed")
WORD = re.compile(r"[a-z]\w{0,20}")
LOADS = "llama.cpp: loading model from "  # of 2023, before it could load a draft beside it


def in_runs(log: ServerLog, *names: str) -> list[dict[str, Figure]]:
    """The figures of these names, by run: where one of them comes again in a later line another run has begun. What stood alone, and
    nearer to what was before it, is a remark: a comment above a benchmark is no run (vllm-project/vllm pull 15322).

    >>> from engine.serving.log_lines import read_log
    >>> log = read_log("Successful requests: 1\\nMean TTFT (ms): 9.5\\nSuccessful requests: 10")
    >>> [[figure.value for figure in run.values()] for run in in_runs(log, "n_requests", "ttft_ms")]
    [[1.0, 9.5], [10.0]]
    """
    by_line: dict[int, dict[str, Figure]] = defaultdict(dict)
    for figure in log.figures:
        if figure.name in names:
            by_line[figure.line].setdefault(figure.name, figure)
    found: list[dict[str, Figure]] = []
    lines: list[int] = []  # of the last run
    for line in sorted(by_line):
        again = found and found[-1].keys() & by_line[line].keys()
        if again and len(lines) > 1 and by_line[lines[0]].keys() == again and lines[1] - lines[0] > line - lines[-1]:
            remark = {name: found[-1][name] for name in again}
            found[-1:] = [remark, {name: one for name, one in found[-1].items() if name not in again}]
            lines = lines[1:]
        elif not found or again:
            found.append({})
            lines = []
        found[-1] |= by_line[line]
        lines.append(line)
    return found


def runs_stated(log: ServerLog) -> int:
    """How many values of one measure it states in lines of their own, each of another run: rows of a table (tenstorrent/
    tt-inference-server pull 1571), tables of two programs, answers of two versions; 0 for one. A server at work prints its rate
    again and again, with how many requests are running or done; a number without its last digits is the same, and a median beside
    a mean is another's.

    >>> from engine.serving.log_lines import read_log
    >>> rows = ["| Concurrency | TTFT (ms) |", "|---|---|", "| 1 | 212.8 |", "| 32 | 2854.5 |"]
    >>> [runs_stated(read_log(chr(10).join(rows[:n]))) for n in (3, 4)]
    [0, 2]
    """
    asked = {line: tuple(sorted((one.name, one.value) for one in ones)) for line, ones in _by_line(log, ASKED).items()}
    at_work = _by_line(log, AT_WORK)
    most = 0
    for name in MEASURED:
        runs: list[tuple[tuple, Figure]] = []
        for one in log.all(name):
            of = asked.get(one.line, ()), _shares(log.lines[one.line])
            known = any(of == other and abs(one.value - value.value) <= 2 * (one.half + value.half) for other, value in runs)
            if not (known or one.line in at_work or one.program in SERVERS or ONE_STEP.match(log.lines[one.line])):
                runs.append((of, one))
        most = max([most, *Counter(shares for (_, shares), _ in runs).values()])
    return most if most > 1 else 0


def _shares(line: str) -> frozenset[str]:
    """The shares that a line names, “median” and “p50” as one, a mean as none."""
    return frozenset(SHARES.get(word, word) for word in WORD.findall(line.casefold()) if share_of(word)) - {"ms"}


def _by_line(log: ServerLog, names: set[str]) -> dict[int, list[Figure]]:
    """The figures of these names, by line."""
    found: dict[int, list[Figure]] = defaultdict(list)
    for figure in log.figures:
        if figure.name in names:
            found[figure.line].append(figure)
    return found


def last_run(log: ServerLog, whole: tuple[str, ...], *besides: str) -> dict[str, Figure]:
    """The figures of the last run that has all of `whole`, none of them 0; {} where none has."""
    runs = in_runs(log, *whole, *besides)
    return next((run for run in reversed(runs) if all(name in run and run[name].value for name in whole)), {})


def last_start(log: ServerLog) -> ServerLog:
    """The log without what earlier starts said of their memory and cache; the settings of all of it stay.

    A start tells first what memory there is, then what the cache holds: where it tells the first again, another one began. In one line
    vLLM sums up at the end where the memory went.
    """
    of_cache: dict[int, set[str]] = defaultdict(set)
    for figure in log.figures:
        if figure.name in BEGINS | ENDS:
            of_cache[figure.line].add(figure.name)
    loads = [n for n, line in log.lines.items() if line.lstrip().startswith(LOADS)]
    begun, said = max(loads[1:], default=0), set()
    for line, names in sorted(of_cache.items()):
        if {"gpu_bytes", "peak_bytes"} <= names:
            continue
        if said & ENDS and names & said & BEGINS and not names & ENDS:
            begun, said = line, set()
        said |= names
    return replace(log, figures=tuple(one for one in log.figures if one.line >= begun or one.name not in BEGINS | ENDS))
