"""Questions about the work: passes, K/V rows and score products of an answer, with a cache and without, and how they grow."""

from random import Random

from engine.counts import cached_counts, recomputed_counts, tokens_processed
from engine.decode import generate
from engine.work.baselines import doubling, pass_counts
from pages.lessons.quiz.figures.amounts import Bars
from pages.lessons.quiz.figures.tokens import Strip
from pages.lessons.quiz.task import Task, choice, numbered
from pages.parts.text.amounts import count
from pages.parts.text.format import number, quantity

KINDS = {"kv_rows": "K/V rows", "scores": "score products"}
WAYS = {"cache": "With a KV cache", "recompute": "Without a cache, everything computed again for each token"}
GROWTH = {2: "linear", 4: "a square", 8: "a cube"}
TWICE = {
    ("cache", "kv_rows"): "One row a token, each computed once.",
    ("cache", "scores"): "Twice as many steps, each over about twice as many keys.",
    ("recompute", "kv_rows"): "Twice as many passes, each over about twice as many tokens.",
    ("recompute", "scores"): "Twice as many passes, and the products of each are a square of its length.",
}


def decode_steps(rng: Random) -> Task | None:
    p, g = rng.randrange(2, 17), rng.randrange(3, 31)
    s = numbered(rng, p, "all")
    steps = len(generate(s.model(), s.prompt_ids, g).passes) - 1
    return choice(
        rng,
        f"A prompt of {p} tokens is answered with {g} tokens. How many decode steps does that take?",
        str(steps),
        f"The last row of prefill already gives the first token; the other {g - 1} take a step each.",
        [
            (str(g), "The first token comes out of prefill, not out of a decode step."),
            (str(p + g - 1), "That counts a step for each token of the prompt; prefill takes them all in one pass."),
            (str(g + 1), "That adds prefill as a step; it is what makes the first token."),
        ],
        given=Strip(p, g, asks="decode steps"),
    )


def rows_with(rng: Random) -> Task | None:
    p, g = _answer(rng)
    computed = cached_counts(p, g).kv_rows
    return choice(
        rng,
        f"A prompt of {p} tokens, an answer of {g}. How many K/V rows does one layer compute in all **with a KV cache**?",
        f"{computed:,}",
        f"{p} in prefill, then one in each of {g - 1} decode steps: {p} + {g} − 1. The last token is never fed back.",
        [
            (f"{p + g:,}", "The last token of the answer is never fed back."),
            (f"{recomputed_counts(p, g).kv_rows:,}", "That is the count without a cache."),
            (f"{g - 1:,}", "That leaves prefill out, which computes the prompt’s rows."),
        ],
        given=Strip(p, g, asks="K/V rows, with a cache"),
    )


def rows_without(rng: Random) -> Task | None:
    p, g = _answer(rng)
    return choice(
        rng,
        f"A prompt of {p} tokens, an answer of {g}. Without a cache every pass runs all tokens so far. How many K/V rows does "
        "one layer compute in all?",
        f"{recomputed_counts(p, g).kv_rows:,}",
        f"{g} passes over {p}, {p + 1}, … {tokens_processed(p, g)} tokens: {g} · {p} + {g} · {g - 1} / 2.",
        [
            (f"{cached_counts(p, g).kv_rows:,}", "That is the count with a cache, each row once."),
            (f"{p * g:,}", "That forgets that each pass also runs the answer so far."),
            (f"{p * g + g * (g + 1) // 2:,}", "That runs one token too many in each pass: the first pass has the prompt only."),
        ],
        given=Strip(p, g, asks="K/V rows, no cache"),
    )


def products_with(rng: Random) -> Task | None:
    p, g = _answer(rng)
    n = tokens_processed(p, g)
    return choice(
        rng,
        f"A prompt of {p} tokens, an answer of {g}, with a KV cache. How many visible query · key products does one head of one "
        "layer compute in all?",
        f"{cached_counts(p, g).scores:,}",
        f"N = {p} + {g} − 1 = {n} tokens pass through, and each meets every key so far: {n} · {n + 1} / 2.",
        [
            (f"{n:,}", "That is one product a token. The cache keeps keys and values; each new query still meets every key."),
            (f"{recomputed_counts(p, g).scores:,}", "That is the count without a cache, all rows computed again."),
            (f"{n * n:,}", "That counts the half too that the mask hides."),
        ],
        given=Strip(p, g, asks="products in all"),
    )


def products_in_a_step(rng: Random) -> Task | None:
    p, step = rng.randrange(5, 200), rng.randrange(2, 50)
    n = p + step
    return choice(
        rng,
        f"A prompt of {p} tokens, with a KV cache. How many query · key products does one head of one layer compute in "
        f"decode step {step}?",
        f"{pass_counts('cache', p, step).scores:,}",
        f"The new query meets the {n - 1} cached keys and its own: {p} + {step}.",
        [
            ("1", "The cache spares keys and values, not products: the new query meets every key."),
            (f"{p:,}", "Tokens fed back before are in the cache too, and the new token meets its own key."),
            (f"{n * (n + 1) // 2:,}", "That is the whole triangle, as without a cache; a step adds its last row."),
        ],
        given=Strip(p, step, f"fed by step {step}", asks=f"products of step {step}"),
    )


def twice_the_answer(rng: Random) -> Task | None:
    way, kind = rng.choice(list(WAYS)), rng.choice(list(KINDS))
    p, g = rng.randrange(1, 11), rng.randrange(10, 41) * 100
    by = doubling(way, kind, p, g)
    answer = round(by)
    return choice(
        rng,
        f"{WAYS[way]}: the answer to a prompt of {quantity(p, 'token')} grows from {count(g)} to {count(2 * g)} tokens. By "
        f"what factor, to the nearest whole number, does the count of **{KINDS[kind]}** grow?",
        number(answer),
        f"{TWICE[way, kind]} Counted: ×{by:.3f}, {GROWTH[answer]} in the length.",
        [(str(factor), f"A factor of {factor} would be {power} in the length.") for factor, power in GROWTH.items()],
        given=Bars(
            ("before", "after"), (g, 2 * g), (f"{count(g)} tokens", f"{count(2 * g)} tokens"), asks=f"times the {KINDS[kind]}"
        ),
    )


def _answer(rng: Random) -> tuple[int, int]:
    """P and G that one can still work out by hand."""
    return rng.randrange(3, 41), rng.randrange(3, 31)
