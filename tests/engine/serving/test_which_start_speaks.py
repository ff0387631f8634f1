"""Of several starts of a server the one speaks that has what is compared: times, else a cache or parameters."""

from engine.cost import DEVICES, MODELS
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog.in_sentences import of_several_runs, to_change

OLLAMA_BEGINS = 'time=2024-06-03T09:22:53 level=INFO source=routes.go:1008 msg="server config" env="map[OLLAMA_DEBUG:false]"\n'
LOADED = """llm_load_print_meta: model params     = 3.82 B
llm_load_print_meta: model size       = 2.16 GiB (4.85 BPW)
llama_new_context_with_model: n_ctx      = 2048
llama_new_context_with_model: KV self size  =  768.00 MiB, K (f16):  384.00 MiB, V (f16):  384.00 MiB
"""
MAIN = """main: build = 916 (b5472ea)
llama_new_context_with_model: n_ctx = 2048
llama_print_timings: prompt eval time =   169.12 ms /     8 tokens (   21.14 ms per token,    47.30 tokens per second)
llama_print_timings:        eval time =  4925.16 ms /   255 runs   (   19.31 ms per token,    51.77 tokens per second)
"""
PERPLEXITY = """main: build = 916 (b5472ea)
llama_new_context_with_model: n_ctx = 2048
perplexity: calculating perplexity over 4 chunks, batch_size=512
llama_print_timings: prompt eval time = 13872.08 ms /  8192 tokens (    1.69 ms per token,   590.54 tokens per second)
llama_print_timings:        eval time =     0.00 ms /     1 runs   (    0.00 ms per token,      inf tokens per second)
"""
VLLM_BEGINS = """INFO 06-28 23:59:04 [api_server.py:1395] vLLM API server version 0.9.2
INFO 06-28 23:59:04 [api_utils.py:273] non-default args: {'model': '/m/Qwen2.5-7B'}
"""
VLLM_CACHE = """INFO 06-28 23:59:44 [kv_cache_utils.py:864] GPU KV cache size: 230,528 tokens
INFO 06-28 23:59:44 [kv_cache_utils.py:868] Maximum concurrency for 32,768 tokens per request: 7.04x
"""


def test_a_start_that_loaded_nothing_speaks_for_none():
    """dereklin/ollama: seven loads in the first start, none in the two behind it; and a server of vLLM's that is started again."""
    for text in (OLLAMA_BEGINS + LOADED + 2 * OLLAMA_BEGINS, OLLAMA_BEGINS + OLLAMA_BEGINS + LOADED):
        checks = cache_checks(read_log(text))
        assert len(checks) == 2
        assert (
            all(check.agrees for check in checks) and "cache or parameters are read" in stated_setup(read_log(text)).which_start
        )
    (check,) = cache_checks(read_log(VLLM_BEGINS + VLLM_CACHE + VLLM_BEGINS))
    assert check.agrees and check.printed == 7.04


def test_a_start_whose_times_are_none_does_not_speak_for_one_that_has_some():
    """llama.cpp's checks of 2023: main, then a perplexity, of which 0.00 ms is no answer and many texts are no prompt."""
    for text in (MAIN + PERPLEXITY, PERPLEXITY + MAIN):
        log = read_log(text)
        found = times(log, MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"], weight_bits=16, kv_bits=16, n_devices=1)
        assert log.begins and has_times(log) and [round(1000 * time.measured_s, 2) for time in found] == [169.12, 19.31]
        assert "answers" not in of_several_runs(log)
    assert "2 answers" in of_several_runs(read_log(MAIN + MAIN.replace("4925.16", "5925.16")))


def test_a_benchmark_of_a_later_start_that_was_cut_off_does_not_speak():
    whole = "Successful requests: 1\nTotal input tokens: 1024\nTotal generated tokens: 128\nMean TTFT (ms): 83.91\n"
    heading = "============ Serving Benchmark Result ============\n"
    log = read_log(VLLM_BEGINS + heading + whole + VLLM_BEGINS + "Successful requests: 1\nMean TTFT (ms): 9\n")
    assert log.begins and has_times(log)


def test_another_start_with_a_cache_of_another_size_takes_no_sum_away():
    """Which lines belong together is settled where each start begins in a line of its own."""
    other = VLLM_CACHE.replace("230,528", "115,264").replace("7.04x", "3.52x")
    log = read_log(VLLM_BEGINS + other + VLLM_BEGINS + VLLM_CACHE)
    (check,) = cache_checks(log)
    assert check.agrees and check.printed == 7.04 and "several" not in of_several_runs(log)


def test_starts_of_koboldcpp_and_of_tgi_are_told_apart():
    kobold = "Welcome to KoboldCpp - Version 1.58\nllama_new_context_with_model: n_ctx = {}\n"
    cache = "llama_new_context_with_model: KV self size  =  256.00 MiB, K (f16):  128.00 MiB, V (f16):  128.00 MiB\n"
    assert stated_setup(read_log(kobold.format(4096) + cache + kobold.format(2048) + cache)).n_ctx == 2048
    tgi = 'INFO text_generation_launcher: Args {{\n    model_id: "{}",\n}}\n'
    log = read_log(tgi.format("a/first") + tgi.format("b/second"))
    assert len(log.begins) == 2 and stated_setup(log).model == "b/second"


def test_several_loads_are_said_and_the_type_of_one_is_not_that_of_all():
    """kvquant-ollama: the first load has the usual type of its cache, which is not printed, the second q8_0."""
    load = (
        'time=2026-04-09T23:30:17.630 level=INFO source=runner.go:1284 msg=load request="{{Operation:commit LoraPath:[] Parallel:1 '
        'BatchSize:1024 FlashAttention:Enabled KvSize:32768 KvCacheType:{} NumThreads:8}}"\n'
    )
    log = read_log(load.format("") + load.format("q8_0"))
    assert stated_setup(log).kv_bits is None and "**2 times** that a file is loaded" in of_several_runs(log)
    assert stated_setup(read_log(2 * load.format("q8_0"))).kv_bits == 8.5
    assert "loaded" not in of_several_runs(read_log(load.format("q8_0")))


def test_a_start_that_failed_for_another_reason_than_memory_is_said_to_have_failed():
    log = read_log(VLLM_BEGINS + "RuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}")
    assert "failed" in to_change(log) and to_change(read_log(VLLM_BEGINS + VLLM_CACHE)) == ""
    llama = "llama_model_load: error loading model: unknown model architecture: 'x'\n"
    assert "failed" in to_change(read_log("print_info: n_layer = 8\n" + llama))


def test_what_its_requests_call_it_is_named_where_nothing_else_is():
    own = VLLM_CACHE + "vllm serve --served-model-name google/gemma-4-E2B"
    assert stated_setup(read_log(own)).served == "google/gemma-4-E2B"
    assert stated_setup(read_log(own.replace("serve --", "serve a/b --"))).served == ""


def test_of_several_loads_a_sum_of_two_files_is_no_contradiction():
    """llama-cpp-python prints nothing once: of two files that one program loads the second's widths may be cut off."""
    load = "llama_model_loader: loaded meta data with 20 key-value pairs and 291 tensors from {}.gguf (version GGUF V2)\n"
    widths = "llm_load_print_meta: n_embd_k_gqa = 1024\nllm_load_print_meta: n_embd_v_gqa = 1024\n"
    cache = "llama_kv_cache: size = 2048.00 MiB ( 4096 cells, 32 layers, 1/1 seqs), K (f16): 1024.00 MiB, V (f16): 1024.00 MiB\n"

    def sums(text):
        return {check.what: check for check in cache_checks(read_log(text))}

    assert sums(load.format("a") + widths + cache)["the cache"].differs
    two = sums(load.format("a") + widths + load.format("b") + cache)
    assert two["the cache"].expected is None and "2 times that a file is loaded" in two["the cache"].why
    apart = "Welcome to KoboldCpp - Version 1.{}\n"
    assert sums(apart.format(1) + load.format("a") + apart.format(2) + load.format("b") + widths + cache)["the cache"].differs


def test_a_start_that_failed_beside_one_that_serves_is_one_of_several():
    """“It did not start” stood beside “the cache has room for 230,528 tokens”, which an earlier start has."""
    failed = "ERROR 06-28 23:59:44 [core.py:586] ValueError: No available memory for the cache blocks."
    assert to_change(read_log(VLLM_BEGINS + VLLM_CACHE + VLLM_BEGINS + failed)).startswith("**One of its starts failed: of the")
    assert to_change(read_log(VLLM_BEGINS + failed)).startswith("**It did not start: of the")
