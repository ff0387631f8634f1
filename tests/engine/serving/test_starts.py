"""Several starts of a server, or several benchmarks, in one log: no figure of one is held against another's."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.does_not_fit import remedy
from engine.serving.log_checks import cache_checks, held_tokens, several_caches
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times
from engine.serving.starts import last_start
from pages.lessons.serverlog.in_sentences import held, tables

SETUP = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
# vllm-project/vllm issue 10517: of three starts the second failed, and only there tokens are printed.
OF_LENGTHS = """Loading model weights took 14.9888 GB
Memory profiling results: total_gpu_memory=23.58GiB kv_cache_size=2.89GiB gpu_memory_utilization=0.90
# GPU blocks: 1478, # CPU blocks: 2048
Maximum concurrency for 29000 tokens per request: 0.82x
The model's max seq len (29000) is larger than the maximum number of tokens that can be stored in KV cache (23648).
Loading model weights took 14.9888 GB
Memory profiling results: total_gpu_memory=23.58GiB kv_cache_size=5.82GiB gpu_memory_utilization=0.90
# GPU blocks: 2979, # CPU blocks: 2048
Maximum concurrency for 35000 tokens per request: 1.36x"""
# forums.developer.nvidia.com, t/354399: the second benchmark is cut off.
FIRST = """Successful requests: 1
Benchmark duration (s): 6.68
Total input tokens: 1024
Total generated tokens: 128
Mean TTFT (ms): 83.91
Mean TPOT (ms): 51.95
"""
SECOND = "Successful requests: 10\nBenchmark duration (s): 10.52\nTotal input tokens: 10240\nTotal generated tokens: 12800\n"
OLLAMA = (
    "prompt eval count:    32768 token(s)\nprompt eval duration: {prompt}\neval count:           {steps} token(s)\n"
    "eval duration:        18.173182374s\n"
)


def test_the_cache_is_the_last_starts():
    log = read_log(OF_LENGTHS)
    assert held_tokens(log) == 2979 * 16 and remedy(log) is None
    checks = {check.what: check for check in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16)}
    assert checks["sequences of full length"].agrees and checks["bytes a token"].agrees
    assert not any(check.differs for check in checks.values())


def test_a_start_that_fails_after_one_that_did_not_is_said_to_fail():
    fails = "max seq len (221000), (20.24 GiB KV cache is needed, which is larger than the available KV cache memory (5.59 GiB)."
    works = "Available KV cache memory: 10.55 GiB\nGPU KV cache size: 230,528 tokens"  # vllm-project/vllm issue 25350
    assert remedy(read_log(f"{works}\n{fails}")).n_ctx == 221_000 and remedy(read_log(f"{fails}\n{works}")) is None


def test_lines_in_another_order_are_no_second_start():
    log = read_log("GPU KV cache size: 230,528 tokens\nAvailable KV cache memory: 10.55 GiB")
    assert held_tokens(log) == 230_528 and len(cache_checks(log)) == 1


def test_a_benchmark_that_was_cut_off_has_no_times_of_the_one_before():
    ttft, step = times(read_log(FIRST + SECOND), *SETUP, weight_bits=16, kv_bits=16)
    assert "1 request of 1,024 + 128" in ttft.how and step.measured_s == 0.05195
    assert not has_times(read_log(SECOND + "Request throughput (req/s): 1"))


def test_a_request_that_was_cut_off_has_no_times_of_the_one_before():
    """ollama/ollama pull 12742, llama-cpp-python issue 1830."""
    first, second = OLLAMA.format(prompt="7.779621548s", steps=1873), OLLAMA.format(prompt="0.00ms", steps=10)
    prompt, step = times(read_log(first + second[: second.index("eval duration:        18")]), *SETUP, weight_bits=16, kv_bits=16)
    assert prompt.measured_s == 7.779621548 and "1,873 steps behind 32,768" in step.how


def test_caches_of_several_sizes_are_all_said():
    """sgl-project/sglang pull 28620: three deployments."""
    log = read_log("`max_total_num_tokens=73472`\nabout `max_total_num_tokens=120576`\n`max_total_num_tokens=2413824`")
    assert several_caches(log) == [73_472, 120_576, 2_413_824]
    assert "several sizes" in held(log, None) and "73,472, 120,576 and 2,413,824 tokens" in held(log, None)


def test_a_table_of_unknown_headings_is_left_alone_and_that_is_said():
    rows = "| Run | Score | Cost | Grade | TTFT (ms) |\n|---|---|---|---|---|\n| a | 8 | 2.5 | 7 | 154.8 |\n| b | 9 | 2.4 | 6 | 120.1 |\n"
    log = read_log(rows + "\nGPU KV cache size: 230,528 tokens")
    assert not log.all("ttft_ms") and log.left_in_tables == 6 and "left alone" in tables(log) and 3 in log.left_alone
    with pytest.raises(ValueError, match="a table of 6 numbers whose headings are missing, unknown or without a unit"):
        read_log(rows)
    known = read_log(rows.replace("Score", "TPOT (ms)").replace("Cost", "ITL (ms)"))
    assert [one.value for one in known.all("ttft_ms")] == [154.8, 120.1] and not tables(known)


def test_columns_without_a_heading_are_nobodys_mean():
    """sgl-project/sglang pull 32207: mean, least, greatest and percentiles, of which the header was cut off."""
    log = read_log("Mean TPOT (ms): 9.1\n| TTFT | total | 116558.4 ms | 8317.2 ms | 163785.6 ms | 125484.7 ms |")
    assert not log.all("ttft_ms") and log.left_in_tables == 4
    assert read_log("| Mean TTFT (ms) | 3834.31 | 3714.32 | 3612.1 |").value("ttft_ms") == 3612.1


LOADED = "llama.cpp: loading model from a.bin\nllama_model_load_internal: n_ctx = {}\n"
OF_2023 = LOADED.format(2048) + "llama_init_from_file: kv self size  = 1600.00 MB\n"


@pytest.mark.parametrize(
    "text, cache", [(OF_2023, 1600), (OF_2023 + LOADED.format(512), None), (LOADED.format(512) + OF_2023, 1600)]
)
def test_a_second_start_of_2023_has_not_the_cache_of_the_first(text, cache):  # Future-House/paper-qa issue 99
    assert last_start(read_log(text)).value("kv_bytes") == (cache and cache * 2**20)
