"""Lines that belong together read as one text: a command that goes on in the next line, and its arguments as a list of YAML or JSON.

A terminal's width cuts in the middle of a word: lines of one same length, after which a small letter begins, go on too
(tenstorrent/tt-inference-server issue 246; one line of vLLM's in six: vllm-project/vllm issue 9738).

What a list holds is read as the command that it makes: `command:`, then `- --max-model-len` and `- "8192"`, is "command:
--max-model-len 8192" (Sandermage/genesis-vllm-patches issue 1; vllm-project/vllm issue 51041 has a folded text beneath its key).
"""

import re
from collections import Counter

from engine.serving.lines.whose import HEAD, whose

MOST_JOINED = 60  # lines of one command
LEAST_WIDTH = 60  # letters of a terminal's line
LEAST_HEAD = 10  # letters of a time or a file before a message
GOES_ON = ("\\", " ^", " `")  # in bash, in cmd.exe, in PowerShell
# Rust’s values and Triton’s: TGI issue 2842, tensorrtllm_backend issue 59.
WITHIN = re.compile(r"(?:Some\(|\bkey: ?\"\w+\"|\bvalue: ?\{)$")
ITEM = re.compile(r"""^(?P<indent>\s*)(?:-\s+(?P<yaml>(?!kv\s).*)|(?P<json>["'][^"']*["']),?)$""")
KEY = re.compile(r"^(?P<indent>\s*)(?:- )?[\"']?(?:command|args|\w*[aA]rgs)[\"']?:\s*(?:[>|][+-]?|\[)?$")
COMMAND = re.compile(r"\b(?:python3?|vllm|docker|llama-\w+|trtllm-\w+|sglang|serve)\b(?!.*:\s*$)")
ARGUMENT = re.compile(r"\s+--?[a-zA-Z]")  # of the line before, though that does not say that it goes on: TensorRT-LLM issue 401
FLAG = re.compile(r"""^["']?-{1,2}[a-zA-Z]""")
CUT = re.compile(r"(?!\w{1,40}: |(?:slot|srv)\s{1,12}\w{3,24}\(?\)?:)[a-z,.;:)=_/'\]}-]|\d{1,7}[,)]|(?:None|True|False)[,)]")
DUMP = re.compile(
    r"\bwith config: |\bnon-default args: |\bargs: Namespace\(|\bserver_args=(?:ServerArgs\(|\{)|\bArgs \{|\bserver config\"? env="
)
OF_OLLAMA = re.compile(r"\s{0,8}time=\S{10,40} level=[A-Z]{4,5} source=\S{3,60}(?: msg=(?:\w{1,40}|\"[^\"]{0,200}\"))?\s{0,8}$")
OPENED = re.compile(r"(?:\bwith config:|\bargs: \{|\bserver_args=\{|\bServerArgs\(|\bNamespace\()\s{0,4}$")  # vlm-run/vlmbench
OF_SETTINGS = re.compile(r"\s{1,12}(?P<said>['\"]?\w{2,40}['\"]?\s?[=:]\s?\S.{0,2000})$")
OF_A_LIST = re.compile(r"\b\w{2,40}=[^\s,]{1,40},\s{0,4}$")  # “max_total_num_tokens=695104,”
OF_ITS_LINE = re.compile(r"\s{1,12}(?=(?:[\w.]{2,40}|\"[^\"]{2,40}\")=)(?P<said>.{1,2000}?)(?:\s{1,40}(?:←|<-).{0,200})?$")
COMMENT = re.compile(r"^\s*#")
# An argument, or a statement of Python, in a traceback too: vllm-project/vllm issue 1056.
COMMENTED_OUT = re.compile(r"^\s*#\s*(?:- +)?[\"']?--?[a-zA-Z]|^\s{0,40}(?:\d{1,4}\s{1,8})?#\s{0,8}\w{1,30} ?= ?\w{1,30}\(")
STARTED = r"(?:vllm serve|python[\d.]{0,5} -m (?:vllm|sglang)|docker run|llama-server|ollama run|sglang serve|trtllm-serve)\s"
OF_A_SCRIPT, OF_A_COMMENT = re.compile(rf"\s*{STARTED}"), re.compile(rf"\s*#\s{{0,4}}{STARTED}")
ADVICE = re.compile(
    r"\b(?:you (?:can|may|could|should|might)|try(?:ing)?|consider|increas(?:e|ing)|decreas(?:e|ing)|reduc(?:e|ing)|rais(?:e|ing)|"
    r"lower(?:ing)?|please|instead|recommend\w*|suggest\w*|should|deprecated|if you|e\.g\.|for example|such as|"
    r"may|might|could|avoid(?:ing|s)?|prevent(?:ing|s)?|in case of)\b",
    re.IGNORECASE,
)
INSTEAD = re.compile(
    r"\s{0,4}(?:(?:Then|Or|Else|So),? )?(?i:use|set|add|pass|specify|change|choose)(?: [\w-]{1,20}){0,3} ['\"`*]{0,3}(?:--)?"
)
WORDS = re.compile(
    r"(?<![\w./=-])(?:I|you|we|is|are|was|the|with|but|and|when|because|if|which|that|not|gets?|works?|my|your|it|about|than)(?![\w./=-])"
)
APART = re.compile(r"'[^']{0,2000}'|\"[^\"]{0,2000}\"|\s#.{0,400}$|&&")  # what a command holds that may be a sentence itself
MOST_BEFORE = 160  # letters of an advice before what it advises
LEAST_WORDS = 2  # of a sentence, before a text that begins as a command does is one
OF_A_DIFF = ("+", "-", " ", "@@", "diff ", "index ")
Statement = tuple[int, list[int], str]  # number of its first line, where its lines begin, text


def statements(lines: list[str]) -> list[Statement]:
    """Each line, or the lines that make one command, with where these begin in its text.

    >>> statements(["vllm serve " + chr(92), "  a/b", "c"])
    [(1, [0, 11], 'vllm serve   a/b'), (3, [0], 'c')]
    >>> statements(["args:", "  - --tp", "  # of one node", "  - '8'", "c"])
    [(1, [0, 6, 11, 11], 'args: --tp 8'), (5, [0], 'c')]
    >>> answer, speed = "[GIN] " + "x" * 84, "slot print_timing: id  0"  # ollama's answers all have one length, 90: none is cut off
    >>> [text for _, _, text in statements([answer, speed, answer, speed])] == [answer, speed] * 2
    True
    """
    found, n, lines = [], 0, ["" if COMMENTED_OUT.match(line) else line for line in after_a_diff(lines)]
    if any(map(OF_A_SCRIPT.match, lines)):  # a root’s shell shows “#” too, but then before every command
        lines = ["" if OF_A_COMMENT.match(line) else line for line in lines]
    lengths = Counter(len(line) for line in lines if len(line) >= LEAST_WIDTH)
    while n < len(lines):
        cut = 0
        while cut < MOST_JOINED and not lines[n][:1].islower() and lengths[len(lines[n + cut])] > 1 and _goes_on(lines, n + cut):
            cut += 1
        cut = max(cut, _of_a_dump(lines, n))
        parts = _continued(lines, n) or _listed(lines, n) or _broken(lines, n) or lines[n : n + 1 + cut]
        starts, text = [0], parts[0]
        for part in parts[1:]:
            text += " " * (not cut and not text.endswith(" "))
            starts.append(len(text))
            text += part
        found.append((n + 1, starts, text))
        n += len(parts)
    return found


def is_advice(text: str, at: int) -> bool:
    """Whether what stands before a setting's name at this place, in this sentence, advises: a program's own line too, “You can increase
    that size using `--max-total-tokens=8192`” of TGI's.

    >>> is_advice("Out of memory. Try `x=2`", 20), is_advice("Please wait. Default `x` to 2", 22), is_advice("You can set it. x: 2", 16)
    (True, False, True)
    >>> is_advice("You can set it. n=2", 16)  # as vLLM counts its preemptions, behind an advice
    False
    """
    before, _, said = text[max(0, at - MOST_BEFORE) : at].rpartition(". ")
    begins_so = not re.search(r"\w", said) and re.match(r"[\w.-]{1,60}['\"`*]{0,3}\s{0,4}:", text[at : at + 80])
    begins_so = begins_so or INSTEAD.fullmatch(said)  # “Try this. Use x: 2”
    return bool(ADVICE.search(before.rpartition(". ")[2] if begins_so else said))


def is_a_sentence(text: str) -> bool:
    """Whether a text that begins as a command does goes on as a sentence.

    >>> is_a_sentence("vllm serve with --tp 4 is slow but works"), is_a_sentence("vllm serve x --tp 4 # the one that works")
    (True, False)
    """
    return len({word.casefold() for word in WORDS.findall(APART.sub(" ", text[:2000]))}) >= LEAST_WORDS


def _goes_on(lines: list[str], n: int) -> bool:
    """Whether what a terminal's width cut off goes on in the next line: no line of its own begins so."""
    return any(map(CUT.match, lines[n + 1 : n + 2]))


def after_a_diff(lines: list[str]) -> list[str]:
    """The lines that a diff leaves (red-hat-data-services/agentic-starter-kits pull 51); others as they are.

    >>> after_a_diff(["+ --tp 2", "- --tp 4", " x"]), after_a_diff(["- a", "+---+", "b"])
    ([' --tp 2', '', 'x'], ['- a', '+---+', 'b'])
    """
    whole = all(line.startswith((*OF_A_DIFF, "```")) for line in lines if line.strip())
    is_diff = whole and any(line.startswith("+") for line in lines)
    return ["" if line.startswith("-") else line[1:] for line in lines] if is_diff else lines


def _of_a_dump(lines: list[str], n: int) -> int:
    """How many more lines a list of settings has that a terminal cut at its width: those behind a line that is as long as its first,
    as long as none of them begins as a line of its own does."""
    width, more = len(lines[n]), 0
    if width < LEAST_WIDTH or not DUMP.search(lines[n] + "".join(lines[n + 1 : n + 2])[:40]):
        return 0
    while (
        more < MOST_JOINED
        and n + more + 1 < len(lines)
        and len(lines[n + more]) in (width, width - 1)
        and _has_no_head(lines[n + more + 1])
    ):
        more += 1
    return more


def _has_no_head(line: str) -> bool:
    """Whether a line begins as the rest of another one may."""
    bare = bool(line.strip()) and (not whose(line) or bool(DUMP.search(line, 0, 60)))
    return bare and HEAD.match(line, 0, 400).end() < LEAST_HEAD


def _broken(lines: list[str], n: int) -> list[str]:
    """A line of ollama's whose fields its reader has put in lines of their own, indented, or a list of settings that goes on in such;
    [] for any other."""
    listed = OPENED.search(lines[n][-80:]) or OF_A_LIST.search(lines[n][-60:])
    if not OF_OLLAMA.match(lines[n]) and not (listed and (whose(lines[n]) or DUMP.search(lines[n] + " "))):
        return []
    parts, line_of = [lines[n]], OF_SETTINGS if listed else OF_ITS_LINE
    while len(parts) < MOST_JOINED and n + len(parts) < len(lines) and (more := line_of.match(lines[n + len(parts)])):
        parts.append(more["said"])
    return parts if len(parts) > 1 else []


def _continued(lines: list[str], n: int) -> list[str]:
    """The lines of a command each of which says that it goes on."""
    parts = []
    of_command = bool(COMMAND.search(lines[n]))
    while (
        n < len(lines)
        and len(parts) < MOST_JOINED
        and (
            (line := lines[n].rstrip()).endswith(GOES_ON)
            or WITHIN.search(line)
            or (of_command and ARGUMENT.match("".join(lines[n + 1 : n + 2])))
        )
    ):
        parts.append(line[: -1 if line.endswith(GOES_ON) else None])
        n += 1
    return [*parts, *lines[n : n + 1]] if parts else []


def _listed(lines: list[str], n: int) -> list[str]:
    """A key of arguments and the items or the text beneath it, or a list of arguments alone; [] where no argument is in it."""
    key = KEY.match(lines[n].rstrip())
    parts, at = [lines[n].strip().rstrip("[>|+- ")] if key else [], n + bool(key)
    first = ITEM.match(lines[at].rstrip()) if at < len(lines) else None
    for line in lines[at : at + MOST_JOINED]:
        item = ITEM.match(line.rstrip())
        if COMMENT.match(line) or not line.strip():  # a comment, or a line that a diff took away
            parts.append("")
        elif first and item and item["indent"] == first["indent"]:
            parts.append((item["yaml"] or item["json"] or "").strip("\"'"))
        elif key and not first and line.strip() and len(line) - len(line.lstrip()) > len(key["indent"]):
            parts.append(line.strip())
        else:
            break
    return parts if any(map(FLAG.match, parts)) else []
