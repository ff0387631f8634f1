"""A trained model, inside, as the lesson shows it: every head, one enlarged, the next word, and how a head came to be."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from engine import bundled, checkpoints
from engine.head_scores import HeadScores
from engine.inside import Inside
from engine.repeated import LIST, Continued, continued, list_ids
from engine.sampling import probabilities
from pages.parts import checkpoint, prompt, scenario
from pages.parts.checkpoint import Prompt, Trained
from pages.parts.figures.head_maps import head_maps
from pages.parts.figures.layer_guesses import layer_guesses
from pages.parts.figures.one_head import one_head
from pages.parts.figures.training_maps import Moment, training_maps
from pages.parts.look import look, presenting
from pages.parts.plot import plot
from pages.parts.predict import answered, predict
from pages.parts.words import join, md, number, percent

KIND_WORDS = {
    "previous": "the token just before",
    "induction": "the token that followed last time",
    "first": "the very first token",
}
HIGH = 0.5  # a score from which a button removes a head as one of its kind
MOST_REMOVED = 64


@dataclass(frozen=True, eq=False)
class View:
    """What the lesson looks at: the model as it stands and intact, the prompt, where the heads look, what they scored."""

    trained: Trained
    intact: Trained
    prompt: Prompt
    inside: Inside
    scores: HeadScores | None
    selected: tuple[int, int]

    @property
    def removed(self) -> frozenset[tuple[int, int]]:
        """(layer, head) of every head that is off."""
        return self.trained.model.ablated


def current() -> View:
    """The state of this visit, from the link; everything in it is bounded."""
    intact = checkpoint.current()
    gone = _places(scenario.extra("removed"), intact)
    trained = replace(intact, model=intact.model.variant(ablated=gone)) if gone else intact
    given = checkpoint.prompt(intact, prompt.typed(intact))
    scores = checkpoint.head_scores(trained)
    chosen = _places(scenario.extra("trained_head"), intact)
    return View(trained, intact, given, checkpoint.reading(trained, given.ids), scores, (chosen or [_usual(intact)])[0])


def _places(text: str, trained: Trained) -> list[tuple[int, int]]:
    """ "3.3,3.4" as (layer, head) counted from 0; what is not a head of this model is left out."""
    found = []
    for part in text.split(",")[:MOST_REMOVED]:
        numbers = part.split(".")
        if len(numbers) == 2 and all(x.isascii() and x.isdigit() and len(x) <= 4 for x in numbers):
            layer, head = (int(x) - 1 for x in numbers)
            if 0 <= layer < trained.model.n_layer and 0 <= head < trained.model.n_head:
                found.append((layer, head))
    return found


def _usual(trained: Trained) -> tuple[int, int]:
    """The head to begin with: the one with the highest previous-token score, of the finished model where there are several."""
    scores = checkpoint.head_scores(replace(trained, moment="final", model=bundled()) if not trained.own else trained)
    if scores is None:
        return 0, 0
    layer, head = np.unravel_index(scores.previous.argmax(), scores.previous.shape)
    return int(layer), int(head)


def name_of(place: tuple[int, int]) -> str:
    """A head as the page writes it, layer.head counted from 1."""
    return f"{place[0] + 1}.{place[1] + 1}"


def measured(v: View, place: tuple[int, int]) -> str:
    """All three scores of a head in words."""
    if v.scores is None:
        return "not measured: the model has no room for the probe"
    kinds = [f"{kind} **{getattr(v.scores, kind)[place]:.2f}**" for kind in KIND_WORDS]
    return join(kinds)


def controls(v: View) -> None:
    """Prompt, moment of the training, and the switch that removes the enlarged head."""
    prompt.controls(v.intact)
    left, right, back = st.columns([2.2, 1.3, 1], vertical_alignment="bottom")
    with left:
        if not v.intact.own:
            checkpoint.training_slider()
        else:
            c = v.intact.model.config
            st.markdown(f"**{md(v.intact.name)}**: {c.family}, {c.n_layer} layers, {c.n_head} query heads, "
                        f"{c.n_kv_head} key/value heads, width {c.d_model}, {c.n_vocab:,} tokens")  # fmt: skip
    right.toggle(
        f"Remove head {name_of(v.selected)}", value=v.selected in v.removed, key=f"remove_{name_of(v.selected)}_{_off(v)}",
        on_change=_switch, args=(v,), help="Its context becomes 0; all other heads stay.",
    )  # fmt: skip
    back.button("Put all back", key="put_back", disabled=not v.removed, on_click=scenario.set_extra, args=("removed", ""))


def _off(v: View) -> str:
    return "-".join(name_of(p) for p in sorted(v.removed))


def _switch(v: View) -> None:
    _remove(v.removed ^ {v.selected})


def _remove(places) -> None:
    scenario.set_extra("removed", ",".join(name_of(p) for p in sorted(places)[:MOST_REMOVED]))


def maps(v: View) -> None:
    """All heads small at the left, one enlarged at the right."""
    n = len(v.prompt.ids)
    layer, head = v.selected
    query, key = cell(v)

    def pick(curve: int, row: int, column: int) -> None:
        if 0 <= row < v.inside.weights.shape[0] and 0 <= column < v.inside.weights.shape[1]:
            scenario.set_extra("trained_head", f"{row + 1}.{column + 1}")

    def point(curve: int, row: int, column: int) -> None:
        if 0 <= column < n and 0 <= row < n:  # where the mask hides, the nearest that it does not
            scenario.set_extra("cell", f"{row + 1}.{min(column, row) + 1}")

    left, right = st.columns([0.43, 0.57])
    zoom = 0.86 if presenting() else 1.0
    with left:
        figure = head_maps(v.inside.weights, v.inside.hidden, v.scores, v.selected, v.removed, **look(zoom))
        plot(figure, heads_in_words(v), "head_maps", pick)
    with right:
        label = v.scores.label(layer, head) if v.scores else ""
        off = ", removed" if v.selected in v.removed else ""
        title = f"layer {layer + 1}, head {head + 1}{': ' + label if label else ''}{off}"
        weights, hidden = v.inside.weights[layer, head], v.inside.hidden[layer]
        figure = one_head(weights, hidden, v.prompt.words, title, (query, key), **look(zoom))
        plot(figure, f"{title}. {row_in_words(v)}", "one_head", point)


def cell(v: View) -> tuple[int, int]:
    """(query, key) from the link or the last selection; untouched, what the last row weighs most."""
    n, parts = len(v.prompt.ids), scenario.extra("cell").split(".")
    if len(parts) == 2 and all(p.isascii() and p.isdigit() and len(p) <= 4 for p in parts):
        query, key = (int(p) - 1 for p in parts)
        if 0 <= key <= query < n:
            return query, key
    return n - 1, int(np.argmax(v.inside.weights[v.selected][-1]))


def heads_in_words(v: View) -> str:
    """Every head that has a label, for those who do not see the maps."""
    if v.scores is None:
        return "Attention weights of every head."
    n_layer, n_head = v.scores.previous.shape
    labels = [(v.scores.label(i, j), name_of((i, j))) for i in range(n_layer) for j in range(n_head)]
    labelled = [f"{name} {label}" for label, name in labels if label][:40]
    off = f" Removed: {', '.join(name_of(p) for p in sorted(v.removed))}." if v.removed else ""
    return f"Attention weights of {n_layer * n_head} heads. Measured scores: {', '.join(labelled) or 'none above 0.3'}.{off}"


def row_in_words(v: View) -> str:
    """Where the selected row looks."""
    query, _ = cell(v)
    row = v.inside.weights[v.selected][query]
    best = np.argsort(-row, kind="stable")[:3]
    return f"“{v.prompt.words[query]}” looks at " + ", ".join(f"“{v.prompt.words[j]}” {row[j]:.2f}" for j in best) + "."


def takeaway(v: View) -> None:
    """The selected weight, and what was measured of its head."""
    query, key = cell(v)
    w = float(v.inside.weights[v.selected][query, key])
    words = v.prompt.words
    text = (
        f"Head {name_of(v.selected)}: “{md(words[query])}” looks at “{md(words[key])}” with weight **{number(w, 3)}**. "
        f"Measured on random lists said twice: {measured(v, v.selected)}."
    )
    with st.container(key="takeaway_inside"):
        st.markdown(text)
    if not presenting():
        st.caption(
            "A score is the mean attention weight that goes to "
            + join([f"{there} ({kind})" for kind, there in KIND_WORDS.items()])
            + ". A label says nothing else: it is what a head does on that probe, not what it is for. Most heads have no name, "
            "and a weight says where a head looks, not what it takes from there or whether that matters. Nobody wrote these "
            f"rules: queries, keys and values are learned projections of each token’s state x, {_projections(v)}."
        )


def _projections(v: View) -> str:
    """x·W_Q and the others with their shapes, for this prompt."""
    m, n = v.intact.model, len(v.prompt.ids)
    q, kv = m.n_head * m.d_head, m.n_kv_head * m.d_head
    shared = f", shared by {m.n_head // m.n_kv_head} query heads each" if m.n_kv_head < m.n_head else ""
    return (
        f"x·W_Q ({n} × {m.d_model} times {m.d_model} × {q}: {m.n_head} heads of {m.d_head}), x·W_K and x·W_V "
        f"({m.d_model} × {kv} each: {m.n_kv_head} heads{shared})"
    )


def _likeliest(v: View) -> tuple[str, tuple[str, ...]]:
    """(the likeliest next word, four words to choose from, in an order that gives nothing away)."""
    probs = v.inside.probs
    best = [int(i) for i in np.argsort(-probs, kind="stable")[:2]]
    others = [i for i in _known(v, ("nice", "delicious", "red", "cold")) if i not in best]
    filler = [int(i) for i in np.argsort(-probs, kind="stable")[2:6] if int(i) not in others]
    options = checkpoint.words(v.intact, (best + others + filler)[:4])
    return options[0], tuple(dict.fromkeys(sorted(map(md, options))))


def _known(v: View, words: tuple[str, ...]) -> list[int]:
    """Ids of those of `words` that the bundled vocabulary has; none for a folder's."""
    ids = {w: i for i, w in enumerate(getattr(v.intact.model.tokenizer, "words", ()))}
    return [ids[w] for w in words if w in ids]


def _next_question(v: View) -> tuple[str, str]:
    best, _ = _likeliest(v)
    off = f", with {_heads(v.removed)} removed" if v.removed else ""
    shown = md(checkpoint.text(v.intact, v.prompt.ids)[-90:])
    moment = f" ({v.intact.moment})" if not v.intact.own else ""
    return f"“{shown}” … Which word does the model{moment} hold for the likeliest{off}?", md(best)


def _heads(places) -> str:
    named = [name_of(p) for p in sorted(places)]
    return f"head{'s' * (len(named) > 1)} {join(named[:8])}{' and more' if len(named) > 8 else ''}"


def ask_next(v: View) -> None:
    """Which word is the likeliest."""
    question, best = _next_question(v)
    probs = v.inside.probs
    order = np.argsort(-probs, kind="stable")[:3]
    shown = [f"{md(w)} {percent(float(probs[i]))}" for i, w in zip(order, checkpoint.words(v.intact, order), strict=True)]
    depth = _first_layer(v)
    where = "already after the embedding" if depth == 0 else f"from layer {depth} of {v.inside.lens.shape[0] - 1} on"
    predict(
        "next_word", question, best,
        f"{join(shown)}. It leads {where}. A chance, not a choice: which word is said is drawn from it. And not a truth: a model "
        "says what followed in the text that it was trained on.",
        options=_likeliest(v)[1],
    )  # fmt: skip


def _first_layer(v: View) -> int:
    """From which layer on the final word is, without a break, the likeliest."""
    same = v.inside.lens.argmax(axis=1) == v.inside.probs.argmax()
    wrong = np.flatnonzero(~same)
    return int(wrong[-1]) + 1 if len(wrong) else 0


def next_word(v: View) -> None:
    """The next word and what it would have been after each layer; on a page once the question is answered."""
    question, best = _next_question(v)
    if not (presenting() or answered("next_word", question, best)):
        st.markdown("Once you have committed, the chances appear here, layer by layer.")
        return
    _removers(v)
    intact = checkpoint.reading(v.intact, v.prompt.ids).probs if v.removed else None
    figure = layer_guesses(
        v.inside.lens, lambda ids: checkpoint.words(v.intact, ids), intact, **look(1.13 if presenting() else 1.0)
    )
    order = np.argsort(-v.inside.probs, kind="stable")[:5]
    said = ", ".join(
        f"{w} {percent(float(v.inside.probs[i]))}" for i, w in zip(order, checkpoint.words(v.intact, order), strict=True)
    )
    plot(figure, f"Next word: {said}.", "layer_guesses")
    with st.container(key="takeaway_next"):
        st.markdown(_what_changed(v, intact))
    if not presenting():
        st.caption(
            "From contexts to a word there is more than a vocabulary matrix: in each layer the heads’ contexts, side by side, go "
            "through W_O and are added to the state, and a feed-forward part adds to it again; after "
            f"{v.intact.model.n_layer} such layers come a norm and then the vocabulary matrix. The toy leaves all of that out."
        )


def _removers(v: View) -> None:
    """Buttons that remove all heads of one measured kind."""
    found = checkpoint.head_scores(v.intact)
    if found is None:
        return
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="removers"):
        st.markdown("Remove", width="content")
        for kind, label in (("induction", "induction heads"), ("previous", "previous-token heads")):
            places = [tuple(map(int, p)) for p in np.argwhere(getattr(found, kind) >= HIGH)]
            shown = join([name_of(p) for p in places[:6]]) if places else f"none ≥ {HIGH}"
            st.button(f"{label}: {shown}", key=f"gone_{kind}", disabled=not places, on_click=_remove, args=(places,))
        st.button("Put all back", key="gone_none", disabled=not v.removed, on_click=_remove, args=((),))


def _what_changed(v: View, intact: np.ndarray | None) -> str:
    """What removing did, or what the layers did."""
    best = int(v.inside.probs.argmax())
    word, chance = md(checkpoint.word(v.intact, best)), percent(float(v.inside.probs[best]))
    if intact is None:
        depth = _first_layer(v)
        where = "from the embedding on" if depth == 0 else f"from layer {depth} on"
        tied = " Head and embedding are one matrix here, so the first row says the last word again." * v.intact.model.config.tied
        return (
            f"“{word}” has **{chance}**; it leads {where}. No inner state was trained to be read so: an early row may hold what "
            f"only later layers can use.{tied}"
        )
    was = int(intact.argmax())
    before = md(checkpoint.word(v.intact, was))
    replaced = f", and “{word}” ({chance}) takes its place" if best != was else ""
    return (
        f"Without {_heads(v.removed)} “{before}” goes from {percent(float(intact[was]))} to "
        f"**{percent(float(v.inside.probs[was]))}**{replaced}. Removing is an experiment, looking is not: what changes is what "
        "the heads were needed for, here; what does not may be done by others as well."
    )


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
