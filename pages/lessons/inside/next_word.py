"""The next word of the trained model: the question, the guess after each layer, and what a removed head takes away."""

from functools import partial

import numpy as np
import streamlit as st

from engine.sampling import best_first
from pages.lessons.inside.figures.layer_guesses import layer_guesses
from pages.lessons.inside.steps import remove
from pages.lessons.inside.view import View, complete, name_of, scores_of, seen_by
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, question_and_takeaway
from pages.parts.lesson.terms import TERMS
from pages.parts.question.predict import predict
from pages.parts.question.question import Question
from pages.parts.text.digits import percents
from pages.parts.text.format import end_of, join, md, percent, plural
from pages.parts.trained import model

HEIGHT = 312  # pixels of the figure on a projector
HIGH = 0.5  # a score from which a button removes a head as one of its kind


def _likeliest(v: View) -> tuple[str, dict[str, int]]:
    """(the likeliest next word, four words to choose from and their tokens, in an order that gives nothing away)."""
    probs = v.inside.probs
    best = best_first(probs, 2)
    known = list(getattr(v.intact.model.tokenizer, "words", ()))  # a folder's model has none
    others = [i for w in ("nice", "delicious", "red", "cold") if w in known and (i := known.index(w)) not in best]
    filler = [i for i in best_first(probs, 6)[2:] if i not in others]
    ids = (best + others + filler)[:4]
    options = model.words(v.intact, ids)
    return options[0], dict(sorted(zip(map(md, reversed(options)), reversed(ids), strict=True)))


def next_question(v: View) -> Question:
    """Which word is the likeliest."""
    best, options = _likeliest(v)
    off = f", with {_heads(v.removed)} removed" if v.removed else ""
    shown = md(end_of(model.text(v.intact, v.prompt.ids), 90))
    moment = f" ({v.intact.moment})" if not v.intact.own else ""
    probs = v.inside.probs
    order = best_first(probs, 3)
    chances = [f"“{md(w)}” {percent(float(probs[i]))}" for i, w in zip(order, model.words(v.intact, order), strict=True)]
    depth = _first_layer(v)
    where = "already after the embedding" if depth == 0 else f"from layer {depth} of {v.inside.lens.shape[0] - 1} on"
    return Question(
        "next_word", f"“{shown}” … Which word does the model{moment} hold for the likeliest{off}?", md(best),
        f"{join(chances)}. It leads {where}. A chance, not a choice: which word is said is drawn from it.",
        options=tuple(options),
    )  # fmt: skip


def _heads(places) -> str:
    named = [name_of(p) for p in sorted(places)]
    return f"{plural(len(named), 'head')} {join([*named[:8], *['more'] * (len(named) > 8)])}"


def _first_layer(v: View) -> int:
    """From which layer on the final word is, without a break, the likeliest."""
    same = v.inside.lens.argmax(axis=1) == v.inside.probs.argmax()
    wrong = np.flatnonzero(~same)
    return int(wrong[-1]) + 1 if len(wrong) else 0


@step("The next word", minutes=5, ask="Which word does the model hold for the likeliest?")
def next_word(v: View) -> None:
    """The next word and what it would have been after each layer, once the question is answered."""
    if not complete(v):
        return
    lead(
        "Each layer adds to the last token’s state. Read after every layer as if the model ended there, it already names next words."
    )
    question, answers = next_question(v), tuple(_likeliest(v)[1].values())
    drawn_on = sheet(slide_zoom=1.1, high=HEIGHT, slide_high=372)
    drawn = partial(layer_guesses, drawn_on, v.inside.lens, partial(model.words, v.intact), answers=answers)
    if not question.answered:
        figure = drawn(told=False)
        alt = f"{_after_layers(v)} After the last layer: after your answer."
        plot(figure, alt, "layer_guesses")
        predict(question)
        return
    whole = seen_by(v.work, v.intact, v.prompt.ids) if v.removed else None
    if v.removed and whole is None:
        v.work.say()
        return
    intact = whole.probs if whole else None
    figure = drawn(intact)
    order = best_first(v.inside.probs, 5)
    likeliest = ", ".join(
        f"“{w}” {percent(float(v.inside.probs[i]))}" for i, w in zip(order, model.words(v.intact, order), strict=True)
    )
    way = ", ".join(f"{chance:.2f}" for chance in v.inside.lens[:, order[0]])
    alt = f"Next word: {likeliest}. The chance of the first after the embedding and after each layer: {way}."
    plot(figure, alt, "layer_guesses")
    _removers(v)  # beneath it: what comes with the answer moves no figure
    question_and_takeaway(
        question,
        "next",
        _what_changed(v, intact),
        help="Not a truth: a model learns to say what followed in the text that it is trained on. "
        "From contexts to a word there is more than a vocabulary matrix: in each layer the heads’ contexts, side by "
        "side, go through W_O and are added to the state, and a feed-forward part adds to it again; after "
        f"{v.intact.model.n_layer} such layers come a norm and then the vocabulary matrix. The toy leaves all of that out. "
        f"**logit lens**: {TERMS['logit lens']}",
        widths=(1.3, 1),
    )


def _after_layers(v: View) -> str:
    """The likeliest word after the embedding and after each layer but the last, in words."""
    best = model.words(v.intact, v.inside.lens[:-1].argmax(axis=1))
    return (
        "Likeliest after the " + ", ".join(f"{f'layer {k}' if k else 'embedding'}: “{word}”" for k, word in enumerate(best)) + "."
    )


def _removers(v: View) -> None:
    """Buttons that remove all heads of one measured kind."""
    scores = scores_of(v.work, v.intact)
    if scores is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="removers"):
        st.markdown("Remove", width="content")
        for kind, label in (("induction", "induction heads"), ("previous", "previous-token heads")):
            places = [tuple(map(int, p)) for p in np.argwhere(getattr(scores, kind) >= HIGH)]
            shown = join([name_of(p) for p in places[:6]]) if places else f"none ≥ {HIGH}"
            st.button(f"{label}: {shown}", key=f"inside_without_{kind}", disabled=not places, on_click=remove, args=(places,))
        st.button("Put all back", key="inside_without_none", disabled=not v.removed, on_click=remove, args=((),))


def _repeats(v: View) -> bool:
    """Whether the embedding alone gives the last word back, as it mostly does where the head is the same matrix."""
    return v.intact.model.config.tied and int(v.inside.lens[0].argmax()) == v.prompt.ids[-1]


def _what_changed(v: View, intact: np.ndarray | None) -> str:
    best = int(v.inside.probs.argmax())
    word, chance = md(model.word(v.intact, best)), percent(float(v.inside.probs[best]))
    if intact is None:
        depth = _first_layer(v)
        where = "from the embedding on" if depth == 0 else f"from layer {depth} on"
        tied = " Head and embedding are one matrix, so the embedding alone repeats the last word." * _repeats(v)
        return f"“{word}” leads **{where}**. No inner state was trained to be read so.{tied}"
    was = int(intact.argmax())
    before = md(model.word(v.intact, was))
    replaced = f", and “{word}” ({chance}) takes its place" if best != was else ""
    chances = percents([float(intact[was]), float(v.inside.probs[was])], [0])
    goes = f"goes from {chances[0]} to **{chances[1]}**" if chances[0] != chances[1] else f"stays at **{chances[0]}**"
    return (
        f"Without {_heads(v.removed)} “{before}” {goes}{replaced}. Removing is an experiment, looking is not: what changes is what "
        "the heads were needed for, here; what does not may be done by others as well."
    )
