"""The router: every run begins here, finds the page that is asked for, and puts around it what all lessons have."""

from copy import copy
from pathlib import Path

import streamlit as st

from pages.app import navigation, reconnect
from pages.app.course import LESSONS
from pages.app.menu import answered
from pages.app.menu.side_menu import side_menu
from pages.app.scripts import page_scripts
from pages.lessons.start.steps import PARAMETERS
from pages.parts.controls import editor
from pages.parts.drawing.palette import css_variables
from pages.parts.lesson.cell_links import follow_links
from pages.parts.lesson.fragments import drawn_of_visit
from pages.parts.lesson.handout import of_route, whole_route
from pages.parts.lesson.step_navigation import enter_lesson
from pages.parts.sharing import turns
from pages.parts.teaching import own_route, windows
from pages.parts.visit import address, answer_lock, control_locks, dialogs, location, scenario
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.display import ask_the_browser, presenting, slide
from pages.parts.visit.parameters import DECLARED
from pages.parts.visit.scenario import on_paper
from pages.parts.vote import in_a_room, leading, phone, teacher

HERE = Path(__file__).parent


def side_bar() -> None:
    """The menu's counts, and the scenario's editor where the page is about it."""
    answered.tell_the_browser()
    if location.now().toy and not (presenting() or narrowed() or control_locks.locked(control_locks.EDITOR)):
        with st.sidebar:
            editor.editor()


def side_bar_shows() -> tuple:
    """What the side bar shows that a move may change."""
    return answered.of_lessons(), scenario.current() if editor.is_open() else None


def style_sheet(first: bool) -> str:
    """What the page looks like where it is not as usual: on paper, presented, one step alone."""
    if presenting() and not (on_paper() and not first):
        return style("presented") if slide().controls_of else style("presented", "slide_controls")
    return style("handout") if on_paper() and not first else style("only") if narrowed() else ""


def style(*names: str) -> str:
    """These sheets, in one element."""
    return f"<style>{''.join((HERE / f'{name}.css').read_text('utf-8') for name in names)}</style>"


st.set_page_config(
    page_title="Token by Token", page_icon=str(HERE / "icon.svg"), layout="wide", initial_sidebar_state="collapsed"
)
st.html(f"<style>{css_variables()}</style>{style('frame', 'phone')}")
reconnect.go_on()
in_a_room.enter()
windows.follow()
page = navigation.asked_for()
first = navigation.is_first(page)
side_menu()
enter_lesson(page.url_path)
own_route.report_left_out()
answer_lock.locked()  # what opens them leaves the address bar, whether or not this step asks anything
drawn_of_visit().side_bar = side_bar, side_bar_shows  # a lesson draws it again when a move has changed it
with turns.in_turn():
    if of_route():
        whole_route(lambda name: LESSONS[name].show())
    else:
        copy(page).run()  # Streamlit lets a page be run once, and a run that was overtaken still comes here while the next begins
    if sheet := style_sheet(first):
        st.html(sheet)
    address.publish(PARAMETERS if first else DECLARED, toy=not first)
    if first:
        dialogs.close()  # it has none
        side_bar()
    ask_the_browser()
    follow_links()
    page_scripts.run_on_page()
phone.bar()
leading.go_on()
teacher.code_dialog()
