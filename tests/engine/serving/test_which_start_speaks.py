"""Of several starts of a server the one speaks that has what is compared: times, else a cache or parameters."""

from engine.cost import DEVICES, MODELS
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log
from engine.serving.log_times import has_times, times
from engine.serving.stated_setup import stated_setup
from pages.lessons.serverlog.in_sentences import of_several_runs

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
