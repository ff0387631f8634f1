"""A class vote as teacher and phones see it: no answer before the reveal, everybody once, and all of it in plain sight."""

import json
from types import SimpleNamespace

import pytest
from app_pages import press, ran, shown, text
from streamlit.testing.v1 import AppTest

from pages.parts.question.question import Question
from pages.parts.vote import here
from pages.parts.vote.rooms import OPEN, REVEALED
from pages.parts.vote.rooms_file import LIFETIME_S, digest


@pytest.fixture(autouse=True)
def browsers(own_rooms, monkeypatch):
    """Browsers that keep what they are told, a phone's number by the visit; a test may put other words into them."""
    told = SimpleNamespace(room=None, phone=None)

    def component(key, data, **_):
        return SimpleNamespace(room=told.room, phone=told.phone or (digest(data["visit"]) if data["phone"] else None))

    monkeypatch.setattr(here, "_KEPT", component)
    return told


def frame():
    """What the frame does for a vote around a lesson. (AppTest runs the frame once and then the page by itself.)"""
    import runpy
    from pathlib import Path
    from secrets import token_hex

    import streamlit as st

    from pages.parts.vote import here, phone, teacher

    st.session_state.setdefault("visit", token_hex(8))
    here.enter()
    st.session_state["here"] = st.session_state.pop("open_lesson", st.session_state.get("here", "attention"))
    runpy.run_path(str(Path(here.__file__).parents[2] / f"{st.session_state['here']}.py"))
    phone.bar()
    here.go_on()
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


def asked(at, code, rooms):
    """The id of the question of the moment."""
    return rooms.room(code).asking


def test_from_the_first_question_to_the_reveal(own_rooms):
    desk, code = teacher()
    question = asked(desk, code, own_rooms)
    phones = [phone(code.lower() if k else code) for k in range(3)]
    for at, guess in zip(phones, ("none", "one", "one"), strict=True):
        assert at.session_state["here"] == "attention" and at.session_state["extras"]["only"] == "on"
        say(at, guess)
        assert f"Your answer is in: **{guess}**" in text(at)
    say(phones[2], "none")
    assert sorted(own_rooms.answers(code, question)) == ["none", "none", "one"]
    assert "**3** have answered" in text(ran(desk))
    assert not desk.get("progress") and not any("Right" in text(at) or "Computed" in text(at) for at in phones)
    press(desk, "show_values")
    assert [(bar.proto.text, bar.proto.value) for bar in desk.get("progress")][:2] == [("**2** × none", 66), ("**1** × one", 33)]
    press(desk, "reveal_values")
    assert "Computed: **none**" in text(desk) and "**2** of 3 right" in text(desk)
    assert desk.get("progress")[0].proto.text == "**2** × :green[:material/check_circle:] none"
    assert [("Right:" in text(ran(at)), "You predicted one" in text(at)) for at in phones] == [
        (True, False), (False, True), (True, False),
    ]  # fmt: skip
    press(desk, "anew_values")
    assert own_rooms.stage(code, question) == OPEN and "**0** have answered" in text(desk)
    assert all("Computed" not in text(ran(at)) and "Your answer is in" not in text(at) for at in phones)


def test_nothing_on_a_phone_tells_the_answer_before_the_reveal(own_rooms):
    _, code = teacher()
    pages = []
    for guess in ("none", "one"):
        at = say(phone(code), guess)
        pages.append(shown(at).replace(guess, "GUESS"))
        assert "Weights come from queries and keys" not in shown(at) and "weights move" not in shown(at)
    assert len(pages[0]) == pytest.approx(len(pages[1]), abs=200)  # but for random numbers and where “none” or “one” stands
    for other in ({"notes": "on"}, {"handout": "answers"}, {"only": ""}, {"steps": "all"}):
        at = opened(room=code, **other)
        assert "Weights come from queries and keys" not in shown(at)


def test_the_room_goes_with_its_teacher_and_the_phones_follow(own_rooms):
    desk, code = teacher()
    at = phone(code)
    press(desk, "slide_next")
    assert ran(at).session_state["extras"]["slide"] == "2" and at.session_state["joined"] == code
    desk.session_state["open_lesson"], desk.session_state["extras"]["slide"] = "prefill", "1"
    ran(desk)
    assert ran(at).session_state["here"] == "prefill"
    ask = next(key for key in keys(desk) if key and key.startswith("ask_"))
    assert not asked(desk, code, own_rooms)
    press(desk, ask)
    assert asked(desk, code, own_rooms) and any(b.proto.form_id for b in ran(at).button)


def test_an_edited_scenario_is_another_question(own_rooms):
    desk, code = teacher()
    at = phone(code)
    first = asked(desk, code, own_rooms)
    say(at, "none")
    desk.slider(key="value_1").set_value(7.0)
    assert "ask_values" in keys(ran(desk))
    assert at.slider(key="value_1").value == 20 == ran(at).slider(key="value_1").value  # the class stays with its question
    press(desk, "ask_values")
    assert asked(desk, code, own_rooms) != first and own_rooms.answers(code, first) == ["none"]
    assert ran(at).slider(key="value_1").value == 7 and "Your answer is in" not in text(at)
    at.slider(key="value_1").set_value(9.0)  # on the phone
    assert "Not asked yet: wait for your teacher" in text(ran(at))
    press(at, "class_values")
    assert at.slider(key="value_1").value == 7 and "form_values" in {b.proto.form_id for b in at.button}


def test_a_reload_of_phone_and_desk_changes_nothing(own_rooms, browsers):
    desk, code = teacher()
    browsers.phone = "1" * 32
    say(phone(code), "one")
    again = phone(code)
    assert "Your answer is in: **one**" in text(again)
    say(again, "none")
    assert own_rooms.answers(code, asked(desk, code, own_rooms)) == ["none"]
    browsers.phone, browsers.room = None, ".".join(desk.session_state["teaching"])
    desk = opened()
    assert "**1** has answered" in text(desk) and asked(desk, code, own_rooms)
    assert browsers.room.partition(".")[2] not in str(desk.session_state["extras"])


def test_a_phone_cannot_become_another_nor_a_teacher(own_rooms, browsers):
    desk, code = teacher()
    at = phone(code)
    say(at, "one")
    browsers.phone, browsers.room = "2" * 32, f"{code}.{'0' * 32}"
    say(ran(at), "none")
    assert own_rooms.answers(code, asked(desk, code, own_rooms)) == ["none"]
    assert "teaching" not in at.session_state or at.session_state["teaching"] is None
    assert not {"show_values", "reveal_values"} & keys(at)


@pytest.mark.parametrize("said", ["", "x", "1" * 31, "g" * 32, 7, None, ["1" * 32], {"a": 1}])
def test_what_a_browser_says_is_a_strangers_text(own_rooms, browsers, said):
    desk, code = teacher()
    browsers.phone = said or " "
    browsers.room = said
    at = phone(code)
    assert "Joining the room" in text(at) and not any(b.proto.form_id for b in at.button)
    assert own_rooms.answers(code, asked(desk, code, own_rooms)) == []


@pytest.mark.parametrize("code", ["AAAAAA", "x", "' OR 1=1", "<b>"])
def test_an_unknown_room_is_a_sentence_and_an_ordinary_lesson(own_rooms, code):
    at = phone(code)
    assert "There is no such room" in text(at)
    say(at, "none")
    assert "Right:" in text(at) and not at.session_state["extras"].get("room")


def test_a_room_that_ends_lets_everybody_go_on(own_rooms, monkeypatch):
    desk, code = teacher()
    at = phone(code)
    now = own_rooms.clock()
    monkeypatch.setattr(own_rooms, "clock", lambda: now + LIFETIME_S)
    assert "it has ended" in text(ran(at)) and "room_leave" not in keys(at)
    say(at, "none")
    assert "Right:" in text(at)
    assert "form_values" in {b.proto.form_id for b in ran(desk).button} and desk.session_state["teaching"] is None


def test_who_guesses_codes_is_stopped_with_a_sentence_and_sees_an_ordinary_lesson(own_rooms):
    _, code = teacher()
    at = opened()
    for k in range(12):
        at.session_state["extras"]["room"] = f"AAAAA{'ABCDEFGHJKLMN'[k]}"
        ran(at)
    at.session_state["extras"]["room"] = code
    assert "Wait a minute" in text(ran(at)) and at.session_state["joined"] == ""


def test_leaving_the_room_is_leaving_its_lock(own_rooms):
    _, code = teacher()
    at = say(phone(code), "none")
    press(at, "room_leave")
    assert "room_leave" not in keys(at) and "Right:" in text(at)


def test_who_has_met_a_lock_is_offered_no_room(own_rooms):
    at = opened(lock="0123abcd." + "0" * 24)
    press(at, "share")
    assert "vote_open" not in keys(at)


def test_without_a_folder_to_write_to_it_says_so(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path / "file"))
    at = opened()
    press(at, "share")
    press(at, "vote_open")
    assert "cannot be used now" in at.session_state["vote_problem"] and "teaching" not in at.session_state


def test_the_link_for_phones_is_short_and_keeps_a_path_of_the_host(monkeypatch):
    monkeypatch.setattr(here.st, "session_state", {"here": "attention"})
    for told, wanted in {
        "https://course.example.org/attention": "https://course.example.org/?room=ABCDEF",
        "http://192.168.1.7:8501/x/attention": "http://192.168.1.7:8501/x/?room=ABCDEF",
    }.items():
        monkeypatch.setattr(here.class_link, "address", lambda told=told: told)
        assert here.link("ABCDEF") == wanted


def test_a_question_is_told_from_the_same_about_another_scenario():
    a, b, c = (Question("k", "How many?", answer, "") for answer in (1.0, 1.0, 2.0))
    assert a.id == b.id != c.id and json.dumps(a.id) and len({REVEALED, OPEN}) == 2
