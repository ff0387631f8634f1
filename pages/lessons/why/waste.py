"""What looking back costs where nothing is kept: every next word computes all rows again, and they come out the same."""

from itertools import pairwise

from engine.compare import largest_gap
from engine.counts import cached_counts, recomputed_counts
from engine.decode import Generation
from pages.lessons.why.figures.stairs import stairs
from pages.lessons.why.story import N_ANSWER, LookBack, answer, words_of
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import gap_text

SHARES = {"none": 0.0, "about a quarter": 0.25, "half": 0.5, "about three quarters": 0.75, "all": 1.0}


def rows_question(n_prompt: int) -> Question:
    """Of the boxes that a run computes which keeps nothing, how many it had computed before."""
    in_all, needed = recomputed_counts(n_prompt, N_ANSWER).kv_rows, cached_counts(n_prompt, N_ANSWER).kv_rows
    passes = " + ".join(str(n_prompt + k) for k in range(N_ANSWER))
    again = (in_all - needed) / in_all
    return Question(
        "rows_again",
        "A box is one word in one pass. How many of these boxes had been computed in a pass before?",
        min(SHARES, key=lambda said: abs(SHARES[said] - again)),
        f"{passes} = {in_all} boxes, of which {needed} are computed for the first time, **{in_all - needed}** again.",
        options=tuple(SHARES),
        slips={
            "none": "The words before the new one stood there in the pass before, too.",
            "all": "In the first pass every box is new, and in each later one that of the new word.",
        },
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
)
def waste(look: LookBack) -> None:
    """The passes of an answer without a cache, and how much of them had been computed before."""
    lead(
        "To look back at a word, a model needs a **row** of numbers, computed for that word. If it keeps none, each next word takes a "
        "**pass** over all words."
    )
    made, n_prompt = answer(look), len(look.token_ids)
    written = words_of(made.token_ids)
    question = rows_question(n_prompt)
    names = (*look.words, *written[:-1])
    in_all, needed = recomputed_counts(n_prompt, N_ANSWER).kv_rows, cached_counts(n_prompt, N_ANSWER).kv_rows
    again = "; from the second on all rows but the last are computed again" if question.answered else ", a box a word"
    alt = f"{N_ANSWER} passes over {n_prompt} and more words{again}."
    says = (
        f"{in_all - needed} of {in_all} boxes computed again"
        if question.answered
        else f"Which of {in_all} boxes are computed again?"
    )
    drawn_on = under_headline(sheet(), says)
    plot(stairs(drawn_on, names, written, n_prompt, question.answered), alt, "stairs")
    said = "The brown ones came out **the same**. What if they were **kept**?"
    same = f"The numbers that are computed again differ by {gap_text(same_again(made))} at most, which is rounding."
    question_then_takeaway(question, "waste", said, same, widths=(3, 1))
