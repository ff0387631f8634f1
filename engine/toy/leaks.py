"""What lets a row of the toy know of a token that comes after it: the mask that is off, a key that says “I am the last”, or
−10⁹ in the place of −∞ in a row that finds nothing.

Which of these is to blame is found by mending each alone: where no number then moves otherwise, it had no part in it. Every weight
and context is looked at by itself: of two causes in one row the smaller is one, too.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from engine.cache import KVCache
from engine.compare import ROUNDING, changes, gaps, row_gaps
from engine.decode import decode_step, recompute
from engine.prefill import prefill
from engine.toy.by_hand import empty_rows
from engine.toy.rules import Rule
from engine.toy.scenario import Scenario

MENDS = {
    "mask": lambda s: replace(s, causal=True),
    "last": lambda s: replace(s, rules=tuple(Rule("self") if rule.breaks_cache else rule for rule in s.rules)),
    "fill": lambda s: replace(s, empty_row="soft" if s.empty_row == "fill" else s.empty_row),
}


def old_row_gaps(s: Scenario, n_before: int, token_ids: Sequence[int]) -> np.ndarray:
    """How far each row of a prefill over the first n_before moves when the other tokens come in and all is computed again: (n_before,)."""
    model = s.model()
    return row_gaps(recompute(model, token_ids[:n_before]), recompute(model, token_ids))


def kept_row_changes(s: Scenario, n_before: int, token_ids: Sequence[int]) -> np.ndarray:
    """The same of rows as a cache keeps them, weight by weight and context by context: (n_before, all of them). The prompt's are those of
    its prefill, each one behind them that of its own decode step, however much has come in since."""
    model, prompt = s.model(), min(len(s.tokens), n_before)
    cache = KVCache.for_model(model, n_before)
    old = [prefill(model, token_ids[:prompt], cache), *(decode_step(model, i, cache) for i in token_ids[prompt:n_before])]
    whole = recompute(model, token_ids)
    return np.concatenate([changes(run, whole) for run in old])


def leaks(s: Scenario, n_before: int, token_ids: Sequence[int], least: float = ROUNDING) -> tuple[str, ...]:
    """Which of MENDS moves the old rows otherwise, by more than `least`: what they know of the newer tokens by."""

    def moved(x: Scenario) -> np.ndarray:
        model = x.model()
        return changes(recompute(model, token_ids[:n_before]), recompute(model, token_ids))

    return to_blame(s, moved, least)


def to_blame(s: Scenario, moved: Callable[[Scenario], np.ndarray], least: float = ROUNDING) -> tuple[str, ...]:
    """Which of MENDS changes what is measured of a scenario, by more than `least`: what softmax leaks, or rounding."""
    filled = s
    if not s.causal:
        s = MENDS["fill"](s)  # the same numbers: where nothing is hidden −10⁹ averages over what is seen
    now, mended = moved(s), {name: mend(s) for name, mend in MENDS.items()}
    found = tuple(name for name, m in mended.items() if m != s and (gaps(moved(m), now) > least).any())
    if filled == s:
        return found
    on = MENDS["mask"](filled)
    still = moved(on)  # whoever puts the mask on finds a filled row moving as before: what fills it is a cause beside the mask
    as_before = (now > least) & (gaps(still, now) <= least) & (gaps(still, moved(MENDS["fill"](on))) > least)
    return (*found, "fill") if as_before.any() else found


def stays_true(s: Scenario) -> bool:
    """Whether the prompt's rows stay as they are whatever comes after them.

    >>> stays_true(Scenario.article()), stays_true(Scenario.article_code())
    (True, False)
    """
    if not s.causal or any(rule.breaks_cache for rule in s.rules):
        return False
    return s.empty_row != "fill" or not empty_rows(prefill(s.model(), s.prompt_ids).layers[0]).any()
