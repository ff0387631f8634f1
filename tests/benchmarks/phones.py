"""What the phones of a class cost that only wait for the next question: each asks every two seconds whether there is one.

    python tests/benchmarks/phones.py [--phones 200] [--seconds 20]

Prints the processor time a second, the waits for an answer, and its bytes. Linux.
"""

import argparse
import asyncio
import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # whose pages are meant

from benchmarks.load import EVENT, ROOT, Visitor, connected, cpu_s, percentile, process
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.vote.phone import POLL_S
from pages.parts.vote.rooms import Rooms

AT_ONCE = 8  # phones that join together


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
        self.number, self.radio, self.kept, self.bar = f"{number:032x}", "", "", ""

    async def join(self, socket, code):
        message = BackMsg()
        message.rerun_script.page_name, message.rerun_script.query_string = "attention", f"room={code}"
        await self.answered(socket, message)
        self.look(socket)
        message = BackMsg()
        message.rerun_script.widget_states.widgets.add(id=self.kept, json_value=json.dumps({"phone": self.number}))
        await self.answered(socket, message)
        self.look(socket)

    def look(self, socket):
        """Find the question's choice and what the browser keeps among all that came."""
        for data in socket.came:
            element = ForwardMsg.FromString(data).delta.new_element
            if element.radio.id:
                self.radio = element.radio.id
            if element.bidi_component.id.endswith("-kept"):
                self.kept = element.bidi_component.id
            if element.bidi_component.id.endswith("-poll_bar"):
                self.bar = element.bidi_component.id

    async def say(self, socket, option):
        message, button = BackMsg(), self.buttons["Commit"]
        states = message.rerun_script.widget_states.widgets
        states.add(id=self.radio, string_value=option)
        states.add(id=button, trigger_value=True)
        message.rerun_script.fragment_id = self.fragments[button]
        await self.answered(socket, message)

    async def poll(self, socket):
        """What the browser asks by itself every two seconds; returns how many bytes came."""
        message, event = BackMsg(), json.dumps([{"event": "due", "value": True}])
        message.rerun_script.widget_states.widgets.add(id=EVENT.format(self.bar), json_trigger_value=event)
        message.rerun_script.fragment_id = self.fragments[self.bar]
        await self.answered(socket, message)
        return self.n_bytes


async def joined(address: str, code: str, number: int, few: asyncio.Semaphore) -> tuple[Phone, Heard]:
    """A phone that has joined the room."""
    async with few:
        heard = Heard(await connected(address))
        phone = Phone(number)
        await phone.join(heard, code)
        heard.came.clear()
        return phone, heard


async def wait(phone: Phone, heard: Heard, until: float) -> tuple[list[float], int]:
    """Poll as the browser does; milliseconds of each answer, and the bytes of the last."""
    waits, n_bytes = [], 0
    await asyncio.sleep(random.uniform(0, POLL_S))
    while time.perf_counter() < until:
        start = time.perf_counter()
        n_bytes = await phone.poll(heard)
        waits.append(1e3 * (time.perf_counter() - start))
        heard.came.clear()
        await asyncio.sleep(POLL_S)
    return waits, n_bytes


async def class_of(address: str, pid: int, rooms, n: int, seconds: float) -> None:
    """Open a room, let the phones join, and let them wait."""
    teacher, few = Visitor(), asyncio.Semaphore(AT_ONCE)
    async with connected(address) as socket:
        await teacher.run(socket)
        await teacher.press(socket, "share")
        await teacher.press(socket, "vote_open")
        with rooms.file.read() as db:
            ((code,),) = db.execute("SELECT code FROM rooms").fetchall()
        phones = await asyncio.gather(*(joined(address, code, k + 1, few) for k in range(n)))
        start, used = time.perf_counter(), cpu_s(pid)
        heard = await asyncio.gather(*(wait(*phone, start + seconds) for phone in phones))
        took, used = time.perf_counter() - start, cpu_s(pid) - used
    waits = [ms for ones, _ in heard for ms in ones]
    errors = [error for phone, _ in phones for error in phone.errors]
    most = max(n_bytes for _, n_bytes in heard) / 1e3
    cost = f"{used / took:.2f} of a core, {1e3 * used / len(waits):.1f} ms each"
    print(f"{n} phones: {len(waits) / took:.0f} polls a second take {cost}; p95 {percentile(waits, 0.95):.0f} ms, {most:.1f} kB")
    print(f"{len(errors)} errors {errors[:1] or ''}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--phones", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=20)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TOKEN_BY_TOKEN_ROOMS"] = folder
        with process(ROOT / "streamlit_app.py") as (address, pid):
            asyncio.run(class_of(address, pid, Rooms(Path(folder)), asked.phones, asked.seconds))
