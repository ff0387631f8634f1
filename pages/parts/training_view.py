"""The moments of the training: what the model says of a list read once, and when the heads that continue it appear."""

from __future__ import annotations

import numpy as np
import streamlit as st

from engine import bundled, checkpoints
from engine.repeated import LIST, Continued, continued, list_ids
from engine.sampling import probabilities
from pages.parts import checkpoint
from pages.parts.checkpoint import Trained
from pages.parts.figures.training_maps import Moment, training_maps
from pages.parts.inside_view import View, name_of
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.words import join, md, percent


def _moments(v: View) -> list[tuple[str, int, Trained]]:
    """The checkpoints of the training, intact."""
    return [(c.name, c.step, Trained(checkpoint.BUNDLED, c.name, bundled(c.name))) for c in checkpoints()]


def _continuations(v: View) -> list[Continued]:
    return [continued(t.model, list_ids(t.model)) for _, _, t in _moments(v)]


def ask_list(v: View) -> None:
    """From which moment of the training on the list is continued; a folder's model is asked whether it does it at all."""
    if v.scores is None:
        st.markdown("This model has no room for a list said twice.")
        return
    if v.intact.own:
        found = continued(v.intact.model, list_ids(v.intact.model))
        ids = list_ids(v.intact.model)
        said = md(checkpoint.text(v.intact, ids[:-1]))
        predict(
            "list_own", f"A list at random, said twice but for its last token: “{said}” … Does this model continue it?",
            "yes" if found.right else "no",
            f"It says “{md(checkpoint.word(v.intact, found.likeliest))}”; the token due, "
            f"“{md(checkpoint.word(v.intact, found.expected))}”, has {percent(found.chance)}.",
            options=("yes", "no"),
        )  # fmt: skip
        return
    question, answer = _list_question(v)
    moments, found = _moments(v), _continuations(v)
    chances = join([f"{name} {percent(f.chance)}" for (name, *_), f in zip(moments, found, strict=True)])
    predict(
        "list", question, answer,
        f"The chance of “{LIST[-1]}”: {chances}. No grammar helps with a list at random. What appears in between are induction "
        "heads: they look from a word to the one that followed it last time, which needs heads of an earlier layer that look one "
        "back. It takes depth: one layer of attention cannot do it this way.",
        options=(*(f"{name} (step {step:,})" for name, step, _ in moments), "never"),
    )  # fmt: skip


def _list_question(v: View) -> tuple[str, str]:
    moments, found = _moments(v), _continuations(v)
    answer = next((f"{n} (step {s:,})" for (n, s, _), f in zip(moments, found, strict=True) if f.right), "never")
    said = " ".join((*LIST, *LIST[:-1]))
    return f"“{said}” … From which moment of its training on does the model say “{LIST[-1]}”?", answer


def training(v: View) -> None:
    """The head with the highest induction score of the finished model, at each moment; on a page once answered."""
    if v.intact.own:
        st.markdown("A folder holds one moment of a training; choose the bundled model to watch a head come to be.")
        return
    if not (presenting() or answered("list", *_list_question(v))):
        st.markdown("Once you have committed, the same head appears here at each moment of its training.")
        return
    moments = _moments(v)
    last = checkpoint.head_scores(moments[-1][2])
    layer, head = (int(x) for x in np.unravel_index(last.induction.argmax(), last.induction.shape))
    drawn = []
    for name, step, t in moments:
        ids = list_ids(t.model)
        inside = checkpoint.reading(t, ids[:-1])
        score = float(checkpoint.head_scores(t).induction[layer, head])
        drawn.append(Moment(name, step, inside.weights[layer, head], score, float(inside.probs[ids[-1]])))
    words = checkpoint.words(moments[-1][2], ids[:-1])
    now = next(i for i, (name, *_) in enumerate(moments) if name == v.intact.moment)
    alt = "; ".join(f"{m.name}: induction score {m.score:.2f}, {LIST[-1]} {percent(m.chance)}" for m in drawn)
    plot(
        training_maps(drawn, words, LIST[-1], now, **look(1.13 if presenting() else 1.0)),
        f"Head {name_of((layer, head))}. {alt}.",
        "training_maps",
    )
    rise = max(range(1, len(drawn)), key=lambda i: drawn[i].score - drawn[i - 1].score)
    a, b = drawn[rise - 1], drawn[rise]
    with st.container(key="takeaway_training"):
        st.markdown(
            f"Head {name_of((layer, head))}: induction score {a.score:.2f} at step {a.step:,}, **{b.score:.2f}** at step "
            f"{b.step:,}. The line in the lower half of its map is that score: from each word to the one that followed it last "
            "time. It comes within a small part of the training, as it does in large models."
        )
    chance_now = probabilities(np.zeros(moments[-1][2].model.n_vocab))[0]
    if not presenting():
        st.caption(
            f"By chance a word has {percent(float(chance_now))}. The probe for the score is a list of random words said twice, "
            "not this one. After Olsson et al. 2022, “In-context learning and induction heads”."
        )
