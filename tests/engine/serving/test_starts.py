"""Several starts of a server, or several benchmarks, in one log: no figure of one is held against another's."""

import pytest
from printed_logs import HEADING

from engine.cost import DEVICES, MODELS
from engine.serving.does_not_fit import remedy
from engine.serving.held_tokens import held_tokens, several_caches
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times
from engine.serving.starts import the_one
from engine.serving.stated_setup import several_files, stated_setup
from pages.lessons.serverlog.in_sentences import held, ran_out, to_change

SETUP = MODELS["Llama-3.1-8B"], DEVICES["A100-80"]
# forums.developer.nvidia.com, t/354399: the second benchmark is cut off.
FIRST = """============ Serving Benchmark Result ============
Successful requests: 1
Benchmark duration (s): 6.68
Total input tokens: 1024
Total generated tokens: 128
Mean TTFT (ms): 83.91
Mean TPOT (ms): 51.95
"""
SECOND = (
    HEADING + "Successful requests: 10\nBenchmark duration (s): 10.52\nTotal input tokens: 10240\nTotal generated tokens: 12800\n"
)
OLLAMA = (
    "total duration: 60s\nprompt eval count:    32768 token(s)\nprompt eval duration: {prompt}\neval count:           {steps} token(s)\n"
    "eval duration:        18.173182374s\n"
)


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
    log = read_log("\n".join(f"max_total_num_tokens={n}, context_len=9" for n in (73472, 120576, 2413824)))
    assert several_caches(log) == [73_472, 120_576, 2_413_824] and the_one(log, "kv_tokens") is None
    assert "several sizes" in held(log, None) and "73,472, 120,576 and 2,413,824 tokens" in held(log, None)


def test_a_start_that_failed_before_one_that_did_not_is_no_failure():
    for failed in (
        "ValueError: No available memory for the cache blocks. Try",
        "Free memory on device (59.32/79.15 GiB) on startup is less than desired GPU memory utilization (0.9, 71.24 GiB).",
        "The model's max seq len (29000) is larger than the maximum number of tokens that can be stored in KV cache (23648).",
    ):
        assert "did not start" in to_change(read_log(failed))
        assert not to_change(read_log(f"{failed}\nGPU KV cache size: 230,528 tokens"))


def test_too_little_memory_of_an_unknown_card_stops_nothing():
    """vatsasree/MedQA_Agent, vllm.log: how much was free was printed in a new form, and the page stopped."""
    new = "Free memory on rank 3 [54.1 of 79.18 GiB] on startup is less than desired GPU memory utilization (0.92, 72 GiB)."
    log = read_log(f"(Worker pid=7) ERROR 07-01 09:41:21 [x.py:1] ValueError: {new}")
    assert log.words_named("too_little_free") and to_change(log) == ""


@pytest.mark.parametrize(
    "line",
    [
        "(VllmWorker rank=3 pid=1090) ERROR 06-05 06:18:13 [x.py:470] RuntimeError: CUDA error: out of memory",  # vllm issue 19186
        "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 80.00 MiB.\nGPU KV cache size: 16 tokens",
        "Exception: Capture cuda graph failed: CUDA out of memory. Tried to allocate 448.00 MiB. GPU 7 has",  # sglang issue 5285
        "ggml_backend_cuda_buffer_type_alloc_buffer: allocating 26.97 MiB on device 0: cudaMalloc failed: out of memory",
    ],
)
def test_a_device_that_ran_out_of_memory_is_said(line):
    assert ran_out(read_log(line)) == "It prints that **a device ran out of memory**."


def test_advice_on_memory_is_no_lack_of_it():
    advice = "If out-of-memory error occurs during cudagraph capture, consider decreasing `gpu_memory_utilization`"
    assert not ran_out(read_log(f"INFO 03-27 10:29:03 [model_runner.py:1442] {advice}\nGPU KV cache size: 16 tokens"))


def test_of_two_files_of_ollama_s_the_name_of_one_is_not_the_model_s():
    """bercaakbayir/MacCare: the first of two models has no name, and the second’s was given as the log’s."""
    load = 'level=INFO source=server.go:431 cmd="/usr/bin/ollama runner --model /var/lib/ollama/models/blobs/sha256-{}ac0 --ctx-size 4096"'
    one, name = load.format("1fb99eda86dc"), "print_info: general.name = Llama 3.2 3B Instruct"
    assert stated_setup(read_log(f"{one}\n{one}\n{name}")).model == "Llama 3.2 3B Instruct"
    two = read_log(f"{one}\n{load.format('dde5aa3fc5ff')}\n{name}")
    assert not stated_setup(two).model and several_files(two)


def test_the_memory_of_each_card_is_read():
    """ollama/ollama issue 8430: of two cards the first alone was."""
    log = read_log(
        'level=INFO source=server.go:168 msg=offload memory.available="[11.5 GiB 4.6 GiB]" memory.required.full="14.9 GiB"'
    )
    assert [one.printed for one in log.all("free_bytes")] == ["11.5 GiB", "4.6 GiB"]


STARTED = """=== Starting llama.cpp server ===
0.00.052.932 I device_info:
0.00.053.157 I   - CUDA0   : NVIDIA GeForce RTX 4090 (24564 MiB, 24000 MiB free)
0.00.055.510 I srv    load_model: loading model '/models/{}-Q4_K_M.gguf'
prompt eval time =      26.59 ms /    19 tokens (    1.40 ms per token,   714.47 tokens per second)
       eval time =      64.75 ms /    12 tokens (    5.40 ms per token,   185.34 tokens per second)
"""
ON_A_PROCESSOR = """=== Starting llama.cpp server ===
warning: no usable GPU found, --gpu-layers option will be ignored
0.00.002.447 I device_info:
0.00.002.456 I   - CPU     : 11th Gen Intel(R) Core(TM) i5-11300H @ 3.10GHz (15730 MiB, 15730 MiB free)
0.00.003.773 I srv    load_model: loading model '/models/{}-Q4_K_M.gguf'
"""
ANSWER = """prompt eval time =     123.02 ms /    19 tokens (    6.47 ms per token,   154.44 tokens per second)
       eval time =     351.14 ms /    16 tokens (   21.95 ms per token,    45.57 tokens per second)
"""


def test_a_device_of_another_start_is_not_the_answers():
    """racek256/Poseidon: an answer of a processor was to be held against the graphics card of the start before."""
    one, other = STARTED.format("Qwen2.5-0.5B-Instruct"), ON_A_PROCESSOR.format("Qwen2.5-7B-Instruct")
    alone, both, no_answer = (stated_setup(read_log(text)) for text in (one, one + other + ANSWER, one + other))
    assert alone.device == no_answer.device == "RTX 4090" and alone.shape.name == no_answer.shape.name == "Qwen2.5-0.5B"
    assert (both.device, both.printed_device, both.shape.name) == (None, "", "Qwen2.5-7B")
    assert (both.which_start, alone.which_start) == ("the last whose times are read here", "")
    setup = {"weight_bits": 5, "kv_bits": 16, "n_devices": 1}
    text = one + ON_A_PROCESSOR.format("Qwen2.5-0.5B-Instruct") + ANSWER
    found = times(read_log(text), alone.shape, DEVICES["RTX 4090"], **setup)
    assert [round(1000 * time.measured_s, 2) for time in found] == [123.02, 21.95]


def test_of_several_starts_no_answer_of_one_stands_beside_a_prompt_of_another():
    text = STARTED.format("Qwen2.5-7B-Instruct") + ON_A_PROCESSOR.format("Qwen2.5-7B-Instruct") + ANSWER.split("\n")[0]
    found = times(read_log(text), MODELS["Qwen2.5-7B"], DEVICES["RTX 4090"], weight_bits=5, kv_bits=16, n_devices=1)
    assert [time.what for time in found] == ["prompt"]


def test_one_start_is_one_whatever_it_prints_of_itself():
    assert not read_log(STARTED.format("Qwen2.5-0.5B-Instruct")).begins
    again = STARTED.format("Qwen2.5-0.5B-Instruct") * 2
    at_its_end = "build: 6f67cf1 (3567)"  # of llama-bench
    assert not read_log(f"{at_its_end}\nllama_context: n_ctx = 8\n{at_its_end}").begins
    assert read_log(again).begins == (1, 8) and stated_setup(read_log(again)).device == "RTX 4090"


def test_the_model_of_a_servers_last_start_is_named():
    """AIEngOc2025: two starts that failed, each with a model of its own; each prints its arguments once, its version once."""
    args = "(APIServer pid=1) INFO 06-28 23:59:04 [api_utils.py:273] non-default args: {{'model_tag': '/m/{0}', 'model': '/m/{0}'}}\n"
    version = "(APIServer pid=1) INFO 06-28 23:59:04 [api_server.py:1395] vLLM API server version 0.9.2\n"
    log = read_log("".join(version + args.format(name) for name in ("Qwen2.5-0.5B", "Qwen2.5-7B")))
    assert log.begins == (1, 3) and stated_setup(log).model == "/m/Qwen2.5-7B" and stated_setup(log).which_start == "the last"
    assert not read_log(version + args.format("Qwen2.5-7B")).begins
