"""The first screen as it is shown: name, sentence, prompt, the model writing, and three doors."""

from pathlib import Path

import streamlit as st

from pages.lessons.start import join_form
from pages.lessons.start.answer import drawing_of_answer, read, unknown_words, what_it_is
from pages.parts.controls.shared_parameters import SEED
from pages.parts.lesson import header
from pages.parts.lesson.machine import play
from pages.parts.lesson.step_navigation import SLIDE
from pages.parts.teaching.routes import BRINGS, ROUTE, STORY, stops_of
from pages.parts.teaching.share import PREPARED
from pages.parts.trained import prompt as marked
from pages.parts.trained.model import MOST_CHARS, PROMPT
from pages.parts.trained.prompt import OPENING, PRESETS
from pages.parts.visit import all_lessons, location, scenario, scenario_query
from pages.parts.visit.display import PRESENT
from pages.parts.visit.parameters import set_widget

TO_TRY = tuple(PRESETS)[:4]  # sentences to continue; a list said twice is for the lesson that explains it
PARAMETERS = (PROMPT.name, SEED.name)  # all that a link to this screen may carry
_HERE = Path(__file__).parent
SENTENCE = (
    '<p class="tbt-start">A language model reads your prompt in <b class="tbt-prefill">one pass</b>, then writes its answer '
    '<b class="tbt-decode">one word at a time</b>. Watch it.</p>'
)


def first_screen() -> None:
    """Show it. Nothing here is presented and there are no steps: a visit that comes back from some has left them."""
    location.page_begins(toy=False)
    scenario.current()
    PRESENT.set_text("")
    SLIDE.set_text("")
    st.html(_HERE / "start.css")
    with st.container(horizontal=True, vertical_alignment="center", key="start_title"):
        st.title("Token by Token", anchor=False, width="stretch")
        join_form.code_field()
    join_form.problem()
    st.html(SENTENCE)
    header.problems()
    text, seed = PROMPT.text() or OPENING, SEED.value()
    with st.container(horizontal=True, vertical_alignment="center", key="start_prompt"):
        set_widget("start_typed", text)
        st.text_input("Prompt", key="start_typed", on_change=_type, label_visibility="collapsed")
        st.html('<p class="tbt-answer" aria-hidden="true"></p>')  # where the machine writes on
        st.button("Another ending", key="start_another", icon=":material/refresh:", on_click=_draw_another, type="tertiary")
    prompt = read(text)
    to_try(text, known=not prompt.unknown)
    if prompt.unknown or prompt.left_out:
        with st.container(key="start_marks"):
            if prompt.unknown:
                st.warning(unknown_words(prompt), icon=":material/help:")
            marked.left_out(prompt)
    play(drawing_of_answer(prompt, seed), beside=True)
    doors()


def to_try(text: str, known: bool) -> None:
    """Prompts that this model continues well, and beside them what it is; where words are unknown that is said with them."""
    with st.container(horizontal=True, vertical_alignment="center", key="start_try"):
        set_widget("start_preset", next((name for name in TO_TRY if PRESETS[name] == text), None))
        st.pills("Prompts to try", TO_TRY, key="start_preset", on_change=_preset, label_visibility="collapsed", width="content")
        if known:
            st.caption(what_it_is())


def doors() -> None:
    """The ways on. A page that runs by itself has no others to link to."""
    pages = all_lessons.of_visit().pages
    if not pages:
        return
    stops = stops_of(STORY)
    kept = {name: scenario.extra(name) for name in PARAMETERS if scenario.extra(name)}
    own = scenario.current()
    in_class = BRINGS[STORY] if own == scenario_query.DEFAULT else own  # the same numbers, and words that make a sentence
    story, class_ = ({**scenario_query.to_query(s), **kept, ROUTE.name: to} for s, to in ((own, STORY), (in_class, "45")))
    with st.container(horizontal=True, key="doors"):
        st.page_link(
            pages[stops[0].lesson],
            label=f"**Read the story →** :small[{len(stops)} steps in {len({stop.lesson for stop in stops})} lessons]",
            query_params=story,
        )
        st.page_link(
            pages[stops_of("45")[0].lesson],
            label="**Teach with it →** :small[45 minutes, notes, a vote]",
            query_params=class_ | {PREPARED.name: "on"},
        )
        st.page_link(pages["memory"], label="**Size a real cache →** :small[any model, any device]")


def _type() -> None:
    said = st.session_state["start_typed"]  # of whatever type a forged message has
    _take(said if isinstance(said, str) else "")


def _preset() -> None:
    name = st.session_state["start_preset"]
    if name in TO_TRY:
        _take(PRESETS[name])


def _take(prompt: str) -> None:
    """Keep a prompt, however it was given; none is the opening."""
    text = " ".join(prompt.split())
    PROMPT.set_text("" if text == OPENING else text[:MOST_CHARS])


def _draw_another() -> None:
    SEED.set((SEED.value() + 1) % (SEED.high + 1))
