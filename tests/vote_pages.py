"""A class vote as AppTest opens it: a teacher's page, a phone's, and what they show."""

from app_pages import press, ran
from streamlit.testing.v1 import AppTest


def frame():
    """What the frame does for a vote around a lesson. (AppTest runs the frame once and then the page by itself.)"""
    import runpy
    from pathlib import Path
    from secrets import token_hex

    import streamlit as st

    from pages.parts.visit import address, where
    from pages.parts.visit.parameters import DECLARED
    from pages.parts.vote import class_vote, phone, teacher

    st.session_state.setdefault("visit", token_hex(8))
    class_vote.enter()
    asked, _ = where.take()
    first = "start" if st.query_params.get("start") else "attention"
    where.stands_at(asked or where.now().lesson or first)
    runpy.run_path(str(Path(class_vote.__file__).parents[2] / f"{where.now().lesson}.py"))
    address.publish(DECLARED)
    phone.bar()
    class_vote.go_on()
    teacher.code_dialog()


def opened(**query):
    """The application at a link, by default that of the attention lesson's first step."""
    at = AppTest.from_function(frame, default_timeout=60)
    at.query_params.update(query)
    return ran(at)


def teacher(**query):
    """A teacher who has opened a room from the Share dialog; its code."""
    at = opened(**query)
    press(at, "share")
    press(at, "vote_open")
    return at, at.session_state["teaching"][0]


def phone(code):
    return opened(room=code)


def keys(at):
    return {button.key for button in at.button}


def say(at, guess, key="values"):
    """Answer a question."""
    next(w for w in (*at.radio, *at.number_input) if w.key == f"guess_{key}").set_value(guess)
    next(b for b in at.button if b.proto.form_id == f"form_{key}").click()
    return ran(at)


def everything(at):
    """All that was sent, dialogs included."""
    return str([element.proto for element in at._tree if hasattr(element, "proto")])


def held(at, key):
    """What the session holds, None for nothing."""
    return at.session_state[key] if key in at.session_state else None  # noqa: SIM401 (AppTest's state has no get)


def asked(at, code, rooms):
    """The id of the question of the moment."""
    return rooms.room(code).asking


def go_on(desk):
    """Go to the next step from a vote that is open: the first press is held."""
    press(desk, "slide_next")
    press(desk, "slide_next")


def owners(desk):
    """What the owner's link says."""
    return ".".join(desk.session_state["teaching"])
