"""Which lines of a log are read: one pattern a statement, whose groups are named after what they catch.

A pattern is written with <name> for a number, <name:count> for a whole one, <name:size> for bytes with their unit, <name:params>
for "8.03 B", <name:word> and <name:text> for a word or a model's name, <name:line> for the rest of a line. Repetitions are
bounded, so that a long line takes no longer than its length. Beside a group of rules stand public threads that show such lines.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

VLLM, LLAMA_CPP, SGLANG, BENCH = "vLLM", "llama.cpp", "SGLang", "a serving benchmark"
TENSORRT, TGI, OLLAMA = "TensorRT-LLM", "TGI", "ollama"
NUMBER = r"(?P<{0}>\d[\d,]{{0,20}}(?:\.\d{{1,12}})?)"
COUNT = r"(?P<{0}>\d{{1,3}}(?:,\d{{3}}){{1,4}}|\d{{1,13}})(?!\w|[.,]\d)"  # “0.5” and “32k” are no counts
SIZE = NUMBER + r"\s{{0,8}}(?P<{0}_unit>GiB|GB|MiB|MB|KiB)"
PARAMS = NUMBER + r"\s{{0,2}}(?P<{0}_unit>[KMBT])\b"
CAUGHT = {
    "": NUMBER, "count": COUNT, "size": SIZE, "params": PARAMS, "word": r"(?P<{0}>[\w.-]{{1,40}})",
    "text": r"['\"]?(?P<{0}>[^'\"\s,;\\()\[\]{{}}]{{1,200}})", "line": r"(?P<{0}>\S.{{0,99}})",
}  # fmt: skip


@dataclass(frozen=True)
class Rule:
    """Whose line it is, the pattern, and a word that a line of another kind has."""

    program: str
    pattern: re.Pattern
    unless: str = ""


def _rules(program: str, *texts: str, unless: str = "") -> tuple[Rule, ...]:
    return tuple(Rule(program, re.compile(_written_out(text)), unless) for text in texts)


def _written_out(text: str) -> str:
    return re.sub(r"(?<!\?P)<(\w+)(?::(\w+))?>", lambda m: CAUGHT[m[2] or ""].format(m[1]), text)


CACHE = r"\bsize\s{0,4}=\s{0,8}<%s:size>\s{0,4}\(\s{0,8}<%s:count> cells,\s{0,8}<%s:count> layers"
INFO = r"(?:print_info|print_meta):\s{1,4}%s\s{0,20}=\s{0,4}"

RULES = (
    # github.com/vllm-project/vllm: pulls 12569, 13596 and 40694 and issues 2418, 10517, 40691 (the cache, version by version), issue
    # 25350 (a length that does not fit), huggingface/trl pull 3310 and vllm issue 22265 (the engine's configuration in one line).
    *_rules(
        VLLM,
        r"\b(?:GPU|CUDA|cuda) blocks: <n_blocks:count>",
        r"\bnum_gpu_blocks=\"?<n_blocks:count>",
        r"GPU KV cache size: <kv_tokens:count> tokens",
        r"Maximum concurrency for <n_ctx:count> tokens per request: <concurrency>x",
        r"Available KV cache memory: <kv_bytes:size>",
        r"\bkv_cache_size=<kv_bytes:size>",
        r"(?:reserved for KV Cache is |available_kv_cache_memory\s{1,8})<kv_bytes:size>",
        r"reserved for KV Cache is -<lacking_bytes:size>",  # vllm issue 13882
        r"max seq len \(<n_ctx:count>\), \(?<needed_bytes:size> KV cach",  # issue 4 of SergiioB/intel-arc-pro-b70-…: cut by a terminal
        r"than the available KV cache memory \(<kv_bytes:size>\)",
        # What does not fit at the start: vllm pull 16168 and tpu-inference pull 223 (the estimate), vllm issue 2418 (before 2025).
        r"the estimated maximum model length is <fitting_ctx:count>",
        r"max seq len \(<n_ctx:count>\),\s{0,4}$",  # kaito-project/kaito issue 2132: wrapped
        r"^\s{0,8}\(?<needed_bytes:size> KV cache is needed",
        r"max seq len \(<n_ctx:count>\) is larger than the maximum number of tokens that can be stored in KV cache \(<kv_tokens:count>\)",
        # vllm pull 10511: a table of them, for a few weeks of 2024.
        r"total_gpu_memory(?: ?[=(] ?|\s{2,8})<gpu_bytes:size>",
        r"(?:gpu_memory_utilization(?:': | ?[=( ] ?|\s{2,8})|--gpu-memory-utilization[= ])<usable>",
        # While it serves: vllm issues 19680, 15018 and 43295 (every ten seconds), 16832 and GAIR-NLP/LIMO issue 29 (preemption).
        r"Avg prompt throughput: <prompt_rate> tokens/s, Avg generation throughput: <answer_rate> tokens/s, Running: <n_now:count> reqs",
        r"(?:Waiting|Pending): <n_waiting:count> reqs, (?:GPU )?KV cache usage: <cache_percent>%",
        r"Prefix cache hit rate: (?:GPU: )?<found_percent>%",  # vllm issue 8719: V0
        r"total_num_cumulative_preemption=<n_preempted:count>",
        r"SpecDecoding metrics: Mean acceptance length: <accept_len>",  # weicj/vLLM-2080Ti-Definitive issue 88
        r"vllm:num_preemptions_total\{.{0,300}?\} <n_preempted>",
        r"vllm:(?:gpu|kv)_cache_usage_perc\{.{0,300}?\} <cache_share>",
        # vllm-project/production-stack issue 318: the page /metrics.
        r"vllm:num_requests_running\{.{0,300}?\} <n_now>",
        r"vllm:num_requests_waiting\{.{0,300}?\} <n_waiting>",
        r"^vllm:\w{1,60}\{.{0,200}?\bmodel_name=<model:text>",
        r"(?:Loading model weights took|Model loading took|model weights take)\s{1,8}<weight_bytes:size>",
        r"\btensor_parallel_size[=:'\" ]{1,4}<n_devices:count>",
        r"(?:--tensor[-_]parallel(?:[-_]size)?|(?<![\w-])-tp)[= ]<n_devices:count>",
        r"\bpipeline_parallel_size[=:'\" ]{1,4}<n_stages:count>",
        r"(?:--pipeline-parallel-size|(?<![\w-])-pp)[= ]<n_stages:count>",
        r"\bcp_world_size <n_cut:count>",
        r"\bblock_size[=:'\" ]{1,4}<block_size:count>",
        r"--block-size[= ]<block_size:count>",
        r"(?:, max_seq_len=|\bmax_model_len[=:'\" ]{1,4}|--max-model-len[= ])<n_ctx:count>",
        r"\bwith config: model=<model:text>",
        r"\bvllm serve (?!-)<model:text>",
        r"vllm\.entrypoints.{0,200}? --model[= ]{1,4}<model:text>",  # QwenLM/Qwen3 issue 295
        r"Starting to load model <model:text>\.\.\.",  # vllm issue 6746
        r"'model(?:_tag)?': <model:text>",
        r"\bdtype=torch\.<dtype:word>, max_seq_len=",
        r"\bquantization=<quantization:word>, enforce_eager=",
        r"(?:'quantization': '|--quantization[= ])<quantization:word>",
        r"(?:\bkv_cache_dtype=(?!')|'kv_cache_dtype': '|--kv-cache-dtype[= ])<kv_dtype:word>",
    ),
    # github.com/ggml-org/llama.cpp: pulls 13194 and 16095, issues 17578, 23679 and 25121; its older lines: ollama/ollama issue 9595,
    # abetlen/llama-cpp-python issue 1310.
    *_rules(LLAMA_CPP, CACHE % ("kv_bytes", "cells", "n_layer"), unless="recurrent"),
    *_rules(
        LLAMA_CPP,
        r"llama_memory_recurrent:\s{1,12}" + CACHE % ("state_bytes", "n_state", "state_layers"),
        r"c\^KV \(<k_type:word>\):",  # github.com/ikawrakow/ik_llama.cpp pulls 259 and 400
        r"\bkv_size = <n_ctx:count>, offload = \d, type_k = '<k_type:word>', type_v = '<v_type:word>'",  # llama.cpp pull 11446
        r"(?:\bmodel|llm_load_tensors:\s{1,12}\w{1,20}) buffer size\s{0,4}=\s{0,8}<buffer_bytes:size>",
        r"(?:KV|kv) self size\s{0,4}=\s{0,8}<kv_bytes:size>",
        r"K \(<k_type:word>\):\s{0,8}<k_bytes:size>, V \(<v_type:word>\):\s{0,8}<v_bytes:size>",
        r"\bn_ctx\s{0,12}=\s{0,8}<n_ctx:count>",
        r"\bn_ctx_(?:per_)?seq\s{0,12}=\s{0,8}<seq_ctx:count>",
        r"prompt eval time\s{0,8}=\s{0,12}<prefill_ms> ms /\s{0,8}<n_prompt:count> tokens",
        r"(?<!prompt )\beval time\s{0,8}=\s{0,12}<decode_ms> ms /\s{0,8}<n_steps:count> (?:runs|tokens)",
        INFO % "arch" + r"<arch:word>",
        INFO % r"general\.name" + r"<model:line>",
        INFO % "n_layer" + r"<info_layer:count>",
        INFO % "n_embd" + r"<info_embd:count>",
        INFO % "n_head" + r"<info_head:count>",
        INFO % "n_head_kv" + r"<info_head_kv:count>",
        INFO % "n_embd_head_k" + r"<info_d_head:count>",
        INFO % "n_embd_k_gqa" + r"<info_k_row:count>",
        INFO % "n_embd_v_gqa" + r"<info_v_row:count>",
        INFO % "n_swa" + r"<info_window:count>",
        INFO % "n_ff" + r"<info_ff:count>",
        INFO % "n_ff_exp" + r"<info_ff_exp:count>",
        INFO % "n_expert" + r"<info_expert:count>",
        INFO % "n_expert_used" + r"<info_expert_used:count>",
        INFO % "n_vocab" + r"<info_vocab:count>",
        INFO % "n_ctx_train" + r"<info_ctx:count>",
        INFO % "model params" + r"<n_params:params>",
        INFO % "(?:file|model) size" + r"<weight_bytes:size> \(<bits_a_weight> BPW",
        r"\bDevice \d{1,2}: (?P<device>[\w ./-]{1,60}), compute capability",
        r"using device \w{1,20} \((?P<device>[\w ./-]{1,60})\)",  # llama.cpp issue 10547
        r"picking default device: (?P<device>Apple [\w ]{1,20})",
    ),
    # github.com/vllm-project/vllm issue 21348 (2025); python/sglang/srt/mem_cache/memory_pool.py (2026: the type comes first);
    # scheduler_metrics_mixin.py in sgl-project/sglang (a decode batch, with and without speculation), both 2025 and 2026.
    *_rules(
        SGLANG,
        r"KV Cache is allocated\. (?:dtype: (?:torch\.)?<kv_dtype:word>, )?#tokens: <kv_tokens:count>"
        r"(?:, K size: <k_bytes:size>, V size: <v_bytes:size>|, KV size: <kv_bytes:size>)?",
        r"max_total_num_tokens=<kv_tokens:count>",
        r"conv_state size: <conv_bytes:size>, ssm_state size: <ssm_bytes:size>",
        r"\bcontext_len=<n_ctx:count>",
        r"#running-req: <n_running:count>, #(?:full )?token: <n_cached:count>",
        r"\baccept len: <accept_len>",
        r"gen throughput \(token/s\): <tokens_per_s>(?:, #queue-req: <n_waiting:count>)?",
        r"max_running_requests=<n_at_most:count>",  # sglang issue 29575
        r"#running-req: <n_now:count>, #queue-req: <n_waiting:count>, input throughput \(token/s\): <prompt_rate>",  # issue 19712
        r"--tp(?:-size)?[= ]<n_devices:count>",
        r"\btp_size=<n_devices:count>",
        r"\bpp_size=<n_stages:count>",
        r"\bmodel_path=<model:text>",
        r"sglang.{0,200}? --model(?:-path)?[= ]<model:text>",
        r"Load weight end\..{0,120}?dtype=torch\.<dtype:word>,",
        r"Load weight end\..{0,160}?mem usage=<weight_bytes:size>",
        r"\bquantization='?<quantization:word>'?, quantization_param_path=",
        r"\bkv_cache_dtype='<kv_dtype:word>",
        r"Using KV cache dtype: torch\.<kv_dtype:word>",
        r"\benable_dp_attention=<data_parallel:word>",
        # sgl-project/sglang issues 1612 and 36081: a batch of prompts, in 2024 and in 2026.
        r"Prefill batch.{0,3} #new-seq: <new_seqs:count>, #new-token: <new_tokens:count>, #cached-token: <found_tokens:count>",
        r"(?<!swa )token usage: <cache_share>",
    ),
    # NVIDIA/TensorRT-LLM issues 1400, 2268 and 2398, triton-inference-server/tutorials pull 150: versions of 2024 and 2025.
    *_rules(
        TENSORRT,
        r"Allocated <kv_bytes:size> for max tokens in paged KV cache \(<kv_tokens:count>\)",
        r"Allocate <kv_bytes:count> bytes for k/v cache",
        r"Using <kv_tokens:count> tokens in paged KV cache",
        r"Number of tokens per block: <block_size:count>",
        r"\bprimary blocks=<n_blocks:count>",
        r"KV cache primary pool: <n_blocks:count>",
        r"(?:TRTGptModel maxSequenceLen: |\[TRT-LLM\] \[I\] max_seq_len=)<n_ctx:count>",  # issue 6294
        # trtllm-bench: pulls 7104 and 9459.
        r"^Model:\s{1,40}<model:text>",
        r"^Dtype:\s{1,40}<dtype:word>",
        r"^KV Cache Dtype:\s{1,40}<kv_dtype:word>",
        r"^Quantization:\s{1,40}<quantization:word>",
        r"^TP Size:\s{1,40}<n_devices:count>",
        r"^PP Size:\s{1,40}<n_stages:count>",
        r"^Number of requests:\s{1,40}<n_requests:count>",
        r"^Number of concurrent requests:\s{1,40}<mean_at_once>",
        r"^Average Input Length \(tokens\):\s{1,40}<mean_input>",
        r"^Average Output Length \(tokens\):\s{1,40}<mean_output>",
        r"^Total Output Throughput \(tokens/sec\):\s{1,40}<answer_rate>",
        r"Loaded engine size: <engine_bytes:size>",
    ),
    # huggingface/text-generation-inference issues 653 and 832. What it prints of its cache may be what was asked for: no capacity.
    *_rules(
        TGI,
        r"Setting max batch total tokens to <batch_tokens:count>",
        r"(?:\{ model_id: |text-generation-launcher .{0,200}?--model-id[= ])<model:text>",  # its command: issue 1692
        r"Not enough memory to handle <refused_tokens:count> total tokens",  # issue 710
        r"(?:\bnum_shard: Some\(|--num-shard[= ])<n_devices:count>",
        r"(?:\bmax_total_tokens: (?:Some\()?|--max-total-tokens[= ])<n_ctx:count>",
    ),
    # ollama/ollama issues 9181 and 5913: what it plans before it loads, more than a file has.
    *_rules(
        OLLAMA,
        r"memory\.required\.kv=\"<planned_cache:size>",
        r"memory\.weights\.total=\"<planned_weights:size>",
        r"msg=\"model weights\" (?:buffer|device)=\w{1,20} size=\"<buffer_bytes:size>",  # pull 11090: its own engine
        r"\barchitecture=<arch:word> file_type=",
        r"msg=\"kv cache\" device=\w{1,20} size=\"<cache_part:size>",  # issue 12027
        r"ollama.{0,300}? --ctx-size <n_ctx:count>(?:.{0,200}? --parallel <n_seq:count>)?",
    ),
    # github.com/vllm-project/vllm pulls 18566, 23867 and 43276 (text and arguments), benchmarks/benchmark_serving.py (its JSON);
    # sgl-project/sglang issues 8285 and 12389: the benchmark that SGLang took over from it.
    *_rules(
        BENCH,
        r"Successful requests:\s{1,60}<n_requests:count>",
        r"Benchmark duration \(s\):\s{1,60}<duration_s>",
        r"Total input tokens:\s{1,60}<n_input:count>",
        r"Total generated tokens:\s{1,60}<n_output:count>",
        r"Mean TTFT \(ms\):\s{1,60}<ttft_ms>",
        r"Mean TPOT \(ms\):\s{1,60}<tpot_ms>",
        r"Mean ITL \(ms\):\s{1,60}<itl_ms>",
        r"Max(?:imum)? request concurrency:\s{1,60}<n_at_most:count>",
        r"Output token throughput \(tok/s\):\s{1,60}<answer_rate>",
        r'"output_throughput": ?<answer_rate>',
        r"Peak concurrent requests:\s{1,60}<n_peak>",
        r"Median TTFT \(ms\):\s{1,60}<ttft_median>",
        r"P99 TTFT \(ms\):\s{1,60}<ttft_p99>",
        r"Median TPOT \(ms\):\s{1,60}<tpot_median>",
        r"P99 TPOT \(ms\):\s{1,60}<tpot_p99>",
        r"Median ITL \(ms\):\s{1,60}<itl_median>",
        r"P99 ITL \(ms\):\s{1,60}<itl_p99>",
        r'"max_concurrency": ?<n_at_most:count>',
        r'"median_ttft_ms": ?<ttft_median>',
        r'"p99_ttft_ms": ?<ttft_p99>',
        r'"median_tpot_ms": ?<tpot_median>',
        r'"p99_tpot_ms": ?<tpot_p99>',
        r'"completed": ?<n_requests:count>',
        r'"duration": ?<duration_s>',
        r'"total_input_tokens": ?<n_input:count>',
        r'"total_output_tokens": ?<n_output:count>',
        r'"mean_ttft_ms": ?<ttft_ms>',
        r'"mean_tpot_ms": ?<tpot_ms>',
        r'"mean_itl_ms": ?<itl_ms>',
        r'"model_id": ?<model:text>',
        r"(?<!config: )\bmodel=<model:text>', tokenizer=",
        r"vllm bench .{0,200}?--model[= ]{1,4}<model:text>",  # vllm pull 33743
    ),
)
