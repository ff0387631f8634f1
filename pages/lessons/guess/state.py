"""What is guessed of which sentence, and on which model and device it is checked: the state of the lesson."""

from dataclasses import dataclass

from engine import bundled
from engine.speculative import PromptLookup, SmallerModel, Speculation, generate
from pages.parts.hardware import setup
from pages.parts.hardware.setup import Setup
from pages.parts.sharing.results import RESULTS, pass_bytes
from pages.parts.visit.parameters import Choice, Whole

N_WORDS = 20
SENTENCES = {
    "list": "Tom lamp Rome pizza cold Tom lamp Rome pizza",
    "kite": "Anna has a red kite. Ben has a blue boat. Anna has a",
    "oslo": "It is winter in Oslo. Today's weather is so",
    "soup": "The soup is so",
}
DRAFTS = {
    "lookup": "prompt lookup: what followed last time",
    "after": "the same model, earlier in its training",
    "untrained": "the same model, untrained",
}
N_TOKENS = 512  # in a sequence, unless a link says: so few that many sequences at once wait for arithmetic
SENTENCE, DRAFT = Choice("sentence"), Choice("draft")
GUESSES = Whole("guesses", low=1, high=8, default=4)
KEPT = Whole("kept", low=0, high=99, default=70)  # percent of the guesses that stay


@dataclass(frozen=True)
class State:
    """s: model and device of the second step, with the tokens behind which a step runs. n_guess: tokens guessed at a time."""

    s: Setup
    sentence: str
    draft: str
    n_guess: int
    kept: float


def given() -> tuple[State]:
    sentence, draft = SENTENCE.value(SENTENCES, "kite"), DRAFT.value(DRAFTS, "lookup")
    s = setup.setup(setup.CONTEXT.value(default=N_TOKENS), weighed=True)
    return (State(s, sentence, draft, GUESSES.value(), KEPT.value() / 100),)


def written(state: State) -> Speculation:
    """The bundled model's answer with that draft, kept for everybody."""

    def make() -> Speculation:
        model = bundled()
        draft = PromptLookup() if state.draft == "lookup" else SmallerModel(bundled(state.draft))
        return generate(model, model.tokenizer.encode(SENTENCES[state.sentence]), N_WORDS, draft, state.n_guess)

    key = ("guessed", state.sentence, state.draft, state.n_guess)
    return RESULTS.get(key, make, lambda found: pass_bytes(found.prefill, *(r.run for r in found.rounds)))
