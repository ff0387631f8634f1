"""Two runs as the story has them: each writes its own words, and a third one keeps a key that the next word makes false."""

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from engine.decode import Generation, NoNextToken, generate
from engine.sampling import likeliest
from engine.toy.scenario import Scenario
from pages.lessons.cache.figures.three_runs import Run, three_runs
from pages.lessons.cache.stale_keys import stale_keys
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.format import md, quantity

STEPS = 6  # decode steps of each run
NONE = "none"
NAMES = ("all anew", "with the cache", "with false keys")


class Written(NamedTuple):
    """The words of each run, and rows of each of its passes. anew, cached: of the model; broken: of the one with a key that goes out
    of date, which writes the words of `anew`, too, when it computes all anew. head: of that key, from 1."""

    anew: tuple[str, ...]
    cached: tuple[str, ...]
    broken: tuple[str, ...]
    rows: tuple[tuple[int, ...], tuple[int, ...]]
    head: int

    @property
    def wrong(self) -> list[bool]:
        """Which words of the broken run are others than without a cache."""
        return [a != b for a, b in zip(self.broken, self.anew, strict=True)]


@lru_cache(maxsize=64)
def three_runs_of(s: Scenario) -> Written | None:
    """What the runs write, the third with the first key that makes a word wrong. None where no run comes to all its words, the model's
    own key goes out of date, or each of the keys makes another model of it, whose right words are not those of the other runs."""
    if any(rule.breaks_cache for rule in s.rules):
        return None
    n = min(STEPS, s.model().n_ctx - len(s.tokens)) + 1
    runs = _both_ways(s, n)
    if runs is None or any(len(likeliest(s.model().next_logits(p)[-1])) > 1 for p in runs[0].passes):
        return None  # of words that draw level the other one is as right
    best = None
    for key in stale_keys(s):
        found = _runs_with(s, runs, replace(key, causal=s.causal, empty_row=s.empty_row), n)  # nothing but the key is another
        if found and any(found.wrong):
            return found
        best = best or found
    return best


def _both_ways(s: Scenario, n: int) -> tuple[Generation, Generation] | None:
    """n words written all anew, and with the cache; None where one of the two cannot go on."""
    try:
        anew, cached = (generate(s.model(), s.prompt_ids, n, use_cache=use) for use in (False, True))
    except NoNextToken:
        return None
    return anew, cached


def _runs_with(s: Scenario, own: tuple[Generation, Generation], broken: Scenario, n: int) -> Written | None:
    """The runs of the scenario and those with one such key; None where what is wrong of the third is not seen beside the others."""
    heads = [h for h, rule in enumerate(broken.rules, 1) if rule.breaks_cache]
    runs = _both_ways(broken, n) if heads else None
    if runs is None:
        return None
    anew, cached, true, wrong = (tuple(s.id_words[i] for i in run.token_ids) for run in (*own, *runs))
    rows = tuple(tuple(p.n_new for p in run.passes) for run in own)
    return Written(anew, cached, wrong, rows, heads[0]) if true == anew else None


def first_wrong_question(s: Scenario, found: Written) -> Question:
    """Which word of the broken run is the first that a run without a cache would not say."""
    words = [f"word {k}" for k in range(1, len(found.broken) + 1)]
    first = found.wrong.index(True) if any(found.wrong) else None
    last = md(s.tokens[-1])
    begin = f"At word 1 “{last}” is the last. Then “{md(found.broken[0])}” goes in"
    kept = f"the kept key of “{last}” still claims to be: now two keys say that they are the last"
    late = f" Each word adds one more. It shows at word {first + 1}." if first and first > 1 else ""
    why = "Already the first pass goes another way." if first == 0 else f"{begin}, and {kept}.{late}"
    if first is None:
        why += " Yet **no word is wrong**: the words happen to stay."
    return Question(
        "first_wrong",
        f"In one head of the third run keys say “**I am the last word**”. That is true of “{last}” when it is read, false one word later, "
        "and kept; so with each new word. Which word is **the first to go wrong**?",
        NONE if first is None else words[first],
        why,
        options=(*words, NONE),
    )


def show_three_runs(s: Scenario, found: Written) -> None:
    """The three runs; of the third the words are asked first."""
    question = first_wrong_question(s, found)
    lead("One prompt, three runs. With a cache a model must say **the same** as without: what it keeps must **stay true**.")
    n, known = len(found.broken), question.answered
    broken = (found.broken, found.wrong) if known else (["?"] * n, [False] * n)
    said = ((found.anew, [False] * n), (found.cached, [False] * n), broken)
    runs = [
        Run(name, len(s.tokens), rows, *words, goes_false=name == NAMES[-1])
        for name, rows, words in zip(NAMES, (*found.rows, found.rows[1]), said, strict=True)
    ]
    parts = [f"word {k}" for k in range(1, n + 1)]
    alt = "; ".join(f"{run.name}: {quantity(sum(run.computed), 'row')} computed, {' '.join(run.words)}" for run in runs)
    figure = three_runs(sheet(), runs, asked_in(question, parts), "keys that still say “I am the last word”")
    plot(figure, f"Three runs. {alt}.", "three_runs", on_press=pressed(question, parts))
    question_then_takeaway(question, "three", _outcome(found), widths=(1.45, 1))


def _outcome(found: Written) -> str:
    rows = f"**{sum(found.rows[1])}** rows instead of **{sum(found.rows[0])}**"
    same = (
        f"With the cache: **the same words**, {rows}." if found.anew == found.cached else f"With the cache: other words, {rows}."
    )
    n = sum(found.wrong)
    wrong = f"**{quantity(n, 'word')}** of {len(found.wrong)} wrong" if n else "the words happen to stay"
    return f"{same} With false keys: {wrong}, and nothing stops or warns. **A key may say only what no later word makes false.**"
