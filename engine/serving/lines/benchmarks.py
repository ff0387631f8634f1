"""What a benchmark printed beneath a heading that only its program prints: each line a label of its list, and a number to its end.

vllm bench serve and sglang.bench_serving ("Serving Benchmark Result"; or their JSON), GenAI-Perf and AIPerf (their box), trtllm-bench
("PERFORMANCE OVERVIEW"), ollama run --verbose (which alone says how long it loaded). The same labels elsewhere are anybody's, and are left.
"""

import re
from collections.abc import Iterator

from engine.serving.lines.rule import BENCH, OLLAMA, TENSORRT
from engine.serving.lines.stated import Figure, Word, duration_of, figure_of

NUMBER = r"(?P<value>\d[\d,]{0,20}(?:\.\d{1,17})?)"
HEADING = re.compile(r"\W{0,12}={6,} ?Serving Benchmark Result ?={6,}[\s`]*$")
CLOSED = re.compile(r"\W{0,12}={20,}\W{0,4}$")
RULED = re.compile(r"\W{0,12}-{2,}[^-].{2,60}-{2,}\W{0,4}$")
BEHIND = r"(?:[\s│|]*|\s{1,40}(?:←|<-|#).{0,80})$"  # what its reader wrote there
LINE = re.compile(rf"(?P<before>[\s│|]{{0,12}})(?P<label>[A-Z#][^:]{{2,60}}:)(?P<gap>\s{{0,60}}){NUMBER}(?: ?%)?{BEHIND}")
LABEL = re.compile(r"[\s│|]{0,12}[A-Z#][^:]{2,60}:")  # of this benchmark’s, though not one that is read
WIDTH = 41  # where both programs' numbers begin
LEAST = 3  # lines whose numbers do, without their heading
SHARES = {"Mean": "ms", "Median": "median"}
LABELS = {
    "Successful requests": "n_requests", "Failed requests": "n_failed", "Benchmark duration (s)": "duration_s",
    "Total input tokens": "n_input", "Total generated tokens": "n_output", "Request throughput (req/s)": "request_rate",
    "Input token throughput (tok/s)": "prompt_rate", "Output token throughput (tok/s)": "answer_rate",
    "Total token throughput (tok/s)": "total_rate", "Total Token throughput (tok/s)": "total_rate",
    "Peak output token throughput (tok/s)": "peak_rate", "Peak concurrent requests": "n_peak",
    "Maximum request concurrency": "n_at_most", "Max request concurrency": "n_at_most", "Concurrency": "mean_at_once",
    "Traffic request rate": "asked_rate", "Request rate configured (RPS)": "asked_rate",
    "Request goodput (req/s)": "good_rate", "Accept length": "accept_len", "Acceptance length": "accept_len",
    "Acceptance rate (%)": "accepted_percent",
}  # fmt: skip
TIMED = re.compile(r"(?P<share>Mean|Median|P\d\d(?:\.\d{1,2})?) (?P<of>TTFT|TPOT|ITL|E2EL|E2E Latency) \(ms\)")
TIMES = {"TTFT": "ttft", "TPOT": "tpot", "ITL": "itl", "E2EL": "request", "E2E Latency": "request"}
KEYS = {
    "completed": "n_requests", "duration": "duration_s", "total_input_tokens": "n_input", "total_output_tokens": "n_output",
    "request_throughput": "request_rate", "output_throughput": "answer_rate", "total_token_throughput": "total_rate",
    "max_concurrency": "n_at_most", "max_concurrent_requests": "n_peak",
}  # fmt: skip
KEY_TIMED = re.compile(r"(?P<share>mean|median|p\d\d)_(?P<of>ttft|tpot|itl|e2el)_ms")
JSON = re.compile(r'"(?P<key>\w{3,40})": ?(?:(?P<value>\d{1,15}(?:\.\d{1,17})?)(?=[,}\s]|$)|"(?P<word>[^"]{1,200})")')
OF_JSON = {"completed", "duration", "total_input_tokens"}

BOX = re.compile(r"[│┃|]\s{0,60}(?:Metric|Statistic)\s{0,60}[│┃|]\s{0,20}avg\s{0,20}[│┃|]\s{0,20}min\s")
BARS = re.compile(r"[│┃|]")
CELL = re.compile(NUMBER)
UNITS = {"(ms)": "ms", "(ns)": "ns", "(s)": "s", "(us)": "us"}
OF_BOX = {
    "time to first token": "ttft_ms", "inter token latency": "itl_ms", "request latency": "request_ms",
    "output token throughput per user": "answer_rate_user", "output sequence length": "mean_output",
    "input sequence length": "mean_input", "output token throughput": "answer_rate", "request throughput": "request_rate",
    "request count": "n_requests", "num output token": "mean_output", "num input token": "mean_input",  # the last two in 2024
}  # fmt: skip

OF_TRT = re.compile(
    r"= (?:PYTORCH BACKEND|ENGINE DETAILS|WORLD \+ RUNTIME INFORMATION|REQUEST DETAILS|PERFORMANCE OVERVIEW)\s{0,4}$"
)
TRT_LABELS = {
    "TP Size": "n_devices", "PP Size": "n_stages", "Max Runtime Batch Size": "n_at_most", "Max Runtime Tokens": "batch_tokens",
    "Number of requests": "n_requests", "Number of concurrent requests": "mean_at_once",
    "Average Input Length (tokens)": "mean_input", "Average Output Length (tokens)": "mean_output",
    "Request Throughput (req/sec)": "request_rate", "Total Output Throughput (tokens/sec)": "answer_rate",
    "Total Token Throughput (tokens/sec)": "total_rate", "Average request latency (ms)": "request_ms",
    "Average time-to-first-token [TTFT] (ms)": "ttft_ms", "Average time-per-output-token [TPOT] (ms)": "tpot_ms",
    "Per GPU Output Throughput (tps/gpu)": "answer_rate_gpu", "Total Latency (seconds)": "duration_s",
    "Token Throughput (tokens/sec)": "answer_rate",  # of answers alone, in 2024
}  # fmt: skip
TRT_WORDS = re.compile(r"(?P<label>Model|Dtype|Quantization|KV Cache Dtype):\s{1,40}(?P<word>\S{1,160})\s{0,40}$")
OF_TRT_WORDS = {"Model": "model", "Dtype": "dtype", "Quantization": "quantization", "KV Cache Dtype": "kv_dtype"}
LATENCY = re.compile(r"\[Latency\] (?P<share>P\d\d|AVERAGE)\s{0,8}: (?P<value>\d[\d.]{0,16})\s{0,40}$")

VERBOSE = re.compile(
    r"\s{0,12}(?P<label>total duration|load duration|prompt eval count|prompt eval duration|prompt eval rate|eval count|eval duration|"
    r"eval rate):\s{1,20}(?P<value>(?:\d{1,4}h)?(?:\d{1,3}m(?!s))?\d[\d.]{0,15})(?P<unit>ms|µs|s| token\(s\)| tokens/s)\s{0,40}$"
)
OF_VERBOSE = {
    "total duration": "request_ms", "prompt eval count": "n_prompt", "prompt eval duration": "prefill_ms",
    "prompt eval rate": "prompt_rate", "eval count": "n_steps", "eval duration": "decode_ms", "eval rate": "answer_rate",
}  # fmt: skip
Said = Figure | Word


def benchmarks(lines: list[str]) -> Iterator[Said]:
    """Every number that one of these programs printed, with its line."""
    yield from _serving(lines)
    yield from _json(lines)
    yield from _boxes(lines)
    yield from _trtllm(lines)
    yield from _verbose(lines)


def _name(label: str) -> str | None:
    """The figure that a label of a serving benchmark's names; None for one that is not read."""
    if timed := TIMED.fullmatch(label):
        return f"{TIMES[timed['of']]}_{SHARES.get(timed['share'], timed['share'].lower())}"
    return LABELS.get(label)


def _serving(lines: list[str]) -> Iterator[Said]:
    """The lines beneath a heading, up to what is none of its; or without it those that stand in the columns of its print."""
    within = False
    aligned = set() if any(map(HEADING.match, lines)) else _aligned(lines)  # above one, it is of another that is cut off
    for n, line in enumerate(lines):
        if HEADING.match(line):
            within = True
            yield from _above(lines[n - 1] if n else "", n)
            continue
        match = LINE.match(line)
        within = within and not CLOSED.match(line) and bool(LABEL.match(line) or RULED.match(line) or not line.strip())
        name = match and (within or n in aligned) and _name(match["label"][:-1])
        if name and (found := figure_of(name, match["value"], None, BENCH, n + 1)):
            yield found


def _above(line: str, n: int) -> Iterator[Said]:
    """How many requests there may be at once, which vllm bench serve prints above its heading; n: that line, from 1."""
    match = LINE.match(line)
    if match and (name := LABELS.get(match["label"][:-1])) == "n_at_most":
        yield from filter(None, [figure_of(name, match["value"], None, BENCH, n)])


def _aligned(lines: list[str]) -> set[int]:
    """Numbers from 0 of lines of a benchmark whose heading is not in the text: one beneath the other, with known labels that are
    filled up to one width, and a time to first token among them."""
    found, block = set(), []
    for n, line in enumerate([*lines, ""]):
        match = LINE.match(line)
        if match and len(match["label"]) + len(match["gap"]) == WIDTH and _name(match["label"][:-1]):
            block.append((n, match["label"]))
        elif not RULED.match(line):
            if len(block) >= LEAST and any("TTFT" in label for _, label in block):
                found |= {k for k, _ in block}
            block = []
    return found


def _json(lines: list[str]) -> Iterator[Said]:
    """The result that vllm bench serve writes: an object with its counts and its times."""
    pairs = [(n, match) for n, line in enumerate(lines, 1) if '"' in line for match in JSON.finditer(line[:20_000])]
    keys = [match["key"] for _, match in pairs]
    if not set(keys) >= OF_JSON or "mean_ttft_ms" not in keys:
        return
    for n, match in pairs:
        timed = KEY_TIMED.fullmatch(match["key"])
        name = ""
        if timed:
            of, share = timed["of"], SHARES.get(timed["share"].title(), timed["share"])
            name = f"{'request' if of == 'e2el' else of}_{share}"
        if match["value"] and (name := name or KEYS.get(match["key"])):
            yield from filter(None, [figure_of(name, match["value"], None, BENCH, n)])
        elif match["word"] and match["key"] in ("model_id", "model_repo") and not match["word"].startswith("id_"):
            yield Word("model", match["word"], BENCH, n)


def _boxes(lines: list[str]) -> Iterator[Said]:
    """The first column of GenAI-Perf's and AIPerf's box, which is the mean, and its P99 and P50 of times."""
    heads: list[str] = []
    for n, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in BARS.split(line)[1:]]
        if BOX.search(line):
            heads = cells
            continue
        if not heads or len(cells) < 3:
            heads = heads if not line.strip() or set(line.strip()) <= set("━┏┳┓┡╇┩│─└┴┘├┼┤┠╂┨┃ ") else []
            continue
        label, _, unit = cells[0].casefold().partition(" (")
        name, unit = OF_BOX.get(label), UNITS.get(f"({unit}")
        if not name or (name.endswith("_ms") and not unit):
            continue
        for head, cell in zip(heads[1:], cells[1:], strict=False):
            share = {"avg": "", "p99": "_p99", "p50": "_median"}.get(head)
            if share is not None and CELL.fullmatch(cell) and (not share or name.endswith("_ms")):
                said = name.removesuffix("_ms") + share if share else name
                yield from filter(None, [figure_of(said, cell, unit if name.endswith("_ms") else None, BENCH, n)])


def _trtllm(lines: list[str]) -> Iterator[Said]:
    """What trtllm-bench prints beneath its headings."""
    within = False
    for n, line in enumerate(lines, 1):
        within |= bool(OF_TRT.match(line.strip()))
        match = LINE.match(line) if within else None
        name = match and TRT_LABELS.get(match["label"][:-1])
        if name:
            yield from filter(None, [figure_of(name, match["value"], None, TENSORRT, n)])
        elif within and (word := TRT_WORDS.match(line.strip())):
            yield Word(OF_TRT_WORDS[word["label"]], word["word"], TENSORRT, n)
        elif within and (late := LATENCY.match(line.strip())):
            share = "ms" if late["share"] == "AVERAGE" else late["share"].lower()
            yield from filter(None, [figure_of(f"request_{share}", late["value"], None, TENSORRT, n)])


def _verbose(lines: list[str]) -> Iterator[Said]:
    """What ollama run --verbose prints of one answer: in lines one beneath the other, with how long all of it took or the loading."""
    block: list[tuple[int, re.Match]] = []
    for n, line in enumerate([*lines, "-"], 1):
        if match := VERBOSE.match(line):
            block.append((n, match))
        elif line.strip():
            if {"total duration", "load duration"} & {match["label"] for _, match in block}:
                yield from (found for k, one in block if (found := _of_verbose(k, one)))
            block = []


def _of_verbose(n: int, match: re.Match) -> Figure | None:
    name, unit = OF_VERBOSE.get(match["label"]), match["unit"]
    if not name or name.endswith("_ms") == (" " in unit):
        return None
    if " " in unit:
        return figure_of(name, match["value"], None, OLLAMA, n)
    return duration_of(name, match["value"] + unit, OLLAMA, n)
