"""Public logs that were half read, or of which something was read wrongly: each with the thread that shows it."""

import pytest
from printed_logs import HEADING

from engine.cost import DEVICES, MODELS
from engine.serving.does_not_fit import remedy
from engine.serving.held_tokens import several_caches
from engine.serving.log_lines import read_log
from engine.serving.log_times import times
from engine.serving.starts import runs_stated
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog.in_sentences import of_several_runs, to_change

SWEEP = """|    PP |     TG |   N_KV |   T_PP s | S_PP t/s |   T_TG s | S_TG t/s |
|-------|--------|--------|----------|----------|----------|----------|
|   512 |    128 |      0 |    1.733 |   295.36 |    8.239 |    15.54 |
|   512 |    128 |    512 |    1.805 |   283.62 |    8.398 |    15.24 |"""  # ikawrakow/ik_llama.cpp pull 518


def test_rows_of_a_table_are_said_to_be_runs():
    log = read_log(SWEEP)
    assert runs_stated(log) == 2 and "2 values of one" in of_several_runs(log)


def test_a_file_of_settings_names_its_device_and_no_type():
    """LMCache/LMCache issue 503: “type int4_w4a16.json”."""
    log = read_log("Config file not found at /x/fused_moe/configs/E=256,N=256,device_name=NVIDIA_H20,dtype=int4_w4a16.json")
    assert log.word("device") == "H20" and not log.words_named("dtype")


def test_fewer_than_no_blocks_are_no_room():
    """vllm-project/vllm issue 184."""
    log = read_log("INFO 06-21 10:00:18 llm_engine.py:128] # GPU blocks: -1, # CPU blocks: 512")
    assert "nothing is left for a cache" in to_change(log) and not log.all("n_blocks")


def test_what_is_read_besides():
    assert read_log("Default `max_batch_prefill_tokens` to 10049").value("prefill_tokens") == 10_049  # TGI issue 2744
    long = "llama_context: n_ctx_pre_seq (32768) > n_ctx_train (8192) -- possible training context overflow"
    assert read_log(long).value("info_ctx") == 8192  # ollama/ollama issue 10114


def test_a_pool_of_each_kind_of_layers_is_said():
    """sgl-project/sglang pull 18039: 300,288 were said to be all of it."""
    pools = "Use sliding window memory pool. full_layer_tokens=375360, swa_layer_tokens=300288"
    log = read_log(f"{pools}\nKV Cache is allocated. #tokens: 300288, K size: 8.38 GB, V size: 5.59 GB")
    assert several_caches(log) == [375_360, 300_288]


def test_a_row_that_the_text_cuts_off_is_no_table_of_unknown_headings():
    """ikawrakow/ik_llama.cpp pull 757."""
    log = read_log(SWEEP + "\n|   512 |    128 |  11264 |    4.325 |   236.79 |   13.376 |")
    assert not log.left_in_tables and 5 in log.left_alone and len(log.all("answer_rate")) == 2


def test_a_cache_that_was_asked_for_and_one_in_older_words():
    """Of triton-inference-server/tensorrtllm_backend issue 456 nothing was read."""
    log = read_log("[TensorRT-LLM][INFO] Max tokens in paged KV cache: 117760. Allocating 54022635520 bytes.")
    assert (log.value("kv_tokens"), log.value("kv_bytes"), log.programs) == (117_760, 54_022_635_520, ("TensorRT-LLM",))
    reserved = "Initial free memory 31.16 GiB, reserved 4.25 GiB memory for KV Cache as specified by kv_cache_memory_bytes config"
    assert read_log(reserved).value("kv_bytes") == 4.25 * 2**30  # SergiioB/intel-arc-pro-b70-inference-cookbook issue 4


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
    text = (
        HEADING
        + "Successful requests: 60\nMaximum request concurrency: 1\nBenchmark duration (s): 48.40\nTotal input tokens: 16410\n"
        "Total generated tokens: 18000\nMean TTFT (ms): 95.85\nMean TPOT (ms): 2.38\nMean ITL (ms): 8.23\nAcceptance rate (%): 31.16"
    )
    setup = (MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"])
    _, told = times(read_log(text), *setup)
    assert (told.what, told.n_together, told.below) == (
        "ITL, mean",
        1,
        False,
    )  # a draft's tokens arrive together: a gap is a step
    _, step = times(read_log(text.replace("Mean TPOT (ms): 2.38\n", "")), *setup)
    assert step.n_together == 1 and "1 decoded at once, as many as there may be" in step.how


def test_a_drafts_guesses_are_no_serving_benchmark():
    """ggml-org/llama.cpp pull 24536: “its lines are those of llama.cpp and a serving benchmark”, without the time of a step."""
    log = read_log(
        "prompt eval time =     300.11 ms /    20 tokens\neval time =    2296.72 ms /   256 tokens\n"
        "draft acceptance = 0.64479 (  167 accepted /   259 generated), mean acceptance length =  2.92, "
        "acceptance rate per position = (0.805, 0.632)"
    )
    assert log.programs == ("llama.cpp",) and log.value("accept_len") == 2.92
    _, step = times(log, MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], weight_bits=16, kv_bits=16)
    assert step.measured_s == pytest.approx(2.92 * 2.29672 / 256)


def test_what_is_missing_is_not_less_than_what_was_rounded_off():
    """SergiioB/intel-arc-pro-b70-inference-cookbook issue 4: from 0 to 20.5 MiB are missing, and the length is known to 0.2 %."""
    said = to_change(
        read_log(
            "ValueError: To serve at least one request with the model's max seq len (100000), (4.26 GiB KV cache is needed, which is "
            "larger than the available KV cache memory (4.25 GiB). Based on the avai"
        ),
        MODELS["Llama-3.1-8B"],
    )
    assert "`--max-model-len 99328` at most" in said and "20.48 MiB more" in said


def test_a_length_that_fits_is_estimated_only_where_every_layer_keeps_every_token():
    """vllm-project/vllm issue 27508 is gpt-oss-120b: “49368 at most” need 1.735 GiB, for what its windows keep does not shrink."""
    text = (
        "ValueError: To serve at least one request with the models's max seq len (131072), (4.54 GiB KV cache is needed, which is larger "
        "than the available KV cache memory ({} GiB). Based on the available memory, the estimated maximum model lengt"
    )
    for there in ("1.71", "2.50"):  # of the second half would do, if numbers of all layers had half the bits
        said = to_change(read_log(text.format(there)))
        assert "GiB more of cache" in said and "max-model-len" not in said and "fp8" not in said
    windows = next(shape for shape in MODELS.values() if any(shape.windows))
    assert not any(remedy(read_log(text.format("1.71")), shape).fits for shape in (None, windows, MODELS["DeepSeek-V3"]))
    plain = remedy(read_log(text.format("2.50")), MODELS["Llama-3.1-8B"])
    assert plain.fits % 256 == 0 and 0 <= 131_072 * 2.50 / 4.54 - plain.fits < 600 and plain.half


def test_a_slot_says_its_own_length():
    """ggml-org/llama.cpp issue 19881: four slots of 32,768 tokens each are none of 8,192."""
    slots = "srv    load_model: initializing slots, n_slots = 4\nslot   load_model: id  0 | task -1 | new slot, n_ctx = 32768\n"
    assert stated_setup(read_log(slots)).n_ctx == 32768
    shared = "llama_context: n_seq_max     = 4\nllama_context: n_ctx         = 32768\n"
    assert stated_setup(read_log(shared)).n_ctx == 8192


def test_a_folder_is_no_models_name():
    # ggml-org/llama.cpp issue 5486: a device as Vulkan named it early in 2024, too
    text = (
        "Vulkan0: AMD Radeon RX 6600M | uma: 0 | fp16: 1 | warp size: 64\n"
        "llama_model_loader: loaded meta data with 21 key-value pairs and 201 tensors from C:\\Temp\\tinyllama.fp16.gguf (version V3)\n"
        "llama_model_loader: - kv   1:                               general.name str              = C:\\Sources\n"
    )
    said = stated_setup(read_log(text))
    assert said.model == "C:\\Temp\\tinyllama.fp16.gguf" and said.printed_device == "AMD Radeon RX 6600M"


def test_less_than_no_memory_for_a_cache_is_no_start():
    # vllm-project/vllm issue 23278
    failed = "(EngineCore_0 pid=5839) INFO 08-20 18:04:22 [gpu_worker.py:276] Available KV cache memory: -2.14 GiB\n"
    then = "(EngineCore_0 pid=5840) INFO 08-20 18:09:22 [kv_cache_utils.py:849] GPU KV cache size: 1,856 tokens\n"
    assert "did not start" in to_change(read_log(failed)) and not to_change(read_log(failed + then))


def test_a_service_may_not_name_its_machine():
    # ollama/ollama issue 11744
    line = "Sep 24 09:05:29 ollama[6787]:   Device 2: Tesla V100-SXM2-32GB, compute capability 7.0, VMM: yes, ID: GPU-dfc3d6a8"
    assert read_log(line).word("device") == "Tesla V100-SXM2-32GB"
