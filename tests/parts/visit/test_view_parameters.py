"""Names that say how a lesson is shown: each is some control's, and what is said of it is explained."""

from app_pages import declared

from pages.parts.visit import view_parameters
from pages.parts.visit.view_parameters import VIEW, that_are


def test_each_name_is_declared_somewhere():
    assert set(VIEW) <= set(declared()), set(VIEW) - set(declared())


def test_what_is_said_of_a_name_is_explained_and_an_unknown_word_is_nobodys():
    explained = {line.split()[0] for line in view_parameters.__doc__.splitlines() if line.startswith("    ")}
    assert {word for said in VIEW.values() for word in said.split()} == explained
    assert that_are("window") and not that_are("windows")


def test_what_locks_or_opens_answers_or_a_room_is_sent_to_no_phone_and_taken_over_by_no_link():
    assert {"lock", "open", "owner", "room"} <= set(that_are("teacher"))
    assert {"lock", "open", "answers"} <= set(that_are("asked"))
