"""What a benchmark measured, by the label of the number: in a line, in JSON, or as a row or a column of a table (log_tables.py).

A label is read where every word of it is known: "TTFT improvement" and "TTFT limit" are no TTFT. A time without a unit is none.
Threads with such labels: vllm-project/vllm pulls 18566, 23867, 43276 and 7062, sgl-project/sglang issues 8285 and 12389 (lines and
JSON), AI-Hypercomputer/JetStream pull 83 (the unit behind), ai-dynamo/aiperf issue 340 (a unit and its shares in one object),
NVIDIA/TensorRT-LLM pulls 7104 and 9459, tenstorrent/tt-inference-server pull 1708 and noonghunna/club-3090 issue 851 (tables).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from engine.serving.lines.rule import BENCH
from engine.serving.lines.stated import Figure, figure_of

TIMES = {
    "ttft": "ttft", "time to first token": "ttft", "tpot": "tpot", "time per output token": "tpot", "itl": "itl",
    "inter token latency": "itl", "e2el": "request", "e2e latency": "request", "e2e request latency": "request",
    "end to end latency": "request", "request latency": "request", "end to end request latency": "request",
}  # fmt: skip
SHARES = {"": "ms", "mean": "ms", "avg": "ms", "average": "ms", "median": "median", "p50": "median",
          "p90": "p90", "p95": "p95", "p99": "p99"}  # fmt: skip
COUNTS = {
    "successful requests": "n_requests", "request count": "n_requests", "number of requests": "n_requests", "completed": "n_requests",
    "completed requests": "n_requests", "failed requests": "n_failed", "total input tokens": "n_input",
    "total generated tokens": "n_output", "total output tokens": "n_output", "maximum request concurrency": "n_at_most",
    "max request concurrency": "n_at_most", "max concurrency": "n_at_most", "#input tokens": "n_input",
    "#output tokens": "n_output", "peak concurrent requests": "n_peak",
    "concurrency": "mean_at_once", "number of concurrent requests": "mean_at_once", "accept length": "accept_len",
    "acceptance length": "accept_len",
    "traffic request rate": "asked_rate", "request rate configured": "asked_rate", "isl": "mean_input", "osl": "mean_output",
    "input sequence length": "mean_input", "output sequence length": "mean_output", "prompt length": "mean_input",
    "input len": "mean_input", "output len": "mean_output", "inp len": "mean_input", "out len": "mean_output", "batch size": "mean_at_once",
    "total requests": "n_requests", "number of total requests": "n_requests", "n req": "n_requests", "num input token": "mean_input",
    "num output token": "mean_output", "input length": "mean_input", "output length": "mean_output", "prompt tokens": "mean_input",
    "completion tokens": "mean_output", "input tokens": "mean_input", "output tokens": "mean_output", "concur": "mean_at_once",
    "conc": "mean_at_once", "concurrent requests": "mean_at_once",
}  # fmt: skip
RATES = {  # tokens a second, requests a second
    "output token throughput": "answer_rate", "output throughput": "answer_rate", "total output throughput": "answer_rate",
    "input token throughput": "prompt_rate", "total token throughput": "total_rate", "peak output token throughput": "peak_rate",
    "request throughput": "request_rate", "req throughput": "request_rate",
}  # fmt: skip
SPEEDS = {  # where "tok/s" stands beside them: noonghunna/club-3090 issue 1111, AlexsJones/llmfit pull 1046
    **dict.fromkeys(("", "throughput", "server throughput", "decode", "decode speed", "decode throughput", "tput decode", "generation",
                     "generation speed", "gen", "output", "out", "req tput"), "answer_rate"),
    **dict.fromkeys(("prefill", "prefill speed", "prefill throughput", "tput prefill", "prompt processing", "prompt", "input throughput"),
                    "prompt_rate"),
    "total": "total_rate", "eval rate": "answer_rate", "prompt eval rate": "prompt_rate",  # geerlingguy/ai-benchmarks issue 13
}  # fmt: skip
UNITS = {"ms": "ms", "millisecond": "ms", "milliseconds": "ms", "s": "s", "sec": "s", "second": "s", "seconds": "s",
         "us": "us", "µs": "us", "ns": "ns"}  # fmt: skip
A_SECOND = re.compile(r"(?:tok|toks|token|tokens|t|(?P<requests>req|reqs|request|requests))/(?:s|sec|second)|tps|(?P<rps>rps)")
OF_NOTHING = {"tokens", "count", "requests", "excl. 1st token"}  # in brackets behind a count
NUMBER = r"(?:\d{1,3}(?:,\d{3}){1,6}|\d{1,20})(?:\.\d{1,17})?(?:e[+-]\d{1,2})?"
UNIT = (
    r"(?:milliseconds?|seconds?|sec|[mµun]?s|(?:tok|toks|tokens?|t|req|reqs|requests?)/s(?:ec)?|tps|tokens?|requests?)(?![\w/])"
)
LINE = re.compile(
    r"(?P<label>#?[A-Za-z][\w /-]{0,50}?(?:\([^()]{1,24}\)(?: (?:avg|p\d\d))?)?)[\"'*]{0,3}\s{0,8}[:=][\"'*]{0,3}\s{0,60}[\"'*]{0,3}"
    rf"(?P<value>{NUMBER})(?![\d.])(?:\s?(?:±|\+/-)\s?[\d.]{{1,12}})?(?:\s{{0,2}}(?P<unit>{UNIT}))?(?!\s?%|\w)"
)
JSON = re.compile(
    r'"(?P<open>[\w ]{1,40})"\s{0,4}:\s{0,4}\{|(?P<close>\})|'
    rf'"(?P<key>\w{{1,20}})"\s{{0,4}}:\s{{0,4}}(?:"(?P<unit>[\w/]{{1,20}})"|(?P<value>{NUMBER}))'
)
OF_PROMPTS = re.compile(
    r"\W{0,12}Prefill\b"
)  # "Prefill. latency: 0.019 ms, throughput: 52553.25 token/s": sgl-project/sglang pull 564
OF_INTEREST = re.compile(
    r"batch size|len:|total time|ttft|tpot|itl|e2e|latency|token|throughput|request|concurren|accept|length|completed|duration|isl|osl|"
    r"tok/s|t/s|tps",
    re.IGNORECASE,
)
CELL = re.compile(rf"[~≈]?\s?(?P<value>{NUMBER})\s?(?P<unit>[A-Za-zµ]{{1,12}}(?:/[a-z]{{1,6}})?)?(?:\s{{0,2}}[±(].{{0,40}})?")


@dataclass(frozen=True)
class Measure:
    """The name of a figure, and its unit as the label has it. kind: "time", "rate", "speed" (a rate by its unit), "s" (a duration),
    "latency" (of a request, in s) or "count"."""

    name: str
    unit: str
    kind: str


def measure(label: str) -> Measure | None:
    """What a label means; None where a word of it is not known.

    >>> measure("P99 TTFT (ms)"), measure("mean_ttft_ms").name, measure("TTFT improvement (ms)")
    (Measure(name='ttft_p99', unit='ms', kind='time'), 'ttft_ms', None)
    """
    text = re.sub(r"[\s_*`:-]+", " ", label.casefold().replace("per second", "/s").replace(" /s", "/s")).strip()
    bracketed = re.findall(r"\(([^()]*)\)", text)
    units = [unit for unit in bracketed if unit not in OF_NOTHING]
    words = re.sub(r"\([^()]*\)", " ", text).split()
    if units and units[0] in SHARES:  # “TTFT (P99)”
        words.append(units.pop(0))
    if not units and words and (words[-1] in UNITS or A_SECOND.fullmatch(words[-1])):
        units = [words.pop()]
    if len(units) > 1 or (units and units[0] not in UNITS and not A_SECOND.fullmatch(units[0])):
        return None
    unit = units[0] if units else ""
    shares = [word for word in words if word in SHARES]
    whole = " ".join(word for word in words if word not in SHARES)
    if len(shares) > 1:
        return None
    if name := TIMES.get(whole):
        if unit not in ("", *UNITS) or OF_NOTHING.intersection(bracketed) - {"excl. 1st token"}:
            return None
        return Measure(f"{name}_{SHARES[shares[0] if shares else '']}", UNITS.get(unit, ""), "time")
    if shares and SHARES[shares[0]] != "ms":  # of counts and rates the mean only
        return None
    if whole == "latency" and shares:  # of a whole request, where it is in seconds: vllm issue 359
        return Measure("request_ms", unit, "latency")
    if whole in ("benchmark duration", "duration", "total time"):
        return Measure("duration_s", unit, "s")
    if whole in COUNTS:
        return None if unit not in ("", "rps") else Measure(COUNTS[whole], "", "count")
    if unit in UNITS:
        return None
    name, kind = (RATES.get(whole), "rate") if whole in RATES else (SPEEDS.get(whole), "speed")
    return Measure(name, unit, kind) if name and (whole or unit) else None


def share_of(label: str) -> str | None:
    """What a label says of the same measure ("avg", "P99"); None where it is another thing."""
    word = label.casefold().strip()
    return word if word and word in SHARES else None


def figure(what: Measure, digits: str, unit: str, n: int) -> Figure | None:
    """A number under its label; None where its unit is missing or another's."""
    unit = unit.casefold()
    if what.kind == "time":
        unit = what.unit or UNITS.get(unit, "")
        return figure_of(what.name, digits, None if unit == "ms" else unit, BENCH, n) if unit else None
    if what.kind == "latency":
        return figure_of(what.name, digits, "s", BENCH, n) if UNITS.get(what.unit or unit) == "s" else None
    if what.kind == "s":
        return figure_of(what.name, digits, None, BENCH, n) if UNITS.get(what.unit or unit) == "s" else None
    if what.kind in ("rate", "speed"):
        a_second = A_SECOND.fullmatch(what.unit or unit)
        if not a_second and (what.unit or unit or what.kind == "speed"):
            return None
        requests = what.kind == "speed" and (a_second["requests"] or a_second["rps"])
        return figure_of("request_rate" if requests else what.name, digits, None, BENCH, n)
    if what.kind == "count" and unit and unit not in OF_NOTHING | {"token", "req"}:
        return None
    if what.name == "mean_at_once" and digits.isdigit():  # a setting; a mean is printed with its decimals
        return figure_of("n_at_most", digits, None, BENCH, n)
    return figure_of(what.name, digits, None, BENCH, n)


def measured(lines: list[str]) -> Iterator[Figure]:
    """Every number of these lines whose label is a measure's, tables apart."""
    for n, line in enumerate(lines, 1):
        if OF_INTEREST.search(line):
            for match in LINE.finditer(line.replace(" per second", "/s")):
                what = measure(match["label"])
                if what and (found := figure(what, match["value"], match["unit"] or "", n)):
                    yield replace(found, name="prompt_rate") if what.kind == "speed" and OF_PROMPTS.match(line) else found
    yield from _in_objects(lines)


@dataclass
class _Object:
    """One object of JSON: its key, its unit, and its numbers with their lines."""

    key: str
    unit: str = ""
    numbers: list[tuple[str, str, int]] = field(default_factory=list)

    def figures(self) -> Iterator[Figure]:
        for key, digits, n in self.numbers:
            what = measure(f"{key} {self.key}") if share_of(key) else None
            if what and (found := figure(what, digits, self.unit, n)):
                yield found


def _in_objects(lines: list[str]) -> Iterator[Figure]:
    """Shares of a measure that has an object of its own; the last one may be cut off."""
    within = []
    for n, line in enumerate(lines, 1):
        for match in JSON.finditer(line) if '"' in line or "}" in line else ():
            if match["open"]:
                within.append(_Object(match["open"]))
            elif match["close"]:
                yield from within.pop().figures() if within else ()
            elif within and match["value"]:
                within[-1].numbers.append((match["key"], match["value"], n))
            elif within and match["key"] == "unit":
                within[-1].unit = match["unit"].replace("requests/sec", "req/s")
    for one in within:
        yield from one.figures()
