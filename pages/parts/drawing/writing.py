"""An answer being written, as plain data: one row of one head a token, its key and value, and the chances after every pass.

The browser (parts/lesson/motion/writing.js) plays it without asking again, so all of it is sent once, rounded to what can be seen.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from engine.decode import Generation
from engine.sampling import probabilities
from engine.trained.tokenizer import JOINED_TO_THE_LEFT
from pages.parts.text.format import percent

N_CHANCES = 5  # words of which a chance is shown, the one drawn included
LEAST = 0.0005  # a chance below it is shown of the drawn word only
FAR = 2  # a look at least so many words back is a look back; to itself or the word before is none
MOST_LETTERS = 18  # of a word at the edge of the map


def writing(
    made: Generation, words: Sequence[str], vocabulary: Sequence[str], temperature: float,
    head: str = "", marked: bool = False, chances_of: str = "next word",
) -> dict[str, object]:  # fmt: skip
    """What the browser draws. words: of all tokens that passed through the model, the prompt's first; vocabulary: of all ids.

    The token that the last pass chose is shown among its chances only: it has not been fed back. head: names the head that is
    drawn, see `most_varied`; else its layer and number do. marked: whether the first token marks the beginning and is no word.
    chances_of: what stands above the chances.
    """
    n_prompt, n = made.passes[0].n_new, len(words)
    weights = rows_of(made, n)
    layer, best = weights.shape[0] - 1, most_varied(weights[-1])
    last = made.passes[-1].layers[layer]
    labels, name = list(words), head or f"layer {layer + 1}, head {best + 1}"
    return {
        "words": [shortened(word) for word in labels],
        "spaces": [
            " " if k > marked and JOINED_TO_THE_LEFT.sub("", f" {word}")[:1] == " " else "" for k, word in enumerate(labels)
        ],
        "n_prompt": n_prompt,
        "marked": marked,
        "rows": [seen_part(row, i) for i, row in enumerate(weights[layer, best])],
        "keys": strips(last.k[last.kv_head(best)]),
        "values": strips(last.v[last.kv_head(best)]),
        "chances": [
            chances(run.logits[-1], chosen, vocabulary, temperature)
            for run, chosen in zip(made.passes, (*made.token_ids, None), strict=False)
        ],
        "labels": frame_names(labels, n_prompt),
        "next": chances_of,
        "head": name,
        "n_heads": weights.shape[1],
        "alt": in_words(labels, n_prompt, weights[layer, best], name, marked),
    }


def seen_part(row: np.ndarray, i: int) -> list[float]:
    """The weights of row i up to its own token, or further where it looks at later ones: a list of i + 1 or more."""
    looked_at = np.flatnonzero(row)
    return np.round(row[: max(i, looked_at[-1] if looked_at.size else 0) + 1], 3).tolist()


def rows_of(made: Generation, n: int) -> np.ndarray:
    """The weights of every head, pass under pass, 0 where a row cannot see: (n_layer, n_head, n, n)."""
    first = made.passes[0].layers
    found = np.zeros((len(first), len(first[0].weights), n, n))
    for run in made.passes:
        rows = slice(run.n_past, run.n_past + run.n_new)
        for layer, seen in enumerate(run.layers):
            found[layer, :, rows, : run.n_past + run.n_new] = np.nan_to_num(seen.weights)
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
    sizes = sizes[:, : max(np.flatnonzero(sizes.any(axis=0)), default=0) + 1]  # a code of positions ends at the last that is used
    return np.round(sizes / max(sizes.max(), 1e-30), 2).tolist()


def chances(logits: np.ndarray, chosen: int | None, vocabulary: Sequence[str], temperature: float) -> list[list]:
    """[word, chance as text, chance, whether it was drawn], the likeliest first, the drawn one always among them.

    None at all where a logit is not a number.
    """
    if not np.isfinite(logits).all():
        return []
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


def in_words(words: Sequence[str], n_prompt: int, weights: np.ndarray, head: str, marked: bool) -> str:
    """The drawing as a text alternative."""
    said = [
        f"“{shortened(word)}” looks most at “{shortened(words[int(row.argmax())])}”"
        if row.any()
        else f"“{shortened(word)}” at none"
        for word, row in zip(words[n_prompt:], weights[n_prompt:], strict=True)
    ]
    prompt, answer = (" ".join(map(shortened, part)) for part in (words[marked:n_prompt], words[n_prompt:]))
    return (
        f"The model reads the prompt “{prompt}” in one pass, {n_prompt} rows of attention weights at once, then writes "
        f"one word a pass: “{answer}”. Each word adds one row of weights, and its key and value to the cache. In {head}: "
        f"{'; '.join(said)}."
    )


def shortened(word: str) -> str:
    """A word as it fits beside the map."""
    return word if len(word) <= MOST_LETTERS else word[: MOST_LETTERS - 1] + "…"
