"""What a stranger, or a pupil with a script, cannot do: end a teacher's room, keep phones out of it, use up what others need."""

import pytest
from app_pages import ROOT

from pages.parts.vote import network
from pages.parts.vote import rooms as bounds
from pages.parts.vote.rooms import Rooms
from pages.parts.vote.rooms.pace import A_MINUTE
from pages.parts.vote.rooms.rooms_file import Refused

Q = "question"
SCHOOL, STRANGER = "192.0.2.1", "203.0.113.7"


class Clock:
    """A clock that a test sets."""

    now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rooms(tmp_path, clock):
    made = Rooms(tmp_path, clock)
    yield made
    made.file.disconnect()


def flood(rooms, n, address=STRANGER):
    """Rooms that a stranger opens, each from another tab and with a question; how many he was given."""
    given = 0
    for k in range(n):
        try:
            rooms.ask(*rooms.open(f"stranger {k}", address), Q, "attention", "{}")
        except Refused as problem:
            assert "in use" in str(problem)
        else:
            given += 1
    return given


def asked(rooms, address=SCHOOL):
    code, secret = rooms.open("teacher", address)
    rooms.ask(code, secret, Q, "attention", "{}")
    return code, secret


@pytest.mark.parametrize("address", [SCHOOL, STRANGER, ""])
def test_no_flood_of_rooms_ends_one_or_keeps_a_teacher_elsewhere_from_opening_one(rooms, clock, address):
    """Sixty rooms in two minutes ended that of the teacher who had just written its code on the board."""
    code, secret = rooms.open("teacher", SCHOOL)
    assert flood(rooms, 100, address) == bounds.MOST_ROOMS_OF_A_NETWORK - (address == SCHOOL)
    assert rooms.room(code) and rooms.is_teacher(code, secret)
    assert rooms.open("another teacher", "198.51.100.4")
    clock.now += bounds.IDLE_S - 1
    assert flood(rooms, 10, address) == 0 and rooms.room(code)


def test_a_room_is_in_use_as_long_as_its_teacher_does_something_or_somebody_answers(rooms, clock, monkeypatch):
    monkeypatch.setattr(bounds, "MOST_ROOMS", 3)
    (taught, secret), (answered, _), (idle, _) = (asked(rooms, f"192.0.2.{k}") for k in range(3))
    clock.now += bounds.IDLE_S - 10
    rooms.move(taught, secret, "decode", "{}")
    rooms.answer(answered, Q, "phone", "yes")
    with pytest.raises(Refused, match="this server"):
        rooms.open("one more", STRANGER)
    clock.now += 20
    assert rooms.open("one more", STRANGER)
    assert [bool(rooms.room(code)) for code in (taught, answered, idle)] == [True, True, False]


def test_one_visitor_opens_few_rooms_a_minute_and_what_was_refused_does_not_count(rooms, clock, monkeypatch):
    for _ in range(A_MINUTE["open"]):
        rooms.open("visit")
    with pytest.raises(Refused, match="Wait a minute"):
        rooms.open("visit")
    monkeypatch.setattr(bounds, "MOST_ROOMS", 0)
    for _ in range(9):
        with pytest.raises(Refused, match="in use"):
            rooms.open("another")
    monkeypatch.undo()
    assert rooms.open("another")


def test_wrong_codes_of_others_keep_nobody_out(rooms):
    """Six hundred wrong codes a minute in all, and a phone with the right one was refused."""
    code, _ = asked(rooms)
    for k in range(2000):
        rooms.find("AAAAAA", f"guesser {k // A_MINUTE['wrong']}")
    assert rooms.find(code, "phone").code == code


def test_refused_answers_count_for_nobody(rooms, clock):
    """One phone used up the nine hundred answers of its room's minute, most of them refused."""
    code, secret = asked(rooms)
    taken = 0
    for k in range(2000):
        try:
            rooms.answer(code, Q, "flooder", float(k), STRANGER)
            taken += 1
        except Refused:
            continue
    assert taken == A_MINUTE["answer"]
    for k in range(60):
        rooms.answer(code, Q, f"phone {k}", 1.0, SCHOOL)
    rooms.set_stage(code, secret, Q, bounds.REVEALED)
    for _ in range(2 * A_MINUTE["answer"]):
        with pytest.raises(Refused, match="too late"):
            rooms.answer(code, Q, "late", 1.0, SCHOOL)
    rooms.ask(code, secret, Q, "attention", "{}")
    rooms.answer(code, Q, "late", 1.0, SCHOOL)


def test_made_up_phones_of_one_network_leave_a_class_its_places_and_a_class_may_be_of_one_network(rooms, monkeypatch):
    """Three hundred made-up numbers filled a question."""
    monkeypatch.setattr(bounds, "MOST_ANSWERS", 300)
    monkeypatch.setattr(bounds, "MOST_ANSWERS_OF_A_NETWORK", 100)
    code, _ = asked(rooms)
    for k in range(100):
        rooms.answer(code, Q, f"made up {k}", "no", STRANGER)
    with pytest.raises(Refused, match="100 places that your network has"):  # and not that the room is full
        rooms.answer(code, Q, "one more", "no", STRANGER)
    rooms.answer(code, Q, "made up 7", "yes", STRANGER)  # who is in may change his mind
    for k in range(60):
        rooms.answer(code, Q, f"phone {k}", "yes", SCHOOL)
    assert rooms.answers(code, Q).count("yes") == 61


def test_sixty_phones_behind_one_address_with_a_pupil_who_floods(rooms):
    code, _ = asked(rooms)
    for k in range(400):
        rooms.answer(code, Q, f"made up {k}", "no", SCHOOL)
        rooms.find("BBBBBB", f"tab {k}")
    for k in range(60):
        assert rooms.find(code, f"visit {k}")
        rooms.answer(code, Q, f"phone {k}", "yes", SCHOOL)
    assert rooms.answers(code, Q).count("yes") == 60


def test_no_address_is_written(rooms, tmp_path):
    code, _ = asked(rooms)
    rooms.answer(code, Q, "phone", "yes", STRANGER)
    rooms.file.disconnect()
    kept = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert code.encode() in kept and SCHOOL.encode() not in kept and STRANGER.encode() not in kept


@pytest.mark.parametrize(
    ("peer", "forwarded", "proxies", "address"),
    [
        ("203.0.113.7", [], "", "203.0.113.7"), ("::ffff:203.0.113.7", [], "", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", [], "", "2001:db8:1:2::"), ("2001:db8:1:2:ffff::", [], "", "2001:db8:1:2::"),
        ("203.0.113.7", ["192.0.2.1"], "", "203.0.113.7"),  # a browser's own words
        ("203.0.113.7", ["192.0.2.1"], "10.0.0.0/8", "203.0.113.7"),
        ("10.0.0.5", ["192.0.2.1"], "10.0.0.0/8", "192.0.2.1"), ("::ffff:10.0.0.5", ["192.0.2.1"], "10.0.0.5", "192.0.2.1"),
        ("10.0.0.5", ["6.6.6.6, 192.0.2.1, 10.0.0.9"], "10.0.0.0/8", "192.0.2.1"),
        ("10.0.0.5", ["6.6.6.6", "192.0.2.1"], "nonsense, 10.0.0.5", "192.0.2.1"),
        ("10.0.0.5", [], "10.0.0.5", ""), ("10.0.0.5", ["10.0.0.5"], "10.0.0.5", ""), ("10.0.0.5", ["<b>"], "10.0.0.5", ""),
        ("a socket", [], "", ""), ("fe80::1%eth0", [], "", "fe80::"), ("::1", [], "::1", ""),
    ],
)  # fmt: skip
def test_an_address_is_that_of_a_household_or_a_school_and_told_by_a_proxy_that_is_named(peer, forwarded, proxies, address):
    assert network.network_of(peer, forwarded, proxies) == address


def test_a_proxy_that_is_no_address_is_said_in_the_log_and_not_believed(caplog):
    network._networks.cache_clear()
    assert network.network_of("10.0.0.5", ["192.0.2.1"], "10.0.0.500, ,proxy.example.org") == "10.0.0.5"
    assert [name in caplog.text for name in ("10.0.0.500", "proxy.example.org")] == [True, True]


def test_readme_says_how_much_is_taken():
    readme = " ".join((ROOT / "README.md").read_text("utf-8").split())
    assert f"{bounds.MOST_ROOMS} rooms, {bounds.MOST_ROOMS_OF_A_NETWORK} of them" in readme
    assert f"{bounds.MOST_QUESTIONS} questions in a room; {bounds.MOST_ANSWERS:,} answers" in readme
    assert f"{bounds.MOST_ANSWERS_OF_A_NETWORK:,} of them from one address" in readme
    told = "opens {open} rooms, tries {wrong} wrong codes and answers {answer} times in a minute"
    assert told.format(**A_MINUTE) in readme and bounds.IDLE_S == 1800 and "for half an hour is let go" in readme
    assert network.PROXIES in readme
