"""Whose a line is: what no program prints that is known here is left, though it has the same labels, units and names.

Each text is as in the public thread named beside it: another program's, or a person's about one. Beside a line that is vLLM's it is
left too, and changes nothing of what is said of that one.
"""

import pytest

from engine.serving.lines.whose import regions, whose
from engine.serving.log_lines import read_log
from engine.serving.stated_setup import stated_setup

VLLMS = "INFO 09-21 10:00:00 [kv_cache_utils.py:864] GPU KV cache size: 230,528 tokens"
NOBODYS = [
    # unslothai/unsloth issue 1591: an analysis below llama.cpp's lines
    "- **Total Time**: 2.45 ms for 35 runs\n- **Speed**: 14,297.39 tokens per second\n- **Total Time**: 1,233.88 ms for 10 tokens",
    # airockchip/rknn-llm issue 165
    " Stage         Total Time (ms)  Tokens    Time per Token (ms)\n Prefill       562.15           81        6.94\n"
    " Generate      53718.66         430       126.08",
    # kvcache-ai/ktransformers issue 726
    "python3 -m ktransformers.local_chat --model_path a/DeepSeek-R1\nprompt eval count:    14 token(s)\n"
    "prompt eval duration: 3.272611618041992s\nprompt eval rate:     4.277932695123732 tokens/s\neval rate: 2.863244102057046 tokens/s",
    # InternLM/lmdeploy pull 946
    "first token latency(s)(min, max, ave): 0.623, 12.899, 4.401\nnumber of prompt tokens: 740656\nelapsed_time: 295.300s",
    # ml-explore/mlx-lm pulls 40 and 396
    "Prompt: 33898 tokens, 869.279 tokens-per-sec\nPeak memory: 12.257 GB\nTrial 1:  prompt_tps=2902.212, generation_tps=205.325",
    # LostRuins/koboldcpp issue 1780, turboderp/exllama issue 165
    "[15:20:43] CtxLimit:8346/32768, Process:235.31s (34.51T/s), Generate:41.73s (5.42T/s), Total:277.03s",
    "Output generated in 19.62 seconds (26.09 tokens/s, 512 tokens, context 1803, seed 1)",
    # sgl-project/mini-sglang pull 59, openvino.genai issue 875, AI-Hypercomputer/JetStream pull 83
    "[2026-01-05|16:25:57] INFO     TTFT: 126.89 ms (p50: 109.70 ms, p90: 158.57 ms, p99: 659.98 ms)",
    "TTFT: 20.88 ± 0.47 ms\nThroughput : 47.89 ± 1.07 tokens/s",
    "Benchmark duration: 294.101467 s\nMean TTFT: 114960.78 ms\nP99 TPOT: 132710.43 ms",
    # lines of a benchmark of which nothing says that they are its result: vllm-project/vllm pull 15322 has such above one
    "Mean TTFT (ms): 9.5\nSuccessful requests: 2",
    # guoqingbao/xinfer pull 197, mlc-ai/mlc-llm pull 1903, PaddlePaddle/FastDeploy issue 3868
    "KVCache Allocation: 8192 GPU blocks (32.00 GB x 4), max usable kvcache tokens 524288 (64k bytes per token)",
    "INFO model_metadata.py:96: Total memory usage: 4077.14 MB (Parameters: 3615.13 MB. KVCache: 0.00 MB. Temporary buffer: 462.01 MB)",
    'fastdeploy:cache_config_info{block_size="64",bytes_per_block="589824",cache_dtype="bfloat16"} 1.0',
    # xorbitsai/inference issue 2227, lmstudio-ai/lmstudio-bug-tracker issue 412
    "xinference.core.worker 3657471 DEBUG    Leave get_model_count, elapsed time: 0 s\n'Int4', 'model_engine': 'vLLM', 'n_gpu': 1",
    "GPU 0: NVIDIA GeForce RTX 3090 (Used: 831.88 MB, Total: 25.77 GB, Free: 24.94 GB)",
    # sentences: QwenLM/Qwen3-VL issue 1492, vllm issues 13061 and 7553, sglang issue 11648
    "我们在H100*2上启动了Qwen2.5-VL-7B，速度只有19tokens/s",
    "the rest of the memory reserved for the KV cache is only 8.69GiB, I want 20 GiB with tensor parallel size of 8",
    "When inference，batch size = 4(input length = 2k), on 6* 8 H20s, TP=8",
    "I see GPU KV cache size: 230,000 tokens, and Maximum concurrency for 8,192 tokens per request: 4.1x",
    "We used vLLM with --gpu-memory-utilization 0.95 and --max-model-len 8192 on 4xH100",
    "Using Llama 3.1 70B on 2 A100 GPUs I get about 25 tokens per second, and it should reach 50 tokens per second",
    # lists of a report: vllm-ascend issue 14678, sglang issue 30233, vllm issue 2136
    "- Model: zai-org/GLM-5.2-FP8\n- Quantization: `ascend`\n- mem_fraction_static=0.75, page_size=64\n- **GPU**: 8 x H100",
    "- vLLM 0.2.3: `# GPU blocks: 1464, # CPU blocks: 1310`",
    # settings that say of no program, in YAML, in Python, in a shell
    "max_num_seqs: 64\nmax_model_len: 8192",
    'model="Qwen/Qwen3-8B",\nmax_model_len=8192,',
    "MODEL_ID=x/y\nTENSOR_PARALLEL_SIZE=4\nDTYPE=half",
    "--model Qwen/Qwen3-8B --gpu-memory-utilization 0.95 --max-model-len 4096",
    # commands of other programs: lmdeploy issue 670, QwenLM/Qwen issue 853, imoneoi/openchat issue 198
    "lmdeploy serve api_server ./workspace --instance_num 256 --tp 1",
    "ts serve a/b --gpu-memory-utilization 0.95 --max-model-len 4096 --max-num-seqs 64",
    # JSON of other programs: macmlx issue 62, inference-benchmark issue 27
    '{"generationTPS": 81.8, "promptTPS": 4919.4, "modelID": "gemma-4-e4b-it-8bit", "memoryUsedGB": 59.1}',
    '{"throughput_rps":1.18, "total_output_token":20947, "requests": 2}',
    # nvidia-smi: club-3090 issue 769, vllm issue 15204
    "|   0  NVIDIA GeForce RTX 5090        On  |   00000000:01:00.0  On |\n| N/A   33C  115W /  700W |  124585MiB / 143771MiB |      0% |",
]


@pytest.mark.parametrize("text", NOBODYS)
def test_what_no_known_program_prints_is_left(text):
    with pytest.raises(ValueError, match="Found no line"):
        read_log(text)
    both, alone = read_log(f"{VLLMS}\n\n{text}\n"), read_log(VLLMS)
    if not text.startswith("--"):  # arguments alone are of the one server that is known
        assert (both.figures, both.words, both.programs) == (alone.figures, alone.words, alone.programs)
        assert set(both.left_alone) >= {3} and both.lines.keys() == {1}


TABLES = [
    # noonghunna/club-3090 issue 851, SemiAnalysisAI/InferenceX issue 870, lvyufeng/PocketLLM pull 289
    "| Metric | Narrative | Code |\n|---|---|---|\n| Decode TPS | **252.0** | **252.7** |\n| TTFT | 42 ms (CV 1%) | 43 ms |",
    "| Output tput/GPU (tok/s) | 74.6 |\n| Total tput/GPU (tok/s) | 148.6 |",
    # tenstorrent/tt-inference-server pull 1708
    "| ISL | OSL | Concur |  N  | TTFT Avg (ms) | TPOT Avg (ms) |\n|---|---|---|---|---|---|\n| 128 | 256 | 1 | 8 | 650.5 | 30.5 |",
    # andysalerno/r9700-serving issue 11: llama-benchy, which is not llama-bench
    "| model | test | t/s | peak t/s |\n|:---|---:|---:|---:|\n| qwen3.8-27b | tg32 @ d4096 | 56.64 ± 6.35 | 58.46 ± 6.56 |",
    # vllm-project/vllm-metal pull 596, sgl-project/sglang pull 36583
    "| Metric | vLLM 0.26.0 | vLLM 0.27.0 | Delta |\n|---|---:|---:|---:|\n| Mean TTFT (ms) | 3834.31 | 3714.32 | -3.1% |",
    "| | `max_total_num_tokens` | free memory |\n|---|---|---|\n| before | 1,741 | 46.9 GB |",
]


@pytest.mark.parametrize("table", TABLES)
def test_a_table_of_another_program_is_left_and_its_numbers_are_counted(table):
    with pytest.raises(ValueError, match="a table of"):
        read_log(table)
    log = read_log(f"{VLLMS}\n{table}")
    assert len(log.figures) == 1 and log.left_in_tables > 0 and log.programs == ("vLLM",)


@pytest.mark.parametrize(
    "line, program",
    [
        ("GPU KV cache size: 78,384 tokens", "vLLM"),
        ("(EngineCore_DP0 pid=24013) INFO 08-16 02:14:37 [kv_cache_utils.py:833] GPU KV cache size: 1,594,928 tokens", "vLLM"),
        ("9:46] [executor_base.py:111] # cuda blocks: 7191, # CPU blocks: 512", "vLLM"),  # its beginning is cut off
        ("[2026-08-01 23:40:01 TP0] KV Cache is allocated. dtype: torch.bfloat16, #tokens: 185897", "SGLang"),
        ("0.12.345.678 I slot print_timing: id  0 | task 0 |        eval time =    1834.34 ms /    61 tokens", "llama.cpp"),
        ("INFO [           print_timings] prompt eval time     =  512.0 ms /   256 tokens", "llama.cpp"),
        ("main thing is n_ctx = 512", ""), ("Model: x", ""), ("", ""), ("│ Mean │", ""),
    ],
)  # fmt: skip
def test_a_line_says_whose_it_is_by_its_head_or_by_how_it_begins(line, program):
    assert whose(line) == program


def test_the_lines_of_a_call_in_python_are_vllms_where_it_is_named():
    call = ["llm = LLM(", '    model="Qwen/Qwen3-8B",', "    max_model_len=8192", ")", "x = 1"]
    assert regions(call, [""] * 5) == {}
    assert regions(["from vllm import LLM", *call], [""] * 6) == dict.fromkeys(range(1, 5), "vLLM")
    log = read_log("\n".join(["from vllm import LLM", *call]))
    assert (stated_setup(log).shape.name, log.value("n_ctx"), log.programs) == ("Qwen3-8B", 8192, ("vLLM",))


def test_arguments_alone_are_of_the_one_server_that_is_known():
    image, sglang = "    image: vllm/vllm-openai:latest", "KV Cache is allocated. #tokens: 56320, KV size: 5.40 GB"
    command = '    command: ["--model", "Qwen/Qwen3-8B", "--max-model-len", "8192"]'
    assert stated_setup(read_log(f"{image}\n{command}")).shape.name == "Qwen3-8B"
    both = read_log(f"{image}\n{command}\n{sglang}")
    assert both.programs == ("SGLang",) and not both.all("n_ctx") and 2 in both.left_alone


def test_what_pytorch_says_is_said_in_a_servers_log_only():
    """vllm-project/vllm issues 188 and 42147."""
    oom = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 MiB. GPU 6 has a total capacity of 44.53 GiB "
    oom += "of which 4 MiB is free."
    with pytest.raises(ValueError, match="Found no line"):
        read_log(oom)
    log = read_log(f"{VLLMS}\n{oom}")
    assert (log.value("asked_bytes"), log.value("card_bytes"), log.programs) == (2 * 2**20, 44.53 * 2**30, ("vLLM",))


def test_a_reports_bounded_texts_take_no_longer_than_their_length():
    for text in ("[" * 200_000, "a.b:" * 50_000, "x=1 " * 50_000, "(" * 200_000):
        assert whose(text) == ""
