"""Logs of which a part was pasted: it ends or begins anywhere, and states nothing that the whole does not."""

import pytest

from engine.serving.held_tokens import held_tokens
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from pages.lessons.serverlog.examples import EXAMPLES
from pages.lessons.serverlog.in_sentences import held

RESULT = """============ Serving Benchmark Result ============
Traffic request rate: 4.0
Benchmark duration (s): 302.97
Mean TTFT (ms): 38.23
Median TTFT (ms): 31.98
P99 TTFT (ms): 95.83
"""
TABLE = """| `MAX_NUM_BATCHED_TOKENS` | peak activation | prefill | KV pool (that boot) |
|---|---|---|---|
| 8224 (stock) | **5.30 GiB** | 997 tok/s | 290,632 tok |
"""  # of the third line alone the rate was read as one of answers


def test_a_number_that_the_text_cuts_off_is_left_whatever_was_asked():
    """sgl-project/sglang issue 2097: a TPOT of 1 ms, of which the rest was not in the text."""
    for last in ("1", "1.5"):
        assert not read_log(f"{RESULT}Mean TPOT (ms): {last}").all("tpot_ms")
    assert read_log(RESULT + "Mean TPOT (ms): 12.34").value("tpot_ms") == 12.34


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("vllm serve a/b --gpu-memory-utilization 0.", ("usable",)),  # of 0.95
        ("Acceptance: 0.56-", ("accepted_share",)),  # sudoingX/qwen38-mtp pull 6: -0.94
        ("│ (tokens/sec/user) │  │  │  │\n│ Output Sequence Length (tokens) │ 127.98 │ 123.00 │ 129.00 │", ("mean_output",)),
        ("| qwen3.8-27b | tg32 | 48.39 ± 3.16 | 49.95 ± 3.26 |  |", ("answer_rate",)),  # its rate and its peak
        ("Capturing batches (bs=496 avail_mem=20", ("n_at_most",)),  # sgl-project/sglang pull 18263
        ("[spec] estimated fixed memory usage of MTP context is 648.03 MiB", ("cache_size",)),  # ggml-org/llama.cpp issue 25465
    ],
)
def test_what_is_pasted_in_part_states_nothing_that_the_whole_does_not(text, names):
    log = read_log(f"GPU KV cache size: 1,000 tokens\n{text}")
    assert not any(map(log.all, names))


def figures(lines, before=0):
    try:
        return {(one.name, one.value, one.line + before) for one in read_log("\n".join(lines)).figures}
    except ValueError:
        return set()


@pytest.mark.parametrize("text", [*(example.text for example in EXAMPLES.values()), RESULT, TABLE])
def test_whole_lines_state_what_the_whole_does(text):
    lines = text.splitlines()
    whole = figures(lines)
    for n in range(len(lines)):
        assert figures(lines[:n]) <= whole and figures(lines[n:], n) <= whole


def test_a_share_with_fewer_decimals_than_all_before_it_is_cut_off():
    """sgl-project/sglang pull 13023 ends in “token usage: 0.0” of 0.07."""
    line = "[2025-11-11 04:06:35] Decode batch, #running-req: 11, #token: 13642, token usage: 0."
    assert [one.printed for one in read_log("\n".join(line + end for end in ("07", "08", "0"))).all("cache_share")] == [
        "0.07",
        "0.08",
    ]


def test_blocks_of_unknown_size_are_no_tokens():
    """Of a command that is not in the text they may have 32 each, on Gaudi they have 128."""
    blocks = "INFO 06-12 08:12:23 worker.py:45] # {} blocks: 507, # CPU blocks: 1024"
    of_cuda, of_gaudi = (read_log(blocks.format(name)) for name in ("GPU", "HPU"))
    assert held(of_cuda, None) == "It states a cache of **507 blocks**: 8,112 tokens in vLLM’s default size."
    assert held_tokens(of_gaudi) is None and not held(of_gaudi, None)
    sized = read_log(f"{blocks.format('HPU')}\nvllm serve a/b --block-size 128")
    assert held_tokens(sized) == 507 * 128


def test_sequences_of_blocks_of_unknown_size_have_no_verdict():
    text = (
        "# GPU blocks: 1000, # CPU blocks: 9\nMaximum concurrency for 16000 tokens per request: 2.00x\nvllm serve a/Llama-3.1-8B"
    )
    check, *_ = cache_checks(read_log(text))
    assert check.expected is None and "no block size is read in the log" in check.why
    assert not any("token" in check.what for check in cache_checks(read_log(f"{text}\nAvailable KV cache memory: 3.0 GiB")))


def test_blocks_of_tgi_are_read_with_their_size():
    """huggingface/text-generation-inference issue 2823."""
    log = read_log("2024-12-10T16:33:13Z  INFO text_generation_launcher: KV-cache blocks: 2484579, size: 1")
    assert held_tokens(log) == 2_484_579


PREEMPTED = (
    "Sequence group cmpl-7-0 is preempted in PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. "
    "total_num_cumulative_preemption=1"
)
BUFFER = (
    "llama_kv_cache_unified: size =   32.00 MiB (  1024 cells,  16 layers,  1/1 seqs), K (f16):   16.00 MiB, V (f16):   16.00 MiB"
)
ARGS = "[2025-11-01 16:50:30] server_args=ServerArgs(model_path='/models/google/gemma-3-12b-it', page_size=1, chunked_prefill_size=4096)"


@pytest.mark.parametrize(
    ("around", "line", "name"),
    [
        ("**{}**", PREEMPTED, "n_preempted"),  # vllm-project/vllm issue 8219
        ("> **{}**", PREEMPTED, "n_preempted"),
        ("- `{}`", PREEMPTED, "n_preempted"),
        ("1. **{}**", PREEMPTED, "n_preempted"),
        ("- {}", BUFFER, "cells"),
        ("llama[2]: {}", BUFFER, "cells"),  # an app's
        ("sglang-1  | {}", ARGS, "batch_tokens"),  # one line of docker compose: sgl-project/sglang issue 12496
    ],
)
def test_what_a_thread_or_an_app_puts_around_a_line_is_not_the_lines(around, line, name):
    log = read_log(around.format(line))
    assert log.value(name) == read_log(line).value(name) is not None


@pytest.mark.parametrize(
    "line", ["- GPU KV cache size: 16 tokens", "**GPU KV cache size:** 16 tokens", "**GPU KV cache size: 16** tokens"]
)
def test_a_list_in_a_thread_is_nobodys_line(line):
    with pytest.raises(ValueError, match="no line of the kind"):
        read_log(line)


def test_a_line_that_a_diff_took_away_is_gone():
    log = read_log(f"+ x\n- {BUFFER}\n+ {BUFFER.replace('1024', '2048')}")
    assert [one.value for one in log.all("cells")] == [2048]


def test_runs_were_not_always_tokens():  # abetlen/llama-cpp-python issue 49, April 2023
    log = read_log("llama_print_timings:        eval time =  8149.10 ms /    56 runs   (  145.52 ms per run)")
    assert (log.value("decode_ms"), log.value("n_steps")) == (8149.10, 56)
