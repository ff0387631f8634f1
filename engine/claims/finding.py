"""What an experiment found, and what the experiments share: the usual scenario, a pass, an answer, two runs compared."""

from dataclasses import dataclass, replace

import numpy as np

from engine.attention import Attention
from engine.cache import KVCache
from engine.compare import largest_gap
from engine.decode import decode_step, generate, recompute
from engine.experiments.random_model import MAX_LAYERS, StackModel
from engine.model import ForwardPass, Model
from engine.prefill import prefill
from engine.sampling import greedy
from engine.toy.rules import Rule
from engine.toy.scenario import Scenario

VERDICTS = ("true", "true, with a caveat", "wrong")
FAR = 1000  # tokens generated, where a growth is judged by doubling them
STEPS = 4  # tokens generated where a few are enough
IDS = (3, 1, 4, 15, 9, 2)  # a prompt for random models
READABLE = 0.01  # what a scenario must show of a difference; less would read as none


@dataclass(frozen=True, eq=False)
class Finding:
    """What an experiment found. holds: the statement at its word; everywhere: also where it names no exception. numbers: by
    name, what was measured. scenario: what it ran on, None for random models only. published: whether nothing ran, and published
    shapes were multiplied out."""

    holds: bool
    everywhere: bool
    numbers: dict
    scenario: Scenario | None
    published: bool = False

    def __getitem__(self, name: str):
        return self.numbers[name]

    @property
    def verdict(self) -> str:
        """One of VERDICTS."""
        return VERDICTS[2 if not self.holds else 0 if self.everywhere else 1]


def usual(s: Scenario) -> Scenario:
    """The scenario with the mask on, empty rows "none", and no key that knows the future."""
    rules = tuple(Rule("self") if rule.breaks_cache else rule for rule in s.rules)
    return replace(s, causal=True, empty_row="none", rules=rules)


def layer_of(s: Scenario) -> Attention:
    return prefill(s.model(), s.prompt_ids).layers[0]


def next_logits(s: Scenario) -> np.ndarray:
    """The logits that the word behind the prompt is chosen by: (n_vocab,)."""
    model = s.model()
    return model.next_logits(prefill(model, s.prompt_ids))[-1]


def first_word(s: Scenario) -> int:
    """The word that greedy decoding says first."""
    return greedy(next_logits(s))


def short_answer(s: Scenario, words: int = STEPS) -> tuple[ForwardPass, ...]:
    """The passes of an answer of so many tokens behind a cache."""
    return generate(s.model(), s.prompt_ids, words).passes


def stacks(causal: bool) -> list[tuple[StackModel, tuple[int, ...]]]:
    """Random models of 1, 2, … layers, each with a prompt."""
    return [(StackModel(n, 16, causal=causal), IDS) for n in range(1, MAX_LAYERS + 1)]


def cache_gap(model: Model, ids) -> float:
    """One token decoded behind the cache and the whole sequence again: the largest difference between their logits, as a share
    of the largest logit where that is beyond 1, since float64 rounds in proportion."""
    cache = KVCache.for_model(model, len(ids) + 1)
    prefill(model, ids, cache)
    step, whole = decode_step(model, 0, cache), recompute(model, (*ids, 0))
    return largest_gap(step.logits[-1], whole.logits[-1]) / max(1.0, float(np.abs(whole.logits[-1]).max()))
