"""Several machines that share no folder: a room is where the first letter of its code says, and nothing of it is forgotten elsewhere."""

import pytest
from app_pages import of_visit, press, ran, selected, text
from vote_pages import keys, opened, owners, phone, teacher, teaching

from pages.parts.vote import in_a_room
from pages.parts.vote.in_a_room import InRoom
from pages.parts.vote.ownership import Teacher
from pages.parts.vote.rooms import LETTERS, Rooms, is_code, rooms_file
from pages.parts.vote.rooms.pace import A_MINUTE

pytestmark = pytest.mark.usefixtures("browsers")


@pytest.fixture
def goes_to(own_rooms, tmp_path, monkeypatch):
    """Who comes from now on comes to the machine of a letter."""

    def go(letter):
        monkeypatch.setenv("TOKEN_BY_TOKEN_MACHINE", letter.lower())
        monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path / letter))
        return in_a_room.rooms()

    yield go
    for letter in "AB":
        go(letter).file.disconnect()


def test_codes_begin_with_the_machines_letter_and_only_one_of_a_codes_letters_names_it(tmp_path):
    rooms = Rooms(tmp_path, letter="K")
    codes = {rooms.open(f"teacher {i}")[0] for i in range(9)}
    rooms.file.disconnect()
    assert all(is_code(code) and code[0] == "K" for code in codes) and len({code[1] for code in codes}) > 1
    assert (
        rooms.is_of_this_machine("K23456")
        and not rooms.is_of_this_machine("A23456")
        and Rooms(tmp_path).is_of_this_machine("A23456")
    )
    for wrong in ("O", "AB", "a", "-"):
        with pytest.raises(ValueError, match=LETTERS):
            Rooms(tmp_path, letter=wrong)


def test_a_phone_that_came_to_the_wrong_machine_is_sent_to_the_right_one_and_has_tried_no_wrong_code(goes_to):
    goes_to("A")
    _, code = teacher()
    rooms = goes_to("B")
    at = phone(code.lower())
    assert of_visit(at, InRoom).to_load == (f"room={code}", 1) and not of_visit(at, InRoom).joined
    for n in range(2, A_MINUTE["wrong"] + 3):
        at.text_input(key="start_room").set_value(code)
        press(at, "FormSubmitter:join-Join")
        assert of_visit(at, InRoom).to_load == (f"room={code}", n) and f"has a room {code}" in text(at)
    assert rooms.open("a teacher here")[0][0] == "B"
    goes_to("A")
    assert of_visit(phone(code), InRoom).joined == code


def test_another_machine_takes_no_room_from_its_teacher_and_sends_him_back_to_it(goes_to, browsers):
    goes_to("A")
    desk, _ = teacher()
    browsers.room = browsers.own = owners(desk)
    goes_to("B")
    at = opened()
    assert teaching(at) is None and of_visit(at, Teacher).times == 0 and of_visit(at, Teacher).gone == ""
    press(at, "back_values")
    assert of_visit(at, InRoom).to_load == (f"owner={owners(desk)}", 1)
    by_link = opened(owner=owners(desk))
    assert teaching(by_link) is None and "cannot be reached" in text(by_link) and not selected(by_link)["owner"]
    rooms = goes_to("A")
    assert teaching(opened(owner=owners(desk))) == teaching(desk)
    rooms.close(*teaching(desk))
    assert of_visit(ran(opened()), Teacher).gone == browsers.own and "back_values" not in keys(opened())


def test_without_a_letter_every_room_is_here(monkeypatch):
    monkeypatch.delenv("TOKEN_BY_TOKEN_MACHINE", raising=False)
    assert rooms_file.machine_letter() == ""
