"""The article's two readings of the same rules side by side, and where the sources contradict themselves."""

import numpy as np
import streamlit as st

from engine.model import ForwardPass
from engine.toy.article_readings import differing, other_reading
from engine.toy.scenario import Scenario
from pages.lessons.rules import sentences
from pages.lessons.rules.figures.context_tables import Differs, Reading, context_tables
from pages.lessons.rules.questions import open_results
from pages.parts.controls import toy
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead, takeaway
from pages.parts.text.format import join, plural

DECIDES = {"none": "none", "soft": "an average", "nan": "0 / 0", "fill": "average of all", "softmax1": "part of the weight"}


@step(
    "Two readings",
    minutes=4,
    ask="The word “last” can mean two things. Where do the two readings differ, and does it matter for the next word?",
)
def readings(s: Scenario, run: ForwardPass) -> None:
    """The contexts of the scenario, and of its other reading beside them."""
    lead(
        "“The last token” can mean two things: the token that **asks**, as in the article’s text, or the prompt’s last, as in its code.",
        "head", "context",
    )  # fmt: skip
    other = other_reading(s)
    runs = (run, toy.passed(other))
    layers = [r.layers[0] for r in runs]
    differ = differing(*layers)
    names = ("This scenario", f"The article’s {_name(other)}")
    both = [Reading(layer, name, _reading(x)) for layer, x, name in zip(layers, (s, other), names, strict=True)]
    hidden = open_results(s, run)
    found = [Differs(h, j, *sentences.differs(s, layers, (h, j), hidden[h, j])) for h, j in np.argwhere(differ).tolist()]
    figure = context_tables(sheet(), both, differ, found, s.tokens)
    plot(figure, sentences.tables_in_words(s, other, runs, differ, hidden), "context_tables")
    said = sentences.disagreement(s, other, runs, differ, hidden)
    takeaway("readings", sentences.matters(s, other, differ) if differ.any() else said)
    with st.expander("What is toy about this, and where the article contradicts itself", icon=":material/info:"):
        if differ.any():
            st.caption(said)
        caveats()


def _name(s: Scenario) -> str:
    return "code" if s.empty_row == "soft" else "text"


def _reading(s: Scenario) -> tuple[str, ...]:
    """Which heads look at the "last" token in one of its two meanings, and what becomes of empty rows."""
    empty = f"no match: {DECIDES[s.empty_row]}"
    for kind, meant in (("last", "last of the prompt"), ("self", "the token itself")):
        if heads := [str(h) for h, rule in enumerate(s.rules, 1) if rule.kind == kind]:
            return f"{plural(len(heads), 'head')} {join(heads)}: {meant}", empty
    return (empty,)


def caveats() -> None:
    """What is toy about heads with rules, and where the sources contradict themselves."""
    st.caption(
        "“Last” with the code’s meaning makes a key say “I am the last so far”, which the next token makes false: it breaks the "
        "cache. The article also says that heads are averaged, and then goes on with the contexts kept apart; here they stay "
        "apart. Nobody writes rules into a trained model: its weights are learned and smooth, and most heads cannot be put into "
        "words, though a few can."
    )
