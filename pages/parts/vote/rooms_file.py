"""The SQLite file that keeps the rooms: its tables, its bounds, and changes that are made as a whole or not at all.

All processes of a server share it. It lies in the folder that TOKEN_BY_TOKEN_ROOMS names, or in `.rooms` beside the application,
which git ignores.
"""

from __future__ import annotations

import hashlib
import math
import os
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

LIFETIME_S = 4 * 3600  # of a room
MOST_BYTES = 64 * 2**20  # of the file
PATIENCE_S = 10  # to wait for another process's change
A_MINUTE = {  # how often in a minute: (one visitor or room, all together)
    "open": (3, 30),  # rooms opened
    "wrong": (10, 600),  # codes tried that are no room's
    "answer": (20, math.inf),  # answers of a visitor, changes of mind among them
    "answers": (900, math.inf),  # answers in a room
}
PLACE = "TOKEN_BY_TOKEN_ROOMS"  # names the folder
BESIDE = Path(__file__).resolve().parents[3] / ".rooms"
FILE = "rooms-1.sqlite"  # the number is that of these tables
TABLES = """
CREATE TABLE IF NOT EXISTS rooms (
    code TEXT PRIMARY KEY, secret TEXT, salt TEXT, opened REAL, used REAL, lesson TEXT, query TEXT, asking TEXT, version INTEGER
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS questions (
    room TEXT REFERENCES rooms ON DELETE CASCADE, question TEXT, stage INTEGER, PRIMARY KEY (room, question)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS answers (
    room TEXT, question TEXT, visitor TEXT, value, PRIMARY KEY (room, question, visitor),
    FOREIGN KEY (room, question) REFERENCES questions ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS attempts (
    what TEXT, who TEXT, minute INTEGER, n INTEGER, PRIMARY KEY (what, who)
) WITHOUT ROWID;
"""


class Refused(ValueError):
    """What was asked for is not done, for a reason that its sentence tells."""


class Unavailable(OSError):
    """The file cannot be used: no folder to write to, no space."""


class RoomsFile:
    """The file in a folder, opened when it is first used. Any number of threads and processes may. clock: seconds."""

    def __init__(self, folder: Path, clock: Callable[[], float]):
        self.folder, self.clock = Path(folder), clock
        self._lock, self._db = threading.RLock(), None

    @contextmanager
    def read(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread of this process at a time. Unavailable where the file fails."""
        with self._lock:
            try:
                self._db = self._db or self._connected()
                yield self._db
            except (sqlite3.Error, OSError) as problem:
                self.disconnect()
                raise Unavailable(f"The rooms of this server cannot be used now ({type(problem).__name__}).") from problem

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """The connection for one change, of one process after another. Rooms that have ended are deleted with it."""
        with self.read() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                db.execute("DELETE FROM rooms WHERE opened <= ?", (self.clock() - LIFETIME_S,))
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    def allow(self, what: str, who: str, count: bool = True) -> None:
        """Count one attempt of this minute; Refused beyond A_MINUTE. A refused one is not counted, so the table stays small."""
        minute = int(self.clock() // 60)
        with self.change() as db:
            db.execute("DELETE FROM attempts WHERE minute != ?", (minute,))
            bounded = [(whose, most) for whose, most in zip((who, ""), A_MINUTE[what], strict=True) if most < math.inf]
            for whose, most in bounded:
                seen = db.execute("SELECT n FROM attempts WHERE what = ? AND who = ?", (what, whose)).fetchone()
                if seen and seen[0] >= most:
                    raise Refused("Too many tries. Wait a minute, then try again.")
            for whose, _ in bounded if count else ():
                more = "INSERT INTO attempts VALUES (?, ?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1"
                db.execute(more, (what, whose, minute))

    def disconnect(self) -> None:
        """Let go of the file; whoever uses it next opens it again."""
        with self._lock:
            if self._db is not None:
                self._db.close()
            self._db = None

    def _connected(self) -> sqlite3.Connection:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        db = sqlite3.connect(self.folder / FILE, timeout=PATIENCE_S, isolation_level=None, check_same_thread=False)
        try:
            for setting in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
                db.execute(f"PRAGMA {setting}").fetchall()
            db.execute(f"PRAGMA max_page_count = {MOST_BYTES // db.execute('PRAGMA page_size').fetchone()[0]}").fetchall()
            db.executescript(TABLES)
        except BaseException:
            db.close()
            raise
        return db


def folder() -> Path:
    """Where the file lies on this server."""
    return Path(os.environ.get(PLACE) or BESIDE)


def digest(text: str) -> str:
    """What is kept instead of a secret."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]
