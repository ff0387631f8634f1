"""One sentence on two ways to the same logits: how far they are apart, and whether the next word is the same."""

import numpy as np

from engine.caches.prefix_runs import PrefixRun
from engine.timing.both_ways import ROUNDING_SHARE
from pages.parts.text.digits import gap_text
from pages.parts.text.format import md
from pages.parts.trained import model
from pages.parts.trained.model import Trained


def only_rounding(run: PrefixRun) -> bool:
    """Whether what was kept and the whole run are as near to each other as rounding leaves them."""
    return run.gap <= ROUNDING_SHARE * (1 + run.largest)


def how_alike(trained: Trained, run: PrefixRun) -> str:
    """A prompt behind what was kept, against the same prompt run whole."""
    words = [md(model.word(trained, int(np.argmax(logits)))) for logits in (run.logits, run.whole)]
    if run.gap == 0:
        how = "equal to the last bit"
    elif only_rounding(run):
        how = f"apart by {gap_text(run.gap)} at most, which is rounding"
    else:
        how = f"apart by **{gap_text(run.gap)}**: keys of this model depend on more than the tokens before them"
    word = f"both say “{words[0]}” next" if words[0] == words[1] else f"“{words[0]}” and “{words[1]}” come next"
    tokens = {1: "the one token", 2: "both tokens"}.get(len(run.ids), f"all {len(run.ids)} tokens")
    return f"Against a run of {tokens} the logits are {how}; {word}."
