"""Which lines of a log are read: one pattern a statement (rule.py). Beside a group of rules stand public threads that show such lines.

Here those of vLLM, SGLang, TensorRT-LLM and TGI; llama_cpp_rules.py has llama.cpp's and ollama's, metrics_rules.py those of the page
/metrics. A rule is tried on lines of its program alone (whose.py). What a benchmark measured stands beneath its heading (benchmarks.py).
"""

from engine.serving.lines.llama_cpp_rules import LLAMA_CPP_RULES
from engine.serving.lines.metrics_rules import METRICS_RULES
from engine.serving.lines.rule import COMMAND, OFFLINE, SGLANG, TENSORRT, TGI, VLLM, rules

RULES = (
    # github.com/vllm-project/vllm: pulls 12569, 13596 and 40694 and issues 2418, 10517, 40691 (the cache, version by version), issue
    # 25350 (a length that does not fit), huggingface/trl pull 3310 and vllm issue 22265 (the engine's configuration in one line).
    *rules(
        VLLM,
        r"\b(?:GPU|CUDA|cuda|HPU|NPU|XPU) blocks: <n_blocks:count>",
        r"\bGPU blocks: (?P<no_room>-\d{1,9}\b)",  # vllm issue 184: in 2023
        r"\bdevice_name=(?:NVIDIA|AMD_Instinct)_(?P<device>[A-Z][\w-]{1,60})(?=[,.])",  # LMCache issue 503
        r"GPU KV cache size: <kv_tokens:count> tokens",
        r"Maximum concurrency for <n_ctx:count> tokens per request: <concurrency>x",
        r"Available KV cache memory: <kv_bytes:size>",
        r"\bkv_cache_size=<kv_bytes:size>",
        r"\breserved <kv_bytes:size> memory for KV Cache",  # issue 4 of SergiioB/intel-arc-pro-b70-…: as it was asked
        r"(?:reserved for KV Cache is |available_kv_cache_memory\s{1,8})<kv_bytes:size>",
        r"(?:reserved for KV Cache is|Available KV cache memory:) -<lacking_bytes:size>",  # vllm issue 13882, vllm-ascend issue 9372
        r"max seq len \(<n_ctx:count>\), \(?<needed_bytes:size> KV cach",  # issue 4 of SergiioB/intel-arc-pro-b70-…: cut by a terminal
        r"than the available KV cache memory \(<kv_bytes:size>\)",
        # What does not fit at the start: vllm pull 16168 and tpu-inference pull 223 (the estimate), vllm issue 2418 (before 2025).
        r"the estimated maximum model length is <fitting_ctx:count>",
        r"max seq len \(<n_ctx:count>\),\s{0,4}$",  # kaito-project/kaito issue 2132: wrapped
        r"^\W{0,8}<needed_bytes:size> KV cache is needed",  # eugr/spark-vllm-docker issue 396: quoted
        r"max seq len \(<n_ctx:count>\) is larger than the maximum number of(?: tokens that|\s{0,4}$)",
        r"tokens that can be (?P<refused>stored in KV cache) \(<kv_tokens:count>\)",  # gigagpu.com on this error: in two lines
        # vllm pull 10511: a table of them, for a few weeks of 2024.
        r"total_gpu_memory(?: ?[=(] ?|\s{2,8})<gpu_bytes:size>",
        r"gpu_memory_utilization(?:=| ?\( ?|\s{2,8})<usable>",
        # While it serves: vllm issues 19680, 15018 and 43295 (every ten seconds), 16832 and GAIR-NLP/LIMO issue 29 (preemption).
        r"Avg prompt throughput: <prompt_rate> tokens/s",
        r"Avg generation throughput: <answer_rate> tokens/s(?:, Running: <n_now:count> reqs)?",
        r"Avg Draft acceptance rate: <accepted_percent>%",
        r"Processed prompts: 100%.{0,200}?\best\. speed input: <prompt_rate> toks/s, output: <answer_rate> toks/s",
        r"\bAvg time/tok:\s?[\d.]{1,9} ms, Running: <n_now:count> reqs",  # early in 2024: issue 2731
        r"(?:Waiting|Pending): <n_waiting:count> reqs, (?:Deferred: \d{1,9} reqs, )?(?:GPU )?KV cache usage: <cache_percent>%",
        r"Prefix cache hit rate: (?:GPU: )?<found_percent>%",  # vllm issue 8719: V0
        r"SpecDecoding metrics: Mean acceptance length: <accept_len>",  # weicj/vLLM-2080Ti-Definitive issue 88
        r"(?:Loading model weights took|Model loading took|model weights take)\s{1,8}<weight_bytes:size>",
        r"\bcp_world_size <n_cut:count>",
        # Sandermage/genesis-vllm-patches issue 24, vllm issue 17169
        r"(?:Setting attention|Forcing kv cache) block size to <block_size:count>",
        r"User-specified max_model_len \(<asked_ctx:count>\) is greater than the derived",  # er0080/vllm-benchmarking: it does not start
        r"Using max model len <n_ctx:count>",  # vllm-gguf-plugin issue 101
        r", max_seq_len=<n_ctx:count>(?![\d,]{0,9}, opt_batch)",  # TensorRT-LLM’s build says so too
        r"\bwith config: model=<model:text>",
        r"\bvllm serve\s{1,8}(?!-)(?=\S{0,200}[\d/_.~-])<model:text>",
        r"\bvllm serve\s{1,8}-.{0,600}?(?:=\S{1,40}| [\w.]{1,20})\s{1,4}(?=\S{0,200}/)(?!-)<model:text>\s{0,4}$",  # issue 13061
        r"(?P<no_room>No available memory for the cache blocks)",  # QwenLM/Qwen3 issue 12
        r"\bvllm/vllm-openai[\w.:@-]{0,100} (?!-)<model:text>",  # vllm-project/recipes pull 476
        # vllm issue 51041: a list of arguments behind the model, of an image that starts `vllm serve`
        r"(?:command|args): (?=\S{0,200}/)(?!-)<model:text>(?= --(?:.{0,900}--)?"
        r"(?:max-model-len|gpu-memory-utilization|tensor-parallel-size|max-num-seqs|served-model-name))",
        r"api_server.{0,4000}? model=(?=['\"])<model:text>",  # vllm-project/aibrix issue 1154
        r"Starting to load model <model:text>\.\.\.",  # vllm issue 6746
        r"'model(?:_tag)?': <model:text>",
        r"max_num_seqs \(<n_at_most:count>\) exceeds available Mamba cache blocks \(<n_state:count>\)",  # kaito-project/kaito issue 2319
        # What memory goes to besides, and what is computed at once: vllm pull 14447, WeClone issue 101, vllm pull 15960.
        # In 2025 and 2026, in one line: vllm-ascend pull 8289.
        r"Free memory on device (?:\w{2,8}:\d{1,2} )?\((?=[\d.]{1,12}/[\d.]{1,12} (?P<free_bytes_unit>GiB))<free_bytes>/<gpu_bytes:size>\)",
        r"[Dd]esired GPU memory utilization (?:is )?\(<usable>,",  # kvcached issue 29: too little is free
        r"on startup is less than (?P<too_little_free>desired GPU memory utilization)",
        r"Current kv cache memory in use is <kv_bytes:size>",  # vllm issue 50722
        r"Actual usage(?: is|:) (?:<weight_bytes:size> for weight|<used_bytes:size> for consumed memory)",
        r"<peak_bytes:size> for peak activation",
        r"<graph_bytes:size> for (?:CUDA|NPU) ?[Gg]raph memory",
        r"PyTorch activation peak memory takes <peak_bytes:size>",
        r"Estimated CUDA graph memory: <graph_bytes:size>",  # issue 46462
        r"Graph capturing finished in \d{1,5} secs?, took <graph_bytes:size>",
        r"(?:\bLLM\(\s{0,4}|^\s{0,12}model\s?=\s?|\bLLM\(\s{0,4}model\s?=\s?)(?=['\"])<model:text>",
        r"Setting max_num_seqs to <n_at_most:count>",
        # tpu-inference issue 2803
        r"\btotal_hbm_limit_gb=<card_bytes:size> .{0,60}?used_gb=<used_bytes:size> \| total_hbm_avail_gb=<free_bytes:size>",
        r"Chunked prefill is enabled with max_num_batched_tokens=<batch_tokens:count>",
    ),
    # github.com/vllm-project/vllm issue 21348 (2025); python/sglang/srt/mem_cache/memory_pool.py (2026: the type comes first);
    # scheduler_metrics_mixin.py in sgl-project/sglang (a decode batch, with and without speculation), both 2025 and 2026.
    *rules(
        SGLANG,
        r"\bdevice_name=(?:NVIDIA|AMD_Instinct)_(?P<device>[A-Z][\w-]{1,60})(?=[,.])",  # the same warning as vLLM’s, of files of its own
        r"KV Cache is allocated\. (?:dtype: (?:torch\.)?<kv_dtype:word>, )?#tokens: <kv_tokens:count>"
        r"(?:, K size: <k_bytes:size>, V size: <v_bytes:size>|, KV size: <kv_bytes:size>)?",
        r"KV Cache is allocated\. K size: <k_bytes:size>, V size: <v_bytes:size>",  # its docs of January 2025
        r"larger than the profiled value <kv_tokens:count>",
        # what its kernels for latents set by themselves (server_args.py)
        r"\bchang(?:e|ing) page_size (?:from \S{1,9} )?to <block_size:count>",
        r"\bSetting page size to <block_size:count>",
        # What /get_server_info answers, in 2026: one of its keys in a line, or all in one
        r"\"model_path\": ?(?=\")<model:text>",
        r"\"tp_size\": ?<n_devices:count>",
        r"\"pp_size\": ?<n_stages:count>",
        r"\"dp_size\": ?<n_copies:count>",
        r"\"enable_dp_attention\": ?(?P<data_parallel>true)\b",
        r"\"token_capacity\": ?<kv_tokens:count>",
        r"\"weight\": ?(?P<weight_bytes_gib>\d{1,5}(?:\.\d{1,9})?)",
        r"\"kvcache\": ?(?P<kv_bytes_gib>\d{1,5}(?:\.\d{1,9})?)",
        r"\"dtype\": ?\"<dtype:word>\"",
        r"\"quantization\": ?\"?<quantization:word>",
        r"\"kv_cache_dtype\": ?\"<kv_dtype:word>\"",
        r"(?P<no_room>profiled value -\d{1,12})",  # issue 7691
        r"conv_state size: <conv_bytes:size>, ssm_state size: <ssm_bytes:size>",
        r"#running-req: <n_running:count>, #(?:full |gpu-)?token: <n_cached:count>",
        r"\baccept len: <accept_len>(?![\d./])",
        r"gen throughput \(token/s\): <tokens_per_s>",
        r"#queue-req: <n_waiting:count>",  # issue 11648: of prompts, or of answers
        # issues 19712, 26248 and 13202
        r"Prefill batch.{0,300}?#running-req: <n_now:count>",
        r"Prefill batch.{0,400}?input throughput \(token/s\): <prompt_rate>",
        r"(?P<no_room>Not enough memory\. Please try to increase --mem-fraction-static)",  # issue 322
        r"Raise --mem-fraction-static above <least_usable>",  # SemiAnalysisAI/InferenceX issue 2128: weights leave no room
        r"\b(?:avail[ _]mem|available_gpu_mem)=<free_bytes:size>",  # sglang pull 4826
        r"\bServerArgs\(model_path=<model:text>",
        r"\bserver_args=\{'model_path': (?=')<model:text>",  # in September 2026
        r"\bis_(?P<experts_as>fp4)_experts=True",
        r"Preparing \w{2,12} (?P<experts_as>(?:MX|NV)FP4) experts",
        r"\brouted experts are (?P<experts_as>\w{0,3}FP4)",  # inclusionAI/ling-cookbook
        r"\bquant_method=(?P<experts_as>(?:Mx|Nv)[Ff]p4)\w{0,30}M[Oo]EMethod",
        # of a model with windows: K and V of all its layers
        r"SWAKVPool mem usage: <cache_size:size>, swa size: <window_tokens:count>, full size: <full_tokens:count>",
        r"Load weight end\..{0,160}?mem usage=<weight_bytes:size>",
        r"Load weight end\..{0,120}?\bdtype=(?:torch\.)?<dtype:word>",
        r"Load weight end\..{0,120}?, quant=(?P<loaded_as>[\w-]{1,40})(?:, bits=<bits_a_weight:count>)?",  # AgentiviumAI/workflow-aware-…
        r"Capture (?:[\w-]{1,20} ){0,3}(?:cuda|CUDA|npu|NPU) graph end\..{0,60}?mem usage=<graph_bytes:size>",  # pull 12978
        r"(?:Using|Setting) KV cache dtype(?::| to) (?:torch\.)?<kv_dtype:word>",
        r"(?<!\S)(?P<data_parallel>--enable-dp-attention)\b",  # sglang issue 14365
        # sgl-project/sglang issues 393, 1612 and 36081: a batch of prompts, twice in 2024 and in 2026.
        r"new fill batch\. #seq: <new_seqs:count>\. #cached_token: <found_tokens:count>\. #new_token: <new_tokens:count>\.",
        r"#running_req: <n_now:count>\. tree_cache_hit_rate: <found_percent>%",
        r"Prefill batch.{0,15} #new-seq: <new_seqs:count>, #new-token: <new_tokens:count>, #cached-token: <found_tokens:count>",
        r"(?<!swa )(?<!cpu )token usage: <cache_share>",  # of main memory none: pull 22331
        # sglang.bench_one_batch: pulls 564 and 22416
        r"^Prefill\. latency: {1,4}(?P<one_prefill_ms>[\d.]{1,12}) (?P<one_prefill_ms_unit>m?s), throughput: {1,12}<prompt_rate> token/s"
        r"\s{0,9}$",
        r"^Decode\. {1,2}median latency: {1,4}(?P<one_decode_ms>[\d.]{1,12}) (?P<one_decode_ms_unit>m?s), "
        r"median throughput: {1,12}<answer_rate> token/s\s{0,9}$",
        r"^Total\. latency: {1,4}[\d.]{1,12} m?s, throughput: {1,12}<total_rate> token/s\s{0,9}$",
    ),
    # NVIDIA/TensorRT-LLM issues 1400, 2268 and 2398, triton-inference-server/tutorials pull 150: versions of 2024 and 2025.
    *rules(
        TENSORRT,
        r"Allocated <kv_bytes:size> for max tokens in paged KV cache \(<kv_tokens:count>\)",
        r"Allocate <kv_bytes:count> bytes for k/v cache",
        r"Max tokens in paged KV cache: <kv_tokens:count>\. Allocating <kv_bytes:count> bytes",  # tensorrtllm_backend issue 456
        r"Using <kv_tokens:count> (?:total )?tokens in paged KV cache",  # tensorrtllm_backend issue 366, with the next
        r"tokensPerBlock \(<block_size:count>\)",
        r"^model=<model:text>' tokenizer=",  # its arguments, as trtllm-serve prints them
        r"\bMPI size: <n_devices:count>",  # tensorrtllm_backend issue 396
        r"Number of tokens per block: <block_size:count>",
        r"\bprimary (?:blocks=|pool: )<n_blocks:count>(?:, secondary blocks=\d{1,12}, max sequence length=<n_ctx:count>)?",  # in 2025
        r"tokens in paged kv cache: total: <card_bytes:size>, available: <free_bytes:size>",  # issue 2268
        r"\btrtllm-serve (?:serve )?(?!-|serve )<model:text>",  # issue 7364
        r"^\s{0,12}TP Size:\s{1,40}<n_devices:count>",
        r"^\s{0,12}PP Size:\s{1,40}<n_stages:count>",
        r"^Max Runtime Batch Size:\s{1,40}<n_at_most:count>",
        r"^Max Runtime Tokens:\s{1,40}<batch_tokens:count>",
        r"Loaded engine size: <engine_bytes:size>",
        r"IExecutionContext creation: CPU \+\d{1,9}, GPU \+\d{1,9}, now: CPU \d{1,9}, GPU <used_bytes_mib:count> \(MiB\)",  # issue 260
        r"Allocated <compute_bytes:size> for execution context memory",  # tensorrtllm_backend issue 577
        r"\[BENCHMARK\].{0,90}? world_size <n_devices:count>",  # issue 1410
        # issues 264, 703 and 1761
        r"\[BENCHMARK\] .{0,300}?\bbatch_size <n_at_most:count> .{0,60}?input_length <mean_input:count> output_length <mean_output:count> ",
        r"\[BENCHMARK\] .{0,600}?\blatency\(ms\) <request_ms>",
        r"\[BENCHMARK\] .{0,600}?\btokens_per_sec <answer_rate>",
        r"\[BENCHMARK\] batch_size <n_at_most:count> input_length <mean_input:count> output_length <mean_output:count> "
        r"latency\(ms\) <request_ms>(?: tokensPerSec <answer_rate>)?",
    ),
    # huggingface/text-generation-inference issues 653 and 832. What it prints of its cache may be what was asked for: no capacity.
    *rules(
        TGI,
        r"Setting max batch total tokens to <batch_tokens:count>",
        r"KV-cache blocks: <n_blocks:count>, size: <block_size:count>",  # issue 2823
        r"(?:\{|^)\s{0,8}model_id: (?=\")<model:text>",  # in one line, or each in its own: issue 2822
        r"Default `max_batch_prefill_tokens` to <prefill_tokens:count>",
        r"Default `max_total_tokens` to <n_ctx:count>",
        r"Sharding model on <n_devices:count> processes",
        r"[Nn]ot enough memory to handle <refused_tokens:count> (?:total|prefill) tokens",  # issues 710 and 755
        r"\bmax_total_tokens: (?:Some\(\s{0,20})?<n_ctx:count>",
        r"\btotal_time=\"<request_ms:duration>\" validation_time=\"",  # of one answer: triton-inference-server/server issue 7395
        r"\btime_per_token=\"<tpot_ms:duration>\"",
        r"Maximum total tokens defaulted to <n_ctx:count>",
        r"Maximum input tokens defaulted to <most_input:count>",
    ),
    # What PyTorch prints in a log of any of them: vllm issues 188 and 42147.
    *rules(
        COMMAND,
        r"\(GPU \d; <card_bytes:size> total capacity; .{0,60}; <free_bytes:size> free;",
        r"Tried to allocate <asked_bytes:size>",
        r"\b(?P<ran_out>(?:CUDA|HIP|XPU|NPU)(?: error:)? out of memory)",  # vllm issue 19186
        r"cudaMalloc failed: (?P<ran_out>out of memory)",
        r"(?:this process|Process \d{1,9}) has (?!17179869184)<used_bytes:size> memory in use",  # of WSL's: less than 0, without a sign
        r"GPU.{0,20} has a total capaci?ty of <card_bytes:size> of which (?:<free_bytes:size>|0 bytes is free)",
    ),
    *LLAMA_CPP_RULES,
    *rules(  # benchmark_throughput.py: vllm issue 12315 and pull 8914, in 2024 without the words
        OFFLINE,
        r"^Throughput: <request_rate> requests/s, <total_rate> (?:total )?tokens/s(?:, <answer_rate> output tokens/s)?\s{0,9}$",
    ),
    *METRICS_RULES,
)
