"""What stands before a line's own text: who collected it, and which program printed it.

A log reaches a thread through systemd, Docker, Kubernetes or a terminal with colours, or quoted in an answer; the lines are the same.
"""

import re
from collections import Counter

from engine.serving.lines.rule import OLLAMA, SGLANG, TENSORRT, TGI, VLLM

COLOURS = re.compile(r"\x1b\[[\d;]{0,20}[A-Za-z]|\[\d{1,3}(?:;\d{1,3}){0,4}m")
QUOTED = re.compile(r"(?:> ?){1,4}")
SERVICE = re.compile(r"(?P<name>[\w.-]{1,40}?)(?:\s{1,30}\| ?|\s{0,30}$)")  # docker compose: vllm-project/vllm issue 15483
COLLECTED = re.compile(
    # systemd: ollama issues 10417 and 13312, ProxmoxVED issue 2047; 11744, without the machine; 9245, in Chinese
    r"(?:\w{2} )?\w{2,9}\.? {1,2}\d{1,2} \d\d:\d\d:\d\d(?:\.\d{1,9})?(?:: | (?:\S{1,60} )?[\w./@-]{1,40}(?:\[\d{1,9}\])?: )|"
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?[+-]\d\d:?\d\d \S{1,60} [\w./@-]{1,40}\[\d{1,9}\]: |"  # journalctl -o short-iso
    r"[^\t]{1,80}\t[^\t]{1,80}\t\ufeff?\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}Z |"  # gh run view --log
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6,9}(?:Z|[+-]\d\d:\d\d) (?! )(?:std(?:out|err) F )?|"  # Kubernetes: vllm issue 34016
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d [\w.-]{1,60}-\d{1,3}\s{1,30}\| ?|"  # of Docker Desktop
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} \[\w{4,7}\] \(\w{1,30}\) "  # lemonade-sdk/vllm-rocm issue 5
)
LEAST = 3  # lines with one same name before their bar
PRINTED_BY = (
    (
        OLLAMA,
        re.compile(
            r"\bollama(?:\.exe)?\[\d{1,9}\]: |\blevel=[A-Z]{4,5} source=\w{1,30}\.go:\d|"
            r"\b\d{4}/\d\d/\d\d \d\d:\d\d:\d\d\s{1,8}\w{1,30}\.go:\d|\bmemory\.(?:required|weights|graph)\.\w{2,12}=|"
            r"\blayers\.(?:model|offload|real)=\d|\brunner\.(?:name|size|vram|num_ctx|parallel)=|"
            r"\bOLLAMA_\w{3,30}:\S{0,90} OLLAMA_\w{3,30}:|"
            r"\bmsg=\"?(?:kv cache|model weights|compute graph|inference compute|gpu memory|total memory|load)\b|"
            r"\bParallel:\d{1,4} BatchSize:\d"
        ),
    ),
    (TENSORRT, re.compile(r"\[(?:TensorRT-LLM|TRT-LLM)\]|\[BENCHMARK\] (?:batch_size|\S{1,40} \S{1,90} world_size|world_size) ")),
    (TGI, re.compile(r"\btext_generation_(?:launcher|router)\b")),
    (
        VLLM,
        re.compile(
            r"\((?:APIServer|EngineCore|Worker|VllmWorker)[\w =]{0,30}\bpid=\d|"
            r"\b(?:DEBUG|INFO|WARNING|ERROR) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./]{1,60}\.py:\d"
        ),
    ),
    (SGLANG, re.compile(r"^\[\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?: DP\d{1,4})?(?: TP\d{1,4})(?: EP\d{1,4})?\]")),
)

AT_THE_END = re.compile(r"\}: text_generation_router(?:::\w{1,30}){0,4}: ")  # behind what was asked of it, however long that is

# Programs whose lines are partly vLLM’s, which they come from: dphnAI/sonar issue 362, lightseekorg/tokenspeed pull 174.
INHERITS = (
    ("Aphrodite", re.compile(r"\baphrodite(?:[._-]engine|[.][a-z]|/[a-z_]+/\w+\.py| run\b)|\bAphrodite Engine\b", re.IGNORECASE)),
    ("TokenSpeed", re.compile(r"\btokenspeed(?: serve\b|[.][a-z]|/\w+/\w+\.py)", re.IGNORECASE)),
)


def heir_of_vllm(lines: list[str]) -> str:
    """The program that names itself in one of these lines and prints vLLM's lines as well; "" where none does.

    >>> heir_of_vllm(["INFO: # GPU blocks: 3385", "INFO: Initializing the Aphrodite Engine (v0.5)"]), heir_of_vllm(["vllm serve x"])
    ('Aphrodite', '')
    """
    return next((name for line in lines for name, mark in INHERITS if mark.search(line, 0, 400)), "")


def printed_by(line: str) -> str:
    """The program that a line names as its own; "" where it names none.

    >>> printed_by("[TensorRT-LLM][INFO] MPI size: 4"), printed_by("MPI size: 4")
    ('TensorRT-LLM', '')
    """
    behind = TGI if AT_THE_END.search(line[-200:]) else ""
    return next((program for program, mark in PRINTED_BY if mark.search(line, 0, 2000)), behind)


def several_servers(lines: list[str]) -> bool:
    """Whether docker compose names several services each of which prints lines of vLLM or another that names itself: two servers in
    one file (of one model for pictures, of one for texts), none of whose values is the other's.

    >>> several_servers(["a-1  | INFO 01-02 03:04:05 [x.py:1] m"] * 3 + ["b-1  | INFO 01-02 03:04:05 [x.py:1] m"] * 3)
    True
    """
    found = Counter(match["name"] for line in lines if (match := SERVICE.match(line)) and printed_by(line[match.end() :]))
    return sum(n >= LEAST for n in found.values()) > 1


def without_heads(lines: list[str]) -> list[str]:
    """The lines without what collected them has put before them.

    >>> without_heads(["vllm-1  | a", "vllm-1  | b", "vllm-1  |  c"]), without_heads(["Jul 24 21:50:06 vega ollama[13]: n_ctx = 2"])
    (['a', 'b', ' c'], ['n_ctx = 2'])
    """
    services = Counter(match["name"] for line in lines if (match := SERVICE.match(line)))
    of_docker = {name for name, n in services.items() if n >= LEAST and 2 * n >= len(lines)}
    found = []
    for line in lines:
        line = COLOURS.sub("", line)
        line = line[match.end() :] if (match := QUOTED.match(line)) else line
        line = line[match.end() :] if (match := SERVICE.match(line)) and match["name"] in of_docker else line
        found.append(line[match.end() :] if (match := COLLECTED.match(line)) else line)
    return found
