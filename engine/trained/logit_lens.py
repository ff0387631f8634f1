"""What one prompt makes a trained model do inside: where every head looks, and what it would say after each layer.

The "logit lens" (nostalgebraist 2020) reads the state after an inner layer with the last norm and the head, as if the model
ended there. No inner state was trained to be read so: early layers may hold what only later ones can use.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from engine.model import check_token_ids
from engine.sampling import probabilities
from engine.trained.transformer import Transformer


@dataclass(frozen=True, eq=False)
class Inside:
    """weights: (n_layer, n_head, n, n), 0 where the mask hides; hidden: (n_layer, n, n), True where it does.

    lens: the last row's chances after the embedding and after each layer, (n_layer + 1, n_vocab); its last row is what is said.
    """

    token_ids: tuple[int, ...]
    weights: np.ndarray
    hidden: np.ndarray
    lens: np.ndarray

    @property
    def probs(self) -> np.ndarray:
        """The chance of each next token: (n_vocab,)."""
        return self.lens[-1]

    @property
    def nbytes(self) -> int:
        """Memory that its arrays take."""
        return self.weights.nbytes + self.hidden.nbytes + self.lens.nbytes


def look_inside(model: Transformer, token_ids: Sequence[int]) -> Inside:
    """One pass over `token_ids` of a model that keeps its maps. ValueError for no token, an unknown one, or too many."""
    run = model.forward(check_token_ids(token_ids, model.n_vocab))
    logits = model.unembed(run.hidden[:, -1])
    return Inside(
        tuple(int(i) for i in token_ids),
        np.stack([layer.weights for layer in run.layers]),
        np.stack([~layer.mask[0] for layer in run.layers]),
        np.stack([probabilities(row) for row in logits]),
    )
