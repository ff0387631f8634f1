"""What the lesson on a trained model's inside looks at: model, prompt, heads that are off, the one enlarged, and what was measured."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from engine import bundled
from engine.trained.induction import HeadScores
from engine.trained.logit_lens import Inside
from pages.parts.sharing.shared_work import ThisRun
from pages.parts.text.format import join
from pages.parts.trained import model, prompt
from pages.parts.trained.model import REMOVED, TRAINED_HEAD, Trained
from pages.parts.trained.prompt import Prompt

KIND_WORDS = {
    "previous": "the token just before",
    "induction": "the token that followed last time",
    "first": "the very first token",
}
MOST_REMOVED = 64


@dataclass(frozen=True, eq=False)
class View:
    """What the lesson looks at: the model as it stands and intact, the prompt, where the heads look, what they scored.

    inside: None as long as it is not computed, or cannot be. scores: None for a model without room for the probe, too.
    """

    trained: Trained
    intact: Trained
    prompt: Prompt
    inside: Inside | None
    scores: HeadScores | None
    selected: tuple[int, int]
    work: ThisRun = field(default_factory=ThisRun)

    @property
    def removed(self) -> frozenset[tuple[int, int]]:
        """(layer, head) of every head that is off."""
        return self.trained.model.ablated


def given() -> tuple[View]:
    """The state of this visit, from the link; everything in it is bounded."""
    intact = model.current()
    gone = placed_heads(REMOVED.text(), intact)
    trained = replace(intact, model=intact.model.variant(ablated=gone)) if gone else intact
    typed = prompt.read(intact, prompt.typed(intact))
    work = ThisRun()
    inside, scores = seen_by(work, trained, typed.ids), scores_of(work, trained)
    chosen = placed_heads(TRAINED_HEAD.text(), intact)
    return (View(trained, intact, typed, inside, scores, (chosen or [_head_to_begin_with(work, intact)])[0], work),)


def seen_by(work: ThisRun, trained: Trained, ids: Sequence[int]) -> Inside | None:
    """What a prompt makes the model do inside; None as long as this run's share of the work has not come to it."""
    return work.result(model.reading(trained, ids), "A pass over the prompt")


def scores_of(work: ThisRun, trained: Trained) -> HeadScores | None:
    """The heads' scores; None as long as they are not measured, and for a model without room for the probe."""
    job = model.head_scores(trained)
    return job and work.result(job, "The heads’ scores")


def complete(v: View) -> bool:
    """Whether all is there that the lesson shows; a message if not."""
    v.work.say()
    return v.inside is not None and (v.scores is not None or model.head_scores(v.trained) is None)


def placed_heads(text: str, trained: Trained) -> list[tuple[int, int]]:
    """ "3.3,3.4" as (layer, head) counted from 0; what is not a head of this model is left out."""
    places = []
    for part in text.split(",")[:MOST_REMOVED]:
        numbers = part.split(".")
        if len(numbers) == 2 and all(x.isascii() and x.isdigit() and len(x) <= 4 for x in numbers):
            layer, head = (int(x) - 1 for x in numbers)
            if 0 <= layer < trained.model.n_layer and 0 <= head < trained.model.n_head:
                places.append((layer, head))
    return places


def _head_to_begin_with(work: ThisRun, trained: Trained) -> tuple[int, int]:
    """The head to begin with: the one with the highest previous-token score, of the finished model where there are several."""
    scores = scores_of(work, replace(trained, moment="final", model=bundled()) if not trained.own else trained)
    if scores is None:
        return 0, 0
    layer, head = np.unravel_index(scores.previous.argmax(), scores.previous.shape)
    return int(layer), int(head)


def name_of(place: tuple[int, int]) -> str:
    """A head as the page writes it, layer.head counted from 1."""
    return f"{place[0] + 1}.{place[1] + 1}"


def measured(v: View, place: tuple[int, int]) -> str:
    """All three scores of a head in words."""
    if v.scores is None:
        return "not measured: the model has no room for the probe"
    kinds = [f"{kind} **{getattr(v.scores, kind)[place]:.2f}**" for kind in KIND_WORDS]
    return join(kinds)
