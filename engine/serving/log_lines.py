"""The figures that vLLM, llama.cpp, SGLang and a vLLM benchmark print, read from their lines as text.

A rule is a pattern whose groups are named after what they catch. Numbers are kept with half a unit of their last printed digit,
because "3.81 GiB" says no more than 3.805 to 3.815. A line that no rule knows is left alone; nothing is executed or fetched.
Both vLLM ("Loading model weights took 14.9888 GB") and SGLang ("K size: 8.23 GB") divide by 2³⁰ and print GB.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

MAX_CHARS, MAX_LINES, SHOWN_CHARS = 200_000, 5_000, 160
GIB = 2**30
UNITS = {"GiB": GIB, "GB": GIB, "MiB": 2**20, "MB": 2**20, "KiB": 2**10, "ms": 1e-3, "s": 1.0}
VLLM, LLAMA_CPP, SGLANG, BENCH = "vLLM", "llama.cpp", "SGLang", "vLLM bench"
NUMBER = r"(?P<{}>\d[\d,]{{0,20}}(?:\.\d{{1,12}})?)"
SIZE = NUMBER + r"\s{{0,8}}(?P<{}_unit>GiB|GB|MiB|MB|KiB)"


def _rule(program: str, text: str) -> tuple[str, re.Pattern]:
    """A pattern in which <name> catches a number, <name:size> a number of bytes and <name:word> a word."""
    text = re.sub(r"<(\w+):word>", r"(?P<\1>[\\w.-]{1,40})", text)
    text = re.sub(r"<(\w+):size>", lambda m: SIZE.format(m[1], m[1]), text)
    return program, re.compile(re.sub(r"(?<!\?P)<(\w+)>", lambda m: NUMBER.format(m[1]), text))


RULES = (
    _rule(VLLM, r"\bGPU blocks: <n_blocks>"),
    _rule(VLLM, r"GPU KV cache size: <kv_tokens> tokens"),
    _rule(VLLM, r"Maximum concurrency for <n_ctx> tokens per request: <concurrency>x"),
    _rule(VLLM, r"Available KV cache memory: <kv_bytes:size>"),
    _rule(VLLM, r"\bkv_cache_size=<kv_bytes:size>"),
    _rule(VLLM, r"(?:Loading model weights took|Model loading took) <weight_bytes:size>"),
    _rule(VLLM, r"\btensor_parallel_size[=:'\" ]{1,4}<n_devices>"),
    _rule(VLLM, r"--tensor-parallel-size[= ]<n_devices>"),
    _rule(VLLM, r"\bblock_size[=:'\" ]{1,4}<block_size>"),
    _rule(VLLM, r"--block-size[= ]<block_size>"),
    _rule(LLAMA_CPP, r"\bsize\s{0,4}=\s{0,8}<kv_bytes:size>\s{0,4}\(\s{0,8}<cells> cells,\s{0,8}<n_layer> layers"),
    _rule(LLAMA_CPP, r"KV self size\s{0,4}=\s{0,8}<kv_bytes:size>"),
    _rule(LLAMA_CPP, r"K \(<k_type:word>\):\s{0,8}<k_bytes:size>, V \(<v_type:word>\):\s{0,8}<v_bytes:size>"),
    _rule(LLAMA_CPP, r"\bn_ctx\s{0,12}=\s{0,8}<n_ctx>"),
    _rule(LLAMA_CPP, r"prompt eval time\s{0,8}=\s{0,12}<prefill_ms> ms /\s{0,8}<n_prompt> tokens"),
    _rule(LLAMA_CPP, r"(?<!prompt )\beval time\s{0,8}=\s{0,12}<decode_ms> ms /\s{0,8}<n_steps> (?:runs|tokens)"),
    _rule(SGLANG, r"KV Cache is allocated\. #tokens: <kv_tokens>, K size: <k_bytes:size>, V size: <v_bytes:size>"),
    _rule(SGLANG, r"KV Cache is allocated\. #tokens: <kv_tokens>, KV size: <kv_bytes:size>"),
    _rule(SGLANG, r"max_total_num_tokens=<kv_tokens>"),
    _rule(SGLANG, r"\bcontext_len=<n_ctx>"),
    _rule(SGLANG, r"#running-req: <n_running>, #token: <n_cached>\b"),
    _rule(SGLANG, r"gen throughput \(token/s\): <tokens_per_s>"),
    _rule(SGLANG, r"--tp(?:-size)?[= ]<n_devices>"),
    _rule(BENCH, r"Successful requests:\s{1,60}<n_requests>"),
    _rule(BENCH, r"Benchmark duration \(s\):\s{1,60}<duration_s>"),
    _rule(BENCH, r"Total input tokens:\s{1,60}<n_input>"),
    _rule(BENCH, r"Total generated tokens:\s{1,60}<n_output>"),
    _rule(BENCH, r"Mean TTFT \(ms\):\s{1,60}<ttft_ms>"),
    _rule(BENCH, r"Mean TPOT \(ms\):\s{1,60}<tpot_ms>"),
    _rule(BENCH, r'"completed": ?<n_requests>'),
    _rule(BENCH, r'"duration": ?<duration_s>'),
    _rule(BENCH, r'"total_input_tokens": ?<n_input>'),
    _rule(BENCH, r'"total_output_tokens": ?<n_output>'),
    _rule(BENCH, r'"mean_ttft_ms": ?<ttft_ms>'),
    _rule(BENCH, r'"mean_tpot_ms": ?<tpot_ms>'),
)


@dataclass(frozen=True)
class Figure:
    """One number that a line states, in bytes, ms, s or tokens. half: half a unit of its last printed digit; line: from 1."""

    name: str
    value: float
    half: float
    program: str
    line: int
    printed: str


@dataclass(frozen=True)
class ServerLog:
    """What was understood. words: types of stored numbers by name ("k_type": "f16"); lines: those that said something."""

    figures: tuple[Figure, ...]
    words: dict[str, str]
    lines: dict[int, str]
    n_lines: int

    def all(self, name: str) -> list[Figure]:
        """Every figure of that name, as printed one after the other."""
        return [figure for figure in self.figures if figure.name == name]

    def last(self, name: str) -> Figure | None:
        """The last one printed: what a server says after it has been restarted or has tried again."""
        return (self.all(name) or [None])[-1]

    def value(self, name: str) -> float | None:
        """Its value; None where the log does not say."""
        figure = self.last(name)
        return figure and figure.value

    @property
    def programs(self) -> tuple[str, ...]:
        """Who printed it, in order of appearance."""
        return tuple(dict.fromkeys(figure.program for figure in self.figures))


def read_log(text: str) -> ServerLog:
    """Read a log, of at most MAX_CHARS characters and MAX_LINES lines. Raises ValueError for more, or where no rule knows a line.

    >>> log = read_log("INFO kv_cache_utils.py:524] GPU KV cache size: 2,042,016 tokens")
    >>> log.value("kv_tokens"), log.last("kv_tokens").half
    (2042016.0, 0.5)
    """
    if len(text) > MAX_CHARS:
        raise ValueError(f"Expected at most {MAX_CHARS:,} characters, got {len(text):,}: paste the start-up lines only")
    lines = text.splitlines()
    if len(lines) > MAX_LINES:
        raise ValueError(f"Expected at most {MAX_LINES:,} lines, got {len(lines):,}: paste the start-up lines only")
    figures, words, understood = [], {}, {}
    for n, line in enumerate(lines, 1):
        for program, pattern in RULES:
            for match in pattern.finditer(line):
                figures += _figures(match, program, n)
                words |= {key: word for key, word in match.groupdict().items() if key.endswith("_type")}
                understood[n] = _shown(line, match.start())
    if not figures:
        raise ValueError(
            "Found no line that vLLM, llama.cpp, SGLang or vLLM bench prints about its cache or its times: expected one such as "
            "“GPU KV cache size: 78,384 tokens”, “KV self size = 1280.00 MiB” or “KV Cache is allocated”"
        )
    return ServerLog(tuple(figures), words, understood, len(lines))


def _shown(line: str, at: int) -> str:
    """SHOWN_CHARS of a line, among them what was found at `at`."""
    first = max(0, min(at, len(line) - SHOWN_CHARS)) if at > SHOWN_CHARS // 2 else 0
    return line[first : first + SHOWN_CHARS].strip()


def _figures(match: re.Match, program: str, line: int) -> list[Figure]:
    """The numbers that one match caught."""
    caught = match.groupdict()
    found = []
    for name, digits in caught.items():
        if digits is None or name.endswith(("_unit", "_type")):
            continue
        digits = digits.rstrip(",")
        unit = UNITS[caught.get(f"{name}_unit")] if caught.get(f"{name}_unit") else 1
        value = float(digits.replace(",", ""))
        half = 0.5 * 10.0 ** -len(digits.partition(".")[2])
        printed = f"{digits} {caught[f'{name}_unit']}" if f"{name}_unit" in caught else digits
        found.append(Figure(name, value * unit, half * unit, program, line, printed))
    return found
