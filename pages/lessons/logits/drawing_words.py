"""From logits to a drawn word: top-k, top-p, min-p and seed, a thousand draws, and an average that is none."""

import numpy as np
import streamlit as st

from engine import probabilities
from engine.compare import ROUNDING
from engine.experiments.draws import draw_many, standard_error
from engine.experiments.rows import largest_values
from engine.model import ForwardPass
from engine.sampling import likeliest
from engine.toy.projection import averaged, same_mean
from engine.toy.scenario import MAX_WORDS, Scenario
from pages.lessons.logits.figures.mean_bars import SameMean, mean_bars
from pages.lessons.logits.figures.word_chances import word_chances
from pages.lessons.logits.steps import WIDE, last_contexts, matrix, with_finite_logits
from pages.parts.controls import toy
from pages.parts.controls.shared_parameters import SEED, TEMPERATURE
from pages.parts.drawing.headline import under_headline
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.lesson.terms import TERMS
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.digits import logit_text, logits_side_by_side, signed
from pages.parts.text.format import entered, join, md, number, percent
from pages.parts.text.softmax_residue import by_hand
from pages.parts.text.toy_names import head_names, in_quotes
from pages.parts.visit.display import presenting
from pages.parts.visit.parameters import Real, Whole

TOP_K = Whole("top_k", low=0, high=MAX_WORDS)
TOP_P = Real("top_p", low=0.0, high=1.0, default=1.0)
MIN_P = Real("min_p", low=0.0, high=1.0)
N_DRAWS = 1_000
CAVEATS = (
    "This first word comes out of prefill: not one decode step has run. In a real model the way is longer: heads side by "
    "side, an output matrix, the residual stream, an MLP, further layers, a norm, and only then the matrix over a "
    "vocabulary of many thousands of words. The toy skips all of it."
)
SAME_LOGITS, SAME_WORD, OTHER_WORD = "the same logits", "other logits, but the same word", "other logits and another word"
# Instead of the last two where words draw level.
SAME_LEVEL, NOT_THE_SAME_LEVEL = "other logits, but the same words ahead", "other logits, and not the same words ahead"


def draw_controls(s: Scenario) -> tuple[dict[str, float], int]:
    """Temperature, top-k, top-p, min-p and seed; all in the link."""
    place = st.columns(5)
    with place[0]:
        temperature = TEMPERATURE.slider("Temperature", format="%g", help=TERMS["temperature"])
    with place[1]:
        top_k = TOP_K.slider("top-k", high=len(s.words), help=f"{TERMS['top-k']} 0 keeps every word.")
    with place[2]:
        top_p = TOP_P.slider("top-p", step=0.01, format="%g", help=f"{TERMS['top-p']} 1 keeps every word.")
    with place[3]:
        min_p = MIN_P.slider("min-p", step=0.01, format="%g", help=f"{TERMS['min-p']} 0 keeps every word.")
    with place[4]:
        seed = SEED.slider("Seed", help="What the random draws start from: the same seed, the same draws.")
    return {"temperature": temperature, "top_k": top_k, "top_p": top_p, "min_p": min_p}, seed


@step(
    "Drawing a word",
    minutes=4,
    ask="Draw a hundred times: how often will the likeliest word come?",
    wrong={"Always": "right only where one word has the whole chance; otherwise greedy choice is taken for drawing"},
)
def draw(s: Scenario, run: ForwardPass) -> None:
    """Logits, probabilities, what the options leave, and 1,000 draws beside them; the first draw is pointed out."""
    lead(
        "**Temperature** evens out the chances; **top-k**, **top-p** and **min-p** leave out unlikely words; the **seed** says "
        "which random draws.",
        "temperature", "top-k", "top-p", "min-p",
    )  # fmt: skip
    picture = st.container()  # the figure first: on a phone five sliders fill a screen
    options, seed = draw_controls(s)
    with picture:
        _drawn(s, run, options, seed)


def _drawn(s: Scenario, run: ForwardPass, options: dict[str, float], seed: int) -> None:
    logits = run.logits[-1]
    if not np.isfinite(logits).all():
        st.markdown("A context is not a number, so no logit is one: nothing can be drawn.")
        return
    plain, probs = probabilities(logits), probabilities(logits, **options)
    draws = draw_many(probs, N_DRAWS, seed)
    drawn = int(draws.token_ids[0])
    counted = ", ".join(
        f"“{name}”: logit {x}, probability {percent(p)}, drawn {c:,}"
        for name, x, p, c in zip(s.words, logits_side_by_side(logits), probs, draws.counts, strict=True)
    )
    total = _small_too(_total(s, run), 4)
    alt = (
        f"{counted}. The logits add up to {total}, the probabilities to {number(probs.sum())}. "
        f"The first draw, {number(draws.uniform[0], 3)}, falls on “{s.words[drawn]}”."
    )
    best = int(np.argmax(probs))
    times, chance = f"“{s.words[best]}” {draws.counts[best]:,}", f"chance {percent(probs[best])}"
    said = f"{N_DRAWS:,} draws: {times} times, its {chance.replace(' ', ' is ', 1)}", f"{times} times, {chance}"
    drawn_on = under_headline(sheet(slide_zoom=WIDE, high=340), *said)
    plot(word_chances(drawn_on, logits, plain, probs, draws, s.words), alt, "word_chances")
    off = np.abs(draws.counts / N_DRAWS - probs)
    far = int(np.argmax(off)) if number(100 * off.max(), 1) != "0" else int(np.argmax(probs))
    usual = standard_error(probs, N_DRAWS)[far]
    takeaway(
        "draw",
        f"The logits add up to **{total}**, the probabilities to **1**: only those can be drawn from.",
        help=f"Seed {seed} draws **{md(s.words[drawn])}** first; of {N_DRAWS:,} draws {percent(draws.counts[far] / N_DRAWS)} fall "
        f"on “{md(s.words[far])}”, {_from_its_chance(number(100 * off[far], 1))}. "
        f"Luck alone makes about {number(100 * usual)} points: one standard error, √(p(1 − p) / {N_DRAWS:,}) for a share p.",
    )


def _from_its_chance(points: str) -> str:
    """How far a share is from a chance.

    >>> _from_its_chance("1"), _from_its_chance("0"), _from_its_chance("0.4")
    ('**1** point from its chance', 'its chance to a tenth of a point', '**0.4** points from its chance')
    """
    return "its chance to a tenth of a point" if points == "0" else f"**{points}** point{'s' * (points != '1')} from its chance"


def mean_question(s: Scenario) -> Question:
    """Whether the mean of the heads' contexts decides; where no other prompt has the same mean, whether logits are chances."""
    s, run, guard = with_finite_logits(s)
    twin = _prompt_of_same_mean(s, run)
    if twin is None:
        return _sum_question(s, run, guard)
    context = last_contexts(run)
    other = toy.prefill_of(twin)
    written, then = _told_apart([run.logits[-1], other.logits[-1]])
    same = written == then  # what softmax leaves is no other logit where it is not seen
    best, new = likeliest(run.logits[-1]), likeliest(other.logits[-1])
    alike, another = (SAME_WORD, OTHER_WORD) if len(best) == len(new) == 1 else (SAME_LEVEL, NOT_THE_SAME_LEVEL)
    values = ", ".join(in_quotes(twin.tokens, map(entered, twin.values), md))
    return Question(
        "mean",
        f"{guard}A claim: “the heads’ contexts are **averaged**.” The values {values} make contexts of the same mean, "
        f"{_small_too(context.mean(), 3)}: which logits come out?",
        SAME_LOGITS if same else alike if best == new else another,
        f"The heads stand side by side as a vector of {len(context)} numbers, and W has a row for each; an average would keep one."
        + " That the logits are the same here is W’s doing: in its sums what is new cancels out." * same,
        options=(SAME_LOGITS, alike, another),
    )


@step(
    "No average",
    minutes=4,
    ask="On the way from the heads’ contexts to a word: what is averaged, what is added up, and what has to make 1?",
    wrong={"the same logits": "the heads’ outputs are thought to be averaged; they stand side by side and W reads each"},
)
def ask_mean(s: Scenario, run: ForwardPass) -> None:
    """Another prompt with the same mean, whose logits wait for the answer."""
    question = mean_question(s)
    s, run, _ = with_finite_logits(s)
    twin = _prompt_of_same_mean(s, run)
    if twin is not None:
        lead(
            "Are the heads’ contexts averaged before they become a word? Two prompts with the same mean would then have the same logits."
        )
        guessed = (str(question.answer), str(question.guess or "")) if question.answered else ()
        _same_mean(s, run, toy.prefill_of(twin), guessed, hidden=not question.answered)
    predict(question)
    if not presenting():
        with st.expander("What a real model does between the contexts and the word", icon=":material/info:"):
            st.caption(CAVEATS)


def _same_mean(s: Scenario, run: ForwardPass, other: ForwardPass, guessed: tuple[str, ...], hidden: bool) -> None:
    """Contexts, their mean, logits and winner: of this prompt, of the other one, and of nothing but the mean. guessed: the answer and
    the guess, once they are known."""
    context, w = last_contexts(run), matrix(s)
    small = _is_small(context.mean())
    rows = [
        ("this prompt", run, context, run.logits[-1]),
        ("the same mean", other, last_contexts(other), other.logits[-1]),
        ("the mean alone", None, averaged(context), averaged(context) @ w),
    ]
    prompts, alt, written = [], [], _told_apart([logits for *_, logits in rows])
    for k, (name, made, contexts, logits) in enumerate(rows):
        said = _small_too if k == 2 or small else by_hand  # the first two share a mean up to what softmax leaks
        each = [said(x, 3) for x in contexts]
        if made and not small:
            each = [logit_text(x, most) for x, most in zip(contexts, largest_values(made.layers[-1])[:, -1], strict=True)]
        mean = prompts[0].mean if k == 1 else said(contexts.mean(), 3)  # the same to the fourth digit
        texts, waits = written[k], hidden and k > 0
        prompts.append(SameMean(name, contexts, each, mean, logits, texts, likeliest(logits), waits))
        result = "wait for the prediction" if waits else f"{', '.join(texts)}: {_winners(s, logits)}"
        alt.append(f"{name}: contexts {', '.join(each)}, mean {mean}, logits {result}")
    words = list(dict.fromkeys(_winners(s, p.logits) for p in prompts))
    said = "one word?" if hidden else f"{words[0]} each time" if len(words) == 1 else "; ".join(words)
    said = f"three times the mean {prompts[0].mean}: {said}", f"mean {prompts[0].mean}: {said}"
    drawn_on = under_headline(sheet(high=320), *said)
    plot(mean_bars(drawn_on, prompts, s.words, head_names(s), guessed), f"{'. '.join(alt)}.", "same_mean")


def _told_apart(rows: list[np.ndarray]) -> list[list[str]]:
    """The logits of each prompt with two decimals, with four where two prompts that differ would be written alike.

    >>> _told_apart([np.array([14.6, 13.6875]), np.array([11.6, 12.25])]), _told_apart([np.array([1.0012]), np.array([1.0031])])
    ([['14.6', '13.69'], ['11.6', '12.25']], [['1.0012'], ['1.0031']])
    """
    two, four = ([logits_side_by_side(logits, digits) for logits in rows] for digits in (2, 4))
    alike = any(two[0] == two[k] and four[0] != four[k] for k in range(1, len(rows)))
    return four if alike else two


def _prompt_of_same_mean(s: Scenario, run: ForwardPass) -> Scenario | None:
    """Another prompt with the same mean, as it is written; None where there is none."""
    twin, mean = same_mean(s, run.layers[-1]), last_contexts(run).mean()
    if twin is None or not _is_small(mean):
        return twin
    return twin if _small_too(last_contexts(toy.prefill_of(twin)).mean(), 3) == _small_too(mean, 3) else None


def _is_small(mean: float) -> bool:
    """Whether three decimals would say that a mean is nothing."""
    return 0 < abs(mean) < 0.0005


def _small_too(x: float, digits: int) -> str:
    """A number with so many digits, or with a power of ten where they would say that it is nothing."""
    said = by_hand(x, digits)
    return signed(x) if said == "0" and abs(x) > ROUNDING else said


def _winners(s: Scenario, logits: np.ndarray) -> str:
    """The word that wins, or all that draw level."""
    words = in_quotes(s.words[w] for w in likeliest(logits))
    return f"{join(words)}{', level' * (len(words) > 1)}"


def _total(s: Scenario, run: ForwardPass) -> float:
    """What the logits of the last row add up to, made of its contexts: nothing of what softmax leaves is in it."""
    return float((last_contexts(run) @ matrix(s)).sum())


def _sum_question(s: Scenario, run: ForwardPass, guard: str) -> Question:
    """Whether logits are probabilities."""
    total, options = _total(s, run), ("they do", "they do not")
    return Question(
        "mean",
        f"{guard}Probabilities add up to 1. Do the logits of the last row, too?",
        options[0] if abs(total - 1) < 1e-9 else options[1],
        f"They add up to {_small_too(total, 4)}. Logits are raw scores of any size; softmax turns them into probabilities.",
        options=options,
    )
