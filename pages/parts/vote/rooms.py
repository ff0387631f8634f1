"""The rooms in which classes answer a question, kept in one SQLite file that all processes of a server share.

A room has a code, which everybody may know, and a secret, which is its teacher's. An answer belongs to a room, a question and a
visitor: a second one takes the place of the first, so nothing counts twice. Everything is bounded, the file too; a room and all
that was said in it are deleted when it ends, LIFETIME_S after it was opened at the latest. A restart of the server loses nothing.
"""

from __future__ import annotations

import hmac
import re
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import choice, token_hex

from pages.parts.vote.rooms_file import LIFETIME_S, Refused, RoomsFile, digest

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"  # none that looks like another: no 0 and O, no 1 and I
CODE_LENGTH = 6  # 32^6, a thousand million codes
MOST_ROOMS, MOST_QUESTIONS, MOST_ANSWERS = 60, 60, 300  # rooms alive; questions a room; visitors who answer one of them
MOST_TEXT, MOST_NUMBER = 300, 1e30  # characters of an answer, and its greatest number
MOST_QUERY = 8000  # characters of the link to what the class sees
IDLE_S = 1800  # a full server lets a room go that has had no answer for so long, or none at all
OPEN, SHOWN, REVEALED = 0, 1, 2  # a question's stages: answers come in, all see how many said what, all see the answer


@dataclass(frozen=True)
class Room:
    """A room as it stands. lesson, query: what the class sees; asking: the question of the moment, "" for none; stage and
    n_answers are that question's. version changes with all that a phone has to follow."""

    code: str
    lesson: str
    query: str
    asking: str
    stage: int | None
    n_answers: int
    version: int


class Rooms:
    """The rooms in the file of a folder. Any number of threads and processes may use it. clock: seconds, for tests."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time):
        self.clock, self.file = clock, RoomsFile(folder, clock)

    def open(self, visit: str) -> tuple[str, str]:
        """A new room's code and its teacher's secret."""
        self.file.allow("open", visit)
        code, secret, now = "".join(choice(LETTERS) for _ in range(CODE_LENGTH)), token_hex(16), self.clock()
        with self.file.change() as db:
            if db.execute("SELECT count(*) FROM rooms").fetchone()[0] >= MOST_ROOMS and not _let_go(db, now):
                raise Refused(f"All {MOST_ROOMS} rooms of this server are in use. Try again later.")
            row = (code, digest(secret), token_hex(8), now, now, "", "", "", 0)
            if not db.execute("INSERT OR IGNORE INTO rooms VALUES (?,?,?,?,?,?,?,?,?)", row).rowcount:
                raise Refused("That code is taken. Try again.")  # once in a thousand million times
        return code, secret

    def find(self, code: str, visit: str) -> Room | None:
        """The room that a visitor asks for; None for a wrong code, of which only so many may be tried."""
        self.file.allow("wrong", visit, count=False)
        room = self.room(code)
        if room is None:
            self.file.allow("wrong", visit)
        return room

    def room(self, code: str) -> Room | None:
        """The room of that code, None where it has ended."""
        if not is_code(code):
            return None
        with self.file.read() as db:
            found = db.execute(
                """SELECT code, lesson, query, asking,
                (SELECT stage FROM questions q WHERE q.room = r.code AND q.question = r.asking),
                (SELECT count(*) FROM answers a WHERE a.room = r.code AND a.question = r.asking), version
                FROM rooms r WHERE code = ? AND opened > ?""",
                (code, self.clock() - LIFETIME_S),
            ).fetchone()
        return Room(*found) if found else None

    def is_teacher(self, code: str, secret: str) -> bool:
        """Whether the room is there and the secret is its teacher's."""
        with self.file.read() as db:
            row = db.execute(
                "SELECT secret FROM rooms WHERE code = ? AND opened > ?", (code, self.clock() - LIFETIME_S)
            ).fetchone()
        return row is not None and hmac.compare_digest(row[0], digest(secret))

    def move(self, code: str, secret: str, lesson: str, query: str) -> None:
        """The class goes to another lesson or step; no question of the moment there yet."""
        with self._teachers(code, secret) as db:
            _go(db, code, lesson, query, asking="")

    def ask(self, code: str, secret: str, question: str, lesson: str, query: str) -> None:
        """Ask a question, from now on that of the moment; asked again, its answers are forgotten."""
        with self._teachers(code, secret) as db:
            db.execute("DELETE FROM questions WHERE room = ? AND question = ?", (code, question))
            if db.execute("SELECT count(*) FROM questions WHERE room = ?", (code,)).fetchone()[0] >= MOST_QUESTIONS:
                raise Refused(f"A room has at most {MOST_QUESTIONS} questions. Close it and open another one.")
            db.execute("INSERT INTO questions VALUES (?, ?, ?)", (code, question[:64], OPEN))
            _go(db, code, lesson, query, asking=question[:64])

    def set_stage(self, code: str, secret: str, question: str, stage: int) -> None:
        """Show how many said what, or the answer."""
        with self._teachers(code, secret) as db:
            db.execute("UPDATE questions SET stage = ? WHERE room = ? AND question = ?", (stage, code, question))
            db.execute("UPDATE rooms SET version = version + 1 WHERE code = ?", (code,))

    def close(self, code: str, secret: str) -> None:
        """End the room and forget all that was said in it."""
        with self._teachers(code, secret) as db:
            db.execute("DELETE FROM rooms WHERE code = ?", (code,))

    def stage(self, code: str, question: str) -> int | None:
        """The stage of a question, None where the class has not been asked it."""
        with self.file.read() as db:
            row = db.execute("SELECT stage FROM questions WHERE room = ? AND question = ?", (code, question)).fetchone()
        return row[0] if row else None

    def answer(self, code: str, question: str, visitor: str, value: float | str) -> None:
        """A visitor's answer, in the place of an earlier one. Refused once the answer has been revealed."""
        if len(value) > MOST_TEXT if isinstance(value, str) else not abs(value) <= MOST_NUMBER:
            raise Refused("That is no answer.")
        self.file.allow("answers", code)
        with self.file.change() as db:
            salt = db.execute("SELECT salt FROM rooms WHERE code = ?", (code,)).fetchone()
            stage = db.execute("SELECT stage FROM questions WHERE room = ? AND question = ?", (code, question)).fetchone()
            if salt is None or stage is None:
                raise Refused("The class is not asked this question now.")
        who = digest(salt[0] + visitor)
        self.file.allow("answer", who)
        with self.file.change() as db:
            row = db.execute("SELECT stage FROM questions WHERE room = ? AND question = ?", (code, question)).fetchone()
            if row is None or row[0] == REVEALED:
                raise Refused("The answer has been shown; yours came too late.")
            others = "SELECT count(*) FROM answers WHERE room = ? AND question = ? AND visitor != ?"
            if db.execute(others, (code, question, who)).fetchone()[0] >= MOST_ANSWERS:
                raise Refused(f"The room is full: {MOST_ANSWERS} have answered.")
            db.execute("INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?)", (code, question, who, value))
            db.execute("UPDATE rooms SET used = ? WHERE code = ?", (self.clock(), code))

    def answer_of(self, code: str, question: str, visitor: str) -> float | str | None:
        """What the visitor has answered, None where he has not."""
        with self.file.read() as db:
            salt = db.execute("SELECT salt FROM rooms WHERE code = ?", (code,)).fetchone()
            who = digest(salt[0] + visitor) if salt else ""
            mine = "SELECT value FROM answers WHERE room = ? AND question = ? AND visitor = ?"
            row = db.execute(mine, (code, question, who)).fetchone()
        return row[0] if row else None

    def answers(self, code: str, question: str) -> list[float | str]:
        """What was answered, one each visitor, in no order that tells who."""
        with self.file.read() as db:
            found = db.execute("SELECT value FROM answers WHERE room = ? AND question = ? ORDER BY value", (code, question))
            return [value for (value,) in found]

    @contextmanager
    def _teachers(self, code: str, secret: str) -> Iterator[sqlite3.Connection]:
        """A change that the room's teacher alone may make."""
        with self.file.change() as db:
            if not self.is_teacher(code, secret):
                raise Refused("This room has ended.")
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


def _let_go(db: sqlite3.Connection, now: float) -> bool:
    """Let one room go: the oldest without an answer, else the one whose last answer is longest ago, more than IDLE_S."""
    silent = "SELECT code FROM rooms r WHERE NOT EXISTS (SELECT 1 FROM answers WHERE room = r.code) ORDER BY opened LIMIT 1"
    idle = "SELECT code FROM rooms WHERE used < ? ORDER BY used LIMIT 1"
    row = db.execute(silent).fetchone() or db.execute(idle, (now - IDLE_S,)).fetchone()
    return row is not None and db.execute("DELETE FROM rooms WHERE code = ?", row).rowcount == 1
