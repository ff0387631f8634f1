"""Scenarios whose words often draw level, and their answers in fractions: what a person gets who takes of level words the first."""

from fractions import Fraction

from hypothesis import strategies as st
from scenarios import rules, wants

from engine import Scenario

AMOUNTS = (
    (0, 1, 2, 5, 10, 0.5),
    (0, 1, 3, 900, -2),
    (1, 2, 3, 4, 5),
    (0, 1, -1),
)  # zeros and hundreds leak, small ones draw level
WITHOUT_LAST = ("even", "odd", "self", "previous", "first", "all", "window", "none", "at")


@st.composite
def level_scenarios(draw, least=1):
    """Values and entries of W of a few kinds, at scores that softmax makes next to nothing of; a third of all answers begin level."""
    n, n_head, n_vocab = draw(st.integers(least, 6)), draw(st.integers(1, 3)), draw(st.integers(2, 3))
    amounts, entries = st.sampled_from(draw(st.sampled_from(AMOUNTS))), st.sampled_from((0.1, 0.2, 0.3))
    return Scenario(
        tokens=[f"t{j}" for j in range(n)],
        values=draw(st.lists(amounts, min_size=n, max_size=n)),
        rules=draw(st.lists(rules(WITHOUT_LAST, 3), min_size=n_head, max_size=n_head)),
        words=[f"w{j}" for j in range(n_vocab)],
        word_values=draw(st.lists(amounts, min_size=n_vocab, max_size=n_vocab)),
        w_vocab=[draw(st.lists(entries, min_size=n_vocab, max_size=n_vocab)) for _ in range(n_head)],
        empty_row=draw(st.sampled_from(("none", "soft"))),
    )


def fraction(x):
    """A number as it is typed."""
    return Fraction(repr(float(x)))


def logits_by_hand(s, values, kept_from=None):
    """Of the row behind these values, (n_vocab,). kept_from: the position from which on keys that say “I am the last” are kept."""
    i, logits = len(values), [Fraction()] * len(s.words)
    for rule, row in zip(s.rules, s.w_vocab, strict=True):
        if rule.kind == "last":
            seen = [j for j in range(1, i + 1) if j >= (kept_from or i)]
        else:
            seen = [j for j in range(1, i + 1) if wants(rule, i, j)]
        seen = seen or [j for j in range(1, i + 1) if s.empty_row == "soft"]
        context = sum((values[j - 1] for j in seen), Fraction()) / max(len(seen), 1)
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
