"""The moments of the training: what the model says of a list read once, and when the heads that continue it appear."""

import numpy as np
import streamlit as st

from engine import bundled, checkpoints
from engine.sampling import probabilities
from engine.trained.induction import LIST, Continued, continued, list_ids
from pages.lessons.inside.figures.training_maps import Moment, training_maps
from pages.lessons.inside.view import View, complete, name_of, scores_of, seen_by
from pages.parts.controls.answer_in_figure import asked_in, pressed
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.format import join, md, percent
from pages.parts.trained import model
from pages.parts.trained.model import Trained


def _moments(v: View) -> list[tuple[str, int, Trained]]:
    """The checkpoints of the training, intact."""
    return [(c.name, c.step, Trained(model.BUNDLED, c.name, bundled(c.name))) for c in checkpoints()]


def _continuations(v: View) -> list[Continued] | None:
    """What each moment makes of the list; None, and a message, as long as that is not computed."""
    endings = [_continued(v, t) for _, _, t in _moments(v)]
    v.work.say()
    return None if None in endings else endings


def _continued(v: View, trained: Trained) -> Continued | None:
    job = trained.job(
        "continued", steps=lambda: (continued(trained.model, list_ids(trained.model)) for _ in range(1)), n_steps=1, n_bytes=1000
    )
    return v.work.result(job, "A pass over a list said twice")


def own_list_question(v: View, ending: Continued) -> Question:
    """Whether a folder's model continues a list said twice."""
    ids = list_ids(v.intact.model)
    tokens = md(model.text(v.intact, ids[:-1]))
    return Question(
        "list_own", f"A list at random, said twice but for its last token: “{tokens}” … Does this model continue it?",
        "yes" if ending.right else "no",
        f"It says “{md(model.word(v.intact, ending.likeliest))}”; the token due, "
        f"“{md(model.word(v.intact, ending.expected))}”, has {percent(ending.chance)}.",
        options=("yes", "no"),
    )  # fmt: skip


def list_question(moments: list[tuple[str, int, Trained]], endings: list[Continued]) -> Question:
    """From which moment of the training on the list is continued."""
    answer = next((f"{n} (step {s:,})" for (n, s, _), f in zip(moments, endings, strict=True) if f.right), "never")
    words = " ".join((*LIST, *LIST[:-1]))
    chances = join([f"{name} {percent(f.chance)}" for (name, *_), f in zip(moments, endings, strict=True)])
    return Question(
        "list", f"“{words}” … From which moment of its training on does the model say “{LIST[-1]}”?", answer,
        f"The chance of “{LIST[-1]}”: {chances}. No grammar helps here: **induction heads** look from a word to the one that followed it.",
        options=(*(f"{name} (step {step:,})" for name, step, _ in moments), "never"),
    )  # fmt: skip


@step(
    "How a head came to be",
    minutes=6,
    ask="From which moment of its training on can it continue a list?",
    wrong={
        "untrained (step 0)": "structure is taken for knowledge: the same network with random numbers says nothing",
        "never": "a small model can copy what it has just read",
    },
)
def training(v: View) -> None:
    """The head with the highest induction score of the finished model, at each moment; the chances once the question is answered."""
    if not complete(v):
        return
    if v.scores is None:
        st.markdown("This model has no room for a list said twice.")
        return
    if v.intact.own:
        found = _continued(v, v.intact)
        v.work.say()
        if found is not None:
            predict(own_list_question(v, found))
        st.markdown("A folder holds one moment of a training; choose the bundled model to watch a head come to be.")
        return
    moments, found = _moments(v), _continuations(v)
    if found is None:
        return
    shown = _drawn(v, moments)
    if shown is None:
        return
    drawn, name = shown
    lead(
        "A list at random cannot be guessed from grammar: only looking back continues it. One head, at each moment of its training."
    )
    question = list_question(moments, found)
    ids = list_ids(moments[-1][2].model)
    words = model.words(moments[-1][2], ids[:-1])
    now = next(i for i, (moment, *_) in enumerate(moments) if moment == v.intact.moment)
    known = question.answered
    alt = "; ".join(
        f"{m.name}: induction score {m.score:.2f}" + f", {LIST[-1]} {percent(m.chance)}" * known for m in drawn
    ) + f"; the chance of {LIST[-1]}: after your answer" * (not known)
    parts = question.options[: len(drawn)]
    first = next((f"{n_steps:,}" for (_, n_steps, _), one in zip(moments, found, strict=True) if one.right), "")
    on = first if known else "?"
    says = f"“{LIST[-1]}” is said from step {on} on" if first or not known else f"“{LIST[-1]}” is never said"
    figure = training_maps(sheet(slide_zoom=1.13, high=330), drawn, words, LIST[-1], now, asked_in(question, parts), says)
    plot(figure, f"Head {name}. {alt}.", "training_maps", on_press=pressed(question, parts))
    if not known:
        predict(question)
        return
    chance = probabilities(np.zeros(moments[-1][2].model.n_vocab))[0]
    question_and_takeaway(
        question, "training", _when_it_rose(drawn, name),
        help="What appears needs an earlier layer. The line runs from each word to the one that followed it last time. It comes "
        "within a small part of the "
        f"training, as it does in large models. By chance a word has {percent(float(chance))}. The probe for the score is a "
        "list of random words said twice, not this one. After Olsson et al. 2022, “In-context learning and induction heads”.",
        widths=(1.3, 1),
    )  # fmt: skip


def _drawn(v: View, moments: list[tuple[str, int, Trained]]) -> tuple[list[Moment], str] | None:
    """Each moment's map of the head that the finished model has the highest induction score of, and its name; None, and a message,
    as long as they are not computed."""
    scores = [scores_of(v.work, t) for _, _, t in moments]
    seen = [seen_by(v.work, t, list_ids(t.model)[:-1]) for _, _, t in moments]
    v.work.say()
    if any(x is None for x in (*scores, *seen)):
        return None
    last = scores[-1]
    layer, head = (int(x) for x in np.unravel_index(last.induction.argmax(), last.induction.shape))
    drawn = []
    for (name, n_steps, t), measured, inside in zip(moments, scores, seen, strict=True):
        due = list_ids(t.model)[-1]
        score = float(measured.induction[layer, head])
        drawn.append(Moment(name, n_steps, inside.weights[layer, head], score, float(inside.probs[due])))
    return drawn, name_of((layer, head))


def _when_it_rose(drawn: list[Moment], name: str) -> str:
    """Between which two moments the head came to be."""
    rise = max(range(1, len(drawn)), key=lambda i: drawn[i].score - drawn[i - 1].score)
    a, b = drawn[rise - 1], drawn[rise]
    return (
        f"Head {name}: induction score {a.score:.2f} at step {a.step:,}, **{b.score:.2f}** at step "
        f"{b.step:,}: the line in the lower half of its map."
    )
