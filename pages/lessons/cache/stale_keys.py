"""Keys that go out of date: “I am the last token”, which is false once another comes."""

from functools import lru_cache

import numpy as np

from engine.experiments.broken_caches import breaking_head
from engine.experiments.chosen_answer import answer, cached_and_recomputed
from engine.model import ForwardPass
from engine.sampling import greedy
from engine.toy.edits import replace, set_rule
from engine.toy.scenario import Scenario
from pages.parts.text.format import join, plural


def stale_keys(s: Scenario) -> list[Scenario]:
    """The scenario with the key of the article's code in one head: in the one that looks at itself or the last, then in each other."""
    first = breaking_head(s)
    heads = (first, *(h for h in range(len(s.rules)) if h != first))
    return [replace(set_rule(s, h, "last"), causal=True, empty_row="soft") for h in heads]


def with_stale_key(s: Scenario, n_steps: int, fed: tuple[int, ...]) -> Scenario:
    """The scenario with the key of the article's code in one head, run as in that code: the first head in which it changes a word,
    from the one that looks at itself or the last on; that one where none does."""
    broken = stale_keys(s)
    if any(rule.breaks_cache for rule in s.rules):
        return broken[0]
    return next((one for one in broken if changes_a_word(one, n_steps, fed)), broken[0])


@lru_cache(maxsize=256)
def changes_a_word(s: Scenario, n_steps: int, fed: tuple[int, ...]) -> bool:
    """Whether some next word is another one without the cache."""
    model = s.model()
    ids = answer(model, s.prompt_ids, n_steps + 1, chosen_ids=fed).token_ids[:n_steps]
    runs = cached_and_recomputed(model, s.prompt_ids, ids)
    return any(word_behind(s, cached) != word_behind(s, whole) for cached, whole in runs)


def word_behind(s: Scenario, run: ForwardPass) -> str:
    """The word that comes out of a pass, of those that draw level the first."""
    logits = s.model().next_logits(run)[-1]
    return s.words[greedy(logits)] if np.isfinite(logits).all() else "NaN"


def heads_with_the_stale_key(s: Scenario, head: int) -> tuple[str, str]:
    """Whose key speaks of the future, all heads that have it or the one that is given it; and whose context is meant."""
    owners = [str(at) for at, rule in enumerate(s.rules, 1) if rule.kind == "last"]
    if s.rules[head].kind != "last":
        return f"Give head {head + 1} the key", "its"
    whose = f"{plural(len(owners), 'Head')} {join(owners)} {plural(len(owners), 'has', 'have')} the key"
    return whose, f"head {head + 1}’s" if len(owners) > 1 else "its"
