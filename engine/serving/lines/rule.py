"""One pattern of a line of a log, whose groups are named after what they catch.

A pattern is written with <name> for a number, <name:count> for a whole one, <name:counts> for one or one a layer,
<name:size> for bytes with their unit, <name:params>
for "8.03 B", <name:duration> for "2m7.682s", <name:word> and <name:text> for a word or a model's name, <name:line> for the rest of
a line. Repetitions are bounded, so that a long line takes no longer than its length.
"""

import re
from dataclasses import dataclass

VLLM = "vLLM"
LLAMA_CPP = "llama.cpp"
SGLANG = "SGLang"
BENCH = "a serving benchmark"
TENSORRT = "TensorRT-LLM"
TGI = "TGI"
OLLAMA = "ollama"
OFFLINE = "an offline benchmark"  # of a model without a server in between
COMMAND = "a command"  # whose program another line names
NUMBER = r"(?P<{0}>\d[\d,]{{0,20}}(?:\.\d{{1,17}})?(?:e[+-]\d{{1,2}})?)"  # “9.75e-06”: vllm-project/production-stack issue 617
COUNT = r"(?P<{0}>\d{{1,3}}(?:,\d{{3}}){{1,4}}|\d{{1,13}})(?!\w|[.,]\d)"  # “0.5” and “32k” are no counts
SIZE = NUMBER + r"\s{{0,8}}(?P<{0}_unit>GiB|GB|MiB|MB|KiB)"
PARAMS = NUMBER + r"\s{{0,2}}(?P<{0}_unit>[KMBT])\b"
OF_TRITON = r"\s{0,12}value: ?\{\s{1,12}string_value:"
DEFAULT = (
    r"(?:\$\{\w{1,40}:-|Some\(\s{0,20}|\[(?=['\"]))?"  # of a shell; as Rust prints what may be missing; vLLM’s lists of names
)
# What stands between two quotes, with its blanks: ggml-org/llama.cpp’s server of 2026 on Windows, “'E:\Ai Assistant\x.gguf'”
QUOTED = r"(?<=%s)(?=[\w./~])[^'\"`\n,;=$<]{{1,200}}(?<!\\)(?=%s)"
CAUGHT = {
    "": NUMBER, "count": COUNT, "size": SIZE, "params": PARAMS, "word": r"(?!Some\b)(?P<{0}>[\w.-]{{1,40}})",
    "duration": r"(?P<{0}>(?:\d{{1,4}}h)?(?:\d{{1,2}}m)?\d{{1,9}}(?:\.\d{{1,9}})?(?:ms|µs|s)\b)",
    "text": r"['\"]?(?![$<])(?P<{0}>" + QUOTED % ("'", "'") + "|" + QUOTED % ('"', '"') + r"|[A-Za-z]:\\[^'\"`\s,;()\[\]{{}}]{{1,200}}|"
    r"(?:\\:|\\(?=\w{{3}})(?!n[A-Z])|[^'\"`\s,;\\()\[\]{{}}]){{1,200}})",  # C:\x.gguf too
    "thousands": r"(?P<{0}>\d{{1,6}}(?:\.\d)?)(?P<{0}_unit>[kK])(?!\w)",
    "counts": r"\[?(?P<{0}>\d{{1,8}}(?:, \d{{1,8}}){{0,300}})(?!\w|\.\d)",  # a number, or one a layer
    "line": r"(?P<{0}>\S.{{0,99}})",
}  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """Whose line it is, the pattern, and a word that a line of another kind has."""

    program: str
    pattern: re.Pattern
    unless: str = ""


def rules(program: str, *texts: str, unless: str = "") -> tuple[Rule, ...]:
    """One rule a text, all of them a program's."""
    return tuple(Rule(program, re.compile(_written_out(text), re.ASCII), unless) for text in texts)


def _written_out(text: str) -> str:
    """The pattern with its names written out as groups."""
    return re.sub(r"(?<!\?P)<(\w+)(?::(\w+))?>", lambda m: CAUGHT[m[2] or ""].format(m[1]), text)
