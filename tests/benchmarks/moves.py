"""What one move costs the server, as multiples of the bare slider (bare.py) in the same run, beside the bars.

    python tests/benchmarks/moves.py [cost] [lessons] [course] [class] [memory] [--one-core] [--seconds 4]    all without a name
    python tests/benchmarks/latency.py                                                the same moves in a real browser

cost: eight visitors move as fast as they are answered, without what follows and with it: processor time, runs a second, bytes.
lessons: the main control of every lesson.
course: README's table of processes, by a queue's formula from how many of these moves a busy process answers a second; how long the
    largest class then waits.
class: how many visitors with a move every two seconds wait 150 ms at most (p95), and fifty of them beside one who lets the model
    write its longest answer, or asks how many devices one load after another needs. memory: with 200 visitors, and after 1,000.
--one-core: both servers on one core. The toy pass stands above the table, because machines differ. Bars that are missed make the
exit status 1. Linux.
"""

import argparse
import asyncio
import math
import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "helpers"))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # whose engine is meant, not engine.py beside this file

from benchmarks.engine import microseconds
from browser.driving import ROOT, process
from latency import BIG, PAGES
from load import MOST_MB, MOST_MS
from streamlit.proto.BackMsg_pb2 import BackMsg
from visitors import PAGE, PAUSE_S, SLIDER, Planner, Visitor, Writer, connected, cpu_s, load, memory_mb, percentile

from engine import Scenario

BARE = Path(__file__).with_name("bare.py")
VISITORS, SOME, MANY = 8, 50, 200
STUDENTS, EVERY_S = (30, 60, 120, 1_000, 10_000), (2, 5, 10)  # how many, and how often each of them moves something
LONGEST = 9999  # more words than the model writes
Server = tuple[str, int]  # address and process id


class Mover(Visitor):
    """A visitor who moves one control there and back, as fast as he is answered."""

    def __init__(self, path: str, moved: str, follows: bool):
        super().__init__(moved)
        self.path, self.follows = path.strip("/").partition("?"), follows

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        async with connected(address) as socket:
            message = BackMsg()
            message.rerun_script.page_name, _, message.rerun_script.query_string = self.path
            await self.answered(socket, message)
            for i in range(4):
                await self.move(socket, i)
            await everyone.wait()
            end, i = time.perf_counter() + seconds, 0
            while time.perf_counter() < end:
                self.moves_ms.append(await self.move(socket, i))
                i += 1
                if self.follows:
                    bytes_of_the_move = self.n_bytes
                    await self.follow(socket)
                    self.n_bytes += bytes_of_the_move
            await everyone.wait()

    async def move(self, socket, i: int) -> float:
        """The control one place on, and back the next time; without one, the step's own stepper."""
        if not self.moved:
            way = "_back" if i % 2 else "_next"
            return await self.press(
                socket, next(key for key in self.buttons if key.endswith(way) and not key.startswith("slide"))
            )
        message = BackMsg()
        state = message.rerun_script.widget_states.widgets.add(id=self.slider)
        if stops := self.options.get(self.slider):
            state.string_array_value.data.append(stops[len(stops) // 2 - i % 2])
        else:
            low, _, step = self.sliders[self.slider]
            state.double_array_value.data.append(low + step * (1 + i % 2))
        message.rerun_script.fragment_id = self.fragments[self.slider]
        return await self.answered(socket, message)


def closed(server: Server, path: str, moved: str, seconds: float, follows: bool = False) -> tuple[float, float, int]:
    """Moves a second, milliseconds of processor time a move, and bytes a move, of eight visitors without a pause."""
    address, pid = server
    movers = [Mover(path, moved, follows) for _ in range(VISITORS)]

    async def together() -> tuple[float, float]:
        everyone = asyncio.Barrier(VISITORS + 1)
        visits = asyncio.gather(*(mover.visit(address, everyone, seconds) for mover in movers))
        await asyncio.wait([asyncio.ensure_future(everyone.wait()), visits], return_when=asyncio.FIRST_COMPLETED)
        if visits.done():
            visits.result()  # raises what stopped a visitor
        start, used = time.perf_counter(), cpu_s(pid)
        await everyone.wait()
        took = time.perf_counter() - start, cpu_s(pid) - used
        await visits
        return took

    took, used = asyncio.run(together())
    moves = sum(len(mover.moves_ms) for mover in movers)
    if errors := [error for mover in movers for error in mover.errors]:
        sys.exit(f"{path}: {errors[0]}")
    return moves / took, 1e3 * used / moves, movers[0].n_bytes


class Table:
    """Rows with a bar each; which were missed."""

    def __init__(self):
        self.missed: list[str] = []

    def row(self, name: str, value: float, bar: float, said: str, at_least: bool = False) -> None:
        good = value >= bar if at_least else value <= bar
        self.missed += [name] * (not good)
        print(f"{name:52} {value:9.2f}  bar {'≥' if at_least else '≤'} {bar:<7g} {'' if good else 'MISSED '}{said}", flush=True)


def cost(table: Table, app: Server, bare: Server, seconds: float) -> None:
    """A move of the attention lesson and a step of decode."""
    slider = closed(bare, "/", "value_0", seconds)
    alone = closed(app, "/attention", "value_0", seconds)
    followed = closed(app, "/attention", "value_0", seconds, follows=True)
    late = closed(app, "/decode?step=55", "", seconds)
    said = f"{alone[1]:.1f} against {slider[1]:.1f} ms"
    table.row("CPU of a move, attention, until its figure is sent", alone[1] / slider[1], 3.2, said)
    table.row("the same, with all that follows", followed[1] / slider[1], 6, f"{followed[1]:.1f} ms")
    table.row(
        "moves a second, share of the bare slider's", alone[0] / slider[0], 0.55, f"{alone[0]:.0f} of {slider[0]:.0f}", True
    )
    table.row("kB of a move, attention", alone[2] / 1e3, 15, f"{followed[2] / 1e3:.1f} with what follows")
    table.row("kB of a step, decode at 60 tokens", late[2] / 1e3, 60, f"{late[1] / slider[1]:.1f} × CPU")


def lessons(table: Table, app: Server, bare: Server, seconds: float) -> None:
    """The main control of every lesson, with all that follows."""
    for name, (path, moved, *_) in PAGES.items():
        if BIG not in path:
            slider, page = closed(bare, "/", "value_0", seconds / 2), closed(app, path, moved, seconds, follows=True)
            table.row(
                f"CPU of a move, all included: {name}", page[1] / slider[1], 7.5, f"{page[1]:.1f} ms, {page[2] / 1e3:.0f} kB"
            )


def most_students(service_ms: float, every_s: float) -> int:
    """The largest class of one process, whose p95 is MOST_MS: where moves come at random and take times of that mean, a process that is
    busy for a share ρ answers 95 of 100 within ln 20 · service / (1 − ρ) (M/M/1).

    >>> most_students(10, 2), most_students(10, 10), most_students(60, 2)
    (160, 800, 0)
    """
    busy = 1 - math.log(20) * service_ms / MOST_MS
    return max(0, int(busy * 1e3 * every_s / service_ms))


def course(table: Table, app: Server, bare: Server, seconds: float) -> None:
    """Processes, a core each, for so many students; and whether the class that the formula allows one process waits no longer."""
    taken = [closed(app, path, moved, seconds / 2, follows=True)[:2] for path, moved, *_ in PAGES.values() if BIG not in path]
    service_ms, used_ms = (sum(means) / len(taken) for means in zip(*((1e3 / moves, used) for moves, used in taken), strict=True))
    said = f"{service_ms:.1f} ms of a busy process, of which {used_ms:.1f} ms of processor time"
    print(f"a move, with all that follows, takes {said}, on average of {len(taken)} controls")
    print(f"| students | {' | '.join(f'every {every_s} s' for every_s in EVERY_S)} |\n|--:|{'--:|' * len(EVERY_S)}")
    for n in STUDENTS:
        needed = [f"{math.ceil(n / most):,}" if (most := most_students(service_ms, every_s)) else "–" for every_s in EVERY_S]
        print(f"| {n:,} | {' | '.join(needed)} |")
    moves, *_ = closed(app, f"/{PAGE}", SLIDER, seconds, follows=True)
    if most := most_students(1e3 / moves, PAUSE_S):
        found = p95(app, [Visitor() for _ in range(most)], 3 * seconds)
        table.row(f"p95 of the {most} that one process may have, of {MOST_MS} ms", found / MOST_MS, 1, f"{found:.0f} ms")


def p95(server: Server, visitors: list[Visitor], seconds: float, counted: int | None = None) -> float:
    """The p95 of what the first `counted` wait for a move, all of them if it is None; endless where something failed."""
    asyncio.run(load(*server, visitors, seconds))
    if any(visitor.errors for visitor in visitors):
        return float("inf")
    return percentile([ms for visitor in visitors[:counted] for ms in visitor.moves_ms], 0.95)


def most_visitors(server: Server, new: Callable[[], Visitor], seconds: float) -> int:
    """The largest class, in steps of a fifth, whose p95 stays below the bar."""
    n, most = VISITORS, 0
    while n < 1000 and p95(server, [new() for _ in range(n)], seconds) <= MOST_MS:
        n, most = n + max(1, n // 5), n
    return most


class OnTheBareSlider(Visitor):
    """A visitor of bare.py, who moves once every two seconds."""

    async def run(self, socket, value: float | None = None, page: str = "") -> float:
        return await super().run(socket, value, page)


def a_class(table: Table, app: Server, bare: Server, seconds: float) -> None:
    """How many visitors wait no longer than the bar, and fifty beside one long answer."""
    here = most_visitors(app, Visitor, 3 * seconds)
    there = most_visitors(bare, lambda: OnTheBareSlider("value_0"), 3 * seconds)
    table.row("visitors with p95 ≤ 150 ms, share of the bare's", here / max(1, there), 0.35, f"{here} of {there}", True)
    alone = p95(app, [Visitor() for _ in range(SOME)], 3 * seconds)
    beside = p95(app, [*(Visitor() for _ in range(SOME)), Writer(random.Random(0), LONGEST)], 3 * seconds, SOME)
    table.row("p95 of 50 visitors beside the longest answer", beside / alone, 1.5, f"{beside:.0f} against {alone:.0f} ms")
    planned = p95(app, [*(Visitor() for _ in range(SOME)), Planner()], 3 * seconds, SOME)
    table.row("p95 of 50 visitors beside who plans a server", planned / alone, 1.5, f"{planned:.0f} against {alone:.0f} ms")


def memory(table: Table, app: Server, bare: Server, seconds: float) -> None:
    """The resident set with 200 visitors, and after 1,000 visits that came and went."""

    async def visits(n: int) -> None:
        few = asyncio.Semaphore(VISITORS)

        async def visit() -> None:
            async with few, connected(app[0]) as socket:
                visitor = Visitor()
                await visitor.run(socket)
                await visitor.run(socket, 3.0)

        await asyncio.gather(*(visit() for _ in range(n)))
        await asyncio.sleep(4)  # longer than a session outlives its tab here

    peak = asyncio.run(load(*app, [Visitor() for _ in range(MANY)], seconds))
    asyncio.run(visits(SOME))
    before = memory_mb(app[1])
    asyncio.run(visits(1000))
    after = memory_mb(app[1])
    table.row("MB with 200 visitors", peak, MOST_MB, "")
    table.row("MB more after 1,000 visits", after - before, 15, f"{before:.0f}, then {after:.0f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    measures = {"cost": cost, "lessons": lessons, "course": course, "class": a_class, "memory": memory}
    parser.add_argument("which", nargs="*", choices=[*measures, []])
    parser.add_argument("--one-core", action="store_true")
    parser.add_argument("--seconds", type=float, default=4)
    asked, table = parser.parse_args(), Table()
    forget = ("--server.disconnectedSessionTTL", "2")
    with process(ROOT / "streamlit_app.py", *forget) as app, process(BARE, *forget) as bare:
        for _, pid in (app, bare) if asked.one_core else ():
            os.sched_setaffinity(pid, {0})
        toy_us = microseconds(Scenario.article())
        print(f"toy pass {toy_us:.0f} µs, {1 if asked.one_core else os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        for name in asked.which or measures:
            measures[name](table, app, bare, asked.seconds)
    print(f"beyond its bar: {', '.join(table.missed) or 'nothing'}")
    sys.exit(bool(table.missed))
