"""What stands around a lesson's steps: its title with the scenario's name, words of one's own, the source that ran, the way to the next
lesson."""

import inspect
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from engine import Scenario
from engine.toy import edits
from engine.toy.presets import PRESETS
from engine.toy.scenario import MAX_LETTERS, MAX_PROMPT, MAX_WORDS
from pages.parts.teaching import routes
from pages.parts.text.format import md
from pages.parts.text.toy_names import MOST_TYPED, as_typed, typed
from pages.parts.visit import all_lessons, control_locks, dialogs, scenario
from pages.parts.visit.session import of_this_visit

EDITED = "Edited"
OWN = "Your own words …"
MOST_CHARS = MAX_PROMPT * (MAX_LETTERS + 2)  # of a sentence that is typed


@dataclass
class OwnWordsAsked:
    """times: that the entry for one's own words was chosen; the box is then a new one, which shows the scenario's name again."""

    times: int = 0


own_words_asked = of_this_visit(OwnWordsAsked)


def title(question: str, toy: bool = True) -> None:
    """The lesson's question, and whatever could not be used of a link or an edit; with toy, the scenario's name and reset."""
    if toy:
        _title_and_preset(question)
    else:
        st.title(question, anchor=False)
    problems()


def title_shows(toy: bool) -> tuple:
    """What `title` shows that a move may change."""
    return scenario.problems(), _preset_name() if toy else ""


def problems() -> None:
    """What could not be used of the link or of the last edit."""
    for problem in scenario.problems():
        st.warning(md(problem), icon=":material/link_off:")


def _title_and_preset(question: str) -> None:
    left, right, reset = st.columns([6, 2, 1.15], vertical_alignment="center")
    left.title(question, anchor=False)
    if routes.chosen() != routes.STORY or _preset_name() == EDITED:  # which has one scenario, unless it is edited
        presets(right, reset)


def presets(right: DeltaGenerator | None = None, reset: DeltaGenerator | None = None) -> None:
    """The scenario's name, another to choose, and the way back to the article's: in two places, below each other where none are said."""
    right, reset = right or st.container(), reset or st.container()
    name = _preset_name()
    options = [OWN, *PRESETS, *[EDITED] * (name == EDITED)]
    # A key for each name, and the name as default instead of a pushed value: while a slider is moved fast, Streamlit may drop the
    # message that pushes a value, and the name that the browser then still holds would come back as if somebody had chosen it.
    at = options.index(name)
    key, told = f"preset_{at}_{own_words_asked().times}", "\n".join(f"- **{name}**: {why}" for name, (_, why) in PRESETS.items())
    change = control_locks.control(control_locks.PRESETS, on_change=_preset, args=(key, name))
    told += "\n- Or type a sentence of your own here"
    right.selectbox("Scenario", options, at, key=key, label_visibility="collapsed", help=told, accept_new_options=True, **change)
    look = {"icon": ":material/restart_alt:", "help": "Back to the article’s text", "width": "stretch"}
    off = scenario.current() == Scenario.article() or control_locks.locked(control_locks.PRESETS)
    reset.button("Reset", key="reset", on_click=scenario.replace, args=(Scenario.article(),), disabled=off, **look)


def _preset_name() -> str:
    s = scenario.current()
    return next((name for name, (preset, _) in PRESETS.items() if preset == s), EDITED)


def _preset(key: str, shown: str) -> None:
    chosen = st.session_state.get(key)
    if chosen == shown or not isinstance(chosen, str):
        return
    if chosen in PRESETS:
        preset, point = PRESETS[chosen]
        scenario.replace(preset)
        st.toast(f"**{chosen}.** {point}", duration="long")
    elif chosen == OWN:
        own_words_asked().times += 1
        dialogs.open_dialog(dialogs.WORDS)
        st.rerun()
    elif chosen != EDITED:  # typed: a sentence
        scenario.edit(edits.set_prompt, chosen[:MOST_CHARS].replace(",", " ").split())


def own_words() -> None:
    """The dialog in which they are typed, where it is open."""
    if dialogs.is_open(dialogs.WORDS):
        _own_words()


@st.dialog(OWN.removesuffix(" …"), on_dismiss=dialogs.close)
def _own_words() -> None:
    """What goes in and what may come out; what is refused stays in its field, and what is wrong with it is said."""
    s = scenario.current()
    with st.form("own_words", border=False):
        prompt = st.text_input(
            f"What goes in: up to {MAX_PROMPT} words", as_typed(s.tokens), key="own_prompt", max_chars=MOST_TYPED
        )
        choice = st.text_input(
            f"What may come next: up to {MAX_WORDS}", as_typed(s.words), key="own_candidates", max_chars=MOST_TYPED
        )
        st.caption(
            "A space ends a word, unless there are commas. New values come from the letters, those of what may come next moved "
            "apart; W, by which heads vote for words, is made so that these come in this order, if the heads let them."
        )
        used = st.form_submit_button("Use these words")  # a strong one has white on white in a dark dialog
    if used:
        scenario.edit(lambda s: edits.in_order(edits.set_words(edits.set_prompt(s, typed(prompt)), typed(choice))))
        if problem := scenario.kept().edit_problem:
            st.warning(md(problem))
        else:
            dialogs.close()
            st.rerun()


def source(*functions: Callable) -> None:
    """The source that just ran, at the foot of a lesson."""
    with st.popover(
        "Source", icon=":material/code:", key="source", type="tertiary", help="The source that just ran", on_change="rerun"
    ) as box:
        if box.open:
            st.code("\n\n".join(inspect.getsource(f) for f in functions), language="python")


def titles_beside() -> tuple[str, str]:
    """The titles of the lessons before and after this one, "" where there is none."""
    return tuple(page.title if page else "" for page in (all_lessons.of_visit().before, all_lessons.of_visit().after))


def neighbours() -> None:
    """Links to the lessons before and after this one."""
    with st.container(horizontal=True, horizontal_alignment="distribute", key="way_on"):
        before, after = all_lessons.of_visit().before, all_lessons.of_visit().after
        if before:
            st.page_link(before, label=f"Before: {before.title}", icon=":material/arrow_back:")
        if after:
            st.page_link(after, label=f"Next: {after.title}", icon=":material/arrow_forward:")
