"""Answers that a link locks: nothing computed for a question is sent until the teacher's key, or a link made with it, opens it.

The link carries lock = salt.digest, from which the key cannot be read; what opens it is an HMAC of the key, whose digest is the
one in the lock. No accounts: who has the key is the teacher. A link without the lock is another link: whoever takes it out of the
address asks the application as anybody may.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass

from pages.parts.visit.parameters import Text
from pages.parts.visit.session import of_this_visit

LEAST, MOST = 6, 60  # characters of a key
# Of the hash. A list of 100,000 words takes twenty minutes to try, a second without rounds; other rounds would leave every lock in a
# link without its key.
ROUNDS = 20_000
TRIES = 20  # of one visit
LOCK = Text("lock", most_chars=60)
OPEN = Text("open", most_chars=80)


@dataclass
class Opened:
    """lock: that this visit has opened; tries: how often it was wrong; withheld: whether it is a phone in a class vote."""

    lock: str = ""
    tries: int = 0
    withheld: bool = False


opened = of_this_visit(Opened)


def new_lock(key: str, salt: str) -> str:
    """The lock that `key` opens; the same key makes another one with every salt.

    >>> opens(opener("teacher", "00ff00ff"), new_lock("teacher", "00ff00ff"))
    True
    >>> opens(opener("Teacher", "00ff00ff"), new_lock("teacher", "00ff00ff"))
    False
    """
    return f"{salt}.{_digest(opener(key, salt))}"


def opener(key: str, salt: str) -> str:
    """What opens a lock of that salt, as a link of the teacher's carries it."""
    return hashlib.pbkdf2_hmac("sha256", key[:MOST].encode(), salt.encode(), ROUNDS).hex()[:32]


def opens(opener: str, lock: str) -> bool:
    """Whether `opener` is what opens the lock."""
    return hmac.compare_digest(_digest(opener), lock.partition(".")[2])


def lock() -> str:
    """The lock of the link, "" where there is none or where what is there can be no lock."""
    text = LOCK.text()
    return text if re.fullmatch(r"[0-9a-f]{8}\.[0-9a-f]{24}", text) else ""


def locked() -> bool:
    """Whether the link locks the answers and nobody has opened them in this visit, or a class vote withholds them.

    What opens them leaves the address bar at once: the class sees the teacher's screen.
    """
    there, said = lock(), OPEN.text()
    if not there:
        return withheld()
    if said:
        OPEN.set_text("")
        if opens(said, there):
            opened().lock = there
    return withheld() or opened().lock != there


def withheld() -> bool:
    """Whether this is a phone in a class vote, whose teacher shows the answers."""
    return opened().withheld


def withhold(on: bool) -> None:
    """Withhold every answer from this visit, or no more."""
    opened().withheld = on


def try_key(key: object) -> bool:
    """Open the answers with what was typed; a visit may be wrong TRIES times."""
    there = lock()
    if not there or opened().tries >= TRIES or not isinstance(key, str) or not LEAST <= len(key) <= MOST:
        return False
    if opens(opener(key, there.partition(".")[0]), there):
        opened().lock = there
        return True
    opened().tries += 1
    return False


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:24]
