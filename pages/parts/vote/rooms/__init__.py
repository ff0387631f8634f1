"""The rooms in which classes answer a question, kept in one SQLite file that all processes of a server share.

A room has a code, which everybody may know, and a secret, which is its teacher's. An answer belongs to a room, a question and a
visitor: a second one takes the place of the first, so nothing counts twice. Everything is bounded, the file too; a room and all
that was said in it are deleted when it ends, LIFETIME_S after it was opened at the latest. A restart of the server loses nothing.
Where several machines serve, each has a file and a letter of its own, with which the codes of its rooms begin.

Nobody's bound is somebody else's to use up: how often is counted for each visitor (pace.py), and of the places for rooms and for
answers one network address has a part, as many as a school needs whose phones all have the same. Two bytes of a hash of the
address tell who has how much.
"""

import hmac
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import choice, token_hex

from pages.parts.vote.rooms.pace import Pace
from pages.parts.vote.rooms.rooms_file import LIFETIME_S, Refused, RoomsFile, digest

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another: no 0 and O, no 1 and I
CODE_LENGTH = 6  # 32^6, a thousand million codes; 32^5, 33 million, where each machine has a letter
MOST_ROOMS, MOST_ROOMS_OF_A_NETWORK = 600, 60  # rooms alive, and those that were opened from one network address
MOST_QUESTIONS = 60  # of a room
MOST_ANSWERS, MOST_ANSWERS_OF_A_NETWORK = 3000, 1000  # visitors who answer a question, and those of them at one network address
MOST_TEXT, MOST_NUMBER = 300, 1e30  # characters of an answer, and its greatest number
LEAST_NUMBER = 1e-30  # what is closer to 0 is 0
MOST_QUERY = 8000  # characters of the link to what the class sees
IDLE_S = 1800  # where no place is left, a room is let go in which nothing was done for so long
OPEN, SHOWN, REVEALED = 0, 1, 2  # a question's stages: answers come in, all see how many said what, all see the answer


@dataclass(frozen=True)
class Room:
    """A room as it stands."""

    code: str
    lesson: str  # that the class sees
    query: str  # of the link to what it sees there
    asking: str  # the question of the moment; "" for none
    stage: int | None  # of that question
    n_answers: int  # to it
    version: int  # changes with all that a phone has to follow
    asking_id: str  # drawn at random whenever a question is asked: its only name that leaves the server, as `asking` is made of the answer
    shown: str  # the query that says how the teacher's own screen shows the class, of which no phone hears


class Rooms:
    """The rooms in the file of a folder. Any number of threads and processes may use it. clock: seconds, for tests.

    letter: the first one of all its codes, "" where no other machine has rooms. ValueError for what no code can begin with.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time, letter: str = ""):
        if letter and (len(letter) > 1 or letter not in LETTERS):
            raise ValueError(f"the letter of this machine's rooms: expected one of {LETTERS}, got “{letter}”")
        self.clock, self.file, self.pace, self.letter = clock, RoomsFile(folder, clock), Pace(clock), letter

    def is_of_this_machine(self, code: str) -> bool:
        """Whether a room of that code can be in this file: another machine's begin with another letter."""
        return code.startswith(self.letter)

    def open(self, visit: str, address: str = "") -> tuple[str, str]:
        """A new room's code and its teacher's secret. address: of the teacher's network, "" where it is not known."""
        self.pace.check("open", visit)
        code = (self.letter + "".join(choice(LETTERS) for _ in range(CODE_LENGTH)))[:CODE_LENGTH]
        secret, now, network = token_hex(16), self.clock(), _network_name(address)
        with self.file.change() as db:
            _free_a_place(db, now, network)
            row = (code, digest(secret), token_hex(8), now, now, "", "", "", 0, network, "{}")
            if not db.execute("INSERT OR IGNORE INTO rooms VALUES (?,?,?,?,?,?,?,?,?,?,?)", row).rowcount:
                raise Refused("That code is taken. Try again.")  # once in 56,000 times at most: 600 rooms of 33 million codes
        self.pace.count("open", visit)
        return code, secret

    def find(self, code: str, visit: str) -> Room | None:
        """The room that a visitor asks for; None for a wrong code, of which he may try only so many."""
        self.pace.check("wrong", visit)
        room = self.room(code)
        if room is None:
            self.pace.count("wrong", visit)
        return room

    def room(self, code: str) -> Room | None:
        """The room of that code, None where it has ended."""
        if not is_code(code):
            return None
        with self.file.read() as db:
            row = db.execute(
                """SELECT code, lesson, query, asking,
                (SELECT stage FROM questions q WHERE q.room = r.code AND q.question = r.asking),
                (SELECT count(*) FROM answers a WHERE a.room = r.code AND a.question = r.asking), version,
                coalesce((SELECT id FROM questions q WHERE q.room = r.code AND q.question = r.asking), ''), shown
                FROM rooms r WHERE code = ? AND opened > ?""",
                (code, self.clock() - LIFETIME_S),
            ).fetchone()
        return Room(*row) if row else None

    def is_teacher(self, code: str, secret: str) -> bool:
        """Whether the room is there and the secret is its teacher's."""
        with self.file.read() as db:
            row = db.execute(
                "SELECT secret FROM rooms WHERE code = ? AND opened > ?", (code, self.clock() - LIFETIME_S)
            ).fetchone()
        return row is not None and hmac.compare_digest(row[0], digest(secret))

    def move(self, code: str, secret: str, lesson: str, query: str, asking: str = "") -> None:
        """The class goes to another lesson or step. asking: a question that was asked there before and is still open, "" for none."""
        with self._teachers(code, secret) as db:
            _go(db, code, lesson, query, asking)

    def show_as(self, code: str, secret: str, shown: str) -> None:
        """How the teacher's screen shows the class from now on; nothing that a phone has to follow."""
        with self._teachers(code, secret) as db:
            db.execute("UPDATE rooms SET shown = ? WHERE code = ?", (shown[:MOST_QUERY], code))

    def ask(self, code: str, secret: str, question_id: str, lesson: str, query: str) -> None:
        """Ask a question, from now on that of the moment; asked again, its answers are forgotten."""
        with self._teachers(code, secret) as db:
            db.execute("DELETE FROM questions WHERE room = ? AND question = ?", (code, question_id))
            if db.execute("SELECT count(*) FROM questions WHERE room = ?", (code,)).fetchone()[0] >= MOST_QUESTIONS:
                raise Refused(f"A room has at most {MOST_QUESTIONS} questions. Close it and open another one.")
            db.execute("INSERT INTO questions VALUES (?, ?, ?, ?)", (code, question_id[:64], OPEN, token_hex(8)))
            _go(db, code, lesson, query, asking=question_id[:64])

    def set_stage(self, code: str, secret: str, question_id: str, stage: int) -> None:
        """Show how many said what, or the answer."""
        with self._teachers(code, secret) as db:
            db.execute("UPDATE questions SET stage = ? WHERE room = ? AND question = ?", (stage, code, question_id))
            db.execute("UPDATE rooms SET version = version + 1 WHERE code = ?", (code,))

    def close(self, code: str, secret: str) -> None:
        """End the room and forget all that was said in it."""
        with self._teachers(code, secret) as db:
            db.execute("DELETE FROM rooms WHERE code = ?", (code,))

    def stage(self, code: str, question_id: str) -> int | None:
        """The stage of a question, None where the class has not been asked it."""
        with self.file.read() as db:
            row = db.execute("SELECT stage FROM questions WHERE room = ? AND question = ?", (code, question_id)).fetchone()
        return row[0] if row else None

    def answer(self, code: str, question_id: str, visitor: str, value: float | str, address: str = "") -> None:
        """A visitor's answer, in the place of an earlier one. Refused once the answer has been revealed."""
        if len(value) > MOST_TEXT if isinstance(value, str) else not abs(value) <= MOST_NUMBER:
            raise Refused("That is no answer.")
        if not isinstance(value, str) and abs(value) < LEAST_NUMBER:
            value = 0.0
        self.pace.check("answer", f"{code} {visitor}")
        with self.file.change() as db:
            salt = db.execute("SELECT salt FROM rooms WHERE code = ?", (code,)).fetchone()
            stage = db.execute("SELECT stage FROM questions WHERE room = ? AND question = ?", (code, question_id)).fetchone()
            if salt is None or stage is None:
                raise Refused("The class is not asked this question now.")
            if stage[0] == REVEALED:
                raise Refused("The answer has been shown; yours came too late.")
            who, network = digest(salt[0] + visitor), _network_name(salt[0] + address)
            _is_there_space(db, code, question_id, who, network)
            db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)", (code, question_id, who, value, network))
            db.execute("UPDATE rooms SET used = ? WHERE code = ?", (self.clock(), code))
        self.pace.count("answer", f"{code} {visitor}")

    def answer_of(self, code: str, question_id: str, visitor: str) -> float | str | None:
        """What the visitor has answered, None where he has not."""
        with self.file.read() as db:
            salt = db.execute("SELECT salt FROM rooms WHERE code = ?", (code,)).fetchone()
            who = digest(salt[0] + visitor) if salt else ""
            mine = "SELECT value FROM answers WHERE room = ? AND question = ? AND visitor = ?"
            row = db.execute(mine, (code, question_id, who)).fetchone()
        return row[0] if row else None

    def answers(self, code: str, question_id: str) -> list[float | str]:
        """What was answered, one each visitor, in no order that tells who."""
        with self.file.read() as db:
            rows = db.execute("SELECT value FROM answers WHERE room = ? AND question = ? ORDER BY value", (code, question_id))
            return [value for (value,) in rows]

    @contextmanager
    def _teachers(self, code: str, secret: str) -> Iterator[sqlite3.Connection]:
        """A change that the room's teacher alone may make."""
        with self.file.change() as db:
            if not self.is_teacher(code, secret):
                raise Refused("This room has ended.")
            db.execute("UPDATE rooms SET used = ? WHERE code = ?", (self.clock(), code))
            yield db


def is_code(text: str) -> bool:
    """Whether a text can be a room's code."""
    return re.fullmatch(f"[{LETTERS}]{{{CODE_LENGTH}}}", text) is not None


def _go(db: sqlite3.Connection, code: str, lesson: str, query: str, asking: str) -> None:
    if len(query) > MOST_QUERY or len(lesson) > MOST_TEXT:
        raise Refused(f"The link to this step has more than {MOST_QUERY:,} characters; phones cannot follow it.")
    db.execute(
        "UPDATE rooms SET lesson = ?, query = ?, asking = ?, version = version + 1 WHERE code = ?", (lesson, query, asking, code)
    )


def _free_a_place(db: sqlite3.Connection, now: float, network: str) -> None:
    """Let a room go where no further one has a place, of all or of those opened from one address; Refused where none is idle."""
    of_all, from_there = db.execute("SELECT count(*), total(place = ?) FROM rooms", (network,)).fetchone()
    if from_there >= MOST_ROOMS_OF_A_NETWORK:
        idle = db.execute("SELECT code FROM rooms WHERE used < ? AND place = ? ORDER BY used", (now - IDLE_S, network)).fetchone()
        most, whose = MOST_ROOMS_OF_A_NETWORK, "your network"
    elif of_all >= MOST_ROOMS:
        idle = db.execute("SELECT code FROM rooms WHERE used < ? ORDER BY used", (now - IDLE_S,)).fetchone()
        most, whose = MOST_ROOMS, "this server"
    else:
        return
    if idle is None:
        raise Refused(f"All {most} rooms of {whose} are in use. Close one that you need no more, or try again later.")
    db.execute("DELETE FROM rooms WHERE code = ?", idle)


def _is_there_space(db: sqlite3.Connection, code: str, question_id: str, who: str, network: str) -> None:
    """Refused where others have taken all places of a question, or all that one network address may have of them."""
    others = "SELECT count(*), total(place = ?) FROM answers WHERE room = ? AND question = ? AND visitor != ?"
    of_all, from_there = db.execute(others, (network, code, question_id, who)).fetchone()
    if of_all >= MOST_ANSWERS:
        raise Refused(f"The room is full: {of_all:,} have answered.")
    if from_there >= MOST_ANSWERS_OF_A_NETWORK:
        raise Refused(f"All {MOST_ANSWERS_OF_A_NETWORK:,} places that your network has in this room are taken.")


def _network_name(address: str) -> str:
    """Tells apart whose rooms and answers are many, and not who somebody is: 65,536 names for all addresses there are."""
    return digest(address)[:4]
