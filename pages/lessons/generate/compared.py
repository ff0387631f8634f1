"""Both runs of the clock compared: equal within rounding, and what becomes of the cache without the mask."""

import time
from collections.abc import Iterator

import numpy as np

from engine.timing.both_ways import BothWays, TimedStep
from pages.lessons.generate.figures.agreeing_digits import agreeing_digits, shown_best
from pages.lessons.generate.figures.layer_gaps import HeldCache, layer_gaps
from pages.lessons.generate.run import Run, first_few, most_words, n_asked, run_bytes
from pages.lessons.generate.steps import SLIDE, prompt_end
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway, question_then_takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.sharing.results import RESULTS
from pages.parts.sharing.shared_work import Job
from pages.parts.text.digits import gap_text
from pages.parts.text.format import end_of, join, md, number, percent, plural, quantity
from pages.parts.trained import model

SAME, ROUNDED, DIFFERENT = "yes, in every bit", "no, but the same within rounding", "no, visibly different"
NOWHERE = "in none"
REAL = 1e-3  # a difference of keys or values, against the largest of them, that is no rounding
HIGH = 330.0  # pixels of the figure on a projector: its answer stands beneath it
BANDS = (SAME, ROUNDED, DIFFERENT)  # from the left
WHOLE_S = 0.1  # the longest that a figure of the whole answer computes; what is missing comes while the text runs


def same_question(run: Run, timed: list[TimedStep]) -> Question:
    """Are both runs equal bit for bit, over the first few steps?"""
    answer = SAME if all(b.equal == 1 for b in timed) else ROUNDED if all(b.gap <= b.rounding for b in timed) else DIFFERENT
    shown = md(end_of(prompt_end(run).removeprefix("… "), 70))
    largest = max(b.gap for b in timed)
    return Question(
        "same_bits",
        f"“{shown}” and the first {plural(len(timed), 'word', f'{len(timed)} words')} of the answer, both ways. Are the logits "
        "**equal**?",
        answer,
        f"Over {quantity(len(timed), 'word')} the largest difference is **{gap_text(largest)}**, on logits up to "
        f"{number(max(b.largest for b in timed), 1)}. "
        f"{_bits(timed)} One row and many add up in another order, and so floating-point sums are seldom the same bit for bit.",
        options=(SAME, ROUNDED, DIFFERENT),
    )


def _bits(timed: list[TimedStep]) -> str:
    """How many logits are equal in every bit."""
    further = [b.equal for b in timed[1:]]
    steps = (
        f"; at {quantity(len(further), 'decode step')} {percent(float(np.mean(further)))}{' on average' * (len(further) > 1)}"
        if further
        else ", and no decode step has followed"
    )
    return f"At prefill, the same pass in both, {percent(timed[0].equal)} of them are equal in every bit{steps}."


@step(
    "The same?",
    minutes=4,
    ask="Are the logits the same, bit for bit?",
    wrong={
        "yes, in every bit": "sums in another order round differently",
        "no, visibly different": "a cache is taken for an approximation; it is none",
    },
)
def same(run: Run) -> None:
    """The differences at every step, once the question is answered."""
    lead("The same tokens, run twice: behind a cache, and all of them again for every word.")
    asked = first_few(run)
    if asked is None:
        return
    question = same_question(run, asked)
    example, said = shown_best(asked), asked_in(question, BANDS)
    word = model.words(run.trained, [example.pair_id])[0]
    if not question.answered:
        words = model.words(run.trained, [b.token_id for b in asked])
        figure, press = (
            agreeing_digits(sheet(slide_zoom=SLIDE, high=HIGH, slide_high=HIGH), asked, example, word, said),
            pressed(question, BANDS),
        )
        plot(figure, f"Differences of logits at the words {join(words)}: after your answer.", "agreeing_digits", on_press=press)
        predict(question)
        return
    run.job.advance_to(run.n_words, min(run.work.until, time.perf_counter() + WHOLE_S))
    timed = run.measured
    largest = max(b.gap for b in timed)
    figure = agreeing_digits(sheet(slide_zoom=SLIDE, high=HIGH, slide_high=HIGH), timed, example, word, said)
    plot(figure, f"Largest difference of logits at {quantity(len(timed), 'step')}: {gap_text(largest)}.", "agreeing_digits")
    question_and_takeaway(
        question,
        "same",
        f"Over {quantity(len(timed), 'word')}: at most **{gap_text(largest / max(b.largest for b in timed))}** of the largest logit."
        if largest
        else f"Over {quantity(len(timed), 'word')} the two runs give the same logits, **to the last bit**.",
        widths=(2.2, 1),
    )


def _unmasked(run: Run) -> tuple[BothWays, np.ndarray] | None:
    """The same prompt by the same model, whose tokens now also look at later ones: the run, and max |Δ| of each token's key and value
    in each layer, as a share of the largest of all, (n_layer, n). None, and a message, as long as that is not there."""
    t, n = run.trained, min(n_asked(run), most_words(run.trained, run.prompt))

    def make() -> Job:
        both = BothWays(t.model.variant(causal=False), run.prompt.ids, n, repeats=1)  # nobody looks at its times
        return Job(_steps(both), n + 1, t.lock, t.small, of=both)

    n_bytes = run_bytes(t, len(run.prompt.ids) + n)
    job = RESULTS.get(("unmasked", *t.key, run.prompt.ids, n), make, lambda _: n_bytes)
    there = run.work.advance(job, n + 1, "The same without the mask")
    run.work.say()
    return (job.of, job.result) if there else None


def _steps(both: BothWays) -> Iterator[TimedStep | np.ndarray]:
    """Every word, then the differences of the caches."""
    while not both.done:
        yield both.step()
    largest = max(float(np.abs(part).max()) for part in (both.cache.k, both.cache.v))
    yield both.cache_gaps() / largest


def _in_layers(gaps: np.ndarray) -> str:
    """How far the first layers' keys and values are off, in words."""
    return join([f"{percent(float(g)) if g > REAL else gap_text(float(g))} in layer {i + 1}" for i, g in enumerate(gaps[:6])])


def layers_question(gaps: np.ndarray) -> Question:
    """Mask off: where the cache becomes invalid. gaps: of each layer, against the largest key or value."""
    wrong = np.flatnonzero(gaps > REAL)
    options = (NOWHERE, *(f"from layer {i + 1} on" for i in range(min(3, len(gaps)))))
    answer = f"from layer {wrong[0] + 1} on" if len(wrong) else NOWHERE
    if answer not in options:
        options = (*options, answer)
    return Question(
        "wrong_layers",
        "The same model with the **causal mask off**: every token also looks at later ones. In which of its "
        f"{len(gaps)} layers does the cache then hold keys and values that recomputing would not give?",
        answer,
        f"They are off by up to {_in_layers(gaps)}, of the largest key or value. A key of layer 1 is made from its own token and place, "
        "which do not change; from layer 2 on from what a row of layer 1 has seen, and that row would now see the new tokens too.",
        options=options,
    )


@step(
    "Without the mask",
    minutes=4,
    ask="In which layers does the cache hold what recomputing would not give?",
    wrong={
        "from layer 1 on": "the first layer’s keys come from the token alone",
        "in none": "later layers have read rows that did not see the new token",
    },
)
def layers(run: Run) -> None:
    """In which layers what is kept is wrong is asked."""
    lead("Now every token may look at later ones as well: is what the cache holds still what recomputing gives, in every layer?")
    found = _unmasked(run)
    if found is None:
        return
    both, by_token = found
    gaps = by_token.max(axis=1)
    question, masked = layers_question(gaps), first_few(run)
    if masked is None:
        return
    parts = [f"from layer {i + 1} on" for i in range(len(gaps))]
    n_words = min(len(masked), len(both.timed))
    on, off = (max(b.gap for b in timed[:n_words]) for timed in (masked, both.timed))
    prompt = run.prompt.words
    held = HeldCache(
        [*prompt, *model.words(run.trained, both.token_ids[len(prompt) : both.cache.n_tokens])], len(prompt), by_token
    )
    wrong = f"wrong by up to {gap_text(off)}" if off else "still the same to the last bit"
    says = f"Without the mask the cache is wrong {'in no layer' if question.answer == NOWHERE else question.answer}"
    says = says if question.answered else "Without the mask, where is the cache wrong?"
    figure = layer_gaps(sheet(slide_zoom=SLIDE, high=HIGH, slide_high=HIGH), held, REAL, asked_in(question, parts), says)
    plot(
        figure,
        f"Largest difference of logits: mask on {gap_text(on)}, mask off {gap_text(off)}; of keys and values in each layer, "
        f"of the largest of them: {_in_layers(gaps) if question.answered else 'after your answer'}.",
        "layer_gaps",
        on_press=pressed(question, parts),
    )
    question_then_takeaway(
        question,
        "layers",
        "**The mask keeps later tokens out of every row**, so no row has to be made again.",
        help=f"Over {quantity(n_words, 'word')} with the mask off the logits behind the cache are {wrong}; with it they agree to "
        f"{gap_text(on) if on else 'the last bit'}. This model is made to run with the mask; of what it writes without it only "
        "the comparison counts.",
        widths=(1.7, 1),
    )
