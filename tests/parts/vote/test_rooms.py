"""The rooms of class votes: every visitor counts once, the last answer counts, bounds hold, and nothing is lost or left behind."""

import multiprocessing
import sqlite3
import sys
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.vote import rooms as bounds
from pages.parts.vote.distribution import MOST_BARS, holds, of_numbers, of_options
from pages.parts.vote.rooms import LETTERS, OPEN, REVEALED, SHOWN, Rooms, is_code
from pages.parts.vote.rooms.pace import A_MINUTE
from pages.parts.vote.rooms.rooms_file import FILE, LIFETIME_S, Refused, Unavailable

Q = "question"


class Clock:
    """A clock that a test sets."""

    def __init__(self):
        self.now = 1_000_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def rooms(tmp_path, clock):
    made = Rooms(tmp_path / "rooms", clock)
    yield made
    made.file.disconnect()


def opened(rooms, question=Q):
    """A room that asks one question: its code and its teacher's secret."""
    code, secret = rooms.open("teacher")
    rooms.ask(code, secret, question, "attention", "{}")
    return code, secret


ANSWERS = st.sampled_from(["yes", "no"]) | st.integers(-900, 900).map(lambda k: k / 100)


@given(said=st.lists(st.tuples(st.integers(0, 9), ANSWERS), max_size=40))
def test_as_many_answers_as_visitors_and_of_each_the_last(tmp_path_factory, said):
    clock = Clock()
    rooms = Rooms(tmp_path_factory.mktemp("rooms"), clock)
    code, _ = opened(rooms)
    for who, value in said:
        clock.now += 4  # fifteen a minute
        rooms.answer(code, Q, f"visitor {who}", value)
    last = dict(said)
    assert rooms.room(code).n_answers == len(last)
    assert Counter(map(str, rooms.answers(code, Q))) == Counter(map(str, last.values()))
    assert all(rooms.answer_of(code, Q, f"visitor {who}") == value for who, value in last.items())
    rooms.file.disconnect()


def test_codes_have_no_letters_that_look_alike(rooms, clock):
    assert not set("01OI") & set(LETTERS) and len(set(LETTERS)) == 32
    assert all(is_code(rooms.open(f"teacher {i}")[0]) for i in range(20))


def test_only_the_teacher_moves_asks_shows_and_closes(rooms):
    code, _ = opened(rooms)
    other, others = rooms.open("another teacher")
    for wrong in ("", "0" * 32, others):
        for act in (
            lambda s: rooms.ask(code, s, "other", "decode", "{}"), lambda s: rooms.move(code, s, "decode", "{}"),
            lambda s: rooms.set_stage(code, s, Q, REVEALED), lambda s: rooms.close(code, s),
        ):  # fmt: skip
            with pytest.raises(Refused):
                act(wrong)
    assert rooms.room(code).lesson == "attention" and rooms.stage(code, Q) == OPEN and rooms.room(other)


def test_answers_change_until_the_reveal_and_not_after_it(rooms):
    code, secret = opened(rooms)
    rooms.answer(code, Q, "a", "yes")
    rooms.set_stage(code, secret, Q, SHOWN)
    rooms.answer(code, Q, "a", "no")
    rooms.set_stage(code, secret, Q, REVEALED)
    for who in "ab":
        with pytest.raises(Refused, match="too late"):
            rooms.answer(code, Q, who, "yes")
    assert rooms.answers(code, Q) == ["no"]
    rooms.ask(code, secret, Q, "attention", "{}")
    assert rooms.answers(code, Q) == [] and rooms.stage(code, Q) == OPEN


def test_what_was_not_asked_takes_no_answers_and_going_on_keeps_those_that_are_in(rooms):
    code, secret = opened(rooms)
    rooms.answer(code, Q, "a", 3.0)
    with pytest.raises(Refused):
        rooms.answer(code, "not asked", "a", 3.0)
    before = rooms.room(code).version
    rooms.move(code, secret, "decode", '{"slide": "2"}')
    room = rooms.room(code)
    assert (room.lesson, room.asking, room.n_answers) == ("decode", "", 0) and room.version > before
    assert rooms.answers(code, Q) == [3.0]


@pytest.mark.parametrize("value", ["x" * (bounds.MOST_TEXT + 1), float("nan"), float("inf"), -1e31])
def test_impossible_answers_are_refused(rooms, value):
    code, _ = opened(rooms)
    with pytest.raises(Refused):
        rooms.answer(code, Q, "a", value)


def test_a_room_ends_with_all_that_was_said_in_it(rooms, clock, tmp_path):
    code, secret = opened(rooms)
    rooms.answer(code, Q, "a", "yes")
    clock.now += LIFETIME_S - 1
    assert rooms.room(code) and rooms.is_teacher(code, secret)
    clock.now += 1
    assert rooms.room(code) is None and not rooms.is_teacher(code, secret)
    rooms.open("another")
    with sqlite3.connect(tmp_path / "rooms" / FILE) as file:
        left = [file.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in ("rooms", "questions", "answers")]
    file.close()
    assert left == [1, 0, 0]


def test_a_closed_room_leaves_nothing(rooms, tmp_path):
    code, secret = opened(rooms)
    rooms.answer(code, Q, "a", "a very particular answer")
    rooms.close(code, secret)
    assert rooms.room(code) is None
    rooms.file.disconnect()
    assert b"very particular" not in (tmp_path / "rooms" / FILE).read_bytes()


def test_neither_secrets_nor_what_a_browser_says_of_itself_is_in_the_file(rooms, tmp_path):
    code, secret = opened(rooms)
    rooms.answer(code, Q, "f" * 32, "yes")
    rooms.file.disconnect()
    kept = (tmp_path / "rooms" / FILE).read_bytes()
    assert secret.encode() not in kept and b"f" * 32 not in kept and code.encode() in kept


def test_a_restart_loses_nothing(rooms, tmp_path, clock):
    code, secret = opened(rooms)
    rooms.answer(code, Q, "a", "yes")
    later = Rooms(tmp_path / "rooms", clock)  # while the first still has the file, as a killed process does
    assert later.is_teacher(code, secret) and later.answers(code, Q) == ["yes"] and later.room(code).asking == Q
    later.answer(code, Q, "a", "no")
    assert rooms.answers(code, Q) == ["no"]
    later.file.disconnect()


def test_guessed_codes_are_few_a_visitor(rooms, clock):
    code, _ = opened(rooms)
    for _ in range(A_MINUTE["wrong"]):
        assert rooms.find("AAAAAA", "guesser") is None
    with pytest.raises(Refused, match="Wait a minute"):
        rooms.find(code, "guesser")  # not even the right one
    assert rooms.find(code, "student").code == code
    clock.now += 60
    assert rooms.find(code, "guesser").code == code


@pytest.mark.parametrize("text", ["", "AAAAA", "AAAAAAA", "aaaaaa", "AAAAA'", "AAAAA0", "' OR 1=1 --", "ÄÄÄÄÄÄ", "AAAAAA\n"])
def test_what_is_no_code_is_no_room(rooms, text):
    assert rooms.room(text) is None


def test_questions_answers_and_a_visitors_pace_are_bounded(rooms, clock, monkeypatch):
    monkeypatch.setattr(bounds, "MOST_ANSWERS", 5)
    code, secret = opened(rooms)
    for k in range(5):
        rooms.answer(code, Q, f"visitor {k}", "yes")
    with pytest.raises(Refused, match="full"):
        rooms.answer(code, Q, "one more", "yes")
    rooms.answer(code, Q, "visitor 0", "no")  # who is in may change his mind
    clock.now += 60
    with pytest.raises(Refused, match="tries"):
        for _ in range(A_MINUTE["answer"] + 1):
            rooms.answer(code, Q, "visitor 1", "yes")
    rooms.answer(code, Q, "visitor 2", "no")  # the others are not kept from it
    for k in range(bounds.MOST_QUESTIONS - 1):
        rooms.ask(code, secret, f"q{k}", "attention", "{}")
    with pytest.raises(Refused, match="questions"):
        rooms.ask(code, secret, "one more", "attention", "{}")
    with pytest.raises(Refused, match="characters"):
        rooms.move(code, secret, "attention", "x" * (bounds.MOST_QUERY + 1))
    assert rooms.room(code).query == "{}"


def test_where_no_file_can_be_all_is_unavailable_and_says_so(tmp_path):
    (tmp_path / "file").write_text("")
    rooms = Rooms(tmp_path / "file")
    with pytest.raises(Unavailable, match="cannot be used"):
        rooms.open("teacher")


def test_threads_lose_nothing(rooms):
    code, _ = opened(rooms)
    with ThreadPoolExecutor(16) as pool:
        list(pool.map(lambda k: rooms.answer(code, Q, f"visitor {k % 40}", float(k)), range(120)))
    assert rooms.room(code).n_answers == 40


def _class_of(folder, code, first, n):
    """What one server process does: n visitors answer, each twice."""
    rooms = Rooms(folder)
    for value in ("no", "yes"):
        for k in range(first, first + n):
            rooms.answer(code, Q, f"visitor {k}", value)
    rooms.file.disconnect()


def test_processes_share_the_file_and_lose_nothing(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))  # AppTest leaves a script there, which they would run
    rooms = Rooms(tmp_path)
    code, _ = opened(rooms)
    context = multiprocessing.get_context("spawn")
    classes = [context.Process(target=_class_of, args=(tmp_path, code, first, 40)) for first in (0, 20, 60)]
    for one in classes:
        one.start()
    for one in classes:
        one.join(60)
    assert [one.exitcode for one in classes] == [0, 0, 0]
    assert rooms.answers(code, Q) == ["yes"] * 100  # visitors 0 to 99: the second class shares twenty with each of its neighbours
    rooms.file.disconnect()


@given(st.lists(st.floats(-1e30, 1e30) | st.integers(-20, 20).map(float), min_size=1, max_size=80))
def test_every_number_is_in_one_bar_and_no_bar_says_more_than_was_answered(said):
    bars = of_numbers(said)
    assert sum(bar.n for bar in bars) == len(said) and len(bars) <= MOST_BARS
    for bar in bars:
        assert bar.n == sum(holds(bar, value, 0) for value in said)


def test_what_is_written_the_same_is_one_bar_and_one_is_not_many():
    assert [(bar.label, bar.n) for bar in of_numbers([1.0, 12345.6, 12345.60001, 12345.59999], "tokens")] == [
        ("1 token", 1), ("12,345.6 tokens", 3),
    ]  # fmt: skip
    assert all("," in bar.label for bar in of_numbers([10_000.0 * k for k in range(1, 40)])[1:])


@given(st.lists(st.sampled_from(["a", "b", "c"])))
def test_every_option_has_a_bar(said):
    assert [(bar.label, bar.n) for bar in of_options(("c", "a", "b"), said)] == [(o, said.count(o)) for o in ("c", "a", "b")]
