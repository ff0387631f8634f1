"""Visitors without a browser: each is a websocket that speaks Streamlit's own protocol, for tests of the server and benchmarks.

A visitor opens a lesson, moves a slider, which runs the step that it stands in, and waits until the server says that the run is
finished; measured is that wait. As the browser does, it asks for what stands around the step when nothing has moved for 0.4 s; who
generates asks for the next word as often as the page says.
"""

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

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # whose browser.driving knows how a server is started

from browser.driving import LESSONS, ROOT

PAGE, SLIDER, PAUSE_S, FOLLOW_S = "attention", "value_2", 2.0, 0.4
EVENT = "$$STREAMLIT_INTERNAL_KEY_{}__events"  # the widget through which a component sends its events


def connected(address: str, session: str = "") -> connect:
    """The websocket of a tab; of one that was cut off, when it names its session."""
    url, told = address.replace("http", "ws", 1) + "/_stcore/stream", ["streamlit"] + ["-", session] * bool(session)
    return connect(url, max_size=None, compression=None, subprotocols=told, ping_interval=None)


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
        self.timers = {}  # fragments of the page that want to be run again, and after how many seconds

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        async with connected(address) as socket:
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

    async def watch(self, socket, end: float) -> None:
        """Ask again whenever the page's timers say so, until there are none, or until `end`."""
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
                if element.bidi_component.id.endswith("-after_moves"):
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
                self.moves_ms.append(await self.press(socket, "generate_go"))
                await self.watch(socket, end)

    async def _open(self, socket) -> float:
        """The lesson with a prompt that nobody else has."""
        message = BackMsg()
        message.rerun_script.page_name = "" if self.page else "generate"
        message.rerun_script.query_string = urlencode(self.asked | {"prompt": " ".join(self.rng.choices(self.words, k=12))})
        return await self.answered(socket, message)


class Planner(Visitor):
    """A visitor who asks how many devices a load needs, and as soon as that is found the same of another load."""

    def __init__(self):
        super().__init__()
        self.n_asked = 0

    async def visit(self, address: str, everyone: asyncio.Barrier, seconds: float) -> None:
        async with connected(address) as socket:
            self.first_ms = await self._open(socket)
            await everyone.wait()
            end = time.perf_counter() + seconds
            while time.perf_counter() < end:
                self.moves_ms.append(await self._open(socket))
                await self.watch(socket, end)

    async def _open(self, socket) -> float:
        """Prompts of a length that nobody has asked for, by a policy and a step in turn."""
        self.n_asked += 1
        policy, slide = ("continuous", "chunked", "disaggregated")[self.n_asked % 3], 2 + self.n_asked % 2
        asked = {"slide": slide, "policy": policy, "context": random.randint(257, 1023)}
        message = BackMsg()
        message.rerun_script.page_name = "" if self.page else "many"
        message.rerun_script.query_string = urlencode(asked)
        return await self.answered(socket, message)


class Wanderer(Visitor):
    """A visitor who opens one lesson after another."""

    def __init__(self, rng: random.Random):
        super().__init__()
        self.rng = rng

    async def open(self, line, lesson: str) -> None:
        self.page, self.sliders = "", {}
        await self.run(line, page="" if LESSONS[lesson] == "/" else lesson)

    async def move(self, line) -> bool:
        """Move one of the page's sliders somewhere; False where it has none."""
        if not self.sliders:
            return False
        name, (low, high, step) = self.rng.choice(sorted(self.sliders.items()))
        message = BackMsg()
        value = low + step * self.rng.randint(0, int((high - low) / step))
        message.rerun_script.widget_states.widgets.add(id=name).double_array_value.data.append(value)
        message.rerun_script.fragment_id = self.fragments[name]
        await self.answered(line, message)
        await self.follow(line)
        return True


class Heard:
    """A websocket that remembers all that came."""

    def __init__(self, socket):
        self.socket, self.came = socket, []

    async def send(self, data):
        await self.socket.send(data)

    async def recv(self):
        self.came.append(await self.socket.recv())
        return self.came[-1]


class Phone(Visitor):
    """A phone: its browser's number, and the question on it."""

    def __init__(self, number):
        super().__init__()
        self.number, self.option, self.memory, self.bar = f"{number:032x}", {}, "", ""

    async def join(self, socket, code):
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = "attention", f"room={code}"
        await self.answered(socket, message)
        self.look(socket)
        message = BackMsg()
        message.rerun_script.widget_states.widgets.add(id=self.memory, json_value=json.dumps({"phone": self.number}))
        await self.answered(socket, message)
        self.look(socket)

    def look(self, socket):
        """Find the question's choice and what the browser keeps among all that came."""
        for data in socket.came:
            element = ForwardMsg.FromString(data).delta.new_element
            if "-option_" in element.button.id:
                self.option[element.button.label] = element.button.id
            if element.bidi_component.id.endswith("-room_memory"):
                self.memory = element.bidi_component.id
            if element.bidi_component.id.endswith("-poll_bar"):
                self.bar = element.bidi_component.id

    async def say(self, socket, option):
        message, button = BackMsg(), self.option[option]
        message.rerun_script.widget_states.widgets.add(id=button, trigger_value=True)
        message.rerun_script.fragment_id = self.fragments[button]
        await self.answered(socket, message)

    async def poll(self, socket):
        """What the browser asks by itself every two seconds; returns how many bytes came."""
        message, event = BackMsg(), json.dumps([{"event": "due", "value": True}])
        message.rerun_script.widget_states.widgets.add(id=EVENT.format(self.bar), json_trigger_value=event)
        message.rerun_script.fragment_id = self.fragments[self.bar]
        await self.answered(socket, message)
        return self.n_bytes


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


async def load(address: str, pid: int | None, visitors: list[Visitor], seconds: float) -> float:
    """Let all visitors come, and wait until they have left; the server's memory at most, 0 of one that runs elsewhere."""
    everyone = asyncio.Barrier(len(visitors))
    visits = [asyncio.create_task(v.visit(address, everyone, seconds)) for v in visitors]
    peak = 0.0
    while not all(visit.done() for visit in visits):
        await asyncio.sleep(0.5)
        peak = max(peak, await asyncio.to_thread(memory_mb, pid) if pid else 0.0)
        if any(visit.done() and visit.exception() for visit in visits):
            await everyone.abort()
    for visitor, visit in zip(visitors, visits, strict=True):
        if visit.exception():
            visitor.errors.append(repr(visit.exception()))
    return peak


def percentile(times: list[float], share: float) -> float:
    """The time that this share of all times stays below; endless when there are none."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))] if times else float("inf")
