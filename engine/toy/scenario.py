"""The toy: a handful of tokens with one number each, heads with rules, a small vocabulary, and the one-layer model they describe.

Everything the source article does by hand is here: a token's value is one number, a head's rule decides whom it looks at, the
heads' contexts stand side by side as a vector, and the matrix W turns that vector into one logit for each candidate word.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from engine.attention import attention
from engine.cache import Cache
from engine.model import ForwardPass, begin_pass, counts_of, layer_mask
from engine.toy.by_hand import logits_by_hand
from engine.toy.empty_row import EMPTY_ROW
from engine.toy.rules import MAX_TOKENS, Rule, keys, queries

MAX_PROMPT = 16  # tokens
MAX_HEADS = 8
MAX_WORDS = 12  # candidate words
MAX_LETTERS = 24  # of a word
MAX_VALUE = 1000.0
MAX_SHARPNESS = 32.0
SMALLEST = 1e-6  # a number nearer to 0 is 0: sums of 1000s round to no less, so what it moved could not be told from rounding

# The article's candidate words, and its matrix W: a row for each head, a column for each word.
# The value 7 of "nice" is the article's; 8 and 3 for the other two are ours, since it never feeds them back.
_WORDS, _WORD_VALUES = ("nice", "warm", "delicious"), (7.0, 8.0, 3.0)
_W = ((0.8, 0.6, 0.1), (0.5, 0.4, 0.2), (0.1, 0.2, 0.5), (0.2, 0.3, 0.1))


@dataclass(frozen=True)
class Scenario:
    """One complete toy: what the editor edits, a link carries and `model()` turns into a model.

    tokens, values: the prompt, a word and a number each. rules: one for each head, as Rule or short form ("previous:2").
    words, word_values: the candidate next words and the value each has once it is chosen. w_vocab: (n_head, n_vocab).
    sharpness: the score of a match, √64 = 8 in the article; a non-match scores the negative. causal: whether the mask is on.
    empty_row: one of engine.toy.empty_row.EMPTY_ROW. Raises ValueError that says what was wrong and what was expected.

    >>> Scenario(values=(10, 20, 1))
    Traceback (most recent call last):
    ValueError: values: expected one number for each of the 4 tokens, got 3
    """

    tokens: tuple[str, ...] = ("Today", "weather", "is", "so")
    values: tuple[float, ...] = (10.0, 20.0, 1.0, 5.0)
    rules: tuple[Rule, ...] = ("even", "self", "first", "all")
    words: tuple[str, ...] = _WORDS
    word_values: tuple[float, ...] = _WORD_VALUES
    w_vocab: tuple[tuple[float, ...], ...] = field(default=_W)
    sharpness: float = 8.0
    causal: bool = True
    empty_row: str = "none"

    def __post_init__(self):
        put = object.__setattr__
        put(self, "tokens", _words("tokens", self.tokens, MAX_PROMPT))
        put(self, "values", _numbers("values", self.values, len(self.tokens), "tokens"))
        put(self, "rules", _rules(self.rules))
        put(self, "words", _words("words", self.words, MAX_WORDS))
        if len(set(self.words)) < len(self.words):
            raise ValueError(f"words: expected different candidate words, got {', '.join(self.words)}")
        put(self, "word_values", _numbers("word_values", self.word_values, len(self.words), "candidate words"))
        if len(self.w_vocab) != len(self.rules):
            raise ValueError(f"w_vocab: expected one row for each of the {len(self.rules)} heads, got {len(self.w_vocab)}")
        rows = (_numbers(f"w_vocab row {h}", row, len(self.words), "words") for h, row in enumerate(self.w_vocab, 1))
        put(self, "w_vocab", tuple(rows))
        put(self, "sharpness", _number("sharpness", self.sharpness, f"more than 0 and at most {MAX_SHARPNESS:g}"))
        if not 0 < self.sharpness <= MAX_SHARPNESS:
            raise ValueError(f"sharpness: expected more than 0 and at most {MAX_SHARPNESS:g}, got {self.sharpness:g}")
        if not isinstance(self.causal, bool):
            raise ValueError(f"causal: expected True or False, got {repr(self.causal)[:40]}")
        if self.empty_row not in tuple(EMPTY_ROW):
            raise ValueError(f"empty_row: expected one of {', '.join(EMPTY_ROW)}, got {str(self.empty_row)[:40]!r}")

    @classmethod
    def article(cls) -> "Scenario":
        """The article's text: "last" means the token itself, and "even" at position 1 sees none."""
        return cls()

    @classmethod
    def article_code(cls) -> "Scenario":
        """The article's code: "last" means the last of the prompt, and softmax gives a row without a match to whom it can see."""
        return cls(rules=("even", "last", "first", "all"), empty_row="soft")

    @property
    def prompt_ids(self) -> tuple[int, ...]:
        """The prompt as token ids. Ids below len(words) are the candidate words, so that a chosen logit column is its id."""
        return tuple(range(len(self.words), len(self.words) + len(self.tokens)))

    @property
    def id_words(self) -> tuple[str, ...]:
        """The word of each token id: the candidate words, then the tokens of the prompt."""
        return self.words + self.tokens

    def model(self, dtype=np.float64) -> "ToyModel":
        """The one-layer model that this scenario describes, computing in float64 or float32."""
        return ToyModel(self, np.dtype(dtype))


class ToyModel:
    """The scenario as a model: one layer, hand-made queries and keys, values that are one number, logits = contexts @ W."""

    n_layer, d_head, d_v, n_ctx = 1, MAX_TOKENS, 1, MAX_TOKENS

    def __init__(self, scenario: Scenario, dtype: np.dtype):
        self.scenario, self.dtype = scenario, dtype
        self.n_head, self.n_vocab = len(scenario.rules), len(scenario.words)
        self.n_kv_head = self.n_head if any(r.breaks_cache for r in scenario.rules) else 1
        self._value_of_id = np.array(scenario.word_values + scenario.values, dtype)
        self.n_ids = len(self._value_of_id)
        self._w_vocab = np.array(scenario.w_vocab, dtype)  # (n_head, n_vocab)

    def forward(self, token_ids: Sequence[int], cache: Cache | None = None) -> ForwardPass:
        """One pass over `token_ids` behind what `cache` holds; see engine.model. ValueError for an unknown id or no room."""
        ids, positions = begin_pass(self, token_ids, cache)
        q = queries(self.scenario.rules, positions, self.scenario.sharpness).astype(self.dtype, copy=False)
        k = keys(self.scenario.rules, positions, positions[-1] + 1).astype(self.dtype, copy=False)
        v = np.repeat(self._value_of_id[ids][None, :, None], self.n_kv_head, axis=0)  # (n_kv_head, n_new, 1)
        if cache is not None:
            k, v = cache.write(0, k, v)
        mask = layer_mask(cache, 0, positions, self.scenario.causal)
        layer = attention(q, k, v, mask, EMPTY_ROW[self.scenario.empty_row])
        logits = layer.context[:, :, 0].T @ self._w_vocab  # (n_new, n_head) @ (n_head, n_vocab)
        if cache is not None:
            cache.observe(0, layer.weights)
            cache.advance(len(ids))
        return ForwardPass(ids, positions, (layer,), logits, counts_of(len(ids), mask))

    def next_logits(self, run: ForwardPass) -> np.ndarray:
        """The logits as they are by hand: of words that are level so the first comes out, not the one that softmax leaks more to."""
        return logits_by_hand(run, self._w_vocab)


def _words(name: str, words: Sequence[str], most: int) -> tuple[str, ...]:
    if isinstance(words, str) or not 1 <= len(words) <= most:
        got = "one string" if isinstance(words, str) else len(words)
        raise ValueError(f"{name}: expected 1 to {most} words, got {got}")
    return tuple(_word(name, w) for w in words)


def _word(name: str, word: str) -> str:
    if not isinstance(word, str) or not 1 <= len(word.strip()) <= MAX_LETTERS or not word.strip().isprintable():
        raise ValueError(f"{name}: expected words of 1 to {MAX_LETTERS} printable letters, got {str(word)[:40]!r}")
    return word.strip()


def _numbers(name: str, numbers: Sequence[float], n: int, of_what: str) -> tuple[float, ...]:
    if not hasattr(numbers, "__len__") or len(numbers) != n:
        got = len(numbers) if hasattr(numbers, "__len__") else repr(numbers)[:40]
        raise ValueError(f"{name}: expected one number for each of the {n} {of_what}, got {got}")
    return tuple(0.0 if abs(x) < SMALLEST else x for x in (_number(name, x) for x in numbers))


def _number(name: str, x: float, expected: str = f"finite numbers between -{MAX_VALUE:g} and {MAX_VALUE:g}") -> float:
    try:
        number = float(x)
    except (TypeError, ValueError, OverflowError):
        number = math.nan  # an empty cell of a table, a word, an integer beyond floats
    if not abs(number) <= MAX_VALUE:
        got = f"{x:g}" if isinstance(x, float) else repr(x)[:40]
        raise ValueError(f"{name}: expected {expected}, got {got}")
    return number + 0.0  # -0.0 becomes 0.0, which reads better


def _rules(rules: Sequence[Rule | str]) -> tuple[Rule, ...]:
    if not 1 <= len(rules) <= MAX_HEADS:
        raise ValueError(f"rules: expected 1 to {MAX_HEADS} heads, got {len(rules)}")
    if not all(isinstance(r, Rule | str) for r in rules):
        raise ValueError(f"rules: expected rules or their short forms, got {str(rules)[:40]}")
    return tuple(r if isinstance(r, Rule) else Rule.parse(r) for r in rules)
