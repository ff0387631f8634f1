"""Lines as servers print them, each from the public thread named beside it, and what is read of each."""

import pytest

from engine.cost import MODELS
from engine.serving.does_not_fit import remedy
from engine.serving.held_tokens import held_tokens
from engine.serving.log_checks import cache_checks
from engine.serving.log_lines import read_log

GIB = 2**30
FAILED = (  # vllm-project/tpu-inference pull 223
    "ValueError: To serve at least one request with the models's max seq len (131072), (16.00 GiB KV cache is needed, which is larger "
    "than the available KV cache memory (0.71 GiB). Based on the available memory, the estimated maximum model length is 5632. Try"
)
OLDER = """INFO 01-11 15:51:18 llm_engine.py:275] # GPU blocks: 229, # CPU blocks: 512
ValueError: The model's max seq len (4096) is larger than the maximum number of tokens that can be stored in KV cache (3664). Try"""
DIALECTS = [
    (  # vllm-project/vllm issue 19680
        "INFO 06-16 10:03:14 [loggers.py:87] Engine 000: Avg prompt throughput: 1254.4 tokens/s, Avg generation throughput: 29.2 "
        "tokens/s, Running: 10 reqs, Waiting: 4 reqs, GPU KV cache usage: 57.9%, Prefix cache hit rate: 40.5%",
        dict(prompt_rate=1254.4, answer_rate=29.2, n_now=10, n_waiting=4, cache_percent=57.9, found_percent=40.5),
    ),
    (  # vllm-project/vllm issue 15018, V0
        "INFO 03-18 09:04:46 [metrics.py:481] Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 0.4 tokens/s, Running: 2 "
        "reqs, Swapped: 0 reqs, Pending: 0 reqs, GPU KV cache usage: 0.6%, CPU KV cache usage: 0.0%.",
        dict(answer_rate=0.4, n_now=2, n_waiting=0, cache_percent=0.6),
    ),
    (  # GAIR-NLP/LIMO issue 29
        "Sequence group 221 is preempted by PreemptionMode.RECOMPUTE mode because there is not enough KV cache space. "
        "total_num_cumulative_preemption=101",
        dict(n_preempted=101),
    ),
    (  # NVIDIA/TensorRT-LLM issue 1400
        "[TensorRT-LLM][INFO] Allocate 69524783104 bytes for k/v cache. \n[TensorRT-LLM][INFO] Using 132608 tokens in paged KV cache.",
        dict(kv_bytes=69524783104, kv_tokens=132608),
    ),
    (  # triton-inference-server/tutorials pull 150
        "[TensorRT-LLM][INFO] Max KV cache blocks per sequence: 65 [window size=2051], tokens per block=32, primary blocks=116617, "
        "secondary blocks=0\n[TensorRT-LLM][INFO] Number of tokens per block: 32.\n[TensorRT-LLM][INFO] [MemUsageChange] Allocated "
        "78.30 GiB for max tokens in paged KV cache (3731744).",
        dict(n_blocks=116617, block_size=32, kv_bytes=78.30 * GIB, kv_tokens=3731744),
    ),
    (  # huggingface/text-generation-inference issue 832
        '2023-08-22T18:35:50Z  INFO text_generation_launcher: Args { model_id: "meta-llama/Llama-2-13b-chat-hf", revision: None, '
        "validation_workers: 2, sharded: None, num_shard: Some(4), quantize: None, dtype: None, max_input_length: 4096, "
        "max_total_tokens: 8192, max_batch_total_tokens: 16000 }\nSetting max batch total tokens to 16000",
        dict(n_devices=4, n_ctx=8192, batch_tokens=16000),
    ),
    (  # ollama/ollama issue 5913
        'level=INFO source=memory.go:309 msg="offload to rocm" layers.offload=43 memory.required.full="43.1 GiB" '
        'memory.required.kv="640.0 MiB" memory.weights.total="39.9 GiB"',
        dict(planned_cache=640 * 2**20, planned_weights=39.9 * GIB),
    ),
    (  # ikawrakow/ik_llama.cpp pull 259
        "llama_new_context_with_model: KV self size  = 1166.62 MiB, c^KV (q8_0): 1166.62 MiB, kv^T: not used",
        dict(kv_bytes=1166.62 * 2**20),
    ),
    (  # sgl-project/sglang pull 30047: layers with a state
        "Decode batch, #running-req: 40, #full token: 350592, full token usage: 0.74, mamba num: 160, mamba usage: 0.80, accept len: "
        "3.13, accept rate: 0.71, npu graph: True, gen throughput (token/s): 155.34, #queue-req: 0",
        dict(n_running=40, n_cached=350592, cache_share=0.74, accept_len=3.13, tokens_per_s=155.34),
    ),
    (  # vllm-project/vllm issue 13882: weights and one pass alone are too much
        "PyTorch activation peak memory takes 1.42GiB; the rest of the memory reserved for KV Cache is -1.05GiB.\n# cuda blocks: 0, #",
        dict(lacking_bytes=1.05 * GIB, n_blocks=0),
    ),
    ("llama_new_context_with_model: kv self size  =  162.50 MB", dict(kv_bytes=162.5 * 2**20)),  # llama.cpp in 2023
    (  # SGLang in 2026, of Kimi-K2.5 on eight devices
        "[TP6] KV Cache is allocated. #tokens: 2454421, KV size: 160.63 GB",
        dict(kv_tokens=2454421, kv_bytes=160.63 * GIB),
    ),
    (  # ggml-org/llama.cpp issue 9013
        "INFO [ print_timings] generation eval time =    6485.43 ms /   660 runs   (    9.83 ms per token",
        dict(decode_ms=6485.43, n_steps=660),
    ),
    (  # sgl-project/sglang issue 1612
        "[16:43:29 TP0] Prefill batch. #new-seq: 4, #new-token: 8192, #cached-token: 291, cache hit rate: 2.76%, token usage: 0.04, "
        "#running-req: 1, #queue-req: 38",
        dict(new_seqs=4, new_tokens=8192, found_tokens=291, cache_share=0.04),
    ),
    (  # vllm-project/vllm issue 8719
        "Sep 22 ml2 vllm[361991]: INFO 09-22 23:46:42 metrics.py:367] Prefix cache hit rate: GPU: 26.68%, CPU: 0.00%",
        dict(found_percent=26.68),
    ),
    (  # SergiioB/intel-arc-pro-b70-inference-cookbook issue 4: a terminal cut it in the middle of a word
        "ValueError: To serve at least one request with the model's max seq len (100000), (4.26 GiB KV cach\ne is needed, which is "
        "larger than the available KV cache memory (4.25 GiB). Based on the avai",
        dict(n_ctx=100_000, needed_bytes=4.26 * GIB, kv_bytes=4.25 * GIB),
    ),
    (  # vllm-project/production-stack issue 318
        'vllm:num_requests_running{model_name="Qwen/Qwen2.5-Coder-32B-Instruct"} 3.0\nvllm:num_requests_waiting{model_name="x"} 1.0',
        dict(n_now=3, n_waiting=1),
    ),
    (  # sgl-project/sglang issue 29575
        "max_total_num_tokens=2086558, chunked_prefill_size=8192, max_prefill_tokens=16384, max_running_requests=33, context_len=256000",
        dict(kv_tokens=2_086_558, n_at_most=33, n_ctx=256_000),
    ),
    (  # sgl-project/sglang issue 19712
        "Prefill batch, #new-seq: 1, #new-token: 832, #cached-token: 0, token usage: 0.06, #running-req: 6, #queue-req: 2, input "
        "throughput (token/s): 1392.60, cuda graph: False",
        dict(new_tokens=832, n_now=6, n_waiting=2, prompt_rate=1392.6),
    ),
    (  # jd-opensource/joyagent-jdgenie issue 197
        "Decode batch. #running-req: 1, #token: 1265, token usage: 0.00, cuda graph: True, gen throughput (token/s): 69.55, #queue-req: 3",
        dict(n_running=1, n_cached=1265, tokens_per_s=69.55, n_waiting=3),
    ),
    (  # huggingface/text-generation-inference issue 710
        '{ model_id: "/opt/ml/model", revision: None, num_shard: Some(8), quantize: None, max_total_tokens: 4096 }\nNot enough memory '
        "to handle 16000 total tokens with 2 prefill tokens.",
        dict(n_devices=8, n_ctx=4096, refused_tokens=16_000),
    ),
    (  # ollama/ollama pull 11090
        'level=INFO source=ggml.go:365 msg="model weights" buffer=CUDA1 size="11.9 GiB"',
        dict(buffer_bytes=11.9 * GIB),
    ),
    (  # ollama/ollama issue 12027
        'level=INFO source=backend.go:321 msg="kv cache" device=CUDA0 size="936.0 MiB"',
        dict(cache_part=936 * 2**20),
    ),
    (  # vllm-project/vllm pull 10511
        "total_gpu_memory     79.22GiB\ngpu_memory_utilization       0.90\n"
        "model weights take   14.96GiB\navailable_kv_cache_memory    53.29GiB",
        dict(gpu_bytes=79.22 * GIB, usable=0.9, weight_bytes=14.96 * GIB, kv_bytes=53.29 * GIB),
    ),
    ("llm_load_tensors:     CUDA14 buffer size = 12698.93 MiB", dict(buffer_bytes=12698.93 * 2**20)),  # ik_llama.cpp pull 237
    (  # vllm-project/production-stack issue 617
        'vllm:kv_cache_usage_perc{engine="0",model_name="zai-org/GLM-4.5"} 9.75010481363281e-06\n'
        'vllm:prefix_cache_queries_total{engine="0",model_name="zai-org/GLM-4.5"} 32.0',
        dict(cache_share=9.75010481363281e-06, asked_tokens=32),
    ),
    (  # vllm-project/vllm-ascend pull 8289
        "Free memory on device (60.86/61.27 GiB) on startup. Desired GPU memory utilization is (0.9, 55.14 GiB). Actual usage: 1.14 GiB "
        "for weights, 0.22 GiB for peak activation, 0.13 GiB for non-torch memory, 0.04 GiB for NPU graph memory.",
        dict(gpu_bytes=61.27 * GIB, usable=0.9, weight_bytes=1.14 * GIB, peak_bytes=0.22 * GIB, graph_bytes=0.04 * GIB),
    ),
    (  # IBM/vllm pull 18
        'vllm:generation_tokens_total{model_name="bigscience/bloom-560m"} 218152.0',
        dict(done_answer=218_152),
    ),
    (  # ollama/ollama pull 2163: its answers' JSON
        '"prompt_eval_count": 42, "prompt_eval_duration": 558791000, "eval_count": 11, "eval_duration": 290096000',
        dict(n_prompt=42, prefill_ms=558.791, n_steps=11, decode_ms=290.096),
    ),
    (  # NVIDIA/TensorRT-LLM issue 2268
        "[TensorRT-LLM][INFO] Memory usage when calculating max tokens in paged kv cache: total: 39.39 GiB, available: 21.89 GiB",
        dict(card_bytes=39.39 * GIB, free_bytes=21.89 * GIB),
    ),
    ("Setting attention block size to 544 tokens to ensure", dict(block_size=544)),  # Sandermage/genesis-vllm-patches issue 24
    (  # ggml-org/llama.cpp issues 11200 and 22319
        "llama_kv_cache_init:      CUDA1 KV buffer size =  1564.00 MiB\n"
        "llama_context: n_ctx_seq (393216) < n_ctx_train (1048576) -- the full capacity of the model will not be utilized",
        dict(cache_part=1564 * 2**20, seq_ctx=393_216),
    ),
    (  # ollama/ollama issue 10740
        "llama_model_loader: - kv   5:                          qwen3.block_count u32              = 64\n"
        "llama_model_loader: - kv  10:              qwen3.attention.head_count_kv u32              = 8",
        dict(info_layer=64, info_head_kv=8),
    ),
    (  # NVIDIA/TensorRT-LLM issue 224
        "python examples/llama/build.py --model_dir /model_weights/llama-2-7b --dtype float16 --tokens_per_block 16\n"
        "[TensorRT-LLM][INFO] Using 10718 tokens in paged KV cache.",
        dict(block_size=16, kv_tokens=10_718),
    ),
    (
        "[cuda.py:160] Forcing kv cache block size to 64 for FlashMLA backend.",
        dict(block_size=64),
    ),  # vllm-project/vllm issue 17169
    (  # vllm-project/vllm-ascend pull 11876
        "Running: 0 reqs, Waiting: 1 reqs, Deferred: 1 reqs, GPU KV cache usage: 0.5%, External prefix cache hit rate: 100.0%",
        dict(n_waiting=1, cache_percent=0.5),
    ),
    (  # vllm-project/vllm issue 2731, early in 2024
        "INFO 02-01 06:36:05 llm_engine.py:921] Avg prompt throughput: 382.6 tokens/s, Avg generation throughput: 118.5 tokens/s, Max "
        "iteration time: 386.7 ms, Avg time/tok:149.4 ms, Running: 35 reqs, Swapped: 0 reqs, Pending: 115 reqs, GPU KV cache usage: 99.0%",
        dict(answer_rate=118.5, n_now=35, n_waiting=115, cache_percent=99),
    ),
]


def test_a_context_of_a_latent_is_as_many_bytes_as_its_tokens():
    # ikawrakow/ik_llama.cpp issue 296 (8.5 bits), ggml-org/llama.cpp pull 11446 (16, beside a rest of keys and values)
    ik = "llama_new_context_with_model: n_ctx      = 32768\nKV self size  = 1166.62 MiB, c^KV (q8_0): 1166.62 MiB, kv^T: not used"
    latent = """llama_kv_cache_init: kv_size = 32768, offload = 1, type_k = 'f16', type_v = 'f16', n_layer = 61, can_shift = 0
llama_init_from_model: KV self size  =    4.77 MiB, K (f16):    2.86 MiB, V (f16):    1.91 MiB
llama_init_from_model: KV self size  = 2196.00 MiB, K^R (f16):  244.00 MiB, c^KV (f16): 1952.00 MiB"""
    for text in (ik, latent):
        (check,) = (c for c in cache_checks(read_log(text), MODELS["DeepSeek-V3"]) if c.what == "the cache")
        assert check.agrees
        assert not any(c.agrees for c in cache_checks(read_log(text), MODELS["DeepSeek-V2-Lite"]) if c.what == "the cache")


def test_of_a_diff_what_it_leaves_is_read():
    # fedora-copr/logdetective pull 106: what was printed before and after, as a diff
    log = read_log("-llama_new_context_with_model: n_ctx      = 2048\n+llama_new_context_with_model: n_ctx      = 32768\n"
                   "-KV self size  =  256.00 MiB, K (f16):  128.00 MiB, V (f16):  128.00 MiB\n"
                   "+KV self size  = 4096.00 MiB, K (f16): 2048.00 MiB, V (f16): 2048.00 MiB")  # fmt: skip
    assert log.value("n_ctx") == 32768 and log.left_alone.keys() == {1, 3}
    assert any(c.agrees and c.printed == 4 * GIB for c in cache_checks(log, MODELS["Mistral-7B"]) if c.what == "the cache")


def test_a_file_partly_in_16_bits_and_one_of_two_caches_are_not_called_wrong():
    # vllm-project/vllm issue 6746, ggml-org/llama.cpp issue 15242 (cut after the first cache of two)
    large = "Starting to load model /models/Meta-Llama-3.1-405B-Instruct-FP8...\nLoading model weights took 57.7520 GB"
    (weights,) = cache_checks(read_log(large), None, 8, 8, 8)
    assert weights.expected is None and "9.78 bits" in weights.why
    one = "llama_kv_cache_unified: size = 3072.00 MiB (131072 cells,  12 layers,  1/1"
    assert not [c for c in cache_checks(read_log(one), MODELS["gpt-oss-20b"]) if c.differs]


@pytest.mark.parametrize(("text", "figures"), DIALECTS, ids=lambda part: part[:40] if isinstance(part, str) else "")
def test_a_line_is_read_as_its_server_means_it(text, figures):
    log = read_log(text)
    assert {name: log.value(name) for name in figures} == pytest.approx(figures)


def test_tensorrts_bytes_and_tokens_are_a_7bs():
    """69,524,783,104 bytes for 132,608 tokens are 524,288 each, Llama-2-7B's in 16 bits."""
    (check,) = (c for c in cache_checks(read_log(DIALECTS[3][0]), MODELS["Llama-2-7B"], 1, 16, 16) if c.kind == "a token")
    assert check.agrees and check.printed == 524_288
    blocks = next(c for c in cache_checks(read_log(DIALECTS[4][0])) if c.kind == "tokens")
    assert blocks.agrees and blocks.printed == 116_617 * 32


def test_what_tgi_was_asked_for_and_what_ollama_plans_is_no_capacity():
    for text in (DIALECTS[5][0], DIALECTS[6][0]):
        log = read_log(text)
        assert held_tokens(log) is None and not [c for c in cache_checks(log, MODELS["Llama-2-13B"], 4, 16, 16) if c.differs]


def test_a_start_that_failed_says_what_to_change_and_by_how_much():
    found = remedy(read_log(FAILED))
    assert (found.n_ctx, found.fits, found.printed, found.half) == (131_072, 5632, True, False)
    assert found.more_bytes == pytest.approx((16.00 - 0.71) * GIB) and found.usable is None
    guessed = remedy(read_log(FAILED.split(" Based")[0]), MODELS["Llama-3.1-8B"])  # vllm issue 16118: before it was estimated
    assert not guessed.printed and guessed.fits == 5632
    older = remedy(read_log(OLDER))
    assert (older.n_ctx, older.fits, older.half, older.more_bytes) == (4096, 3664, True, None)


def test_more_of_the_memory_is_asked_for_only_where_it_is_there():
    # vllm issue 10517: 29,000 tokens of an 8B, of 23.58 GiB nine tenths are used
    log = """total_gpu_memory=23.58GiB kv_cache_size=2.89GiB gpu_memory_utilization=0.90
The model's max seq len (29000) is larger than the maximum number of tokens that can be stored in KV cache (23648). Try"""
    found = remedy(read_log(log))
    assert found.usable == pytest.approx(0.9 + 2.89 * (29_000 / 23_648 - 1) / 23.58)
    assert remedy(read_log(log.replace("29000", "290000"))).usable is None


def test_a_message_that_was_wrapped_is_read_too():
    # kaito-project/kaito issue 2132
    found = remedy(
        read_log(
            "ValueError: To serve at least one request with the model's max seq len (1048576),\n22.5 GiB KV cache is needed, which is "
            "larger than the available KV cache memory (17.39 GiB).\nBased on the available memory, the estimated maximum model length "
            "is 810208."
        ),
        MODELS["Llama-3.1-8B"],
    )
    assert (found.n_ctx, found.fits, found.half) == (1_048_576, 810_208, True)


def test_an_error_that_was_wrapped_says_what_to_change_too():
    # gigagpu.com/fix-vllm-out-of-memory-kv-cache
    found = remedy(read_log("The model's max seq len (32768) is larger than the maximum number of\ntokens that can be stored in KV cache "
                            "(2048). Try increasing"))  # fmt: skip
    assert (found.n_ctx, found.fits, found.printed) == (32_768, 2048, True)


def test_a_server_that_holds_less_than_its_longest_sequence_may_have_started():
    # sgl-project/sglang issue 4161 prints both in one line, and starts with any of them
    log = read_log("max_total_num_tokens=13360, chunked_prefill_size=8192, max_running_requests=2049, context_len=163840")
    assert log.value("kv_tokens") < log.value("n_ctx") and remedy(log) is None


@pytest.mark.parametrize("text", ["GPU KV cache size: 78,384 tokens", FAILED.replace("0.71", "17.0"), DIALECTS[3][0]])
def test_where_nothing_failed_nothing_is_to_be_changed(text):
    assert remedy(read_log(text)) is None


def test_lines_that_no_rule_knows_are_counted_and_kept():
    log = read_log("hello\n\nGPU KV cache size: 78,384 tokens\nworld")
    assert log.left_alone == {1: "hello", 4: "world"} and log.n_lines == 4


def test_tensorrts_own_lines_are_not_taken_for_vllms():
    # NVIDIA/TensorRT-LLM issue 6294: Llama-3.1-8B with a cache in FP8
    log = read_log("""[TensorRT-LLM][INFO] [MemUsageChange] Allocated 52.51 GiB for max tokens in paged KV cache (860320).
[07/24/2025-08:13:11] [TRT-LLM] [I] max_seq_len=157, max_num_requests=4096, max_num_tokens=23552""")
    assert log.programs == ("TensorRT-LLM",) and log.value("n_ctx") == 157
    assert next(c for c in cache_checks(log, MODELS["Llama-3.1-8B"], 1, 8) if c.kind == "a token").agrees
