"""Common beliefs about attention and what comes out of it, each as a statement that is true or false of a drawn scenario.

Half the time the belief is put, half the time what holds instead; whether a statement holds is counted from the run, not known.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from engine.attention import softmax
from engine.compare import ROUNDING
from engine.counts import cached_counts, prefill_counts
from engine.prefill import prefill
from engine.toy.edits import set_value
from engine.toy.projection import averaged
from pages.lessons.quiz.task import Task, contexts_and_w, judged, looks_at, numbered, told, toy
from pages.parts.text.format import join, number, percent


def value_is_attention(rng: Random) -> Task | None:
    """Values decide where attention goes."""
    s = toy(rng, rng.choice(("all", "even", "window:3")))
    at, new = rng.randrange(len(s.tokens)), rng.randrange(50, 200)
    before, after = (prefill(x.model(), x.prompt_ids).layers[0] for x in (s, set_value(s, at, new)))
    moved = int((before.weights != after.weights).sum())
    contexts = int((before.context != after.context).sum())
    said = f"{looks_at(s.rules[0])}. Prompt: {told(s)}. When the value of “{s.tokens[at]}” goes to {new},"
    return judged(
        rng,
        (f"{said} attention weights change.", moved > 0), (f"{said} no attention weight changes.", moved == 0),
        f"Counted: {moved} weights moved, {contexts} context{'s' * (contexts != 1)} did. Weights come from queries and keys; "
        "values only pass through them.",
    )  # fmt: skip


def small_values_get_less(rng: Random) -> Task | None:
    """Words of little meaning get less attention."""
    s = toy(rng, "all")
    low, high = int(np.argmin(s.values)), int(np.argmax(s.values))
    w = prefill(s.model(), s.prompt_ids).layers[0].weights[0, -1]
    said = (
        f"A head that looks at every token; prompt: {told(s)}. In the last row “{s.tokens[low]}”, the smallest value, gets "
        f"{{}} “{s.tokens[high]}”, the largest."
    )
    return judged(
        rng,
        (said.format("less weight than"), bool(w[low] < w[high] - ROUNDING)),
        (said.format("the same weight as"), bool(abs(w[low] - w[high]) <= ROUNDING)),
        f"Both get {number(w[low], 4)}. The rule decides about weights, in a trained model learned queries and keys; a "
        "token’s value has no say.",
    )  # fmt: skip


def mask_after_softmax(rng: Random) -> Task | None:
    """The mask may as well come after softmax."""
    n = rng.randrange(3, 7)
    scores, at = [rng.randrange(-3, 4) for _ in range(n)], rng.randrange(1, n - 1)
    left = float(softmax(np.array(scores, float))[: at + 1].sum())
    hidden = f"the last {n - at - 1} are" if n - at > 2 else "the last one is"
    said = (
        f"A row has the scores {join([number(x) for x in scores])}; {hidden} hidden. Softmax runs over all, "
        f"and what is hidden is set to 0 afterwards. The weights {{}}."
    )
    return judged(
        rng, (said.format("still sum to 1"), abs(left - 1) < ROUNDING), (said.format("sum to less than 1"), left < 1 - ROUNDING),
        f"They sum to {number(left, 3)}: the hidden ones took part in the sum that everybody is divided by. So the mask "
        "comes first, as −∞.",
    )  # fmt: skip


def softmax_picks_one(rng: Random) -> Task | None:
    """Softmax gives everything to the largest score."""
    scores = rng.sample(range(-3, 4), 3)
    w = softmax(np.array(scores, float))
    top = float(w.max())
    if top > 0.99:
        return None
    said = f"Of three keys with the scores {join([number(x) for x in scores])}, softmax gives the key with the largest score"
    return judged(
        rng, (f"{said} all of the weight.", top > 0.9995), (f"{said} a part of the weight, and the others the rest.", top < 0.9995),
        f"It gives {join([percent(x) for x in w])}. Softmax is soft: only where scores lie far apart does one take nearly all.",
    )  # fmt: skip


def parallel_saves_products(rng: Random) -> Task | None:
    """One pass over the prompt does less than token by token."""
    p = rng.randrange(4, 100)
    at_once, one_by_one = prefill_counts(p).scores, cached_counts(1, p).scores
    said = f"Reading {p} tokens in one causal pass takes {{}} feeding them one by one behind a cache."
    return judged(
        rng,
        (said.format("fewer visible query · key products than"), at_once < one_by_one),
        (said.format("as many visible query · key products as"), at_once == one_by_one),
        f"Both ways {at_once:,}: the row of token i has i of them, whenever it is computed. One pass takes fewer steps, not "
        "less arithmetic.",
    )  # fmt: skip


def without_a_mask_all_rows_change(rng: Random) -> Task | None:
    """Every row is another one without the mask."""
    n = rng.randrange(3, 15)
    s = numbered(rng, n, "all")
    on, off = (prefill(x.model(), x.prompt_ids).layers[0].weights for x in (s, replace(s, causal=False)))
    changed = int((on != off).any(axis=(0, 2)).sum())
    said = f"A head that looks at every token, {n} tokens. When the mask is switched off, the weights of {{}} change."
    return judged(
        rng, (said.format(f"all {n} rows"), changed == n), (said.format(f"{n - 1} of the {n} rows"), changed == n - 1),
        f"Counted: {changed}. The last row has nothing behind it that the mask could hide.",
    )  # fmt: skip


def every_token_sees_every_other(rng: Random) -> Task | None:
    """In prefill each token attends to every other."""
    n = rng.randrange(3, 17)
    s = numbered(rng, n, "all")
    seen = int(prefill(s.model(), s.prompt_ids).layers[0].mask[0].sum())
    said = f"In a causal prefill of {n} tokens, {{}} query–key pairs may see each other, a token and itself included."
    return judged(
        rng, (said.format(n * n), seen == n * n), (said.format(n * (n + 1) // 2), seen == n * (n + 1) // 2),
        f"Counted: {seen}. A token sees itself and what comes before it: {n} · {n + 1} / 2, not {n}².",
    )  # fmt: skip


def logits_are_chances(rng: Random) -> Task | None:
    """Logits are probabilities."""
    s = toy(rng, "self", "first", "all")
    logits = prefill(s.model(), s.prompt_ids).logits[-1]
    said = f"Three words have the logits {join([number(x, 3) for x in logits])}. {{}}"
    one = abs(float(logits.sum()) - 1) < ROUNDING
    return judged(
        rng, (said.format("These are their probabilities."), one), (said.format("Softmax has yet to make probabilities of "
        "them."), not one),
        f"They sum to {number(logits.sum(), 3)}; probabilities sum to 1. Only the order is the same in both.",
    )  # fmt: skip


def heads_are_averaged(rng: Random) -> Task | None:
    """The heads' outputs are averaged."""
    s = toy(rng, "self", "first", "all")
    context, w = prefill(s.model(), s.prompt_ids).layers[0].context[:, -1, 0], np.array(s.w_vocab)
    apart = float(np.abs(averaged(context) @ w - context @ w).max())
    if apart < 0.1:
        return None
    said = f"{contexts_and_w(s, context)} If each context is replaced by their mean, {number(context.mean())}, the logits {{}}."
    return judged(
        rng, (said.format("stay the same"), apart < ROUNDING), (said.format("change"), apart > ROUNDING),
        f"One moves by {number(apart)}. Heads stand side by side and W weighs each by itself; an average would throw that "
        "away.",
    )  # fmt: skip


def attention_finds_the_word(rng: Random) -> Task | None:
    """Attention alone finds the word that fits."""
    s = toy(rng, "self", "first", "all")
    run, w = prefill(s.model(), s.prompt_ids), np.array(s.w_vocab)
    best, least = int(run.logits[-1].argmax()), int(run.logits[-1].argmin())
    w[:, [best, least]] = w[:, [least, best]]
    after = prefill((other := replace(s, w_vocab=tuple(map(tuple, w.tolist())))).model(), other.prompt_ids)
    winner, moved = int(after.logits[-1].argmax()), int((after.layers[0].weights != run.layers[0].weights).sum())
    if np.ptp(run.logits[-1]) < 0.1:
        return None
    said = (
        f"The toy says “{s.words[best]}”. The columns of “{s.words[best]}” and “{s.words[least]}” in W are exchanged, and no "
        f"weight moves. {{}}"
    )
    return judged(
        rng,
        (said.format("It still says the same word, since attention is the same."), winner == best),
        (said.format("It now says another word."), winner != best and moved == 0),
        f"Counted: {moved} weights moved, and the next word is “{s.words[winner]}”. Attention says which values arrive; W "
        "says what they speak for.",
    )  # fmt: skip
