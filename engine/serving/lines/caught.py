"""The words and numbers that one match of a rule caught, with the units that its program prints."""

import re

from engine.serving.lines.rule import LLAMA_CPP
from engine.serving.lines.stated import Figure, Word, duration_of, figure_of

NO_NAME = re.compile(
    r"[A-Za-z]:\\[^.\\]*|.*\\|[\W_]*(?:[xX]{3,}[\W_]*)?|[A-Z]|[Mm]odel(?:_(?:file|path|name|id|dir))?|\.\.\..*|.*(?:-|\.\.\.(?:/.?)?)|"
    r".*%\w+%.*|.*\$.*|(?:.*[/\\_-])?(?i:path[/\\_-]to[/\\_-](?:the|your|my)?[/\\_-]?\w{0,20}model\w{0,20}(?:\.\w{1,12})?|your[_-][\w-]*)"
)  # “...”, “/.../L”, “XXXX”, “M”: TensorRT-LLM issue 1400, vllm issue 11126; “...nderer_num_workers” of a text that is cut in the middle
UNNAMED = re.compile(  # what stands where a file has no name (llama.cpp prints “n/a”), or a program found none
    r"[\W_]*(?:n\W{0,2}a|none|null|nil|nan|unknown|undefined|unnamed|untitled|no[ _-]?name|not (?:available|set|specified))[\W_]*",
    re.IGNORECASE,
)
OF_A_DEVICE = re.compile(r" \((?![^()]*\d ?[MG]i?B\b)(?=[^()]*[A-Z]{2}|[^()]*gfx)[\w .,/-]{3,60}\)")
IN_A_FOLDER = re.compile(r"[A-Za-z]:\\|[/~.]")
GOES_ON = re.compile(r" (?![-/'\"(])[^\s'\"=:]*[\\/][^\s'\"=:]|(?: [\w.-]+){1,4}\.gguf\b")
FILES = {"model", "model_file", "served"}
NAMES = {"model", "model_file", "device", "served", "arch"}
WORDS = ("model", "model_file", "dtype", "quantization", "kv_dtype", "k_type", "v_type", "arch", "device", "data_parallel",
         "served", "refused", "no_room", "too_little_free", "loaded_as", "experts_as", "ran_out", "blob", "asked_kv_type")  # fmt: skip

# Of a German terminal: ggml-org/llama.cpp pull 1773. llama.cpp puts no comma between thousands.
DECIMALS, FRACTIONS = re.compile(r",(?=\d{1,9}$)"), {"bits_a_weight", "accepted_percent", "accepted_share", "accept_len"}


def words(match: re.Match, program: str, line: int) -> list[Word]:
    caught = match.groupdict()
    said = {name: (caught.get(name) or "").strip() for name in WORDS}
    said["device"] += _in_brackets(match) if said["device"] and not re.search(r"\d", said["device"]) else ""
    return [
        Word(name, printed, program, line)
        for name, printed in said.items()
        if "sha256-" not in printed
        and not NO_NAME.fullmatch(printed)
        and not (name in NAMES and UNNAMED.fullmatch(printed))
        and not _cut_off(match, name)
    ]


def _in_brackets(match: re.Match) -> str:
    """What stands in brackets behind a device's name that has no number: of “Graphics (RADV GFX1201)” the name alone is many devices'."""
    found = OF_A_DEVICE.match(match.string, match.end("device"))
    return found[0] if found else ""


def _cut_off(match: re.Match, name: str) -> bool:
    """Whether a word in quotes ends where the text ends, before they are closed; or in a part that something else fills in."""
    text, start, end = match.string, *match.span(name)
    if start < 0:
        return False
    if name in NAMES and (text[end : end + 1] == "{" or _half_a_path(text[start:end], text[end:])):
        return True
    quote = text[start - 1 : start] if start else ""
    if quote not in ("'", '"'):
        return False
    return end == len(text.rstrip()) or (name in FILES and not text[end:].lstrip("\\").startswith(quote))


def _half_a_path(caught: str, rest: str) -> bool:
    """Whether a file's path is cut at a blank within it, or before its last part: what is left is a folder's name."""
    if not IN_A_FOLDER.match(caught):
        return False
    last = re.split(r"[/\\]", caught.rstrip("/"))[-1]
    return not re.search(r"[a-zA-Z]", last) or bool(GOES_ON.match(rest))


def figures(match: re.Match, program: str, line: int) -> list[Figure]:
    """The numbers that one match caught; a line with a number that nothing can have is left alone."""
    caught = match.groupdict()
    found = []
    for name, digits in caught.items():
        if digits is None or name in WORDS or name.endswith("_unit"):
            continue
        if ", " in digits:  # one a layer
            found += [figure_of(name, one, None, program, line) for one in dict.fromkeys(digits.split(", "))]
            continue
        if name.endswith("_ms") and digits[-1] == "s":
            figure = duration_of(name, digits, program, line)
        elif name.endswith("_mib"):
            figure = figure_of(name.removesuffix("_mib"), digits, "MiB", program, line)
        elif name.endswith("_gib"):
            figure = figure_of(name.removesuffix("_gib"), digits, "GiB", program, line)
        elif name.endswith("_ns"):
            figure = figure_of(f"{name[:-2]}ms", digits, "ns", program, line)
        else:
            unit = caught.get(f"{name}_unit")
            if (
                program == LLAMA_CPP
                and digits.count(",") == 1
                and "." not in digits
                and (unit or name in FRACTIONS or name.endswith(("_ms", "_rate")))
            ):
                digits = DECIMALS.sub(".", digits)
            unit = "Ki" if (name, unit) == ("n_ctx", "K") else unit  # vLLM’s 1k is 1,000, its 1K 1,024
            figure = figure_of(name, digits.rstrip(","), unit, program, line)
        if not figure:
            return []
        found.append(figure)
    return found
