"""What a log says of a draft model: its name, length, parameters and cache are not those of the model that it drafts for."""

import re
from collections import defaultdict

CONFIG = re.compile(  # of vLLM, as arguments, in Python, in JSON
    r"speculative[_-]config[\"']?[\s=:,]{0,4}[\"']?(?:SpeculativeConfig\(|\{)[^{}()]{0,600}", re.ASCII
)
LONGER = re.compile(r"Overriding draft model max model len from (\d{1,9})\b")  # vLLM, behind “Using max model len”
RANK = re.compile(r"\[[\d -]{10}[ T][\d:.,]{8,12}(?P<rank>[ \w]{0,30})\] ?(?P<said>.*)", re.ASCII)  # SGLang
# Which names no rank.
UNDER_DYNAMO = re.compile(r"(?P<rank>)[\dT:.Z-]{20,30}\s{1,4}[A-Z]{4,5}\s{1,4}[\w.]{3,80}: (?P<said>.*)", re.ASCII)
OF_A_DRAFT = re.compile(
    r"Load weight end\..{0,120}?\btype=(?:DFlash\w*|\w*(?:[Ee]agle|EAGLE|NextN|MTP|Medusa|Draft|DSpark)\w*)\b", re.ASCII
)
RESOLVED = re.compile(r"\bResolved architecture: \w{0,60}(?:Eagle|EAGLE|MTP|Medusa|Draft|DFlash|DSpark|Speculator)")
OF_AN_ENGINE, OF_A_LENGTH = (
    re.compile(r"\bwith config: .{0,6000}?, max_seq_len=(\d{1,9})\b"),
    re.compile(r"\bUsing max model len (\d{1,9})\b"),
)
OF_OTHERS = re.compile(  # huggingface/text-embeddings-inference issue 305; noonghunna/club-3090 issue 1124: a draft’s block of 8
    r"text_embeddings_router::|\bcommon_speculative_(?:impl_\w{1,40}: - |\w{1,40}: (?=.{0,40}\bn_ctx\b))"
)


def of_a_draft(text: str, at: int) -> bool:
    """Whether this place of a text lies in the configuration of a draft.

    >>> text = "{'model': 'a/b', 'speculative_config': {'model': 'a/c'}, 'max_num_seqs': 8}"
    >>> [of_a_draft(text, text.index(part)) for part in ("a/b", "a/c", "8}")]
    [False, True, False]
    """
    return any(match.start() <= at < match.end() for match in CONFIG.finditer(text))


def without_drafts(lines: list[str]) -> list[str]:
    """The lines with nothing in those of a draft: between the two headings of llama-speculative (ggml-org/llama.cpp pull 18039), and
    where vLLM and SGLang load one. Lines of a server of embeddings are of no model that answers.

    >>> without_drafts(["a", "draft:", "eval time = 1 ms", "target:", "eval time = 9 ms"])
    ['a', '', '', 'target:', 'eval time = 9 ms']
    """
    lengths = {f"Using max model len {length}" for length in _of_drafts(lines)}
    pools: dict[str, bool] = defaultdict(bool)  # of each rank, whether the model has its own already
    found, drafts, has_one = [], False, any(map(OF_A_DRAFT.search, lines))
    for line in lines:
        drafts = (drafts or line.strip() == "draft:") and line.strip() != "target:"
        of_draft = drafts or any(line.rstrip().endswith(length) for length in lengths) or (has_one and _of_sglang(line, pools))
        found.append("" if of_draft or OF_OTHERS.search(line) else line)
    return found


def _of_drafts(lines: list[str]) -> set[str]:
    """Lengths of drafts only, as vLLM says them: one that it overrides, one behind a draft's architecture, and where a draft is named,
    whatever its engine does not have."""
    own = {match[1] for line in lines if (match := OF_AN_ENGINE.search(line))}
    found = {match[1] for line in lines if (match := LONGER.search(line))}
    is_one = named = False
    for line in lines:
        is_one = bool(RESOLVED.search(line)) if "Resolved architecture: " in line else is_one
        named |= is_one or bool(CONFIG.search(line))
        if length := OF_A_LENGTH.search(line):
            found |= {length[1]} if is_one else set()
    lengths = {match[1] for line in lines if (match := OF_A_LENGTH.search(line))}
    return (found | (lengths - own if named and own else set())) - own


def _of_sglang(line: str, pools: dict[str, bool]) -> bool:
    """Whether SGLang says it of its draft: which has its cache after the model's."""
    match = RANK.match(line) or UNDER_DYNAMO.match(line)
    if not match:
        return False
    rank, said = match["rank"].strip(), match["said"]
    if said.startswith("Load weight end"):
        pools[rank] &= bool(draft := OF_A_DRAFT.match(said))
        return bool(draft)
    if said.startswith("Memory pool end"):
        pools[rank] = True
    return pools[rank] and said.startswith("KV Cache is allocated")
