"""The machine at work, as plain data: what every pass computes, from a token to the next word, for one head of the last layer.

A token is one row through everything: its query, key and value, its scores, what the mask leaves of them, its weights and its
context. The browser (parts/lesson/machine/machine.js) draws and plays it without asking again, so all of it is sent once, rounded
to what can be seen.
"""

from collections.abc import Sequence

import numpy as np

from engine.attention import Attention
from engine.decode import Generation
from engine.sampling import best_first, probabilities
from engine.trained.tokenizer import JOINED_TO_THE_LEFT
from pages.parts.text.digits import context_of
from pages.parts.text.format import entered, join, number, percent, quantity

N_CHANCES = 5  # words of which a chance is shown, the one drawn included
LEAST = 0.0005  # a chance below it is shown of the drawn word only
FAR = 2  # a look at least so many words back is a look back; to itself or the word before is none
MOST_LETTERS = 18  # of a word at the edge of the map


def machine(
    made: Generation, words: Sequence[str], vocabulary: Sequence[str], temperature: float,
    head: str = "", marked: bool = False, chances_of: str = "and its chance",
) -> dict[str, object]:  # fmt: skip
    """What the browser draws. words: of all tokens that passed through the model, the prompt's first; vocabulary: of all ids.

    The token that the last pass chose is shown among its chances, and beside the row that it would be: it has not been fed back.
    head: names the head that is drawn, see `most_varied`; else its layer and number do. marked: whether the first token marks the
    beginning and is no word. chances_of: what is said beneath “next word”.
    """
    n_prompt, n = made.passes[0].n_new, len(words)
    weights = rows_of(made, n)
    layer, best = weights.shape[0] - 1, most_varied(weights[-1])
    parts = [run.layers[layer] for run in made.passes]
    labels, name = list(words), head or f"layer {layer + 1}, head {best + 1}"
    return {
        "words": [shortened(word) for word in labels],
        "spaces": [
            " " if k > marked and JOINED_TO_THE_LEFT.sub("", f" {word}")[:1] == " " else "" for k, word in enumerate(labels)
        ],
        "n_prompt": n_prompt,
        "marked": marked,
        **columns(parts, best),
        "passes": [[run.counts.kv_rows, run.counts.scores, run.n_past + run.n_new] for run in made.passes],
        "chances": [
            chances(run.logits[-1], chosen, vocabulary, temperature)
            for run, chosen in zip(made.passes, (*made.token_ids, None), strict=False)
        ],
        "chosen": [shortened(vocabulary[token]) for token in made.token_ids],
        "labels": frame_names(labels, n_prompt),
        "next": chances_of,
        "head": name,
        "n_heads": weights.shape[1],
        "alt": in_words(labels, n_prompt, weights[layer, best], name, marked),
    }


def columns(parts: Sequence[Attention], head: int) -> dict[str, list]:
    """Every row of one head, column by column, as the pass that computed it had it. parts: the layer in each pass.

    queries, keys, values, contexts: sizes from 0 to 1; scores: of every key that there was, against the largest; seen: how many
    keys the mask leaves a row; rows: their weights, and those of hidden keys to which some leaks; mask: what it does. said: the
    numbers themselves where key and value are short enough to be read, else none.
    """
    last, group = parts[-1], parts[-1].kv_head(head)
    rows = [(part, i) for part in parts for i in range(part.scores.shape[1])]
    queries, short = np.concatenate([part.q[head] for part in parts]), last.v.shape[2] == 1
    largest = max(float(np.abs(part.scores[head]).max(initial=0)) for part in parts) or 1.0
    seen = [_up_to_the_last(part.mask[head, i]) for part, i in rows]
    leaks = [_up_to_the_last(np.nan_to_num(part.weights[head, i])) for part, i in rows]  # as far as something does to hidden keys
    weighed = list(map(max, seen, leaks))
    keys = strips(last.k[group])
    if short:  # a rule's row is + where it looks and − elsewhere, at every place that a token may have: drawn where there is one
        queries = np.maximum(queries, 0)[:, : len(keys[0])]
    drawn = {
        "queries": strips(queries),
        "keys": keys,
        "values": strips(last.v[group]),
        "scores": [np.round(np.nan_to_num(part.scores[head, i] / largest), 2).tolist() for part, i in rows],
        "rows": [
            np.round(np.nan_to_num(part.weights[head, i, :m]), 3).tolist() for (part, i), m in zip(rows, weighed, strict=True)
        ],
        "seen": seen,
        "mask": "nothing later" if any((~part.mask[head]).any() for part in parts) else "hides nothing",
        "contexts": strips(np.concatenate([part.context[head] for part in parts])),
        "said": [],
    }
    if short:
        drawn["said"] = [
            {
                "value": entered(float(last.v[group, k, 0])),
                "scores": [number(x, 1, sign=True) for x in part.scores[head, i].tolist()],
                "weights": [
                    "" if part.empty[head, i] else number(x).replace("0.", ".") for x in part.weights[head, i, :m].tolist()
                ],
                "context": context_of(part, head, i),
            }
            for k, ((part, i), m) in enumerate(zip(rows, weighed, strict=True))
        ]
    return drawn


def _up_to_the_last(some: np.ndarray) -> int:
    """How many of a row are drawn: up to the last that is there. some: (n,), 0 or False where nothing is."""
    return int(np.flatnonzero(some).max(initial=-1)) + 1


def rows_of(made: Generation, n: int) -> np.ndarray:
    """The weights of every head, pass under pass, 0 where a row cannot see: (n_layer, n_head, n, n)."""
    first = made.passes[0].layers
    weights = np.zeros((len(first), len(first[0].weights), n, n))
    for run in made.passes:
        rows = slice(run.n_past, run.n_past + run.n_new)
        for layer, seen in enumerate(run.layers):
            weights[layer, :, rows, : run.n_past + run.n_new] = np.nan_to_num(seen.weights)
    return weights


def most_varied(weights: np.ndarray) -> int:
    """The head whose rows look most at the most different words further back, the first of equals: (n_head, n, n) -> its index.

    >>> copy, far = np.eye(4), np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0]])
    >>> most_varied(np.stack([copy, far]))
    1
    """
    targets = weights.argmax(axis=-1)
    back = np.arange(weights.shape[-1]) - targets >= FAR
    return int(np.argmax([len(set(target[far].tolist())) for target, far in zip(targets, back, strict=True)]))


def strips(vectors: np.ndarray) -> list[list[float]]:
    """The size of every number of every vector, against the largest of all: (n, d) -> n lists of d, from 0 to 1."""
    sizes = np.nan_to_num(np.abs(vectors.astype(np.float64)))
    sizes = sizes[:, : max(np.flatnonzero(sizes.any(axis=0)), default=0) + 1]  # a code of positions ends at the last that is used
    return np.round(sizes / max(sizes.max(), 1e-30), 2).tolist()


def chances(logits: np.ndarray, chosen: int | None, vocabulary: Sequence[str], temperature: float) -> list[list]:
    """[word, chance as text, chance, whether it was drawn], the likeliest first, the drawn one always among them.

    None at all where a logit is not a number.
    """
    if not np.isfinite(logits).all():
        return []
    probs = probabilities(logits, temperature)
    best = best_first(probs, N_CHANCES)
    shown = best if chosen in best else [*best[:-1], chosen]
    shown = [i for i in shown if probs[i] >= LEAST or i == chosen]
    return [[vocabulary[i], percent(float(probs[i])), round(float(probs[i]), 4), i == chosen] for i in shown]


def frame_names(words: Sequence[str], n_prompt: int) -> list[str]:
    """What the slider says of each frame: the prompt, prefill, then a decode step a word."""
    tokens = f"{n_prompt} tokens, one pass" if n_prompt > 1 else "1 token, one pass"
    n_steps = len(words) - n_prompt
    steps = [f"decode, step {k} of {n_steps}: “{shortened(word)}”, one row" for k, word in enumerate(words[n_prompt:], 1)]
    return ["the prompt", f"prefill: {tokens}", *steps]


def _looks(row: np.ndarray, words: Sequence[str]) -> str:
    """At which tokens a row looks most: one, or several with the same weight."""
    if np.isnan(row).any():
        return "has no weight that is a number"
    if not row.any():
        return "looks at none"
    most = [f"“{shortened(words[j])}”" for j in np.flatnonzero(row >= row.max() - 1e-6)]
    return f"looks most at {most[0]}" if len(most) == 1 else f"looks most, and alike, at {join(most)}"


def in_words(words: Sequence[str], n_prompt: int, weights: np.ndarray, head: str, marked: bool) -> str:
    """The drawing as a text alternative."""
    said = [f"“{shortened(word)}” {_looks(row, words)}" for word, row in zip(words[n_prompt:], weights[n_prompt:], strict=True)]
    prompt, answer = (" ".join(map(shortened, part)) for part in (words[marked:n_prompt], words[n_prompt:]))
    return (
        f"The model reads the prompt “{prompt}” in one pass, {quantity(n_prompt, 'row')} of attention weights at once, then writes "
        f"one word a pass: “{answer}”. Each word adds one row of weights, and its key and value to the cache. In {head}: "
        f"{'; '.join(said)}."
    )


def shortened(word: str) -> str:
    """A word as it fits beside the map."""
    return word if len(word) <= MOST_LETTERS else word[: MOST_LETTERS - 1] + "…"
