"""What looking back costs where nothing is kept: every next word computes all rows again, and they come out the same."""

from itertools import pairwise

from engine.compare import largest_gap
from engine.counts import cached_counts, recomputed_counts
from engine.decode import Generation
from pages.lessons.why.figures.stairs import stairs
from pages.lessons.why.story import N_ANSWER, LookBack, answer, words_of
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import gap_text


def rows_question(n_prompt: int) -> Question:
    """How many boxes a run computes that keeps nothing."""
    in_all, needed = recomputed_counts(n_prompt, N_ANSWER).kv_rows, cached_counts(n_prompt, N_ANSWER).kv_rows
    passes = [n_prompt + k for k in range(N_ANSWER)]
    return Question(
        "rows_again",
        f"A box is one word, computed once: {n_prompt} in the first pass, then one more in each. How many boxes do the "
        f"{N_ANSWER} passes compute?",
        float(in_all),
        f"{' + '.join(map(str, passes))} = {in_all}. Only {needed} of them are computed for the first time: {in_all - needed} are "
        "computed again.",
        tolerance=0.1,
        high=10_000,
        slips={float(needed): "So many would do if each were kept; here nothing is."},
    )


def same_again(made: Generation) -> float:
    """The largest difference between a key or a value and what the pass after it computed for the same word."""
    return max(
        largest_gap(getattr(a, name), getattr(b, name)[:, : getattr(a, name).shape[1]])
        for one, two in pairwise(made.passes)
        for a, b in zip(one.layers, two.layers, strict=True)
        for name in ("k", "v")
    )


@step(
    "Every word anew",
    minutes=3,
    ask="The last word is there, and I want one more. What does the model have to compute, if it has kept nothing?",
    wrong={
        "Only the new word": "that is what we want; but it looks back at what somebody must have kept of the others",
        f"One box for each of {N_ANSWER} words": "what was computed of the words before is needed in every pass",
    },
)
def waste(look: LookBack) -> None:
    """The passes of an answer without a cache, and how much of them had been computed before."""
    lead(
        "To look back at a word, the numbers computed for it must be there. A model that keeps nothing computes them all again for "
        "each next word: one run over all words is a **pass**."
    )
    made, n_prompt = answer(look), len(look.token_ids)
    written = words_of(made.token_ids)
    question = rows_question(n_prompt)
    names = (*look.words, *written[:-1])
    in_all, needed = recomputed_counts(n_prompt, N_ANSWER).kv_rows, cached_counts(n_prompt, N_ANSWER).kv_rows
    alt = f"{N_ANSWER} passes over {n_prompt} and more words; from the second on all rows but the last are computed again."
    plot(stairs(sheet(), names, written, n_prompt), alt, "stairs")
    said = (
        f"**{in_all - needed} of {in_all}** boxes had been computed before and came out the same; why, a later lesson shows. "
        "**What if they were kept?**"
        if question.answered
        else "Brown is what had been computed in the pass before, and is computed again."
    )
    same = f"Their keys and values differ by {gap_text(same_again(made))} at most, which is rounding."
    question_and_takeaway(question, "waste", said, help=same if question.answered else None)
