"""Lines that servers printed, each with the public thread or file that shows its form."""

CONFIG = (
    "Initializing an LLM engine (v0.8.1) with config: model='meta-llama/Llama-2-7b-chat-hf', speculative_config=None, "
    "tokenizer='meta-llama/Llama-2-7b-chat-hf', dtype=torch.float16, max_seq_len=4096, download_dir=None, load_format=auto, "
    "tensor_parallel_size=1, pipeline_parallel_size=1, disable_custom_all_reduce=False, quantization=None, enforce_eager=False, "
    "kv_cache_dtype=auto,  device_config=cuda"
)  # the fields and their order: huggingface/trl pull 3310, vllm-project/vllm issue 22265
MEMORY = (
    "\nmodel_runner.py:1115] Model loading took 12.5523 GB and 3.4 seconds\n"
    "worker.py:267] the current vLLM instance can use total_gpu_memory (79.19GiB) x gpu_memory_utilization (0.90) = 71.27GiB\n"
    "model weights take 12.55GiB; non_torch_memory takes 0.09GiB; PyTorch activation peak memory takes 1.16GiB; the rest of the "
    "memory reserved for KV Cache is 56.18GiB.\nexecutor_base.py:111] # cuda blocks: 7191, # CPU blocks: 512\n"
    "executor_base.py:116] Maximum concurrency for 4096 tokens per request: 28.09x"
)
INFO = """print_info: file size   = 18.48 GiB (4.85 BPW)
print_info: arch             = qwen2
print_info: n_ctx_train      = 131072
print_info: n_embd           = 5120
print_info: n_layer          = 64
print_info: n_head           = 40
print_info: n_head_kv        = 8
print_info: n_swa            = 0
print_info: n_embd_head_k    = 128
print_info: n_embd_k_gqa     = 1024
print_info: n_embd_v_gqa     = 1024
print_info: n_ff             = 27648
print_info: n_expert         = 0
print_info: model params     = 32.76 B
print_info: general.name     = DeepSeek R1 Distill Qwen 32B
print_info: n_vocab          = 152064
  Device 0: NVIDIA GeForce RTX 4090, compute capability 8.9, VMM: yes
"""  # ollama/ollama issue 9595, without the lines that are not read
CACHE = "llama_kv_cache: size = 1024.00 MiB (  4096 cells,  64 layers,  1/1 seqs), K (f16):  512.00 MiB, V (f16):  512.00 MiB"
# github.com/ggml-org/llama.cpp pull 16095 names Qwen3-Next so; a Qwen3.5 of 32 layers prints these two lines for 8 and 24 of them.
HYBRID = """print_info: arch = qwen35
print_info: n_layer = 32
print_info: n_embd_k_gqa = 1024
print_info: n_embd_v_gqa = 1024
llama_kv_cache: size = 4224.00 MiB (135168 cells, 8 layers, 4/1 seqs), K (f16): 2112.00 MiB, V (f16): 2112.00 MiB
llama_memory_recurrent: size = 201.00 MiB (4 cells, 32 layers, 4 seqs), R (f32): 9.00 MiB, S (f32): 192.00 MiB"""
HEADING = "============ Serving Benchmark Result ============\n"  # of vllm bench serve and sglang.bench_serving
