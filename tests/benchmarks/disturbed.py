"""What visitors who change pages wait while others let the server compute: the same ten, undisturbed and beside six busy tabs.

    python tests/benchmarks/disturbed.py [--visitors 10] [--busy 6] [--seconds 8] [--rounds 4]

Ten visitors go from lesson to lesson, one page about every two seconds. First alone; then beside six tabs that let the bundled
model write answers; then beside six that press the stopwatch of the counting lesson again and again. All on one server, in
rounds, so that whatever else the machine does disturbs all three alike.
Bar: the p95 of the ten beside either is at most twice that of the ten alone; what exceeds it makes the exit status 1.
"""

import argparse
import asyncio
import random
import sys
import time

from load import ROOT, Visitor, Writer, connected, load, percentile, process
from streamlit.proto.BackMsg_pb2 import BackMsg

PAUSE_S, MOST_TIMES = 2.0, 2.0
LESSONS = sorted(path.stem for path in (ROOT / "pages").glob("*.py") if path.stem != "start")  # which the root shows


class Reader(Visitor):
    """A visitor who opens one lesson after another; moves_ms are the waits for them."""

    def __init__(self, rng: random.Random):
        super().__init__()
        self.rng = rng

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        async with connected(address) as socket:
            self.first_ms = await self._open(socket)
            await everyone.wait()
            end = time.perf_counter() + seconds
            await asyncio.sleep(self.rng.uniform(0, PAUSE_S))
            while time.perf_counter() < end:
                waited = await self._open(socket)
                self.moves_ms.append(waited)
                await asyncio.sleep(max(0, self.rng.uniform(0.5, 1.5) * PAUSE_S - waited / 1000))

    async def _open(self, socket) -> float:
        message = BackMsg()
        message.rerun_script.page_name = self.rng.choice(LESSONS)
        self.page = ""
        return await self.answered(socket, message)


class Timer(Visitor):
    """A tab that presses the stopwatch as soon as it has answered."""

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        async with connected(address) as socket:
            message = BackMsg()
            message.rerun_script.page_name = "counting"
            message.rerun_script.query_string = "steps=all"
            self.first_ms = await self.answered(socket, message)
            await everyone.wait()
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                self.moves_ms.append(await self.press(socket, "measure"))


def measured(address: str, pid: int, n_readers: int, busy: list[Visitor], seconds: float, seed: int) -> list[float]:
    """The readers' waits beside the busy tabs; an error of anybody ends the program."""
    readers = [Reader(random.Random(seed + i)) for i in range(n_readers)]
    asyncio.run(load(address, pid, [*readers, *busy], seconds))
    errors = [error for visitor in (*readers, *busy) for error in visitor.errors]
    if errors:
        sys.exit(f"{len(errors)} errors, the first: {errors[0]}")
    return [ms for reader in readers for ms in reader.moves_ms]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=10)
    parser.add_argument("--busy", type=int, default=6)
    parser.add_argument("--seconds", type=float, default=8)
    parser.add_argument("--rounds", type=int, default=4)
    asked = parser.parse_args()
    kinds = {
        "alone": lambda seed: [],
        "beside tabs that generate": lambda seed: [Writer(random.Random(seed + i)) for i in range(asked.busy)],
        "beside tabs that press the stopwatch": lambda seed: [Timer() for _ in range(asked.busy)],
    }
    waits, theirs = {kind: [] for kind in kinds}, {kind: [] for kind in kinds}
    with process(ROOT / "streamlit_app.py") as (address, pid):
        for turn in range(asked.rounds):
            for kind, tabs in kinds.items():
                busy = tabs(100 * turn)
                waits[kind] += measured(address, pid, asked.visitors, busy, asked.seconds, 100 * turn)
                theirs[kind] += [ms for tab in busy for ms in tab.moves_ms]
    p95 = {kind: percentile(times, 0.95) for kind, times in waits.items()}
    for kind, times in waits.items():
        ratio = p95[kind] / p95["alone"]
        print(
            f"{kind}: {len(times)} pages, median {percentile(times, 0.5):.0f} ms, p95 {p95[kind]:.0f} ms, {ratio:.2f} times alone"
        )
        if theirs[kind]:
            print(f"    the busy tabs: {len(theirs[kind])} runs, median {percentile(theirs[kind], 0.5):.0f} ms")
    sys.exit(max(p95.values()) > MOST_TIMES * p95["alone"])
