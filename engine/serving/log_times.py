"""The times that a log states, each beside the least that it can be on a device: a bound of this project's cost model.

How many sequences a benchmark decoded at once is not printed. By Little's law it is requests a second · seconds that each decodes;
a request that still waits in the queue is in no batch, so TTFT does not count. Every bound rests on such assumptions (the model,
the device, the bits, answers of one length, one token a step): a time below it says that one of them is wrong.
"""

from dataclasses import replace
from itertools import pairwise

from engine.cost import Device, ModelShape
from engine.serving.bounds import Bounds, Time
from engine.serving.expected import counted
from engine.serving.lines.besides import APART, GUESSED
from engine.serving.lines.rule import BENCH, LLAMA_CPP
from engine.serving.lines.stated import MOST_COUNT, Figure
from engine.serving.log_lines import ServerLog
from engine.serving.starts import OF_A_BENCHMARK, OF_A_RUN, in_runs, last_run, mixed, of_its_start, of_request, only
from engine.serving.stated_setup import copies, data_parallel, of_a_part, several_files
from engine.serving.table_times import has_tests, tested

MOST_TOGETHER = 2**20  # sequences in one batch; more than any server runs
SEVERAL_IN_A_GAP = 1.25  # times TPOT; a longer ITL is no step of one token: vllm issue 8804 has 168.08 ms beside 19.76


def times(log: ServerLog, shape: ModelShape, device: Device, **setup) -> list[Time]:
    """Measured times beside their bounds, which `shape` has on `device`. setup: weight_bits, kv_bits, n_devices."""
    if shape.doubt or _of_nobody(log):  # nothing that follows from the weights is known
        return []
    log = of_its_start(log)
    n = setup.get("n_devices", 1)
    apart = data_parallel(log) or (only(log, "n_cut") or 1) > 1  # sequences or tokens: each is on one device
    sharing = 1 if apart else n
    bounds = Bounds(shape, device, setup | {"n_devices": sharing}, at_work(log, n) / sharing)
    return [*_bench(log, bounds), *_llama_cpp(log, bounds), *tested(log, bounds), *_sglang(log, bounds)]


def at_work(log: ServerLog, n_devices: int) -> int:
    """Devices that work at once: of a pipeline those of all stages, of several copies those of all. Data-parallel attention has its
    parts among the devices that share the layers: shun8686/for_debug, sixteen in four parts."""
    return n_devices * min(only(log, "n_stages") or 1, 1024) * (1 if data_parallel(log) else copies(log))


def has_times(log: ServerLog) -> bool:
    """Whether there is a time to hold against a bound."""
    own = of_its_start(log)
    return bool(_lengths(own) or any(of_request(own)) or _last_batch(own) or has_tests(own)) and not _of_nobody(log)


def _of_nobody(log: ServerLog) -> bool:
    """Whether it is not printed which model was timed, or how many devices computed which part."""
    return APART in log.besides or bool(mixed(log)) or several_files(log)


def _of_benchmark(log: ServerLog) -> dict[str, Figure]:
    """The figures of the one benchmark, if it says how many requests of which lengths it had, and their TTFT; {} for none, or several."""
    if log.runs(*OF_A_RUN) or len([run for run in in_runs(log, *OF_A_RUN) if "ttft_ms" in run]) > 1:
        return {}
    return last_run(log, OF_A_BENCHMARK, *OF_A_RUN, "accept_len")


def _lengths(log: ServerLog) -> tuple[int, int, int] | None:
    """Requests, and the mean tokens of a prompt and of an answer; None where they or the times are not all there."""
    of_run = _of_benchmark(log)
    if not of_run:
        return None
    n, n_input, n_output = (of_run[name].value for name in ("n_requests", "n_input", "n_output"))
    p, g = max(1, round(n_input / n)), max(1, round(n_output / n))
    return (int(n), p, g) if p + g <= MOST_COUNT else None


def decoding_at_once(n: int, rate: float | None, decoding_s: float) -> int:
    """Sequences that decode at once, on average over the benchmark: requests a second · seconds that each decodes (Little’s law).

    >>> decoding_at_once(1000, 1000 / 30.85, 202 * 0.07786), decoding_at_once(10_000, 35.36, 22.18677 - 19.18207)
    (510, 106)
    """
    if not rate:
        return 1
    return int(max(1, min(n, round(rate * decoding_s), MOST_TOGETHER)))


def _decoding_ms(log: ServerLog, of_run: dict[str, Figure]) -> float | None:
    """How long a request decodes on average, where a result prints how long all of it takes: without the time to its first token, in
    which it waits (sgl-project/sglang issue 17212); None where it does not."""
    first = of_run["ttft_ms"]
    whole = {one.value for one in log.all("request_ms") if one.program == first.program}
    decoding = whole.pop() - first.value if len(whole) == 1 else 0
    return decoding if decoding > 0 else None


def _at_most(log: ServerLog) -> int:
    """How many requests there may be at once, of all copies together; 0 where the log does not say."""
    most = max((figure.value for figure in log.all("n_at_most")), default=0)
    return int(min(most, MOST_TOGETHER)) * copies(log)


def _requests_at_once(log: ServerLog, rate: float | None) -> tuple[int, bool]:
    """How many requests there were at once by the result's own numbers, those that wait among them, and whether that is a mean: of 7.94
    there may be 16 at times (sgl-project/sglang pull 26445); 0 where it does not say."""
    stated = [(one.value, name != "n_peak") for name in ("n_peak", "mean_at_once") for one in log.all(name)]
    if rate and (whole := [one.value for one in log.all("request_ms") if one.program == BENCH]):
        stated.append((rate * max(whole) / 1000, True))
    least, is_mean = min(stated, default=(0.0, False))
    return (max(1, round(least)), is_mean) if least > 0 else (0, False)


def _a_second(log: ServerLog, n: int, duration: Figure | None) -> float | None:
    """Requests a second: of how long a benchmark took, else the one that is printed (vllm-project/vllm pull 10879)."""
    printed = {figure.value for figure in log.all("request_rate")}
    return n / duration.value if duration and duration.value else printed.pop() if len(printed) == 1 else None


def _bench(log: ServerLog, bounds: Bounds) -> list[Time]:
    """Mean TTFT and the mean step of a benchmark, with the mean lengths of its requests and how many decoded together.

    The step is ITL where it is printed, a mean over all gaps, unless a gap gives several tokens that no draft explains. TPOT is a mean
    over requests, in which short answers weigh as much as long ones; it is the same where all answers are equally long. The time of a
    token is that of decoding over the tokens, where both are known, and a gap so much longer than it holds several.
    """
    lengths, of_run = _lengths(log), _of_benchmark(log)
    if not lengths:
        return []
    n, p, g = lengths
    how = f"{counted(n, 'request')} of {p:,} + {g:,} tokens on average"
    found = [bounds.prefill("TTFT, mean", of_run["ttft_ms"].value / 1000, p, how, queued=True)]
    begun, accepted = of_run["n_requests"].line, of_run.get("accept_len")
    each_output, decoding_ms = of_run["n_output"].value / n, _decoding_ms(log, of_run)  # not rounded: sglang pull 9428
    token_ms = decoding_ms / (each_output - 1) if decoding_ms and each_output > 1 else _value_of(of_run, "tpot_ms")
    rate, many = _a_second(log, n, of_run.get("duration_s")), _value_of(of_run, "itl_ms") > SEVERAL_IN_A_GAP * token_ms > 0
    each = accepted.value if accepted and accepted.line >= begun and accepted.value > 1 else 1.0
    for name, what in (("itl_ms", "ITL, mean"), ("tpot_ms", "TPOT, mean"))[each > 1 or (many and not _drafted(log)) :]:
        step = of_run.get(name)
        if step and g > 1:
            decoding = decoding_ms or (each_output - 1) * (token_ms if many else step.value)
            together = decoding_at_once(n, rate, decoding / 1000)
            on_average = f"{together:,} decoded at once on average (requests a second · seconds of decoding, Little’s law)"
            if (most := _at_most(log)) and together > most:  # a step gives several tokens: vllm-project/vllm pull 51742
                together, on_average = most, f"{most:,} decoded at once, as many as there may be"
            there, is_mean = _requests_at_once(log, rate)
            if there and together > there:
                about, on = "about " * is_mean, " on average" * is_mean
                together, on_average = there, f"{about}{there:,} decoded at once{on} at most, for no more were there"
            running = f"{how}; {on_average if rate else 'as if one decoded alone, for no requests a second are read here'}"
            running += ", if answers are equally long" * (name == "tpot_ms" or (many and not decoding_ms))
            running += f", {each:g} tokens a step for each (accept length)" * (each > 1)
            what = what if each == 1 else "each step"
            return [*found, bounds.step(what, each * step.value / 1000, p + g // 2, together, running)]
    return found


def _value_of(of_run: dict[str, Figure], name: str) -> float:
    """The value of that name, 0 where the run does not say it."""
    return of_run[name].value if name in of_run else 0.0


def _drafted(log: ServerLog) -> bool:
    """Whether it says which share of a draft's tokens was accepted: then a step gives several, and they arrive together."""
    return bool(log.all("accepted_share") or log.all("accepted_percent"))


def _steps(answer: dict[str, Figure]) -> float:
    """How many steps its time is of: of llama-server's of 2026, by the milliseconds that it prints for each, one fewer than its tokens,
    since the first comes with the prompt."""
    n, ms, each = answer["n_steps"].value, answer["decode_ms"].value, answer.get("each_ms")
    return n - 1 if n > 1 and each and abs(ms / (n - 1) - each.value) <= each.half < abs(ms / n - each.value) else n


def _llama_cpp(log: ServerLog, bounds: Bounds) -> list[Time]:
    """Prompt and answer of one request, where its time is printed too."""
    found, (prompt, answer) = [], of_request(log)
    if prompt and GUESSED not in log.besides:
        n_prompt = int(prompt["n_prompt"].value)
        how = f"{counted(n_prompt, 'token')} of the prompt"
        found.append(bounds.prefill("prompt", prompt["prefill_ms"].value / 1000, n_prompt, how))
    guessed = [figure.value for figure in log.all("accept_len") if figure.program == LLAMA_CPP]
    if answer and (guessed or not _drafted(log)):
        each = max([1.0, *guessed])  # the most that one of its steps gave
        n_steps, n_past = _steps(answer), max(1, int(answer["n_prompt"].value) if "n_prompt" in answer else 0)
        steps = f"{counted(n_steps, 'step' if each == 1 else 'token')} behind {n_past:,} or more tokens"
        steps += f", at most {each:g} tokens a step on average (mean len)" * (each > 1)
        what = "each further token" if each == 1 else "each step"
        found.append(bounds.step(what, each * answer["decode_ms"].value / 1000 / n_steps, n_past, 1, steps))
    return found


def _last_batch(log: ServerLog) -> tuple[int, int, float, float] | None:
    """SGLang's last decode batch: sequences, tokens they hold, tokens a second together, tokens that a step gives each.

    Its rate is that of the time since the one before: of one behind a prompt, the wait for it and its pass too.
    """
    prompts, rates = {one.line for one in log.all("new_tokens")}, log.all("tokens_per_s")
    pairs = pairwise(rates)
    steady = [one for before, one in pairs if not any(before.line < line < one.line for line in prompts)]
    # The line of one part: how many sequences the others had, which the same devices compute with it, is not in it.
    if (data_parallel(log) and copies(log) > 1) or (of_a_part(log) and copies(log) == 1):
        return None
    rate = (steady or [None if prompts else log.last("tokens_per_s")])[-1]
    n, held = (rate and log.on_line(name, rate.line) for name in ("n_running", "n_cached"))
    if not (rate and rate.value and n and n.value and held and held.value) or n.value > MOST_TOGETHER:
        return None
    accepted = log.on_line("accept_len", rate.line)
    return int(n.value), int(held.value), rate.value, max(1.0, accepted.value) if accepted else 1.0


def _sglang(log: ServerLog, bounds: Bounds) -> list[Time]:
    """The last decode batch: a step gives each sequence one token, or as many as the draft's that were accepted and one.

    Each copy of a model prints its own lines: on its own devices (sgl-project/sglang issue 17499).
    """
    batch = _last_batch(log)
    if not batch:
        return []
    n, held, rate, accepted = batch
    how = f"{n:,} running, {counted(held, 'token')} held, {rate:,.1f} tokens a second together"
    how += f", {accepted:g} tokens a step for each (accept len)" * (accepted > 1)
    how += ", of one copy of the model" * (copies(log) > 1)
    bounds = replace(bounds, n_groups=bounds.n_groups / copies(log))
    return [bounds.step("each step", n * accepted / rate, max(1, round(held / n)), n, how)]
