"""The engine's whole toy pass, model and all, in microseconds: what every move of a slider costs before anything is drawn.

    python tests/benchmarks/engine.py

Bar: at most 100 µs for the article's four tokens and four heads. The best of several repeats, since only interruptions add to it.
"""

import sys
import timeit
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from engine import Scenario, prefill

MOST_US = 100
BIG = Scenario(
    [f"w{i}" for i in range(16)], range(16), ("even", "odd", "self", "previous", "first", "all", "window:3", "none"),
    w_vocab=[(0.1, 0.2, 0.3)] * 8,
)  # fmt: skip


def microseconds(scenario: Scenario, n: int = 500, repeats: int = 9) -> float:
    """The best mean time of one pass."""
    return 1e6 * min(timeit.repeat(lambda: prefill(scenario.model(), scenario.prompt_ids), number=n, repeat=repeats)) / n


if __name__ == "__main__":
    small, big = microseconds(Scenario.article()), microseconds(BIG)
    print(f"4 tokens × 4 heads {small:5.1f} µs   16 tokens × 8 heads {big:5.1f} µs")
    sys.exit(small > MOST_US)
