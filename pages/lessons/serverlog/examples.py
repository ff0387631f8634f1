"""Logs that running servers printed, with the public thread that shows each, so that the lesson begins with one."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Example:
    """text: the lines as printed, shortened to those about memory and time. model: in our list, "" where it is not said."""

    name: str
    text: str
    source: str
    model: str = ""
    device: str = ""


EXAMPLES = {
    "one-card": Example(
        "vLLM: Llama-3.1-8B on one card",
        """Loading model weights took 14.9888 GB
Memory profiling results: total_gpu_memory=23.58GiB initial_memory_usage=15.34GiB peak_torch_memory=17.06GiB \
memory_usage_post_profile=15.35GiB non_torch_memory=0.35GiB kv_cache_size=3.81GiB gpu_memory_utilization=0.90
# GPU blocks: 1952, # CPU blocks: 2048
Maximum concurrency for 20000 tokens per request: 1.56x""",
        "github.com/vllm-project/vllm/issues/10517, an RTX 3090",
        "Llama-3.1-8B",
    ),
    "two-lines": Example(
        "vLLM: two lines that disagree",
        """GPU KV cache size: 290,864 tokens
Maximum concurrency for 32,768 tokens per request: 33.04x""",
        "github.com/vllm-project/vllm/issues/40691",
    ),
    "windows": Example(
        "vLLM: gpt-oss-120b",
        """Available KV cache memory: 5.38 GiB
GPU KV cache size: 78,384 tokens""",
        "a published start of vLLM with gpt-oss-120b",
        "gpt-oss-120b",
        "H100 SXM",
    ),
    "llama-cpp": Example(
        "llama.cpp: Llama-3.1-70B",
        "llama_kv_cache: size = 1280.00 MiB (  4096 cells,  80 layers,  1/1 seqs), K (f16):  640.00 MiB, V (f16):  640.00 MiB",
        "logged by llama.cpp for 4,096 cells",
        "Llama-3.1-70B",
    ),
    "bench": Example(
        "vLLM bench: 1,000 requests",
        """============ Serving Benchmark Result ============
Successful requests:                     1000
Benchmark duration (s):                  30.85
Total input tokens:                      229711
Total generated tokens:                  203068
Request throughput (req/s):              32.42
Mean TTFT (ms):                          9626.13
Mean TPOT (ms):                          77.86""",
        "github.com/vllm-project/vllm/pull/18566; its device is not named there, an H100 is our guess",
        "Llama-3.1-8B",
        "H100 SXM",
    ),
}
FIRST = "one-card"
