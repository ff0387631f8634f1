"""A process that answers requests, each within a time or not at all: for a library that may crash, fill the memory or never end.

Requests and answers are lines of JSON through pipes. A process that does not answer in time is ended, and one whose owner has
gone ends by itself, because its input does.
"""

import contextlib
import json
import subprocess
import sys
import threading
import weakref
from pathlib import Path

MOST_BYTES = 4_000_000  # of one answer


class Child:
    """A running Python script. `answer` is called by one thread at a time."""

    def __init__(self, script: Path):
        # -P: the script's own folder holds modules named like others of the library's.
        command = [sys.executable, "-P", "-X", "utf8", str(script)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.end = weakref.finalize(self, _end, self._process)

    def answer(self, request: object, seconds: float) -> dict | None:
        """What the script answers; None when it has ended, has answered no JSON, or had to be ended after `seconds`."""
        timer = threading.Timer(seconds, self._process.kill)
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):  # it has ended; what it said before is still to be read
                self._process.stdin.write(json.dumps(request).encode() + b"\n")
                self._process.stdin.flush()
            line = self._process.stdout.readline(MOST_BYTES)
            return json.loads(line)
        except (OSError, ValueError):  # no line, half a line
            self.end()
            return None
        finally:
            timer.cancel()


def _end(process: subprocess.Popen) -> None:
    """End the process and give back what belongs to it."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        with contextlib.suppress(OSError):  # what could not be sent to it
            pipe.close()
