"""What a server's log says of its cache and weights, beside what the same log and the model's shape make it.

Each check (expected.py) states its formula with the numbers in it; those of the weights stand in weight_checks.py. Where a figure
is no sum of a shape, nothing is expected and `why` says so.
"""

from dataclasses import replace

from engine.cost import ModelShape
from engine.serving.expected import (
    ALL_DEVICES,
    Check,
    Known,
    checked,
    counted,
    known,
    reason_for,
    so_many_bits,
    unexplained,
    without_verdict,
)
from engine.serving.held_tokens import BLOCK_SIZE, MOST_IN_A_PAGE, block_size, has_size, held_tokens, is_sure
from engine.serving.lines.rule import SGLANG, TENSORRT, VLLM
from engine.serving.llama_cpp_checks import TOGETHER, llama_cpp
from engine.serving.log_lines import ServerLog
from engine.serving.starts import ONCE, mixed, of_its_start, only, the_one, values
from engine.serving.stated_setup import data_parallel
from engine.serving.weight_checks import parameters, weights

NEAR = 0.01  # relative; how near a ratio must be to a reason for it to be named
UNEQUAL = 0.25  # how much more memory than the least one a device of several may have
UNSTATED = f"no block size is read in the log; {BLOCK_SIZE} is vLLM’s default"
DERIVED = (
    "where layers keep windows or states, vLLM’s tokens are no capacity: some versions print sequences · length, others share "
    "out blocks among kinds of layers"  # vllm-project/vllm issues 40691, 51041 and 54662, pull 40694
)


def cache_checks(
    log: ServerLog, shape: ModelShape | None = None, n_devices: int | None = None, kv_bits: float | None = None,
    weight_bits: float | None = None,
) -> list[Check]:  # fmt: skip
    """All that can be checked of the cache and the weights; shape, n_devices and bits as the reader knows them."""
    k, own = known(log, shape, n_devices, kv_bits, weight_bits), of_its_start(log)
    found = [_blocks(own, k), _concurrency(own, k), *llama_cpp(own, k), _a_token(own, k, held_tokens(own)), _one_sequence(own, k)]
    found = [check for check in (*found, parameters(own, k), weights(own, k)) if check]
    return [check for check in (_of_one_run(own, check) for check in found) if check]


MIXED = {"tokens in the cache", "sequences of full length", "bytes a token"}  # made of several lines


def _of_one_run(log: ServerLog, check: Check) -> Check | None:
    """The check where its terms are of one run; none of those that would be made of two runs' lines, and the others without a verdict."""
    if check.differs and check.kind != "times" and check.what != TOGETHER and (others := _others(log, check)):
        check = without_verdict(check, others)
    said = check.what == "bytes a token" and len(_allocated(log, None)) == 1 and not mixed(log)  # everywhere the same
    in_one_line = check.what == TOGETHER or said
    why = mixed(log, *_made_of(log, check)) if check.what in MIXED else mixed(log, "weight_bytes")
    if in_one_line or not why:
        return check
    if check.what in MIXED or (check.what == "parameters" and check.expected is None):  # one of several, beside nothing
        return None
    return without_verdict(check, why) if check.expected is not None else check


def _made_of(log: ServerLog, check: Check) -> tuple[str, ...]:
    """What the terms of a sum of several lines are: of tokens and blocks alone, no bytes, which each worker has its own of (vllm issue
    15039: 36.63 and 36.07 GiB on two cards, and one number of blocks)."""
    alone = check.what != "bytes a token" and check.agrees and len(values(log, "concurrency")) < 2
    return ("kv_tokens", "n_blocks", "block_size") if alone else tuple(ONCE)


def _others(log: ServerLog, check: Check) -> str:
    """What the log names that makes a size another than its model’s, where it differs; "" for nothing."""
    staged = check.what == "parameters" and (only(log, "n_stages") or 1) > 1
    stages = "stages of a pipeline may have unequal parts of it" * staged
    loads = f"it prints {len(log.loads):,} times that a file is loaded, and the lines may be of several" * (len(log.loads) > 1)
    return "; ".join(filter(None, (*log.besides, stages, loads)))


def share_a_device(shape: ModelShape, n_devices: int) -> float:
    """What one of n_devices keeps of a token under tensor parallelism: whole heads, and a latent is kept by each.

    >>> from engine.cost import MODELS
    >>> [share_a_device(MODELS[name], 16) for name in ("Llama-3.1-8B", "DeepSeek-V3")]
    [0.125, 1.0]
    """
    return 1.0 if shape.latent else -(-shape.n_kv_head // n_devices) / shape.n_kv_head


def plain(shape: ModelShape | None) -> bool:
    """Whether each layer keeps every token, and as much of it: then bytes are tokens times one number."""
    return shape is not None and not any(shape.windows) and len(set(shape.kv_rows)) == 1 and not shape.state_bytes()


def _blocks(log: ServerLog, k: Known) -> Check | None:
    n_blocks, tokens = log.value("n_blocks"), log.last("kv_tokens")
    if n_blocks is None or tokens is None or not has_size(log):
        return None
    size, stated = block_size(log), bool(log.value("block_size"))
    how = f"{counted(n_blocks, 'block')} · {size:.0f}" + ("" if stated else ", vLLM’s default size")
    why = "the log contradicts itself: its blocks make another number"
    check = checked("tokens in the cache", "tokens", tokens.value, n_blocks * size, 0.5, how, why)
    if check.differs and not stated:
        return without_verdict(check, UNSTATED)
    return without_verdict(check, DERIVED) if check.differs and not plain(k.shape) else check


def _concurrency(log: ServerLog, k: Known) -> Check | None:
    """Sequences of the greatest length that fit; vLLM prints tokens ÷ length to two digits."""
    printed = log.last("concurrency")
    tokens = held_tokens(log)
    n_ctx = printed and log.on_line("n_ctx", printed.line)
    if not (printed and tokens and n_ctx and n_ctx.value):
        return None
    how = f"{counted(tokens, 'token')} ÷ {n_ctx.value:,.0f}"
    slack = printed.half * 1.001 + 1 / n_ctx.value  # some versions print whole tokens of sequences · length
    in_all = (
        f"{printed.value:,.2f} sequences of {n_ctx.value:,.0f} would be {counted(printed.value * n_ctx.value, 'token')}, and "
        f"{tokens:,.0f} {'is' if tokens == 1 else 'are'} printed"
    )
    why = f"{in_all}: {_why_two(k)}"
    check = checked("sequences of full length", "times", printed.value, tokens / n_ctx.value, slack, how, why)
    if (whole := _in_whole_blocks(log, check, tokens, n_ctx.value)).agrees:
        return whole
    if check.differs and not is_sure(log):
        return without_verdict(check, UNSTATED)
    return check if check.agrees or plain(k.shape) else without_verdict(check, check.why)


def _in_whole_blocks(log: ServerLog, check: Check, tokens: float, n_ctx: float) -> Check:
    """The same with a length that no number of blocks makes up, as vLLM counts it: in whole blocks."""
    size = block_size(log)
    rounded = -(-n_ctx // size) * size
    if check.agrees or rounded == n_ctx:
        return check
    how = f"{counted(tokens, 'token')} ÷ {rounded:,.0f}, which is {n_ctx:,.0f} in whole blocks of {size:.0f}"
    return replace(check, expected=tokens / rounded, how=how, why="")


def _why_two(k: Known) -> str:
    """Why vLLM's tokens are not its sequences times their length."""
    if not plain(k.shape):
        return DERIVED
    plainly = f"every layer of {k.shape.name} keeps every token, and then the two are one number"
    return f"{plainly}: another model, or lines of two servers"


def _allocated(log: ServerLog, tokens: float | None) -> list[tuple[float, float, float]]:
    """(bytes, half a digit of them, tokens) of each cache that one line, or two lines of vLLM's or TensorRT-LLM's, allocate."""
    found = []
    for held in log.all("kv_tokens"):
        parts = [part for name in ("k_bytes", "v_bytes", "kv_bytes") if (part := log.on_line(name, held.line))]
        if parts:
            found.append((sum(part.value for part in parts), sum(part.half for part in parts), held.value))
    held = the_one(log, "kv_bytes")
    if not found and tokens and held and held.program in (VLLM, SGLANG, TENSORRT):
        found = [(held.value, held.half, tokens)]
    parts = [the_one(log, name) for name in ("k_bytes", "v_bytes")]  # SGLang until early in 2025, its tokens in another line
    if not found and tokens and all(part and part.program == SGLANG for part in parts):
        found = [(sum(part.value for part in parts), sum(part.half for part in parts), tokens)]
    return list(dict.fromkeys((n_bytes, half, n) for n_bytes, half, n in found if n_bytes and n))


def _a_token(log: ServerLog, k: Known, tokens: float | None) -> Check | None:
    """Bytes over tokens, beside what the model's shape keeps of one token on one device."""
    found = _allocated(log, tokens)
    if not found:
        return None
    checks = [replace(_of_one(log, k, *one), tokens=one[-1]) for one in found]
    best = next((check for check in checks if check.agrees), checks[0])
    if not (best.agrees or is_sure(log)):  # of blocks whose size is not in the log it is no one token’s
        return None
    if len(checks) > 1 and not best.agrees and not k.missing("shape", "n_devices", "kv_bits"):
        return without_verdict(best, "the log prints several caches")
    return best


def _of_one(log: ServerLog, k: Known, n_bytes: float, half: float, tokens: float) -> Check:
    """What one cache keeps of a token."""
    missing = k.missing("shape", "n_devices", "kv_bits")
    if missing:
        how = f"{n_bytes / 2**30:,.2f} GiB ÷ {counted(tokens, 'token')}"
        return Check("bytes a token", "a token", n_bytes / tokens, None, 0, how, f"needed for it: {missing}")
    expected = k.shape.kv_bytes_per_token(k.kv_bits) * share_a_device(k.shape, k.n_devices)
    each = f"{expected:,.0f} of " if share_a_device(k.shape, k.n_devices) < 1 else ""
    how = f"{each}{k.shape.kv_bytes_per_token(k.kv_bits):,} bytes of {k.shape.name} at {k.kv_bits:g} bits"
    how += f", on each of {k.n_devices} devices" if k.n_devices > 1 else ""
    if not expected:
        return Check("bytes a token", "a token", n_bytes / tokens, None, 0, how, f"{k.shape.name} keeps no keys and values")
    ratio = n_bytes / tokens / expected
    by_itself = log.value("block_size") is None and ("SGLang" in log.programs or k.shape.latent)
    # Memory too small for one block more, or SGLang's page beside its tokens.
    spare = MOST_IN_A_PAGE if by_itself else block_size(log)
    slack = half / tokens + expected * spare / tokens
    why = _of_other_bits(k, ratio) or unexplained(ratio, k)
    check = checked("bytes a token", "a token", n_bytes / tokens, expected, slack, how, why)
    return without_verdict(check, why) if check.differs and (why := _no_verdict(log, k, ratio)) else check


def _no_verdict(log: ServerLog, k: Known, ratio: float) -> str:
    """Why a difference in the bytes of a token says nothing here; "" where it does."""
    if not plain(k.shape):
        return DERIVED if "vLLM" in log.programs else "layers with windows or states may share memory in their own ways"
    if (only(log, "n_stages") or 1) > 1 or (only(log, "n_cut") or 1) > 1 or data_parallel(log):
        return "layers or tokens may be shared out among devices in another way than heads are"
    if k.n_devices > 1 and "vLLM" in log.programs and 1 < ratio <= 1 + UNEQUAL and not _of_other_bits(k, ratio):
        # vllm-project/vllm issue 21348: 8.11 GiB hold 178,880 tokens of Qwen3-235B on each of four, 1.2 % fewer than they could.
        return "the device with the least memory may decide how many tokens there are, and this line may be another’s"
    return ""


def _of_other_bits(k: Known, ratio: float) -> str:
    """That other bits, or all devices, make the difference; "" where they do not."""
    reasons = {0.5: so_many_bits(k.kv_bits / 2), 2.0: so_many_bits(k.kv_bits * 2), float(k.n_devices): ALL_DEVICES}
    return reason_for(ratio, reasons, NEAR)


def _one_sequence(log: ServerLog, k: Known) -> Check | None:
    """What one sequence of the greatest length needs, as vLLM says where it does not fit."""
    needed = log.last("needed_bytes")
    n_ctx = needed and log.on_line("n_ctx", needed.line)
    if not (needed and n_ctx and n_ctx.value):
        return None
    how = counted(n_ctx.value, "token")
    what = f"a sequence of {how}"
    if missing := k.missing("shape", "n_devices", "kv_bits"):
        return Check(what, "bytes", needed.value, None, 0, how, f"needed for it: {missing}")
    share = share_a_device(k.shape, k.n_devices)
    expected = k.shape.kv_bytes(int(n_ctx.value), 1, k.kv_bits) * share
    slack = needed.half + k.shape.kv_bytes_per_token(k.kv_bits) * share * block_size(log)
    how += f" · {k.shape.kv_bytes_per_token(k.kv_bits):,} bytes of {k.shape.name}"
    why = unexplained(needed.value / expected, k) if expected else ""
    check = checked(what, "bytes", needed.value, expected, slack, how, why)
    return check if check.agrees or plain(k.shape) else without_verdict(check, DERIVED)
