"""What a log is called by, and tables of several runs: a program by its own mark, a table's row by all of its columns."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.log_checks import cache_checks, several_caches
from engine.serving.log_lines import read_log
from engine.serving.log_times import OF_A_RUN, has_times, times
from engine.serving.starts import runs_stated
from pages.lessons.serverlog.in_sentences import of_several_runs

COUNTS = "Successful requests: 100\nBenchmark duration (s): 15.40\nTotal input tokens: 54400\nTotal generated tokens: 15000\n"
AT_WORK = "Avg prompt throughput: 1254.4 tokens/s, Avg generation throughput: "
BATCH = "Batch size: 1, latency: 0.006 s, throughput:"
TWO_VERSIONS = """\
| Metric | vLLM 0.26.0 | vLLM 0.27.0 | Delta |
|---|---:|---:|---:|
| Mean TTFT (ms) | 3834.31 | 3714.32 | -3.1% |
| Mean TPOT (ms) | 75.85 | 75.06 | -1.0% |
"""  # vllm-project/vllm-metal pull 596


def test_flags_that_programs_share_name_none_of_them():
    # Flags that lightseekorg/tokenspeed pull 177 tells of.
    shared = "--model a/b --gpu-memory-utilization 0.95 --max-model-len 4096 --max-num-seqs 64"
    for command in (f"ts serve {shared}", shared, "gpu_memory_utilization=0.95", "--mem-fraction-static 0.8"):
        assert read_log(command).programs == ("a command",)
    assert read_log(f"vllm serve {shared}").programs == ("vLLM",)
    assert read_log(f"ts serve {shared}").value("n_ctx") == 4096


def test_a_program_is_known_by_another_line_of_its_own():
    log = read_log("--max-model-len 4096\nINFO 09-21 10:00:00 [kv_cache_utils.py:864] GPU KV cache size: 230,528 tokens")
    assert log.programs == ("vLLM",)


def test_an_offline_benchmark_serves_nobody():
    line = "Throughput: 89.27 requests/s, 22853.37 total tokens/s, 11426.69 output tokens/s"  # vllm-project/vllm pull 8914
    command = "vllm bench throughput --model a/b --input-len 128 --output-len 128 --num-prompts 100"
    assert read_log(line).programs == read_log(f"{command}\n{line}").programs == ("an offline benchmark",)
    assert read_log(line).value("answer_rate") == 11426.69
    assert read_log("Mean TPOT (ms): 9.1").programs == ("a serving benchmark",)
    example = "python examples/offline_inference/eagle.py --max_num_seqs 1 --num_prompts 80"  # vllm-project/vllm pull 16937
    assert "a serving benchmark" not in read_log(example).programs


def test_no_column_of_several_runs_is_taken_for_the_logs():
    log, setup = read_log(COUNTS + TWO_VERSIONS), (MODELS["Qwen3-30B-A3B"], DEVICES["B200"])
    assert [one.value for one in log.all("ttft_ms")] == [3834.31, 3714.32] and log.runs(*OF_A_RUN)
    assert not has_times(log) and not times(log, *setup)
    alone = read_log(COUNTS + "Mean TTFT (ms): 3834.31\nMean TPOT (ms): 75.85")
    assert has_times(alone) and times(alone, *setup) and not alone.runs(*OF_A_RUN)


def test_a_length_that_was_truncated_is_not_the_one_that_was_asked():
    line = "[TM][WARNING] No enough blocks for `session_len` (131072), `session_len` truncated to 111360."  # lmdeploy issue 3950
    log = read_log(f"--cache-max-entry-count 0.2\n{line}")
    assert not log.all("n_ctx") and 2 in log.left_alone


def test_a_count_of_sequences_is_no_benchmarks_own():
    """vllm-project/vllm issue 7553."""
    log = read_log("vllm serve x/y --gpu-memory-utilization 0.9\nWhen inference，batch size = 4(input length = 2k)")
    assert log.programs == ("vLLM",) and log.value("n_at_most") == 4


def test_one_letter_is_no_models_name():
    """forums.developer.nvidia.com, t/354399: a template of a command."""
    log = read_log("vllm serve M --host 0.0.0.0 --gpu-memory-utilization 0.8\nQwen/Qwen3-VL-32B-Instruct-FP8")
    assert not log.words_named("model") and log.word("said_model") == "Qwen/Qwen3-VL-32B-Instruct-FP8"


def test_blocks_that_are_overridden_are_not_the_caches():
    """vllm-project/vllm pull 39559: of a profile's pass."""
    log = read_log("Overriding num_gpu_blocks=0 with num_gpu_blocks_override=512\nGPU KV cache size: 89,760 tokens")
    assert not log.all("n_blocks") and not cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16)


def test_lengths_that_sharegpt_does_not_use_are_no_lengths():
    """sgl-project/sglang pull 685."""
    log = read_log(
        '{"dataset_name": "sharegpt", "output_token_throughput": 187.7, "random_input_len": 1024, "random_output_len": 128}'
    )
    assert log.value("answer_rate") == 187.7 and not log.all("mean_input") and not log.all("mean_output")


def test_a_folder_without_its_file_is_no_model():
    """SciSharp/LLamaSharp issue 1099, cut off."""
    begun = "llama_model_loader: loaded meta data with 39 key-value pairs and 434 tensors from B:\\models"
    device = "\n  Device 0: NVIDIA GeForce RTX 4080 SUPER, compute capability 8.9, VMM: yes"
    assert not read_log(begun + device).all("model_file") and not read_log(begun + device).words_named("model_file")
    assert read_log(f"{begun}\\x.gguf (version GGUF V3)").word("model_file") == "B:\\models\\x.gguf"


def test_what_is_typical_of_anybodys_device_is_not_this_logs():
    """ai-ollama.github.io/benchmarks.html: an example, and what others see."""
    typical = "A mid-range GPU like an RTX 3070 (8 GB VRAM) typically achieves 40–80 t/s on a 7B model."
    log = read_log(f"prompt eval count: 26 token(s)\nprompt eval duration: 312ms\neval rate: 24.8 tokens/s\n{typical}")
    assert not log.words_named("device") and [one.value for one in log.all("answer_rate")] == [24.8]


def test_a_folder_of_models_and_a_placeholder_name_none():
    """oobabooga/textgen issue 3312, ggml-org/llama.cpp pull 2188, LostRuins/koboldcpp issue 473."""
    folder = read_log("$ python server.py --model-dir /g/model/textgen --api\nllama_model_load_internal: total VRAM used: 592 MB")
    assert not folder.words_named("model") and not folder.words_named("model_file")
    assert not read_log("`./main -m model_file -n 128 -c 512 -s 12`").words_named("model_file")
    command = ".\\koboldcpp.exe --model .\\MLewd-ReMM-L2-Chat-20B.q4_K_S.gguf --usecublas --contextsize 8192"
    assert read_log(command).word("model_file").endswith("L2-Chat-20B.q4_K_S.gguf")


@pytest.mark.parametrize(
    ("text", "n"),
    [
        ("0.7.0:\neval rate:            **13.08 tokens/s**\n0.6.8:\neval rate:            **36.02 tokens/s**", 2),  # ollama issue 10746
        ("- short: decode median 167.93 tok/s, ttft 240.3 ms\n- long: decode median 159.76 tok/s, ttft 931.8 ms", 2),  # Rapid-MLX pull 585
        ("# TTFT 8749ms\nMean TTFT (ms): 8749.86", 0),  # one number, with and without its last digits
        (f"{AT_WORK}29.2 tokens/s, Running: 10 reqs, Waiting: 4 reqs\n{AT_WORK}31.0 tokens/s, Running: 9 reqs, Waiting: 4 reqs", 0),
        (f"Decode 0. {BATCH} 157.09 token/s\nDecode.  median throughput: 170.84 token/s", 0),  # sglang pull 30147
        ("Mean decode throughput: 50.1 tok/s\nMedian decode throughput: 48.2 tok/s", 0),
        ("slot print_timing: | n_decoded = 10, tg = 12.93 t/s\nslot print_timing: | n_decoded = 20, tg = 12.92 t/s", 0),
    ],
)  # fmt: skip
def test_values_in_lines_of_their_own_are_said_to_be_runs(text, n):
    """Only rows that say what was asked were: two answers, two tables or two lines were one run's."""
    assert runs_stated(read_log(text)) == n and (f"{n} values of one measure" in of_several_runs(read_log(text))) == bool(n)


def test_a_remark_above_a_benchmark_is_no_run_of_its_own():
    """vllm-project/vllm pull 15322: TPOT had no bound, for its run began behind the counts."""
    log = read_log("# 131.55 TPS, TTFT 8749ms\n\n\n\n" + COUNTS + "Mean TTFT (ms): 8749.86\nMean TPOT (ms): 112.99")
    prompt, step = times(log, MODELS["Qwen3-30B-A3B"], DEVICES["B200"])
    assert (prompt.measured_s, step.measured_s) == (8.74986, 0.11299)


def test_a_cache_is_read_of_a_program_that_has_no_name_here():
    """guoqingbao/xinfer pull 197; whether its bytes are a device's or all of them its versions say in two ways."""
    log = read_log("KVCache Allocation: 8192 GPU blocks (32.00 GB x 4), max usable kvcache tokens 524288 (64k bytes per token)")
    assert [log.value(name) for name in ("n_blocks", "kv_tokens", "kv_bytes")] == [8192, 524_288, None]
    assert log.programs == ("a command",)


def test_a_servers_name_makes_no_models():
    """noonghunna/club-3090 issue 1047: the name of a list of settings."""
    log = read_log("[bench] 1x A6000 | vllm/qwen38-27b-single-nvfp4\nModel loading took 19.75 GiB memory and 6.356814 seconds")
    assert not log.words_named("said_model") and log.word("device") == "A6000"
    assert read_log("Qwen/Qwen3-8B\nModel loading took 19.75 GiB").word("said_model") == "Qwen/Qwen3-8B"


def test_blocks_of_several_versions_are_caches_of_several_sizes():
    """vllm-project/vllm issue 2136: the last version's were said to be the cache."""
    of = "- vLLM 0.2.{}: `# GPU blocks: {}, # CPU blocks: 1310`"
    assert several_caches(read_log(of.format(4, 1464) + "\n" + of.format(5, 112))) == [23_424, 1_792]
    assert not several_caches(read_log(of.format(3, 1464) + "\n" + of.format(4, 1464)))


def test_devices_of_a_node_are_not_all_of_them():
    """sgl-project/sglang issue 11648: eight were said to be there."""
    batch = (
        "Prefill batch. #new-seq: 1, #new-token: 512, #cached-token: 0, token usage: 0.01, #queue-req: 7, #transferring-req: 1"
    )
    log = read_log(f"DeepSeek R1 with PD disaggregation on 6* 8 H20s\n{batch}")
    assert log.word("device") == "H20" and not log.all("n_cards") and log.value("n_waiting") == 7
    assert not read_log(f"6 x 8 x H20\n{batch}").all("n_cards") and read_log(f"8 x H20\n{batch}").value("n_cards") == 8


def test_what_a_process_holds_is_in_use():
    """vllm-project/vllm issue 42147."""
    of_which = (
        "GPU 0 has a total capacity of 23.52 GiB of which 115.69 MiB is free. Including non-PyTorch memory, this process has"
    )
    assert read_log(f"{of_which} 23.37 GiB memory in use.").value("used_bytes") == 23.37 * 2**30
