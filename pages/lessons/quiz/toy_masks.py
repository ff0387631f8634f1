"""Questions about which pairs of a row and a token the causal mask lets count, and how many they are."""

from dataclasses import replace
from random import Random

from engine.attention import causal_mask
from engine.cache import KVCache
from engine.counts import prefill_counts
from engine.prefill import chunked_prefill, prefill
from engine.toy.by_hand import empty_rows
from engine.toy.scenario import MAX_PROMPT
from pages.lessons.quiz.figures.amounts import Bars
from pages.lessons.quiz.figures.tokens import Pairs
from pages.lessons.quiz.task import Task, choice, looks_at, numbered, pairs_of
from pages.parts.text.format import join, number, plural, quantity


def rows_that_change(rng: Random) -> tuple[int, int]:
    """(tokens of a prompt, rows of it whose weights are others without the mask), of a head that looks at every token."""
    n = rng.randrange(3, 15)
    s = numbered(rng, n, "all")
    on, off = (prefill(x.model(), x.prompt_ids).layers[0].weights for x in (s, replace(s, causal=False)))
    return n, int((on != off).any(axis=(0, 2)).sum())


def without_mask(rng: Random) -> Task | None:
    n, changed = rows_that_change(rng)
    return choice(
        rng,
        f"A prompt of {n} tokens, a head that looks at every token. The causal mask is switched off. In how many of the {n} rows "
        "do weights change?",
        str(changed),
        f"A row changes if something later stood hidden from it. That holds for the first {n - 1}; the last row saw all {n} "
        "tokens already.",
        [
            (str(n), "The last row does not change: nothing stands behind it."),
            ("1", "Not one row alone: every row that has something behind it."),
            ("0", "The mask hides what comes later; without it all rows but the last see more."),
        ],
        given=Pairs(n, counted=pairs_of(~causal_mask(n)), asks="rows that change"),
    )


def pairs(rng: Random) -> Task | None:
    p = rng.randrange(4, 61)
    return choice(
        rng,
        f"Prefill of {p} tokens, one head of one layer. How many query · key products does the causal mask let count?",
        f"{prefill_counts(p).scores:,}",
        f"Token i meets the i keys up to itself: 1 + 2 + … + {p} = {p} · {p + 1} / 2.",
        [
            (f"{p * p:,}", "That is the whole square, with what the mask hides."),
            (f"{p * (p - 1) // 2:,}", "That forgets that a token sees itself."),
            (f"{p:,}", "That is one product a token; each token meets every key so far."),
        ],
        given=Pairs(p, asks="products that count"),
    )


def keys_seen(rng: Random) -> Task | None:
    n = rng.randrange(6, 40)
    at = rng.randrange(3, n - 1)
    return choice(
        rng,
        f"A causal prefill of {n} tokens. How many keys may the query of token {at} see?",
        str(int(causal_mask(n)[at - 1].sum())),
        f"The keys of tokens 1 to {at}: what comes before it, and its own.",
        [
            (str(at - 1), "That leaves out its own key: a token sees itself too."),
            (str(n), "That is without the mask: tokens that come later are hidden from it."),
            (str(n - at), "That is how many are hidden from it."),
        ],
        given=Pairs(n, at, asks="keys in its sight"),
    )


def second_chunk(rng: Random) -> Task | None:
    c = rng.randrange(3, 9)
    p = c * rng.randrange(2, MAX_PROMPT // c + 1)
    s = numbered(rng, p, "all")
    passes = chunked_prefill(s.model(), s.prompt_ids, KVCache.for_model(s.model(), p), c)
    return choice(
        rng,
        f"A prompt of {p} tokens is read in chunks of {c} behind a KV cache. How many query · key products does the causal mask "
        "let count in the second chunk, in one head of one layer?",
        f"{passes[1].counts.scores:,}",
        f"Each of its {c} queries meets the {c} cached keys, and then its own chunk as a triangle: {c} · {c} + {c} · {c + 1} / 2.",
        [
            (f"{c * (c + 1) // 2:,}", "That leaves out the first chunk, whose keys are in the cache and count like any others."),
            (f"{2 * c * c:,}", "That counts what the mask hides within the chunk too."),
            (f"{c * (2 * c + 1):,}", "That is both chunks together."),
        ],
        given=Bars(("first chunk", "second chunk"), (c, c), (f"{c} tokens", f"{c} tokens"), asks="products, second chunk"),
    )


def twice_the_prompt(rng: Random) -> Task | None:
    p = rng.randrange(2, 81) * 100
    by = prefill_counts(2 * p).scores / prefill_counts(p).scores
    return choice(
        rng,
        f"A prompt grows from {p:,} to {2 * p:,} tokens and is read in one causal pass. By what factor, to the nearest whole "
        "number, does the count of visible query · key products grow?",
        number(round(by)),
        f"Twice as many queries, each of about twice as many keys. Counted: ×{by:.3f}, a square in the length.",
        [
            ("2", "Rows grow that way; each of them also meets twice as many keys."),
            ("8", "That is what an answer costs without a cache; a prompt is read once."),
        ],
        given=Bars(("before", "after"), (p, 2 * p), (f"{p:,} tokens", f"{2 * p:,} tokens"), asks="times the products"),
    )


def matches(rng: Random) -> Task | None:
    n, rule = rng.randrange(5, 11), rng.choice(("even", "odd", "window:2", "window:3", "first"))
    s = numbered(rng, n, rule)
    on, off = (prefill(x.model(), x.prompt_ids).layers[0] for x in (s, replace(s, causal=False)))
    matching = ((on.scores > 0) & on.mask)[0]
    return choice(
        rng,
        f"A prompt of {n} tokens. {looks_at(s.rules[0])}. With the causal mask, how many pairs of a row and a token that it looks "
        "at are there?",
        str(int(matching.sum())),
        f"Row by row it finds {join([str(k) for k in matching.sum(axis=1).tolist()])}.",
        [
            (str(int((off.scores > 0).sum())), "That leaves out the mask: later tokens were counted too."),
            (str(n * (n + 1) // 2), "That is everything visible, whatever the rule says."),
            (str(int(matching[-1].sum())), "That is the last row alone."),
            (str(n), "That is one for each row."),
        ],
        given=Pairs(n, counted=pairs_of(matching), asks="pairs"),
    )


def rows_that_find_nothing(rng: Random) -> Task | None:
    n, back = rng.randrange(5, 13), rng.randrange(1, 4)
    rule = rng.choice((f"previous:{back}", f"at:{back + 1}"))
    s = numbered(rng, n, rule)
    found = prefill(s.model(), s.prompt_ids).layers[0]
    empty = int(empty_rows(found)[0].sum())
    why = (
        f"Somebody stands {quantity(back, 'token')} back from position {back + 1} on"
        if rule.startswith("previous")
        else f"Position {back + 1} is visible from its own row on"
    )
    return choice(
        rng,
        f"A prompt of {n} tokens. {looks_at(s.rules[0])}. With the causal mask, in how many rows does it find nothing?",
        str(empty),
        f"{why}; the {quantity(back, 'row')} before {plural(back, 'finds', 'find')} nothing.",
        [
            (str(empty + 1), f"Row {empty + 1} does find one."),
            (str(n - empty), "Those are the rows that find somebody."),
            ("0", "A row sees only itself and what comes before, so the first rows may find no match."),
        ],
        given=Pairs(n, counted=pairs_of((found.scores > 0)[0] & causal_mask(n)), asks="rows that find nothing"),
    )
