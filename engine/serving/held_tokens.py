"""How many tokens a cache holds, by a log's own words: printed, or blocks times a block's size.

vLLM's blocks have 16 tokens unless it is told otherwise, which a pasted part of its log may not say; on devices other than CUDA's and
ROCm's they have another number: 128 on Gaudi.
"""

import re

from engine.serving.lines.rule import VLLM
from engine.serving.log_lines import ServerLog

BLOCK_SIZE = 16  # tokens; vLLM's default, where the log does not say another
MOST_IN_A_PAGE = 128  # tokens; what kernels set by themselves at most: FlashMLA 64, those of Cutlass for latents 128
OF_ANOTHER_DEVICE = re.compile(r"\b(?:HPU|NPU|XPU) blocks: ")


def held_tokens(log: ServerLog) -> float | None:
    """Tokens that the cache holds: printed, or blocks times the block's size; the last ones where several are."""
    printed, n_blocks = log.last("kv_tokens"), log.value("n_blocks")
    if printed or n_blocks is None or not has_size(log):
        return printed and printed.value
    return n_blocks * block_size(log)


def several_caches(log: ServerLog) -> list[float]:
    """Tokens of each cache that the log prints, where they differ: of starts, devices or kinds of layers (sglang pull 28620), or of
    versions (vllm issue 2136)."""
    names = ("full_tokens", "window_tokens", "kv_tokens")  # one of several kinds of layers alone: sglang pull 18039
    sizes = [figure.value for name in names for figure in log.all(name)]
    if not sizes and log.all("n_blocks") and has_size(log):
        sizes = [figure.value * block_size(log) for figure in log.all("n_blocks")]
    sizes = list(dict.fromkeys(sizes))
    return sizes if len(sizes) > 1 else []


def has_size(log: ServerLog) -> bool:
    """Whether the size of its blocks is printed, or they are vLLM's (triton-inference-server/tensorrtllm_backend issue 576: others')."""
    blocks = log.last("n_blocks")
    of_vllm = blocks.program == VLLM and not OF_ANOTHER_DEVICE.search(log.lines.get(blocks.line, ""))
    return log.value("block_size") is not None or of_vllm


def is_sure(log: ServerLog) -> bool:
    """Whether the tokens are printed, or the blocks' size is, or vLLM's sequences of full length are as many with its default."""
    if log.last("kv_tokens") or log.last("n_blocks") is None or log.value("block_size") is not None:
        return True
    printed, tokens = log.last("concurrency"), held_tokens(log)
    n_ctx = printed and log.on_line("n_ctx", printed.line)
    return bool(tokens and n_ctx and n_ctx.value and abs(printed.value - tokens / n_ctx.value) <= 1.01 * printed.half)


def block_size(log: ServerLog) -> float:
    """Tokens in a block: as printed, else vLLM's default."""
    return log.value("block_size") or BLOCK_SIZE
