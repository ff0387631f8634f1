"""Questions about one row of a prompt: its context by hand, its weights and scores, and what it gives where nothing matches."""

from dataclasses import replace
from random import Random

import numpy as np

from engine.attention import attention, causal_mask, masked_softmax
from engine.prefill import prefill
from engine.toy.by_hand import rows_by_hand
from engine.toy.scenario import Scenario
from pages.lessons.quiz.figures.amounts import Bars, Tiles
from pages.lessons.quiz.figures.tokens import Words
from pages.lessons.quiz.task import Task, choice, looks_at, mean_of, prompt_values, toy
from pages.parts.text.digits import weight
from pages.parts.text.format import join, number

ROW_RULES = ("even", "odd", "all", "window:2", "window:3")
OTHER = {"even": "odd", "odd": "even"}


def context(rng: Random) -> Task | None:
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
        given=Words(s.tokens, s.values, at),
    )


def one_weight(rng: Random) -> Task | None:
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
        given=Words(s.tokens, s.values, at, asks=f"weight on “{s.tokens[to]}”"),
    )


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
        given=Tiles((number(product), number(d_head)), ("q · k", "d_head"), asks="score"),
    )


def ratio(rng: Random) -> Task | None:
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
        given=Bars(("first key", "second key"), (high, low), (number(high), number(low)), asks="times the weight"),
    )


def empty_context(rng: Random) -> Task | None:
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
        given=Words(s.tokens, s.values, at),
    )


def _row(s: Scenario, at: int):
    """The first head's look at one row."""
    return rows_by_hand(prefill(s.model(), s.prompt_ids).layers[0], at)[0]
