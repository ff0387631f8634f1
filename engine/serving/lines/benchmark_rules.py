"""Which lines of a serving benchmark name its model; what it measured is read by its labels (measures.py)."""

from engine.serving.lines.rule import BENCH, rules, setting

BENCHMARK_RULES = (
    *rules(
        BENCH,
        r'"duration": ?<duration_s>',  # github.com/vllm-project/vllm, benchmarks/benchmark_serving.py: its JSON has no unit
        # benchmark_throughput.py: vllm issue 12315, in 2024 without the words
        r"Throughput: [\d.]{1,12} requests/s, <total_rate> (?:total )?tokens/s(?:, <answer_rate> output tokens/s)?",
        r'"model_id": ?<model:text>',
        r"vllm bench .{0,600}?--model[= ]{1,4}<model:text>",  # vllm pull 33743
        # What it is to send: vllm pulls 54628 and 52149
        setting("sharegpt-output-len", "mean_output:count"),
        setting("input-len", "mean_input:count"),
        setting("output-len", "mean_output:count"),
        r"\bbench_one_batch.{0,300}? --batch-size[= ]{1,4}<n_at_most:count>",  # sglang pull 29271
        setting("num-prompts", "asked_requests:count"),
        setting("max-concurrency", "n_at_most:count"),
        setting("request-rate", "asked_rate"),
        r"\b(?i:rps|qps)\s?=\s?<asked_rate:count>",  # sglang pull 10027
        r"\bgenai-perf .{0,300}?(?:-m|--model)[= ]{1,4}<model:text>",  # triton-inference-server/perf_analyzer issue 437
        r"\baiperf .{0,300}?(?:-m|--model)[= ]{1,4}<model:text>",
    ),
    *rules(
        BENCH,
        setting("random-input(?:-len)?", "mean_input:count"),
        setting("random-output(?:-len)?", "mean_output:count"),
        unless="dataset_name='sharegpt'",  # where they are printed all the same: sglang issue 7654
    ),
)
