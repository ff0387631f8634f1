"""One connection to an SQLite file that other processes use too, and that may be locked, damaged or deleted at any time.

Who finds it locked waits for a while and not for ever, and lets the other visitors go on meanwhile. A file that cannot be read is
set aside beside its place and a new one begun; one that was deleted or replaced while it was in use is let go of, because whoever
goes on with it sees other rooms than a process that comes later.
"""

import logging
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from pages.parts.sharing import turns
from pages.parts.sharing.fair_lock import FairLock

ENDS = ("-wal", "-shm", "")  # what SQLite adds to the name of a file in use, and the file itself
WAIT_S = 10  # for another process that sets a file aside
DAMAGES = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Damaged(sqlite3.DatabaseError):
    """What stands in the file's place is none of ours."""


@dataclass(frozen=True)
class Kind:
    """What a file is to hold: the script that makes its tables, where there are none, and how large it may become."""

    tables: str
    most_bytes: int

    def opened(self, path: Path, wait_s: float) -> sqlite3.Connection:
        """A connection that waits so long for other processes. Damaged, or an error of SQLite's, where there can be none."""
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        _check_place(path)
        db = sqlite3.connect(path, timeout=wait_s, isolation_level=None, check_same_thread=False)
        try:
            _check(db, self.tables)
            for setting in ("journal_mode = WAL", "synchronous = NORMAL", "foreign_keys = ON", "secure_delete = ON"):
                db.execute(f"PRAGMA {setting}").fetchall()
            db.execute(f"PRAGMA max_page_count = {self.most_bytes // db.execute('PRAGMA page_size').fetchone()[0]}").fetchall()
            db.executescript(self.tables)
        except UnicodeDecodeError as problem:  # of a name in the file, in SQLite's own sentence about it
            db.close()
            raise Damaged("its names are no text") from problem
        except BaseException:
            db.close()
            raise
        return db


class Connection:
    """A connection for one thread at a time, opened when it is first used. wait_s: for the other threads, or for a process."""

    def __init__(self, path: Path, kind: Kind, wait_s: float):
        self.path, self.kind, self.wait_s = path, kind, wait_s
        self._lock, self._db, self._file = FairLock(), None, None

    @contextmanager
    def use(self) -> Iterator[sqlite3.Connection]:
        """The connection. An error of SQLite's or the system's ends it; the next use opens another one."""
        if not self._lock.acquire(0):
            with turns.out_of_turn():
                if not self._lock.acquire(self.wait_s):
                    raise TimeoutError(f"{self.path.name} was not free within {self.wait_s:g} s")
        try:
            yield self._current()
        except (sqlite3.Error, OSError) as problem:
            if not is_busy(problem):
                self._close()
            raise
        finally:
            self._lock.release()

    def begin(self, db: sqlite3.Connection) -> None:
        """Begin a change. Where another process is making one, it is waited for, and the other visitors go on."""
        try:
            db.execute("PRAGMA busy_timeout = 0")
            db.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as problem:
            if not is_busy(problem):
                raise
            with turns.out_of_turn():
                db.execute(f"PRAGMA busy_timeout = {1000 * self.wait_s:.0f}")
                db.execute("BEGIN IMMEDIATE")

    def close(self) -> None:
        """Let go of the file."""
        with self._lock:
            self._close()

    def _current(self) -> sqlite3.Connection:
        """The connection to the file that is there now."""
        if self._db is not None and self._file != _identity(self.path):
            logging.getLogger(__name__).warning("%s was deleted or replaced while it was in use; what it held is gone", self.path)
            self._close()
        if self._db is None:
            self._db = self._open()
            self._file = _identity(self.path)
        return self._db

    def _open(self) -> sqlite3.Connection:
        try:
            return self.kind.opened(self.path, self.wait_s)
        except sqlite3.DatabaseError as problem:
            if not is_damage(problem):
                raise
        set_aside(self.path, self.kind)
        return self.kind.opened(self.path, self.wait_s)

    def _close(self) -> None:
        db, self._db = self._db, None
        if db is not None:
            db.close()


def is_busy(problem: Exception) -> bool:
    """Whether another process has the file; all is well with it."""
    return getattr(problem, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def is_damage(problem: Exception) -> bool:
    """Whether the file will never be read again, and not only now."""
    code = getattr(problem, "sqlite_errorcode", 0)
    return isinstance(problem, Damaged) or code & 0xFF in DAMAGES or code == sqlite3.SQLITE_IOERR_SHORT_READ  # it was cut


def set_aside(path: Path, kind: Kind) -> None:
    """Give a damaged file another name, unless another process has done so meanwhile."""
    with _one_process_at_a_time(path.parent):
        try:
            return kind.opened(path, WAIT_S).close()
        except sqlite3.DatabaseError as problem:
            if not is_damage(problem):
                raise
            why = str(problem)
        aside = path.with_name(f"{path.name}.damaged-{time.time():.0f}")
        for end in ENDS:  # the file itself at last: whoever opens it before finds it damaged, and waits
            if os.path.lexists(_with_end(path, end)):
                _with_end(path, end).rename(_with_end(aside, end))
    told = "%s cannot be used (%s): it is set aside as %s, and a new one is begun"
    logging.getLogger(__name__).warning(told, path, why, aside.name)


def _check_place(path: Path) -> None:
    """Damaged where something else than a file stands in the place of one."""
    for end in ENDS:
        if _with_end(path, end).exists() and not _with_end(path, end).is_file():
            raise Damaged(f"{_with_end(path, end).name} is no file")


def _check(db: sqlite3.Connection, tables: str) -> None:
    """Damaged where not all can be read, or where a table has the name of one of ours and is another."""
    verdict = db.execute("PRAGMA integrity_check(1)").fetchone()[0]
    if verdict != "ok":
        raise Damaged(verdict)
    with closing(sqlite3.connect(":memory:")) as new:
        new.executescript(tables)
        ours = new.execute("SELECT name, sql FROM sqlite_master WHERE sql NOT NULL").fetchall()
    for name, sql in ours:
        if db.execute("SELECT 1 FROM sqlite_master WHERE name = ? AND sql IS NOT ?", (name, sql)).fetchone():
            raise Damaged(f"its table “{name}” is another one")


@contextmanager
def _one_process_at_a_time(folder: Path) -> Iterator[None]:
    """One process after another. An SQLite file is a lock that every system has, and that ends with its process."""
    with closing(sqlite3.connect(folder / "set-aside.lock", timeout=WAIT_S, isolation_level=None)) as lock:
        lock.execute("BEGIN EXCLUSIVE")
        yield


def _with_end(path: Path, end: str) -> Path:
    return path.with_name(path.name + end)


def _identity(path: Path) -> tuple[int, int] | None:
    """Tells a file from another one of the same name; None where there is none."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return None
    return stat.st_dev, stat.st_ino
