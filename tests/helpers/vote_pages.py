"""A class vote as AppTest opens it: a teacher's page, a phone's, and what they show."""

import app_pages
from app_pages import of_visit, press, ran
from streamlit.testing.v1 import AppTest

from pages.parts.vote.in_a_room import InRoom
from pages.parts.vote.ownership import Teacher


def frame():
    """What the frame does for a vote around a lesson. (AppTest runs the frame once and then the page by itself.)"""
    import runpy
    from pathlib import Path

    import streamlit as st

    from pages.parts.visit import address, location
    from pages.parts.visit.parameters import DECLARED
    from pages.parts.vote import in_a_room, leading, phone, teacher

    in_a_room.enter()
    asked, _ = location.take_request()
    first = "start" if st.query_params.get("start") else "attention"
    location.set_lesson(asked or location.now().lesson or first)
    runpy.run_path(str(Path(in_a_room.__file__).parents[2] / f"{location.now().lesson}.py"))
    address.publish(DECLARED)
    phone.bar()
    leading.go_on()
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
    return at, teaching(at)[0]


def phone(code):
    return opened(room=code)


def keys(at):
    return {button.key for button in at.button}


def say(at, guess, key="values"):
    """Answer a question."""
    app_pages.say(at, key, guess)
    return ran(at)


def everything(at):
    """All that was sent, dialogs included."""
    return str([element.proto for element in at._tree if hasattr(element, "proto")])


def teaching(at):
    """(code, secret) of the room whose teacher the visit is, None for nobody's."""
    return of_visit(at, Teacher).teaching


def joined(at):
    """The code of the room in which the visit is a phone."""
    return of_visit(at, InRoom).joined


def asked(at, code, rooms):
    """The id of the question of the moment."""
    return rooms.room(code).asking


def go_on(desk):
    """Go to the next step from a vote that is open: the first press is held."""
    press(desk, "slide_next")
    press(desk, "slide_next")


def owners(desk):
    """What the owner's link says."""
    return ".".join(teaching(desk))
