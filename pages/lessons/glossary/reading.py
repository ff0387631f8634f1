"""Sources: what to read next and what for, at the parts of the machine that it is about."""

import re

import streamlit as st

from pages.lessons.glossary.figures.word_places import source_places
from pages.lessons.glossary.found import Hit
from pages.lessons.glossary.sources import SOURCES, Source
from pages.lessons.glossary.steps import COLUMNS, CSS, in_columns, open_hit
from pages.parts.drawing.plot import plot, sheet
from pages.parts.lesson import small_machine
from pages.parts.lesson.lesson import step
from pages.parts.lesson.sentences import lead
from pages.parts.text.format import join
from pages.parts.visit import all_lessons
from pages.parts.visit.display import narrow, presenting, spare
from pages.parts.visit.scenario import on_paper

# Where in the machine the sources of a subject stand.
PLACES = {
    "Attention": ("mask", "weights"), "Choosing a word": ("contexts", "next word"), "The cache": ("key", "value"),
    "Hardware": ("scores",), "Many requests": ("tokens", "next word"), "Programs": (),
}  # fmt: skip
ROOM = 150  # pixels that a screen has beyond a projector's, for the machine with the sources beneath it
SLIDE = 230  # pixels of the machine on a slide


@step("Sources")
def sources() -> None:
    """Papers and programs of all subjects, each with what to read it for, beneath the parts of the machine that they are about, and the
    lessons that rely on them; on a slide of each subject the one to begin with."""
    st.html(CSS)
    lead("Read these first." if presenting() else "What to read next, and what for.")
    if narrow() or on_paper() or (spare() < ROOM and not presenting()):
        _in_lists()
    else:
        _at_the_machine()


def _at_the_machine() -> None:
    """The machine, a list of sources beneath each part that has some, and in a row beneath all of it those about the whole."""
    parts = {topic: where for topic, where in sorted(PLACES.items(), key=_from_the_left) if where}
    whole = [topic for topic in SOURCES if topic not in parts]
    with st.container(key="all_sources"):
        told = "; ".join(f"{topic} at {join(list(where))}" for topic, where in parts.items())
        plot(
            source_places(sheet(slide_zoom=0.85, slide_high=SLIDE), list(parts.values())),
            f"The machine, with sources at its parts: {told}.",
            "source_places",
        )
        with st.container(key="first_sources" if presenting() else "hanging"):
            for column, topic in zip(st.columns(len(parts), gap="medium"), parts, strict=True):
                with column:
                    _to_begin_with(topic) if presenting() else _topic(topic, placed=True)
        for topic in whole:
            if presenting():
                _to_begin_with(topic, " ")
                continue
            with st.container(key="of_all_of_it"):
                st.markdown(f"**{topic}** for all of it")
                for column, source in zip(st.columns(len(SOURCES[topic]), gap="medium"), SOURCES[topic], strict=True):
                    column.markdown(_source(source))


def _to_begin_with(topic: str, apart: str = "\n\n") -> None:
    """On a slide of a subject the first of its sources. apart: between the lines, a space where they are one."""
    with st.container(key=f"card_{list(SOURCES).index(topic)}"):
        first, more = SOURCES[topic][0], len(SOURCES[topic]) - 1
        lines = f"**{topic}**", f"{_source(first)} {first.read_for}", f"{more} more on the page"
        st.markdown(apart.join(lines))


def _from_the_left(place: tuple[str, tuple[str, ...]]) -> float:
    """Where a subject's list stands: the middle of its columns, of one at both ends of the machine the left one."""
    at = [list(small_machine.LEADS).index(column) for column in place[1]] or [0]
    return -1 if len(at) > 1 and at == [0, len(small_machine.LEADS) - 1] else (at[0] + at[-1]) / 2


def _in_lists() -> None:
    """The same as lists side by side, on a phone beneath each other."""
    with st.container(key="all_sources"):
        for column, topics in zip(st.columns(COLUMNS, gap="medium"), in_columns(list(SOURCES)), strict=True):
            with column:
                for topic in topics:
                    _topic(topic)


def _place_in_machine(topic: str) -> None:
    """The columns of the machine that a subject is about, as a line."""
    there = PLACES[topic]
    st.html(small_machine.strip(there, f"In the machine: {', '.join(there) or 'all of it'}"))


def _topic(topic: str, placed: bool = False) -> None:
    """One subject: its sources, and the way to its lessons. placed: whether a figure above shows where it stands."""
    with st.container(key=f"topic_{list(SOURCES).index(topic)}"):
        if not placed:
            _place_in_machine(topic)
        st.markdown("\n".join([f"**{topic}**\n", *(f"- {_source(source)}" for source in SOURCES[topic])]))
        pages = all_lessons.of_visit().pages
        lessons = [name for name in dict.fromkeys(source.lesson for source in SOURCES[topic]) if name in pages]
        with st.container(horizontal=True, gap="xsmall"):
            for name in lessons:
                st.button(
                    pages[name].title, key=f"source_{topic}_{name}", icon=":material/arrow_forward:", type="tertiary", on_click=open_hit,
                    args=(Hit("", "", name),),
                )  # fmt: skip


def _source(source: Source) -> str:
    """Who and when, with the title when it is pointed at; what to read it for. A slide shows the title.

    >>> _source(Source("Shazeer 2019, Fast Decoding: One Head", "https://arxiv.org/abs/1", "Why.", "memory"))
    '[Shazeer 2019](https://arxiv.org/abs/1 "Fast Decoding: One Head") Why.'
    """
    who, title = re.fullmatch(r"(.*?\d{4}), (.*)|.*", source.title).groups()
    link = f"[{who or source.title}]({source.address}"
    if presenting():
        return f"{link}) {f'*{title}.*' if title else ''}"
    tip = f' "{title}"' if title else ""
    return f"{link}{tip}) {source.read_for}"
