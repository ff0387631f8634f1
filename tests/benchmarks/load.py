"""A class at once: 50 visitors, each moving a slider of the attention lesson every two seconds, against one server.

    python tests/benchmarks/load.py [--visitors 50] [--seconds 20]

Each visitor is a websocket that speaks Streamlit's own protocol: it opens the lesson, moves the slider, and waits until the
server says that the run is finished. Measured is that wait. The server's memory is its resident set while all are connected.
Bars: p95 at most 150 ms, no error, at most 200 MB; what exceeds one is said and makes the exit status 1.
"""

import argparse
import asyncio
import random
import subprocess
import sys
import time
from pathlib import Path

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from browser.driving import ROOT, process

PAGE, SLIDER, PAUSE_S = "attention", "value_2", 2.0
MOST_MS, MOST_MB = 150, 200


class Visitor:
    """One browser tab: what it waited for each move, and what went wrong."""

    def __init__(self):
        self.first_ms, self.moves_ms, self.errors = 0.0, [], []
        self.slider = self.page = ""

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        url = address.replace("http", "ws", 1) + "/_stcore/stream"
        async with connect(url, max_size=None, compression=None, subprotocols=["streamlit"], ping_interval=None) as socket:
            self.first_ms = await self._run(socket, None)
            await everyone.wait()
            end = time.perf_counter() + seconds
            await asyncio.sleep(random.uniform(0, PAUSE_S))
            while time.perf_counter() < end:
                waited = await self._run(socket, random.randint(-40, 200) / 2)
                self.moves_ms.append(waited)
                await asyncio.sleep(random.uniform(0.5, 1.5) * PAUSE_S - waited / 1000)  # people do not move in step

    async def _run(self, socket, value: float | None) -> float:
        """Ask for one run of the page and read all of its answer; returns milliseconds."""
        message = BackMsg()
        message.rerun_script.page_script_hash = self.page
        message.rerun_script.page_name = "" if self.page else PAGE
        if value is not None:
            message.rerun_script.widget_states.widgets.add(id=self.slider).double_array_value.data.append(value)
        start = time.perf_counter()
        await socket.send(message.SerializeToString())
        while True:
            answer = ForwardMsg.FromString(await asyncio.wait_for(socket.recv(), 30))
            kind = answer.WhichOneof("type")
            if kind == "navigation":
                self.page = answer.navigation.page_script_hash
            elif kind == "delta":
                element = answer.delta.new_element
                if element.WhichOneof("type") == "exception":
                    self.errors.append(element.exception.message)
                if element.slider.id.endswith(f"-{SLIDER}"):
                    self.slider = element.slider.id
            elif kind == "script_finished" and answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                if answer.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    self.errors.append("the script did not compile")
                return 1000 * (time.perf_counter() - start)


def memory_mb(pid: int) -> float:
    """The resident set of a process."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout) / 1024


async def load(address: str, pid: int, n: int, seconds: float) -> tuple[list[Visitor], float]:
    """All visitors, after they have left, and the server's memory just before."""
    visitors, everyone = [Visitor() for _ in range(n)], asyncio.Barrier(n)
    visits = [asyncio.create_task(v.visit(address, everyone, seconds)) for v in visitors]
    peak = 0.0
    while not all(visit.done() for visit in visits):
        await asyncio.sleep(0.5)
        peak = max(peak, await asyncio.to_thread(memory_mb, pid))
        if any(visit.done() and visit.exception() for visit in visits):
            await everyone.abort()
    for visitor, visit in zip(visitors, visits, strict=True):
        if visit.exception():
            visitor.errors.append(repr(visit.exception()))
    return visitors, peak


def percentile(times: list[float], share: float) -> float:
    """The time that this share of all times stays below; endless when there are none."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("inf")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    asked = parser.parse_args()
    with process(ROOT / "streamlit_app.py") as (address, pid):
        visitors, peak_mb = asyncio.run(load(address, pid, asked.visitors, asked.seconds))
    moves, first = [ms for v in visitors for ms in v.moves_ms], [v.first_ms for v in visitors]
    errors = [error for v in visitors for error in v.errors]
    median, p95, longest = (percentile(moves, share) for share in (0.5, 0.95, 1))
    print(f"{asked.visitors} visitors, {len(moves)} moves: median {median:.0f} ms, p95 {p95:.0f} ms, longest {longest:.0f} ms")
    print(f"opening all at once: median {percentile(first, 0.5):.0f} ms, slowest {max(first):.0f} ms")
    print(f"server {peak_mb:.0f} MB at most; {len(errors)} errors {sorted(set(errors))[:3] or ''}")
    sys.exit(p95 > MOST_MS or peak_mb > MOST_MB or bool(errors))
