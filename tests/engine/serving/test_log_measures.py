"""What a benchmark measured, under whatever label; and arguments that stand in a list. Each as in the public thread named beside it."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.lines.labels import measure
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import at_work, times

BOTH_WAYS = [
    (  # tenstorrent/tt-inference-server pull 1708: a column a measure
        "| ISL | OSL | Concur |  N  | TTFT Avg (ms) | TTFT P99 (ms) | TPOT Avg (ms) | Tok/s  | Req/s  |\n"
        "|---|---|---|---|---|---|---|---|---|\n"
        "| 128 | 256 |      1 |   8 |         650.5 |         662.0 |          30.5 |  24.69 | 0.1964 |",
        dict(mean_input=128, mean_output=256, n_at_most=1, ttft_ms=650.5,
             ttft_p99=662, tpot_ms=30.5, answer_rate=24.69, request_rate=0.1964),
    ),
    (  # noonghunna/club-3090 issue 851: a row a measure, a column a run
        "| Metric | Narrative | Code |\n|---|---|---|\n| Decode TPS | **252.0** | **252.7** |\n| TTFT | 42 ms (CV 1%) | 43 ms |",
        dict(answer_rate=252.7, ttft_ms=43),
    ),
    (  # NVIDIA/TensorRT-LLM pull 9459: rows without a header
        "Request Throughput (req/sec): |  0.9765 | 0.9812\nAverage   request latency (ms): |  257805.8 | 256444.3",
        dict(request_rate=0.9812, request_ms=256444.3),
    ),
    (  # ai-dynamo/aiperf issue 340: a unit and its shares in one object, cut off
        '{"request_latency": {\n "unit": "ms",\n "avg": 6655.5,\n "p50": 6653.8,\n "min": 6646.8\n},\n'
        '"time_to_first_token": {"avg": 44.1, "unit": "ms"',
        dict(request_ms=6655.5, request_median=6653.8, ttft_ms=44.1),
    ),
    (  # vllm-project/vllm pulls 17530 and 39481: the measure in a column of its own; and by short names
        "| Input Tokens | Metric | Before | Tuned | % Gain |\n|---|---|---|---|---|\n| 5000 | Requests/s | 1.77 | 1.92 | +8.47% |\n"
        "| | Total Tokens/s | 11137.12 | 12020.68 | 7.93 |\n"
        "| Duration (s) | 45.42 | 45.51 |\n  | Req throughput (req/s) | 11.01 | 10.99 |",
        dict(mean_input=5000, total_rate=12020.68, duration_s=45.51, request_rate=10.99),
    ),
    ("Averages: prompt_tps=1521.109, generation_tps=46.145", dict(prompt_rate=1521.109, answer_rate=46.145)),  # toshllm issue 11
    ("TTFT: 20.88 ± 0.47 ms\nThroughput : 47.89 ± 1.07 tokens/s", dict(ttft_ms=20.88, answer_rate=47.89)),  # openvino.genai issue 875
    ("*   **Request Throughput:** 81.86 req/sec", dict(request_rate=81.86)),  # NVIDIA/TensorRT-LLM pull 3822
    (  # vllm-project/vllm pull 54628
        "vllm bench serve \\\n  --random-input-len 8192 --random-output-len 1280 \\\n  --num-prompts 32 "
        "--max-concurrency 16 --request-rate inf",
        dict(mean_input=8192, mean_output=1280, asked_requests=32, n_at_most=16),
    ),
]  # fmt: skip


@pytest.mark.parametrize(("text", "figures"), BOTH_WAYS, ids=lambda part: part[:30] if isinstance(part, str) else "")
def test_a_measure_is_read_as_a_row_a_column_or_a_line(text, figures):
    log = read_log(text)
    assert {name: log.value(name) for name in figures} == pytest.approx(figures)


@pytest.mark.parametrize(
    "label",
    ["TTFT improvement (ms)", "TTFT limit (ms)", "Min TTFT (ms)", "TTFT (tokens)", "Output Token Throughput Limit", "mean", ""],
)
def test_a_label_with_a_word_more_is_no_measure(label):
    assert measure(label) is None


@pytest.mark.parametrize(
    "text",
    [
        "TTFT: 42",  # of what unit nobody says
        "| Metric | before | Δ | speedup |\n|---|---|---|---|\n| TTFT (ms) | - | 3.1 | 1.2 |",
        "| Base Image | TTFT | Improvement |\n| :--- | :--- | :--- |\n| v0.9.1 | 51.91 | 53.73% |",  # vllm-project/vllm-ascend pull 4936
    ],
)
def test_what_has_no_unit_or_is_a_difference_is_not_read(text):
    with pytest.raises(ValueError, match="Found no line"):
        read_log(text)


def test_a_number_ends_before_the_comma_behind_it():
    # sgl-project/sglang issue 13202: "0, input throughput" is no 0 of input, and no throughput
    log = read_log(
        "Prefill batch, #new-seq: 1, #running-req: 0, #queue-req: 17, #inflight-req: 0, input throughput (token/s): 1118.05, "
    )
    assert (log.value("prompt_rate"), log.value("n_now"), log.value("n_waiting")) == (1118.05, 0, 17) and not log.all(
        "answer_rate"
    )


def test_columns_without_bars_have_a_header_of_their_own():
    # ggml-org/llama.cpp issue 34
    log = read_log(
        "| Threads | ms/t | t/s |\n| --- | --- | --- |\n| 4 | 79.08 | 12.65 |\nllama_print_timings:        load time =   217.25 ms"
    )
    assert [f.value for f in log.figures] == [12.65]
    apart = read_log("ISL  TTFT (ms)  TPOT (ms)\n---  ---------  ---------\n128  650.5  30.5")
    assert (apart.value("mean_input"), apart.value("ttft_ms"), apart.value("tpot_ms")) == (128, 650.5, 30.5)


def test_rates_of_two_versions_are_those_of_one_test():
    # ggml-org/llama.cpp pull 3084; a row that was cut off
    log = read_log("| model | size | test | master t/s | PR t/s |\n| LLaMA 7B F16 | 12.55 GiB | pp 512 | 1125.99 ± 1 | 1265.30 ± 1 |\n"
                   "| LLaMA 7B | 12.55 GiB | pp 512 |")  # fmt: skip
    assert [f.value for f in log.all("prompt_rate")] == [1125.99, 1265.3] and log.value("pass_tokens") == 512


def test_a_row_that_was_cut_off_has_the_columns_it_has():
    # ai-dynamo/aiperf issue 339: without its last column
    log = read_log(
        "┃ Metric ┃ avg ┃ min ┃ max ┃ p99 ┃ std ┃\n│ Request Latency (ms) │ 71,956.33 │ 32,746.62 │ 112,716.11 │ 111,363.89 │"
    )
    assert [(f.name, f.value) for f in log.figures] == [("request_ms", 71956.33), ("request_p99", 111363.89)]


def test_a_file_with_its_head_apart_is_not_held_against_a_shape_without():
    # engeldlgado/toshllm issue 11
    table = "| model | size | params | test | t/s |\n|---|---|---|---|---|\n| qwen3 0.6B F16 | 1.40 GiB | 751.63 M | tg128 | 46.83 ± 2.28 |"
    (weights,) = cache_checks(read_log(f"mlx_lm.benchmark --model /Volumes/Qwen/qwen3-0.6B\n{table}"))
    assert weights.expected is None and "751.63 M" in weights.why
    own = (
        "print_info: general.name = Qwen3 0.6B\nprint_info: model params = 751.63 M\nprint_info: file size = 1.40 GiB (16.00 BPW)"
    )
    assert [(c.what, c.agrees) for c in cache_checks(read_log(own))] == [("parameters", True)]


def test_rows_of_llama_bench_without_their_header_are_known_by_their_cells():
    # ggml-org/llama.cpp pull 5625
    log = read_log(
        "| llama 34B Q8_0                 |  33.39 GiB |    33.74 B | CUDA       |  99 | pp 2       |     64.67 ± 0.16 |"
    )
    assert (log.value("pass_tokens"), log.value("prompt_rate"), log.last("n_params").printed) == (2, 64.67, "33.74 B")


def test_a_throughput_of_prefill_is_one_of_prompts():
    # sgl-project/sglang pull 564
    log = read_log(
        "Prefill. latency:  0.019 ms, throughput:  52553.25 token/s\nDecode.  latency:  0.009 ms, throughput:    108.23 token/s"
    )
    assert (log.value("prompt_rate"), log.value("answer_rate")) == (52553.25, 108.23)


def test_a_row_with_a_cell_more_than_its_header_is_read_by_its_cells():
    # ikawrakow/ik_llama.cpp pull 283: n_batch and n_ubatch under one name
    log = read_log(
        "| model | size | params | backend | n_ubatch | test | t/s |\n| --- | --- | --- | --- | --- | --- | --- |\n"
        "| deepseek2 671B Q8_0 | 307.20 GiB | 672.05 B | CUDA | 2048 | 2048 | pp1024 | 304.77 ± 0.07 |"
    )
    assert (log.value("pass_tokens"), log.value("prompt_rate"), log.last("weight_bytes").printed) == (1024, 304.77, "307.20 GiB")


def test_a_mean_latency_in_seconds_is_a_requests():
    # vllm-project/vllm issue 359; sgl-project/sglang pull 564: the median of a step; any table of kernels has its latency in µs
    log = read_log("Total time: 166.88 s\nAverage latency: 67.59 s\nDecode.  median latency: 0.00775 s\nAverage latency: 12 us")
    assert (log.value("duration_s"), [f.value for f in log.all("request_ms")]) == (166.88, [67590])
    # issue 12315
    rates = read_log("- > Throughput: 3.28 requests/s, 1414.42 total tokens/s, 714.48 output tokens/s @ --num-scheduler-steps 1")
    assert [rates.value(f"{name}_rate") for name in ("request", "total", "answer")] == [3.28, 1414.42, 714.48]


def test_copies_of_a_model_are_at_work_together():
    # vllm-project/vllm-ascend issue 5689, vllm-project/recipes pull 12
    log = read_log("vllm serve Qwen/Qwen3-30B-A3B -dp=8 --enable-expert-parallel\nModel loading took 12.0 GiB")
    (weights,) = cache_checks(log, weight_bits=16, n_devices=1)
    assert log.value("n_copies") == 8 and weights.expected is None and "copies" in weights.why
    assert at_work(log, 2) == 16


def test_the_keys_of_a_file_in_one_line_are_read():
    # PromtEngineer/localGPT issue 768
    log = read_log(
        "Model metadata: {'general.name': 'LLaMA v2', 'general.architecture': 'llama', 'llama.embedding_length': '4096', "
        "'llama.block_count': '32', 'llama.attention.head_count': '32', 'llama.attention.head_count_kv': '8'}"
    )
    assert [log.value(f"info_{name}") for name in ("embd", "layer", "head", "head_kv")] == [4096, 32, 32, 8]
    assert (log.word("model"), log.word("arch")) == ("LLaMA v2", "llama")


def test_a_step_that_guesses_gives_several_tokens():
    # noonghunna/club-3090 issue 1090; where only the share that stays is known, nothing is said of a step
    text = "eval time = 250.0 ms / 100 tokens\ntotal time = 300.0 ms / 110 tokens\ndraft acceptance = 0.97 ( 82 accepted / 84 generated)"
    setup = dict(weight_bits=16, kv_bits=16, n_devices=1)
    shape, device = MODELS["Qwen3-8B"], DEVICES["H100 SXM"]
    log = read_log(f"{text}, mean len =  2.95")
    (step,) = times(log, shape, device, **setup)
    assert (step.measured_s, step.below) == (pytest.approx(0.007375), False) and times(
        read_log(text), shape, device, **setup
    ) == []
    assert (log.value("total_ms"), log.value("n_all")) == (300, 110)


def test_a_share_may_stand_behind_the_unit():
    # NVIDIA/TensorRT-LLM issue 1938
    log = read_log("Number of total requests: 656\nPrompt throughput (tokens/second) avg: 32.751\n"
                   "Generation throughput (tokens/second) avg: 21.8\nEnd to End Latency (ms) avg: 182.445\n"
                   "End to End Latency (ms) p90: 183.000")  # fmt: skip
    names = ("n_requests", "prompt_rate", "answer_rate", "request_ms", "request_p90")
    assert [log.value(name) for name in names] == [656, 32.751, 21.8, 182.445, 183]


def test_rates_that_ollama_prints_are_read_in_tables_too():
    # geerlingguy/ai-benchmarks issue 13
    table = "| Run | Eval Rate (Tokens/Second) |\n|---|---|\n| 1 | 9.27 tokens/s |\n|**Average Eval Rate**| 9.33 tokens/second |"
    assert [f.value for f in read_log(table).all("answer_rate")] == [9.27, 9.33]
    assert read_log("prompt eval rate:     53.77 tokens/s\neval rate:  24.61 tokens/s").programs == ("ollama",)
    # ollama/ollama issue 12846
    assert read_log("memory reporting free: 5361434624 total: 25769803776").value("card_bytes") == 24 * 2**30


def test_what_mlx_prints_of_a_prompt_and_an_answer():
    """ml-explore/mlx-lm pulls 40 and 396."""
    log = read_log("Prompt: 33898 tokens, 869.279 tokens-per-sec\nGeneration: 128 tokens, 43.5 tokens-per-sec")
    assert [log.value(name) for name in ("mean_input", "prompt_rate", "mean_output", "answer_rate")] == [
        33898,
        869.279,
        128,
        43.5,
    ]
    log = read_log("Timing with prompt_tokens=2048 and generation_tokens=128.")
    assert (log.value("mean_input"), log.value("mean_output")) == (2048, 128)


def test_prompts_that_are_counted_are_not_whose_rate_it_is():
    """NVIDIA/TensorRT-LLM issue 4275."""
    log = read_log("Results with a benchmarker and 200 token prompts: 7435.27 tokens/sec throughput at high QPS.")
    assert log.value("answer_rate") == 7435.27 and not log.all("prompt_rate")


def test_a_number_that_the_text_cuts_off_is_none():
    """sgl-project/sglang issue 1639 as a page shows it: its ITL goes on."""
    text = "Benchmark duration (s): 34.55\nMean TTFT (ms): 4878.89\nMedian TTFT (ms): 4804.10\nMean TPOT (ms): 194.03\nMean ITL (ms):  7"
    assert not read_log(text).all("itl_ms") and 5 in read_log(text).left_alone
    assert read_log(f"{text}\n").value("itl_ms") == 7 and read_log("Mean TTFT (ms): 20\nMean ITL (ms): 7").value("itl_ms") == 7


def test_a_sum_is_none_of_its_parts():
    """sgl-project/sglang pull 32207."""
    assert not read_log("accept len: 93.7/28.5=3.28\nMean TTFT (ms): 20").all("accept_len")
    assert not read_log("Mean ITL (ms): 93.7/28.5=3.28\nMean TTFT (ms): 20").all("itl_ms")
