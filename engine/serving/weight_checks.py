"""What a server's log says of its weights, beside parameters times bits: of the model's shape, or of the file's own figures."""

from engine.serving.expected import (
    ALL_DEVICES,
    Check,
    Known,
    checked,
    counted,
    of_the_reader,
    reason_for,
    so_many_bits,
    unexplained,
    without_verdict,
)
from engine.serving.lines.rule import SGLANG
from engine.serving.lines.stated import Figure
from engine.serving.log_lines import ServerLog
from engine.serving.starts import only
from engine.serving.stated_setup import copies

PARTLY = 1.5  # times the bytes of all weights in few bits: the most that a file is said to have by keeping layers at 16
WEIGHTS_SLACK = 0.05  # buffers beside the weights, and layers that a quantised file leaves at 16 bits


def parameters(log: ServerLog, k: Known) -> Check | None:
    """Learned numbers as llama.cpp counts them, beside the shape's."""
    printed = log.last("n_params")
    several = len({figure.value for figure in log.all("n_params")}) > 1  # a table of several files, a draft model
    if not printed or several or not k.shape or k.shape.doubt or k.named:
        return None
    ratio = printed.value / max(k.shape.n_params, 1)
    how, expected = f"parameters of {k.shape.name}", k.shape.n_params
    return checked("learned numbers", "tokens", printed.value, expected, 1.01 * printed.half, how, unexplained(ratio, k))


def weights(log: ServerLog, k: Known) -> Check | None:
    """Bytes of the weights on one device; llama.cpp prints its file's, and how many bits a weight has in it."""
    stated = log.last("weight_bytes")
    if not stated or not stated.value or (log.last("pass_past") and not log.all("bits_a_weight")):
        return None  # bits of a row of llama-bench are its own bytes over its parameters: no other line is held against them
    n = sharing_weights(log, k)
    if why := _other_parameters(log, k, stated):
        return _of_its_own_figures(log, stated) or Check("parameters", "bytes", stated.value, None, 0, "parameters · bits", why)
    missing = k.missing("shape", "weight_bits") if n else k.missing("shape", "n_devices", "weight_bits")
    if missing or k.shape.doubt:
        if own := _of_its_own_figures(log, stated):
            return own
        why = f"needed for it: {missing}" if missing else f"how many parameters {k.shape.name} has is not known"
        return Check("parameters", "bytes", stated.value, None, 0, "parameters · bits", why)
    expected = k.shape.weight_bytes(k.weight_bits) / n
    how = f"{counted(k.shape.n_params, 'parameter')} · {counted(k.weight_bits, 'bit', 'g')}" + f" ÷ {n} devices" * (n > 1)
    return _of_weights(log, k, stated, expected, n, how)


def _other_parameters(log: ServerLog, k: Known, stated: Figure) -> str:
    """Why a file that counts other parameters than the shape's is not held against these; "" where it counts none, or the same.

    A GGUF file may keep the head apart from the embedding that it is (engeldlgado/toshllm issue 11: 751.63 M of Qwen3-0.6B).
    """
    counts = {figure.value: figure for figure in log.all("n_params")}
    printed = log.on_line("n_params", stated.line) or (len(counts) == 1 and next(iter(counts.values())))
    if not printed or not k.shape or k.shape.doubt or abs(printed.value - k.shape.n_params) <= 1.01 * printed.half:
        return ""
    return f"its file counts {printed.printed} parameters, {k.shape.name} has {k.shape.n_params:,}"


def _of_its_own_figures(log: ServerLog, stated: Figure) -> Check | None:
    """llama.cpp prints a file's parameters and its bits a weight too: their product is its size, whatever the model's shape."""
    params, bits = log.last("n_params"), log.last("bits_a_weight")
    alone = all(len({figure.value for figure in log.all(name)}) == 1 for name in ("weight_bytes", "n_params", "bits_a_weight"))
    if not alone or stated.program != "llama.cpp":
        return None
    slack = stated.half + 1.01 * (params.half * bits.value + bits.half * params.value) / 8
    how, why = f"{params.printed} parameters · {bits.printed} bits", "the log contradicts itself: these make another size"
    return checked("parameters", "bytes", stated.value, params.value * bits.value / 8, slack, how, why)


def sharing_weights(log: ServerLog, k: Known) -> int | None:
    """Devices that share what the last line of weights counts: llama.cpp prints a whole file; None where nobody said."""
    stated = log.last("weight_bytes")
    if stated and stated.program == "llama.cpp":
        return 1
    return k.n_devices and k.n_devices * (only(log, "n_stages") or 1)


def _of_weights(log: ServerLog, k: Known, stated: Figure, expected: float, n: int, how: str) -> Check:
    """Between all weights in so many bits, and a file that keeps its embedding and head at 16."""
    outer = k.shape.embedding_params * (1 if k.shape.style.tied else 2) / n
    unquantised = max(16 - k.weight_bits, 0) / 8 * outer if stated.program != "llama.cpp" else 0
    slack = WEIGHTS_SLACK * expected + (unquantised if stated.value > expected else 0)
    ratio = stated.value / expected
    reasons = {n: ALL_DEVICES} | {by: so_many_bits(k.weight_bits * by) + of_the_reader(k) for by in (0.5, 0.25, 2)}
    why = reason_for(ratio, reasons, 0.12) or unexplained(ratio, k)
    check = checked("parameters", "bytes", stated.value, expected, slack, how, why)
    if check.differs and stated.program != "llama.cpp" and k.weight_bits < 16 and 1 < ratio < PARTLY:
        # vllm-project/vllm issue 6746: Llama-3.1-405B-Instruct-FP8 has its attention, and two layers, in 16 bits.
        average = f"{ratio * k.weight_bits:.3g} bits a parameter on average"
        check = without_verdict(check, f"{average}: a quantised file may keep some of its layers at 16 bits")
    if check.differs and stated.program == SGLANG and 1 < ratio < PARTLY:
        return without_verdict(check, "SGLang prints by how much its free memory fell")
    if check.differs and copies(log) > 1:
        return without_verdict(check, "copies of a model may share its experts")
    return check
