"""Words and sources: a search over lessons, steps and terms; every term in a sentence; what to read next and what for."""

from collections.abc import Sequence
from pathlib import Path

import streamlit as st

from pages.lessons.glossary.found import Hit, search
from pages.lessons.glossary.sources import SOURCES
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.lesson.step_navigation import SLIDE
from pages.parts.lesson.terms import GROUPS, SHOWN_IN, TERMS
from pages.parts.text.format import md
from pages.parts.visit import location, menu
from pages.parts.visit.parameters import Choice, Text, set_widget

FIND = Text("find", most_chars=60)
GROUP, TOPIC = Choice("words_on"), Choice("sources_on")
CSS = Path(__file__).with_name("rows.css")
NAMES, TITLES = (0.8, 3.6, 1.1), (1.25, 3, 1.1)  # widths of a name, what is said of it and the way on
MOST_HITS = 7  # that stand on one screen


@step("Words")
def find() -> None:
    """A field, and the steps, lessons and terms that it finds, best first; every term of a subject until something is typed."""
    st.html(CSS)
    n_steps = sum(len(lesson.steps) for lesson in menu.of_visit().lessons.values())
    lead(f"{len(TERMS)} terms, {len(menu.of_visit().lessons)} lessons, {n_steps} steps: type a few letters, or choose a subject.")
    set_widget("glossary_find", FIND.text())
    st.text_input(
        "A word, a lesson, a step", key="glossary_find", max_chars=FIND.most_chars, placeholder="mask, top-p, roofline …",
        label_visibility="collapsed", on_change=lambda: FIND.set_text(str(st.session_state["glossary_find"])),
    )  # fmt: skip
    if not FIND.text().strip():
        terms()
        return
    hits = search(FIND.text(), menu.of_visit().lessons)
    for at, hit in enumerate(hits[:MOST_HITS]):
        _row(f"hit_{at}", md(hit.name), hit.text, hit)
    beyond = len(hits) - MOST_HITS
    if not hits:
        st.markdown(f"Nothing is called “{md(FIND.text())}” here. Fewer letters find more.")
    elif beyond > 0:
        st.markdown(f"{beyond} more: more letters find fewer.")


def terms() -> None:
    """Every term of a subject in one sentence, with the lesson that shows it."""
    groups = {name: name for name in GROUPS}
    chosen = GROUP.buttons("Terms on", groups, next(iter(groups)), label_visibility="collapsed")
    for at, term in enumerate(GROUPS[chosen]):
        _row(f"term_{at}", term, TERMS[term], Hit(term, TERMS[term], SHOWN_IN.get(term, "")))


@step("Sources")
def sources() -> None:
    """Papers and programs by subject, each with what to read it for."""
    lead("What to read next, and what for. Beside each source stands the lesson that it belongs to.")
    st.html(CSS)
    topics = {name: name for name in SOURCES}
    chosen = TOPIC.buttons("Sources on", topics, next(iter(topics)), label_visibility="collapsed")
    for at, source in enumerate(SOURCES[chosen]):
        _row(f"source_{at}", f"[{source.title}]({source.address})", source.read_for, Hit("", "", source.lesson), TITLES)


def _row(key: str, name: str, text: str, hit: Hit, widths: Sequence[float] = NAMES) -> None:
    """A name, what is said of it, and the way to the lesson that shows it; a page that runs by itself has no other to lead to."""
    with st.container(key=f"row_{key}"):
        names, words, way = st.columns(widths, vertical_alignment="center")
    names.markdown(f"**{name}**")
    words.markdown(text)
    if page := menu.of_visit().pages.get(hit.lesson):
        way.button(page.title, key=key, icon=":material/arrow_forward:", type="tertiary", on_click=_open, args=(hit,))


def _open(hit: Hit) -> None:
    SLIDE.set(hit.slide)
    location.open_lesson(hit.lesson)
