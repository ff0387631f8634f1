"""What a benchmark printed beneath its heading: every label of its list, to the end of the line; each as in the public thread named."""

import pytest
from printed_logs import HEADING

from engine.cost import DEVICES, MODELS
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times

RESULT = """============ Serving Benchmark Result ============
Successful requests:                     100       <
Failed requests:                         0
Maximum request concurrency:             16
Benchmark duration (s):                  15.40
Total input tokens:                      54400
Total generated tokens:                  15000
Request throughput (req/s):              6.49
Output token throughput (tok/s):         974.03
Total token throughput (tok/s):          4506.49
---------------Time to First Token----------------
Mean TTFT (ms):                          1432.74
Median TTFT (ms):                        1401.50
P99 TTFT (ms):                           3018.11
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          15.93
---------------Inter-token Latency----------------
P99.9 ITL (ms):                          18.69
=================================================="""  # vllm-project/vllm pulls 43276 and 7062, PaddlePaddle/FastDeploy pull 7931
SGLANGS = """Backend:                                 sglang
Traffic request rate:                    4.0
Max request concurrency:                 330
Successful requests:                     1000
Concurrency:                             451.36
Mean E2E Latency (ms):                   25747.35
Mean TTFT (ms):                          332.99
Accept length:                           2.40"""  # sgl-project/sglang issue 8285 and pull 9812


def test_a_result_is_read_line_by_line():
    log = read_log(RESULT)
    names = ("n_failed", "n_at_most", "duration_s", "n_input", "n_output", "request_rate", "answer_rate", "total_rate")
    assert [log.value(name) for name in names] == [0, 16, 15.4, 54400, 15000, 6.49, 974.03, 4506.49]
    assert [log.value(name) for name in ("ttft_ms", "ttft_median", "ttft_p99", "tpot_ms", "itl_p99.9")] == [
        1432.74, 1401.5, 3018.11, 15.93, 18.69,
    ]  # fmt: skip
    assert not log.all("n_requests") and 2 in log.left_alone  # more stands in its line than is printed
    assert log.programs == ("a serving benchmark",)


def test_a_terminals_spaces_behind_a_number_are_none():
    """vllm-project/vllm pull 18971."""
    log = read_log(HEADING.strip() + " " * 150 + "\nSuccessful requests:                     1000" + " " * 170)
    assert log.value("n_requests") == 1000


def test_what_stands_behind_its_end_or_without_its_heading_is_not_its():
    behind = RESULT + "\nMean ITL (ms):                           9.5"
    assert not read_log(behind).all("itl_ms")
    between = HEADING + "Successful requests: 2\nand then I saw\nMean TTFT (ms): 9.5"
    assert not read_log(between).all("ttft_ms") and read_log(between).value("n_requests") == 2
    with pytest.raises(ValueError, match="Found no line"):
        read_log("Successful requests: 2\nMean TTFT (ms): 9.5\nMean TPOT (ms): 9.5")


def test_lines_in_the_columns_of_its_print_are_its_without_the_heading():
    log = read_log(SGLANGS)
    assert [log.value(name) for name in ("n_at_most", "mean_at_once", "request_ms", "ttft_ms", "accept_len")] == [
        330, 451.36, 25747.35, 332.99, 2.4,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="Found no line"):  # another width, or no time of a first token
        read_log(SGLANGS.replace("  ", " "))
    with pytest.raises(ValueError, match="Found no line"):
        read_log(SGLANGS.replace("Mean TTFT (ms):  ", "Median of it (ms):"))


def test_nothing_of_a_benchmark_whose_head_is_cut_off_is_the_next_ones():
    """vllm-project/vllm pull 51349: an ITL of another run."""
    cut = "Mean TTFT (ms):                          4.57\nMean ITL (ms):                           4.57\n"
    cut += "Median ITL (ms):                         4.62\n"
    assert read_log(cut).value("itl_ms") == 4.57 and not read_log(cut + RESULT).all("itl_ms")


def test_two_results_are_two_runs_and_none_is_held_against_a_bound():
    setup = MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"]
    whole = RESULT.replace("       <", "")
    assert has_times(read_log(whole)) and times(read_log(whole), *setup)
    two = read_log(f"{whole}\n{whole.replace('1432.74', '932.74')}")
    assert [one.value for one in two.all("ttft_ms")] == [1432.74, 932.74] and not has_times(two) and not times(two, *setup)


def test_its_json_is_known_by_its_counts():
    result = (
        '{"date": "20250101", "backend": "vllm", "model_id": "Qwen/Qwen3-8B", "duration": 9.5, "completed": 10, '
        '"total_input_tokens": 1000, "total_output_tokens": 900, "mean_ttft_ms": 44.1, "median_ttft_ms": 43.0, "p99_tpot_ms": 9.9, '
        '"ttfts": [1.0, 2.0]}'
    )
    log = read_log(result)
    assert [log.value(name) for name in ("n_requests", "n_output", "ttft_ms", "ttft_median", "tpot_p99")] == [
        10,
        900,
        44.1,
        43,
        9.9,
    ]
    assert log.word("model") == "Qwen/Qwen3-8B" and log.programs == ("a serving benchmark",)
    with pytest.raises(ValueError, match="Found no line"):
        read_log(result.replace('"completed"', '"done"'))
    named = read_log(result.replace("Qwen/Qwen3-8B", "id_tt_n150"))  # tenstorrent/tt-inference-server issue 314: of a run
    assert not named.words_named("model")


BOX = """                       NVIDIA AIPerf | LLM Metrics
┃                               Metric ┃       avg ┃       min ┃       max ┃       p99 ┃       p50 ┃    std ┃
│             Time to First Token (ms) │    912.29 │     81.52 │  2,270.46 │  2,100.00 │  1,052.06 │ 392.14 │
│             Inter Token Latency (ns) │ 22,170,000 │    22.13 │     22.23 │ 22,230,000 │         9 │   0.10 │
│     Output Token Throughput Per User │     69.01 │     45.65 │     84.15 │     80.00 │     74.17 │  11.43 │
│                    (tokens/sec/user) │           │           │           │           │           │        │
│      Output Sequence Length (tokens) │    127.98 │    123.00 │    129.00 │    129.00 │    128.00 │   0.25 │"""
# modelscope/evalscope issue 1101, triton-inference-server/client issue 779, perf_analyzer pull 433


def test_of_a_box_the_mean_is_read_and_the_percentiles_of_times():
    log = read_log(BOX)
    assert [log.value(name) for name in ("ttft_ms", "ttft_p99", "ttft_median")] == [912.29, 2100, 1052.06]
    assert (log.value("itl_ms"), log.value("itl_p99")) == pytest.approx((22.17, 22.23))
    assert [one.value for one in log.all("mean_output")] == [127.98] and log.value("answer_rate_user") == 69.01
    assert not log.left_in_tables
    with pytest.raises(ValueError, match="Found no line"):
        read_log(BOX.replace(" Metric ", " Name ").replace(" min ", " least "))


TRTLLM = """===========================================================
= PYTORCH BACKEND
===========================================================
Model:                  deepseek-ai/DeepSeek-V3
Dtype:                  bfloat16
TP Size:                8
===========================================================
= PERFORMANCE OVERVIEW
===========================================================
Request Throughput (req/sec):                     5.8734
Total Output Throughput (tokens/sec):             7517.2584
Average request latency (ms):                     64358.7
-- Request Latency Breakdown (ms) -----------------------
[Latency] P90    : 69000.5"""  # NVIDIA/TensorRT-LLM pull 7104 and issue 6294


def test_what_trtllm_bench_prints_is_its_own():
    log = read_log(TRTLLM)
    assert [log.value(name) for name in ("n_devices", "request_rate", "answer_rate", "request_ms", "request_p90")] == [
        8, 5.8734, 7517.2584, 64358.7, 69000.5,
    ]  # fmt: skip
    assert log.word("model") == "deepseek-ai/DeepSeek-V3" and log.programs == ("TensorRT-LLM",)
    with pytest.raises(ValueError, match="Found no line"):
        read_log(TRTLLM.replace("= PYTORCH", "= ANY").replace("= PERF", "= SOME"))


VERBOSE = """total duration:       2m10.5s
load duration:        2.5ms
prompt eval count:    11 token(s)
prompt eval duration: 204.563ms
prompt eval rate:     53.77 tokens/s
eval count:           1133 token(s)
eval duration:        2m7.682s
eval rate:            8.87 tokens/s"""  # ollama/ollama issue 1806


def test_ollama_is_known_by_how_long_it_took_and_loaded():
    log = read_log(VERBOSE)
    names = ("request_ms", "n_prompt", "prefill_ms", "prompt_rate", "n_steps", "decode_ms", "answer_rate")
    assert [log.value(name) for name in names] == [130_500, 11, 204.563, 53.77, 1133, 127_682, 8.87]
    assert log.programs == ("ollama",)
    with pytest.raises(ValueError, match="Found no line"):  # kvcache-ai/ktransformers issue 726 has the other labels
        read_log("\n".join(VERBOSE.splitlines()[2:]))


def test_rates_of_sglangs_one_batch_are_its_own_and_no_serving_benchmarks():
    """sgl-project/sglang pulls 564 and 22416."""
    log = read_log(
        "Prefill. latency: 0.02265 s, throughput:   2648.96 token/s\n"
        "Decode 0. Batch size: 1, latency: 0.00637 s, throughput:  157.09 token/s\n"
        "Decode.  median latency: 0.00585 s, median throughput:    170.84 token/s\nTotal. latency:  0.076 s, throughput:    923.17 token/s"
    )
    assert [log.value(name) for name in ("prompt_rate", "answer_rate", "total_rate")] == [2648.96, 170.84, 923.17]
    assert log.programs == ("SGLang",) and list(log.left_alone) == [2]


def test_an_offline_benchmark_is_known_by_its_whole_line():
    """vllm-project/vllm pulls 8914 and 7117."""
    line = "Throughput: 89.27 requests/s, 22853.37 total tokens/s, 11426.69 output tokens/s"
    log = read_log(line)
    assert [log.value(f"{name}_rate") for name in ("request", "total", "answer")] == [89.27, 22853.37, 11426.69]
    assert log.programs == ("an offline benchmark",) and read_log(line.split(" total")[0] + " tokens/s").value("total_rate")
    for other in (f"{line} @ 8 steps", f"- {line}", "Throughput: 5 tokens/s"):
        with pytest.raises(ValueError, match="Found no line"):
            read_log(other)


@pytest.mark.parametrize("end, n", [("7", 0), ("7\n", 1), ("76.33", 1)])
def test_a_number_that_the_text_cuts_off_is_none(end, n):
    """sgl-project/sglang issue 1639 as a page shows it: its ITL goes on."""
    text = HEADING + "Benchmark duration (s): 34.55\nMean TTFT (ms): 4878.89\nMedian TTFT (ms): 4804.10\nMean TPOT (ms): 194.03\n"
    assert len(read_log(f"{text}Mean ITL (ms):  {end}").all("itl_ms")) == n
