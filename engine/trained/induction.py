"""What a head does, measured: how much of its attention goes to the previous token, to the first, or to what followed last time.

The probe is a list of different random tokens, said twice: nothing but position and repetition is left to attend to. An
*induction head* looks from a token in the second half to the one that followed it in the first, which is how a model continues
what it has seen once (Olsson et al. 2022). A score is a mean attention weight, so it lies between 0 and 1.

What it is good for shows on a list said twice, the second time but for its last word: whoever has an induction head can tell
what comes. Neither grammar nor meaning helps, because the words are drawn at random.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from engine.sampling import probabilities
from engine.trained.transformer import Transformer

LIST = ("Tom", "lamp", "Rome", "pizza", "cold")  # the bundled model's words, of five kinds


@dataclass(frozen=True, eq=False)
class HeadScores:
    """Mean attention weights of every head on the probe; each (n_layer, n_head)."""

    previous: np.ndarray
    induction: np.ndarray
    first: np.ndarray

    def label(self, layer: int, head: int, least: float = 0.3) -> str:
        """The kind with the head's highest score and that score, "induction 0.87"; "" when none reaches `least`."""
        scores = {kind: getattr(self, kind)[layer, head] for kind in ("previous", "induction", "first")}
        kind = max(scores, key=scores.get)
        return f"{kind} {scores[kind]:.2f}" if scores[kind] >= least else ""


def head_scores(model: Transformer, n_half: int = 12, n_lists: int = 16, seed: int = 0) -> HeadScores:
    """The scores of a model that keeps its maps, on `n_lists` lists of `n_half` tokens said twice behind the beginning mark.

    Raises ValueError for a model that keeps no maps, and for lists that do not fit its n_ctx.
    """
    *_, scores = scores_so_far(model, n_half, n_lists, seed)
    return scores


def scores_so_far(model: Transformer, n_half: int, n_lists: int, seed: int = 0) -> Iterator[HeadScores]:
    """The scores after each of the lists, one pass a list; the last are those of all. Errors as `head_scores`."""
    if n_half < 2 or 2 * n_half + 1 > model.n_ctx:
        raise ValueError(f"n_half: expected from 2 to {(model.n_ctx - 1) // 2}, got {n_half}")
    weights = np.zeros((model.n_layer, model.n_head, 2 * n_half + 1, 2 * n_half + 1))
    for n, token_ids in enumerate(probe(model.n_vocab, n_half, n_lists, seed, model.config.bos_id), 1):
        layers = model.forward(token_ids).layers
        if not layers:
            raise ValueError("expected a model that keeps its maps, got one with keep=False")
        weights += np.stack([layer.weights for layer in layers])
        if not np.isfinite(weights).all():
            raise ValueError("attention weights: expected finite numbers, got others")
        mean = weights / n
        yield HeadScores(previous_score(mean), induction_score(mean, n_half), first_score(mean))


def probe(n_vocab: int, n_half: int, n_lists: int, seed: int = 0, bos_id: int = 0) -> np.ndarray:
    """Lists of different random tokens said twice, behind the beginning mark: (n_lists, 2 n_half + 1). Marks are not drawn."""
    rng = np.random.default_rng(seed)
    words = np.setdiff1d(np.arange(n_vocab), [bos_id, 1])
    halves = np.stack([rng.permutation(words)[:n_half] for _ in range(n_lists)])
    return np.concatenate([np.full((n_lists, 1), bos_id), halves, halves], axis=1)


def previous_score(weights: np.ndarray) -> np.ndarray:
    """Mean weight on the token just before, (…, n, n) -> (…). The first rows do not count: they have hardly a choice."""
    return np.diagonal(weights, -1, -2, -1)[..., 1:].mean(axis=-1)


def first_score(weights: np.ndarray) -> np.ndarray:
    """Mean weight on the very first token, from the rows that have at least two others to look at."""
    return weights[..., 2:, 0].mean(axis=-1)


def induction_score(weights: np.ndarray, n_half: int) -> np.ndarray:
    """Mean weight from each token of the second half on the token behind its first mention, n_half − 1 places back."""
    return np.diagonal(weights, 1 - n_half, -2, -1)[..., 2:].mean(axis=-1)


@dataclass(frozen=True)
class Continued:
    """What a model says where `expected` would continue the list: its likeliest token, and the chance of the expected one."""

    expected: int
    likeliest: int
    chance: float

    @property
    def right(self) -> bool:
        """Whether the model continues the list."""
        return self.likeliest == self.expected


def list_ids(model: Transformer) -> list[int]:
    """Beginning mark, list, list: LIST where the model knows its words, else tokens drawn at random."""
    unknown = getattr(model.tokenizer, "unknown", None)
    if unknown and not unknown(" ".join(LIST)):
        return model.tokenizer.encode(" ".join(LIST * 2))
    return [int(i) for i in probe(model.n_vocab, room(model, len(LIST)), 1, 0, model.config.bos_id)[0]]


def continued(model: Transformer, token_ids: list[int]) -> Continued:
    """What the model says after all but the last of `token_ids`."""
    probs = probabilities(model.variant(keep=False).forward(token_ids[:-1]).logits[-1])
    return Continued(token_ids[-1], int(probs.argmax()), float(probs[token_ids[-1]]))


def scores(model: Transformer) -> HeadScores | None:
    """The heads' scores on the longest usual probe that the model has room and words for; None where there is none."""
    n_half = room(model, 12)
    return head_scores(model, n_half) if n_half >= 2 else None


def room(model: Transformer, n_half: int) -> int:
    """The most different words that can be said twice, up to n_half: a beginning mark comes first, two ids are marks."""
    return min(n_half, (model.n_ctx - 1) // 2, len(np.setdiff1d(np.arange(min(model.n_vocab, 64)), [model.config.bos_id, 1])))
