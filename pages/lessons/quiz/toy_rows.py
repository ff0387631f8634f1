"""Questions about one pass over a prompt: contexts by hand, weights, scores, the mask, and rows that find nothing."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from engine.attention import attention, causal_mask, masked_softmax
from engine.cache import KVCache
from engine.counts import prefill_counts
from engine.prefill import chunked_prefill, prefill
from engine.toy.by_hand import empty_rows, rows_by_hand
from engine.toy.scenario import MAX_PROMPT, Scenario
from pages.lessons.quiz.task import Task, choice, looks_at, mean_of, numbered, prompt_values, toy
from pages.parts.text.format import join, number, weight

ROW_RULES = ("even", "odd", "all", "window:2", "window:3")
OTHER = {"even": "odd", "odd": "even"}


def context(rng: Random) -> Task | None:
    """The context of one row, by hand."""
    rule = rng.choice((*ROW_RULES, "previous", "first"))
    s = toy(rng, rule)
    at = rng.randrange(1, len(s.tokens))
    row, values = _row(s, at), np.array(s.values)
    if not row.seen:
        return None
    seen, unmasked = values[list(row.seen)], _row(replace(s, causal=False), at)
    wrong = [
        (number(unmasked.context), "That leaves out the mask: later tokens were counted too."),
        (number(seen.sum()), "That adds the values up. Weights share out 1, so a context is an average."),
        (number(values[: at + 1].mean()), "That is the average of everything visible, whatever the rule says."),
        (number(values[at]), "That is the token’s own value, not what the head makes of what it sees."),
    ]
    if rule in OTHER:
        shifted = _row(replace(s, rules=(OTHER[rule],)), at)
        wrong.insert(1, (number(shifted.context), "That counts positions from 0; here the first token stands at position 1."))
    names = join([f"“{s.tokens[j]}”" for j in row.seen])
    return choice(
        rng,
        f"{looks_at(s.rules[0])}. Prompt: {prompt_values(s)}. What is its context at “{s.tokens[at]}”, position {at + 1}, with the "
        "causal mask?",
        number(row.context),
        f"It may see positions 1 to {at + 1}; of these the rule picks {names}: {mean_of(seen)}.",
        wrong,
    )  # fmt: skip


def one_weight(rng: Random) -> Task | None:
    """The weight that a row gives to one of the tokens it sees."""
    rule = rng.choice(ROW_RULES)
    s = toy(rng, rule)
    at = rng.randrange(1, len(s.tokens))
    row, whole = _row(s, at), _row(replace(s, causal=False), at)
    if len(row.seen) < 2:
        return None
    to = rng.choice(row.seen)
    share = s.values[to] / sum(s.values[j] for j in row.seen)
    return choice(
        rng,
        f"{looks_at(s.rules[0])}; a match scores +8, everything else −8, and the causal mask is on. Prompt: {prompt_values(s)}. What "
        f"weight does the row of “{s.tokens[at]}”, position {at + 1}, give to “{s.tokens[to]}”?",
        weight(row.weights[to]),
        f"It sees {len(row.seen)} matches with the same score, so each gets 1/{len(row.seen)}; what does not match gets next to "
        "nothing, what comes later nothing.",
        [
            (weight(share), "That shares the weight out by the tokens’ values. Weights come from queries and keys alone."),
            (weight(whole.weights[to]), "That leaves out the mask: later matches got a share too."),
            ("1", "Softmax picks no single winner: equal scores get equal shares."),
            (weight(1 / len(row.visible)), "That shares the weight among everything visible, whether or not it matches."),
        ],
    )  # fmt: skip


def score(rng: Random) -> Task | None:
    """A score from q · k and the head's width."""
    root, said = rng.choice((4, 8, 16)), rng.randrange(2, 10)
    d_head = root**2
    q, k = np.full((1, 1, d_head), said / root), np.ones((1, 1, d_head))
    product = float((q[0] @ k[0].T)[0, 0])
    computed = float(attention(q, k, k, causal_mask(1)).scores[0, 0, 0])
    return choice(
        rng,
        f"A query and a key of d_head = {d_head} numbers each have the product q · k = {number(product)}. What is the score that "
        "softmax gets?",
        number(computed),
        f"The product is divided by the square root of the width: {number(product)} / √{d_head} = {number(product)} / {root} = "
        f"{number(computed)}.",
        [
            (number(product), "That leaves out the division by √d_head."),
            (number(product / d_head), "That divides by d_head; it is its square root."),
            (number(product * root), "That multiplies by √d_head; the score is divided by it."),
        ],
    )  # fmt: skip


def ratio(rng: Random) -> Task | None:
    """How much more weight a larger score gets."""
    low = rng.randrange(1, 7)
    high = low + rng.randrange(2, 5)  # from 2 on: nobody believes that different scores get the same weight
    w = masked_softmax(np.array([[float(high), float(low)]]), np.ones((1, 2), bool))[0]
    return choice(
        rng,
        f"A query may see two keys, with the scores {high} and {low}. How many times the weight of the second does the first "
        "get?",
        number(w[0] / w[1]),
        f"Softmax takes exponentials, so the quotient of two weights is e to the difference of the scores: e to the power "
        f"{high} − {low} = {high - low} is {number(w[0] / w[1])}.",
        [
            (number(high / low), "That is the quotient of the scores. Softmax looks at their difference."),
            (number(high - low), "That is the difference of the scores; the quotient of the weights is e to that power."),
            (number(2.0 ** (high - low)), "That takes powers of 2; softmax takes powers of e."),
        ],
    )  # fmt: skip


def without_mask(rng: Random) -> Task | None:
    """How many rows change when the mask goes."""
    n = rng.randrange(3, 15)
    s = numbered(rng, n, "all")
    on, off = (prefill(x.model(), x.prompt_ids).layers[0].weights for x in (s, replace(s, causal=False)))
    changed = int((on != off).any(axis=(0, 2)).sum())
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
    )  # fmt: skip


def pairs(rng: Random) -> Task | None:
    """Visible products of a prefill."""
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
    )  # fmt: skip


def keys_seen(rng: Random) -> Task | None:
    """How many keys one query may see."""
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
    )  # fmt: skip


def second_chunk(rng: Random) -> Task | None:
    """Visible products of a chunk that has another one before it."""
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
    )  # fmt: skip


def twice_the_prompt(rng: Random) -> Task | None:
    """What doubling the prompt does to the products of its prefill."""
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
    )  # fmt: skip


def matches(rng: Random) -> Task | None:
    """How many pairs of a row and a token match, with the mask."""
    n, rule = rng.randrange(5, 11), rng.choice(("even", "odd", "window:2", "window:3", "first"))
    s = numbered(rng, n, rule)
    on, off = (prefill(x.model(), x.prompt_ids).layers[0] for x in (s, replace(s, causal=False)))
    found = ((on.scores > 0) & on.mask)[0]
    return choice(
        rng,
        f"A prompt of {n} tokens. {looks_at(s.rules[0])}. With the causal mask, how many pairs of a row and a token that it looks "
        "at are there?",
        str(int(found.sum())),
        f"Row by row it finds {join([str(k) for k in found.sum(axis=1).tolist()])}.",
        [
            (str(int((off.scores > 0).sum())), "That leaves out the mask: later tokens were counted too."),
            (str(n * (n + 1) // 2), "That is everything visible, whatever the rule says."),
            (str(int(found[-1].sum())), "That is the last row alone."),
            (str(n), "That is one for each row."),
        ],
    )  # fmt: skip


def rows_that_find_nothing(rng: Random) -> Task | None:
    """How many rows are empty."""
    n, back = rng.randrange(5, 13), rng.randrange(1, 4)
    rule = rng.choice((f"previous:{back}", f"at:{back + 1}"))
    s = numbered(rng, n, rule)
    empty = int(empty_rows(prefill(s.model(), s.prompt_ids).layers[0])[0].sum())
    why = (
        f"Somebody stands {back} token{'s' * (back > 1)} back from position {back + 1} on"
        if rule.startswith("previous")
        else f"Position {back + 1} is visible from its own row on"
    )
    return choice(
        rng,
        f"A prompt of {n} tokens. {looks_at(s.rules[0])}. With the causal mask, in how many rows does it find nothing?",
        str(empty),
        f"{why}; the {back} row{'s' * (back > 1)} before find{'s' * (back == 1)} nothing.",
        [
            (str(empty + 1), f"Row {empty + 1} does find one."),
            (str(n - empty), "Those are the rows that find somebody."),
            ("0", "A row sees only itself and what comes before, so the first rows may find no match."),
        ],
    )  # fmt: skip


def empty_context(rng: Random) -> Task | None:
    """What softmax makes of a row in which nothing matches."""
    back = rng.randrange(2, 4)
    s = replace(toy(rng, f"previous:{back}"), empty_row="soft")
    at = rng.randrange(1, back)
    row, values = _row(s, at), np.array(s.values)
    leaked = _row(replace(s, empty_row="fill"), at)
    return choice(
        rng,
        f"{looks_at(s.rules[0])}. Prompt: {prompt_values(s)}. At “{s.tokens[at]}”, position {at + 1}, nothing matches: every visible "
        "score is −8, and softmax takes them as they are. What context comes out?",
        number(row.context),
        f"Softmax sees differences only: equal scores, however low, share out 1. So it is the average of what is visible, "
        f"{mean_of(values[: at + 1])}.",
        [
            ("0", "Low scores are no zero weights: softmax sees differences only, and the weights of a row sum to 1."),
            (number(leaked.context), "That averages over the hidden tokens too, as −10⁹ in place of −∞ does without a guard."),
            ("NaN", "0 / 0 comes only where every score is −∞; here each visible one is −8."),
            (number(values[at]), "That is the token’s own value; the tokens before it have the same score."),
        ],
    )  # fmt: skip


def _row(s: Scenario, at: int):
    """The first head's look at one row."""
    return rows_by_hand(prefill(s.model(), s.prompt_ids).layers[0], at)[0]
