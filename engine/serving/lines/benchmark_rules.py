"""Which lines of a serving benchmark name its model; what it measured is read by its labels (measures.py)."""

from engine.serving.lines.rule import BENCH, OFFLINE, rules

BENCHMARK_RULES = (
    *rules(  # benchmark_throughput.py: vllm issue 12315 and pull 8914, in 2024 without the words
        OFFLINE, r"Throughput: [\d.]{1,12} requests/s, <total_rate> (?:total )?tokens/s(?:, <answer_rate> output tokens/s)?"
    ),
    *rules(
        BENCH,
        r'"duration": ?<duration_s>',  # github.com/vllm-project/vllm, benchmarks/benchmark_serving.py: its JSON has no unit
        r'"model_(?:id|repo)": ?(?!"id_)<model:text>',  # of a run, and of its model: tenstorrent/tt-inference-server issue 314
        r"\b(?i:rps|qps)\s?=\s?<asked_rate:count>",  # sglang pull 10027
    ),
)
