"""The rates of llama-bench, llama-batched-bench and SGLang's bench_one_batch, as times beside their bounds: the last prompt and the
last steps of the model.

A table may have rows of several files: those of other parameters, or of other bits a weight, are not this model's. The prompt's
bound leaves out what stands before it (a depth), so it holds for any.
"""

from engine.serving.bounds import Bounds, Time
from engine.serving.lines.llama_tables import TESTS
from engine.serving.lines.stated import Figure
from engine.serving.log_lines import ServerLog

NEAR_BITS = 0.1  # relative: bits a weight that a file is said to have beside those that its bytes and parameters make
MOST_SEQS = 2**20
MOST_OFF = 0.02  # relative: of a number of sequences that is a time times a rate


def has_tests(log: ServerLog) -> bool:
    """Whether there is a row with a rate."""
    return bool(_rated(log)) or _one_batch(log) is not None


def _rated(log: ServerLog) -> list[tuple[Figure, Figure]]:
    """(tokens or steps, rate) of each test that has one: rates of two versions beside each other are nobody's."""
    pairs = [(one, log.on_line(rate, one.line)) for name, rate in TESTS.items() for one in log.all(name)]
    pairs += [(one, log.on_line("answer_rate", one.line)) for one in log.all("batch_answer")]
    several = {
        rate.line for _, rate in pairs if rate and len({one.value for one in log.all(rate.name) if one.line == rate.line}) > 1
    }
    return [(one, rate) for one, rate in pairs if one.value and rate and rate.value and rate.line not in several]


def tested(log: ServerLog, bounds: Bounds) -> list[Time]:
    """The last test of each kind that is this model's."""
    found = {}
    for one, rate in sorted(_rated(log), key=lambda pair: pair[0].line):
        if _of_this_file(log, bounds, one.line):
            made = {"pass_tokens": _prompt, "pass_steps": _steps, "batch_answer": _together}[one.name]
            if time := made(log, bounds, one, rate):
                found[one.name] = time
    return [*found.values(), *_of_one_batch(log, bounds)]


def _one_batch(log: ServerLog) -> tuple[Figure, int, int, Figure | None] | None:
    """The last batch of bench_one_batch: its prompts, how many they are, tokens of each, its median step, where that is printed.

    Its rates say how many: a step gives each of them one token. The batch before it only warms up (sgl-project/sglang pull 564).
    """
    prompts = log.last("one_prefill_ms")
    step = log.last("one_decode_ms")
    if not prompts or not step or step.line < prompts.line or not (prompts.value and step.value):
        return None
    tokens, n = (_at_that_rate(log, one, name) for one, name in ((prompts, "prompt_rate"), (step, "answer_rate")))
    n = round(n) if abs(n - round(n)) <= MOST_OFF * n else 0
    return (prompts, n, round(tokens / n), step) if 1 <= n <= MOST_SEQS and tokens >= n else None


def _at_that_rate(log: ServerLog, took: Figure, name: str) -> float:
    """Tokens that the rate of a line makes in its time."""
    return took.value / 1000 * log.on_line(name, took.line).value


def _of_one_batch(log: ServerLog, bounds: Bounds) -> list[Time]:
    """Its prompts in one pass, and the median step."""
    found = _one_batch(log)
    if not found:
        return []
    prompts, n, each, step = found
    how = f"{n:,} at once of about {each:,} tokens each (latency · throughput), sglang.bench_one_batch"
    prompt = bounds.prefill("its prompts", prompts.value / 1000, each, how, together=n)
    return [prompt, bounds.step("each step, median", step.value / 1000, each, n, how)]


def _of_this_file(log: ServerLog, bounds: Bounds, line: int) -> bool:
    """Whether a row's parameters and bits are the model's; a row that says neither may be any's."""
    params, size = log.on_line("n_params", line), log.on_line("weight_bytes", line)
    if not params or not size:
        return True
    bits = 8 * size.value / max(params.value, 1)
    same = abs(bounds.shape.n_params - params.value) <= 1.01 * params.half
    return same and abs(bits / bounds.setup.get("weight_bits", 16) - 1) <= NEAR_BITS


def _prompt(log: ServerLog, bounds: Bounds, n: Figure, rate: Figure) -> Time:
    how = f"a prompt of {n.value:,.0f} at {rate.printed} tokens a second"
    return bounds.prefill(f"prompt of {n.value:,.0f}", n.value / rate.value, int(n.value), how)


def _steps(log: ServerLog, bounds: Bounds, n: Figure, rate: Figure) -> Time:
    past = int(log.on_line("pass_past", n.line).value)
    how = f"{n.value:,.0f} steps behind {past:,} or more tokens at {rate.printed} a second"
    return bounds.step("each step", 1 / rate.value, max(1, past), 1, how)


def _together(log: ServerLog, bounds: Bounds, n: Figure, rate: Figure) -> Time | None:
    seqs, held = log.on_line("batch_seqs", n.line), log.on_line("batch_held", n.line)
    past = log.on_line("batch_prompt", n.line) if seqs else held  # llama-sweep-bench: what there was before
    together = int(seqs.value) if seqs else 1
    if not past or not 1 <= together <= MOST_SEQS:
        return None
    own, shared = together * (past.value + n.value), past.value + together * n.value
    if seqs and not (held and held.value in (own, shared)):  # nothing says how much they read
        return None
    once = together > 1 and held.value == shared != own
    of_whom = f"the same {past.value:,.0f} tokens" if once else f"{past.value:,.0f} tokens each"
    how = f"{together:,} at once behind {of_whom}, {rate.printed} tokens a second together"
    return bounds.step("each step", together / rate.value, max(1, int(past.value)), together, how, once=once)
