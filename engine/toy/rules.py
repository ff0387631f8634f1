"""Head rules: "look at even positions", "look at yourself", … turned into real queries and keys.

A rule says which earlier positions a head wants to see. It becomes attention like this: the key of the token at position j is
the one-hot code of j, and the query at position i lists, for every position, +c where the rule matches and −c where it does
not. Their product picks one entry out of the query, so a match scores +sharpness and a non-match −sharpness. A key says only
*where its token stands*: it is fixed for good when the token enters, and every head can share it. That is what makes a KV cache
valid, and sharing one key per token among all heads is multi-query attention.

One rule breaks this on purpose. "last of the prompt", as the source article's code has it, puts into the *key* whether its token
is the last one so far. The next token makes that false, and a cached key cannot know.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

LITTLE = 2e-6  # of a value: what softmax leaves, at scores of ±8, to all of sixteen tokens that do not match
MAX_TOKENS = 64  # positions that have a code: prompt and generated tokens together

# Which 1-based key positions j the query at position i (1-based) wants to see. n is the number in the rule, if it takes one.
_MATCHES: dict[str, Callable[[np.ndarray, np.ndarray, int], np.ndarray]] = {
    "even": lambda i, j, n: j % 2 == 0,
    "odd": lambda i, j, n: j % 2 == 1,
    "self": lambda i, j, n: j == i,
    "previous": lambda i, j, n: j == i - n,
    "first": lambda i, j, n: j == 1,
    "all": lambda i, j, n: j > 0,
    "window": lambda i, j, n: (i - n < j) & (j <= i),
    "none": lambda i, j, n: j < 0,
}
KINDS = (*_MATCHES, "at", "last")
_TAKES_NUMBER = {"previous": 1, "window": 2}  # and the number meant when none is given


@dataclass(frozen=True)
class Rule:
    """What one head looks at. kind: one of KINDS; number: the offset of "previous" or the width of "window" (else 0);
    positions: the 1-based positions of "at" (else empty). Raises ValueError for anything else.

    >>> Rule.parse("previous:2")
    Rule(kind='previous', number=2, positions=())
    >>> str(Rule.parse("at:1.3"))
    'at:1.3'
    """

    kind: str
    number: int = 0
    positions: tuple[int, ...] = ()

    def __post_init__(self):
        if self.kind not in KINDS:
            raise ValueError(f"rule: expected one of {', '.join(KINDS)}, got {repr(self.kind)[:40]}")
        if self.kind in _TAKES_NUMBER and not 1 <= self.number <= MAX_TOKENS:
            raise ValueError(f"rule {self.kind}: expected a number from 1 to {MAX_TOKENS}, got {self.number}")
        if self.kind not in _TAKES_NUMBER and self.number:
            raise ValueError(f"rule {self.kind}: takes no number, got {self.number}")
        if not all(isinstance(x, int) for x in (self.number, *self.positions)):
            raise ValueError(f"rule {self.kind}: expected whole numbers, got {self.number} and {self.positions}")
        object.__setattr__(self, "positions", tuple(sorted(set(self.positions))))
        if self.kind == "at" and not (self.positions and 1 <= self.positions[0] <= self.positions[-1] <= MAX_TOKENS):
            raise ValueError(f"rule at: expected positions from 1 to {MAX_TOKENS}, got {self.positions or 'none'}")
        if self.kind != "at" and self.positions:
            raise ValueError(f"rule {self.kind}: takes no positions, got {self.positions}")

    @classmethod
    def parse(cls, text: str) -> "Rule":
        """A rule from its short form: "even", "previous:2", "window:3", "at:1.3.4"."""
        kind, _, argument = text.strip().partition(":")
        parts = argument.split(".") if argument else []
        if len(parts) > MAX_TOKENS or not all(p.isascii() and p.isdigit() and len(p) <= 3 for p in parts):
            raise ValueError(f"rule {kind[:24]!r}: expected whole numbers like 'previous:2' or 'at:1.3', got {text[:40]!r}")
        numbers = [int(p) for p in parts]
        if kind == "at":
            return cls(kind, positions=tuple(numbers))
        if len(numbers) > 1:
            raise ValueError(f"rule {kind[:24]!r}: expected at most one number, got {text[:40]!r}")
        return cls(kind, numbers[0] if numbers else _TAKES_NUMBER.get(kind, 0))

    def __str__(self) -> str:
        if self.kind == "at":
            return "at:" + ".".join(map(str, self.positions))
        if self.kind not in _TAKES_NUMBER or self == Rule("previous", 1):
            return self.kind
        return f"{self.kind}:{self.number}"

    @property
    def breaks_cache(self) -> bool:
        """True for the rule whose key depends on tokens that come later."""
        return self.kind == "last"


_CODES = np.eye(MAX_TOKENS)  # a key is the one-hot code of its position


@lru_cache(maxsize=256)
def rule_signs(rule: Rule) -> np.ndarray:
    """+1 where the query at row i wants the position of column j, −1 elsewhere: (MAX_TOKENS, MAX_TOKENS), read-only.

    For the rule that breaks the cache every entry is +1: its query asks all keys alike, and the key answers.
    """
    i, j = np.arange(1, MAX_TOKENS + 1)[:, None], np.arange(1, MAX_TOKENS + 1)[None, :]
    if rule.kind == "at":
        match = np.isin(j, rule.positions)
    elif rule.breaks_cache:
        match = j > 0
    else:
        match = _MATCHES[rule.kind](i, j, rule.number)
    signs = np.where(np.broadcast_to(match, (MAX_TOKENS, MAX_TOKENS)), 1.0, -1.0)
    signs.flags.writeable = False
    return signs


def queries(rules: tuple[Rule, ...], positions: np.ndarray, sharpness: float) -> np.ndarray:
    """The heads' queries at `positions` (counted from 0): (n_head, n_new, MAX_TOKENS).

    Scaled so that query · key / √MAX_TOKENS is +sharpness for a match and −sharpness otherwise. A query that must pick one
    entry of a one-hot key carries the whole product there; one that meets a key of MAX_TOKENS equal entries spreads it.
    """
    return _all_queries(rules, sharpness)[:, positions]


@lru_cache(maxsize=256)
def _all_queries(rules: tuple[Rule, ...], sharpness: float) -> np.ndarray:
    """The heads' queries at every position: (n_head, MAX_TOKENS, MAX_TOKENS), read-only. Each pass over a scenario asks for some."""
    product = sharpness * np.sqrt(MAX_TOKENS)
    made = np.stack([rule_signs(r) * (product / MAX_TOKENS if r.breaks_cache else product) for r in rules])
    made.flags.writeable = False
    return made


def keys(rules: tuple[Rule, ...], positions: np.ndarray, n_known: int) -> np.ndarray:
    """The keys of the tokens at `positions`: (n_kv_head, n_new, MAX_TOKENS).

    One key head for all when every rule is about positions. As soon as one rule breaks the cache each head has keys of its own,
    as in the article's code: the breaking head's are +1 in all entries for the last of the `n_known` tokens so far, else −1.
    """
    codes = _CODES[positions]
    if not any(r.breaks_cache for r in rules):
        return codes[None]
    is_last = np.where(positions == n_known - 1, 1.0, -1.0)
    return np.stack([np.repeat(is_last[:, None], MAX_TOKENS, axis=1) if r.breaks_cache else codes for r in rules])
