"""Words: a search over lessons, steps and terms; a map of every term by subject."""

import re
from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.lessons.glossary.figures.word_places import word_places
from pages.lessons.glossary.found import Hit, search
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson import small_machine
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.lesson.step_navigation import SLIDE
from pages.parts.lesson.terms import GROUPS, SHOWN_IN, TERMS
from pages.parts.teaching.routes import number_of
from pages.parts.text.format import join, md
from pages.parts.visit import all_lessons, control_locks, location
from pages.parts.visit.display import narrow
from pages.parts.visit.parameters import Choice, Text, set_widget
from pages.parts.visit.scenario import on_paper

FIND, TERM = Text("find", most_chars=60), Text("term", most_chars=40)
GROUP = Choice("words_on")  # in links of an earlier version: the one subject whose terms were listed
CSS = Path(__file__).with_name("rows.css")
# Words that are columns of the machine themselves.
COLUMN = {
    "token": "tokens",
    "score": "scores",
    "weight": "weights",
    "context": "contexts",
    "softmax": "weights",
    "logit": "next word",
}
NAMES = (0.8, 3.6, 1.1)  # widths of a name, what is said of it and the way on
FIRST = "KV cache"  # the word that is shown until one is pressed
MOST_HITS = 7  # that stand on one screen
COLUMNS = 3


@step("Words")
def find() -> None:
    """A field, and the steps, lessons and terms that it finds, best first; the map of all terms until something is typed."""
    st.html(CSS)
    n_steps = sum(len(lesson.steps) for lesson in all_lessons.of_visit().lessons.values())
    lead(
        f"{len(TERMS)} terms, {len(all_lessons.of_visit().lessons)} lessons, {n_steps} steps: type a few letters, or press a word."
    )
    set_widget("glossary_find", FIND.text())
    st.text_input(
        "A word, a lesson, a step", key="glossary_find", max_chars=FIND.most_chars, placeholder="mask, top-p, roofline …",
        label_visibility="collapsed", on_change=lambda: FIND.set_text(str(st.session_state["glossary_find"])),
    )  # fmt: skip
    if not FIND.text().strip():
        words()
        return
    hits = search(FIND.text(), all_lessons.of_visit().lessons)
    for at, hit in enumerate(hits[:MOST_HITS]):
        _row(f"hit_{at}", md(hit.name), hit.text, hit)
    beyond = len(hits) - MOST_HITS
    if not hits:
        st.markdown(f"Nothing is called “{md(FIND.text())}” here. Fewer letters find more.")
    elif beyond > 0:
        st.markdown(f"{beyond} more: more letters find fewer.")


def chosen_term() -> str:
    """The word that was pressed; the first one of the subject that an earlier link names, else what all of it is about."""
    group = GROUP.value(tuple(GROUPS), "")
    return TERM.text() if TERM.text() in SHOWN_IN else GROUPS[group][0] if group else FIRST


def place_of(term: str) -> tuple[str, ...]:
    """The columns of the machine at which a word stands: its own, or those of the lesson that shows it.

    >>> place_of("mask"), place_of("score"), place_of("KV cache")
    (('mask',), ('scores',), ('key', 'value'))
    """
    column = COLUMN.get(term, term)
    return (column,) if column in small_machine.LEADS else small_machine.SHOWS.get(SHOWN_IN[term], ())


def words() -> None:
    """Where in the machine the chosen word stands, what it means and where it is shown; beneath it all words, by subject."""
    chosen = chosen_term()
    there = place_of(chosen)
    with st.container(key="terms_said"):
        if on_paper():
            _all_meanings(next(terms for terms in GROUPS.values() if chosen in terms), chosen)
        else:
            picture(there, chosen)
            with st.container(horizontal=not narrow(), vertical_alignment="center", key="terms_of"):
                st.markdown(TERMS[chosen])
                _way_to(Hit(chosen, TERMS[chosen], SHOWN_IN[chosen]), "glossary_term")
    with st.container(key="word_map"):
        for column, groups in zip(st.columns(COLUMNS, gap="medium"), in_columns(list(GROUPS)), strict=True):
            with column:
                for group in groups:
                    _group(group, chosen)


def _all_meanings(terms: Sequence[str], chosen: str) -> None:
    """What all words of a subject mean, on paper."""
    for column, some in zip(st.columns(COLUMNS, gap="medium"), in_columns(list(terms)), strict=False):
        with column:
            for term in some:
                _show_term(term, term == chosen)


def picture(there: Sequence[str], chosen: str) -> None:
    """The machine with a word at its parts."""
    at = f" {chosen}: at {join(list(there))}." if there else ""
    told = f"The parts of the machine, from tokens to the next word.{at}"
    plot(word_places(sheet(high=170), there, chosen), told, "word_places")


def _show_term(term: str, chosen: bool) -> None:
    """A word in its own colour, where it has one, with its sentence; the chosen one is marked."""
    with st.container(key=f"{'chosen_' if chosen else ''}term_{re.sub('[^a-z]', '_', term.lower())}"):
        st.markdown(f"**{term}** {TERMS[term]}")


def in_columns(names: list[str]) -> list[list[str]]:
    """The names in columns, read downwards.

    >>> in_columns(list("abcde"))
    [['a', 'b'], ['c', 'd'], ['e']]
    """
    high = -(-len(names) // COLUMNS)
    return [names[at : at + high] for at in range(0, len(names), high)]


def _group(group: str, chosen: str) -> None:
    key = f"words_{list(GROUPS).index(group)}"
    set_widget(key, chosen if chosen in GROUPS[group] else None)
    st.pills(group, list(GROUPS[group]), key=key, **control_locks.control(TERM.name, "Word", on_change=_choose, args=(key,)))


def _choose(key: str) -> None:
    """A word was pressed; one that is pressed again stays chosen."""
    TERM.set_text(st.session_state.get(key) or TERM.text())


def _row(key: str, name: str, text: str, hit: Hit) -> None:
    """A name, what is said of it, and the way to the lesson that shows it."""
    with st.container(key=f"row_{key}"):
        names, said, way = st.columns(NAMES, vertical_alignment="center")
    names.markdown(f"**{name}**")
    said.markdown(text)
    with way:
        _way_to(hit, key)


def _way_to(hit: Hit, key: str) -> None:
    """A button to the lesson that shows it; a page that runs by itself has none to lead to."""
    if page := all_lessons.of_visit().pages.get(hit.lesson):
        st.button(page.title, key=key, icon=":material/arrow_forward:", type="tertiary", on_click=open_hit, args=(hit,))


def open_hit(hit: Hit) -> None:
    """To the step that shows it."""
    SLIDE.set(number_of(hit.lesson, hit.slide))
    location.open_lesson(hit.lesson)
