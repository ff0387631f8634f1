"""A trained model, inside, as the lesson shows it: every head as a small map, and one enlarged."""

from collections.abc import Callable

import streamlit as st

from engine.sampling import best_first
from pages.lessons.inside.figures.head_maps import head_maps
from pages.lessons.inside.figures.one_head import one_head
from pages.lessons.inside.view import KIND_WORDS, MOST_REMOVED, View, complete, measured, name_of
from pages.parts.controls.shared_parameters import CELL
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.fragments import live
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import explained, lead
from pages.parts.text.format import join, md, number, whole_percent
from pages.parts.trained import model, prompt
from pages.parts.trained.model import REMOVED, TRAINED_HEAD
from pages.parts.visit.display import narrow
from pages.parts.visit.scenario import on_paper


@step(
    "Where heads look",
    minutes=6,
    ask="Find a head that you can put into words, and one that you cannot.",
    wrong={"Every head has a meaning": "some can be named; in large models most blend"},
)
def heads(v: View) -> None:
    """The prompt, every head as a small map and one enlarged, and the selected weight in words."""
    lead(
        "Each map is a head: a row for every token, in strong blue where that token looks."
        + " Press a map to enlarge it, a cell to read it." * (not on_paper())
    )
    moving, said = st.container(), st.container(key="takeaway_inside")  # the maps first, then what is typed
    prompt.controls(v.intact)
    prompt.marks(v.intact, v.prompt)
    with moving:
        live(_maps, v, said=said, help=f"{explained('token', 'head', 'weight', 'induction head')}\n\n{_of_scores(v)}")


def _maps(v: View) -> str:
    """What moves the maps, the maps, and what the selected weight says."""
    figures = st.container()
    _controls(v)
    if not complete(v):
        return ""
    with figures:
        maps(v)
    return _what_it_looks_at(v)


def _controls(v: View) -> None:
    """Moment of the training, and the switch that removes the enlarged head."""
    left, right, back = st.columns([2.2, 1.3, 1], vertical_alignment="bottom")
    with left:
        if not v.intact.own:
            model.training_slider()
        else:
            c = v.intact.model.config
            st.markdown(f"**{md(v.intact.name)}**: {c.family}, {c.n_layer} layers, {c.n_head} query heads, "
                        f"{c.n_kv_head} key/value heads, width {c.d_model}, {c.n_vocab:,} tokens")  # fmt: skip
    name, removed = name_of(v.selected), "-".join(name_of(p) for p in sorted(v.removed))
    right.toggle(
        f"Remove head {name}", value=v.selected in v.removed, key=f"inside_remove_{name}_{removed}",
        on_change=remove, args=(v.removed ^ {v.selected},), help="Its context becomes 0; all other heads stay.",
    )  # fmt: skip
    back.button("Put all back", key="inside_put_back", disabled=not v.removed, on_click=REMOVED.set_text, args=("",))


def remove(places) -> None:
    REMOVED.set_text(",".join(name_of(p) for p in sorted(places)[:MOST_REMOVED]))


def maps(v: View) -> None:
    """All heads small at the left, one enlarged at the right."""
    n = len(v.prompt.ids)
    layer, head = v.selected
    query, key = cell(v)

    def pick(curve: int, row: int, column: int) -> None:
        if 0 <= row < v.inside.weights.shape[0] and 0 <= column < v.inside.weights.shape[1]:
            TRAINED_HEAD.set_text(f"{row + 1}.{column + 1}")

    def point(curve: int, row: int, column: int) -> None:
        if 0 <= column < n and 0 <= row < n:  # where the mask hides, the nearest that it does not
            CELL.set_text(f"{row + 1}.{min(column, row) + 1}")

    left, right = st.columns([0.43, 0.57])
    with left:
        figure = head_maps(
            sheet(0.98, slide_zoom=0.97, high=263), v.inside.weights, v.inside.hidden, v.scores, v.selected, v.removed
        )
        plot(figure, heads_in_words(v), "head_maps", pick)
    with right:
        named = "" if narrow() else _looks_at(v)  # on a phone it stands beneath the figure alone
        title = f"Head {name_of(v.selected)}{named}{', removed' if v.selected in v.removed else ''}"
        weights, hidden = v.inside.weights[layer, head], v.inside.hidden[layer]
        figure = one_head(sheet(0.98, slide_zoom=0.97, high=267), weights, hidden, v.prompt.words, title, (query, key))
        plot(figure, f"{title}. {row_in_words(v)}", "one_head", point)


def _looks_at(v: View) -> str:
    """What the selected head was measured to look at most, where it has a name, and with how much of its weight."""
    kind = (v.scores.label(*v.selected) if v.scores else "").partition(" ")[0]
    return f": on random lists {whole_percent(float(getattr(v.scores, kind)[v.selected]))} to {KIND_WORDS[kind]}" if kind else ""


def cell(v: View) -> tuple[int, int]:
    """(query, key) from the link or the last selection; untouched, one that shows what the head is named for."""
    n, parts = len(v.prompt.ids), CELL.text().split(".")
    if len(parts) == 2 and all(p.isascii() and p.isdigit() and len(p) <= 4 for p in parts):
        query, key = (int(p) - 1 for p in parts)
        if 0 <= key <= query < n:
            return query, key
    best = v.inside.weights[v.selected].argmax(axis=1)
    as_named = _as_named(v)
    row = next((i for i in range(n - 1, 0, -1) if as_named(i, int(best[i]))), n - 1)
    return row, int(best[row])


def _as_named(v: View) -> Callable[[int, int], bool]:
    """Whether looking from one token (query) to another (key) is what the head's label says of it."""
    kind, ids = (v.scores.label(*v.selected) if v.scores else "").partition(" ")[0], v.prompt.ids
    looks = {
        "previous": lambda query, key: key == query - 1,
        "first": lambda query, key: key == 0,
        "induction": lambda query, key: key > 0 and ids[key - 1] == ids[query],
    }
    return looks.get(kind, lambda query, key: False)


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
    best = best_first(row[: query + 1], 3)  # of the words that it may see
    return f"“{v.prompt.words[query]}” looks at " + ", ".join(f"“{v.prompt.words[j]}” {row[j]:.2f}" for j in best) + "."


def _what_it_looks_at(v: View) -> str:
    """The selected weight, and what was measured of its head."""
    query, key = cell(v)
    w = float(v.inside.weights[v.selected][query, key])
    words = v.prompt.words
    return (
        f"Head {name_of(v.selected)}: “{md(words[query])}” looks at “{md(words[key])}” with weight **{number(w, 3)}**. "
        f"Measured on random lists said twice: {measured(v, v.selected)}."
    )


def _of_scores(v: View) -> str:
    """What the scores say, and what they do not."""
    kinds = join([f"{there} ({kind})" for kind, there in KIND_WORDS.items()])
    return (
        f"A score is the mean attention weight that goes to {kinds}. A label says nothing else: it is what a head does on that probe, "
        "not what it is for. In large models most heads have no name, and a weight says where a head looks, not what it takes from "
        "there or whether that matters. Nobody wrote these rules: training changes the numbers that project each token’s state x to "
        "query, key and value, "
        f"{_projections(v)}."
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
