"""A class at once: 50 visitors, each moving a slider of the attention lesson every two seconds, against one server.

    python tests/benchmarks/load.py [--visitors 50] [--seconds 20]
    python tests/benchmarks/load.py --generate --visitors 30        each lets the bundled model write, from a prompt of its own

Each visitor is a websocket that speaks Streamlit's own protocol: it opens the lesson, moves the slider, which runs the step that
it stands in, and waits until the server says that the run is finished. Measured is that wait. As the browser does, it asks for
what stands around the step when nothing has moved for 0.4 s; who generates asks for the next word four times a second. The
server's memory is its resident set while all are connected.
Bars: p95 at most 150 ms, no error, at most 200 MB; what exceeds one is said and makes the exit status 1.
"""

import argparse
import asyncio
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlencode

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import connect

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from browser.driving import ROOT, process

PAGE, SLIDER, PAUSE_S, FOLLOW_S = "attention", "value_2", 2.0, 0.4
EVENT = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # the widget through which a component sends its events
MOST_MS, MOST_MB = 150, 200


def connected(address: str, session: str = "", headers: dict[str, str] | None = None) -> connect:
    """The websocket of a tab; of one that was cut off, when it names its session. headers: that its browser sends besides."""
    url, told = address.replace("http", "ws", 1) + "/_stcore/stream", ["streamlit"] + ["-", session] * bool(session)
    return connect(url, max_size=None, compression=None, subprotocols=told, ping_interval=None, additional_headers=headers)


class Visitor:
    """One browser tab: what it waited for each move, and what went wrong."""

    def __init__(self, moved: str = SLIDER):
        self.moved = moved  # the key of the slider
        self.first_ms, self.moves_ms, self.errors, self.alerts = 0.0, [], [], []
        self.session = self.slider = self.page = ""
        self.sliders = {}  # of the page: least value, greatest, step
        self.buttons = {}  # id by key
        self.options = {}  # of the page's sliders over a few named stops, by id
        self.fragments = {}  # of the page's widgets, by id
        self.n_bytes = 0  # of the last answer
        self.around = ""  # the component that asks for what stands around the step
        self.headers = None  # that its browser sends besides
        self.timers = {}  # fragments of the page that want to be run again, and after how many seconds

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        async with connected(address, headers=self.headers) as socket:
            self.first_ms = await self.run(socket)
            await everyone.wait()
            end = time.perf_counter() + seconds
            await asyncio.sleep(random.uniform(0, PAUSE_S))
            while time.perf_counter() < end:
                waited = await self.run(socket, random.randint(-40, 200) / 2)
                self.moves_ms.append(waited)
                pause = random.uniform(0.5, 1.5) * PAUSE_S - waited / 1000  # people do not move in step
                await asyncio.sleep(min(FOLLOW_S, pause))
                await self.follow(socket)
                await asyncio.sleep(pause - FOLLOW_S)

    async def run(self, socket, value: float | None = None, page: str = PAGE) -> float:
        """Ask for one run of the page with the slider at `value`; returns milliseconds."""
        message = BackMsg()
        message.rerun_script.page_name = "" if self.page else page
        if value is not None:
            message.rerun_script.widget_states.widgets.add(id=self.slider).double_array_value.data.append(value)
            message.rerun_script.fragment_id = self.fragments.get(self.slider, "")
        return await self.answered(socket, message)

    async def follow(self, socket) -> float:
        """Ask for what stands around the step, where there is any."""
        if not self.around:
            return 0.0
        message, event = BackMsg(), json.dumps([{"event": "due", "value": True}])
        message.rerun_script.widget_states.widgets.add(id=EVENT.format(self.around), json_trigger_value=event)
        message.rerun_script.fragment_id = self.fragments[self.around]
        return await self.answered(socket, message)

    async def press(self, socket, key: str) -> float:
        """Press the button `key`, be it part of a step or not."""
        message, button = BackMsg(), self.buttons[key]
        message.rerun_script.widget_states.widgets.add(id=button, trigger_value=True)
        message.rerun_script.fragment_id = self.fragments[button]
        return await self.answered(socket, message)

    async def answered(self, socket, message: BackMsg) -> float:
        """Send a request for a run and read all of its answer; returns milliseconds."""
        message.rerun_script.page_script_hash = self.page
        start, self.n_bytes = time.perf_counter(), 0
        await socket.send(message.SerializeToString())
        while True:
            data = await asyncio.wait_for(socket.recv(), 30)
            self.n_bytes += len(data)
            answer = ForwardMsg.FromString(data)
            kind = answer.WhichOneof("type")
            if kind == "new_session":
                self.session = answer.new_session.initialize.session_id
            if kind == "navigation":
                self.page = answer.navigation.page_script_hash
            elif kind == "new_session" and not answer.metadata.run.fragment_ids:
                self.timers = {}  # a run of the whole page ends them
            elif kind == "auto_rerun":
                self.timers[answer.auto_rerun.fragment_id] = answer.auto_rerun.interval
            elif kind == "delta":
                element = answer.delta.new_element
                if element.WhichOneof("type") == "exception":
                    self.errors.append(element.exception.message)
                if element.WhichOneof("type") == "alert":
                    self.alerts.append(element.alert.body)
                if element.WhichOneof("type") == "slider":
                    self._found_slider(element.slider)
                if element.button.id:
                    self.buttons[element.button.id.rpartition("-")[2]] = element.button.id
                if element.bidi_component.id.endswith("-around"):
                    self.around = element.bidi_component.id
                for id in (element.slider.id, element.button.id, element.bidi_component.id):
                    self.fragments[id] = answer.delta.fragment_id
            elif kind == "script_finished" and answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                if answer.script_finished == ForwardMsg.FINISHED_WITH_COMPILE_ERROR:
                    self.errors.append("the script did not compile")
                return 1000 * (time.perf_counter() - start)

    def _found_slider(self, slider) -> None:
        if slider.options:
            self.options[slider.id] = list(slider.options)
        else:
            self.sliders[slider.id] = (slider.min, slider.max, slider.step)
        if slider.id.endswith(f"-{self.moved}"):
            self.slider = slider.id


class Writer(Visitor):
    """A visitor who lets the bundled model write an answer, watches it to its end, and begins again with another prompt."""

    def __init__(self, rng: random.Random, n_words: int | None = None):
        super().__init__()
        self.asked = {} if n_words is None else {"g": n_words}
        vocabulary = json.loads((ROOT / "engine/trained/small_model/vocabulary.json").read_text("utf-8"))
        self.rng, self.words = rng, [word for word in vocabulary["words"] if word.isalpha()]

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        async with connected(address) as socket:
            self.first_ms = await self._open(socket)
            await everyone.wait()
            end = time.perf_counter() + seconds
            await asyncio.sleep(self.rng.uniform(0, 1))
            while time.perf_counter() < end:
                await self._open(socket)
                self.moves_ms.append(await self.press(socket, "go"))
                due = {}
                while self.timers and time.perf_counter() < end:
                    now = time.perf_counter()
                    due = {fragment: due.get(fragment, now + interval) for fragment, interval in self.timers.items()}
                    first = min(due, key=due.get)
                    await asyncio.sleep(due[first] - now)
                    due[first] = time.perf_counter() + self.timers[first]
                    message = BackMsg()
                    message.rerun_script.fragment_id = first
                    message.rerun_script.is_auto_rerun = True
                    self.moves_ms.append(await self.answered(socket, message))

    async def _open(self, socket) -> float:
        """The lesson with a prompt that nobody else has."""
        message = BackMsg()
        message.rerun_script.page_name = "" if self.page else "generate"
        message.rerun_script.query_string = urlencode(self.asked | {"prompt": " ".join(self.rng.choices(self.words, k=12))})
        return await self.answered(socket, message)


def memory_mb(pid: int) -> float:
    """The resident set of a process."""
    return int(subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], capture_output=True, check=True).stdout) / 1024


def open_files(pid: int) -> int:
    """How many file descriptors a process holds (Linux)."""
    return len(list(Path(f"/proc/{pid}/fd").iterdir()))


def cpu_s(pid: int) -> float:
    """Processor time that a process has taken (Linux)."""
    user, system = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")


async def load(address: str, pid: int, visitors: list[Visitor], seconds: float) -> float:
    """Let all visitors come, and wait until they have left; the server's memory at most."""
    everyone = asyncio.Barrier(len(visitors))
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
    return peak


def percentile(times: list[float], share: float) -> float:
    """The time that this share of all times stays below; endless when there are none."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("inf")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--visitors", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--generate", action="store_true")
    asked = parser.parse_args()
    visitors = [Writer(random.Random(i)) if asked.generate else Visitor() for i in range(asked.visitors)]
    with process(ROOT / "streamlit_app.py") as (address, pid):
        peak_mb = asyncio.run(load(address, pid, visitors, asked.seconds))
        used_s = cpu_s(pid)
    moves, first = [ms for v in visitors for ms in v.moves_ms], [v.first_ms for v in visitors]
    errors = [error for v in visitors for error in v.errors]
    median, p95, longest = (percentile(moves, share) for share in (0.5, 0.95, 1))
    print(f"{asked.visitors} visitors, {len(moves)} moves: median {median:.0f} ms, p95 {p95:.0f} ms, longest {longest:.0f} ms")
    print(f"opening all at once: median {percentile(first, 0.5):.0f} ms, slowest {max(first):.0f} ms")
    print(
        f"server {peak_mb:.0f} MB at most, {used_s:.0f} s of processor time; {len(errors)} errors {sorted(set(errors))[:3] or ''}"
    )
    sys.exit(p95 > MOST_MS or peak_mb > MOST_MB or bool(errors))
