"""What the lesson says of a log in sentences: whose it is, what is left alone, what it holds, what lets its server start."""

from math import ceil, floor

from engine.cost import ModelShape, binary_bytes
from engine.serving.does_not_fit import remedy
from engine.serving.held_tokens import held_tokens, is_sure, several_caches
from engine.serving.lines.rule import COMMAND
from engine.serving.lines.stated import Figure
from engine.serving.log_checks import plain
from engine.serving.log_lines import ServerLog
from engine.serving.starts import OF_A_RUN, answers_timed, of_its_start, printed, runs_stated, several, was_last
from engine.serving.stated_setup import copies, of_a_part
from pages.lessons.serverlog import compared
from pages.lessons.serverlog.compared import Compared
from pages.parts.text.format import join, plural, quantity

MOST_SIZES = 4
OF_ONE_OR_SEVERAL = (("", ""), ("It did not start:", "One of its starts failed:"))  # of one start, of several
OF_A_START = ("kv_bytes", "weight_bytes", "gpu_bytes")  # of whose tokens `held` speaks


def in_sentences(log: ServerLog, c: Compared) -> str:
    """All of them, one after the other."""
    alone, change = (whose(log), of_several_runs(log), tables(log)), to_change(log, c.known.shape)
    return " ".join(filter(None, (*alone, change, ran_out(log), held(log, c), compared.in_words(c))))


def whose(log: ServerLog) -> str:
    """Whose lines they are, printed or typed; of settings alone it is not known."""
    return "" if log.programs == (COMMAND,) else f"Its lines are those of **{join(list(log.programs))}**."


def of_several_runs(log: ServerLog) -> str:
    """That a row has several values under one name, or several lines have one each, as of several runs; "" for one run."""
    if log.runs(*OF_A_RUN, "prompt_rate", "answer_rate"):
        return "A row has **several values under one name**: none of them is held against a bound."
    n = runs_stated(log)
    runs = f"It states **{n:,} values of one measure**, each in a line of its own." if n else ""
    if (n_answers := answers_timed(log)) > 1:
        runs += f" It times **{n_answers:,} answers**: no more than one of them is held against a bound."
    if found := several(of_its_start(log), *OF_A_START):
        runs += "".join(f" It states **several {said}**: {printed(of_its_start(log), said)}." for said in found)
    if len(of_its_start(log).loads) > 1:
        runs += f" It prints **{len(log.loads):,} times** that a file is loaded: what is named here may be of one load alone."
    return runs.strip()


def tables(log: ServerLog) -> str:
    """That tables are left alone; "" where none is."""
    n = log.left_in_tables
    return f"**{quantity(n, 'number')} of tables {plural(n, 'is', 'are')} left alone**." if n else ""


def to_change(log: ServerLog, shape: ModelShape | None = None) -> str:
    """What lets a server start that stopped for want of memory; else that a start failed; "" where none did."""
    return _to_change(log, shape).replace(*OF_ONE_OR_SEVERAL[bool(log.begins or log.of_several)]) or (
        "It prints that **a start, or the loading of a model, failed**." if log.failed else ""
    )


def _to_change(log: ServerLog, shape: ModelShape | None) -> str:
    """The same where memory is the reason."""
    found, least = remedy(log, shape), _of_a_failure(log, log.last("least_usable"))
    no_room = any(word.name == "no_room" and was_last(log, word.line) for word in log.words)
    if no_room or _of_a_failure(log, log.last("lacking_bytes")):
        return (
            "**It did not start: of the memory that it may use nothing is left for a cache.** A larger share of the memory "
            "(`--gpu-memory-utilization`, in SGLang `--mem-fraction-static`), more devices or fewer bits a parameter leave more."
        )
    if least:
        return f"**It did not start: its parameters leave no room for a cache.** It asks for `--mem-fraction-static` above {least:g}."
    if tokens := _of_a_failure(log, log.last("refused_tokens")):
        return (
            f"**It did not start: a pass over {quantity(int(tokens), 'token')} of prompts needs more memory than is left.** A smaller "
            "`--max-batch-prefill-tokens`, with `--max-input-length`, needs less."
        )
    if (least_free := _free_of_a_failure(log)) is not None:
        return (
            f"**It did not start: less memory is free than it may use.** `--gpu-memory-utilization {floor(1000 * least_free) / 1000:g}` "
            "at most lets it begin, or whoever holds the rest gives it up."
        )
    if not found:
        return ""
    ways = [f"`--max-model-len {found.fits}`" + " at most" * (not found.printed)] if found.fits else []
    if found.usable:
        ways.append(f"`--gpu-memory-utilization {ceil(1000 * found.usable) / 1000:g}` in place of {log.value('usable'):g}")
    elif found.more_bytes:
        ways.append(f"{binary_bytes(found.more_bytes)} more of cache (more devices, fewer bits a parameter)")
    if found.half:
        ways.append("`--kv-cache-dtype fp8`, where the cache has 16 bits")
    length = quantity(found.n_ctx, "token")
    return (
        f"**It did not start: one sequence of {length} is longer than its cache.** By its own numbers "
        f"{'one of these' if len(ways) > 1 else 'this'} makes it fit: {'; '.join(ways)}."
    )


def ran_out(log: ServerLog) -> str:
    """That a device ran out of memory, as PyTorch and CUDA say it; "" where no line does."""
    return "It prints that **a device ran out of memory**." * bool(log.words_named("ran_out"))


def _of_a_failure(log: ServerLog, figure: Figure | None) -> float | None:
    """The value of what a start says that failed, None where a later one has a cache."""
    return figure.value if figure and was_last(log, figure.line) else None


def _free_of_a_failure(log: ServerLog) -> float | None:
    """The share of its memory that is free on the card with the least, where a last start had too little; None elsewhere."""
    lines = {word.line for word in log.words if word.name == "too_little_free" and was_last(log, word.line)}
    pairs = [(log.on_line("free_bytes", n), log.on_line("gpu_bytes", n)) for n in lines]
    return min((free.value / whole.value for free, whole in pairs if free and whole), default=None)


def held(log: ServerLog, c: Compared) -> str:
    """The tokens that it prints: room for so many where every layer keeps every token, and no copy of the model has a cache of its own."""
    tokens = held_tokens(log)
    if tokens is None:
        return ""
    unit = plural(tokens, "token")
    if sizes := several_caches(log):
        more = f" and {len(sizes) - MOST_SIZES} more" * (len(sizes) > MOST_SIZES)
        return f"It states **caches of several sizes** ({join([f'{n:,.0f}' for n in sizes[:MOST_SIZES]])}{more} tokens)."
    if not is_sure(log):
        return f"It states a cache of **{quantity(int(log.value('n_blocks')), 'block')}**: {tokens:,.0f} tokens in vLLM’s default size."
    whole = plain(c.known.shape) and copies(log) == 1 and not of_a_part(log)
    return f"{'The cache has room for' if whole else 'It states a cache of'} **{tokens:,.0f} {unit}**."
