"""What of a log belongs together: a log may hold several starts of a server, or several benchmarks one after the other.

No figure of one is held against another's: each names what it measured only together with the lines around it
(vllm-project/vllm issues 10517 and 25350; forums.developer.nvidia.com/t/354399, two benchmarks, the second cut off).
"""

from collections import defaultdict
from dataclasses import replace

from engine.serving.lines.stated import Figure
from engine.serving.log_lines import ServerLog

BEGINS = {"weight_bytes", "kv_bytes", "gpu_bytes", "peak_bytes", "lacking_bytes"}
ENDS = {"n_blocks", "kv_tokens", "concurrency", "needed_bytes"}
MEASURED = ("ttft_ms", "tpot_ms", "itl_ms", "request_ms", "prompt_rate", "answer_rate", "answer_rate_user", "total_rate")
ASKED = {"n_at_most", "mean_at_once", "mean_input", "mean_output", "at_ctx", "batch_prompt", "pass_tokens", "pass_steps"}


def in_runs(log: ServerLog, *names: str) -> list[dict[str, Figure]]:
    """The figures of these names, by run: where one of them comes again in a later line another run has begun.

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
    for line in sorted(by_line):
        if not found or found[-1].keys() & by_line[line].keys():
            found.append({})
        found[-1] |= by_line[line]
    return found


def runs_a_line_each(log: ServerLog) -> int:
    """How many lines say both what was asked and what was measured then, where several do, as a table's rows: each is another run
    (tenstorrent/tt-inference-server pull 1571, ikawrakow/ik_llama.cpp pull 518); 0 where one alone does, or none.

    >>> from engine.serving.log_lines import read_log
    >>> rows = ["| Concurrency | TTFT (ms) |", "|---|---|", "| 1 | 212.8 |", "| 32 | 2854.5 |"]
    >>> [runs_a_line_each(read_log(chr(10).join(rows[:n]))) for n in (3, 4)]
    [0, 2]
    """
    asked = {figure.line for figure in log.figures if figure.name in ASKED}
    found = ({figure.line for figure in log.all(name)} & asked for name in MEASURED)
    return len(set().union(*(lines for lines in found if len(lines) > 1)))


def last_run(log: ServerLog, whole: tuple[str, ...], *besides: str) -> dict[str, Figure]:
    """The figures of the last run that has all of `whole`, none of them 0; {} where none has."""
    runs = in_runs(log, *whole, *besides)
    return next((run for run in reversed(runs) if all(name in run and run[name].value for name in whole)), {})


def last_start(log: ServerLog) -> ServerLog:
    """The log without what earlier starts said of their memory and cache; the settings of all of it stay.

    A start tells first what memory there is, then what the cache holds: where it tells the first again, another one began.
    """
    of_cache: dict[int, set[str]] = defaultdict(set)
    for figure in log.figures:
        if figure.name in BEGINS | ENDS:
            of_cache[figure.line].add(figure.name)
    begun, said = 0, set()
    for line, names in sorted(of_cache.items()):
        if said & ENDS and names & said & BEGINS and not names & ENDS:
            begun, said = line, set()
        said |= names
    return replace(log, figures=tuple(one for one in log.figures if one.line >= begun or one.name not in BEGINS | ENDS))
