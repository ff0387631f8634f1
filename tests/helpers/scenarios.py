"""Scenarios and rules that tests draw at random, the article's two, and what is read off a pass over one of them;
scenarios whose words often draw level, and their answers in fractions: what a person gets who takes of level words the first."""

from fractions import Fraction
from functools import cache

from hypothesis import strategies as st

from engine import Rule, Scenario, prefill
from engine.toy.rules import KINDS

PRINCIPLED = tuple(kind for kind in KINDS if kind != "last")
AMOUNTS = (
    (0, 1, 2, 5, 10, 0.5),
    (0, 1, 3, 900, -2),
    (1, 2, 3, 4, 5),
    (0, 1, -1),
)  # zeros and hundreds leak, small ones draw level
KINDS_OF_AMOUNTS = st.sampled_from([st.sampled_from(amounts) for amounts in AMOUNTS])
ENTRIES = st.sampled_from((0.1, 0.2, 0.3))  # of W


@cache
def rules(kinds=KINDS, largest=16):
    """Any rule of the given kinds, with numbers and positions up to `largest`."""
    numbers = st.integers(1, largest)

    @cache
    def of_kind(kind):
        if kind == "at":
            return st.sets(numbers, min_size=1).map(lambda positions: Rule(kind, positions=tuple(sorted(positions))))
        return numbers.map(lambda n: Rule(kind, n)) if kind in ("previous", "window") else st.just(Rule(kind))

    return st.sampled_from(kinds).flatmap(of_kind)


def wants(rule, i, j):
    """The rule read as English: does the query at position i want to see position j? Both count from 1."""
    match rule.kind:
        case "even" | "odd":
            return j in range(2 if rule.kind == "even" else 1, 1000, 2)
        case "self":
            return i == j
        case "previous":
            return i - j == rule.number
        case "window":
            return 0 <= i - j < rule.number
        case "first":
            return j == 1
        case "at":
            return j in rule.positions
    return {"all": True, "none": False}[rule.kind]


TEXT, CODE = Scenario.article(), Scenario.article_code()
FAR_APART = Scenario(  # logits so far apart that the chances of two words round to 0
    ("big", "small", "big", "small", "tiny"), (1000, -1000, 999.5, 1e-6, -999), ("at:2.4", "window:3", "self", "odd"),
    ("up", "down", "flat"), (1000, -1000, 1e-4), ((1000, -1000, 0.001), (-500, 250, 1), (0.3, 0.3, 0.3), (10, 10, -10)), sharpness=32,
)  # fmt: skip
# As a link: as many tokens and heads as the toy allows, in short words.
SIXTEEN = {
    "tokens": ",".join(f"w{i}" for i in range(16)),
    "values": ",".join(map(str, range(16))),
    "rules": "even,odd,self,previous,first,all,window:3,none",
}
BIG = SIXTEEN | {"values": ",".join(["-1000"] * 16)}
SOUND = ("none", "soft", "softmax1")  # no look into the future, no NaN
VALUES = st.floats(-1000, 1000)
LENGTHS = st.integers(1, 16)


@cache
def so_many(n, of):
    """Lists of n. A strategy that is made anew for each example is checked anew, which takes longer than drawing from it."""
    return st.lists(of, min_size=n, max_size=n)


@st.composite
def scenarios(draw, kinds=PRINCIPLED, policies=SOUND, n_tokens=LENGTHS):
    """Any scenario that Scenario accepts, within the kinds and policies that a law speaks of."""
    n, n_head, n_vocab = draw(n_tokens), draw(st.integers(1, 8)), draw(st.integers(1, 4))
    values = draw(so_many(n + n_vocab, VALUES))
    return Scenario(
        tokens=[f"t{j}" for j in range(n)],
        values=values[:n],
        rules=draw(so_many(n_head, rules(kinds))),
        words=[f"w{j}" for j in range(n_vocab)],
        word_values=values[n:],
        w_vocab=draw(so_many(n_head, so_many(n_vocab, VALUES))),
        sharpness=draw(st.floats(0.05, 32)),
        empty_row=draw(st.sampled_from(policies)),
    )


def run(scenario):
    return prefill(scenario.model(), scenario.prompt_ids)


def contexts(scenario):
    """(n_head, n_token)"""
    return run(scenario).layers[0].context[..., 0]


def logits(scenario):
    """Those of the last token, which choose the next word."""
    return run(scenario).logits[-1]


def winner(scenario):
    return scenario.words[logits(scenario).argmax()]


@st.composite
def level_scenarios(draw, least=1):
    """Values and entries of W of a few kinds, at scores that softmax makes next to nothing of; a third of all answers begin level."""
    n, n_head, n_vocab = draw(st.integers(least, 6)), draw(st.integers(1, 3)), draw(st.integers(2, 3))
    amounts = draw(KINDS_OF_AMOUNTS)
    return Scenario(
        tokens=[f"t{j}" for j in range(n)],
        values=draw(so_many(n, amounts)),
        rules=draw(so_many(n_head, rules(PRINCIPLED, 3))),
        words=[f"w{j}" for j in range(n_vocab)],
        word_values=draw(so_many(n_vocab, amounts)),
        w_vocab=[draw(so_many(n_vocab, ENTRIES)) for _ in range(n_head)],
        empty_row=draw(st.sampled_from(("none", "soft"))),
    )


def fraction(x):
    """A number as it is typed."""
    return Fraction(repr(float(x)))


def contexts_by_hand(s, values, kept_from=None):
    """Of the row behind these values, (n_head,). kept_from: the position from which on keys that say “I am the last” are kept."""
    i, contexts = len(values), []
    for rule in s.rules:
        if rule.kind == "last":
            seen = [j for j in range(1, i + 1) if j >= (kept_from or i)]
        else:
            seen = [j for j in range(1, i + 1) if wants(rule, i, j)]
        seen = seen or [j for j in range(1, i + 1) if s.empty_row == "soft"]
        contexts.append(sum((values[j - 1] for j in seen), Fraction()) / max(len(seen), 1))
    return contexts


def logits_by_hand(s, values, kept_from=None):
    """Of the row behind these values, (n_vocab,)."""
    logits = [Fraction()] * len(s.words)
    for context, row in zip(contexts_by_hand(s, values, kept_from), s.w_vocab, strict=True):
        logits = [logit + context * fraction(w) for logit, w in zip(logits, row, strict=True)]
    return logits


def level_by_hand(logits):
    """The ids of the highest logit."""
    return [k for k, logit in enumerate(logits) if logit == max(logits)]


def answer_by_hand(s, n, kept_from=None):
    """(the n words, as ids, and the ids that are level in each row)"""
    values, level = [fraction(x) for x in s.values], []
    for _ in range(n):
        level.append(level_by_hand(logits_by_hand(s, values, kept_from)))
        values.append(fraction(s.word_values[level[-1][0]]))
    return [ids[0] for ids in level], level
