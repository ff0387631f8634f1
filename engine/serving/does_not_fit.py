"""A server that stopped at its start because one sequence is longer than its cache: what to change, and by how much.

vLLM says how much one sequence of the greatest length needs and how much there is; newer versions estimate the length that would
fit, older ones print the tokens that the cache holds. Any one of what is returned makes it start.
"""

from dataclasses import dataclass

from engine.cost import ModelShape
from engine.serving.log_checks import plain
from engine.serving.log_lines import ServerLog
from engine.serving.starts import mixed, the_one, was_last

CLOSE = 10  # times what was rounded off: 4.26 less 4.25 GiB may be twice as much (SergiioB/intel-arc-pro-b70-inference-cookbook issue 4)
BLOCKS = 256  # tokens; whole blocks of any usual size
WRAPPED = 2  # lines that a sentence takes where a terminal or a thread wrapped it


@dataclass(frozen=True)
class Remedy:
    """n_ctx: the length that did not fit. fits: one that would, estimated unless the log says so (`printed`); 0: none. more_bytes: memory
    that is missing on each device; usable: the share of the memory that would hold it, None where the log does not say how much there
    is, or where all of it is too little. half: whether numbers of half as many bits would do."""

    n_ctx: int
    fits: int
    printed: bool
    more_bytes: float | None
    usable: float | None
    half: bool


def remedy(log: ServerLog, shape: ModelShape | None = None) -> Remedy | None:
    """What would let the last start of this log succeed; None where nothing failed to fit.

    shape: of its model, where that is known. Half the length needs half the memory only where every layer keeps every token: of
    gpt-oss-120b, half of whose layers keep a window, 1.71 of 4.54 GiB hold 48,640 of 131,072 tokens (vllm-project/vllm issue 27508),
    and bytes of a state are no numbers of a token that a type of the cache would halve.

    >>> from engine.serving.log_lines import read_log
    >>> found = remedy(read_log("max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory "
    ...     "(0.71 GiB). Based on the available memory, the estimated maximum model length is 5632."))
    >>> found.fits, round(found.more_bytes / 2**30, 2), found.half
    (5632, 15.29, False)
    """
    needed = log.last("needed_bytes")
    if needed:
        n_ctx = log.on_line("n_ctx", needed.line) or log.on_line("n_ctx", needed.line - 1)
        there = next((one for one in log.all("kv_bytes") if 0 <= one.line - needed.line <= WRAPPED), None)
        if not (n_ctx and n_ctx.value and there) or there.value >= needed.value or not was_last(log, needed.line):
            return None
        fits = next((one.value for one in log.all("fitting_ctx") if 0 <= one.line - needed.line <= WRAPPED), None)
        close = needed.value - there.value < CLOSE * (needed.half + there.half)
        most, least = needed.value + close * needed.half, max(there.value - close * there.half, 0)
        more = most - least
        in_proportion = plain(shape) and not shape.latent
        estimate = int(n_ctx.value * least / most) // BLOCKS * BLOCKS if in_proportion else 0
        half = in_proportion and most / 2 <= least
        return Remedy(int(n_ctx.value), int(fits or estimate), bool(fits), more, _usable(log, more), half)
    lines = {word.line for word in log.words if word.name == "refused"}  # SGLang starts with less than one sequence, and says so
    held = next((one for one in reversed(log.all("kv_tokens")) if one.line in lines), None)
    n_ctx = held and (log.on_line("n_ctx", held.line) or log.on_line("n_ctx", held.line - 1))
    if not n_ctx or n_ctx.value <= held.value or not was_last(log, held.line):
        return None
    bytes_ = the_one(log, "kv_bytes") if not mixed(log, "kv_bytes", "kv_tokens") else None
    there = bytes_ and bytes_.value
    more = there and held.value and there * (n_ctx.value / held.value - 1)
    return Remedy(int(n_ctx.value), int(held.value), True, more or None, _usable(log, more or 0.0), n_ctx.value / 2 <= held.value)


def _usable(log: ServerLog, more: float) -> float | None:
    """The share of the memory that the server would have to use, where the log says how much there is and it is enough."""
    whole, used = (one and one.value for one in (the_one(log, "gpu_bytes"), the_one(log, "usable")))
    share = used + more / whole if whole and used and more else None
    return share if share and share <= 1 else None
