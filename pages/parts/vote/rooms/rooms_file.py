"""The SQLite file that keeps the rooms: its tables, its bounds, and changes that are made as a whole or not at all.

All processes of a machine share it. It lies in the folder that TOKEN_BY_TOKEN_ROOMS names, or in `.rooms` beside the application,
which git ignores.
"""

import hashlib
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pages.parts.vote.rooms.sqlite_file import Connection, Kind

LIFETIME_S = 4 * 3600  # of a room
MOST_BYTES = 64 * 2**20  # of the file
CHANGE_WAIT_S, READ_WAIT_S = 10, 2  # for another thread or process
FOLDER_VARIABLE = "TOKEN_BY_TOKEN_ROOMS"  # names the folder
LETTER_VARIABLE = "TOKEN_BY_TOKEN_MACHINE"  # is the letter of this one, where several serve
BESIDE = Path(__file__).resolve().parents[3] / ".rooms"
FILE = "rooms-4.sqlite"  # the number is that of these tables
TABLES = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, secret TEXT, salt TEXT, opened REAL, used REAL, lesson TEXT, query TEXT, asking TEXT, version INTEGER,
    place TEXT, shown TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS questions (
    room TEXT REFERENCES rooms ON DELETE CASCADE, question TEXT, stage INTEGER, id TEXT, PRIMARY KEY (room, question)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    room TEXT, question TEXT, visitor TEXT, value, place TEXT, PRIMARY KEY (room, question, visitor),
    FOREIGN KEY (room, question) REFERENCES questions ON DELETE CASCADE
) WITHOUT ROWID;
"""


class Refused(ValueError):
    """What was asked for is not done, for a reason that its sentence tells."""


class Unavailable(OSError):
    """The file cannot be used: no folder to write to, no space."""


class RoomsFile:
    """The file in a folder. Any number of threads and processes may use it. clock: seconds.

    Who reads has a connection of his own, and SQLite lets him read what stood there before a change: a change that waits for
    another process keeps no page waiting that only looks.
    """

    def __init__(self, folder: Path, clock: Callable[[], float]):
        self.clock, kind = clock, Kind(TABLES, MOST_BYTES)
        self._reads, self._changes = (Connection(Path(folder) / FILE, kind, wait_s) for wait_s in (READ_WAIT_S, CHANGE_WAIT_S))

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """The connection that reads, for one thread of this process at a time. Unavailable where the file fails."""
        with _unavailable(), self._reads.use() as db:
            yield db

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """The connection for one change, of one process after another. Rooms that have ended are deleted with it."""
        with _unavailable(), self._changes.use() as db:
            self._changes.begin(db)
            try:
                db.execute("DELETE FROM rooms WHERE opened <= ?", (self.clock() - LIFETIME_S,))
                yield db
                db.execute("COMMIT")
            except BaseException:
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise

    def disconnect(self) -> None:
        """Let go of the file; whoever uses it next opens it again."""
        self._reads.close()
        self._changes.close()


@contextmanager
def _unavailable() -> Iterator[None]:
    """What SQLite or the system says of the file, as one sentence for visitors."""
    try:
        yield
    except Unavailable:
        raise
    except (sqlite3.Error, OSError) as problem:
        raise Unavailable(f"The rooms of this server cannot be used now ({type(problem).__name__}).") from problem


def folder() -> Path:
    """Where the file lies on this server."""
    return Path(os.environ.get(FOLDER_VARIABLE) or BESIDE)


def machine_letter() -> str:
    """The letter with which the codes of this machine's rooms begin, "" where it is the only one."""
    return os.environ.get(LETTER_VARIABLE, "").strip().upper()


def digest(text: str) -> str:
    """What is kept instead of a secret."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]
