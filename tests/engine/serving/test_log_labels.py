"""Numbers by their labels, in whatever form of line or table; each as in the public thread named beside it."""

import pytest

from engine.serving.log_lines import read_log


@pytest.mark.parametrize(
    "text, figures",
    [
        (  # InternLM/lmdeploy pull 946
            "first token latency(s)(min, max, ave): 0.623, 12.899, 4.401\n"
            "per-token latency(s) percentile(50, 75, 95, 99): [0, 0, 0.708, 0.979]\n"
            "number of prompt tokens: 740656\ntoken throughput (prompt + completion token): 4862.142 token/s",
            {"ttft_ms": 4401, "tpot_p95": 708, "n_input": 740656, "total_rate": 4862.142},
        ),
        ("P99.9 TTFT (ms):    6625.39\n---解码速度(tok/s)---\nMean Decode:   24.05", {"ttft_p99.9": 6625.39, "answer_rate": 24.05}),
        (  # NVIDIA/TensorRT-LLM issues 6294 and 703: the unit in a heading, names and numbers in turn
            "-- Request Latency Breakdown (ms) ------\n[Latency] P90    : 64358.7\n[Latency] MAXIMUM: 69473.9\n"
            "[BENCHMARK] batch_size 64 input_length 2048 output_length 128 latency(ms) 3626.00 tokensPerSec 2259.24",
            {"request_p90": 64358.7, "n_at_most": 64, "answer_rate": 2259.24},
        ),
        (  # noonghunna/club-3090 issue 1086: the number first
            "[bench] run 1/3: 9289 prompt tok, 5320.7 prefill tok/s, ttft 1746ms\n  wall_TPS  mean= 181.36   std=  4.30",
            {"mean_input": 9289, "prompt_rate": 5320.7, "ttft_ms": 1746, "answer_rate": 181.36},
        ),
        (  # huggingface/text-generation-inference issue 563
            "Currently allocated     : 16.08 GiB\\nRequested  : 4.83 GiB\\nDevice limit            : 22.20 GiB",
            {"used_bytes": 16.08 * 2**30, "asked_bytes": 4.83 * 2**30, "card_bytes": 22.2 * 2**30},
        ),
        (  # sgl-project/sglang pull 22416
            "Decode 1. Batch size: 1, latency: 0.00707 s, throughput:    141.41 token/s\n"
            "Total. latency:  0.081 s, throughput:    862.60 token/s",
            {"answer_ms": 7.07, "answer_rate": 141.41, "request_ms": 81, "total_rate": 862.6},
        ),
        (  # lmstudio-ai/lmstudio-bug-tracker issue 412, ollama/ollama issue 11073, ggml-org/llama.cpp pull 12922
            "GPU 0: NVIDIA GeForce RTX 3090 (Used: 831.88 MB, Total: 25.77 GB, Free: 24.94 GB)\n"
            "  Model: 1.74 GB\n  0.3/191.7 GB\nUsed 836MB of VRAM",
            {"total_bytes": 25.77 * 2**30, "free_bytes": 24.94 * 2**30, "weights_size": 1.74 * 2**30, "card_bytes": 191.7 * 2**30},
        ),
        (  # NVIDIA/TensorRT-LLM issue 1871
            "num_kv_heads 16 num_layers 24 percentile95(ms) 41.537 gpu_peak_mem(gb) 44.75",
            {"info_head_kv": 16, "info_layer": 24, "request_p95": 41.537, "peak_memory": 44.75 * 2**30},
        ),
        ("llama-bench pp ~450t/s ~tg 32t/s", {"prompt_rate": 450, "answer_rate": 32}),  # ggml-org/llama.cpp pull 17592
        ("the memory reserved for the KV cache is only 8.69GiB", {"cache_size": 8.69 * 2**30}),  # vllm-project/vllm issue 13061
        ('{"tokens_per_second": {"generation_mean": 284.2, "processing_mean": 147.3}}', {"answer_rate": 284.2, "prompt_rate": 147.3}),
        ("Ctx | prompt tok/s pre | memory GB post\n-- | -- | --\n4096 | 199.1 | 383.2", {"prompt_rate": 199.1, "memory": 383.2 * 2**30}),
        (  # AI-Hypercomputer/inference-benchmark pull 4: a minute
            "Successful/total requests: 120/120\nOutput_tokens/min: 13539.97\nTokens/min: 19147.23\nRequests/min: 62.30",
            {"n_requests": 120, "answer_rate": 13539.97 / 60, "total_rate": 19147.23 / 60, "request_rate": 62.3 / 60},
        ),
        ("Request goodput (req/s):    3.75\nRequest throughput (req/s):     3.76", {"good_rate": 3.75, "request_rate": 3.76}),
        (  # kvcache-ai/ktransformers issue 1870: seconds of loading are no benchmark's
            "Load weight end. elapsed=653.47 s, dtype=torch.bfloat16, mem usage=3.76 GB.",
            {"weight_bytes": 3.76 * 2**30, "duration_s": None},
        ),
        (  # sgl-project/sglang pull 22331: what lies in main memory is not the device's
            "Decode batch, #running-req: 5, #gpu-token: 20800, gpu token usage: 0.29, #cpu-token: 41422, cpu token usage: 0.31",
            {"n_cached": 20800, "cache_share": 0.29},
        ),
        (  # ollama/ollama issue 11852
            'name="NVIDIA A100-SXM4-80GB" before.total="79.3 GiB" before.free="78.9 GiB" now.free="78.8 GiB" now.used="424.2 MiB"',
            {"card_bytes": 79.3 * 2**30, "free_bytes": 78.8 * 2**30, "used_bytes": 424.2 * 2**20},
        ),
        (  # SemiAnalysisAI/InferenceX issue 870, tenstorrent/tt-inference-server issue 356: of one device, of one request
            "| Output tput/GPU (tok/s) | 74.6 |\n| Total tput/GPU (tok/s) | 148.6 |\nTput User (TPS): 32.06\ntokens_per_sec_per_gpu: 3226",
            {"answer_rate_gpu": 3226, "total_rate_gpu": 148.6, "answer_rate_user": 32.06, "answer_rate": None},
        ),
        (  # sgl-project/sglang pull 31363: one number in two measures
            "{ dataset: 'random', isl: 8192, osl: 1024, max_concurrency: 1024 }",
            {"mean_input": 8192, "mean_output": 1024, "n_at_most": 1024},
        ),
        ("```diff\n- ttft_ms: 39806,\n+ ttft_ms: 46563,\n```", {"ttft_ms": 46563}),
        ("\x1b[34m1.14.6\x1b[0m \x1b[32mI \x1b[0mllama_context: n_ctx_seq (64000) < n_ctx_train (1048576)", {"seq_ctx": 64000}),
        (  # ggml-org/llama.cpp issue 2968: in 2023
            "llm_load_print_meta: model size     = 13.02 B\nllama_new_context_with_model: compute buffer total size =   75.47 MB",
            {"n_params": 13.02e9, "weight_bytes": None, "compute_bytes": 75.47 * 2**20},
        ),
        (  # NVIDIA/TensorRT-LLM issue 3376
            '"kvCacheStats":{"freeNumBlocks":1745,"maxNumBlocks":7240,"tokensPerBlock":64},"maxNumTokensRuntime":17800,"numQueuedRequests":7',
            {"n_blocks": 7240, "block_size": 64, "batch_tokens": 17800, "n_waiting": 7},
        ),
        ("ggml_cuda_init: found 8 ROCm devices (Total VRAM: 524160 MiB):", {"n_cards": 8, "card_bytes": None}),
        (  # sgl-project/sglang issue 7691: of less than nothing
            "max_total_tokens=131072 is larger than the profiled value -561981. Use the profiled value instead.", {"kv_tokens": None},
        ),
        (  # NVIDIA/TensorRT-LLM issue 401: no line says that the next one goes on
            "python build.py \n    --model_dir /app/Llama-2-7b-hf/\n    --max_batch_size 192\nnext", {"n_at_most": 192},
        ),
        ("我们在H100*2上启动了Qwen2.5-VL-7B，速度只有19tokens/s", {"n_cards": 2}),  # QwenLM/Qwen3-VL issue 1492
        ('"pp512": 224.81,\n"tg128": 20.87,', {"prompt_rate": 224.81, "answer_rate": 20.87}),  # brand-o/normiebench issue 3
        (  # ollama/ollama issue 10529
            "  Model\n    architecture        qwen3\n    parameters          14.8B\n    context length      40960\n    num_ctx       16384",
            {"n_params": 14.8e9, "info_ctx": 40960, "at_ctx": 16384},
        ),
        ("time_per_token=5.48ms total_time=1097.12ms input_toks=16", {"tpot_ms": 5.48, "request_ms": 1097.12, "mean_input": 16}),
        (  # sgl-project/sglang pull 12978
            "Capture cuda graph end. Time elapsed: 11.35 s. mem usage=1.04 GB. avail mem=11.22 GB.",
            {"graph_bytes": 1.04 * 2**30, "weight_bytes": None, "duration_s": None},
        ),
        (  # ggml-org/llama.cpp issue 17410
            "llama_memory_breakdown_print: |   - CUDA0 (GTX 1080)   |  8107 =  922 + (6064 =  4075 +     576 +    1413) +        1119 |",
            {"card_bytes": 8107 * 2**20, "free_bytes": 922 * 2**20, "buffer_bytes": 4075 * 2**20, "cache_part": 576 * 2**20},
        ),
        ('runner.size="30.1 GiB" runner.vram="30.1 GiB" runner.parallel=1 runner.num_ctx=32768', {"n_ctx": 32768, "n_seq": 1}),
        (  # huggingface/tgi-gaudi pull 192: a row of the same step
            "| Step    | Batch Size | Average |\n|---|---|---|\n| Prefill | 1 | 23.88 tokens/secs |\n|         | 2 | 48.85 tokens/secs |",
            {"prompt_rate": 48.85, "answer_rate": None},
        ),
        ("vllm serve x --max-model-len 32K --max-num-seqs 48", {"n_ctx": 32768}),  # ROCm/ATOM issue 896
        ("I am trying to reproduce 2298.89 tokens/s reported in your blog\nGPU: RTX 3090", {"answer_rate": None}),
        ("I get about 25 tokens per second on it", {"answer_rate": 25}),
        ("Running Kimi-Linear-48B-A3B on 2x3090, hit rate: 44.5%", {"n_cards": 2, "found_percent": 44.5}),
    ],
)  # fmt: skip
def test_a_number_is_read_by_its_label_in_whatever_line(text, figures):
    log = read_log(text)
    assert {name: log.value(name) for name in figures} == pytest.approx(figures)


@pytest.mark.parametrize(
    "text",
    [
        "it should reach 25 tokens per second", "sampling time =   24.62 ms /   227 runs (0.11 ms per token,  9220.90 tokens per second)",
        "Model:                              1", "prompt=65 chars", "[2025-09-03 18:33:18 TP0] exception",
        "ollama run ....",
        "system memory: total=15.6 GiB, free: 14.6 GiB",
        "container RSS = 364.2 MiB / 12 GiB",
    ],
)  # fmt: skip
def test_what_was_hoped_or_is_of_another_thing_is_not_read(text):
    with pytest.raises(ValueError, match="Found no line"):
        read_log(text)


@pytest.mark.parametrize(
    "text, figures",
    [
        (  # noamsto/nix-amd-ai pull 129: a column a test
            "| Backend | pp512 | tg128 |\n| --- | ---: | ---: |\n| Vulkan | 2001.00 ± 2.60 t/s | 62.39 ± 0.04 t/s |",
            dict(mean_input=512, prompt_rate=2001, mean_output=128, answer_rate=62.39),
        ),
        (  # ggml-org/llama.cpp pull 26284: two versions and how many times faster, without a header
            "| RTX 3090 | llama 8B Q4_0 | pp512 | 3000.10 | 3150.11 | 1.05 |",
            dict(pass_tokens=512, prompt_rate=3150.11),
        ),
        (  # casper-hansen/AutoAWQ issue 276: a table that begins with no bar
            "Batch Size | Prefill Length | Prefill tokens/s | Memory (VRAM)\n-- | -- | -- | --\n1 | 64 | 2024.28 | 4.57 GB (5.78%)",
            dict(n_at_most=1, mean_input=64, prompt_rate=2024.28, memory=4.57 * 2**30),
        ),
        (  # commas, and some within quotes
            'model,batch,"TTFT (ms)","tput, tok/s"\n"Llama-2-7b, chat",8,120.5,"1,310.2"',
            dict(n_at_most=8, ttft_ms=120.5, answer_rate=1310.2),
        ),
        ("Time to first token      42.5 ms\nOutput throughput        310 tok/s", dict(ttft_ms=42.5, answer_rate=310)),
        (  # ollama/ollama issue 15634
            "NAME           ID              SIZE     PROCESSOR    CONTEXT\nqwen3.6:35b    07d35212591f    27 GB    100% GPU     32768",
            dict(size_bytes=27 * 2**30, at_ctx=32768),
        ),
        ("# VRAM\n| Model | Ctx | f16 |\n|---|---|---|\n| llama3.2:3b | 4096 | 2753.1 MB |", dict(memory=2753.1 * 2**20)),  # pull 15505
        ("| test | t/s |\n|---|---|\n| pp4096+tg128 | 182.59 ± 2.66 |", dict(mean_input=4096, mean_output=128, total_rate=182.59)),
    ],
)  # fmt: skip
def test_a_table_is_read_whatever_parts_its_cells_and_wherever_its_labels_stand(text, figures):
    log = read_log(text)
    assert {name: log.value(name) for name in figures} == pytest.approx(figures)
    assert "a serving benchmark" not in log.programs or set(figures) - {"memory", "size_bytes", "at_ctx"}


def test_what_is_one_a_layer_says_each_number_once():
    log = read_log(
        "print_info: n_head_kv = [8, 8, 8, 2, 8, 8]\n- kv  20: gemma4.attention.head_count_kv arr[i32,30]      = [8, 8, 2, ..."
    )
    assert [(f.value, f.line) for f in log.all("info_head_kv")] == [(8, 1), (2, 1), (8, 2), (2, 2)]
