"""A press that leads on while the class votes is held once and said; the next one takes the phones along."""

import pytest
from app_pages import moved, of_visit, press, ran, selected, text
from vote_pages import asked, everything, keys, opened, owners, phone, say, teacher

from pages.app.route_steps import ROUTES
from pages.parts.visit.all_lessons import AllLessons
from pages.parts.visit.location import Where
from pages.parts.visit.session import key_of
from pages.parts.vote import held_press
from pages.parts.vote.ownership import Teacher

pytestmark = pytest.mark.usefixtures("browsers")
HELD = "vote is still open"


@pytest.fixture
def voting(own_rooms):
    """A teacher at decode's first step who has asked its question, a phone that has answered, the code."""
    desk, code = teacher()
    of_visit(desk, Where).open_lesson = "decode"
    press(ran(desk), "ask_new_rows_0")
    return desk, say(phone(code), "5 rows", "new_rows_0"), code


def at(page):
    """The lesson, the step and its stepper's place, as a screen or a phone shows them."""
    return of_visit(page, Where).lesson, selected(page).get("slide") or "1", selected(page).get("step", "")


@pytest.mark.parametrize("window", ["present", ""])
def test_the_first_press_is_held_and_the_second_takes_the_phones_along(own_rooms, voting, window):
    desk, device, code = voting
    selected(desk)["present"] = window and "on"
    key = "slide_next" if window else "step_next"
    press(ran(desk), key)
    assert at(desk) == at(ran(device)) == ("decode", "1", "") and HELD in text(desk)
    assert "Your answer is in" in text(device) and asked(desk, code, own_rooms)
    press(desk, key)
    # On a slide the next step, not the step's own next place: there the vote would be gone, and another question stand in its place.
    assert at(desk) == at(ran(device)) == (("decode", "2", "") if window else ("decode", "1", "1")) and HELD not in text(desk)
    assert not asked(desk, code, own_rooms)


def test_a_vote_that_was_left_goes_on_where_the_class_comes_back_and_holds_again(own_rooms, voting):
    desk, device, code = voting
    for _ in "ab":
        press(desk, "slide_next")
    assert at(desk) == at(ran(device)) == ("decode", "2", "")
    press(desk, "slide_back")
    assert asked(desk, code, own_rooms) and "**1** has answered" in text(desk) and "Your answer is in" in text(ran(device))
    press(desk, "slide_next")
    assert at(desk) == ("decode", "1", "") and HELD in text(desk)


def test_after_the_reveal_nothing_is_held_and_what_was_held_is_said_no_more(own_rooms, voting):
    desk, device, _ = voting
    press(desk, "step_next")
    press(desk, "show_new_rows_0")
    assert HELD not in text(desk)
    press(desk, "step_next")  # the distribution is on screen: still a vote, and another press than the one before
    assert HELD in text(desk) and at(desk)[2] == ""
    press(desk, "reveal_new_rows_0")
    assert HELD not in text(desk)
    press(desk, "step_next")
    assert at(desk) == at(ran(device)) == ("decode", "1", "1")


def test_two_presses_before_the_sentence_is_drawn_are_both_held(voting, monkeypatch):
    desk, _, _ = voting
    session, went = {key_of(Teacher): of_visit(desk, Teacher)}, []
    monkeypatch.setattr(held_press.st, "session_state", session)
    for _ in "ab":
        held_press.unless_held(went.append, 1)
    assert went == []
    held_press.press().told = held_press.press().held
    held_press.unless_held(went.append, 1)
    assert went == [1] and not held_press.press().held


def test_the_phones_follow_a_stepper_also_where_the_step_is_drawn_alone(own_rooms):
    desk, code = teacher()
    of_visit(desk, Where).open_lesson = "decode"
    device = phone(code)
    ran(desk)
    assert at(ran(device)) == ("decode", "1", "")
    next(b for b in desk.button if b.key == "step_next").click()
    moved(desk, "step_1")
    moved(desk, "around")
    assert at(ran(device)) == ("decode", "1", "1")


def test_at_the_end_of_a_class_a_press_tells_a_sentence_on_the_phones_too(own_rooms):
    desk, code = teacher()
    of_visit(desk, Where).open_lesson = "counting"
    selected(ran(desk)).update(slide="6", present="on")
    ran(desk)
    device = phone(code)
    for told in (1, 2):
        press(desk, "slide_next")
        for page in (desk, ran(device)):
            assert sum(key.startswith("counting_tell_") for key in keys(page)) == 6 - told


@pytest.mark.parametrize(
    "lesson, step, asks, first, later, second",
    [("decode", "1", "new_rows_0", "5 rows", "keys_met_2", "7 keys"), ("cache", "2", "rows_0", 7.0, "rows_1", 9.0)],
)
def test_a_later_question_of_a_stepper_reaches_a_phone_that_has_answered_one(own_rooms, lesson, step, asks, first, later, second):
    """It remembered its answer and its teacher had none: each came to another question, and the phone was not asked."""
    desk, code = teacher()
    of_visit(desk, Where).open_lesson = lesson
    selected(ran(desk))["slide"] = step
    press(ran(desk), f"ask_{asks}")
    device = say(phone(code), first, asks)
    for button in (f"show_{asks}", f"reveal_{asks}", *["step_next"] * int(later[-1]), f"ask_{later}"):
        press(desk, button)
    say(ran(device), second, later)
    assert [float(str(said).split()[0]) for said in own_rooms.answers(code, asked(desk, code, own_rooms))] == [
        float(str(second).split()[0])
    ]


def test_nothing_plays_while_the_class_votes(own_rooms, voting):
    desk, _, _ = voting
    (play,) = [toggle for toggle in desk.toggle if toggle.key == "step_play"]
    assert play.disabled
    press(desk, "reveal_new_rows_0")
    assert not desk.toggle(key="step_play").disabled and not desk.toggle(key="step_play").value


def test_the_notes_hold_their_press_as_well(own_rooms, browsers, voting):
    desk, _, _ = voting
    browsers.own = owners(desk)
    notes = opened(notes="on")
    of_visit(notes, Where).open_lesson = "decode"
    ran(notes)
    press(notes, "notes_stepper_Right")
    assert at(notes) == ("decode", "1", "") and HELD in text(notes)
    press(notes, "notes_stepper_Right")
    assert at(notes) == ("decode", "1", "1") and HELD not in text(notes)
    press(notes, "slide_next")  # the class votes elsewhere
    assert at(notes)[1] == "2" and "show_new_rows_0" not in keys(notes)


def test_the_notes_lead_the_class_from_the_vote_to_the_answer(own_rooms, browsers, voting):
    desk, device, _ = voting
    browsers.own = owners(desk)
    notes = opened(notes="on")
    of_visit(notes, Where).open_lesson = "decode"
    assert "**1** has answered" in text(ran(notes)) and {"notes_show_new_rows_0", "notes_reveal_new_rows_0"} <= keys(notes)
    press(notes, "notes_show_new_rows_0")
    assert "vote_bars_new_rows_0" in everything(ran(desk)) and "notes_show_new_rows_0" not in keys(ran(notes))
    press(notes, "notes_reveal_new_rows_0")
    assert "1 row" in text(ran(desk)) and "of 1 right" in text(desk) and "of 1 right" in text(ran(device))
    assert not [key for key in keys(ran(notes)) if key and key.startswith("notes_reveal")]
    browsers.own = None
    assert "has answered" not in text(opened(notes="on"))  # who has opened no room sees nothing of one


def test_what_is_printed_meanwhile_moves_nobody(own_rooms, voting):
    desk, device, code = voting
    selected(desk)["handout"] = "questions"
    ran(desk)
    assert asked(desk, code, own_rooms) and at(ran(device)) == ("decode", "1", "")


def test_a_class_ends_with_how_it_has_voted_and_with_the_way_to_close_its_room(own_rooms, voting):
    """It stopped at a grey button, and its room was four presses away."""
    desk, _, _ = voting
    of_visit(desk, AllLessons).routes = ROUTES
    for button in ("show_new_rows_0", "reveal_new_rows_0"):
        press(desk, button)
    of_visit(desk, Where).open_lesson = "counting"
    desk.query_params["route"] = "45"
    selected(ran(desk)).update(slide="6", present="on", told="5", route="45")
    assert "end_room" not in keys(ran(desk))
    press(desk, "slide_next")
    assert "1 vote, **0** of 1 answer right" in text(desk)
    press(desk, "end_room")
    assert {"room_close", "room_keep"} <= keys(desk)
    press(desk, "room_close")
    assert "end_room" not in keys(ran(desk))
    for button in ("share", "vote_open"):
        press(desk, button)
    assert "end_room" in keys(ran(desk)) and "1 vote" not in text(desk)  # another room, another class


@pytest.mark.parametrize(("window", "dialog"), [("on", "room_end"), ("", "share_words")])
def test_on_a_slide_the_sign_of_an_open_room_shows_its_code(own_rooms, window, dialog):
    """Who came late read another code than the room's."""
    desk, _ = teacher()
    of_visit(desk, Where).open_lesson = "decode"
    selected(ran(desk))["present"] = window
    press(ran(desk), "share")
    assert dialog in keys(desk) and ({"room_end", "share_words"} & keys(desk)) == {dialog}
    if window:
        press(desk, "code_share")
        assert "share_words" in keys(ran(desk))
