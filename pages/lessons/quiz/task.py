"""One question of a quiz before it is asked: what it was drawn from, the computed answer, and wrong ones that tell a slip.

A maker draws a small scenario from a random generator, lets the engine compute the answer, and computes each wrong option the way
somebody does who makes a certain mistake. Where its scenario cannot show the point, a maker returns None and is asked again.
Python's own generator is used, whose numbers stay the same from version to version: a link of last year is the same quiz.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from engine.toy.rules import Rule
from engine.toy.scenario import Scenario
from pages.lessons.quiz.figures.picture import Given
from pages.lessons.quiz.figures.tokens import Words
from pages.parts.text.format import join, number
from pages.parts.text.toy_names import rule_name

MOST_WRONG = 3  # wrong options of a question
TRIES = 200  # of a maker, until its scenario shows the point
PROMPTS = (
    ("Today", "weather", "is", "so"),
    ("Lunch", "today", "was", "so"),
    ("The", "sea", "at", "night", "is"),
    ("My", "tea", "has", "become", "very"),
    ("This", "old", "song", "sounds"),
    ("Our", "train", "home", "is", "always"),
)
WORDS = (("nice", "warm", "delicious"), ("calm", "cold", "loud"), ("slow", "late", "full"))


@dataclass(frozen=True)
class Task:
    """asked, answer, why, options: Markdown. slips: wrong option -> what leads to it. given: what `asked` gives, for a picture.

    Whoever answers it needs that text alone: the open picture has no number that the text has not, and so has the test.
    """

    asked: str
    answer: str
    why: str
    options: tuple[str, ...]
    slips: Mapping[str, str]
    given: Given


@dataclass(frozen=True)
class Maker:
    """short: for a list of results; lesson: where to read again; make: draws a task, None where the draw shows nothing.

    misconception: the belief that its statement tests, "" for one that asks for a number or a word.
    """

    short: str
    lesson: str
    make: Callable[[Random], Task | None]
    misconception: str = ""

    def draw(self, rng: Random) -> Task:
        """A task of this kind."""
        task = next(filter(None, (self.make(rng) for _ in range(TRIES))), None)
        if task is None:
            raise RuntimeError(f"{self.make.__name__}: expected a task within {TRIES} draws, got none")
        if not self.misconception:
            return task
        return replace(task, slips=dict.fromkeys(task.slips, f"A common belief: “{self.misconception}”"))


def choice(rng: Random, asked: str, answer: str, why: str, wrong: Sequence[tuple[str, str]], given: Given) -> Task | None:
    """A task with shuffled options. wrong: (option, what leads to it), the most telling first; None unless two are left that
    read differently from the answer and from each other."""
    slips = {}
    for option, slip in wrong:
        if option != answer and len(slips) < MOST_WRONG:
            slips.setdefault(option, slip)
    if len(slips) < 2:
        return None
    options = [answer, *slips]
    rng.shuffle(options)
    return Task(asked, answer, why, tuple(options), slips, given)


def true_or_false(
    rng: Random, sentence: str, belief: tuple[str, bool], truth: tuple[str, bool], why: str, given: Given
) -> Task | None:
    """True or false: what is said with the belief in its gap or with the truth, each beside whether the computation bears it out.

    None where the draw does not tell the belief from the truth.
    """
    if belief[1] or not truth[1]:
        return None
    words, holds = rng.choice((belief, truth))
    answer, other = ("true", "false") if holds else ("false", "true")
    return Task(f"True or false? {sentence.format(words)}", answer, why, ("true", "false"), {other: ""}, given)


def toy(rng: Random, *rules: str) -> Scenario:
    """A prompt of four or five words with different whole values, heads with these rules, three candidate words."""
    tokens, words = rng.choice(PROMPTS), rng.choice(WORDS)
    values, word_values = rng.sample(range(1, 41), len(tokens)), rng.sample(range(1, 31), len(words))
    w_vocab = [[rng.randrange(1, 10) / 10 for _ in words] for _ in rules]
    return Scenario(tokens, values, rules, words, word_values, w_vocab)


def numbered(rng: Random, n: int, *rules: str) -> Scenario:
    """A prompt of n tokens without words, for questions about their number only."""
    return Scenario(
        [f"t{i}" for i in range(1, n + 1)], [rng.randrange(1, 41) for _ in range(n)], rules, w_vocab=[(0.5,) * 3] * len(rules)
    )


def with_word(s: Scenario, word: int, asks: str = "context") -> Words:
    """The prompt and the word that is decoded behind it, which asks."""
    return Words((*s.tokens, s.words[word]), (*s.values, s.word_values[word]), len(s.tokens), "asks", 1, asks)


def pairs_of(shown: np.ndarray) -> tuple[tuple[bool, ...], ...]:
    """Which pairs of a query and a key, for a picture."""
    return tuple(map(tuple, shown.astype(bool).tolist()))


def new_pairs(n: int, causal: bool = True) -> tuple[tuple[bool, ...], ...]:
    """Which pairs are new once a token is appended to n: its own row, without the mask its column, too."""
    new = np.arange(n + 1) == n
    return pairs_of(np.broadcast_to(new[:, None], (n + 1, n + 1)) if causal else new[:, None] | new)


def prompt_values(prompt: Scenario | Words) -> str:
    """The prompt with its values, without what is decoded: Today = 10, weather = 20, is = 1 and so = 5."""
    if isinstance(prompt, Words):
        words, values = (of[: len(prompt.words) - prompt.new] for of in (prompt.words, prompt.values))
    else:
        words, values = prompt.tokens, prompt.values
    return join([f"{word} = {number(value)}" for word, value in zip(words, values, strict=True)])


def contexts_and_w(s: Scenario, context: Sequence[float]) -> str:
    """The last row's contexts and W, all that a logit is computed from."""
    columns = "; ".join(f"“{word}” {', '.join(number(row[j]) for row in s.w_vocab)}" for j, word in enumerate(s.words))
    return (
        f"{len(context)} heads have the contexts {join([number(x) for x in context])}. W has a number a head for each word: "
        f"{columns}."
    )


def looks_at(rule: Rule) -> str:
    """What a head looks at, in a sentence."""
    if rule.kind == "previous" and rule.number > 1:
        return f"A head looks {rule.number} tokens back"
    return f"A head looks at {rule_name(rule)}{' positions' if rule.kind == 'window' else ''}"


def mean_of(values: Sequence[float]) -> str:
    """A mean written out: (10 + 20) / 2 = 15, or the one value alone."""
    values = list(values)
    mean = number(sum(values) / len(values))
    return mean if len(values) == 1 else f"({' + '.join(map(number, values))}) / {len(values)} = {mean}"
