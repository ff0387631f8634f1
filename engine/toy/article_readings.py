"""Two readings of the same four rules: the article's text and the article's code, which differ in two points.

"last" is the token itself in the text, the last token of the prompt in the code. A row whose rule matches nothing is "none" in
the text; in the code softmax hands its weight to whatever is visible.
"""

from dataclasses import replace

import numpy as np

from engine.attention import Attention
from engine.compare import ROUNDING, gaps
from engine.toy.rules import Rule
from engine.toy.scenario import Scenario


def other_reading(s: Scenario) -> Scenario:
    """The same scenario as the code would have it; as the text would, when it is the code's already.

    >>> other_reading(Scenario.article()) == Scenario.article_code()
    True
    """
    is_code = any(r.kind == "last" for r in s.rules) or (s.empty_row == "soft" and all(r.kind != "self" for r in s.rules))
    old, new, empty_row = ("last", "self", "none") if is_code else ("self", "last", "soft")
    return replace(s, rules=tuple(Rule(new) if r.kind == old else r for r in s.rules), empty_row=empty_row)


def differing(a: Attention, b: Attention) -> np.ndarray:
    """Which contexts two passes over the same prompt do not share, "none" against anything else included: (n_head, n)."""
    return (gaps(a.context[:, :, 0], b.context[:, :, 0]) > ROUNDING) | (a.empty != b.empty)
