"""What of a log belongs together: a log may hold several starts of a server, or several benchmarks one after the other.

No figure of one is held against another's: each names what it measured only together with the lines around it
(vllm-project/vllm issues 10517 and 25350; forums.developer.nvidia.com/t/354399, two benchmarks, the second cut off).
"""

from bisect import bisect
from collections import defaultdict
from dataclasses import replace

from engine.serving.lines.rule import BENCH, COMMAND, LLAMA_CPP, OFFLINE, OLLAMA, SGLANG, TGI, VLLM
from engine.serving.lines.stated import MOST_COUNT, Figure
from engine.serving.log_lines import ServerLog
from engine.serving.table_times import has_tests

ENDS = (
    "n_blocks", "kv_tokens", "concurrency", "n_now", "n_running", "answer_rate", "tokens_per_s",
)  # what a start prints that has a cache, and what it prints while it serves  # fmt: skip
MEASURED = ("ttft_ms", "tpot_ms", "itl_ms", "request_ms", "prompt_rate", "answer_rate", "answer_rate_user", "total_rate")
LOADED = (
    "kv_tokens", "n_blocks", "kv_bytes", "k_bytes", "cells", "concurrency", "full_tokens", "needed_bytes", "weight_bytes", "buffer_bytes",
)  # of a cache, or of parameters: what sums are made of  # fmt: skip
LEAST_STEPS = 8  # of an answer: llama.cpp's server counts the token that the prompt gave too, and prints “1 runs” for none
OF_A_PROMPT, OF_ITS_STEPS = ("n_prompt", "prefill_ms"), ("n_steps", "decode_ms")
OF_A_BENCHMARK = ("n_requests", "n_input", "n_output", "ttft_ms")
OF_A_RUN = ("ttft_ms", "tpot_ms", "itl_ms", "n_requests", "n_input", "n_output", "duration_s")
ASKED = {
    "n_at_most", "mean_at_once", "mean_input", "mean_output", "asked_input", "asked_output", "at_ctx", "batch_prompt", "pass_tokens",
    "pass_steps", "pass_past", "n_prompt",
}  # fmt: skip
AT_WORK, SERVERS = {"n_now", "n_running", "n_waiting", "n_done"}, {VLLM, SGLANG, TGI}
MOST_VALUES = 4
ONCE = {  # what one instance on one card states once, or again as the same number
    "kv_tokens": "tokens of a cache", "n_blocks": "blocks of a cache", "kv_bytes": "bytes of a cache",
    "block_size": "tokens of a block", "weight_bytes": "bytes of parameters", "gpu_bytes": "a device’s memory",
}  # fmt: skip


def values(log: ServerLog, name: str) -> list[Figure]:
    """The figures of that name whose values differ by more than their printing: 14.99 GiB and 14.9888 GB are one."""
    found: list[Figure] = []
    for one in sorted(log.all(name), key=lambda figure: figure.half):
        if not any(abs(one.value - other.value) <= 1.01 * (one.half + other.half) for other in found):
            found.append(one)
    return found


def the_one(log: ServerLog, name: str) -> Figure | None:
    """The figure of that name, None where there is none or several that differ."""
    found = values(log, name)
    return found[0] if len(found) == 1 else None


def only(log: ServerLog, name: str) -> int | None:
    """The whole number of that name, None where the log has none or several (a draft model prints its own)."""
    values = {figure.value for figure in log.all(name)}
    return int(values.pop()) if len(values) == 1 else None


def mixed(log: ServerLog, *names: str) -> str:
    """Why figures of these names are not held against each other: there are several programs, or several values of one; "" elsewhere.

    >>> from engine.serving.log_lines import read_log
    >>> mixed(read_log("GPU KV cache size: 16 tokens"), "kv_tokens"), mixed(
    ...     read_log("GPU KV cache size: 16 tokens\\nGPU KV cache size: 32 tokens"), "kv_tokens")[:36]
    ('', 'several tokens of a cache are printe')
    """
    if log.of_several:
        return "lines of several servers stand in it"
    servers = {one.program for one in (*log.figures, *log.words)} - {COMMAND, BENCH, OFFLINE}
    if len(servers - {OLLAMA}) > 1 or (OLLAMA in servers and servers - {OLLAMA, LLAMA_CPP}):  # ollama runs llama.cpp
        return "lines of several programs stand in it"
    if found := several(log, *names):
        return f"several {found[0]} are printed: {printed(log, found[0])}"
    return ""


def several(log: ServerLog, *names: str) -> list[str]:
    """What of these the log states in several values, in words. llama.cpp's caches are none: each has its parts in its own line."""
    found = {name: {one.program for one in values(log, name)} == {LLAMA_CPP} for name in names if len(values(log, name)) > 1}
    return [said for name, said in ONCE.items() if name in found and not (name == "kv_bytes" and found[name])]


def printed(log: ServerLog, said: str) -> str:
    """The several values that it has of one of these, as printed: no more than MOST_VALUES of them."""
    found = [
        f"{one.value:,.0f}" if one.printed.isdigit() else one.printed
        for name, words in ONCE.items()
        if words == said
        for one in sorted(values(log, name), key=lambda f: f.line)
    ]
    return ", ".join(found[:MOST_VALUES]) + f" and {len(found) - MOST_VALUES} more" * (len(found) > MOST_VALUES)


def was_last(log: ServerLog, line: int) -> bool:
    """Whether no start after this line has a cache."""
    return not any(one.line > line and one.value for name in ENDS for one in log.all(name))


def in_runs(log: ServerLog, *names: str) -> list[dict[str, Figure]]:
    """The figures of these names, by run: where one of them comes again in a later line another run has begun.

    >>> from engine.serving.log_lines import read_log
    >>> heading = "============ Serving Benchmark Result ============"
    >>> log = read_log(f"{heading}\\nSuccessful requests: 1\\nMean TTFT (ms): 9.5\\nSuccessful requests: 10")
    >>> [[figure.value for figure in run.values()] for run in in_runs(log, "n_requests", "ttft_ms")]
    [[1.0, 9.5], [10.0]]
    """
    by_line: dict[int, dict[str, Figure]] = defaultdict(dict)
    for figure in log.figures:
        if figure.name in names:
            by_line[figure.line].setdefault(figure.name, figure)
    found: list[dict[str, Figure]] = []
    for _, of_line in sorted(by_line.items()):
        if not found or found[-1].keys() & of_line.keys():
            found.append({})
        found[-1] |= of_line
    return found


def of_its_start(log: ServerLog) -> ServerLog:
    """Of several starts what the one says that has what is compared, the last whose times are held against a bound, else the last with
    a cache or parameters: a device, a model or a setting of another is not its (racek256/Poseidon: the first start on a graphics card,
    the second on a processor), and a start that loaded nothing speaks for none (dereklin/ollama: two such, behind seven loads)."""
    if not log.begins or mixed(log):
        return log
    parts = _parts(log)
    return next((part for holds in (has_a_time, has_loaded) for part in reversed(parts) if holds(part)), parts[-1])


def _parts(log: ServerLog) -> list[ServerLog]:
    """What each start says."""
    found: list[tuple[list, list]] = [([], []) for _ in log.begins]

    def part(n: int) -> int:
        return max(0, bisect(log.begins, n) - 1)

    for kind, ones in enumerate((log.figures, log.words)):
        for one in ones:
            found[part(one.line)][kind].append(one)
    loads = [tuple(n for n in log.loads if part(n) == k) for k in range(len(found))]
    timed = sorted(one.line for name in ("prefill_ms", "decode_ms") for one in log.all(name))
    # A command may stand above the first line of its start.
    of = [next((line for line in timed if line >= n), n) for n in log.together]
    return [
        replace(
            log, figures=tuple(figures), words=tuple(words), begins=(), loads=own, together=tuple(n for n in of if part(n) == k)
        )
        for k, ((figures, words), own) in enumerate(zip(found, loads, strict=True))
    ]


def has_loaded(log: ServerLog) -> bool:
    """Whether it states a cache or parameters."""
    return any(one.value for one in log.figures if one.name in LOADED)


def has_a_time(log: ServerLog) -> bool:
    """Whether it states a time whole, with what it is the time of: of a benchmark, of a batch that decodes, of a prompt or of steps."""
    batch = any(
        rate.value and all((one := log.on_line(name, rate.line)) and one.value for name in ("n_running", "n_cached"))
        for rate in log.all("tokens_per_s")
    )
    return batch or has_tests(log) or bool(last_run(log, OF_A_BENCHMARK, *OF_A_RUN)) or any(of_request(log))


def of_request(log: ServerLog) -> tuple[dict[str, Figure], dict[str, Figure]]:
    """The last request whose prompt was timed, and the last whose steps were: a pasted part may hold a count alone, and 0.00 ms is no
    time (llama-cpp-python issue 1830). Neither of a program that computes several texts or sequences: its lines are sums of all of them
    (llama-batched-bench: the prompts and the steps of every row)."""
    if log.together or any(log.all(name) for name in ("batch_prompt", "batch_seqs")):
        return {}, {}
    prompt, answer = last_run(log, OF_A_PROMPT, *OF_ITS_STEPS), last_run(log, OF_ITS_STEPS, *OF_A_PROMPT, "each_ms", "total_ms")
    if _of_an_earlier_prompt(answer):
        prompt, answer = {}, {name: answer[name] for name in OF_ITS_STEPS}
    longest = max((one.value for name in ("n_ctx", "seq_ctx") for one in log.all(name)), default=MOST_COUNT)
    prompt = prompt if prompt and prompt["n_prompt"].value <= longest else {}  # a perplexity’s many texts are no one prompt
    return prompt, answer if answer and answer["n_steps"].value >= LEAST_STEPS else {}


def _of_an_earlier_prompt(run: dict[str, Figure]) -> bool:
    """Whether prompt and steps take more than both together: then the prompt's time is an earlier call's, most of this one was kept."""
    ms = [run[name].value if name in run else 0.0 for name in ("prefill_ms", "decode_ms", "total_ms")]
    return 0 < ms[2] * 1.002 < ms[0] + ms[1]


def answers_timed(log: ServerLog) -> int:
    """How many answers have times that differ: 0.00 ms is none, and “1 runs” is of a prompt alone, as a perplexity's is."""
    runs = [run for run in in_runs(log, *OF_ITS_STEPS) if all(name in run and run[name].value for name in OF_ITS_STEPS)]
    whole = tuple(run["decode_ms"] for run in runs if run["n_steps"].value >= LEAST_STEPS)
    return len(values(replace(log, figures=whole), "decode_ms"))


def runs_stated(log: ServerLog) -> int:
    """How many values of one measure it states in lines of their own, each of another run: rows of a table, two benchmarks, two
    answers; 0 for one. A server at work prints its rate again and again, with how many requests are running or done; a number without
    its last digits is the same."""
    asked = {line: tuple(sorted((one.name, one.value) for one in ones)) for line, ones in _by_line(log, ASKED).items()}
    at_work = _by_line(log, AT_WORK)
    most = 0
    for name in MEASURED:
        runs: list[tuple[tuple, Figure]] = []
        for one in log.all(name):
            of = asked.get(one.line, ())
            known = any(of == other and abs(one.value - value.value) <= 2 * (one.half + value.half) for other, value in runs)
            if not (known or one.line in at_work or one.program in SERVERS):
                runs.append((of, one))
        most = max(most, len(runs))
    return most if most > 1 else 0


def _by_line(log: ServerLog, names: set[str]) -> dict[int, list[Figure]]:
    found: dict[int, list[Figure]] = defaultdict(list)
    for figure in log.figures:
        if figure.name in names:
            found[figure.line].append(figure)
    return found


def last_run(log: ServerLog, whole: tuple[str, ...], *besides: str) -> dict[str, Figure]:
    """The figures of the last run that has all of `whole`, none of them 0; {} where none has."""
    runs = in_runs(log, *whole, *besides)
    return next((run for run in reversed(runs) if all(name in run and run[name].value for name in whole)), {})
