"""What the label of a number means: every word of it must be known, so that "TTFT improvement" and "TTFT limit" are no TTFT.

A label is a share ("P99"), words that say of what (prompt, answer, all), words that say which quantity (a time, a rate, a count, a size,
a part of a hundred), and a unit. Threads with such labels: vllm-project/vllm pulls 18566, 23867, 43276 and 7062, sgl-project/sglang
issues 8285 and 12389, ai-dynamo/aiperf issue 340, NVIDIA/TensorRT-LLM pulls 7104 and 9459, tenstorrent/tt-inference-server pull 1708,
noonghunna/club-3090 issues 851 and 1111, AlexsJones/llmfit pull 1046, InternLM/lmdeploy pull 946, LMCache/LMCache pull 2889.
"""

import re
from dataclasses import dataclass, replace


def _by_label(labels: dict[str, str]) -> dict[str, str]:
    """Each label -> the figure that it names. labels: of each figure all of its labels, with bars between them."""
    return {label: figure for figure, several in labels.items() for label in several.split("|")}


TIMES = _by_label(
    {
        "ttft": "ttft|time to first token|time to first output token|first token latency|first token time|first token",
        "tpot": "tpot|time per output token|time per token|per token latency|per output token latency",
        "itl": "itl|inter token latency|time between tokens|tbt",
        "request": "e2el|e2e|e2e latency|e2e request latency|end to end latency|request latency|end to end request latency|request time|"
        "total|total latency|total time",
        "prompt": "prefill latency|prefill time|prefill|prompt eval time|prompt time|prompt processing time",
        "answer": "decode latency|decode|decode time|generation time|decoding time|generation latency",
    }
)
SHARES = {"": "ms", "mean": "ms", "avg": "ms", "average": "ms", "ave": "ms", "median": "median", "p50": "median"}
PERCENTILE = re.compile(r"p\d{1,2}(?:\.\d{1,2})?")
COUNTED = re.compile(r"^(?:(?:total )?number of (?:total )?|total )(?!gpus)")  # of all requests, not of one
COUNTS = _by_label(
    {
        "n_requests": "successful requests|succeed requests|successful/total requests|num prompts succeeded|"
        "num requests completed|request count|completed|completed requests|finished requests|requests|"
        "n req|num requests|num prompts|sequences|prompts",
        "asked_requests": "num prompts attempted",
        "n_failed": "failed requests|failed",
        "n_output": "generated tokens|output token",
        "n_at_most": "maximum request concurrency|max request concurrency|max concurrency|maximum concurrency",
        "n_peak": "peak concurrent requests|peak concurrency",
        "mean_at_once": "concurrency|concurrent requests|concur|conc|batch size|bs|batch|users|concurrent users|num seqs|parallel",
        "accept_len": "accept length|acceptance length|accepted length|accept len",
        "asked_rate": "traffic request rate|request rate configured|request rate",
        "mean_input": "isl|input sequence length|prompt length|input len|inp len|num input token|input length|input tokens|prompt tokens|"
        "prompt len|in len|prefill length|prefill len|prefill tokens|prompt tok|input tok|input toks|input seq len|prompt size|"
        "input tokens per request",
        "mean_output": "osl|output sequence length|output len|out len|num output token|output length|output tokens|completion tokens|"
        "new tokens|decode length|decode len|decode tokens|generation length|gen len|output tok|output seq len|response tokens|"
        "generated tokens per request|output tokens per request",
        "n_cards": "gpu count|gpu number|num gpus|number of gpus|gpus|n gpus",
        # A model's config.json, LMDeploy's config.ini (its issue 1001)
        "info_layer": "num layer|num layers|num hidden layers|n layers", "info_head": "head num|num attention heads|num heads",
        "info_head_kv": "kv head num|num kv heads|num key value heads|original kv heads|n kv heads",
        "info_embd": "hidden size|hidden units|hidden dim", "info_d_head": "size per head|head dim",
        "info_ff": "inter size|intermediate size",
        "info_vocab": "vocab size", "n_devices": "tensor para size",
        "cache_tokens": "max total sequence length|max total num tokens",
        "at_ctx": "sequence length|context|context length|context size|ctx|n ctx|num ctx|ctx size|ctx len|depth|context window size",
    }
)  # fmt: skip
ALL_OF_IT = {"mean_input": "n_input", "mean_output": "n_output"}
SIZES = _by_label(
    {
        "cache_size": "context|context memory|kvcache|kv cache|kv cache size|kv cache memory|kv size|"
        "cache size|kv|kv buffer|kv cache usage|gpu kv cache",
        "weights_size": "model|parameters|weights|model weights|model size|weight size|file size|model memory|size on disk|weights memory",
        "memory": "recommended max working set size|memory|gpu memory|vram|gpu vram|gpu mem|mem",  # there, or in use: nobody says
        "planned_all": "estimated total single gpu memory usage|estimated memory|estimated vram",
        "size_bytes": "size",
        "total_bytes": "total|total memory usage|total size",
        "used_bytes": "memory used|used memory|memory usage|gpu memory usage|gpu memory used|vram used|vram usage|used vram|mem usage|"
        "currently allocated|memory in use|allocated memory|used",
        "peak_memory": "gpu peak mem|peak memory|peak memory usage|peak vram|max memory|peak gpu memory|max memory allocated|peak mem|"
        "peak rss|vram peak",
        "free_bytes": "free memory|free vram|vram free|free|available memory|memory available|free according to cuda|"
        "free gpu memory|avail mem",
        "card_bytes": "total memory|total vram|vram per gpu|memory total|vram total|device limit|total gpu memory|memory size|"
        "device memory|mem total",
        "asked_bytes": "requested|requested memory",
        "compute_bytes": "temporary buffer|compute buffer|compute buffer size|activation memory|activations|compute",
    }
)
PERCENTS = _by_label(
    {
        "accepted": "accept rate|acceptance rate|draft acceptance|draft acceptance rate|acceptance|accepted",
        "found": "cache hit rate|prefix cache hit rate|hit rate|kv cache hit rate|gpu prefix cache hit rate",
        "cache": "kv cache usage|gpu kv cache usage|kv usage|token usage",
    }
)
OF_PROMPT = {"prompt", "prefill", "processing", "input", "pp", "in", "prompts", "encode"}
OF_ANSWER = {"output", "generation", "generated", "gen", "decode", "decoding", "completion", "tg", "out", "generate",
             "predicted", "eval"}  # fmt: skip
OF_REQUESTS = {"request", "requests", "req", "reqs", "rps", "qps"}
OF_BOTH = {"total"}
RATES = {"throughput", "goodput", "tput", "tps", "rps", "qps", "thpt"}  # which say "a second" by themselves
SPEEDS = {"speed", "rate", "performance", "perf"}  # which need a unit
NEUTRAL = {"token", "tokens", "server", "serving", "aggregate", "aggregated", "agg", "overall", "combined", "system", "measured", "actual",
           "text", "wall", "and", "+", "single", "stream"}  # fmt: skip
PEAK = {"peak", "maximum", "max"}
UNITS = {"ms": "ms", "millisecond": "ms", "milliseconds": "ms", "msec": "ms", "s": "s", "sec": "s", "secs": "s", "second": "s",
         "seconds": "s", "us": "us", "µs": "us", "ns": "ns"}  # fmt: skip
BYTES = {"gib": "GiB", "gb": "GB", "mib": "MiB", "mb": "MB", "kib": "KiB"}
A_SECOND = re.compile(
    r"(?:tok|toks|token|tokens|t|(?P<requests>req|reqs|request|requests))/(?:s|secs?|second)|(?:agg )?tps|tok s|(?P<rps>rps)"
)
EACH = re.compile(  # of one device, of one request: “Per-req tok/s”, waybarrios/vllm-mlx pull 82
    r"(?:/ ?|\bper[ _-]|_per_|\btput )(?:(gpu)|user|req(?:uest)?)(?![a-zA-Z])", re.IGNORECASE
)
A_MINUTE = re.compile(r"(?:/|per[ _])min(?:ute)?(?![a-z])", re.IGNORECASE)
OF_NOTHING = {"tokens", "count", "requests", "excl. 1st token", "sum"}  # in brackets behind a label
RUNS = {
    "pre",
    "post",
    "before",
    "after",
    "old",
    "new",
    "baseline",
    "query",
    "round",
}  # of some that are compared: LMCache issue 1326
ASIDE = {"vram", "gpu", "measured", "single request"}
OF_COUNTS = {"token", "tokens", "tok", "toks", "req", "requests"}  # behind a number
DURATIONS = {"time taken for tests", "benchmark duration", "benchmark time", "duration", "total time", "elapsed time", "elapsed",
             "wall time"}  # fmt: skip

TIME, RATE, SIZE, PART, COUNT = "time", "rate", "size", "percent", "count"


@dataclass(frozen=True)
class Measure:
    """The name of a figure and its unit. kind: TIME, RATE, SIZE, PART (of a hundred, or of 1 without a unit) or COUNT."""

    name: str
    unit: str
    kind: str


def measure(label: str, own: str = "") -> Measure | None:
    """What a number with this label and, behind it, this unit of its own means; None where a word is not known or the unit is another's.

    >>> measure("P99 TTFT (ms)"), measure("mean_ttft_ms").name, measure("TTFT improvement (ms)")
    (Measure(name='ttft_p99', unit='ms', kind='time'), 'ttft_ms', None)
    >>> measure("token throughput (prompt + completion token)").name, measure("Number of prompt tokens").name, measure("TTFT")
    ('total_rate', 'n_input', None)
    >>> measure("Peak memory", "GB").name, measure("decode", "tok/s").name
    ('peak_memory', 'answer_rate')
    """
    each = EACH.search(f"{label} {own}")
    of_all = each and measure(EACH.sub("output " * (not each[1]), label), EACH.sub("", own))
    if of_all and of_all.kind == RATE:
        return replace(of_all, name=f"{of_all.name}_{'gpu' if each[1] else 'user'}")
    words, unit, bracketed = _parts(label)
    a_minute = "/min" if A_MINUTE.search(label) else ""
    if words is None or not (words or unit) or len(shares := [word for word in words if _is_share(word)]) > 1:
        return None
    unit = unit or own.casefold()
    whole, share = " ".join(word for word in words if word not in shares), SHARES.get("".join(shares), "".join(shares))
    if unit in UNITS:
        return None if bracketed & OF_NOTHING - {"excl. 1st token"} else _time(whole, share, bool(shares), UNITS[unit])
    if share not in ("ms", "median"):  # of all others the middle only
        return None
    if unit in BYTES:
        return Measure(SIZES[whole], BYTES[unit], SIZE) if whole in SIZES else None
    if unit == "%" or (not unit and whole in PERCENTS):
        return Measure(PERCENTS[whole], unit, PART) if whole in PERCENTS else None
    counted = COUNTED.sub("", whole)
    if unit in ("tok", "toks", "token", "tokens") and counted not in COUNTS:
        counted, whole = f"{counted} tokens", f"{whole} tokens"
    if name := COUNTS.get(counted) if unit in ("", "rps", *OF_COUNTS) else None:
        return Measure(ALL_OF_IT.get(name, name) if counted != whole and "token" in counted else name, "", COUNT)
    name = _rate(set(whole.split()), unit)
    if a_minute and not whole and name == "answer_rate":  # AI-Hypercomputer/inference-benchmark pull 4: of both
        name = "total_rate"
    return Measure(name, a_minute or unit, RATE) if name else None


def _is_share(word: str) -> bool:
    return word in SHARES or bool(PERCENTILE.fullmatch(word))


def _parts(label: str) -> tuple[list[str] | None, str, set[str]]:
    """The words of a label, its unit, and what stands in brackets; None where it has two units, or one that is not known."""
    text = re.sub(r"(?<=[a-z])(?=[A-Z])|\(`?-\w[^()]*\)", " ", label).casefold()  # “(-c)”: an argument
    text = re.sub(r"[\s_*`:,\[\]'\"-]+", " ", text.replace("#", "number of ").replace("+", " + ").replace("(s)", " (s)"))
    text = (
        re.sub(r" ?(?:per |/)(?:second|sec|s|min|minute)\b", "/s", text)
        .replace(" /s", "/s")
        .replace("prompt eval", "prompt")
        .strip()
    )
    bracketed = set(re.findall(r"\(([^()]*)\)", text))
    units, words = [], [word for word in re.sub(r"\([^()]*\)", " ", text).split() if word not in RUNS]
    for part in bracketed:
        said, _, a_second = part.rpartition(" ")
        if _is_share(part) or (part not in OF_NOTHING and set(part.split()) <= OF_PROMPT | OF_ANSWER | NEUTRAL):
            words += part.split()
        elif (
            said
            and A_SECOND.fullmatch(a_second)
            and all(_is_share(word) or word in OF_PROMPT | OF_ANSWER for word in said.split())
        ):
            words += said.split()  # “(average output tokens per second)”: sgl-project/sglang pull 3888
            units.append(a_second)
        elif part not in OF_NOTHING | ASIDE:
            units.append(part)
    for n in (2, 1):  # “tok s” of a name in JSON
        if not units and words and _is_unit(last := " ".join(words[-n:])):
            units, words = [last], words[:-n]
    return (words if len(units) < 2 and all(map(_is_unit, units)) else None), "".join(units), bracketed


def _is_unit(text: str) -> bool:
    return text in UNITS or text in BYTES or text == "%" or bool(A_SECOND.fullmatch(text))


def _time(whole: str, share: str, has_share: bool, unit: str) -> Measure | None:
    """A time of a request, of its first token, of each further one, or of a whole benchmark (in s)."""
    if whole in TIMES and not (unit == "s" and whole in DURATIONS):
        return Measure(f"{TIMES[whole]}_{share}", unit, TIME)
    if unit != "s" or share != "ms":
        return None
    if whole == "latency" and has_share:  # of a whole request, where it is in seconds: vllm issue 359
        return Measure("request_ms", unit, TIME)
    return Measure("duration_s", "", TIME) if whole in DURATIONS else None


def _rate(said: set[str], unit: str) -> str | None:
    """Tokens or requests a second, of prompts, of answers or of both: a throughput of something, or whatever is in tokens a second."""
    a_second, known = A_SECOND.fullmatch(unit), OF_PROMPT | OF_ANSWER | OF_REQUESTS | OF_BOTH | RATES | SPEEDS | NEUTRAL | PEAK
    if not said <= known or (unit and not a_second) or not (unit or (said & RATES and said - RATES)):
        return None
    if a_second and (a_second["requests"] or a_second["rps"]):
        return "good_rate" if "goodput" in said else "request_rate"
    if said & OF_REQUESTS:
        return None if a_second else "good_rate" if "goodput" in said else "request_rate"
    if said & PEAK:
        return None if said & OF_PROMPT else "peak_rate"
    if said & OF_PROMPT:
        return "total_rate" if said & OF_ANSWER else "prompt_rate"
    return "total_rate" if said & OF_BOTH and not said & OF_ANSWER else "answer_rate"


def share_of(label: str) -> str | None:
    """What a label says of the same measure ("avg", "P99"); None where it is another thing."""
    word = label.casefold().strip("[]() ")
    return word if word and _is_share(word) else None
