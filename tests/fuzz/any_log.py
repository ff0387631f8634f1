"""Logs with any numbers in the lines that are read: 0, fractions, and what no server has."""

import re

from hypothesis import strategies as st

from engine.serving.lines.metrics_rules import OF_BOTH, OF_LLAMA_CPP, OF_SGLANG

LINES = """msg="inference compute" library=CUDA name=CUDA0 description="NVIDIA A10" total="{} GiB"
Avg time/tok:149.4 ms, Running: {} reqs
Avg Draft acceptance rate: {}%, SpecDecoding metrics: Mean acceptance length: {}
Processed prompts: 100%|x| 9/9 [00:05<00:00,  1.73it/s, est. speed input: {} toks/s, output: {} toks/s]
INFO 05-15 10:52:40 [arg_utils.py:1623] Setting max_num_seqs to {} for OPENAI_API_SERVER
Chunked prefill is enabled with max_num_batched_tokens={}.
Prefill. latency: 0.02265 s, throughput:   {} token/s
Decode.  median latency: 0.00585 s, median throughput:    {} token/s
Total. latency:  0.076 s, throughput:    {} token/s
model='a/b' tokenizer=None tokenizer_mode='auto' skip_tokenizer_init=False max_batch_size={}
text_generation_launcher: Default `max_batch_prefill_tokens` to {}
text_generation_router: total_time="{}s" validation_time="1.9ms" time_per_token="{}ms"
qwen3:8b    500a1f067a9f    6.0 GB    100% GPU     {}
= PERFORMANCE OVERVIEW
Request Throughput (req/sec):                     {}
text_generation_launcher: Default `max_total_tokens` to {}
text_generation_launcher: Sharding model on {} processes
"model_path": "a/b", "tp_size": {}, "pp_size": {}, "dp_size": {}, "enable_dp_attention": true, "dtype": "auto", "quantization": null,
"kv_cache_dtype": "auto", "weight": {}, "kvcache": {}, "token_capacity": {}
Average request latency (ms):                     {}
[2026-09-11 23:34:03] server_args={{'model_path': 'x', 'tp_size': {}, 'mem_fraction_static': {}, 'page_size': {}}}
[2026-09-11 23:34:02] Auto-detected DSV4 routed-expert layout: is_fp4_experts=True
[2026-09-11 23:34:02 TP0] Preparing DSv4 MXFP4 experts for layer {}
[2026-10-10 11:53:57] Detected mixed checkpoint layout: routed experts are MXFP4.
[2026-10-10 11:54:07] Load weight begin. quant_method=Mxfp4MarlinMoEMethod, avail mem={} GB
SWAKVPool mem usage: {} GB, swa size: {}, full size: {}
time=2026-05-09T10:33:52.782Z level=INFO source=ggml.go:136 msg="" architecture=x file_type=unknown name=Qwen3.6-{}B description=""
# GPU blocks: {}, # CPU blocks: 1
GPU KV cache size: {} tokens
[TensorRT-LLM][INFO] Max tokens in paged KV cache: {}. Allocating {} bytes.
Initial free memory 31.16 GiB, reserved {} GiB memory for KV Cache as specified by kv_cache_memory_bytes config
# GPU blocks: -1, # CPU blocks: 512
Config file not found at configs/E=256,N={},device_name=NVIDIA_H20,dtype=int4_w4a16.json
Maximum concurrency for {} tokens per request: {}x
Available KV cache memory: {} GiB
Memory profiling results: kv_cache_size={}GiB
the rest of the memory reserved for KV Cache is {}GiB
the rest of the memory reserved for KV Cache is -{}GiB.
Use sliding window memory pool. full_layer_tokens={}, swa_layer_tokens={}
llama_memory_breakdown_print: |   - CUDA0 (GTX 1080)   |  {} =  {} + (6064 =  {} +     {} +    {}) +        1119 |
runner.name=registry.ollama.ai/library/qwen2.5:32b runner.size="{} GiB" runner.vram="{} GiB" runner.parallel={} runner.num_ctx={}
[BENCHMARK] world_size {} num_heads 40
vllm serve x --max-model-len 32K
[TensorRT-LLM][INFO] [MemUsageChange] Allocated {} MiB for execution context memory.
[TensorRT-LLM][INFO] TRTGptModel maxInputLen: {} = min(maxSequenceLen - 1, maxNumTokens)
Capture target verify CUDA graph end. elapsed=3.00 s, mem usage={} GB, avail mem=6.67 GB.
Load weight end. elapsed=12.25 s, type=DFlashLagunaForCausalLM, avail mem=46.25 GB, mem usage={} GB.
Capture cuda graph end. Time elapsed: 11.35 s. mem usage={} GB. avail mem=11.22 GB.
    architecture        qwen3
    parameters          {}B
    context length      {}
    embedding length    {}
    quantization        Q4_K_M
ollama show qwen3
FlashMLA only supports a page_size of 64, change page_size to {}.
Setting page size to {}.
max_total_tokens=1 is larger than the profiled value {}. Use the profiled value instead.
max_total_tokens=1 is larger than the profiled value -561981. Use the profiled value instead.
text-generation-launcher --model-id x/y --num-shard {}
ggml_cuda_init: found {} ROCm devices (Total VRAM: {} MiB):
Free memory on device ({}/{} GiB) on startup is less than desired GPU memory utilization ({}, 71 GiB)
print_info: file type   = Q4_K - Medium
python -m llama_cpp.server --n_ctx {} --n_batch {}
not enough space in the context's memory pool (needed {}, available {})
memory.required.partial="{} GiB"
library=cuda available="[{} GiB]" before.free="1 GiB" now.free="{} GiB" now.used="{} MiB"
Mamba Cache is allocated. max_mamba_cache_size: {}, conv_state size: {}GB, ssm_state size: {}GB
max seq len ({}), ({} GiB KV cache is needed, which is larger than the available KV cache memory ({} GiB)
To serve at least one request with the model's max seq len ({}),
{} GiB KV cache is needed, which is larger than the available KV cache memory ({} GiB).
Based on the available memory, the estimated maximum model length is {}.
The model's max seq len ({}) is larger than the maximum number of tokens that can be stored in KV cache ({}).
the current vLLM instance can use total_gpu_memory ({}GiB) x gpu_memory_utilization ({}) = 71.27GiB
Avg prompt throughput: {} tokens/s, Avg generation throughput: {} tokens/s, Running: {} reqs, Waiting: {} reqs, GPU KV cache usage: {}%
Prefix cache hit rate: {}%
vllm:num_preemptions_total{{model_name="x"}} {}
vllm:kv_cache_usage_perc{{model_name="x"}} {}
vllm:num_requests_running{{model_name="x"}} {}
vllm:num_requests_waiting{{model_name="x"}} {}
Starting to load model x...
SpecDecoding metrics: Mean acceptance length: {}, Accepted
Model loading took {} GiB
Engine with config: model='Qwen/Qwen3-8B', dtype=torch.bfloat16, max_seq_len={}, tensor_parallel_size={}, pipeline_parallel_size={}
vllm serve x --tensor-parallel-size {} --pipeline-parallel-size {} --block-size {} --quantization fp8 --kv-cache-dtype fp8
python -m vllm.entrypoints.openai.api_server --model x
non-default args: {{'model': 'x', 'tensor_parallel_size': {}}}
by the cp_world_size {}
llama_kv_cache: size = {} MiB ( {} cells, {} layers, 1/1 seqs), K (f16): {} MiB, V (q8_0): {} MiB
llama_memory_recurrent: size = {} MiB ( {} cells, {} layers, 1 seqs), R (f32): {} MiB
KV self size = {} MiB, K (f16): {} MiB, V (f16): {} MiB
KV self size = {} MiB, c^KV (q8_0): {} MiB, kv^T: not used
CUDA0 model buffer size = {} MiB
llama_context: n_ctx = {}
perplexity: calculating perplexity over 561 chunks, n_ctx={}, batch_size=2048, n_seq=4
prompt eval time = {} ms / {} tokens
       eval time = {} ms / {} runs
print_info: arch = llama
print_info: general.name = Meta Llama 3.1 8B
print_info: n_layer = {}
print_info: n_embd = {}
print_info: n_head = {}
print_info: n_head_kv = {}
print_info: n_embd_head_k = {}
print_info: n_embd_k_gqa = {}
print_info: n_embd_v_gqa = {}
print_info: n_swa = {}
print_info: n_ff = {}
print_info: n_ff_exp = {}
print_info: n_expert = {}
print_info: n_expert_used = {}
print_info: n_vocab = {}
print_info: n_ctx_train = {}
print_info: model params = {} B
print_info: file size = {} GiB ({} BPW)
Device 0: NVIDIA A10, compute capability 8.6
picking default device: Apple M4 Max
KV Cache is allocated. #tokens: {}, K size: {} GB, V size: {} GB
KV Cache is allocated. dtype: torch.bfloat16, #tokens: {}, KV size: {} GB
KV Cache is allocated. K size: {} GB, V size: {} GB.
Prefill. latency: {} s, throughput:   8.00 token/s
Decode.  median latency: {} ms, median throughput:    {} token/s
max_total_num_tokens={}, context_len={}
Decode batch. #running-req: {}, #token: {}, accept len: {}, gen throughput (token/s): {}
python -m sglang.launch_server --model-path x --tp-size {}
server_args=ServerArgs(model_path='x', quantization=None, quantization_param_path=None, kv_cache_dtype='auto', tp_size={}, \
pp_size={}, enable_dp_attention=True)
Load weight end. type=X, dtype=torch.bfloat16, avail mem=1 GB, mem usage={} GB.
Load weight end. elapsed=1 s, type=X, quant=awq, bits={}, avail mem=1 GB, mem usage={} GB.
Using KV cache dtype: torch.bfloat16
Prefill batch, #new-seq: {}, #new-token: {}, #cached-token: {}, token usage: {}, #running-req: 1
[MemUsageChange] Allocated {} GiB for max tokens in paged KV cache ({}).
Allocate {} bytes for k/v cache.
Using {} tokens in paged KV cache.
Max KV cache blocks per sequence: 65, tokens per block=32, primary blocks={}
Number of tokens per block: {}.
Number of blocks in KV cache primary pool: {}
TRTGptModel maxSequenceLen: {}
Loaded engine size: {} MiB
Setting max batch total tokens to {}
INFO text_generation_launcher: KV-cache blocks: {}, size: {}
INFO 06-03 07:40:36 [t.py:7] Memory statistics | total_hbm_limit_gb={}GiB | total_hbm_used_gb={}GiB | total_hbm_avail_gb={}GiB
[BENCHMARK] model_name x world_size 1 batch_size {} x 1.0 input_length {} output_length {} x 13.99 tokens_per_sec {} latency(ms) {} x
RuntimeError: CUDA error: out of memory
ggml_backend_cuda_buffer_type_alloc_buffer: allocating {} MiB on device 0: cudaMalloc failed: out of memory
memory.available="[1 GiB {} GiB 2 GiB 3 GiB 4 GiB 5 GiB 6 GiB {} GiB]" memory.required.full="{} GiB"
cmd="/usr/bin/ollama runner --model /var/lib/ollama/models/blobs/sha256-dde5aa3fc5ffc171 --ctx-size {} --parallel 1"
llama_model_loader: loaded meta data with 24 key-value pairs and 147 tensors from /var/lib/ollama/models/blobs/sha256-dde5aa3fc5ffc171
Maximum total tokens defaulted to {}
Maximum input tokens defaulted to {}
Not enough memory to handle {} total tokens with 2 prefill tokens
msg="model weights" buffer=CUDA0 size="{} GiB"
msg="compute graph" backend=CUDA0 buffer_type=CUDA0 size="{} MiB"
Estimated CUDA graph memory: {} GiB total
[TensorRT-LLM][INFO] MPI size: {}, rank: 0
Using {} total tokens in paged KV cache, beam_width (1) * tokensPerBlock ({}) * maxBlocksPerSeq (272)
max_num_seqs ({}) exceeds available Mamba cache blocks ({}).
new fill batch. #seq: {}. #cached_token: {}. #new_token: {}. #remaining_req: 4. #running_req: {}. tree_cache_hit_rate: {}%.
Tried to allocate {} GiB.
GPU 0 has a total capacity of {} GiB of which {} GiB is free.
[cublas] total VRAM used: {} MB
architecture=x file_type=Q8_0
msg="kv cache" device=CUDA0 size="{} MiB"
[TRT-LLM] [I] max_seq_len={}, max_num_requests=4096
TP Size:                {}
PP Size:                {}
Prefill batch, #new-seq: 1, #running-req: {}, #queue-req: {}, input throughput (token/s): {}
kv_size = {}, offload = 1, type_k = 'f16', type_v = 'f16', n_layer = 61
using device CUDA0 (NVIDIA GeForce RTX 4090) - 1 MiB free
text_generation_launcher: Args {{ model_id: "x", revision: None, num_shard: Some({}), quantize: None, max_total_tokens: {} }}
memory.required.kv="{} GiB" memory.weights.total="{} GiB"
starting llama server cmd="/tmp/ollama_llama_server --model x --ctx-size {} --parallel 1"
============ Serving Benchmark Result ============
Maximum request concurrency: {}
Median TTFT (ms): {}
P99 TTFT (ms): {}
Median TPOT (ms): {}
P99 TPOT (ms): {}
Median ITL (ms): {}
P99 ITL (ms): {}
vllm bench serve --model x
Peak concurrent requests: {}
Output token throughput (tok/s): {}
Successful requests: {}
Benchmark duration (s): {}
Total input tokens: {}
Total generated tokens: {}
Mean TTFT (ms): {}
Mean TPOT (ms): {}
Mean ITL (ms): {}
Current kv cache memory in use is {} GiB.
Process 1 has {} GiB memory in use
Tried to allocate {} MiB (GPU 0; {} GiB total capacity; 9.85 GiB already allocated; {} MiB free; 9.86 GiB reserved
- kv   5: qwen3.attention.key_length u32              = {}
- kv   5: qwen3.attention.sliding_window u32              = {}
- kv   5: qwen3.vocab_size u32              = {}
Setting attention block size to {} tokens
TensorRT-managed allocation in IExecutionContext creation: CPU +0, GPU +0, now: CPU 0, GPU {} (MiB)
Using max model len {}
User-specified max_model_len ({}) is greater than the derived max_model_len (x
LLM("x")
python -m sglang.launch_server --model-path x --enable-dp-attention
max seq len ({}) is larger than the maximum number of
tokens that can be stored in KV cache ({}). Try
Memory usage when calculating max tokens in paged kv cache: total: {} GiB, available: {} GiB
Max Runtime Batch Size: {}
Max Runtime Tokens:     {}
python benchmarks/benchmark_serving.py --backend vllm --model x
offloaded {}/{} layers to GPU
{{"prompt_n": {}, "prompt_ms": {}, "predicted_n": {}, "predicted_ms": {}}}
msg="inference compute" library=cuda name="NVIDIA GeForce RTX 4090" total="{} GiB"
{{"prompt_eval_count": {}, "prompt_eval_duration": {}, "eval_count": {}, "eval_duration": {}}}
INFO api_server.py:496] args: Namespace(host='127.0.0.1', model='x', task='auto')
vllm:prompt_tokens_total{{model_name="x"}} {}
vllm:generation_tokens_total{{model_name="x"}} {}
Free memory on device (1.0/{} GiB) on startup. Desired GPU memory utilization is ({}, 1 GiB). Actual usage: {} GiB for weights, \
{} GiB for peak activation, {} GiB for CUDAGraph memory
TRTGptModel maxBatchSize: {}
TRTGptModel maxNumTokens: {}
PyTorch activation peak memory takes {}GiB; Graph capturing finished in 2 secs, took {} GiB
python -m sglang.launch_server --model-path x --context-length {} --max-running-requests {}
python -m sglang.bench_serving --model x
Memory pool end. avail mem={} GB
llama-server -m x.gguf -c {} -ctk q8_0 -ctv q8_0
library=cuda parallel=1 required="{} GiB" gpus=2
docker run vllm/vllm-openai:latest x
trtllm-bench -m x throughput --tp {}
- kv   5: llama.expert_count u32              = {}
- kv   5: llama.expert_used_count u32              = {}
CUDA0 RS buffer size = {} MiB CUDA_Host output buffer size = {} MiB n_seq_max = {} n_ubatch = {}
new prompt, n_ctx_slot = {}, n_prompt_tokens = {} | cached n_tokens = {}
print_info: n_head_kv = [{}, {}]
failed to allocate CUDA0 buffer of size {}: failed to create context with model 'x.gguf' (4096) < n_ctx_train ({}), n_kv_max = {}
total duration: {}s
{{"total_duration": {}}} Parallel:{} BatchSize:{} KvSize:{} KvCacheType:q8_0 msg="gpu memory" id=0 free="{} GiB"
vllm serve --tensor-parallel-size 2 a/x
Used {}MB of VRAM, total time = {} ms
    Device 0:  {} MiB
vllm serve x --max-num-seqs {} --gpu-memory-utilization {} --block-size {} --max-model-len {}
python -m vllm.entrypoints.openai.api_server -tp {} -pp {}
non-default args: {{'quantization': 'fp8', 'kv_cache_dtype': 'fp8'}}
vllm:prefix_cache_queries_total{{model_name="x"}} {}
vllm:prefix_cache_hits_total{{model_name="x"}} {}
CUDA0 KV buffer size = {} MiB
CUDA0 compute buffer size = {} MiB
slot print_timing: id 0 | task 1 | n_decoded = {}, tg = {} t/s
draft acceptance = {} (
- kv   0: general.architecture str              = llama
- kv   1: general.name str              = Llama
- kv   5: qwen3.block_count u32              = {}
- kv   5: qwen3.context_length u32              = {}
- kv   5: qwen3.embedding_length u32              = {}
- kv   5: qwen3.feed_forward_length u32              = {}
- kv   5: qwen3.attention.head_count u32              = {}
- kv   5: qwen3.attention.head_count_kv u32              = {}
- kv   5: tokenizer.ggml.tokens arr[str,{}]
memory.required.full="{} GiB"
msg="total memory" size="{} GiB"
msg="offloaded {}/{} layers to GPU"
Mean E2E Latency (ms): {}
Request throughput (req/s): {}
Input token throughput (tok/s): {}
Total token throughput (tok/s): {}
Peak output token throughput (tok/s): {}
Failed requests: {}
Traffic request rate: {}
Concurrency: {}
Accept length: {}
| qwen2 7B Q8_0 | {} GiB | {} B | CUDA | pp{} | {} ± 0.01 |
| qwen2 7B Q8_0 | {} GiB | {} B | CUDA | tg{} @ d{} | {} ± 0.01 |
command: /models/x --gpu-memory-utilization {}
python -m sglang.launch_server --model-path x --mem-fraction-static {}
server_args=ServerArgs(model_path='x', mem_fraction_static={})
Args {{ model_id: "x", num_shard: Some({}), quantize: Some(awq) }}
prompt processing, n_tokens = {}, progress = 1.00, t = 8.36 s / {} tokens per second
llama_model_load_internal: mem required  = {} MB (+ 1026.00 MB per state)
ggml_vulkan: 0 = AMD Radeon RX 7900 XTX (RADV NAVI31) (radv) | uma: 0
Vulkan0: AMD Radeon RX 6600M | uma: 0
slot   load_model: id  0 | task -1 | new slot, n_ctx = {}
msg="offload to cuda" layers.model={} layers.offload={} memory.available="[{} GiB]" memory.graph.full="{} MiB"
genai-perf profile -m x --streaming
aiperf profile --model x
ValueError: Loaded weights leave no GPU memory. Raise --mem-fraction-static above {}
- CUDA0   : NVIDIA GeForce RTX 3090 ({} MiB, {} MiB free)
srv    load_model: loading model '/data/x.gguf'
srv    load_model: initializing, n_slots = {}, n_ctx_slot = {}, kv_unified = 'false'
llama.cpp: loading model from models/7B/ggml-model-q4_0.bin
loaded meta data with 16 key-value pairs and 723 tensors from ./x.gguf (version
allocating {} MiB on device 1: cudaMalloc failed: out of memory
vllm serve   /x/y --port 1
ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization`
RuntimeError: Not enough memory. Please try to increase --mem-fraction-static.
msg="System detected GPUs:" gpus="[NVIDIA GeForce RTX 3060]"
encoded   {} tokens in    0.514 seconds, speed:   {} t/s
decoded  {} tokens in   34.412 seconds, speed:   {} t/s
accept    = {}%
llama_kv_cache_init: layer 1: n_embd_k_gqa = {}, n_embd_v_gqa = {}
python -m sglang.bench_one_batch --model-path x --batch-size {} --input-len {} --output-len {}
server_args=ServerArgs(pp_size={})
| llama 34B Q8_0 |  {} GiB |    {} B | CUDA       |  99 | pp {}       |     {} ± 0.28 |
trtllm-build --checkpoint_dir x --max_input_len {} --max_output_len {} --max_batch_size {} --max_num_tokens {} --max_seq_len {}
[BENCHMARK] batch_size {} input_length {} output_length {} latency(ms) {}
llama-server -hf x/y
ollama run x
Acceptance rate (%):                     {}
Acceptance length:                       {}
- kv   5: qwen3.attention.value_length u32              = {}
- kv   5: qwen3.expert_feed_forward_length u32              = {}
print_info: n_embd_head_v = {}
vllm serve x --data-parallel-size {} --dp-size {} -dp {}
Throughput: 1 requests/s, {} total tokens/s, {} output tokens/s
llama_model_load: memory_size = {} MB, n_mem = 1
llama_model_load: model size = {} MB / num tensors = 1
llama_kv_cache_init: layer 0: n_embd_head_qk_rope = {}, kv_lora_rank = {}
new slot id_slot=0 n_ctx_slot={}
| 0| [level_zero:gpu:0]|   Intel UHD Graphics 730|  12.2|
total time = {} ms / {} tokens
draft acceptance = 0.9 ( 1 accepted / 2 generated), mean len = {}
memory reporting free: {} total: {}
llama-server -np {} -c 9
trtllm-serve serve x --max_batch_size {} --tp_size 1
vllm bench serve --random-input-len {} --random-output-len {} --num-prompts {} --max-concurrency {} --request-rate {}""".splitlines() + [
    f'{program}:{name}{{{{model_name="x"}}}} {{}}'
    for program, names in (
        ("vllm", ("prefix_cache_queries_total", "prefix_cache_hits_total", "num_preemptions_total", "request_success_total",
                  "kv_cache_usage_perc", *OF_BOTH)),
        ("sglang", (*OF_SGLANG, *OF_BOTH)), ("llamacpp", OF_LLAMA_CPP),
    )
    for name in names
] + [
    f"{share} {what} (ms): {{}}" for share in ("Median", "P90", "P95", "P99")
    for what in ("TTFT", "TPOT", "ITL", "E2EL")
] + [
    f'"{share}_{what}_ms": {{}}' for share in ("median", "p90", "p95", "p99") for what in ("ttft", "tpot", "itl")
]  # fmt: skip
NUMBERS = st.one_of(
    st.sampled_from(["0", "0.0", "0.5", "1", "1.000000000001", "16", "4,096", "99999999999999999999", "9" * 40, "1e9", "-1", "nan", ""]),
    st.integers(0, 2**41).map(str), st.integers(0, 10**7).map("{:,}".format), st.floats(0, 1e6).map("{:.2f}".format),
)  # fmt: skip


@st.composite
def logs(draw):
    """A few lines, or a program's or a benchmark's together, with any numbers in them."""
    first = draw(st.integers(0, len(LINES) - 1))
    lines = LINES[first : first + draw(st.integers(1, 12))] + draw(st.lists(st.sampled_from(LINES), max_size=6))
    return "\n".join(re.sub(r"\{\}", lambda _: draw(NUMBERS), line).replace("{{", "{").replace("}}", "}") for line in lines)
