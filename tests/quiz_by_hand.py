"""What each kind of quiz question should be answered with, worked out a second time with NumPy and plain sums, not by the engine."""

import re

import numpy as np

from pages.parts.text.amounts import seconds
from pages.parts.text.format import number, percent, weight


def matches(rule, i, j):
    """Whether a head with this rule wants position j at position i, both from 1."""
    kind, _, said = str(rule).partition(":")
    n = int(said or 0)
    return {
        "even": j % 2 == 0, "odd": j % 2 == 1, "self": i == j, "previous": j == i - (n or 1), "first": j == 1, "all": True,
        "window": i - n < j <= i, "at": j == n,
    }[kind]  # fmt: skip


def weights(rule, n, causal=True):
    """Softmax of ±8 with the mask: (n, n), zeros where nothing matches."""
    w = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1 if causal else n):
            w[i, j] = np.exp(8.0 if matches(rule, i + 1, j + 1) else -8.0)
    return w / w.sum(axis=1, keepdims=True)


def other_rows(a, b):
    """How many rows of two matrices differ."""
    return int((~np.isclose(a, b)).any(axis=1).sum())


def contexts(s, at=-1):
    """One row's context in each head."""
    return np.array([weights(rule, len(s.tokens))[at] @ np.array(s.values) for rule in s.rules])


def logits(s):
    return contexts(s) @ np.array(s.w_vocab)


def decoded(rule, values):
    return weights(rule, len(values))[-1] @ np.array(values)


def behind(f):
    """The values behind a faulty cache, and the new token's."""
    values = f["s"].values
    return [*(values[:-1] if f["shift"] < 0 else (*values, values[-1])), f["s"].word_values[f["word"]]]


def rows(way, p, g):
    return sum(p + i if way == "recompute" else p if i == 0 else 1 for i in range(g))


def products(way, p, g):
    """Visible products, pass by pass: a whole triangle, or the triangle once and then rows."""
    n = p + np.arange(g, dtype=np.int64)
    triangles = n * (n + 1) // 2
    return int(triangles.sum() if way == "recompute" else triangles[0] + n[1:].sum())


def token_bytes(name, bits):
    """2 · layers · key/value heads · width · bytes, of the numbers that the models' own config.json files print."""
    layers, heads = {
        "Llama-2-7B": (32, 32), "Llama-2-13B": (40, 40), "Llama-3.1-8B": (32, 8), "Llama-3.1-70B": (80, 8), "Qwen2.5-7B": (28, 4),
        "Qwen2.5-72B": (80, 8), "Qwen3-8B": (36, 8), "Qwen3-32B": (64, 8),
    }[name]  # fmt: skip
    return 2 * layers * heads * 128 * bits // 8


ANSWERS = {
    "context": lambda f: number(contexts(f["s"], f["at"])[0]),
    "one_weight": lambda f: weight(weights(f["s"].rules[0], len(f["s"].tokens))[f["at"], f["to"]]),
    "score": lambda f: number(f["product"] / np.sqrt(f["d_head"])),
    "ratio": lambda f: number(np.exp(f["high"]) / np.exp(f["low"])),
    "without_mask": lambda f: str(other_rows(weights("all", f["n"]), weights("all", f["n"], causal=False))),
    "pairs": lambda f: f"{int(np.tril(np.ones((f['p'], f['p']))).sum()):,}",
    "rows_that_find_nothing": lambda f: str(
        sum(not any(matches(f["rule"], i, j) for j in range(1, i + 1)) for i in range(1, f["n"] + 1))
    ),
    "empty_context": lambda f: number(np.mean(f["s"].values[: f["at"] + 1])),
    "next_word": lambda f: f["s"].words[int(np.argmax(logits(f["s"])))],
    "logit": lambda f: number(logits(f["s"])[f["word"]], 3),
    "chance": lambda f: percent(1 / (1 + np.exp((f["low"] - f["high"]) / f["t"]))),
    "computed_rows": lambda f: "1 query and 1 key-value pair",
    "new_context": lambda f: number(decoded(f["s"].rules[0], [*f["s"].values, f["s"].word_values[f["word"]]])),
    "old_rows": lambda f: str(
        other_rows(weights("all", f["n"] + 1, f["causal"])[: f["n"], : f["n"]], weights("all", f["n"], f["causal"]))
    ),
    "decode_steps": lambda f: str(f["g"] - 1),
    "rows_held": lambda f: str(rows("cache", f["p"], f["g"])),
    "numbers_kept": lambda f: f"{f['h'] * f['d'] + f['h'] * f['d']:,}",
    "stale": lambda f: number((f["s"].values[-1] + f["s"].word_values[f["word"]]) / 2),
    "shifted_row": lambda f: number(decoded(f["s"].rules[0], behind(f))),
    "windowed": lambda f: number(
        np.mean([*f["s"].values[: f["sinks"]], *[*f["s"].values, f["s"].word_values[f["word"]]][-f["window"] :]])
    ),
    "blocks": lambda f: f"{sum(int(np.ceil(n / f['size'])) * f['size'] for n in f['lengths']):,}",
    "rows_with": lambda f: f"{rows('cache', f['p'], f['g']):,}",
    "rows_without": lambda f: f"{rows('recompute', f['p'], f['g']):,}",
    "products_with": lambda f: f"{products('cache', f['p'], f['g']):,}",
    "products_in_a_step": lambda f: f"{f['p'] + f['step']:,}",
    "twice_the_answer": lambda f: str(round(doubled(f))),
    "token_bytes": lambda f: f"{token_bytes(f['name'], f['bits']):,} bytes",
    "cache_size": lambda f: f"{token_bytes(f['name'], 16) * f['n'] * f['batch'] / 1e9:,.2f} GB",
    "tokens_that_fit": lambda f: f"{int(f['left'] * 1e9 // token_bytes(f['name'], 16)):,}",
    "shared_heads": lambda f: number(f["n_head"] / f["n_kv"]),
    "whole_answer": lambda f: f"{number(f['ttft'] + sum([f['tpot'] / 1000] * (f['g'] - 1)), 3)} s",
    "step_time": lambda f: seconds((f["weights"] + f["batch"] * f["cache"]) * 1e9 / f["bytes_per_s"]),
    "ridge": lambda f: f"{f['flops_per_s'] / 2 * f['bits'] / 8 / f['bytes_per_s']:.0f}",
    "waits_for": lambda f: "compute" if 2 * f["n"] / f["flops_per_s"] >= 2 / f["bytes_per_s"] else "memory",
}


def doubled(f):
    count = {"kv_rows": rows, "scores": products}[f["kind"]]
    return count(f["way"], f["p"], 2 * f["g"]) / count(f["way"], f["p"], f["g"])


def claimed(pattern, asked):
    """The number that a statement claims; −1 where it is not of that form."""
    found = re.search(pattern, asked)
    return int(found[1].replace(",", "")) if found else -1


def left_after_the_mask(f):
    e = np.exp(f["scores"])
    return (e / e.sum())[: f["at"] + 1].sum()


def swapped(s):
    """The winner before and after the best and the worst word's columns of W are exchanged."""
    before, w = logits(s), np.array(s.w_vocab)
    best, least = before.argmax(), before.argmin()
    w[:, [best, least]] = w[:, [least, best]]
    return best, (contexts(s) @ w).argmax()


def averaged_changes(s):
    mean = np.full(3, contexts(s).mean())
    return not np.allclose(mean @ np.array(s.w_vocab), logits(s))


# Whether the statement that was put is true, by what it says and by a second computation.
TRUE = {
    "decode_makes_the_first": lambda asked, f: claimed(r"runs (\d+) decode", asked) == f["g"] - 1,
    "value_is_attention": lambda asked, f: "no attention weight changes" in asked,
    "small_values_get_less": lambda asked, f: (
        ("the same weight as" in asked) == bool(np.ptp(weights("all", len(f["s"].tokens))[-1]) < 1e-9)
    ),
    "mask_after_softmax": lambda asked, f: ("sum to less than 1" in asked) == bool(left_after_the_mask(f) < 1 - 1e-9),
    "softmax_picks_one": lambda asked, f: (
        ("a part of the weight" in asked) == bool(np.exp(max(f["scores"])) / np.exp(f["scores"]).sum() < 0.9995)
    ),
    "parallel_saves_products": lambda asked, f: (
        ("as many" in asked) == (products("cache", 1, f["p"]) == products("cache", f["p"], 1))
    ),
    "without_a_mask_all_rows_change": lambda asked, f: claimed(r"weights of (\d+) of the", asked) == f["n"] - 1,
    "every_token_sees_every_other": lambda asked, f: claimed(r"(\d+) query–key", asked) == sum(range(f["n"] + 1)),
    "logits_are_chances": lambda asked, f: ("has yet to make" in asked) == (abs(logits(f["s"]).sum() - 1) > 1e-9),
    "heads_are_averaged": lambda asked, f: ("logits change" in asked) == averaged_changes(f["s"]),
    "attention_finds_the_word": lambda asked, f: ("another word" in asked) == (swapped(f["s"])[0] != swapped(f["s"])[1]),
    "old_rows_come_out_anew": lambda asked, f: "come out as before" in asked,
    "the_cache_makes_decode_linear": lambda asked, f: (
        claimed(r"about (\d+) times", asked) == round(doubled({**f, "kind": "scores"}))
    ),
    "without_it_a_square": lambda asked, f: claimed(r"about (\d+) times", asked) == round(doubled({**f, "kind": "scores"})),
    "the_cache_makes_attention_constant": lambda asked, f: ("more query" in asked) == (f["step"] > 1),
    "the_pace_stays": lambda asked, f: ("more bytes" in asked) == (token_bytes(f["name"], 16) * f["n"] > 0),
    "the_cache_speeds_up_the_first": lambda asked, f: (
        ("as many" in asked) == (products("cache", f["p"], 1) == products("recompute", f["p"], 1))
    ),
    "the_newest_row_needs_the_mask": lambda asked, f: "hides no key" in asked,
    "only_the_query": lambda asked, f: "one key and one value" in asked,
    "weights_are_cached": lambda asked, f: claimed(r"computes (\d+) query", asked) == f["p"] + f["step"],
    "contexts_are_read": lambda asked, f: "comes out the same" in asked,
    "any_key_may_be_cached": lambda asked, f: (
        ("another context" in asked) == (f["s"].values[-1] != f["s"].word_values[f["word"]])
    ),
    "sharing_heads_saves_products": lambda asked, f: "stays the same" in asked,
}
