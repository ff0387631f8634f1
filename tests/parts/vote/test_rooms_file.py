"""The rooms' file when others lock it, damage it or delete it: who only looks never waits, and a class can always begin anew."""

import shutil
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from secrets import token_hex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pages.parts.sharing import turns
from pages.parts.vote.rooms import Rooms, rooms_file
from pages.parts.vote.rooms.rooms_file import FILE, Unavailable

Q = "question"


@pytest.fixture
def process(tmp_path):
    """Rooms in one folder as a process of the server has them, as many processes as are asked for."""
    made = []
    yield lambda: made.append(Rooms(tmp_path)) or made[-1]
    for rooms in made:
        rooms.file.disconnect()


def voted(rooms):
    """A room in which one phone has answered: its code."""
    code, secret = rooms.open(token_hex(4))
    rooms.ask(code, secret, Q, "attention", "{}")
    rooms.answer(code, Q, "a", "yes")
    assert rooms.answers(code, Q) == ["yes"]
    return code


def test_who_looks_does_not_wait_for_who_changes_and_no_page_does(process, tmp_path):
    """A process that held the file made every reader wait for ten seconds: the connection was that of the change that waited."""
    rooms = process()
    code, begun = voted(rooms), threading.Event()

    def answer():
        with turns.in_turn():
            begun.set()
            rooms.answer(code, Q, "b", "no")

    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other, ThreadPoolExecutor(1) as phone:
        other.execute("BEGIN IMMEDIATE")
        said = phone.submit(answer)
        assert begun.wait(60) and turns._turn.acquire(60)  # who waits for the file has left the turn to others
        turns._turn.release()
        assert rooms.answers(code, Q) == ["yes"] and rooms.room(code).n_answers == 1 and not said.done()
        other.execute("ROLLBACK")
        said.result(60)
    assert rooms.answers(code, Q) == ["no", "yes"]


def test_who_waits_in_vain_hears_it_and_nothing_is_half_done(process, tmp_path, monkeypatch):
    monkeypatch.setattr(rooms_file, "CHANGE_WAIT_S", 0.01)
    rooms = process()
    code = voted(rooms)
    with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Unavailable, match="cannot be used now"):
            rooms.answer(code, Q, "b", "no")
    rooms.answer(code, Q, "b", "maybe")
    assert rooms.answers(code, Q) == ["maybe", "yes"]


def no_database(file):
    file.write_bytes(b"no database " * 1000)


def cut_in_half(file):
    file.write_bytes(file.read_bytes()[: file.stat().st_size // 2])


def a_folder(file):
    file.unlink()
    (file / "x").mkdir(parents=True)


def a_folder_beside_it(file):
    file.with_name(f"{file.name}-wal").mkdir()


def a_foreign_table(file):
    file.unlink()
    with closing(sqlite3.connect(file)) as db:
        db.execute("CREATE TABLE rooms (number INTEGER, beds INTEGER)")


@pytest.mark.parametrize("damage", [no_database, cut_in_half, a_folder, a_folder_beside_it, a_foreign_table])
def test_what_is_no_file_of_rooms_is_set_aside_with_a_sentence_and_a_new_one_begun(process, tmp_path, caplog, damage):
    first = process()
    code = voted(first)
    first.file.disconnect()
    damage(tmp_path / FILE)
    first, second = process(), process()
    assert first.room(code) is None and second.room(code) is None
    assert second.answers(voted(first), Q) == ["yes"] == first.answers(voted(second), Q)
    aside = {file.name.removesuffix("-wal") for file in tmp_path.glob(f"{FILE}.damaged-*")}
    assert len(aside) == 1 == sum("is set aside" in record.message and aside.pop() in record.message for record in caplog.records)


def wal_cut(file):
    with open(f"{file}-wal", "r+b") as wal:
        wal.truncate(100)


def spoilt(file):
    with open(file, "r+b") as there:
        there.write(b"no database " * 1000)


@pytest.mark.parametrize("damage", [wal_cut, spoilt])
def test_a_file_that_is_damaged_in_use_is_set_aside_once_for_all_processes(process, tmp_path, damage):
    first, second = process(), process()
    assert second.answers(voted(first), Q) == ["yes"]
    damage(tmp_path / FILE)
    for rooms in (first, second) * 4:  # who is in the middle of something hears that it was not done
        with suppress(Unavailable):
            voted(rooms)
    assert second.answers(voted(first), Q) == ["yes"] == first.answers(voted(second), Q)
    assert len(list(tmp_path.glob(f"{FILE}.damaged-*[0-9]"))) <= 1


@given(cuts=st.lists(st.tuples(st.floats(0, 1), st.binary(min_size=1, max_size=200)), max_size=8), length=st.floats(0, 1))
def test_after_any_damage_a_class_can_vote(tmp_path_factory, cuts, length):
    folder = tmp_path_factory.mktemp("rooms")
    rooms = Rooms(folder)
    voted(rooms)
    rooms.file.disconnect()
    body = bytearray((folder / FILE).read_bytes())
    for at, put in cuts:
        start = int(at * len(body))
        body[start : start + len(put)] = put
    (folder / FILE).write_bytes(body[: int(length * len(body)) + 1])
    voted(rooms)
    rooms.file.disconnect()


@pytest.mark.parametrize("gone", [lambda folder: (folder / FILE).unlink(), shutil.rmtree])
def test_a_file_that_was_deleted_is_noticed(process, tmp_path, caplog, gone):
    """The process went on with the file that had no name any more, and another one saw other rooms."""
    first, second = process(), process()
    code = voted(first)
    assert second.room(code)
    gone(tmp_path)
    assert first.room(code) is None and second.room(code) is None
    assert first.answers(voted(second), Q) == ["yes"] == second.answers(voted(first), Q)
    assert any("deleted or replaced" in record.message for record in caplog.records)
