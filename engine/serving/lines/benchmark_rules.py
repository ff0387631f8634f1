"""Which lines of a serving benchmark's result are read, as text and as JSON; tables are read in log_tables.py."""

from engine.serving.lines.rule import BENCH, rules

SHARES = {"Median": "median", "P90": "p90", "P95": "p95", "P99": "p99"}  # P90 and P95: vllm-project/vllm pull 7062

BENCHMARK_RULES = (
    # github.com/vllm-project/vllm pulls 18566, 23867 and 43276 (text and arguments), benchmarks/benchmark_serving.py (its JSON);
    # sgl-project/sglang issues 8285 and 12389: the benchmark that SGLang took over from it.
    *rules(
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
        # AI-Hypercomputer/JetStream pull 83: the unit behind the number.
        r"Benchmark duration: <duration_s> s\b",
        *(rf"Mean {what}: <{what.lower()}_ms> ms\b" for what in ("TTFT", "TPOT", "ITL")),
        *(
            rf"{printed} {what}: <{what.lower()}_{name}> ms\b"
            for printed, name in SHARES.items()
            for what in ("TTFT", "TPOT", "ITL")
        ),
        r"Request throughput: <request_rate> requests/s",
        r"Input token throughput: <prompt_rate> tokens/s",
        r"Output token throughput: <answer_rate> tokens/s",
        r"Peak concurrent requests:\s{1,60}<n_peak>",
        *(
            rf"{printed} {what} \(ms\):\s{{1,60}}<{what.lower()}_{name}>"
            for printed, name in SHARES.items()
            for what in ("TTFT", "TPOT", "ITL")
        ),
        *(rf"{printed} (?:E2EL|E2E Latency) \(ms\):\s{{1,60}}<request_{name}>" for printed, name in SHARES.items()),
        r"Mean (?:E2EL|E2E Latency) \(ms\):\s{1,60}<request_ms>",
        r"Request throughput \(req/s\):\s{1,60}<request_rate>",
        r"Input token throughput \(tok/s\):\s{1,60}<prompt_rate>",
        r"Total [Tt]oken throughput \(tok/s\):\s{1,60}<total_rate>",
        r"Peak output token throughput \(tok/s\):\s{1,60}<peak_rate>",
        r"Failed requests:\s{1,60}<n_failed:count>",
        r"(?:Traffic request rate|Request rate configured \(RPS\)):\s{1,60}<asked_rate>",
        r"^Concurrency:\s{1,60}<mean_at_once>",  # sglang pull 9812
        r"Accept length:\s{1,60}<accept_len>",
        r'"concurrency": ?<mean_at_once>',
        r'"mean_e2e(?:l|_latency)_ms": ?<request_ms>',
        r'"accept_length": ?<accept_len>',
        r'"request_throughput": ?<request_rate>',
        r'"total_token_throughput": ?<total_rate>',
        *(rf'"{name}_{what}_ms": ?<{what}_{name}>' for name in SHARES.values() for what in ("ttft", "tpot", "itl")),
        r'"max_concurrency": ?<n_at_most:count>',
        r'"completed": ?<n_requests:count>',
        r'"duration": ?<duration_s>',
        r'"total_input_tokens": ?<n_input:count>',
        r'"total_output_tokens": ?<n_output:count>',
        r'"mean_ttft_ms": ?<ttft_ms>',
        r'"mean_tpot_ms": ?<tpot_ms>',
        r'"mean_itl_ms": ?<itl_ms>',
        r'"model_id": ?<model:text>',
        r"benchmark_\w{2,40}\.py .{0,600}? --model[= ]{1,4}<model:text>",  # vllm pull 10880
        r"vllm bench .{0,600}?--model[= ]{1,4}<model:text>",  # vllm pull 33743
    ),
)
