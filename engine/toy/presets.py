"""Scenarios that teach something, by name: the article's two, and six of ours that make one point each.

What a description says of a scenario is computed from it.
"""

from engine.decode import generate
from engine.prefill import prefill
from engine.toy.edits import set_rule, swap_tokens
from engine.toy.scenario import Scenario

DELICIOUS = Scenario(tokens=("Lunch", "today", "is", "so"), values=(40, 20, 1, 5))
# A whole sentence. Head 2 sees the newest word alone: of word w, W's row of head 2 holds a number a and that of head 3, which gives 10
# each time, about −a² / 20, so that the word wins whose a is nearest to the newest word's value. Heads 1 and 4 add a little.
ALL_SWIM = Scenario(
    tokens=("Today’s", "weather", "is", "so"), words=("nice", "that", "we", "all", "swim", "."), word_values=(3, 1, 9, 7, 11, 1),
    w_vocab=((0.1, 0, 0, 0, 0, 0), (5, 3, 1, 9, 7, 11), (-1.2, -0.4, 0, -4, -2.4, -6), (0, 0, 0.1, 0, 0, 0)),
)  # fmt: skip
TICK_TOCK = Scenario(
    tokens=("tick", "tock"), values=(10, -10), rules=("self",),
    words=("tick", "tock"), word_values=(10, -10), w_vocab=((-0.2, 0.2),),
)  # fmt: skip
DOG_BITES_MAN = Scenario(
    tokens=("Dog", "bites", "man", "who"), values=(20, 1, -20, 5), rules=("first", "all"),
    words=("barks", "sues"), word_values=(8, 3), w_vocab=((0.1, -0.1), (0.1, 0.1)),
)  # fmt: skip
NOT_BAD = Scenario(
    tokens=("It", "was", "not", "bad"), values=(1, 1, 4, -20), rules=("self", "window:2"),
    words=("again", "never"), word_values=(9, -9), w_vocab=((0.1, -0.1), (0.1, -0.1)),
)  # fmt: skip
TO_REMEMBER = Scenario(
    tokens=("My", "code", "is", "42", "keep", "it", "now", "what", "was", "it"), values=(1, 1, 1, 42, 1, 1, 1, 1, 1, 1),
    rules=("window:3", "at:4", "all"), words=("42", "lost"), word_values=(42, 0), w_vocab=((0.1, 0.2), (0.1, 0), (0.1, 0.2)),
)  # fmt: skip


def _contexts(s: Scenario) -> list[str]:
    """What each head takes for the last token, as text."""
    return [f"{context:.3g}".replace("-", "−") for context in prefill(s.model(), s.prompt_ids).layers[0].context[:, -1, 0]]


def _answer(s: Scenario, n: int = 1) -> str:
    """The next n words."""
    return " ".join(s.id_words[i] for i in generate(s.model(), s.prompt_ids, n).token_ids)


def _delicious() -> str:
    first, usual = DELICIOUS.values[0], Scenario.article()
    return (
        f"One value decides: the article’s, but for {first:g} instead of {usual.values[0]:g} at the first token. Head 3 looks "
        f"at it, and W lets that head speak for “{_answer(DELICIOUS)}”."
    )


def _all_swim() -> str:
    return (
        f"The article’s rules and values, and words that make a sentence: “{_answer(ALL_SWIM, 6)}”. Head 2 sees the newest word alone, "
        "and W lets it say which one follows."
    )


def _tick_tock() -> str:
    return f"A chosen word is fed back: one head sees itself only, so each word decides the next one: {_answer(TICK_TOCK, 4)}."


def _dog_bites_man() -> str:
    swapped = swap_tokens(DOG_BITES_MAN, 0, 2)
    (first, mean), (then, _) = _contexts(DOG_BITES_MAN), _contexts(swapped)
    return (
        f"Order counts: exchange “Dog” and “man”. The average of head 2 stays {mean}; head 1, which "
        f"looks at the first token, goes from {first} to {then}, and “{_answer(DOG_BITES_MAN)}” becomes “{_answer(swapped)}”."
    )


def _not_bad() -> str:
    alone, both = _contexts(NOT_BAD)
    return (
        f"A head adds shares of values and never multiplies two: “not” dilutes “bad” from {alone} to {both} and cannot turn it "
        f"round. The next word is “{_answer(NOT_BAD)}”."
    )


def _to_remember() -> str:
    window, whole, mean = _contexts(TO_REMEMBER)
    return (
        f"What a head cannot see is lost: a window of 3 takes {window}, position 4 holds “42” whole ({whole}), the average of "
        f"{len(TO_REMEMBER.tokens)} tokens has {mean}. Let head 2 look at the last 3 as well, and “{_answer(TO_REMEMBER)}” "
        f"becomes “{_answer(set_rule(TO_REMEMBER, 1, 'window:3'))}”."
    )


PRESETS: dict[str, tuple[Scenario, str]] = {
    "Article, text": (Scenario.article(), "The four tokens, values and rules of the article’s text."),
    "We all swim": (ALL_SWIM, _all_swim()),
    "Article, code": (
        Scenario.article_code(),
        "The article’s listing: head 2 asks for the last of the prompt, a key that knows the future and breaks the cache.",
    ),
    "Delicious wins": (DELICIOUS, _delicious()),
    "Tick tock": (TICK_TOCK, _tick_tock()),
    "Dog bites man": (DOG_BITES_MAN, _dog_bites_man()),
    "Not bad": (NOT_BAD, _not_bad()),
    "A number to remember": (TO_REMEMBER, _to_remember()),
}
