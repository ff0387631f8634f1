"""What two processes behind nginx carry, with the configuration of README.md, and what the death of one costs.

    python tests/benchmarks/course.py [--visitors 100] [--seconds 20]

Visitors move a slider every two seconds: all on one process, then half on each of two; then one process is killed. Its visitors
connect to the other, as their browsers do; the others must not notice: no error. Each process is held to one core where there are
enough. Linux.
"""

import argparse
import asyncio
import os
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "browser"))

from behind_nginx import NGINX, nginx
from load import MOST_MS, ROOT, Visitor, cpu_s, load, percentile, process
from websockets.exceptions import ConnectionClosed


class Student(Visitor):
    """A visitor whose cookie names a process; cut off, his browser connects again and shows the same page."""

    def __init__(self, letter: str):
        super().__init__()
        self.headers = {"Cookie": f"tbt_process={letter}"}
        self.cut_off = 0

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        end = None
        while end is None or time.perf_counter() < end:
            try:
                await super().visit(address, everyone, seconds if end is None else end - time.perf_counter())
                return
            except ConnectionClosed:
                self.cut_off += 1
                self.page, end, everyone = "", end or time.perf_counter() + seconds / 2, asyncio.Barrier(1)


def waited(students: list[Visitor]) -> str:
    """Their p95, and what went wrong."""
    errors = [error for student in students for error in student.errors]
    moves = [ms for student in students for ms in student.moves_ms]
    return f"p95 {percentile(moves, 0.95):4.0f} ms of {len(moves)} moves, {len(errors)} errors {errors[:1] or ''}"


async def killed(address: str, pid: int, students: list[Student], seconds: float) -> None:
    """Half way, the process of some is killed."""

    async def kill() -> None:
        await asyncio.sleep(seconds)
        os.kill(pid, 9)

    stopped = asyncio.create_task(kill())
    await load(address, os.getpid(), students, 2 * seconds)
    await stopped


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20)
    asked = parser.parse_args()
    if NGINX is None:
        sys.exit("no nginx here: install it, or name it in NGINX_PROGRAM")
    with ExitStack() as stack, tempfile.TemporaryDirectory() as folder:
        servers = [stack.enter_context(process(ROOT / "streamlit_app.py")) for _ in range(2)]
        for core, (_, pid) in enumerate(servers):
            os.sched_setaffinity(pid, {core % os.cpu_count()})
        address = stack.enter_context(nginx(Path(folder), [address.rpartition(":")[2] for address, _ in servers]))
        for name, letters in (("one process", "a"), ("two processes", "ab")):
            students = [Student(letters[i % len(letters)]) for i in range(asked.visitors)]
            before = [cpu_s(pid) for _, pid in servers]
            asyncio.run(load(address, servers[0][1], students, asked.seconds))
            used = [(cpu_s(pid) - start) / asked.seconds for start, (_, pid) in zip(before, servers, strict=True)]
            print(
                f"{asked.visitors} visitors, {name}: {waited(students)}; cores used {' and '.join(f'{x:.2f}' for x in used)}",
                flush=True,
            )
        students = [Student("ab"[i % 2]) for i in range(asked.visitors)]
        asyncio.run(killed(address, servers[1][1], students, asked.seconds / 2))
        others, cut = students[::2], students[1::2]
        print(
            f"one process killed: the other's visitors {waited(others)}; {sum(s.cut_off > 0 for s in cut)} of {len(cut)} cut off"
        )
        print(f"    and go on: {waited(cut)}")
        noticed = any(s.errors or s.cut_off for s in others) or any(s.errors or not s.cut_off for s in cut)
        print(f"others noticed, or somebody did not come back: {'yes' if noticed else 'no'} (p95 bar {MOST_MS} ms)")
    sys.exit(noticed)
