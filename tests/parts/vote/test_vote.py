"""A class vote as teacher and phones see it: no answer before the reveal, everybody once, and all of it in plain sight."""

import json
from unittest.mock import patch

import pytest
from app_pages import moved, of_visit, options_of, press, ran, selected, shown, text, told
from vote_pages import asked, everything, go_on, joined, keys, opened, owners, phone, say, teacher, teaching

from pages.app.route_steps import ROUTES
from pages.lessons.start import join_form
from pages.parts.question.question import Predictions, Question
from pages.parts.teaching import routes
from pages.parts.visit import location, session
from pages.parts.visit.location import Where
from pages.parts.visit.scenario import Kept
from pages.parts.vote import in_a_room
from pages.parts.vote.in_a_room import InRoom
from pages.parts.vote.ownership import Teacher
from pages.parts.vote.rooms import OPEN, REVEALED
from pages.parts.vote.rooms.rooms_file import LIFETIME_S

pytestmark = pytest.mark.usefixtures("browsers")


def test_from_the_first_question_to_the_reveal(own_rooms):
    desk, code = teacher()
    question = asked(desk, code, own_rooms)
    phones = [phone(code.lower() if k else code) for k in range(3)]
    for at, guess in zip(phones, ("none", "one", "one"), strict=True):
        assert of_visit(at, Where).lesson == "attention" and selected(at)["only"] == "on"
        say(at, guess)
        assert f"Your answer is in: **{guess}**" in text(at)
    say(phones[2], "none")
    assert sorted(own_rooms.answers(code, question)) == ["none", "none", "one"]
    assert "**3** have answered" in text(ran(desk))
    assert not desk.get("progress") and not any("Right" in text(at) or "Computed" in text(at) for at in phones)
    press(desk, "show_values")
    assert [(bar.proto.text, bar.proto.value) for bar in desk.get("progress")][:2] == [
        ("none: **2** of 3", 66),
        ("one: **1** of 3", 33),
    ]
    press(desk, "reveal_values")
    assert "Computed: **none**" in text(desk) and "**2** of 3 right" in text(desk)
    assert desk.get("progress")[0].proto.text == ":green[:material/check_circle:] none: **2** of 3"
    assert [("Right:" in text(ran(at)), "You predicted one" in text(at)) for at in phones] == [
        (True, False), (False, True), (True, False),
    ]  # fmt: skip
    press(desk, "anew_values")
    assert own_rooms.stage(code, question) == OPEN and "**0** have answered" in text(desk)
    assert all("Computed" not in text(ran(at)) and "Your answer is in" not in text(at) for at in phones)


def test_two_tabs_of_one_phone_are_one_and_both_say_what_counts(own_rooms):
    """The tab that had answered first went on saying what did not count any more."""
    desk, code = teacher()
    one, other, third = (phone(code) for _ in range(3))
    # Nobody yet: what is said here comes a little late.
    assert "has answered" not in text(one) and "have answered" not in text(one)
    of_visit(other, InRoom).phone = of_visit(one, InRoom).phone
    for at, guess in ((one, "none"), (other, "one"), (third, "one")):
        say(at, guess)
    assert sorted(own_rooms.answers(code, asked(desk, code, own_rooms))) == ["one", "one"]
    assert "**2** have answered" in text(moved(one, "poll_bar")) and "Your answer is in: **one**" in text(one)


@pytest.mark.parametrize("slide", ["1", "2"])
def test_a_pasted_log_stays_on_the_teachers_screen_and_a_phone_says_so(own_rooms, slide):
    """It asked each phone to paste the log."""
    desk, code = teacher()
    of_visit(desk, Where).open_lesson = "serverlog"
    of_visit(desk, Kept).extras.update(log="pasted", slide=slide)
    ran(desk)
    said = " ".join(box.value for kind in ("info", "warning") for box in getattr(phone(code), kind))
    assert "teacher’s screen" in said and "Paste" not in said and "begin with" not in said


def test_a_vote_wins_over_a_link_that_shows_the_answers(own_rooms):
    desk, code = teacher(answers="shown")
    why = "Weights come from queries and keys"
    assert why not in shown(desk) and why not in shown(opened(room=code, answers="shown"))
    press(desk, "reveal_values")
    assert why in shown(desk) and why in shown(opened(room=code))
    assert desk.button(key="share").label == f"Room {code}"  # in every step, whether it asks anything or not
    press(desk, "room_end")  # which asks once more: a press in front of a class would delete all that it has answered
    assert desk.button(key="share").label == f"Room {code}"
    press(desk, "room_close")
    assert why in shown(desk) and desk.button(key="share").label == "Share"  # as the link says


def test_a_part_of_a_figure_that_a_phone_presses_is_its_answer_and_the_teachers_press_is_none(own_rooms):
    desk, code = teacher()
    of_visit(desk, Where).open_lesson = "cache"
    press(ran(desk), "ask_kept")
    at = phone(code)
    for page in (desk, at):
        told(page, "what_to_keep", "answer", 0)
    assert own_rooms.answers(code, asked(desk, code, own_rooms)) == ["only q"] and "Your answer is in: **only q**" in text(
        ran(at)
    )
    assert of_visit(desk, Predictions).guesses == {} and "**1** has answered" in text(ran(desk))


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


def test_a_phone_hears_a_random_name_of_the_question_and_no_hash_of_its_answer(own_rooms):
    desk, code = teacher()
    at, names = phone(code), set()
    for _ in "ab":
        room = own_rooms.room(code)
        assert room.asking not in shown(ran(at)) and room.asking_id in shown(at)
        names.add(room.asking_id)
        press(desk, "reveal_values")
        press(desk, "anew_values")
    assert len(names) == 2 and not any(name in room.asking for name in names)


@pytest.fixture
def counted(own_rooms):
    """A phone, and the room whose class is asked how many tiles of a 4 × 4 map have to be computed."""
    desk, code = teacher()
    of_visit(desk, Where).open_lesson, selected(desk)["slide"] = "tiles", "2"
    press(ran(desk), "ask_n_tiles")
    return phone(code), code, desk


def test_a_number_that_cannot_be_meant_is_refused_on_the_phone_with_what_is_expected(own_rooms, counted):
    at, code, desk = counted
    for said in (99_999_999_999.0, 17.0, -1.0, 1e300, -1e300):
        say(at, said, "n_tiles")
        (warning,) = (w.value for w in at.warning)
        assert "expected a number from 0 to 16" in warning and len(warning) < 120, said
        assert own_rooms.answers(code, own_rooms.room(code).asking) == [] and "Your answer is in" not in text(at), said
    say(at, 16.0, "n_tiles")
    assert not at.warning and "Your answer is in: **16**" in text(at)
    press(desk, "show_n_tiles")
    assert [bar.proto.text for bar in desk.get("progress")] == ["16: **1** of 1"]


def test_a_refused_number_leaves_the_answer_that_is_in(own_rooms, counted):
    at, code, _ = counted
    say(at, 10.0, "n_tiles")
    say(at, 1e10, "n_tiles")
    assert "Your answer is in: **10**" in text(at) and own_rooms.answers(code, own_rooms.room(code).asking) == [10]


@pytest.mark.parametrize("guess", [float("nan"), float("inf"), "7", None, True, [7], 1e300, -0.1])
def test_what_a_forged_message_says_is_refused_too(guess):
    question = Question("k", "How many?", 7.0, "", high=16)
    assert "expected a number from 0 to 16" in question.refusal(guess).lower() and not question.refusal(7)
    assert Question("k", "Which?", "a", "", options=("a", "b")).refusal(guess)


def test_the_room_goes_with_its_teacher_and_the_phones_follow(own_rooms):
    desk, code = teacher()
    at = phone(code)
    go_on(desk)
    assert selected(ran(at))["slide"] == "2" and joined(at) == code
    of_visit(desk, Where).open_lesson, selected(desk)["slide"] = "prefill", "1"
    ran(desk)
    assert of_visit(ran(at), Where).lesson == "prefill"
    ask = next(key for key in keys(desk) if key and key.startswith("ask_"))
    assert not asked(desk, code, own_rooms)
    press(desk, ask)
    assert asked(desk, code, own_rooms) and "Not asked yet" not in text(ran(at))


def test_the_rooms_code_stays_on_screen_whatever_runs_the_page(own_rooms):
    desk, _ = teacher()
    for _ in "ab":
        assert "tbt-room-code" in everything(ran(desk)) and "with the next vote" in text(desk)  # as RoomsFile.change deletes them
    press(desk, "room_end")
    press(desk, "room_close")
    assert "tbt-room-code" not in everything(ran(desk))


def rule(at):
    """What the first head looks at, in its box: the question on values asks of it, and is another one with another rule."""
    at.session_state["attention_more"] = True
    return ran(at).selectbox(key="one_rule_0")


def test_an_edited_scenario_is_another_question(own_rooms):
    desk, code = teacher()
    at = phone(code)
    first = asked(desk, code, own_rooms)
    say(at, "none")
    rule(desk).set_value("first")
    assert "ask_values" in keys(ran(desk))
    assert rule(at).value == "even" == rule(ran(at)).value  # the class stays with its question
    press(desk, "ask_values")
    assert asked(desk, code, own_rooms) != first and own_rooms.answers(code, first) == ["none"]
    assert rule(ran(at)).value == "first" and "Your answer is in" not in text(at)
    rule(at).set_value("self")  # on the phone
    assert "Not asked yet: wait for your teacher" in text(ran(at))
    assert rule(ran(at)).value == "self"  # what is moved on a phone stays, however often its page is drawn
    press(at, "class_values")
    assert rule(at).value == "first" and options_of(at, "values")


def test_back_to_the_class_leads_there_though_the_step_is_drawn_alone(own_rooms):
    """The button stands in a step that a press draws alone, which asks no room."""
    _, code = teacher()
    device = phone(code)
    rule(device).set_value("self")
    moved(device, "step_1")
    next(button for button in device.button if button.key == "class_values").click()
    moved(device, "step_1")
    assert str(of_visit(device, Kept).scenario.rules[0]) == "even"


def test_a_phone_cannot_step_on_to_what_is_asked(own_rooms):
    """The next place of a stepper shows what the question at this one asks for."""
    at, code = teacher()
    of_visit(at, Where).lesson = "decode"
    ran(at)
    assert "step_next" in keys(at)
    assert "step_next" not in keys(phone(code))


def test_a_reload_of_phone_and_desk_changes_nothing(own_rooms, browsers):
    desk, code = teacher()
    browsers.phone = "1" * 32
    say(phone(code), "one")
    again = phone(code)
    assert "Your answer is in: **one**" in text(again)
    say(again, "none")
    assert own_rooms.answers(code, asked(desk, code, own_rooms)) == ["none"]
    browsers.phone, browsers.room = None, ".".join(teaching(desk))
    desk = opened()
    assert "**1** has answered" in text(desk) and asked(desk, code, own_rooms)
    assert browsers.room.partition(".")[2] not in str(selected(desk))


def test_a_phone_cannot_become_another_nor_a_teacher(own_rooms, browsers):
    desk, code = teacher()
    at = phone(code)
    say(at, "one")
    browsers.phone, browsers.room = "2" * 32, f"{code}.{'0' * 32}"
    say(ran(at), "none")
    assert own_rooms.answers(code, asked(desk, code, own_rooms)) == ["none"]
    assert teaching(at) is None
    assert not {"show_values", "reveal_values"} & keys(at)


def test_what_a_browser_says_is_a_strangers_text(own_rooms, browsers):
    desk, code = teacher()
    for said in ("", "x", "1" * 31, "g" * 32, 7, None, ["1" * 32], {"a": 1}):
        browsers.phone, browsers.room = said or " ", said
        at = phone(code)
        assert "Joining the room" in text(at) and not options_of(at, "values"), said
        assert own_rooms.answers(code, asked(desk, code, own_rooms)) == [], said


CODES = ["AAAAAA", "x", "' OR 1=1", "<b>x</b>", "K7M2P0", "AAAAAA.", "ROOM", "é" * 6, "A" * 199, "AAAAAA\n"]


def typed(at, code):
    """Type a code on the first screen and press Join."""
    at.text_input(key="start_room").set_value(code)
    press(at, "FormSubmitter:join-Join")
    return at


@pytest.mark.parametrize("code", CODES)
def test_a_wrong_code_stays_in_its_field_with_what_is_wrong(own_rooms, code):
    for at in (phone(code), typed(opened(start="on"), code)):
        assert of_visit(at, Where).lesson == "start" and at.text_input(key="start_room").value.strip() == code.strip()
        assert ("There is no room AAAAAA" if code.strip() == "AAAAAA" else "6 letters and digits") in text(at)
        assert not selected(at).get("room") and "room_leave" not in keys(at)


def test_a_code_may_be_typed_as_people_write_it_and_behind_a_wrong_one(own_rooms):
    _, code = teacher()
    for write in ("{}", " {} ", "http://10.0.0.7:8501/?room={}", "https://x.org/a/?a=b&room={}&only=on"):
        at = typed(typed(opened(start="on"), "AAAAAA"), write.format(f"{code[:3]}-{code[3:].lower()}"))
        assert joined(at) == code and options_of(at, "values") and of_visit(at, Where).lesson == "attention", write


@pytest.mark.parametrize("said", ["", " ", None, 7, ["AAAAAA"]])
def test_nothing_typed_is_no_code(own_rooms, said):
    at = opened(start="on")
    at.session_state["start_room"] = said
    with patch.object(join_form.st, "session_state", at.session_state):
        join_form._typed()
    assert not selected(at).get("room")


def test_the_owners_link_gives_the_room_back_where_the_class_is(own_rooms):
    desk, code = teacher()
    say(phone(code), "one")
    go_on(desk)
    at = opened(owner=owners(desk), present="on")
    assert teaching(at) == teaching(desk) and selected(at)["slide"] == "2"
    assert "owner" not in selected(at) and owners(desk).partition(".")[2] not in str(selected(at))
    press(at, "slide_back")
    assert "**1** has answered" in text(at)
    press(at, "reveal_values")
    assert "Right" in text(ran(phone(code))) or "You predicted one" not in text(at)
    assert own_rooms.stage(code, own_rooms.room(code).asking or "") in (None, REVEALED)


def test_a_forged_owners_link_opens_nothing_and_says_so(own_rooms):
    desk, code = teacher()
    others = owners(teacher()[0]).partition(".")[2]
    for secret in ("", "0" * 32, "g" * 32, "0" * 31, "'; DROP TABLE rooms", "\x00", "%", others):
        at = opened(owner=f"{code}.{secret}")
        assert "opens no room" in text(at) and not teaching(at), secret
        assert not selected(at).get("owner") and not {"reveal_values", "anew_values"} & keys(at), secret
        assert own_rooms.is_teacher(*teaching(desk)), secret


@pytest.mark.parametrize("owner", ["x", "AAAAAA", ".", "A" * 61, "AAAAAA." + "0" * 400])
def test_an_owners_link_of_any_form_leaves_the_address(own_rooms, owner):
    at = opened(owner=owner)
    assert "opens no room" in text(at) and not selected(at).get("owner")


def test_another_tab_of_the_teachers_browser_may_take_the_room_back_and_does_not_by_itself(own_rooms, browsers):
    desk, code = teacher()
    go_on(desk)
    browsers.own = owners(desk)
    at = opened()
    assert not teaching(at) and own_rooms.room(code).query == '{"slide": "2"}'
    press(at, "back_values")
    assert teaching(at) == teaching(desk) and selected(at)["slide"] == "2"
    assert not any(key and key.startswith("back_") for key in keys(at))
    first = opened(start="on")
    press(first, "back_door")
    assert of_visit(first, Where).lesson == "attention" and selected(first)["slide"] == "2"
    own = phone(code)  # the teacher looks at what the class sees
    assert joined(own) == code and "slide_next" not in keys(own)
    press(own, "back_bar")
    assert joined(own) == "" and "slide_next" in keys(own) and "room" not in selected(own)


OWN_ROUTE = ",".join(f"{lesson}.{step}.5" for lesson in ("attention", "cache", "logits", "counting") for step in (1, 2, 3, 4))


@pytest.mark.parametrize("route", [{"route": "45"}, {"route": "own", "own_route": OWN_ROUTE * 3}], ids=["45", "own"])
@pytest.mark.parametrize("back", ["button", "link"])
def test_a_room_comes_back_on_its_route_and_presented_as_the_class_knows_it(own_rooms, browsers, back, route):
    desk, code = teacher(**route)
    go_on(desk)
    selected(desk)["present"] = "on"
    question = asked(desk, code, own_rooms)
    ran(desk)
    assert asked(desk, code, own_rooms) == question  # nothing of it moves a phone
    browsers.own = owners(desk)
    at = opened(owner=owners(desk)) if back == "link" else opened(start="on")
    if back == "button":
        press(at, "back_door")
    names = ("route", "own_route", "present", "slide")
    assert [selected(at).get(name) for name in names] == [selected(desk).get(name) for name in names]
    assert of_visit(at, Where).lesson == of_visit(desk, Where).lesson
    assert not {"own_route", "present"} & set(selected(phone(code)))


@pytest.mark.parametrize("route", ["story", "45"])
def test_phones_are_asked_what_their_teacher_asks_on_a_route(own_rooms, route):
    """The story asks something else than the lesson does: its teacher's phones were shown the lesson's question, never asked."""
    desk, code = teacher(route=route)
    n_asked = 0
    for stop in ROUTES[route]:
        of_visit(desk, Where).open_lesson = stop.lesson
        of_visit(desk, Kept).extras["slide"] = str(routes.number_of(stop.lesson, stop.at))
        ran(desk)
        if ask := [key for key in keys(desk) if key and key.startswith("ask_")]:
            press(desk, ask[0])
            key, at = ask[0].removeprefix("ask_"), phone(code)
            assert "Not asked yet" not in text(at), stop
            assert {one for one in keys(at) if one and key in one} or at.number_input, stop
            n_asked += 1
    assert n_asked > len(ROUTES[route]) / 2


def test_the_notes_window_opens_no_room_and_takes_none_back(own_rooms, browsers):
    desk, _ = teacher()
    browsers.own = owners(desk)
    notes = opened(notes="on")
    press(notes, "share")
    assert not {"vote_open", "back_share"} & keys(notes)


def test_what_a_browser_says_it_owns_is_a_strangers_text(own_rooms, browsers):
    desk, code = teacher()
    for own in (f"{code}.{'0' * 32}", f"AAAAAA.{teaching(desk)[1]}", code, 7, ["x"], {"a": "b"}, "." * 9):
        browsers.own = own
        for at in (opened(), opened(start="on"), phone(code)):
            assert not any(key and key.startswith("back_") for key in keys(at)), own
            assert not teaching(at) and not of_visit(at, Teacher).own_room, own


def test_a_room_that_has_ended_is_forgotten_by_the_browser(own_rooms, browsers):
    desk, _ = teacher()
    browsers.own = owners(desk)
    own_rooms.close(*teaching(desk))
    at = ran(opened())
    assert "back_values" not in keys(at) and of_visit(at, Teacher).gone == browsers.own
    assert teaching(desk) and teaching(ran(desk)) is None


def test_the_owners_link_is_sent_to_nobody_but_the_teacher_and_is_not_shown(own_rooms, monkeypatch):
    monkeypatch.setattr(in_a_room.class_link, "page_address", lambda: "https://course.example.org/attention")
    desk, code = teacher()
    secret = teaching(desk)[1]
    press(desk, "code_values")
    assert f"owner={code}.{secret}" in everything(desk) and secret not in text(desk)
    assert secret not in everything(phone(code)) and secret not in everything(opened())


def test_a_room_that_ends_lets_everybody_go_on(own_rooms, monkeypatch):
    desk, code = teacher()
    at = phone(code)
    now = own_rooms.clock()
    monkeypatch.setattr(own_rooms, "clock", lambda: now + LIFETIME_S)
    assert "room has ended" in text(ran(at)) and "room_leave" not in keys(at)
    say(at, "none")
    assert "Right:" in text(at)
    assert options_of(ran(desk), "values") and teaching(desk) is None
    assert "room has ended" in text(desk)  # its teacher's screen lost the vote without a word


def test_who_guesses_codes_is_stopped_with_a_sentence_and_stays_at_the_field(own_rooms):
    _, code = teacher()
    at = opened()
    for k in range(12):
        selected(at)["room"] = f"AAAAA{'ABCDEFGHJKLMN'[k]}"
        ran(at)
    selected(at)["room"] = code
    assert "Wait a minute" in text(ran(at)) and joined(at) == "" and of_visit(at, Where).lesson == "start"


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
    assert "cannot be used now" in text(at) and teaching(at) is None


def test_the_link_for_phones_is_short_and_keeps_a_path_of_the_host(monkeypatch):
    monkeypatch.setattr(session.st, "session_state", {})
    location.set_lesson("attention")
    for address, wanted in {
        "https://course.example.org/attention": "https://course.example.org/?room=ABCDEF",
        "http://192.168.1.7:8501/x/attention": "http://192.168.1.7:8501/x/?room=ABCDEF",
    }.items():
        monkeypatch.setattr(in_a_room.class_link, "page_address", lambda address=address: address)
        assert in_a_room.link("ABCDEF") == wanted


def test_a_question_is_told_from_the_same_about_another_scenario():
    a, b, c = (Question("k", "How many?", answer, "") for answer in (1.0, 1.0, 2.0))
    assert a.id == b.id != c.id and json.dumps(a.id) and len({REVEALED, OPEN}) == 2
