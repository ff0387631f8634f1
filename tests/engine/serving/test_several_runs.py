"""Several runs in one log: they are said to be several, and no number of one is held against another's."""

from dataclasses import replace

import pytest
from printed_logs import HEADING

from engine.cost import MODELS
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.starts import mixed, runs_stated
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog.in_sentences import of_several_runs, tables
from pages.lessons.serverlog.understood import _in_memory

AT_WORK = "Avg prompt throughput: 1254.4 tokens/s, Avg generation throughput: "


def test_a_program_is_known_by_another_line_of_its_own():
    log = read_log("--max-model-len 4096\nINFO 09-21 10:00:00 [kv_cache_utils.py:864] GPU KV cache size: 230,528 tokens")
    assert log.programs == ("vLLM",)


def test_one_letter_is_no_models_name():
    """forums.developer.nvidia.com, t/354399: a template of a command."""
    log = read_log("vllm serve M --host 0.0.0.0 --gpu-memory-utilization 0.8\nQwen/Qwen3-VL-32B-Instruct-FP8")
    assert not log.words_named("model") and log.value("usable") == 0.8


def test_blocks_that_are_overridden_are_not_the_caches():
    """vllm-project/vllm pull 39559: of a profile's pass."""
    log = read_log("Overriding num_gpu_blocks=0 with num_gpu_blocks_override=512\nGPU KV cache size: 89,760 tokens")
    assert not log.all("n_blocks") and not cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16)


def test_lengths_that_sharegpt_does_not_use_are_no_lengths():
    """sgl-project/sglang pull 685."""
    log = read_log(
        "Namespace(backend='sglang', dataset_name='sharegpt', num_prompts=10, random_input_len=1024, random_output_len=128)"
    )
    assert log.value("asked_requests") == 10 and not log.all("asked_input") and not log.all("asked_output")


NAMESPACE = (
    "Namespace(backend='vllm', dataset_name='{}', num_prompts=24, input_len={}, random_input_len=1024, random_output_len=128, "
)


def test_a_default_that_is_not_in_force_is_no_length():
    """alint77/jupiter-glm52-vllm-worklog: “tokens of a prompt 1024, tokens of an answer 128” of requests of 33 and 256."""
    asked = {
        name: read_log(NAMESPACE.format(name, "None") + "x=1)") for name in ("custom", "hf", "random", "random-mm", "sharegpt")
    }
    assert [name for name, log in asked.items() if log.all("asked_input") or log.all("asked_output")] == ["random", "random-mm"]
    both = read_log(NAMESPACE.format("random", "4096") + "output_len=16, sharegpt_output_len=9)")
    assert [(one.name, one.value) for one in both.figures if one.name in ("asked_input", "asked_output")] == [
        ("asked_input", 4096), ("asked_output", 16),
    ]  # fmt: skip
    flags = "python benchmark_serving.py --dataset-name {} --random-input-len 1024 --sharegpt-output-len 9"
    assert [read_log(flags.format(name) + " --num-prompts 2").value("asked_input") for name in ("random", "custom")] == [
        1024,
        None,
    ]
    assert [read_log(flags.format(name) + " --num-prompts 2").value("asked_output") for name in ("random", "sharegpt")] == [
        None,
        9,
    ]
    result = "\n============ Serving Benchmark Result ============\nSuccessful requests: 24\nTotal input tokens: 789\n"
    ran = read_log(NAMESPACE.format("random", "None") + "x=1)" + result)
    assert ran.value("n_input") == 789 and not ran.all("asked_input") and not ran.all("asked_output")


def test_arguments_of_vllms_benchmark_are_read_wherever_they_are_cut_off():
    """vllm-project/vllm pull 52149."""
    log = read_log(
        "Namespace(subparser='bench', bench_type='serve', num_prompts=1, "
        "dataset_name='random', random_input_len=135168, random_output_len=1000, hf"
    )
    assert (log.value("asked_requests"), log.value("asked_input"), log.value("asked_output")) == (1, 135_168, 1000)


def test_a_folder_without_its_file_is_no_model():
    """SciSharp/LLamaSharp issue 1099, cut off."""
    begun = "llama_model_loader: loaded meta data with 39 key-value pairs and 434 tensors from B:\\models"
    device = "\n  Device 0: NVIDIA GeForce RTX 4080 SUPER, compute capability 8.9, VMM: yes"
    assert not read_log(begun + device).all("model_file") and not read_log(begun + device).words_named("model_file")
    assert read_log(f"{begun}\\x.gguf (version GGUF V3)").word("model_file") == "B:\\models\\x.gguf"


@pytest.mark.parametrize(
    ("text", "n"),
    [
        (f"{HEADING}Mean TTFT (ms): 8749.86\n{HEADING}Mean TTFT (ms): 120.5", 2),
        (f"{HEADING}Mean TTFT (ms): 8749.86\n{HEADING}Mean TTFT (ms): 8749.86", 0),
        (f"{AT_WORK}29.2 tokens/s, Running: 10 reqs, Waiting: 4 reqs\n{AT_WORK}31.0 tokens/s, Running: 9 reqs, Waiting: 4 reqs", 0),
        ("slot print_timing: | n_decoded = 10, tg = 12.93 t/s\nslot print_timing: | n_decoded = 20, tg = 12.92 t/s", 0),
    ],
)  # fmt: skip
def test_values_in_lines_of_their_own_are_said_to_be_runs(text, n):
    """Only rows that say what was asked were: two answers, two tables or two lines were one run's."""
    assert runs_stated(read_log(text)) == n and (f"{n} values of one measure" in of_several_runs(read_log(text))) == bool(n)


def test_what_a_process_holds_is_in_use():
    """vllm-project/vllm issue 42147."""
    of_which = (
        "GPU 0 has a total capacity of 23.52 GiB of which 115.69 MiB is free. Including non-PyTorch memory, this process has"
    )
    log = read_log(f"GPU KV cache size: 16 tokens\n{of_which} 23.37 GiB memory in use.")
    assert log.value("used_bytes") == 23.37 * 2**30


def test_a_card_with_nothing_free_has_a_size_and_less_than_nothing_is_not_in_use():
    """ShrijithSM/explainablity: of Windows' Linux, whose process holds more than its card has."""
    held = "of which 0 bytes is free. Including non-PyTorch memory, this process has 17179869184.00 GiB memory in use."
    log = read_log(f"GPU KV cache size: 16 tokens\nGPU 0 has a total capacity of 6.00 GiB {held}")
    assert log.value("card_bytes") == 6 * 2**30 and not log.all("used_bytes") and not log.all("free_bytes")


def test_a_command_that_names_several_files_names_no_model():
    """ggml-org/llama.cpp issue 16301."""
    command = "./build/bin/llama-bench -ngl 99 -p 2048 -m ~/Models/Qwen3-0.6B-F16.gguf,~/Models/llama-2-7b-q8_0.gguf -ub 32"
    card = "ggml_vulkan: 0 = AMD Radeon PRO W6800X Duo (MoltenVK) | uma: 0 | fp16: 1 | warp size: 64"
    assert not read_log(f"{command}\n{card}").words_named("model_file")


TWO_STARTS = """Loading model weights took 14.9888 GB
Available KV cache memory: 2.89 GiB
GPU KV cache size: 23,648 tokens
Maximum concurrency for 29,000 tokens per request: 0.82x
"""


@pytest.mark.parametrize(
    ("again", "said"),
    [
        (TWO_STARTS, ""),  # the same numbers again are one
        (TWO_STARTS.replace("2.89", "5.82"), "bytes of a cache"),
        (TWO_STARTS.replace("23,648", "47,664").replace("0.82x", "1.64x"), ""),  # its sizes are said by themselves
        (TWO_STARTS.replace("14.9888 GB", "7.51 GiB"), "bytes of parameters"),
    ],
)
def test_of_what_may_be_of_two_starts_no_sum_is_made(again, said):
    """vllm-project/vllm issue 10517 has three: which bytes belong to which tokens it does not say."""
    log = read_log(TWO_STARTS + again)
    made = {check.what for check in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16) if check.expected is not None}
    assert ("several " + said in of_several_runs(log)) == bool(said)
    whole = {"sequences of full length", "bytes a token", "parameters"}
    made_of_bytes = {TWO_STARTS: whole, TWO_STARTS.replace("14.9888 GB", "7.51 GiB"): set()}.get(again, {"parameters"})
    expected = made_of_bytes | ({"sequences of full length"} if "23,648" in again else set())  # tokens over length in both
    assert made == expected and set(_in_memory(log)) == ({"parameters", "cache"} if not said else set())


def test_lines_of_two_servers_make_no_sum():
    """vllm-project/vllm issue 21348: vLLM's tokens and SGLang's bytes."""
    log = read_log("GPU KV cache size: 178,880 tokens\nKV Cache is allocated. #tokens: 178880, KV size: 10.00 GB")
    assert log.programs == ("vLLM", "SGLang") and "several programs" in mixed(log)
    assert not [check for check in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16) if check.expected is not None]


A_LOAD = """print_info: n_layer          = {0}
print_info: model params     = {1} B
print_info: file size   = {2} GiB (4.56 BPW)
llama_kv_cache: size = {3}.00 MiB ( 32768 cells,  {0} layers,  1/1 seqs), K (f16): {4}.00 MiB, V (f16): {4}.00 MiB
"""


@pytest.mark.parametrize("other", [(48, 8.83, 4.69, 3072, 1536), (32, 7.25, 3.89, 2048, 1024)])
def test_layers_of_several_loads_are_not_added_up(other):
    """manuelGarciaAcha/Agentic_MalGen ollama-server.log, five models; lbnqq/AI-test ollama_serve.log, one model nine times."""
    log = read_log(A_LOAD.format(48, 8.83, 4.69, 3072, 1536) + A_LOAD.format(*other))
    found = [check.what for check in cache_checks(log)]
    assert found.count("K and V together") == 2 and "layers with a cache" not in found
    assert ("parameters" in found) == (other[0] == 48)  # of two files, none is the log's


def test_a_decimal_comma_parts_no_thousands():
    """ggml-org/llama.cpp pull 1773: 3.86 s, not 386 s."""
    log = read_log("llama_print_timings:       total time =  3861,11 ms\nllama_print_timings:       total time =  3861.11 ms")
    assert [figure.value for figure in log.all("total_ms")] == [3861.11, 3861.11]
    assert read_log("total time = 1,386,111 ms").value("total_ms") == 1386111


def test_a_cache_of_several_sequences_is_the_length_of_none():
    """ggml-org/llama.cpp pull 16894: llama-batched-bench shares 20,480 out among up to four of 4,128 each."""
    log = read_log("main: n_kv_max = 20480, n_batch = 2048, n_ubatch = 2048, flash_attn = 1, is_pp_shared = 0")
    assert log.value("cache_tokens") == 20_480 and stated_setup(log).n_ctx is None


def test_a_table_that_is_left_is_not_said_to_be_nobody_s():
    """triton-inference-server/perf_analyzer issue 437: six numbers of GenAI-Perf’s own box were “of no program that is known here”."""
    box = (
        "┃ Statistic ┃ avg ┃ min ┃ max ┃\n│ Request latency (ns) │ 4,110,623,430 │ 2 │ 5 │\n│ Num output token │ 331 │ 189 │ 4 │"
    )
    log = read_log(box)
    assert log.value("mean_output") == 331 and "6 numbers of tables are left alone" in tables(replace(log, left_in_tables=6))


def test_a_line_of_tensorrt_llm_s_old_benchmark_is_read_whatever_stands_between():
    """NVIDIA/TensorRT-LLM issue 1761."""
    line = (
        "[BENCHMARK] model_name chatglm3_6b world_size 1 num_heads 32 batch_size 1 gpu_weights_percent 1.0 input_length 1024 "
        "output_length 512 tokens_per_sec 62.04 **latency(ms) 8252.869** generation_tokens_per_second 63.377"
    )
    log = read_log(line)
    assert [log.value(name) for name in ("mean_input", "mean_output", "answer_rate", "request_ms")] == [
        1024,
        512,
        62.04,
        8252.869,
    ]


def test_several_answers_are_said_to_be_several_and_one_in_two_forms_is_one():
    """ggml-org/llama.cpp issue 34: two boards’ answers, of which the second was timed without a word of the first."""
    answer = (
        "llama_perf_context_print:        eval time =  {} ms /   127 runs   (  984.04 ms per token,     1.02 tokens per second)"
    )
    two, again = (read_log(f"{answer.format('124973.60')}\n{answer.format(ms)}") for ms in ("2226.40", "124973.60"))
    assert "It times **2 answers**: no more than one of them" in of_several_runs(two) and not of_several_runs(again)
