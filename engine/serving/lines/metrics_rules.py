"""Which counters of a server's page /metrics are read: those of vLLM, SGLang and llama.cpp's server."""

from engine.serving.lines.rule import LLAMA_CPP, SGLANG, VLLM, rules


def _counter(name: str, caught: str) -> str:
    """A counter with its labels, if it has any; some that pass it on have no colon in names (smg-project/smg pull 813)."""
    return rf"^{name}(?:\{{.{{0,300}}?\}})? <{caught}>"


OF_BOTH = {  # vllm-project/production-stack issues 318 and 617, IBM/vllm pull 18; sgl-project/sglang pull 1853
    "prompt_tokens_total": "done_prompt", "generation_tokens_total": "done_answer",
    # Sums over requests, and how many: their mean is one over the other (vllm issue 8819)
    "time_to_first_token_seconds_sum": "ttft_sum", "time_to_first_token_seconds_count": "ttft_count",
    "e2e_request_latency_seconds_sum": "request_sum", "e2e_request_latency_seconds_count": "request_count",
    "num_requests_running": "n_now", "num_requests_waiting": "n_waiting",  # SGLang’s of 2024: sglang pull 1461
}  # fmt: skip
OF_VLLM = {
    "num_preemptions_total": "n_preempted", "(?:gpu|kv)_cache_usage_perc": "cache_share", "request_success_total": "n_finished",
    "(?:gpu_)?prefix_cache_queries_total": "asked_tokens", "(?:gpu_)?prefix_cache_hits_total": "hit_tokens",
}  # fmt: skip
OF_SGLANG = {  # docs/references/production_metrics.md in sgl-project/sglang
    "num_running_reqs": "n_now", "num_queue_reqs": "n_waiting", "token_usage": "cache_share", "gen_throughput": "answer_rate",
    "max_total_num_tokens": "kv_tokens", "context_len": "n_ctx", "max_running_requests": "n_at_most", "cache_hit_rate": "found_share",
}  # fmt: skip
OF_LLAMA_CPP = {  # tools/server/README.md in ggml-org/llama.cpp
    "prompt_tokens_total": "done_prompt", "tokens_predicted_total": "done_answer", "prompt_tokens_seconds": "prompt_rate",
    "predicted_tokens_seconds": "answer_rate", "requests_processing": "n_now", "requests_deferred": "n_waiting",
}  # fmt: skip
METRICS_RULES = (
    *(rule
    for program, prefix, counters in ((VLLM, "vllm", OF_VLLM | OF_BOTH), (SGLANG, "sglang", OF_SGLANG | OF_BOTH),
                                      (LLAMA_CPP, "llamacpp", OF_LLAMA_CPP))
    for rule in rules(
        program,
        *(_counter(f"{prefix}[:_]{name}", caught) for name, caught in counters.items()),
        rf"^{prefix}[:_]\w{{1,60}}\{{.{{0,200}}?\b(?:model_)?name=<model:text>",
    )),
)  # fmt: skip
