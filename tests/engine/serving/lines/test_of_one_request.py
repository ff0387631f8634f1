"""Times of several texts or sequences are no request's: they are shown, and held against no bound."""

import pytest

from engine.serving.log_lines import read_log
from engine.serving.log_times import _steps, has_times
from engine.serving.starts import of_request
from engine.serving.stated_setup import several_files

TIMINGS = (
    "llama_print_timings:      sample time =       8.00 ms /   {} runs   (    0.02 ms per token, 64000.00 tokens per second)\n"
    "llama_print_timings: prompt eval time =   34550.14 ms /  2576 tokens (   13.41 ms per token,    74.56 tokens per second)\n"
    "llama_print_timings:        eval time =   28811.44 ms /   512 runs   (   56.27 ms per token,    17.77 tokens per second)\n"
)
TABLE = (
    "|    PP |     TG |    B |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |      T s |    S t/s |\\\n"
    "|-------|--------|------|--------|----------|----------|----------|----------|----------|----------|\\\n"
    "|   512 |    512 |    1 |   1024 |    0.393 |  1304.07 |   28.813 |    17.77 |   29.205 |    35.06 |\\\n"
    "|   512 |    512 |    2 |   2048 |    0.793 |  1291.20 |   33.259 |    30.79 |   34.053 |    60.14 |\n"
)


@pytest.mark.parametrize(
    "before",
    [
        "./batched-bench ./models/llama/7b/ggml-model-f16.gguf 4096 0 99 0 512 512 1,2",
        "main: n_kv_max = 4096, is_pp_shared = 0, n_gpu_layers = 99, mmq = 0, n_threads = 4, n_threads_batch = 4",
        TABLE,
        "./build/bin/llama-perplexity -m x.gguf -f wiki.test.raw",
        "perplexity: calculating perplexity over 4 chunks, n_ctx=512, batch_size=2048, n_seq=4",
        "llama-imatrix -m x.gguf -f y",
        "compute_imatrix: tokenizing the input ..",
        "./parallel -m x.gguf -np 8 -ns 128",
        "main: n_parallel = 8, n_sequences = 128, cont_batching = 1, system tokens = 305",
        "./batched x.gguf hello 4",
        "main: n_predict = 32, n_ctx = 2048, n_batch = 32, n_parallel = 4, n_kv_req = 113",
        "llama-mtmd-cli -m x.gguf --mmproj y.gguf --image z.png",
        "image decoded (batch 1/1) in 310 ms",
        "./lookahead -m x.gguf",
        "bin\\llama-lookup.exe -m x.gguf",
        "main: number of tokens in prompt = 7",
    ],
)
def test_a_sum_of_several_texts_is_no_requests_time(before):
    """ggml-org/llama.cpp pull 3545: 2,576 tokens in 34.6 s are two rows' prompts and the steps of one of them."""
    assert all(of_request(read_log(TIMINGS.format(513))))
    log = read_log(f"{before}\n{TIMINGS.format(513)}")
    assert log.all("prefill_ms") and of_request(log) == ({}, {})


CHAT = "main: chat template is available, enabling conversation mode (disable it with -no-cnv)"


@pytest.mark.parametrize(
    "opened", [CHAT, "== Running in interactive mode. ==", "./main -m x.gguf -i -n 512", "llama-cli -m x.gguf -cnv"]
)
def test_a_conversations_times_are_of_all_its_turns(opened):
    """How many turns there were no line says; a prompt whose tokens are counted is one, and so is a single turn."""
    assert not any(of_request(read_log(f"{opened}\n{TIMINGS.format(513)}")))
    assert all(of_request(read_log(f"{opened}\nmain: number of tokens in prompt = 2576\n{TIMINGS.format(513)}")))
    assert all(of_request(read_log(f"llama-cli -m x.gguf -cnv -st -p Hi\n{TIMINGS.format(513)}")))


def test_steps_whose_tokens_nobody_drew_are_no_answer():
    assert not has_times(read_log(TIMINGS.format(1))) and has_times(read_log(TIMINGS.format(513)))


@pytest.mark.parametrize(
    "before",
    [
        "./main -m x.gguf -p Hi",
        "build/bin/llama-server -m x.gguf -np 4",
        "llama-cli -m x.gguf",
        "main: number of tokens in prompt = 2576",
        "./build/bin/llama-cli -m embedding.gguf --lookup-cache-static x",
    ],
)
def test_one_request_keeps_its_times(before):
    assert all(of_request(read_log(f"{before}\n{TIMINGS.format(513)}")))


SLOT = "slot print_timing: id  0 | task 1665 | "
SERVER = (
    f"{SLOT}prompt eval time =    2210.24 ms /  1262 tokens (    1.75 ms per token,   570.98 tokens per second)\n"
    f"{SLOT}       eval time =   34720.13 ms /   289 tokens (  {{}} ms per token,     8.29 tokens per second)\n"
)


@pytest.mark.parametrize(("each", "n"), [("120.56", 288), ("120.14", 289), ("  nan", 289)])
def test_the_first_token_comes_with_the_prompt_where_a_server_counts_so(each, n):
    """“120 ms” of 289 tokens, where the line has 120.56 of 288."""
    _, answer = of_request(read_log(SERVER.format(each)))
    assert _steps(answer) == n


def test_a_prompt_that_takes_longer_than_prompt_and_steps_together_is_an_earlier_calls():
    """llama-cpp-python: “339 tokens / 1,457.18 ms” stands there once more, of 58 tokens most of which were kept."""
    lines = (
        "llama_perf_context_print: prompt eval time =    1457.18 ms /   339 tokens (    4.30 ms per token, 9 tokens per second)\n"
        "llama_perf_context_print:        eval time =   31321.20 ms /   252 runs   (  124.29 ms per token,     8.05 tokens per second)\n"
        "llama_perf_context_print:       total time =   {} ms /   591 tokens\n"
    )
    assert all(of_request(read_log(lines.format("32778.40"))))
    prompt, answer = of_request(read_log(lines.format("31677.31")))
    assert not prompt and answer["n_steps"].value == 252 and "n_prompt" not in answer


def test_a_warning_that_two_programs_print_is_of_the_one_whose_files_it_names():
    """“Its lines are those of SGLang and vLLM”, and no time was held."""
    file = "E=128,N=768,device_name=NVIDIA_H100_80GB_HBM3,dtype=fp8_w8a8.json"
    warning = "Using default MoE kernel config. Performance might be sub-optimal! Config file not found at {}/" + file
    sglang = read_log("[2026-08-27 03:45:56] " + warning.format("/sgl-workspace/sglang/srt/layers/moe/configs"))
    vllm = read_log("WARNING 08-27 03:45:56 [fused_moe.py:1] " + warning.format("/usr/lib/vllm/layers/fused_moe/configs"))
    assert [{word.program for word in log.words if word.name == "device"} for log in (sglang, vllm)] == [{"SGLang"}, {"vLLM"}]


def test_rows_whose_lines_markdown_breaks_are_read():
    assert [one.value for one in read_log(TABLE).all("answer_rate")] == [17.77, 30.79]


def test_one_file_under_two_names_is_one():
    """ggml-org/llama.cpp, a run of Llama 3.1 405B over the network: model.gguf in its command."""
    load = "llama_model_loader: loaded meta data with 30 key-value pairs and 1138 tensors from /home/u/{} (version GGUF V3 (latest))\n"
    command = "bin/llama-cli -m ../../model.gguf -p x -n 128 -ngl 999\n"
    one = command + load.format("Llama-3.1-405B_Q4_0.gguf")
    assert not several_files(read_log(one + TIMINGS.format(513))) and has_times(read_log(one + TIMINGS.format(513)))
    assert several_files(read_log(one + TIMINGS.format(513) + load.format("Qwen2.5-0.5B-Q4_0.gguf")))


@pytest.mark.parametrize(
    "line",
    [
        "[2026-02-26 16:41:24 TP6] Scheduler hit an exception: Traceback (most recent call last):",
        "[2026-02-26 16:41:24] Scheduler hit an exception: Traceback (most recent call last):",  # of one device, without its rank
        "[2026-02-26 16:41:24] Initialization failed. warmup error: Traceback (most recent call last):",
        "llama_init_from_gpt_params: error: failed to create context with model 'x.gguf'",
        "(EngineCore_0 pid=12) ERROR 09-01 10:00:00 [core.py:700] WorkerProc failed to start",
        "[TensorRT-LLM][ERROR] Failed to initialize executor on rank 0: x",
    ],
)
def test_a_start_that_failed_is_known_by_each_programs_words(line):
    assert read_log(f"llama_context: n_ctx = 4096\n{line}\n").failed == 2


def test_words_behind_a_benchmarks_number_are_left_alone():
    log = read_log(
        "Maximum request concurrency: 64\n============ Serving Benchmark Result ============\n"
        "Successful requests:                     1024\n"
        "Output token throughput (tok/s):         3337.24      ← key metric\n"
        "Median TPOT (ms):                        17.39        # good\n"
        "Mean TPOT (ms):                          17.53 to 18\n"
    )
    assert {one.name: one.value for one in log.figures} == {
        "n_at_most": 64, "n_requests": 1024, "answer_rate": 3337.24, "tpot_median": 17.39,
    }  # fmt: skip


def test_a_scheduler_that_stops_at_a_later_request_has_started():
    work = (
        "[2026-02-26 16:41:20 TP0] Decode batch. #running-req: 1, #token: 33, token usage: 0.00, gen throughput (token/s): 8.14\n"
    )
    stopped = "[2026-02-26 16:41:24 TP6] Scheduler hit an exception: Traceback (most recent call last):\n"
    assert read_log(work + stopped).failed == 0


def test_of_two_programs_one_after_the_other_the_first_command_is_the_firsts():
    start = "main: build = 916 (b5472ea)\nllama_new_context_with_model: n_ctx = 4096\n"
    one, other = "./main -m x.gguf\n", "./perplexity -m x.gguf\n"
    for text in (
        one + start + TIMINGS.format(513) + other + start + TIMINGS.format(514),
        other + start + TIMINGS.format(514) + one + start + TIMINGS.format(513),
    ):
        log = read_log(text)
        assert log.begins and has_times(log)
