"""The questions of the counting lesson; each answer is counted by the engine for the sizes on screen."""

from __future__ import annotations

from engine.append import growth
from engine.counts import cached_counts, last_query_counts, recomputed_counts, tokens_processed
from engine.toy import Scenario
from engine.ways import order, work
from pages.parts.counting_view import sizes
from pages.parts.figures.strips import count
from pages.parts.predict import predict


def asked(s: Scenario) -> tuple[int, int]:
    """The P and G of the questions: the scenario's prompt and 4 tokens, or 6 where the page above shows 4."""
    p, g = sizes(s)
    return (len(s.tokens), 6 if (p, g) == (len(s.tokens), 4) else 4)


def ask_without(s: Scenario) -> None:
    """K/V rows of a short answer without a cache."""
    p, g = asked(s)
    lengths = " + ".join(str(p + i) for i in range(g))
    predict(
        "rows_without",
        f"A prompt of {p} token{'s' * (p > 1)}, an answer of {g}. Without a cache every pass runs all tokens so far. How many "
        "K/V rows are computed in all?",
        float(recomputed_counts(p, g).kv_rows),
        f"{g} passes over {lengths} tokens: GP + G(G−1)/2. The last word is never fed back.",
        tolerance=0.1,
    )


def ask_with(s: Scenario) -> None:
    """The same with a cache."""
    p, g = asked(s)
    predict(
        "rows_with",
        f"The same prompt of {p} and answer of {g}, now with a KV cache. How many K/V rows are computed in all?",
        float(cached_counts(p, g).kv_rows),
        f"{p} in prefill, then 1 in each of the {g - 1} decode steps: each token’s once, N = P + G − 1.",
        tolerance=0.1,
    )


def ask_products(s: Scenario) -> None:
    """Score products of one layer, where only the last query need ask: the cache saves none."""
    p, g = asked(s)
    without, last, cached = recomputed_counts(p, g), last_query_counts(p, g), cached_counts(p, g)
    pairs = (
        f"{without.scores} and {cached.scores}",
        f"{last.scores} and {cached.scores}",
        f"{without.kv_rows} and {cached.kv_rows}",
    )
    later = " + ".join(str(p + i) for i in range(1, g))
    predict(
        "products",
        f"One layer, P = {p}, G = {g}. Without a cache K and V are computed again at each step, but only the newest token’s "
        "query need ask, as no deeper layer wants the old rows. How many score products without and with a cache?",
        pairs[1],
        f"A query meets every key, cached or computed again: {p}·{p + 1}/2 in prefill, then {later}. "
        "On one layer the cache saves keys and values and **not one score product**. In a deep model the old rows must be run "
        f"again too, because the next layer’s keys come from them: {without.scores}.",
        options=tuple(sorted(pairs, key=lambda pair: [int(n) for n in pair.split(" and ")])),
    )


def ask_double_rows(s: Scenario) -> None:
    """By what the cache's K/V work grows when the answer doubles."""
    _ask_double(s, "double_rows", "K/V rows", "kv_rows", "one row a token, prompt and answer alike")


def ask_double_scores(s: Scenario) -> None:
    """By what the cache's score products grow when the answer doubles."""
    _ask_double(s, "double_scores", "score products", "scores", "twice as many steps, each over about twice as many keys")


def _ask_double(s: Scenario, key: str, name: str, kind: str, why: str) -> None:
    p, g = len(s.tokens), 1000
    a, b = (work("cache", kind, p, n) for n in (g, 2 * g))
    predict(
        key,
        f"With a cache, a prompt of {p} token{'s' * (p > 1)}: the answer grows from {g:,} to {2 * g:,} tokens. By what factor do "
        f"the {name} grow, to the nearest whole number?",
        float(round(b / a)),
        f"{count(a)} → {count(b)}, ×{b / a:.3f}: {why}. That is "
        f"{ {1: 'linear', 2: 'a square', 3: 'a cube'}[order(b / a)] } in the length.",
        tolerance=0.1,
    )


def ask_copied(s: Scenario) -> None:
    """How many rows concatenating copies for a short answer: the square comes back."""
    p, g = asked(s)
    n = tokens_processed(p, g)
    copied = growth("concatenate", p, n, n).copied
    sums = " + ".join(str(k) for k in range(p, n))
    predict(
        "copied",
        f"A cache that makes a new array for every token: {p} row{'s' * (p > 1)} from the prompt, then an answer of {g} tokens. "
        "How many rows does it copy in all?",
        float(copied),
        f"{g - 1} of the {g} tokens are fed back, and each new array takes the old rows along: {sums} = {copied}, to keep {n}. "
        "It is the count that was to be got rid of; copying is cheaper than computing, but it is no less a square.",
        tolerance=0.1,
    )
