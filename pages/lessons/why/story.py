"""A small story with two owners and two things, and what the trained model looks at before it goes on."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine import bundled
from engine.decode import Generation, generate
from engine.model import ForwardPass
from engine.prefill import prefill
from engine.sampling import probabilities
from pages.parts.sharing.results import RESULTS, pass_bytes
from pages.parts.trained import prompt
from pages.parts.trained.model import PROMPT, finished

COLORS = ("red", "green", "white", "pink")
OWNERS = ("Anna", "Ben")
OTHER_COLOR = "blue"  # of Ben's boat
BEGIN = "begin"  # how the mark before the first word is called
NEAR = 2  # words at the end that are no look back: the last one, and the one before it
N_ANSWER = 5  # words
MOST_TOKENS = 20  # of a reader's own prompt that are drawn


@dataclass(frozen=True, eq=False)
class LookBack:
    """One pass over the story. words: (n,), the mark of the beginning first. run: what was computed, probs: (n_vocab,).

    head: of the last layer, the one whose last row gives most to one word further back; looks: (n,) its weights. at: that word.
    """

    token_ids: tuple[int, ...]
    words: tuple[str, ...]
    run: ForwardPass
    probs: np.ndarray
    head: int
    looks: np.ndarray
    at: int

    @property
    def n_head(self) -> int:
        """Heads of a layer."""
        return len(self.run.layers[-1].weights)

    @property
    def n_layer(self) -> int:
        """Layers, of which the last is looked into."""
        return len(self.run.layers)


def look_back(color: str, owner: str) -> LookBack:
    """What the bundled model does with “Anna has a … kite. Ben has a blue boat. … has a”. Kept for everybody."""
    return RESULTS.get(("why", color, owner), lambda: _look_back(color, owner), lambda found: pass_bytes(found.run))


def _look_back(color: str, owner: str) -> LookBack:
    model = bundled()
    ids = tuple(model.tokenizer.encode(f"Anna has a {color} kite. Ben has a {OTHER_COLOR} boat. {owner} has a"))
    run = prefill(model, ids)
    last = run.layers[-1].weights[:, -1]  # (n_head, n)
    head = int(last[:, :-NEAR].max(axis=1).argmax())
    words = (BEGIN, *model.tokenizer.tokens(ids)[1:])
    return LookBack(ids, words, run, probabilities(run.logits[-1]), head, last[head], int(last[head].argmax()))


def answer(look: LookBack) -> Generation:
    """The likeliest next words, computed without a cache: every pass runs over all words there are."""
    return RESULTS.get(
        ("why answer", look.token_ids),
        lambda: generate(bundled(), look.token_ids, N_ANSWER, use_cache=False),
        lambda made: pass_bytes(*made.passes),
    )


def words_of(ids) -> tuple[str, ...]:
    """The words of some tokens."""
    return tuple(bundled().tokenizer.tokens(ids))


class Heads(NamedTuple):
    """What the last row of the last layer looks at in a text. words: (n,); looks: (n_head, n) weights; probs: (n_vocab,) of what comes."""

    words: tuple[str, ...]
    looks: np.ndarray
    probs: np.ndarray


def heads_of(look: LookBack) -> Heads:
    """Those of the story."""
    return Heads(look.words, look.run.layers[-1].weights[:, -1], look.probs)


def next_word(read: LookBack | Heads) -> str:
    """The likeliest next word."""
    return bundled().tokenizer.words[int(read.probs.argmax())]


def heads_of_prompt() -> tuple[Heads, prompt.Prompt]:
    """Those of the prompt of the first screen, the link's or the one that it opens with, and how the model read it."""
    read = prompt.read(finished(), PROMPT.text() or prompt.OPENING).cut(MOST_TOKENS)
    run = RESULTS.get(("why heads", read.ids), lambda: prefill(bundled(), read.ids), pass_bytes)
    return Heads((BEGIN, *read.words[1:]), run.layers[-1].weights[:, -1], probabilities(run.logits[-1])), read


def chances_without(look: LookBack, heads: tuple[int, ...]) -> np.ndarray:
    """(n_vocab,) what comes next when these heads of the last layer give nothing: their contexts are 0."""

    def silenced() -> np.ndarray:
        model = bundled().variant(ablated=[(look.n_layer - 1, head) for head in heads])
        return probabilities(prefill(model, look.token_ids).logits[-1])

    return RESULTS.get(("why without", look.token_ids, heads), silenced, lambda probs: probs.nbytes)
