"""Common beliefs about attention and what comes out of it, each as a statement that is true or false of a drawn scenario.

Half the time the belief is put, half the time what holds instead; whether a statement holds is counted from the run, not known.
Where the claims court has the belief too, its experiment does the counting, and what is said afterwards is its own.
"""

from random import Random

import numpy as np

from engine.attention import causal_mask, softmax
from engine.claims import CLAIMS as COURT
from engine.claims.finding import READABLE
from engine.compare import ROUNDING, largest_gap
from engine.counts import cached_counts, prefill_counts
from engine.prefill import prefill
from engine.toy.edits import set_value
from pages.lessons.quiz.figures.amounts import Bars, Product, Tiles
from pages.lessons.quiz.figures.tokens import WHETHER, Pairs, Words
from pages.lessons.quiz.task import Task, contexts_and_w, looks_at, numbered, pairs_of, prompt_values, toy, true_or_false
from pages.lessons.quiz.toy_masks import rows_that_change
from pages.parts.text.claims import CLAIMS
from pages.parts.text.format import join, number, percent, quantity


def value_is_attention(rng: Random) -> Task | None:
    s = toy(rng, rng.choice(("all", "even", "window:3")))
    at, new = rng.randrange(len(s.tokens)), rng.randrange(50, 200)
    before, after = (prefill(x.model(), x.prompt_ids).layers[0] for x in (s, set_value(s, at, new)))
    moved = int((before.weights != after.weights).sum())
    contexts = int((np.abs(before.context - after.context) > READABLE).sum())  # not what softmax leaks
    sentence = f"{looks_at(s.rules[0])}. Prompt: {prompt_values(s)}. When the value of “{s.tokens[at]}” goes to {new}, {{}}."
    return true_or_false(
        rng, sentence, ("attention weights change", moved > 0), ("no attention weight changes", moved == 0),
        f"Counted: {moved} weights moved, {quantity(contexts, 'context')} did. Weights come from queries and keys; "
        "values only pass through them.",
        given=Words(s.tokens, s.values, at, f"goes to {new}", asks=WHETHER),
    )  # fmt: skip


def small_values_get_less(rng: Random) -> Task | None:
    s = toy(rng, "all")
    low, high = int(np.argmin(s.values)), int(np.argmax(s.values))
    w = prefill(s.model(), s.prompt_ids).layers[0].weights[0, -1]
    sentence = (
        f"A head that looks at every token; prompt: {prompt_values(s)}. In the last row “{s.tokens[low]}”, the smallest value, gets "
        f"{{}} “{s.tokens[high]}”, the largest."
    )
    less, same = bool(w[low] < w[high] - ROUNDING), bool(abs(w[low] - w[high]) <= ROUNDING)
    return true_or_false(
        rng, sentence, ("less weight than", less), ("the same weight as", same),
        f"Both get {number(w[low], 4)}. The rule decides about weights, in a trained model learned queries and keys; a "
        "token’s value has no say.",
        given=Words(s.tokens, s.values, len(s.tokens) - 1, asks=WHETHER),
    )  # fmt: skip


def mask_after_softmax(rng: Random) -> Task | None:
    n = rng.randrange(3, 7)
    scores, at = [rng.randrange(-3, 4) for _ in range(n)], rng.randrange(1, n - 1)
    left = float(softmax(np.array(scores, float))[: at + 1].sum())
    if number(left, 3) == "1":  # what is missing is too little to be written
        return None
    hidden = f"the last {n - at - 1} are" if n - at > 2 else "the last one is"
    sentence = (
        f"A row has the scores {join([number(x) for x in scores])}; {hidden} hidden. Softmax runs over all, "
        f"and what is hidden is set to 0 afterwards. The weights {{}}."
    )
    return true_or_false(
        rng, sentence, ("still sum to 1", abs(left - 1) < ROUNDING), ("sum to less than 1", left < 1 - ROUNDING),
        f"They sum to {number(left, 3)}: what is hidden took part in the sum that everybody is divided by. So the mask "
        "comes first, as −∞.",
        given=Bars(_keys(n), tuple(scores), tuple(number(x) for x in scores), n - at - 1),
    )  # fmt: skip


def softmax_picks_one(rng: Random) -> Task | None:
    scores = rng.sample(range(-3, 4), 3)
    w = softmax(np.array(scores, float))
    top = float(w.max())
    if top > 0.99:
        return None
    return true_or_false(
        rng,
        f"Of three keys with the scores {join([number(x) for x in scores])}, softmax gives the key with the largest score {{}}.",
        ("all of the weight", top > 0.9995), ("a part of the weight, and the others the rest", top < 0.9995),
        f"It gives {join([percent(x) for x in w])}. Softmax is soft: only where scores lie far apart does one take nearly all.",
        given=Bars(_keys(3), tuple(scores), tuple(number(x) for x in scores)),
    )  # fmt: skip


def parallel_saves_products(rng: Random) -> Task | None:
    p = rng.randrange(4, 100)
    at_once, one_by_one = prefill_counts(p).scores, cached_counts(1, p).scores
    return true_or_false(
        rng,
        f"Reading {p} tokens in one causal pass takes {{}} feeding them one by one behind a cache.",
        ("fewer visible query · key products than", at_once < one_by_one),
        ("as many visible query · key products as", at_once == one_by_one),
        f"Both ways {at_once:,}: the row of token i has i of them, whenever it is computed. One pass takes fewer steps, not "
        "less arithmetic.",
        given=Pairs(p),
    )


def without_a_mask_all_rows_change(rng: Random) -> Task | None:
    n, changed = rows_that_change(rng)
    return true_or_false(
        rng, f"A head that looks at every token, {n} tokens. When the mask is switched off, the weights of {{}} change.",
        (f"all {n} rows", changed == n), (f"{n - 1} of the {n} rows", changed == n - 1),
        f"Counted: {changed}. The last row has nothing behind it that the mask could hide.",
        given=Pairs(n, counted=pairs_of(~causal_mask(n))),
    )  # fmt: skip


def every_token_sees_every_other(rng: Random) -> Task | None:
    n = rng.randrange(3, 17)
    finding = COURT["every_other"](numbered(rng, n, "all"))
    seen = finding["others"] + finding["itself"]
    return true_or_false(
        rng,
        f"In a causal prefill of {n} tokens the mask lets {{}} pairs of a query and a key through, those of a token with itself included.",
        (f"{n * n}", seen == n * n), (f"{n * (n + 1) // 2}", seen == n * (n + 1) // 2), CLAIMS["every_other"].why(finding),
        given=Pairs(n),
    )  # fmt: skip


def logits_are_chances(rng: Random) -> Task | None:
    finding = COURT["logits_are_chances"](toy(rng, "self", "first", "all"))
    return finding and true_or_false(
        rng, f"Three words have the logits {join([number(x, 3) for x in finding['logits']])}. {{}}",
        ("These are their probabilities.", finding.holds), ("Softmax has yet to make probabilities of them.", not finding.holds),
        CLAIMS["logits_are_chances"].why(finding),
        given=Bars(finding.scenario.words, tuple(finding["logits"]), tuple(number(x, 3) for x in finding["logits"])),
    )  # fmt: skip


def heads_are_averaged(rng: Random) -> Task | None:
    s = toy(rng, "self", "first", "all")
    finding = COURT["average"](s)
    if not finding or largest_gap(*(np.array(finding[name]) for name in ("averaged", "logits"))) < 0.1:
        return None
    context = prefill(s.model(), s.prompt_ids).layers[0].context[:, -1, 0]
    return true_or_false(
        rng, f"{contexts_and_w(s, context)} If each context is replaced by their mean, {number(finding['mean'])}, the logits {{}}.",
        ("stay the same", finding.holds), ("change", not finding.holds),
        f"With {number(finding['mean'])} in the place of each they are {join([number(x) for x in finding['averaged']])}; as the heads "
        f"have it, {join([number(x) for x in finding['logits']])}. Heads stand side by side, and a matrix weighs each by itself.",
        given=Product(tuple(context.tolist()), s.w_vocab, s.words),
    )  # fmt: skip


def attention_finds_the_word(rng: Random) -> Task | None:
    finding = COURT["attention_finds_the_word"](toy(rng, "self", "first", "all"))
    if not finding or np.ptp(finding["logits"]) < 0.1:
        return None
    best, least = finding["before"], finding.scenario.words[int(np.argmin(finding["logits"]))]
    return true_or_false(
        rng,
        f"The toy says “{best}”. The columns of “{best}” and “{least}” in W are exchanged, and no weight moves. {{}}",
        ("It still says the same word, since attention is the same.", finding.holds),
        ("It now says another word.", not finding.holds and finding["moved"] == 0), CLAIMS["attention_finds_the_word"].why(finding),
        given=Tiles((best, least), ("the toy says", "changes places with it in W")),
    )  # fmt: skip


def _keys(n: int) -> tuple[str, ...]:
    return tuple(f"key {k}" for k in range(1, n + 1))
