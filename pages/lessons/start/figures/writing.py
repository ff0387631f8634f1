"""The first screen's drawing as plain data: one row of one head a token, its key and value, and the chances after every pass.

The browser (writing.js) plays it without asking again, so all of it is sent once, rounded to what can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.cache import Cache
from engine.decode import Generation
from engine.sampling import probabilities
from engine.trained.tokenizer import JOINED_TO_THE_LEFT
from pages.parts.drawing.palette import DARK, LIGHT
from pages.parts.text.format import percent

N_CHANCES = 5  # words of which a chance is shown, the one drawn included
LEAST = 0.0005  # a chance below it is shown of the drawn word only
FAR = 2  # a look at least so many words back is a look back; to itself or the word before is none
MOST_LETTERS = 18  # of a word at the edge of the map


def writing(
    made: Generation, cache: Cache, words: Sequence[str], vocabulary: Sequence[str], temperature: float
) -> dict[str, object]:
    """What the browser draws. words: of all tokens that passed through the model, the prompt's first; vocabulary: of all ids.

    The token that the last pass chose is shown among its chances only: it has not been fed back.
    """
    n_prompt, n = made.passes[0].n_new, len(words)
    weights = rows_of(made, n)
    layer, head = weights.shape[0] - 1, most_varied(weights[-1])
    kv_head = head // (weights.shape[1] // cache.k.shape[1])
    labels = ["start", *words[1:]]
    return {
        "words": [shortened(word) for word in labels],
        "spaces": [" " if k > 1 and JOINED_TO_THE_LEFT.sub("", f" {word}")[:1] == " " else "" for k, word in enumerate(labels)],
        "n_prompt": n_prompt,
        "rows": [np.round(row[: i + 1], 3).tolist() for i, row in enumerate(weights[layer, head])],
        "keys": strips(cache.k[layer, kv_head]),
        "values": strips(cache.v[layer, kv_head]),
        "chances": [
            chances(run.logits[-1], chosen, vocabulary, temperature)
            for run, chosen in zip(made.passes, made.token_ids, strict=True)
        ],
        "labels": frame_names(labels, n_prompt),
        "head": f"layer {layer + 1}, head {head + 1}",
        "n_heads": weights.shape[1],
        "alt": in_words(labels, n_prompt, weights[layer, head], f"layer {layer + 1}, head {head + 1}"),
    }


def rows_of(made: Generation, n: int) -> np.ndarray:
    """The weights of every head, pass under pass, 0 where a row cannot see: (n_layer, n_head, n, n)."""
    first = made.passes[0].layers
    found = np.zeros((len(first), len(first[0].weights), n, n))
    for run in made.passes:
        rows = slice(run.n_past, run.n_past + run.n_new)
        for layer, seen in enumerate(run.layers):
            found[layer, :, rows, : run.n_past + run.n_new] = seen.weights
    return found


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
    sizes = np.abs(vectors.astype(np.float64))
    return np.round(sizes / max(sizes.max(), 1e-30), 2).tolist()


def chances(logits: np.ndarray, chosen: int, vocabulary: Sequence[str], temperature: float) -> list[list]:
    """[word, chance as text, chance, whether it was drawn], the likeliest first, the drawn one always among them."""
    probs = probabilities(logits, temperature)
    best = [int(i) for i in np.argsort(-probs, kind="stable")[:N_CHANCES]]
    shown = best if chosen in best else [*best[:-1], chosen]
    shown = [i for i in shown if probs[i] >= LEAST or i == chosen]
    return [[vocabulary[i], percent(float(probs[i])), round(float(probs[i]), 4), i == chosen] for i in shown]


def frame_names(words: Sequence[str], n_prompt: int) -> list[str]:
    """What the slider says of each frame: the prompt, prefill, then a decode step a word."""
    tokens = f"{n_prompt} tokens, one pass" if n_prompt > 1 else "1 token, one pass"
    n_steps = len(words) - n_prompt
    steps = [f"decode, step {k} of {n_steps}: “{shortened(word)}”, one row" for k, word in enumerate(words[n_prompt:], 1)]
    return ["the prompt", f"prefill: {tokens}", *steps]


def in_words(words: Sequence[str], n_prompt: int, weights: np.ndarray, head: str) -> str:
    """The drawing as a text alternative."""
    said = [
        f"“{shortened(word)}” looks most at “{shortened(words[int(row.argmax())])}”"
        for word, row in zip(words[n_prompt:], weights[n_prompt:], strict=True)
    ]
    prompt, answer = (" ".join(map(shortened, part)) for part in (words[1:n_prompt], words[n_prompt:]))
    return (
        f"The model reads the prompt “{prompt}” in one pass, {n_prompt} rows of attention weights at once, then writes "
        f"one word a pass: “{answer}”. Each word adds one row of weights, and its key and value to the cache. In {head}: "
        f"{'; '.join(said)}."
    )


def shortened(word: str) -> str:
    """A word as it fits beside the map."""
    return word if len(word) <= MOST_LETTERS else word[: MOST_LETTERS - 1] + "…"


def colours() -> str:
    """The palette as CSS variables that follow the theme."""
    names = ("prefill", "decode", "key", "value", "hole", "muted", "ink", "surface", "bar")
    pairs = "".join(f"--{name}: light-dark({getattr(LIGHT, name)}, {getattr(DARK, name)}); " for name in names)
    return f".tbt-start, .tbt-writing {{ {pairs}}}\n"
