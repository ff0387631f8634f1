"""A line as a thread or an app has it: in bold type or code, quoted, behind a list's dash, a comment's sign or a name, or
within JSON: what llama.cpp's server printed in early 2024, Docker keeps and collectors send.

Taken away only where what is left is a known program's line. A dash before plain words is a list in a thread, which uses the same words,
and in a diff a line that is gone.
"""

import json
import re

from engine.serving.lines.heads import printed_by
from engine.serving.lines.rule import LLAMA_CPP, SGLANG
from engine.serving.lines.whose import HEAD, whose

AROUND = re.compile(
    r"(?:>\s?){0,4}(?P<dash>\s{0,8}(?:[-*+•#]|\d{1,3}[.)])\s{1,4})?(?P<mark>\*{1,3}|_{2,3}|`{1,3}|)(?!\s)"
    r"(?:[\w.-]{1,40}-\d{1,3}\s{1,9}\| ?|[\w.-]{1,30}\[\d{1,9}\]: ?)?"  # docker compose: sglang issue 12496; an app’s “llama[2]: ”
)
POD = re.compile(
    r"(?=\S{0,90}\d)[a-z][a-z0-9]{0,40}(?:[-./][a-z0-9]{1,40}){1,12}:?\s{1,4}(?:[a-z][a-z0-9-]{0,40}\s{1,4})?(?:\| ?)?"
)  # stern
OF_SGLANG = re.compile(r"(?<!^)\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: [A-Z]{2}\d{1,4}){1,4}\] ")
OF_A_LOGGER = re.compile(r'"(?:level|levelname|severity|stream|@?timestamp|time|ts|logger)": ?[\"\d]')
FIELD = re.compile(
    r'"(?:log|message|msg|textPayload|line|text|body|event)": ?(?P<said>"(?:[^"\\]|\\.){1,20000}")[,}]|'
    r'\bmsg=(?P<quoted>"(?:[^"\\]|\\.){1,20000}")'
)
JSON_LINE = re.compile(r'\{"function":"\w{1,60}","level":"[A-Z]{4,8}","line":\d{1,6},"msg":"(?P<msg>[^"\\]{1,400})"')
OF_A_LIST = re.compile(r'\s{0,40}"(?P<line>[^"\\]{20,20000})",?\s{0,4}$')  # JSON that keeps a log as a list of its lines
LEAST_HEAD = 10  # letters of a time or a file before a message
OF_A_FUNCTION = re.compile(r"\w{3,20}_\w{2,40}\s{0,4}: |print_info: |(?:slot|srv)\s")


def unwrapped(lines: list[str]) -> list[str]:
    """The lines without what is around each of them.

    >>> unwrapped(["**GPU KV cache size: 16 tokens**", "- GPU KV cache size: 16 tokens", "llama[2]: llama_context: n_ctx = 8"])
    ['GPU KV cache size: 16 tokens', '- GPU KV cache size: 16 tokens', 'llama_context: n_ctx = 8']
    """
    is_diff = any(line.startswith("+") for line in lines)
    return [_unwrapped(line, is_diff) for line in lines]


def _unwrapped(line: str, is_diff: bool) -> str:
    """One line; as it is where it is known so, or where what is left is nobody's."""
    if (said := JSON_LINE.match(line)) and whose(said["msg"]) == LLAMA_CPP:
        return said["msg"]
    if (kept := OF_A_LIST.match(line)) and whose(kept["line"]) and _has_a_head(kept["line"]):
        return kept["line"]
    if not whose(line) and (said := _of_a_field(line)):
        return said
    if not whose(line) and (pod := POD.match(line)) and whose(rest := line[pod.end() :]) and _has_a_head(rest):
        return rest
    if not whose(line) and (head := OF_SGLANG.search(line)) and whose(line[head.start() :]) == SGLANG:
        return line[head.start() :]  # behind whatever a collector, a notebook or a model’s answer has put before it
    found = AROUND.match(line)
    if not found or not found.end() or whose(line) or (is_diff and found["dash"]):
        return line
    mark, rest = found["mark"], line[found.end() :].rstrip()
    if mark and not rest.endswith(mark):
        return line
    rest = rest[: len(rest) - len(mark)]
    return rest if whose(rest) and (mark or not found["dash"] or _has_a_head(rest)) else line


def _of_a_field(line: str) -> str:
    """The message of an object of JSON or of a logger's fields in one line, if it is a known program's; "" elsewhere.

    >>> _of_a_field('{"log":"INFO x.py:1] GPU KV cache size: 16 tokens\\\\n","stream":"stderr"}'), _of_a_field('"text": "GPU"')
    ('INFO x.py:1] GPU KV cache size: 16 tokens', '')
    """
    of_a_logger = line.lstrip()[:1] == "{" and OF_A_LOGGER.search(line[:30_000])
    found = FIELD.search(line[:30_000]) if of_a_logger or "msg=" in line[:400] else None
    try:
        said = json.loads(found["said"] or found["quoted"]).strip() if found else ""
    except ValueError:  # a sign that no JSON has
        return ""
    return said if "\n" not in said and whose(said) else ""


def _has_a_head(line: str) -> bool:
    """Whether no list of plain words has it: it names its program, a time, a file or a function."""
    known = bool(printed_by(line)) or HEAD.match(line, 0, 400).end() >= LEAST_HEAD
    return known or (whose(line) == LLAMA_CPP and bool(OF_A_FUNCTION.match(line)))
