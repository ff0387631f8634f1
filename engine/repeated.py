"""A list said twice, the second time but for its last word: whoever has an induction head can tell what comes.

Neither grammar nor meaning helps: the words are drawn at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from engine.head_scores import HeadScores, head_scores, probe
from engine.sampling import probabilities
from engine.transformer import Transformer

LIST = ("Tom", "lamp", "Rome", "pizza", "cold")  # the bundled model's words, of five kinds


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


def list_ids(model: Transformer, seed: int = 0) -> list[int]:
    """Beginning mark, list, list: LIST where the model knows its words, else tokens drawn at random."""
    unknown = getattr(model.tokenizer, "unknown", None)
    if unknown and not unknown(" ".join(LIST)):
        return model.tokenizer.encode(" ".join(LIST * 2))
    return [int(i) for i in probe(model.n_vocab, room(model, len(LIST)), 1, seed, model.config.bos_id)[0]]


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
