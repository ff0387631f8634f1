"""Less kept behind a trained model: the same caches on a prompt of the visitor's, and which of them say another word."""

from functools import partial

import numpy as np
import streamlit as st

from engine.sampling import probabilities
from pages.lessons.less.figures.kept_rows import KeptRow, kept_rows
from pages.lessons.less.steps import WHY, Toy
from pages.lessons.less.variants import BITS, HEAVY, MOST_SINKS, N_BITS, N_VARIANTS, SINKS, WINDOW, Variant, variants_so_far
from pages.lessons.less.view import USUAL, View
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_then_takeaway
from pages.parts.question.question import Question
from pages.parts.text.digits import told_apart
from pages.parts.text.format import join, md, percent
from pages.parts.trained import model, prompt
from pages.parts.trained.model import TRAINED_HEAD
from pages.parts.visit import control_locks
from pages.parts.visit.parameters import Whole, set_widget

PROMPT_WINDOW = Whole("kept_newest", low=2, high=64, default=4)  # of a trained model’s prompt
PROMPT_SINKS = Whole("kept_first", low=1, high=MOST_SINKS, default=1)
MISSES_MOST = "the one that misses most"  # of what the window has dropped


@step(
    "On a trained model",
    minutes=5,
    ask="What this head looks at most: which of the caches still show it? Then count the words that change.",
    wrong={
        "All four, for each has lost something": (
            "right only where in each another word overtakes the likeliest: a small error is not yet another word"
        ),
        "Not the one with 2 bits, for nothing is missing there": (
            "right only where no other word overtakes: every row is there, but its numbers are those of the nearest level, and scores "
            "and contexts are made of them"
        ),
    },
)
def trained(_: Toy, v: View) -> None:
    """The caches on a prompt beneath the whole one, and how many of them change the word."""
    lead("The same caches behind the small language model. One more token came in: which of them still say what the whole cache says?",
         "KV cache", "attention sink", "heavy hitter", "KL divergence")  # fmt: skip
    figure, asked = st.container(), st.container()
    _controls(v)
    n = len(v.prompt.ids)
    if n < 2:
        figure.info("A cache needs a token that is not the last one: add a word to the prompt.")
        return
    window, n_sinks = PROMPT_WINDOW.value(high=_most_newest(n)), PROMPT_SINKS.value()
    with figure:
        shown = _variants(v, window, n_sinks)
        if shown is None:
            return
        question = words_question(v, shown)
        plot(*_figure(v, shown, question.answered), "kept_trained")
    with asked:
        question_then_takeaway(question, "trained", _takeaway(shown, n <= window), help=WHY)


def _controls(v: View) -> None:
    """The prompt, and folded away how much is kept and whose weights are shown."""
    prompt.controls(v.trained, (0.95, partial(_folded, v)), usual=USUAL)
    prompt.marks(v.trained, v.prompt)


def _folded(v: View) -> None:
    """How much is kept of this prompt, and whose weights are shown."""
    with st.popover("How many", icon=":material/tune:", key="less_more_trained", width="stretch"):
        PROMPT_WINDOW.slider("Newest tokens", high=_most_newest(len(v.prompt.ids)))
        PROMPT_SINKS.slider("First tokens (sinks)")
        names = ["", *_heads(v)]
        set_widget("less_head", TRAINED_HEAD.text() if TRAINED_HEAD.text() in names else "")
        st.selectbox(
            "Weights of layer.head", names, key="less_head", format_func=lambda name: name or MISSES_MOST,
            on_change=lambda: TRAINED_HEAD.set_text(st.session_state["less_head"]),
            **control_locks.control(TRAINED_HEAD.name, "Weights of layer.head"),
        )  # fmt: skip


def _most_newest(n: int) -> int:
    """The longest window that a prompt of n tokens has a slider for."""
    return max(3, min(n, PROMPT_WINDOW.high))


def _variants(v: View, window: int, n_sinks: int) -> dict[str, Variant] | None:
    """All caches' last passes, shared by all who ask for the same; None, and a message, as long as they are not there."""
    m, ids = v.trained.model, v.prompt.ids
    n_bytes = N_VARIANTS * len(ids) * 4 * m.n_layer * (m.n_kv_head * (m.d_head + m.d_v) + 3 * m.n_head)
    steps = partial(variants_so_far, m, ids, window, n_sinks)
    job = v.trained.job("less", ids, window, n_sinks, steps=steps, n_steps=N_VARIANTS, n_bytes=n_bytes)
    found = v.work.result(job, "The prompt behind five caches")
    v.work.say()
    return found


def _heads(v: View) -> dict[str, tuple[int, int]]:
    m = v.trained.model
    return {f"{i + 1}.{j + 1}": (i, j) for i in range(m.n_layer) for j in range(m.n_head)}


def _head(v: View, shown: dict[str, Variant]) -> tuple[int, int]:
    """(layer, head) whose weights are shown: chosen, or the one that gives most weight to what the window has dropped."""
    heads, n = _heads(v), len(v.prompt.ids)
    return heads.get(TRAINED_HEAD.text()) or max(heads.values(), key=lambda place: weight_hidden(shown, place, n))


def weight_hidden(shown: dict[str, Variant], place: tuple[int, int], n: int) -> float:
    """The weight that a head gives, with everything kept, to what the window hides."""
    whole, window = (shown[key].weights(*place, n) for key in ("", WINDOW))
    return float(np.nansum(np.where(np.isnan(window), whole, 0.0)))


def _figure(v: View, shown: dict[str, Variant], answered: bool):
    """The figure, and what it says in words; what comes out behind the smaller caches waits for the answer."""
    n, (layer, head), told = len(v.prompt.ids), _head(v, shown), []
    known = {key: one for key, one in shown.items() if answered or not key}
    ids, rows = list(dict.fromkeys(one.token_id for one in known.values())), []
    words = model.words(v.trained, ids)
    for key, one in shown.items():
        chances = probabilities(one.last.run.logits[-1])[ids].tolist() if key in known else None
        likeliest = ids.index(one.token_id) if key in known else 0
        thick = one.last.nbytes / shown[""].last.nbytes if key == BITS else 1.0
        rows.append(KeptRow(one.name, _on_phone(key, n), one.weights(layer, head, n), chances, likeliest, thick))
        said = f"{words[likeliest]} {percent(chances[likeliest])}" if chances else "waits for your answer"
        told.append(f"{one.name}, {one.last.nbytes:,} bytes: {said}")
    place, whose = sheet(slide_zoom=0.95, high=310, slide_high=360), f"weights, layer {layer + 1}, head {head + 1}"
    return kept_rows(place, rows, v.prompt.words, whose, words), f"Caches of {n} tokens, next word each. {'. '.join(told)}."


def _on_phone(key: str, n: int) -> tuple[str, str]:
    """What a cache of n tokens is called in a narrow column, in two lines."""
    window, n_sinks = PROMPT_WINDOW.value(high=_most_newest(n)), PROMPT_SINKS.value()
    return {
        "": ("all", ""), WINDOW: ("newest", f"{window}"), SINKS: ("first", f"{n_sinks} + {window}"),
        HEAVY: ("heaviest", f"{n_sinks} + {window}"), BITS: ("all in", f"{N_BITS} bits"),
    }[key]  # fmt: skip


def words_question(v: View, shown: dict[str, Variant]) -> Question:
    """How many of the four say another word."""
    less = {key: one for key, one in shown.items() if key}
    true = md(model.word(v.trained, shown[""].token_id))
    said = [f"{one.name}: “**{md(word)}**”" for one, word in
            zip(less.values(), model.words(v.trained, [one.token_id for one in less.values()]), strict=True)]  # fmt: skip
    return Question(
        "words_changed",
        f"The last token comes in. With everything kept “**{true}**” is next. How many of the {len(less)} others say another word?",
        float(sum(one.error.word_changed for one in less.values())),
        f"{join(said)}.",
        tolerance=0,
        high=len(less),
    )


def _takeaway(shown: dict[str, Variant], all_seen: bool) -> str:
    """What the sinks did here, in numbers."""
    window, sinks = shown[WINDOW].error, shown[SINKS].error
    if all_seen:
        return "The whole prompt lies within the window: nothing is dropped, and only the rounded cache can differ."
    without, with_them = told_apart(window.kl, sinks.kl, digits=3)
    better = "nearer" if sinks.kl < window.kl and without != with_them else "no nearer"
    bring = f"The first {'token brings' if shown[SINKS].one_sink else 'tokens bring'} the chances {better}"
    return f"{bring}: KL {without} without, **{with_them}** with. What a later token asks for is not known when a row is dropped."
