"""Server logs: lines that running programs printed, published with their threads, and what they must add up to."""

import time
from contextlib import suppress

import pytest

from engine.cost import DEVICES, MODELS, ModelShape
from engine.serving.expected import known
from engine.serving.held_tokens import held_tokens
from engine.serving.log_checks import cache_checks, share_a_device
from engine.serving.log_lines import MAX_CHARS, MAX_LINES, read_log
from engine.serving.log_times import times

QWEN3_235B = ModelShape.from_config(
    {"model_type": "qwen3_moe", "num_hidden_layers": 94, "hidden_size": 4096, "num_attention_heads": 64, "head_dim": 128,
     "num_key_value_heads": 4, "vocab_size": 151936, "moe_intermediate_size": 1536, "num_experts": 128,
     "num_experts_per_tok": 8, "intermediate_size": 12288, "max_position_embeddings": 40960}
)  # fmt: skip


def checks(text, model="Llama-3.1-8B", n_devices=1, kv_bits=16, weight_bits=16):
    shape = MODELS[model] if isinstance(model, str) else model
    return {check.what: check for check in cache_checks(read_log(text), shape, n_devices, kv_bits, weight_bits)}


def test_blocks_tokens_and_concurrency_of_one_server_in_two_versions():
    """github.com/vllm-project/vllm/pull/13596: the same start printed before and after the change."""
    before = "kv_cache_utils.py:522] # GPU blocks: 127626\nkv_cache_utils.py:525] Maximum concurrency for 2048 tokens per request: 997.08x"
    after = "kv_cache_utils.py:524] GPU KV cache size: 2,042,016 tokens\n"
    after += "kv_cache_utils.py:527] Maximum concurrency for 2,048 tokens per request: 997.08x"
    assert held_tokens(read_log(before)) == held_tokens(read_log(after)) == 2_042_016
    for found in (checks(before), checks(after), checks(before + "\n" + after)):
        assert found["sequences of full length"].agrees
    assert checks(before + "\n" + after)["tokens in the cache"].agrees


@pytest.mark.parametrize(("blocks", "n_ctx", "times_"), [(1381, 2048, "10.79"), (1952, 20000, "1.56"), (1478, 29000, "0.82")])
def test_concurrency_as_three_other_servers_printed_it(blocks, n_ctx, times_):
    """vllm-project/vllm pull 12569 and issue 10517 (two starts)."""
    text = f"# GPU blocks: {blocks}, # CPU blocks: 2048\nMaximum concurrency for {n_ctx} tokens per request: {times_}x"
    assert checks(text)["sequences of full length"].agrees
    assert not checks(text.replace(times_, f"{float(times_) + 0.02:.2f}"))["sequences of full length"].agrees


def test_a_log_that_contradicts_itself_is_told_so():
    """vllm-project/vllm issue 40691: 33.04 sequences of 32,768 are 1,082,655 tokens, not the 290,864 that it prints."""
    found = checks("GPU KV cache size: 290,864 tokens\nMaximum concurrency for 32,768 tokens per request: 33.04x")
    check = found["sequences of full length"]
    assert not check.agrees and check.expected == pytest.approx(8.876, abs=1e-3) and "1,082,655 tokens" in check.why
    assert "another model" in check.why  # windows or states are no reason in one that has none


def test_llama_on_one_card_adds_up_to_its_bytes_a_token_and_its_weights():
    """vllm-project/vllm issue 10517: Llama-3.1-8B on an RTX 3090."""
    text = (
        "Loading model weights took 14.9888 GB\nMemory profiling results: total_gpu_memory=23.58GiB kv_cache_size=3.81GiB "
        "gpu_memory_utilization=0.90\n# GPU blocks: 1952, # CPU blocks: 2048\nMaximum concurrency for 20000 tokens per request: 1.56x"
    )
    found = checks(text)
    assert found["bytes a token"].agrees and found["parameters"].agrees
    assert found["bytes a token"].printed == pytest.approx(131_072, rel=0.002)
    other = checks(text, "Llama-2-7B")
    assert not other["bytes a token"].agrees and "0.25 × what is expected" in other["bytes a token"].why
    assert "16 bits a number" in checks(text, kv_bits=8)["bytes a token"].why


def test_gpt_oss_keeps_its_bytes_a_token():
    """gpt-oss-120b: 36 layers · 8 heads · 64 · 2 · 2 bytes = 73,728 a token, and 5.38 GiB hold 78,384 tokens."""
    text = "Available KV cache memory: 5.38 GiB\nGPU KV cache size: 78,384 tokens"
    check = checks(text, "gpt-oss-120b")["bytes a token"]
    assert check.expected == 73_728 and check.agrees


def test_sglang_prints_gib_under_the_name_of_gb_for_one_of_four_devices():
    """vllm-project/vllm issue 21348: Qwen3-235B-A22B on 4 × H100, and vLLM's two lines on the same machine."""
    sglang = "--tp 4\nKV Cache is allocated. #tokens: 367404, K size: 8.23 GB, V size: 8.23 GB"
    check = checks(sglang, QWEN3_235B)["bytes a token"]
    assert check.agrees and check.expected == 2 * 94 * 128 * 2 * QWEN3_235B.n_kv_head / 4
    vllm = "--tensor-parallel-size 4\nAvailable KV cache memory: 8.11 GiB\nGPU KV cache size: 178,880 tokens"
    check = checks(vllm, QWEN3_235B)["bytes a token"]
    assert check.expected is None and "least memory" in check.why  # 1.2 % of that memory holds none of these tokens
    assert not check.agrees and not check.differs


SETS_ITS_PAGE = (
    "FlashMLA only supports a page_size of 64, change page_size to 64.",
    "[2025-08-01 10:00:00] Setting page size to 64.",
    "FA4 backend only supports page size 64 for non-MLA model architectures, changing page_size from 1 to 64.",
    "[2025-11-01 10:00:00] TensorRT-LLM MHA only supports page_size of 16, 32 or 64, changing page_size from 1 to 64.",
)


def test_sglangs_page_beside_the_tokens_is_no_other_model():
    """580,224 tokens of latents and a page of 64: “0.018 % more than expected, and no rule here explains it”."""
    cache = "--tp 8\n[TP0] KV Cache is allocated. #tokens: 580224, KV size: 37.98 GB"
    for before in ("", *SETS_ITS_PAGE):
        assert checks(f"{before}\n{cache}", "DeepSeek-V3", 8)["bytes a token"].agrees, before
        assert checks(f"{before}\n{cache}".replace("37.98", "38.05"), "DeepSeek-V3", 8)["bytes a token"].differs
        assert read_log(f"{before}\n{cache}").value("block_size") == (64 if before else None)
    each = 131_072 / 2**30 / 2
    for page in (1, 64, 128):  # of keys and values, too
        size = f"{(300_000 + page) * each:.2f} GB"
        said = f"KV Cache is allocated. #tokens: 300000, K size: {size}, V size: {size}"
        assert checks(said)["bytes a token"].agrees, page


def test_llama_cpp_line_by_line():
    """Logged by llama.cpp for Llama-3.1-70B at 4,096 cells, and its older line for phi-2 (32 layers, 32 heads of 80, 512)."""
    line = "llama_kv_cache: size = 1280.00 MiB (  4096 cells,  80 layers,  1/1 seqs), K (f16):  640.00 MiB, V (f16):  640.00 MiB"
    found = checks(line, "Llama-3.1-70B")
    assert [check.agrees for check in found.values()] == [True] * 3
    assert not checks(line.replace("1280.00", "1281.00"), "Llama-3.1-70B")["K and V together"].agrees
    assert not checks(line, "Llama-3.1-8B")["layers with a cache"].agrees
    half = "llama_kv_cache: size = 680.00 MiB ( 4096 cells, 80 layers, 1 seqs), K (q8_0): 340.00 MiB, V (q8_0): 340.00 MiB"
    assert all(check.agrees for check in checks(half, "Llama-3.1-70B").values())
    old = "llama_new_context_with_model: KV self size  =  160.00 MiB, K (f16):   80.00 MiB, V (f16):   80.00 MiB"
    assert checks(old)["K and V together"].agrees


def test_what_one_device_of_many_keeps():
    assert share_a_device(MODELS["Llama-3.1-8B"], 3) == 3 / 8  # eight heads on three: one has three of them
    assert share_a_device(MODELS["Falcon-7B"], 8) == 1.0  # one head is kept by each


def test_the_bytes_of_a_token_are_those_of_one_of_several_devices():
    """“131,072 bytes, on each of 2 devices”, where each keeps 4 of 8 heads: 65,536. 61.2 GiB hold 1,002,700 tokens."""
    text = "Available KV cache memory: 61.20 GiB\nGPU KV cache size: 1,002,700 tokens"
    for model, n_bytes, said in (("Llama-3.1-8B", 65_536, "65,536 of 131,072 bytes"), ("Falcon-7B", 8_192, "8,192 bytes")):
        check = checks(text, model, 2)["bytes a token"]
        assert check.expected == n_bytes and check.how.startswith(said) and check.how.endswith("on each of 2 devices")


BENCH = """============ Serving Benchmark Result ============
Successful requests:                     1000
Benchmark duration (s):                  30.85
Total input tokens:                      229711
Total generated tokens:                  203068
Mean TTFT (ms):                          9626.13
Mean TPOT (ms):                          77.86"""  # vllm-project/vllm pull 18566, Llama-3.1-8B


def test_a_benchmark_says_how_many_ran_together():
    ttft, tpot = times(read_log(BENCH), MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"])
    assert tpot.n_together == round(1000 / 30.85 * 202 * 0.07786) == 510  # Little's law, by hand: who waits decodes nothing
    assert ttft.measured_s > ttft.least_s and tpot.measured_s / tpot.least_s == pytest.approx(5.4, abs=0.05)
    same = '{"duration": 30.85, "completed": 1000, "total_input_tokens": 229711, "total_output_tokens": 203068, '
    same += '"mean_ttft_ms": 9626.13, "median_ttft_ms": 1.0, "mean_tpot_ms": 77.86, "ttfts": [1.0, 2.0]}'
    assert times(read_log(same), MODELS["Llama-3.1-8B"], DEVICES["H100 SXM"]) == [ttft, tpot]


def test_llama_cpps_timings_and_sglangs_last_batch():
    text = (
        "prompt eval time =     512.00 ms /   256 tokens\n       eval time =    2560.00 ms /   127 runs   ( 20.16 ms per token)"
    )
    prompt, step = times(read_log(text), MODELS["Llama-3.1-8B"], DEVICES["A10"])
    assert prompt.measured_s == 0.512 and step.measured_s == pytest.approx(2.56 / 127)
    text = "Decode batch. #running-req: 8, #token: 8192, token usage: 0.10, gen throughput (token/s): 400.0, #queue-req: 0"
    (step,) = times(read_log(text), MODELS["Llama-3.1-8B"], DEVICES["A10"])
    assert step.measured_s == 8 / 400 and step.n_together == 8 and step.least_s > 0


@pytest.mark.parametrize(
    "text", ["", "hello", "x" * (MAX_CHARS + 1), "\n" * (MAX_LINES + 1), "GPU KV cache size: tokens", "\x00\ud800"]
)
def test_what_is_not_understood_is_a_sentence(text):
    with pytest.raises(ValueError, match=r"^(Expected at most|Found no line)"):
        read_log(text)


def cpu_s(text):
    """How long a log takes to read, by the time that this process worked."""
    before = time.process_time()
    with suppress(ValueError):
        assert all(abs(f.value) < 1e25 for f in read_log(text).figures)
    return time.process_time() - before


@pytest.mark.parametrize(("start", "again"), [("KV Cache is allocated. #tokens: ", "9"), ("", "size = "), ("", "1,"), ("", " ")])
def test_a_long_line_takes_no_longer_than_its_length(start, again):
    """Four times the length takes four times as long; what looks at each character from each one takes sixteen times."""
    once, four_times = (cpu_s(start + again * (n // len(again))) for n in (15_000, 60_000))
    assert four_times < 9 * max(once, 0.01)


def test_zeros_divide_nothing():
    text = "GPU blocks: 0\nGPU KV cache size: 0 tokens\nMaximum concurrency for 0 tokens per request: 0.00x\n"
    text += "--tensor-parallel-size 0\nAvailable KV cache memory: 0 GiB\nModel loading took 0 GiB"
    assert "tokens in the cache" in checks(text)
    text = "Decode batch. #running-req: 0, #token: 0, gen throughput (token/s): 0.0"
    assert times(read_log(text), MODELS["OPT-13B"], DEVICES["A10"]) == []


def test_one_cache_with_more_layers_than_the_model_has_is_not_several():
    """“The log shows several caches of it”, of one line with 80 layers, beside a model of 61."""
    line = (
        "llama_kv_cache: size = 1280.00 MiB (  4096 cells,  80 layers,  1/1 seqs), K (f16):  640.00 MiB, V (f16):  640.00 MiB\n"
    )
    for log, model, why in ((line, "DeepSeek-V3", "another model"), (line, "Llama-3.1-405B", "no")):
        (check,) = (check for check in cache_checks(read_log(log), MODELS[model]) if check.what == "layers with a cache")
        assert check.differs and why in check.why


OF_CARDS = """(VllmWorker rank=0 pid=1) INFO 08-16 02:14:35 [gpu_worker.py:255] Available KV cache memory: 35.74 GiB
(VllmWorker rank=6 pid=2) INFO 08-16 02:14:35 [gpu_worker.py:255] Available KV cache memory: 35.65 GiB
INFO 08-16 02:14:37 [kv_cache_utils.py:833] GPU KV cache size: 1,594,928 tokens
INFO 08-16 02:14:37 [kv_cache_utils.py:833] GPU KV cache size: 1,590,736 tokens
INFO 08-16 02:14:37 [kv_cache_utils.py:837] Maximum concurrency for 32,768 tokens per request: 49.18x
vllm cache_config_info with initialization after num_gpu_blocks is: 99421"""


def test_of_several_cards_no_bytes_are_held_against_anothers_tokens():
    """DaisukeTakai/eval_dataset, vllm_judge.log: 23,751 bytes a token were made of two cards, for 24,064."""
    assert not checks(OF_CARDS, QWEN3_235B, 8, 8)


@pytest.mark.parametrize("model", ["Llama-3.1-8B", "Gemma-2-9B"])
@pytest.mark.parametrize("times, agrees", [("15.78", True), ("15.80", True), ("15.74", False)])
def test_a_length_counts_in_whole_blocks(model, times, agrees):  # hanzhizhz/prograph, vllm.log: 8,196 tokens take 513 blocks
    text = f"GPU KV cache size: 129,504 tokens\nMaximum concurrency for 8,196 tokens per request: {times}x"
    check = checks(text, model)["sequences of full length"]
    assert check.agrees == agrees and ("8,208" in check.how) == (times == "15.78") and bool(check.why) != agrees


def test_each_cache_has_the_type_that_its_line_says():
    """A first start with 16 bits and a second with q8_0: neither is held against the other's type."""
    cache = "llama_kv_cache: size = {1} MiB (  4096 cells,  32 layers,  1/1 seqs), K ({0}):  {2} MiB, V ({0}):  {2} MiB"
    log = read_log(f"{cache.format('f16', '512.00', '256.00')}\n{cache.format('q8_0', '272.00', '136.00')}")
    checks = [check for check in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 16, 16) if check.what == "the cache"]
    assert len(checks) == 2 and all(check.expected and check.agrees for check in checks)


def test_what_sglangs_free_memory_fell_by_is_no_sum_of_parameters_and_a_model_that_the_log_names_was_not_chosen():
    """“8.1 % more than expected: … the model or the bits chosen may be others”, of a log that names its model and its bits."""
    log = read_log(
        "[2026-01-14 10:00:00] server_args=ServerArgs(model_path='Qwen/Qwen3-0.6B', dtype='bfloat16', tp_size=1)\n"
        "[2026-01-14 10:00:09] Load weight end. type=Qwen3ForCausalLM, dtype=torch.bfloat16, avail mem=4.05 GB, mem usage=1.20 GB."
    )
    for shape in (None, MODELS["Qwen3-0.6B"]):
        said = {check.what: check for check in cache_checks(log, shape, 1, 16, 16)}
        assert not said["parameters"].differs and "free memory" in said["parameters"].why
        assert not known(log, shape).from_reader
