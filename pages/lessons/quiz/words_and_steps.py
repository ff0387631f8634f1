"""Questions about what comes out of the contexts, and about decode: logits, chances, the new row, the old rows."""

from dataclasses import replace
from random import Random

import numpy as np

from engine.cache import KVCache
from engine.compare import ROUNDING, row_gaps
from engine.decode import decode_step, generate, recompute
from engine.prefill import prefill
from engine.sampling import probabilities
from engine.toy.projection import averaged
from engine.toy.scenario import Scenario
from pages.lessons.quiz.figures.amounts import Bars, Product, Tiles
from pages.lessons.quiz.figures.tokens import Pairs, Strip
from pages.lessons.quiz.task import (
    Task,
    choice,
    contexts_and_w,
    looks_at,
    mean_of,
    new_pairs,
    numbered,
    prompt_values,
    toy,
    with_word,
)
from pages.parts.text.format import join, number, percent, quantity

HEADS = ("self", "first", "all")
LEAKED = 1e-3  # more than softmax leaks of such contexts: words that are no farther apart are level


def next_word(rng: Random) -> Task | None:
    s = toy(rng, *HEADS)
    context, w, logits = _last(s)
    best = int(logits.argmax())
    if np.sort(logits)[-1] - np.sort(logits)[-2] < 0.3:
        return None
    mistakes = [
        (averaged(context) @ w, "It would win if the contexts were averaged; each head has its own row of W."),
        ((context[:, None] * w).max(axis=0), "It has the largest single product; a logit is the sum over all heads."),
        (w.sum(axis=0), "It has the largest numbers in W; they are multiplied by the contexts first."),
    ]
    wrong = []
    for word in (j for j in range(len(s.words)) if j != best):
        lost = f"Its logit is {number(logits[word], 3)}, less than {number(logits[best], 3)}."
        slip = next((said for scores, said in mistakes if scores[word] > np.delete(scores, word).max() + LEAKED), "")
        wrong.append((s.words[word], f"{lost} {slip}".strip()))
    return choice(
        rng,
        f"{contexts_and_w(s, context)} Which word is the likeliest?",
        s.words[best],
        f"{_sum(s, context, w, best)}; "
        f"{join([f'“{s.words[j]}” {number(logits[j], 3)}' for j in range(len(s.words)) if j != best])}. "
        "The largest logit has the largest chance.",
        wrong,
        given=_beside_w(s, context, "likeliest word"),
    )


def logit(rng: Random) -> Task | None:
    s = toy(rng, *HEADS)
    context, w, logits = _last(s)
    word = rng.randrange(len(s.words))
    other = (word + 1) % len(s.words)
    return choice(
        rng,
        f"{contexts_and_w(s, context)} What is the logit of “{s.words[word]}”?",
        number(logits[word], 3),
        f"{_sum(s, context, w, word)}.",
        [
            (number((averaged(context) @ w)[word], 3), "That averages the contexts first; each head has its own number in W."),
            (number(logits[word] / len(context), 3), "That divides by the number of heads; a logit is the sum."),
            (number(context.sum(), 3), "That leaves W out."),
            (number(logits[other], 3), f"That is the logit of “{s.words[other]}”."),
        ],
        given=_beside_w(s, context, f"logit of “{s.words[word]}”"),
    )


def numbers_in_w(rng: Random) -> Task | None:
    n_head, n_word = rng.randrange(2, 9), rng.randrange(3, 13)
    s = Scenario(
        ["t1"], [1], ["all"] * n_head, [f"w{j}" for j in range(n_word)], [1] * n_word, [[0.5] * n_word for _ in range(n_head)]
    )
    return choice(
        rng,
        f"{n_head} heads give one context each, and there are {n_word} candidate words. How many numbers does W hold?",
        str(np.array(s.w_vocab).size),
        f"A number a head for each word: {n_head} · {n_word}.",
        [
            (str(n_word), "That is one number a word. W weighs each head by itself, it does not take their mean."),
            (str(n_head), "That is one number a head, and then all words would have the same logit."),
            (str(n_head + n_word), "That adds the two; each head has a number for every word."),
        ],
        given=Tiles((str(n_head), str(n_word)), ("heads", "candidate words"), (n_head, n_word), asks="numbers in W"),
    )


def chance(rng: Random) -> Task | None:
    """A probability from two logits and a temperature."""
    low = rng.randrange(1, 40) / 10
    high, t = round(low + rng.randrange(5, 31) / 10, 1), rng.choice((0.5, 1.0, 2.0))
    computed = float(probabilities(np.array([high, low]), t)[0])
    plain, turned = (float(probabilities(np.array([high, low]), x)[0]) for x in (1.0, 1 / t))
    wrong = [
        (percent(high / (high + low)), "That is its share of the logits; softmax takes exponentials first."),
        (percent(1 - computed), "That is the chance of the other word."),
        (percent(plain), "That leaves the temperature out."),
        (percent(turned), "That multiplies by the temperature; the logits are divided by it."),
        ("100.0%", "That is greedy choice. Softmax leaves the other word a chance."),
    ]
    gap = (high - low) / t
    return choice(
        rng,
        f"Two candidate words have the logits {number(high)} and {number(low)}; the temperature is {number(t)}. How likely is "
        "the first?",
        percent(computed),
        f"Their difference by the temperature is {number(gap, 3)}, and 1 / (1 + e to the power −{number(gap, 3)}) = "
        f"{percent(computed)}.",
        wrong if t == 1 else [wrong[0], *wrong[2:4], wrong[1]],
        given=Bars(("first word", "second word"), (high, low), (number(high), number(low)), asks="chance of the first"),
    )


def computed_rows(rng: Random) -> Task | None:
    p, step = rng.randrange(3, 17), rng.randrange(1, 12)
    s = numbered(rng, p, "all")
    counts = generate(s.model(), s.prompt_ids, step + 1).passes[step].counts
    n = p + step
    return choice(
        rng,
        f"A prompt of {p} tokens. With a KV cache, what does decode step {step} compute in each head, so that {n} tokens have "
        "passed through the model?",
        _rows(counts.query_rows, counts.kv_rows),
        f"The new token alone is computed: its query, its key, its value. The {n - 1} older keys and values are read from "
        "the cache.",
        [
            (_rows(1, 0), "The new token’s own key and value are computed too, and kept: later tokens will need them."),
            (_rows(1, n), "That computes all keys and values again, which the cache spares."),
            (_rows(n, n), "That is a step without a cache: the whole sequence again."),
        ],
        given=Strip(p, step, f"fed by step {step}", asks=f"computed in step {step}"),
    )


def new_context(rng: Random) -> Task | None:
    s = toy(rng, rng.choice(("all", "even", "odd", "window:2", "window:3")))
    model, word, n = s.model(), rng.randrange(3), len(s.tokens)
    cache = KVCache.for_model(model, n + 1)
    before = prefill(model, s.prompt_ids, cache).layers[0]
    layer = decode_step(model, word, cache).layers[0]
    values = layer.v[0, :, 0]
    seen = np.flatnonzero(layer.scores[0, 0] > 0)
    if not seen.size:
        return None
    old = [j for j in seen if j < n]
    return choice(
        rng,
        f"{looks_at(s.rules[0])}. Prompt: {prompt_values(s)}. Then “{s.words[word]}” is decoded, with the value {number(values[-1])}. "
        "What is the head’s context in the new row?",
        number(layer.context[0, 0, 0]),
        f"The new token stands at position {n + 1}. Its row sees {join([f'“{(*s.tokens, s.words[word])[j]}”' for j in seen])}: "
        f"{mean_of(values[seen])}.",
        [
            (number(values[old].mean() if old else 0.0), "That leaves the new token out: it sees itself, and its value is "
            "in the cache by then."),
            (number(before.context[0, -1, 0]), "That is the row before, of the prompt’s last token."),
            (number(values[seen].sum()), "That adds the values up. Weights share out 1, so a context is an average."),
            (number(values[-1]), "That is the new token’s own value."),
        ],
        given=with_word(s, word),
    )  # fmt: skip


def old_rows(rng: Random) -> Task | None:
    """How many old rows change when a token is appended, with the mask or without."""
    n = rng.randrange(3, 15)
    s = replace(numbered(rng, n, "all"), causal=rng.random() < 0.6)
    model = s.model()
    word = rng.randrange(3)
    before, after = recompute(model, s.prompt_ids), recompute(model, (*s.prompt_ids, word))
    changed = int((row_gaps(before, after) > ROUNDING).sum())
    mask = "on" if s.causal else "**off**"
    return choice(
        rng,
        f"A prompt of {n} tokens, a head that looks at every token, the causal mask {mask}. A word is appended and everything is "
        f"computed again. In how many of the first {n} rows do weights change?",
        str(changed),
        "The mask hides the new token from every older row: each comes out as before, so nothing need be computed again."
        if s.causal
        else "Without the mask every row sees the new token and shares its weight with it: each has to be computed again.",
        [
            (str(n), "That is what happens without the mask; with it no older row sees the new token."),
            ("0", "That is what the mask is for; without it every row sees the new token."),
            ("1", "The last row of the prompt is an older row like the others."),
            (str(n - 1), "All older rows are alike: either the mask hides the new token from them or it does not."),
        ],
        given=Pairs(n + 1, counted=new_pairs(n, s.causal), asks="old rows that change"),
    )


def _last(s: Scenario) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The last row's contexts, W, and the logits."""
    run = prefill(s.model(), s.prompt_ids)
    return run.layers[0].context[:, -1, 0], np.array(s.w_vocab), run.logits[-1]


def _sum(s: Scenario, context: np.ndarray, w: np.ndarray, word: int) -> str:
    """A logit written out."""
    parts = " + ".join(f"{number(c)} · {number(x)}" for c, x in zip(context, w[:, word], strict=True))
    return f"“{s.words[word]}”: {parts} = {number(float(context @ w[:, word]), 3)}"


def _beside_w(s: Scenario, context: np.ndarray, asks: str) -> Product:
    return Product(tuple(context.tolist()), s.w_vocab, s.words, asks)


def _rows(queries: int, kv: int) -> str:
    return f"{quantity(queries, 'query')} and {quantity(kv, 'key-value pair')}"
