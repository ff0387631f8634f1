"""What a server’s log says: its lines that say something, each with the figures and words that were found in it."""

from dataclasses import replace
from math import isclose

import streamlit as st

from engine.serving.held_tokens import held_tokens, is_sure, several_caches
from engine.serving.lines.rule import LLAMA_CPP
from engine.serving.lines.stated import Figure, Word
from engine.serving.log_lines import ServerLog
from engine.serving.starts import mixed, of_its_start, the_one
from pages.lessons.serverlog import pasted_log
from pages.lessons.serverlog.compared import Compared
from pages.lessons.serverlog.figures.log_and_memory import ALL, Printed, log_and_memory
from pages.lessons.serverlog.in_sentences import in_sentences
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import here_on_a_phone, lead, takeaway
from pages.parts.text.format import join, md, plural
from pages.parts.visit.display import narrow, presenting

MOST_LINES = 6  # that are shown of those that were understood
CUT = 96  # letters of a line
LEAD = 24  # letters before what a long one says
ON_A_PHONE = 96  # letters of a line on a phone, where it takes three


@step(
    "What it says",
    minutes=4,
    ask="Which of these lines are about the cache, and what do they count: bytes, blocks, cells or tokens? Which are about times?",
    wrong={
        "One request may be as long as the cache": (
            "the cache is taken for one sequence’s: all requests at work share it, and none may be longer than the server’s limit"
        ),
        "GiB read as GB": "10⁹ and 2³⁰ differ by seven per cent",
    },
)
def understood(log: ServerLog | None, c: Compared | None) -> None:
    """The log and the lines of it that say something."""
    lead("A server says at its start how large its cache is. Which of its lines say so?", "KV cache", "TTFT", "TPOT")
    picture = here_on_a_phone()
    with st.container(key="log_box"):
        pasted_log.box()
    if log is None:
        return
    with picture:
        _figure(log)
    takeaway("log", in_sentences(log, c))
    if not presenting():
        st.caption(_how_many(log))
    if log.left_alone:
        look = {"icon": ":material/visibility_off:", "type": "tertiary", "key": "serverlog_left_alone"}
        with st.popover("Lines that no rule knows", **look):
            st.code("\n".join(f"{n}: {line}" for n, line in log.left_alone.items()), language=None, wrap_lines=True)


def _figure(log: ServerLog) -> None:
    shown = sorted(sorted(log.lines, key=lambda n: _about_its_server(log, n))[:MOST_LINES])
    parts, most = _in_memory(log), ON_A_PHONE if narrow() else CUT
    lines = [Printed(n, _cut(log, n, most), _marked(log, n), _read_in(log, n), _of_cache(log, n)) for n in shown]
    alt = []
    for line in lines:
        about = [part for part, (_, n) in parts.items() if n == line.n] or ["cache"] * (line.held and "cache" in parts)
        alt.append(f"Line {line.n}: {line.text}, which says {line.said}{f' and leads to {join(about)}' if about else ''}.")
    tokens = held_tokens(log) if is_sure(log) and not several_caches(log) else None  # those that it states, as one number
    plot(log_and_memory(sheet(0.97, high=366, slide_high=500), lines, parts, tokens), " ".join(alt), "log_lines")


def _of_cache(log: ServerLog, line: int) -> bool:
    """Whether a line counts what the cache holds: blocks, cells, tokens or sequences."""
    return any(figure.name in _HELD for figure in log.figures if figure.line == line)


def _in_memory(log: ServerLog) -> dict[str, tuple[float, int]]:
    """Bytes of a device's memory that the log prints, and in which line, each where it is one number; all of it only where what is in
    it is no more. Nothing where lines of several programs, starts or cards may be mixed."""
    log, names = of_its_start(log), {"parameters": "weight_bytes", "cache": "kv_bytes", ALL: "gpu_bytes"}
    printed = {part: (one.value, one.line) for part, name in names.items() if (one := the_one(log, name)) and one.value}
    if mixed(log, *names.values()):
        return {}
    # Of layers with windows, of equal size too.
    if len([figure for figure in log.all("kv_bytes") if figure.program == LLAMA_CPP]) > 1:
        printed.pop("cache", None)
    if ALL in printed and sum(n for part, (n, _) in printed.items() if part != ALL) > printed[ALL][0]:
        del printed[ALL]
    return printed


def _marked(log: ServerLog, line: int) -> list[str]:
    """What of a line was understood, as it stands there."""
    of_line = [one.printed for one in (*log.words, *log.figures) if one.line == line]
    return [part for text in of_line for part in (text, text.replace(" ", ""), text.split()[0])]


def _how_many(log: ServerLog) -> str:
    """How much of the log was understood, and where it comes from."""
    n, more = len(log.lines), len(log.lines) - MOST_LINES
    lines = f"{n} of {log.n_lines} {plural(log.n_lines, 'line')} {plural(n, 'was', 'were')} understood"
    others = f"; the {plural(log.n_lines - n, 'other is', 'others are')} left alone" if log.n_lines > n else ""
    not_shown = f" {more} more {plural(more, 'is', 'are')} not shown." if more > 0 else ""
    source = f" Source: {md(pasted_log.example().source)}." if pasted_log.example() else ""
    return f"{lines}{others}.{not_shown}{source}"


def _about_its_server(log: ServerLog, line: int) -> bool:
    """Whether a line says nothing but what the server and its model are; those of the cache and of times come first."""
    return all(f.name.startswith("info_") or f.name in _SERVER for f in log.figures if f.line == line)


def _read_in(log: ServerLog, line: int) -> str:
    """The figures and words of one line."""
    said = [one for one in (*log.words, *log.figures) if one.line == line]
    return ", ".join(dict.fromkeys(f"{_name(one)} {one.printed[:CUT]}{_meant(one)}" for one in said))


def _meant(said: Figure | Word) -> str:
    """That a program prints GB and means 2³⁰ bytes, as most do; "" elsewhere."""
    printed, _, unit = said.printed.rpartition(" ")
    binary = unit == "GB" and isinstance(said, Figure) and printed.replace(".", "").isdigit()
    return ", meaning GiB" if binary and isclose(said.value, float(printed) * 2**30, rel_tol=1e-3) else ""


def _name(said: Figure | Word) -> str:
    """What it is called; without a unit of its own where one is printed."""
    whole, _, one = said.name.rpartition("_")
    if one in _OF_EACH:
        return _name(replace(said, name=whole)) + _OF_EACH[one]
    of, _, share = said.name.partition("_")
    share = "" if share == "ms" else share.upper() if share.startswith("p") and share[1:2].isdigit() else share
    timed = of in _TIMES and (share in ("", "median") or share.startswith("P"))
    name = ", ".join(filter(None, (_TIMES[of], share, "ms"))) if timed else _NAMES.get(said.name, said.name)
    name = name.replace(" a second", "") if said.printed.endswith("/min") else name
    return name.removesuffix(", ms") if said.printed.endswith("s") else name


def _cut(log: ServerLog, n: int, most: int = CUT) -> str:
    """A line; of one longer than `most` the part with what it says, the middle of that left out where it is long too."""
    line = log.lines[n]
    if len(line) <= most:
        return line
    said = [one for one in (*log.words, *log.figures) if one.line == n]
    digits = [one.printed.split()[0] for one in said if one.name not in _SERVER] or [one.printed.split()[0] for one in said]
    digits = [d for d in digits if d in line] or [line[0]]
    at = max(0, min(map(line.find, digits)))
    first = line.rfind(" ", 0, at - min(LEAD, most // 3)) + 1 if at > most // 2 else 0
    text = line[first : max(first + most, *(line.rfind(d) + len(f"{d} MiB") for d in digits))]
    whole = line.endswith(text)
    words = text.rsplit(" ", 1)[0]
    if not whole and line[first + len(text)] != " " and all(d in words for d in digits):
        text = words
    if len(text) > most:  # between two words: of 20000 there would be 200
        start, end = text[: most // 2], text[-most // 2 :]
        text = f"{start.rsplit(' ', 1)[0]} … {end.split(' ', 1)[-1]}"
    return f"{'… ' * (first > 0)}{text}{' …' * (not whole)}"


_HELD = ("n_blocks", "kv_tokens", "cells", "concurrency", "full_tokens", "window_tokens", "cache_tokens")
_SERVER = ("gpu_bytes", "usable", "n_devices", "n_stages", "n_cut", "n_params", "bits_a_weight")
_OF_EACH = {"gpu": " of each device", "user": " of each request"}
_TIMES = {"ttft": "TTFT", "tpot": "TPOT", "itl": "ITL", "request": "a whole request", "prompt": "prompt", "answer": "decode"}
_NAMES = {
    "n_blocks": "blocks", "kv_tokens": "tokens", "n_ctx": "context", "concurrency": "sequences at once",
    "kv_bytes": "cache", "weight_bytes": "parameters", "n_devices": "devices", "block_size": "tokens a block",
    "block_bytes": "bytes of a block", "cells": "cells",
    "n_layer": "layers", "k_bytes": "K", "v_bytes": "V", "prefill_ms": "prompt, ms", "n_prompt": "prompt tokens",
    "decode_ms": "decode, ms", "each_ms": "ms each", "n_steps": "steps", "n_running": "running", "n_cached": "tokens held",
    "tokens_per_s": "tokens a second", "n_requests": "requests", "duration_s": "seconds", "n_input": "tokens in",
    "n_output": "tokens out", "accept_len": "tokens a step",
    "full_tokens": "tokens of whole layers", "window_tokens": "tokens of layers with windows", "n_finished": "finished",
    "good_rate": "requests a second within the limits",
    "needed_bytes": "needed", "state_bytes": "states", "n_state": "sequences", "state_layers": "layers", "n_stages": "stages",
    "n_copies": "copies of the model",
    "n_cut": "parts of a sequence", "n_params": "parameters", "bits_a_weight": "bits a parameter", "model": "model",
    "dtype": "type", "quantization": "quantised", "kv_dtype": "cache in", "k_type": "K in", "v_type": "V in", "arch": "family",
    "loaded_as": "parameters in", "experts_as": "experts in", "device": "device", "data_parallel": "data-parallel attention",
    "fitting_ctx": "would fit, tokens", "gpu_bytes": "memory", "usable": "share of it used", "prompt_rate": "prompt tokens a second",
    "answer_rate": "tokens a second", "n_now": "running", "n_waiting": "waiting", "cache_percent": "cache in use, %",
    "found_percent": "found in the cache, %", "n_preempted": "preempted so far", "cache_share": "share of the cache in use",
    "buffer_bytes": "parameters of one buffer", "new_seqs": "prompts", "new_tokens": "tokens computed", "found_tokens": "tokens found",
    "engine_bytes": "engine", "lacking_bytes": "missing before any cache", "conv_bytes": "states",
    "ssm_bytes": "states", "batch_tokens": "tokens of a batch, at most", "planned_cache": "cache, planned",
    "planned_weights": "parameters, planned", "n_at_most": "at once, at most", "n_peak": "at once, most of all",
    "refused_tokens": "tokens of a batch, too many", "mean_at_once": "at once, on average", "mean_input": "tokens of a prompt",
    "mean_output": "tokens of an answer",
    "asked_input": "tokens of a prompt, asked for", "asked_output": "tokens of an answer, asked for",
    "cache_part": "cache on one device", "context_part": "for contexts on one device",
    "n_seq": "sequences", "asked_seq": "sequences, asked for",
    "asked_kv_type": "cache asked for in", "seq_ctx": "longest sequence",
    "request_rate": "requests a second",
    "total_rate": "tokens in and out a second", "peak_rate": "tokens a second, most of all", "n_failed": "failed",
    "asked_rate": "requests a second, asked for", "asked_tokens": "tokens looked for in the cache", "hit_tokens": "found there",
    "refused": "one sequence is longer than what is", "gpu_layers": "layers on the device", "all_layers": "of layers",
    "done_prompt": "tokens of prompts so far", "done_answer": "tokens of answers so far",
    "compute_bytes": "for computing", "peak_bytes": "for computing, at most", "graph_bytes": "for CUDA graphs",
    "free_bytes": "free", "asked_bytes": "asked for", "card_bytes": "memory of the device", "model_file": "file",
    "asked_ctx": "context, asked for", "asked_requests": "requests, asked for", "least_usable": "share of it needed",
    "used_bytes": "memory in use", "most_input": "tokens of a prompt, at most", "most_output": "tokens of an answer, at most",
    "no_room": "no cache:",
    "too_little_free": "less is free than", "ran_out": "ran", "blob": "file",
    "planned_part": "on the devices, planned", "served": "served as", "n_cards": "devices there",
    "cache_tokens": "tokens in the cache",
    "cache_size": "cache", "weights_size": "parameters",
    "memory": "memory", "peak_memory": "memory in use, most of all", "size_bytes": "size", "total_bytes": "in all", "at_ctx": "context",
    "found_share": "share found in the cache", "state_part": "states on one device",
    "prefill_tokens": "tokens of prompts in a batch, at most",
    "free_share": "share of free memory for the cache", "offload_gb": "GB kept in main memory",
    "ttft_sum": "TTFT of all, s", "ttft_count": "requests", "request_sum": "all requests, s", "request_count": "requests",
    "n_done": "tokens so far", "total_ms": "prompt and answer, ms", "n_all": "tokens of both",
    "accepted_share": "share of guesses that stay",
    "planned_all": "all, planned", "planned_host": "main memory, planned", "file": "file",
    "n_stream": "sequences with cells of their own", "one_prefill_ms": "prompts, ms", "one_decode_ms": "step, median, ms",
    "pass_tokens": "tokens of the prompt", "pass_steps": "steps",
    "pass_past": "behind tokens", "batch_prompt": "tokens of a prompt", "batch_answer": "tokens of an answer",
    "batch_seqs": "at once", "batch_held": "tokens held", "batch_prompt_s": "prompts, s", "batch_answer_s": "answers, s",
    "accepted_percent": "guesses that stay, %", "info_d_v": "width of a value", "info_layer": "layers", "info_embd": "width",
    "info_head": "heads", "info_head_kv": "key/value heads", "info_d_head": "width of a head", "info_k_row": "numbers of K",
    "info_v_row": "numbers of V",
    "info_rope": "of them rotated", "info_rank": "numbers of keys and values",
    "info_window": "window", "info_ff": "hidden width", "info_ff_exp": "of an expert",
    "info_expert": "experts", "info_expert_used": "visited", "info_vocab": "vocabulary", "info_ctx": "trained for, tokens",
}  # fmt: skip
