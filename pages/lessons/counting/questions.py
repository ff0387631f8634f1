"""The questions of the counting lesson; each answer is counted by the engine."""

from engine.counts import cached_counts, last_query_counts, recomputed_counts
from engine.toy.scenario import Scenario
from engine.work.baselines import order, work
from pages.parts.question.question import Question
from pages.parts.teaching import routes
from pages.parts.text.amounts import count
from pages.parts.text.format import quantity

ANSWER = 8  # tokens generated, untouched
# Tokens of the answer that is doubled: much longer than any prompt here, so that the factors are those of the long run.
LONG = 1000
MASKED = ", counted with the **mask on**, not off as here"  # where it is off

TIMES = ("×2", "×4", "×8")  # a line, a square, a cube
IN_WORDS = ("twice", "three times", "four times")  # in the story, where no cube has been met


def waits(question: Question, s: Scenario, p: int, g: int) -> bool:
    """Whether a figure of P and G holds back the answer to a question on the way."""
    return (p, g) == (len(s.tokens), ANSWER) and not question.answered


def products(s: Scenario) -> Question:
    """Score products of one layer, where only the newest query need ask: the cache saves none."""
    p, g = len(s.tokens), ANSWER
    without, last, cached = recomputed_counts(p, g), last_query_counts(p, g), cached_counts(p, g)
    pairs = (
        f"{without.scores:,} and {cached.scores:,}",
        f"{last.scores:,} and {cached.scores:,}",
        f"{without.kv_rows:,} and {cached.kv_rows:,}",
    )
    later = " + ".join(str(p + i) for i in range(1, g))
    return Question(
        "products",
        "After prefill **one layer** needs only the newest token’s row. How many products, a query times a key, do the second and the "
        f"third way take (P = {p}, G = {g}{MASKED * (not s.causal)})?",
        pairs[1],
        f"A query meets every key, kept or computed again: {p}·{p + 1}/2 in prefill, then {later}. **On one layer the cache saves no "
        "product**: it saves computing keys and values again. Several layers without a cache must also run the old rows again, "
        f"for the next layer’s keys: {quantity(without.scores, 'product')}.",
        options=tuple(sorted(set(pairs), key=lambda pair: [int(n.replace(",", "")) for n in pair.split(" and ")])),
    )


def _double_in_words(grows: float) -> Question:
    """The same in the story, in whose picture a product is a box. grows: by what the products do."""
    return Question(
        "double_scores",
        "With the cache each new query still meets **every key**: it reads all boxes of its column. Prompt and answer **twice as "
        "long**: how many boxes are read in all, about?",
        f"{IN_WORDS[round(grows) - 2]} as many",
        "Twice the columns, each about twice as high: 2 × 2.",
        options=tuple(f"{word} as many" for word in IN_WORDS),
        slips={f"{IN_WORDS[0]} as many": "Each column is higher, too."},
    )


def double_scores(s: Scenario) -> Question:
    """By what the cache's score products grow when the answer doubles."""
    p, g = len(s.tokens), LONG
    a, b = (work("cache", "scores", p, n) for n in (g, 2 * g))
    if routes.chosen() == routes.STORY:
        return _double_in_words(b / a)
    return Question(
        "double_scores",
        f"With a cache, an answer to {quantity(p, 'token')} grows from {g:,} to {2 * g:,}. How many times as many **products** is that, "
        "about?",
        f"×{b / a:.0f}",
        f"{count(a)} → {count(b)}, ×{b / a:.3f}: twice the passes, each over about twice the keys: "
        f"{ {1: 'a line', 2: 'a square', 3: 'a cube'}[order(b / a)] }.",
        options=TIMES,
        slips={TIMES[0]: "That is how the computed rows grow.", TIMES[2]: "That is without a cache."},
    )
