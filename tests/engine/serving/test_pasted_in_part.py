"""Logs of which a part was pasted: it ends or begins anywhere, and states nothing that the whole does not."""

import pytest

from engine.serving.log_lines import read_log
from pages.lessons.serverlog.examples import EXAMPLES

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
