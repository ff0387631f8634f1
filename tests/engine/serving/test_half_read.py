"""Public logs that were half read, or of which something was read wrongly: each with the thread that shows it."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.log_checks import several_caches
from engine.serving.log_lines import read_log
from engine.serving.log_times import times
from engine.serving.starts import runs_stated
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog.in_sentences import of_several_runs, to_change

BENEATH = """Completed requests: 100/100 (100.00%)
Total Input Tokens: 30691
Total Output Tokens: 50553
Request throughput: 7.17 requests/s

Time to First Token (ms):
  Mean: 56.46
  P99: 212.27

Inter-token Latency (ms):
  Mean: 10.53
nothing of it
Mean: 9.5"""  # vllm-project/vllm pull 10879
AIPERF = """┃                               Metric ┃      avg ┃      min ┃      max ┃      p50 ┃    std ┃
│             Time to First Token (ms) │   912.29 │    81.52 │ 2,270.46 │ 1,052.06 │ 392.14 │
│     Output Token Throughput Per User │    69.01 │    45.65 │    84.15 │    74.17 │  11.43 │
│                    (tokens/sec/user) │          │          │          │          │        │
│      Output Sequence Length (tokens) │   127.98 │   123.00 │   129.00 │   128.00 │   0.25 │"""  # modelscope/evalscope issue 1101
WITH_PEAKS = """| model       |            test |             t/s |     peak t/s |        ttfr (ms) |
|:------------|----------------:|----------------:|-------------:|-----------------:|
| qwen3.8-27b |            tg32 |    48.39 ± 3.16 | 49.95 ± 3.26 |                  |
| qwen3.8-27b |    tg32 @ d4096 |    56.64 ± 6.35 | 58.46 ± 6.56 |                  |"""  # andysalerno/r9700-serving issue 11
SWEEP = """|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |
|-------|--------|--------|----------|----------|----------|----------|
|   512 |    128 |      0 |    1.733 |   295.36 |    8.239 |    15.54 |
|   512 |    128 |    512 |    1.805 |   283.62 |    8.398 |    15.24 |"""  # ikawrakow/ik_llama.cpp pull 518


def test_what_stands_beneath_a_measure_and_its_unit_is_its():
    log = read_log(BENEATH)
    assert [log.value(name) for name in ("ttft_ms", "ttft_p99")] == [56.46, 212.27]
    assert [one.value for one in log.all("itl_ms")] == [10.53]
    _, step = times(log, MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], weight_bits=16, kv_bits=16)
    assert step.n_together == round(7.17 * 505 * 0.01053)  # of its requests a second: how long it took is not printed


def test_of_a_benchmark_without_its_rate_nothing_is_said_of_how_many_decoded():
    log = read_log(BENEATH.replace("Request throughput: 7.17 requests/s", ""))
    _, step = times(log, MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], weight_bits=16, kv_bits=16)
    assert step.n_together == 1 and "are not printed" in step.how and "on average (" not in step.how


def test_the_rest_of_a_label_is_no_header():
    """The columns beneath it were the least, the greatest and the deviation of an answer's tokens, all of them its mean."""
    log = read_log(AIPERF)
    assert [one.value for one in log.all("mean_output")] == [127.98]
    assert [one.value for one in log.all("answer_rate_user")] == [69.01] and log.value("ttft_median") == 1052.06


def test_a_peak_is_no_second_run():
    log = read_log(WITH_PEAKS)
    assert [one.value for one in log.all("answer_rate")] == [48.39, 56.64] and log.value("peak_rate") == 58.46
    (step,) = times(log, MODELS["Qwen3-32B"], DEVICES["H100 SXM"], weight_bits=16, kv_bits=16)
    assert step.measured_s == 1 / 56.64 and "several values" not in of_several_runs(log)


def test_rows_of_a_table_are_said_to_be_runs():
    log = read_log(SWEEP)
    assert runs_stated(log) == 2 and "2 values of one" in of_several_runs(log)
    one_request = "Prompt: 20 tokens, 300.5 tokens-per-sec\nGeneration: 100 tokens, 50.5 tokens-per-sec"
    assert not of_several_runs(read_log(one_request)) and not of_several_runs(read_log(BENEATH))


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("initial available_bytes 219721119039 / 204.63 GB", ("used_bytes", "card_bytes")),  # sglang pull 18263
        ("prompts  : 143 from artifacts/raw_data/prompts.json", ("n_requests",)),  # open-telemetry/opentelemetry-demo pull 3788
    ],
)
def test_what_is_of_another_thing_is_left_alone(line, names):
    log = read_log(f"GPU KV cache size: 1,000 tokens\n{line}")
    assert not any(map(log.all, names)) and log.left_alone == {2: line}
    assert (
        read_log("memory 3.5 / 24 GB").value("used_bytes") == 3.5 * 2**30 and read_log("prompts: 143").value("n_requests") == 143
    )


def test_a_file_of_settings_names_its_device_and_no_type():
    """LMCache/LMCache issue 503: “type int4_w4a16.json”."""
    log = read_log("Config file not found at /x/fused_moe/configs/E=256,N=256,device_name=NVIDIA_H20,dtype=int4_w4a16.json")
    assert log.word("device") == "H20" and not log.words_named("dtype")
    assert read_log("dtype=bfloat16, x").word("dtype") == "bfloat16"


def test_fewer_than_no_blocks_are_no_room():
    """vllm-project/vllm issue 184."""
    log = read_log("INFO 06-21 10:00:18 llm_engine.py:128] # GPU blocks: -1, # CPU blocks: 512")
    assert "nothing is left for a cache" in to_change(log) and not log.all("n_blocks")


def test_what_is_read_besides():
    assert read_log("Default `max_batch_prefill_tokens` to 10049").value("prefill_tokens") == 10_049  # TGI issue 2744
    long = "n_ctx_pre_seq (32768) > n_ctx_train (8192) -- possible training context overflow"
    assert read_log(long).value("info_ctx") == 8192  # ollama/ollama issue 10114
    rate = "Throughput(average output tokens per second): 537.683"
    assert read_log(rate).value("answer_rate") == 537.683  # sglang pull 3888
    named = stated_setup(read_log("Throughput: 5 tokens/s\nGPU 为 A100-SXM4-80GB"))
    assert named.device == "A100-80"  # QwenLM/Qwen3 issue 291


def test_a_pool_of_each_kind_of_layers_is_said():
    """sgl-project/sglang pull 18039: 300,288 were said to be all of it."""
    pools = "Use sliding window memory pool. full_layer_tokens=375360, swa_layer_tokens=300288"
    log = read_log(f"{pools}\nKV Cache is allocated. #tokens: 300288, K size: 8.38 GB, V size: 5.59 GB")
    assert several_caches(log) == [375_360, 300_288]


def test_what_stands_above_a_rule_is_a_header():
    """kvcache-ai/ktransformers issue 1914: “1K (969)” was a number, so that rows stood under the table before."""
    models = "| Model | TP | GPU Experts | CPU Infer |\n|---|---|---|---|\n| Qwen3-30B-A3B | 1 | 28 | 16 |\n"
    lengths = "| Metric | hi (2) | 1K (969) | 2K (1930) |\n|---|---|---|---|\n| Decode (tok/s) | 44.4 | 52.5 | 51.6 |"
    log = read_log(f"{models}\n{lengths}")
    assert [one.value for one in log.all("answer_rate")] == [44.4, 52.5, 51.6] and "several values" in of_several_runs(log)


def test_a_row_that_the_text_cuts_off_is_no_table_of_unknown_headings():
    """ikawrakow/ik_llama.cpp pull 757."""
    log = read_log(SWEEP + "\n|   512 |    128 |  11264 |    4.325 |   236.79 |   13.376 |")
    assert not log.left_in_tables and 5 in log.left_alone and len(log.all("answer_rate")) == 2


def test_the_name_of_a_run_is_not_its_models():
    """tenstorrent/tt-inference-server issue 314."""
    log = read_log(
        '"model_id": "id_tt-transformers_Llama-3.1-8B-Instruct_n150",\n"model_repo": "meta-llama/Llama-3.1-8B-Instruct",'
    )
    assert stated_setup(log).model == "meta-llama/Llama-3.1-8B-Instruct" and stated_setup(log).shape.name == "Llama-3.1-8B"


def test_a_cache_that_was_asked_for_and_one_in_older_words():
    """Of triton-inference-server/tensorrtllm_backend issue 456 nothing was read."""
    log = read_log("[TensorRT-LLM][INFO] Max tokens in paged KV cache: 117760. Allocating 54022635520 bytes.")
    assert (log.value("kv_tokens"), log.value("kv_bytes"), log.programs) == (117_760, 54_022_635_520, ("TensorRT-LLM",))
    reserved = "Initial free memory 31.16 GiB, reserved 4.25 GiB memory for KV Cache as specified by kv_cache_memory_bytes config"
    assert read_log(reserved).value("kv_bytes") == 4.25 * 2**30  # SergiioB/intel-arc-pro-b70-inference-cookbook issue 4


def test_rates_and_a_time_in_one_line_are_all_read():
    """raullenchai/Rapid-MLX pull 585: the time alone was."""
    log = read_log("- short (prompt=512, max=128): decode median 167.93 tok/s, prefill 2197.19 tok/s, ttft 240.3 ms")
    assert [log.value(name) for name in ("answer_rate", "prompt_rate", "ttft_ms")] == [167.93, 2197.19, 240.3]
    hoped = read_log("ttft 240.3 ms, and it should decode 200 tok/s")
    assert not hoped.all("answer_rate")


DRAFT = """encoded   10 tokens in    1.945 seconds, speed:    5.141 t/s
draft:
llama_perf_context_print: prompt eval time =      11.86 ms /    74 tokens (    0.16 ms per token,  6239.99 tokens per second)
"""  # ggml-org/llama.cpp pull 18039


def test_the_times_of_a_draft_are_not_its_models():
    assert not read_log(DRAFT).all("prefill_ms") and read_log(DRAFT).value("prompt_rate") == 5.141
    both = read_log(DRAFT + "target:\nllama_perf_context_print: prompt eval time =    1945.00 ms /    10 tokens")
    assert [one.value for one in both.all("prefill_ms")] == [1945]


def test_no_more_decode_at_once_than_there_may_be():
    """vllm-project/vllm pull 51742: “3 decoded at once” of one request at a time, for a step of ITL gives several tokens."""
    log = read_log(
        "Successful requests: 60\nMaximum request concurrency: 1\nBenchmark duration (s): 48.40\nTotal input tokens: 16410\n"
        "Total generated tokens: 18000\nMean TTFT (ms): 95.85\nMean TPOT (ms): 2.38\nMean ITL (ms): 8.23\nAcceptance rate (%): 31.16"
    )
    _, step = times(log, MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], weight_bits=16, kv_bits=16)
    assert step.n_together == 1 and "1 decoded at once, as many as there may be" in step.how


def test_a_range_is_no_number():
    """sudoingX/qwen38-mtp pull 6: “Acceptance: 0.56-0.94” was 0.56."""
    log = read_log("Acceptance: 0.56-0.94\nTTFT: 240-260 ms\nMean TPOT (ms): 9.1")
    assert not log.all("accepted_share") and not log.all("ttft_ms") and log.value("tpot_ms") == 9.1


def test_a_folder_of_a_programs_source_is_no_model():
    """TabbyML/tabby issue 2719: “its model crates/llama-cpp-serve”."""
    line = "WARN llama_cpp_server::supervisor: crates/llama-cpp-server/src/supervisor.rs:111: llm_load_print_meta: n_ff             = 3072"
    log = read_log(f"{line}\nsee ggml-org/llama.cpp")
    assert not log.words_named("said_model") and log.value("info_ff") == 3072
    named = read_log("Throughput: 5 tokens/s, of `meta-llama/Llama-3.1-8B-Instruct`.")
    assert named.word("said_model") == "meta-llama/Llama-3.1-8B-Instruct"


def test_a_drafts_guesses_are_no_serving_benchmark():
    """ggml-org/llama.cpp pull 24536: “its lines are those of llama.cpp and a serving benchmark”, without the time of a step."""
    log = read_log(
        "prompt eval time =     300.11 ms /    20 tokens\neval time =    2296.72 ms /   256 tokens\n"
        "draft acceptance = 0.64479 (  167 accepted /   259 generated), mean acceptance length =  2.92, "
        "acceptance rate per position = (0.805, 0.632)"
    )
    assert log.programs == ("llama.cpp",) and log.value("accept_len") == 2.92
    _, step = times(log, MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], weight_bits=16, kv_bits=16)
    assert step.measured_s == pytest.approx(2.92 * 2.29672 / 256) and read_log("Mean acceptance length: 2.5").programs == (
        "a command",
    )


def test_what_stands_beneath_a_time_without_its_unit_has_its_own():
    """vllm-project/vllm issue 1435; a heading in words says nothing without its unit."""
    log = read_log(
        "TTFT (Time to First Token):\n  - Median: 515ms\n  - P95: 526ms\nITL:\n  - Median: 6.7ms\nTotal:\n  - Mean: 9 s"
    )
    assert [log.value(name) for name in ("ttft_median", "ttft_p95", "itl_median")] == [515, 526, 6.7]
    assert not log.all("request_ms")
