"""What each kind of quiz question should be answered with, by whoever has its text and nothing else.

Every number is read out of the question as it is put, and the answer worked out with NumPy and plain sums, not by the engine:
a question that left something out could not be answered here either.
"""

import re

import numpy as np

from pages.parts.text.amounts import seconds
from pages.parts.text.digits import weight
from pages.parts.text.format import number, percent

A_NUMBER = r"(−?\d+(?:,\d{3})*(?:\.\d+)?)"
WAY = {"With a KV cache": "cache", "Without a cache": "recompute"}


def numbers(said):
    """All numbers of a text."""
    return [float(x.replace(",", "").replace("−", "-")) for x in re.findall(A_NUMBER, said)]


def read(pattern, asked):
    """The numbers where the pattern has #: whole ones as int."""
    found = re.search(pattern.replace("#", A_NUMBER), asked)
    assert found, f"expected {pattern!r} in the question, got {asked!r}"
    said = [float(x.replace(",", "").replace("−", "-")) for x in found.groups()]
    said = [int(x) if x.is_integer() else x for x in said]
    return said[0] if len(said) == 1 else said


def told(pattern, asked):
    """What stands in the place of the pattern's group."""
    found = re.search(pattern, asked)
    assert found, f"expected {pattern!r} in the question, got {asked!r}"
    return found[1]


def prompt(asked):
    """The prompt's words and values: Today = 10, weather = 20."""
    pairs = re.findall(rf"(\w+) = {A_NUMBER}", told(r"[Pp]rompt: (.*?)[.;]", asked))
    assert len(pairs) > 2, asked
    return [word for word, _ in pairs], [float(value) for _, value in pairs]


def rule(asked):
    """What the head looks at: position i, position j, both from 1 -> whether it wants to see j."""
    said = told(r"[Aa] head (?:that )?looks (?:at )?(.*?)(?:[.;]|, (?:the|\d))", asked)
    n = int((numbers(said) or [0])[0])
    if "tokens back" in said:
        return lambda i, j: j == i - n
    if "the last" in said:
        return lambda i, j: i - n < j <= i
    if said.startswith("position "):
        return lambda i, j: j == n
    return {
        "even positions": lambda i, j: j % 2 == 0, "odd positions": lambda i, j: j % 2 == 1, "every token": lambda i, j: True,
        "the first token": lambda i, j: j == 1, "the previous token": lambda i, j: j == i - 1,
    }[said]  # fmt: skip


def every(i, j):
    return True


def weights(wants, n, causal=True):
    """Softmax of ±8 with the mask: (n, n), zeros where nothing matches."""
    w = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1 if causal else n):
            w[i, j] = np.exp(8.0 if wants(i + 1, j + 1) else -8.0)
    return w / w.sum(axis=1, keepdims=True)


def pairs(wants, n):
    """How many positions each row of a causal prompt finds."""
    return [sum(wants(i, j) for j in range(1, i + 1)) for i in range(1, n + 1)]


def row_context(wants, values, at):
    """The context of position `at`, counted from 1; 0 is the last."""
    return (weights(wants, len(values)) @ np.array(values))[at - 1]


def other_rows(a, b):
    """How many rows of two matrices differ."""
    return int((~np.isclose(a, b)).any(axis=1).sum())


def appended(asked):
    """The prompt's values and, behind them, that of the word that is decoded."""
    return [*prompt(asked)[1], read("is decoded, with the value #", asked)]


def behind(asked):
    """The values behind a faulty cache, and the new token's."""
    values = prompt(asked)[1]
    kept = values[:-1] if " out, then" in asked else [*values, values[-1]]
    assert " out, then" in asked or " twice, then" in asked, asked
    return [*kept, read("with the value #, behind", asked)]


def in_window(asked):
    """The values that a cache of the newest tokens keeps."""
    values, newest = appended(asked), read("keeps the newest # tokens", asked)
    return [*values[: "besides the very first token" in asked], *values[-newest:]]


def contexts_and_w(asked):
    """The heads' contexts, the words, and W: (n_head, n_words)."""
    contexts = numbers(told(r"heads have the contexts (.*?)\. W", asked))
    columns = re.findall(r"“(\w+)” ([\d., ]+\d)", told(r"for each word: (.*?\d)\. [A-Z]", asked))
    w = np.array([numbers(column) for _, column in columns]).T
    assert w.shape == (read("# heads", asked), len(columns)) == (len(contexts), 3), asked
    return np.array(contexts), [word for word, _ in columns], w


def next_word(asked):
    contexts, words, w = contexts_and_w(asked)
    return words[int(np.argmax(contexts @ w))]


def logit(asked):
    contexts, words, w = contexts_and_w(asked)
    return number((contexts @ w)[words.index(told(r"logit of “(\w+)”", asked))], 3)


def averaged_changes(asked):
    contexts, _, w = contexts_and_w(asked)
    assert np.isclose(read("their mean, #,", asked), contexts.mean(), atol=0.005)
    return not np.allclose(np.full(3, contexts.mean()) @ w, contexts @ w)


def one_weight(asked):
    high, low = read(r"scores \+#, everything else #,", asked)
    assert (high, low) == (8, -8) and "causal mask is on" in asked
    words, _ = prompt(asked)
    at, to = read("position #, give", asked), words.index(told(r"give to “(\w+)”", asked))
    return weight(weights(rule(asked), len(words))[at - 1, to])


def appended_changes(asked):
    n, causal = read("prompt of # tokens", asked), "**off**" not in asked
    assert n == read("the first # rows", asked)
    before, after = (weights(rule(asked), m, causal) for m in (n, n + 1))
    return other_rows(after[:n, :n], before)


def rows(way, p, g):
    return sum(p + i if way == "recompute" else p if i == 0 else 1 for i in range(g))


def products(way, p, g):
    """Visible products, pass by pass: a whole triangle, or the triangle once and then rows."""
    n = p + np.arange(g, dtype=np.int64)
    triangles = n * (n + 1) // 2
    return int(triangles.sum() if way == "recompute" else triangles[0] + n[1:].sum())


def answer(asked):
    """P and G."""
    return read("prompt of # tokens, an answer of #", asked)


def doubled(asked, count):
    """The factor by which a count grows when the answer does."""
    way = WAY[told(r"^(?:True or false\? )?(With a KV cache|Without a cache)", asked)]
    p, g, longer = read("the answer to a prompt of # tokens? grows from # to # tokens", asked)
    return round(count(way, p, longer) / count(way, p, g))


def numbers_a_token(asked):
    """2 · layers · key/value heads · width, and that the question says what the models' own config.json files print."""
    layers, heads = {
        "Llama-2-7B": (32, 32), "Llama-2-13B": (40, 40), "Llama-3.1-8B": (32, 8), "Llama-3.1-70B": (80, 8), "Qwen2.5-7B": (28, 4),
        "Qwen2.5-72B": (80, 8), "Qwen3-8B": (36, 8), "Qwen3-32B": (64, 8),
    }[told("^(.*?):", asked)]  # fmt: skip
    n_layer, _, n_kv_head, d_head = read("# layers, # query heads, # key/value heads of # numbers", asked)
    assert (n_layer, n_kv_head, d_head) == (layers, heads, 128)
    return 2 * n_layer * n_kv_head * d_head


def bytes_a_token(asked):
    return numbers_a_token(asked) * read("kept in # bits", asked) // 8


def cache_size(asked):
    batch, n = read("cache of # sequences? of # tokens", asked)
    return f"{bytes_a_token(asked) * n * batch / 1e9:,.2f} GB"


def whole_answer(asked):
    ttft, tpot, g = read(r"after # s \(TTFT\), each further one after # ms \(TPOT\)\. How long does an answer of # ", asked)
    return f"{number(ttft + sum([tpot / 1000] * (g - 1)), 3)} s"


def step_time(asked):
    weights, batch, cache, rate = read(
        "Parameters of # GB, # sequences with a cache of # GB each, and memory that reads # GB/s", asked
    )
    return seconds((weights + batch * cache) / rate)


def ridge(asked):
    tflops, gb, bits = read(r"computes # TFLOP/s in 16 bits and reads # GB/s\. .* stored in # bits", asked)
    return f"{tflops * 1e12 / 2 * bits / 8 / (gb * 1e9):,.0f}"


def waits_for(asked):
    tflops, gb = read("computes # TFLOP/s in 16 bits and reads # GB/s", asked)
    n = read("In (?:prefill of|a decode step of) # ", asked)
    return "compute" if 2 * n / (tflops * 1e12) >= 2 / (gb * 1e9) else "memory"


ANSWERS = {
    "context": lambda q: number(row_context(rule(q), prompt(q)[1], read("position #, with the causal mask", q))),
    "one_weight": one_weight,
    "score": lambda q: number(read("q · k = #", q) / np.sqrt(read("d_head = #", q))),
    "ratio": lambda q: number(np.exp(np.subtract(*read("the scores # and #", q)))),
    "without_mask": lambda q: str(
        other_rows(*(weights(rule(q), read("prompt of # tokens", q), causal) for causal in (True, False)))
    ),
    "pairs": lambda q: f"{int(np.tril(np.ones((read('Prefill of # tokens', q),) * 2)).sum()):,}",
    "matches": lambda q: str(sum(pairs(rule(q), read("prompt of # tokens", q)))),
    "keys_seen": lambda q: str(len(range(1, read("query of token #", q) + 1))),
    "second_chunk": lambda q: f"{sum(range(1, 2 * read('chunks of #', q) + 1)) - sum(range(1, read('chunks of #', q) + 1)):,}",
    "twice_the_prompt": lambda q: str(round(np.divide(*(x * (x + 1) for x in read("from # to # tokens", q)[::-1])))),
    "rows_that_find_nothing": lambda q: str(pairs(rule(q), read("prompt of # tokens", q)).count(0)),
    "empty_context": lambda q: number(np.mean(prompt(q)[1][: read("position #, nothing matches", q)])),
    "next_word": next_word,
    "logit": logit,
    "numbers_in_w": lambda q: str(read("# heads", q) * read("# candidate words", q)),
    "chance": lambda q: percent(1 / (1 + np.exp(-np.subtract(*read("the logits # and #", q)) / read("temperature is #", q)))),
    "computed_rows": lambda q: "1 query and 1 key-value pair",
    "new_context": lambda q: number(row_context(rule(q), appended(q), 0)),
    "old_rows": lambda q: str(appended_changes(q)),
    "decode_steps": lambda q: str(read("is answered with # tokens", q) - 1),
    "rows_held": lambda q: str(rows("cache", *read("prompt of # tokens, # tokens generated", q))),
    "numbers_kept": lambda q: f"{2 * read('has # heads', q) * read('# numbers each', q):,}",
    "stale": lambda q: number(np.mean(appended(q)[-2:])),
    "shifted_row": lambda q: number(row_context(rule(q), behind(q), 0)),
    "windowed": lambda q: number(np.mean(in_window(q))),
    "blocks": lambda q: (
        f"{sum(int(np.ceil(n / read('blocks of #', q))) for n in read('have #, # and # tokens', q)) * read('blocks of #', q):,}"
    ),
    "rows_with": lambda q: f"{rows('cache', *answer(q)):,}",
    "rows_without": lambda q: f"{rows('recompute', *answer(q)):,}",
    "products_with": lambda q: f"{products('cache', *answer(q)):,}",
    "products_in_a_step": lambda q: f"{read('prompt of # tokens', q) + read('decode step #', q):,}",
    "twice_the_answer": lambda q: str(doubled(q, {"K/V rows": rows, "score products": products}[told(r"\*\*(.*?)\*\*", q)])),
    "token_bytes": lambda q: f"{bytes_a_token(q):,} bytes",
    "cache_size": cache_size,
    "tokens_that_fit": lambda q: f"{int(read('and # GB', q) * 1e9 // bytes_a_token(q)):,}",
    "shared_heads": lambda q: number(np.divide(*read("# query heads that share # key", q))),
    "whole_answer": whole_answer,
    "step_time": step_time,
    "ridge": ridge,
    "waits_for": waits_for,
}


def left_after_the_mask(asked):
    scores = np.array(numbers(told("scores (.*?);", asked)))
    hidden = read("the last # are", asked) if "the last one is" not in asked else 1
    e = np.exp(scores)
    return (e / e.sum())[:-hidden].sum()


def largest_share(asked):
    e = np.exp(numbers(told("with the scores (.*?), softmax", asked)))
    return e.max() / e.sum()


def same_weight(asked):
    words, values = prompt(asked)
    low, high = words.index(told(r"row “(\w+)”", asked)), words.index(told(r"“(\w+)”, the largest", asked))
    assert values[low] == min(values) and values[high] == max(values)
    last = weights(rule(asked), len(words))[-1]
    return np.isclose(last[low], last[high])


def rows_moved(asked):
    """How many of the prompt's rows come out differently when a word follows."""
    n = read("the first # tokens", asked)
    assert len(told(r"appended to “(.*?)”", asked).split()) == n and "the mask is on" in asked
    return other_rows(weights(rule(asked), n + 1)[:n, :n], weights(rule(asked), n))


def growth(asked):
    return read("about # times as many", asked) == doubled(asked, products)


# Whether the statement that was put is true, by what it says and by a second computation.
TRUE = {
    "decode_makes_the_first": lambda q: read("runs # decode", q) == read("answer with # tokens", q) - 1,
    "value_is_attention": lambda q: "no attention weight changes" in q and len(weights(rule(q), len(prompt(q)[0]))) > 3,
    "small_values_get_less": lambda q: ("the same weight as" in q) == same_weight(q),
    "mask_after_softmax": lambda q: ("sum to less than 1" in q) == bool(left_after_the_mask(q) < 1 - 1e-9),
    "softmax_picks_one": lambda q: ("a part of the weight" in q) == bool(largest_share(q) < 0.9995),
    "parallel_saves_products": lambda q: (
        ("as many" in q) == (products("cache", 1, read("Reading # tokens", q)) == products("cache", read("Reading # tokens", q), 1))
    ),
    "without_a_mask_all_rows_change": lambda q: (
        "all" not in told("the weights of (.*?) rows", q)
        and read("weights of # of the", q) == read("every token, # tokens", q) - 1
    ),
    "every_token_sees_every_other": lambda q: read("lets # pairs", q) == sum(pairs(every, read("prefill of # tokens", q))),
    "logits_are_chances": lambda q: (
        ("has yet to make" in q) == (abs(sum(numbers(told(r"have the logits (.*?)\. [A-Z]", q))) - 1) > 1e-9)
    ),
    "heads_are_averaged": lambda q: ("logits change" in q) == averaged_changes(q),
    # The columns of two words exchanged are their logits exchanged, whatever these were.
    "attention_finds_the_word": lambda q: (
        ("another word" in q) == (told(r"says “(\w+)”", q) in told(r"columns of (.*?) in W", q))
    ),
    "old_rows_come_out_anew": lambda q: ("come out as before" in q) == (rows_moved(q) == 0),
    "the_cache_makes_decode_linear": growth,
    "without_it_a_square": growth,
    "the_cache_makes_attention_constant": lambda q: ("more query" in q) == (read("Decode step #", q) > 1),
    "the_pace_stays": lambda q: ("more bytes" in q) == (read("behind # cached tokens", q) > 0),
    "the_cache_speeds_up_the_first": lambda q: (
        ("as many" in q) == (products("cache", n := read("prompt of # tokens", q), 1) == products("recompute", n, 1))
    ),
    "the_newest_row_needs_the_mask": lambda q: "hides no key" in q,
    "only_the_query": lambda q: "one key and one value" in q,
    "weights_are_cached": lambda q: (
        "computes one" not in q and read("computes # query", q) == read("prompt of # tokens", q) + read("step #", q)
    ),
    "contexts_are_read": lambda q: "comes out the same" in q and row_context(rule(q), prompt(q)[1], 0) >= 0,
    "any_key_may_be_cached": lambda q: ("another context" in q) == (appended(q)[-1] != appended(q)[-2]),
    "sharing_heads_saves_products": lambda q: "stays the same" in q and read("# query heads share # key", q)[0] > 1,
}  # fmt: skip
