"""What stands beside a model, lies elsewhere or was only asked for: no size is judged for it, and no number is named of it."""

import pytest

from engine.cost import DEVICES, MODELS
from engine.serving.does_not_fit import remedy
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times
from engine.serving.starts import was_last
from engine.serving.stated_setup import stated_setup

ENGINE = (
    "INFO 02-01 23:01:30 [core.py:60] Initializing a V1 LLM engine (v0.11.0) with config: model='meta-llama/Llama-3.1-8B-Instruct', "
    "{}dtype=torch.bfloat16, max_seq_len=8192, tensor_parallel_size=1, pipeline_parallel_size=1, quantization=None, kv_cache_dtype=auto\n"
)
SIZES = (
    "INFO 02-01 23:01:50 [gpu_model_runner.py:2653] Model loading took 17.9200 GiB and 5.1 seconds\n"
    "INFO 02-01 23:02:10 [gpu_worker.py:298] Available KV cache memory: 50.40 GiB\n"
    "INFO 02-01 23:02:10 [kv_cache_utils.py:1087] GPU KV cache size: 400,400 tokens\n"
)
SGL = "[2025-03-07 09:20:11] server_args=ServerArgs(model_path='{}', dtype='{}', quantization=None, tp_size=1, dp_size=1)\n"


@pytest.mark.parametrize(
    ("said", "before"),
    [
        ("speculative_config=SpeculativeConfig(method='eagle3', model='a/b', num_spec_tokens=3), ", ""),
        ("", "args: Namespace(enable_lora=True, max_loras=8)\n"),
        ("", "non-default args: {'cpu_offload_gb': 8.0}\n"),
        ("", "INFO 02-01 23:02:10 [x.py:1] Overriding num_gpu_blocks=25804 with num_gpu_blocks_override=1000\n"),
        ("decode_context_parallel_size=8, ", ""),
        ("enable_eplb=True, ", ""),
    ],
)
def test_a_size_that_is_not_the_models_alone_has_no_verdict(said, before):
    """Each is another size than the model's shape makes: 17.92 GiB of 14.96, 135,156 bytes a token of 131,072."""
    differ = {check.what for check in cache_checks(read_log(ENGINE.format("speculative_config=None, ") + SIZES)) if check.differs}
    assert differ == {"bytes a token", "parameters"}
    checks = cache_checks(read_log(before + ENGINE.format(said) + SIZES))
    assert [check.what for check in checks if check.differs] == [] and len(checks) >= 2
    assert all("the log names" in check.why for check in checks)


def test_stages_of_a_pipeline_have_unequal_parts():
    log = read_log(ENGINE.format("").replace("pipeline_parallel_size=1", "pipeline_parallel_size=4") + SIZES)
    assert "stages" in next(check.why for check in cache_checks(log) if check.what == "parameters")


@pytest.mark.parametrize("model", ["deepseek-ai/DeepSeek-R1", "moonshotai/Kimi-K2-Instruct", "Qwen/Qwen2.5-7B-Instruct-AWQ"])
def test_what_sglang_was_asked_for_is_not_what_a_file_has(model):
    """sgl-project/sglang issue 4161: DeepSeek-R1's file has 8 bits, and neither its arguments nor its type say so."""
    end = "[2025-03-07 09:25:11 TP0] Load weight end. type=X, dtype=torch.bfloat16, avail mem=55.51 GB, mem usage=82.36 GB.\n"
    assert stated_setup(read_log(SGL.format(model, "auto") + end)).weight_bits is None
    assert stated_setup(read_log(SGL.format("meta-llama/Llama-3.1-8B-Instruct", "auto") + end)).weight_bits == 16


def test_sglang_says_what_it_loaded():
    # AgentiviumAI/workflow-aware-prompt-cache, sglang.log
    end = (
        "[2025-03-07 09:25:11] Load weight end. type=Qwen2ForCausalLM, quant=awq, bits=4, avail mem=17.51 GB, mem usage=5.25 GB."
    )
    log = read_log(SGL.format("Qwen/Qwen2.5-7B-Instruct-AWQ", "float16") + end)
    assert stated_setup(log).weight_bits == 4 and log.word("loaded_as") == "awq" and log.value("weight_bytes")
    fp8 = SGL.format("/data/x", "bfloat16") + end.replace("quant=awq, bits=4", "quant=fp8, fmt=e4m3")
    assert stated_setup(read_log(fp8)).weight_bits == 8


def test_vllm_was_asked_for_no_quantisation_of_a_file_that_has_one():
    args = "INFO 08-21 10:00:00 api_server.py:440] args: Namespace(host=None, model='{}', dtype='float16', quantization=None)"
    assert stated_setup(read_log(args.format("hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4"))).weight_bits is None
    assert stated_setup(read_log(args.format("meta-llama/Meta-Llama-3.1-8B-Instruct"))).weight_bits == 16
    assert stated_setup(read_log(args.replace("model='{}', ", ""))).weight_bits is None


def test_a_server_that_serves_has_started():
    failed = "ERROR 10-10 10:00:00 [core.py:700] ValueError: No available memory for the cache blocks. Try increasing it.\n"
    serves = "INFO 10-10 10:20:00 [loggers.py:123] Avg generation throughput: 50.5 tokens/s, Running: 4 reqs, Waiting: 0 reqs"
    assert was_last(read_log(failed), 1) and not was_last(read_log(failed + serves), 1)
    longer = (
        "max seq len (131072), (16.00 GiB KV cache is needed, which is larger than the available KV cache memory (0.71 GiB).\n"
    )
    assert remedy(read_log(longer)) and remedy(read_log(longer + serves)) is None


def test_a_rate_behind_a_prompt_is_no_steps():
    """SGLang's rate is that since its print before: 0.07 tokens a second are ten minutes without a request."""
    decode = "[2025-03-07 09:25:1{}] Decode batch. #running-req: 1, #token: {}, gen throughput (token/s): {}, #queue-req: 0\n"
    prompt = (
        "[2025-03-07 09:35:12] Prefill batch. #new-seq: 1, #new-token: 20, #cached-token: 0, token usage: 0.00, #queue-req: 0\n"
    )
    setup = {"weight_bits": 16, "kv_bits": 16, "n_devices": 1}
    log = read_log(prompt + decode.format(3, 53, 90.0) + decode.format(4, 93, 100.0) + prompt + decode.format(5, 53, 0.07))
    assert [time.measured_s for time in times(log, MODELS["Llama-3.1-8B"], DEVICES["A10"], **setup)] == [0.01]
    assert not has_times(read_log(prompt + decode.format(5, 53, 0.07))) and has_times(read_log(decode.format(5, 53, 90.0)))


def test_devices_of_prompts_beside_those_of_answers_have_no_bound():
    heading = "============ Serving Benchmark Result ============\n"
    lines = [
        ("Successful requests:", 9),
        ("Total input tokens:", 900),
        ("Total generated tokens:", 90),
        ("Mean TTFT (ms):", 9),
        ("Mean TPOT (ms):", 9),
    ]
    text = heading + "".join(f"{label:<40} {number}\n" for label, number in lines)
    apart = """vllm serve a/b --kv-transfer-config '{"kv_connector":"NixlConnector","kv_role":"kv_producer"}'\n"""
    assert has_times(read_log(text)) and not has_times(read_log(apart + text))


def test_a_table_of_two_backends_names_no_device_for_its_times():
    head = "  Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6, VMM: yes\n"
    row = "| llama 8B Q4_K - Medium | 4.58 GiB | 8.03 B | {} | {} | tg128 | 130.10 ± 0.02 |\n"
    table = (
        "| model | size | params | backend | ngl | test | t/s |\n| --- | ---: | ---: | --- | --: | ---: | ---: |\n"
        + row.format("CUDA", 99)
    )
    assert stated_setup(read_log(head + table)).device == "RTX 3090"
    no_device = table.replace("ngl", "dev").replace("99", "none")  # ggml-org/llama.cpp pull 26678
    for other in (row.format("CPU", 99), row.format("CUDA", 0), no_device):
        said = stated_setup(read_log(head + table + other))
        assert said.device is None and said.printed_device == "NVIDIA GeForce RTX 3090"
    layers = "load_tensors: offloaded {}/33 layers to GPU"
    assert [stated_setup(read_log(head + layers.format(n))).device for n in (0, 20, 33)] == [None, None, "RTX 3090"]


def test_decimal_commas_of_llama_cpp():
    # ggml-org/llama.cpp pull 1773
    log = read_log(
        "llm_load_print_meta: model size       = 3,56 GiB (4,54 BPW)\n"
        "llama_print_timings: prompt eval time =     159,23 ms /     5 tokens (   31,85 ms per token,    31,40 tokens per second)\n"
        "llama_print_timings:        eval time =    3656,10 ms /    36 runs   (  101,56 ms per token,     9,85 tokens per second)\n"
        "decoded  128 tokens in    1,234 seconds, speed:  103,727 t/s\naccept    = 63,889%"
    )
    names = ("bits_a_weight", "prefill_ms", "n_prompt", "decode_ms", "n_steps", "answer_rate", "accepted_percent")
    assert [log.value(name) for name in names] == [4.54, 159.23, 5, 3656.1, 36, 103.727, 63.889]
    assert log.last("decode_ms").half == 0.005 and log.value("weight_bytes") == 3.56 * 2**30


def test_bits_of_a_row_are_counted():
    """No line of llama-bench prints bits: what its bytes and parameters make is not held against these bytes again."""
    row = "| llama 8B Q4_K - Medium | 4.58 GiB | 8.03 B | CUDA | 99 | tg128 | 130.10 ± 0.02 |"
    said = stated_setup(read_log(row))
    assert said.counted_bits and said.weight_bits == 4.9
    assert "parameters" not in [check.what for check in cache_checks(read_log(row), MODELS["Llama-3.1-8B"])]
    assert not stated_setup(read_log("print_info: file size = 4.58 GiB (4.89 BPW)")).counted_bits


def test_of_several_files_none_is_the_one_that_was_timed():
    """One run prints its shape, the next one, of another file, its times."""
    first = "llama_model_loader: loaded meta data with 29 key-value pairs and 292 tensors from a/Qwen3-8B-Q4_K_M.gguf (version GGUF V3)\n"
    timed = "       eval time =    1000.00 ms /   200 tokens (    5.00 ms per token,   200.00 tokens per second)\n"
    same, other = "./llama-server -m ./Qwen3-8B-Q4_K_M.gguf\n", "./llama-server -m Llama-3.2-1B-Q8_0.gguf\n"
    assert has_times(read_log(first + same + timed)) and not has_times(read_log(first + other + timed))


def test_of_several_programs_nothing_is_compared():
    vllm, llama = ENGINE.format(""), "print_info: file size   = 4.58 GiB (4.89 BPW)\n"
    timed = "       eval time =    1000.00 ms /   200 tokens (    5.00 ms per token,   200.00 tokens per second)\n"
    said = stated_setup(read_log(vllm + llama + timed))
    assert said.model and said.shape is said.weight_bits is said.n_ctx is said.n_devices is None
    assert has_times(read_log(llama + timed)) and not has_times(read_log(vllm + llama + timed))
    setup = {"weight_bits": 16, "kv_bits": 16, "n_devices": 1}
    assert times(read_log(vllm + llama + timed), MODELS["Llama-3.1-8B"], DEVICES["A10"], **setup) == []


def test_a_length_that_vllm_refused_is_none_of_its_sequences():
    # er0080/vllm-benchmarking: what was asked is printed with its middle left out
    error = (
        "(APIServer pid=1)   Value error, User-specified max_model_len (999999) is greater than the derived max_model_len "
        "(max_position_embeddings=2048.0 or model_max_length=None in model's config.json). [type=value_error, "
        "input_value=ArgsKwargs((), {'model': ...nderer_num_workers': 1}), input_type=ArgsKwargs]"
    )
    args = "INFO 08-18 02:57:52 [api_utils.py:273] non-default args: {'model': 'facebook/opt-125m', 'max_model_len': 999999}\n"
    log = read_log(args + error)
    assert log.value("asked_ctx") == 999999 and log.word("model") == "facebook/opt-125m"
    assert stated_setup(log).n_ctx is None and stated_setup(read_log(args)).n_ctx == 999999


def test_of_one_model_stored_in_two_ways_neither_is_the_one():
    # two commands of one report, sglang issue of Qwen3.5-397B-A17B
    eight, four = (
        f"python3 -m sglang.launch_server --model-path /data/Qwen3.5-397B-A17B-{kind} --tp 8\n" for kind in ("FP8", "MXFP4")
    )
    assert stated_setup(read_log(eight)).model == "/data/Qwen3.5-397B-A17B-FP8"
    assert stated_setup(read_log(eight + four)).model == ""
    assert stated_setup(read_log(eight + eight.replace("/data/", "Qwen/"))).model


def test_llama_cpps_slots_of_2024_say_their_length():
    log = 'DEBUG [initialize] initializing slots | n_slots=4 tid="281472" timestamp=1726211948\n' + "".join(
        f'DEBUG [initialize] new slot | n_ctx_slot=2048 slot_id={slot} tid="281472" timestamp=1726211948\n' for slot in range(4)
    )
    read = read_log(log)
    assert read.value("n_seq") == 4 and read.value("seq_ctx") == 2048 and stated_setup(read).n_ctx == 2048
