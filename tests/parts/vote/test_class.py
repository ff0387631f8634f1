"""Thirty phones that speak the browser's protocol, at two server processes that share one file: nothing lost, nothing counted twice,
no answer before the reveal; and a process that is killed meanwhile has lost nothing."""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from contextlib import ExitStack

from benchmarks.load import EVENT, Visitor, connected
from driving import ROOT, process
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from pages.parts.vote.rooms import Rooms

WHY = b"Weights come from queries and keys"
OPTIONS = ("none", "one", "all in its column", "all")
N = 30


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


async def on_a_phone(address, code, number, first, last, done):
    """A student: joins, answers, thinks again, taps twice; every third reloads the page in between. Waits for the reveal."""
    phone = Phone(number)
    await asyncio.sleep(random.uniform(0, 2))
    if number % 3 == 0:
        async with connected(address) as socket:
            heard = Heard(socket)
            await phone.join(heard, code)
            await phone.say(heard, first)
            assert not any(WHY in data for data in heard.came)
        phone = Phone(number)
    async with connected(address) as socket:
        heard = Heard(socket)
        await phone.join(heard, code)
        for option in (first, last, last):
            await phone.say(heard, option)
        assert phone.errors == [] and any(b"Your answer is in" in data for data in heard.came)
        n_bytes = await phone.poll(heard)
        assert not any(WHY in data for data in heard.came)
        await done.wait()
        await done.wait()  # the teacher has revealed it
        await phone.poll(heard)
        assert any(WHY in data for data in heard.came) and phone.errors == []
    return n_bytes


async def a_class(addresses, rooms):
    teacher = Visitor()
    done = asyncio.Barrier(N + 1)
    rng = random.Random(7)
    said = [(rng.choice(OPTIONS), rng.choice(OPTIONS)) for _ in range(N)]
    async with connected(addresses[0]) as socket:
        await teacher.run(socket)
        await teacher.press(socket, "share")
        await teacher.press(socket, "vote_open")
        with rooms.file.read() as db:
            ((code,),) = db.execute("SELECT code FROM rooms").fetchall()
        question = rooms.room(code).asking
        assert question
        phones = [asyncio.create_task(on_a_phone(addresses[k % 2], code, k + 1, *said[k], done)) for k in range(N)]
        joined = asyncio.create_task(done.wait())
        await asyncio.wait([joined, *phones], return_when=asyncio.FIRST_COMPLETED)
        failed = [phone.exception() for phone in phones if phone.done()]
        assert failed == []
        assert Counter(rooms.answers(code, question)) == Counter(last for _, last in said)
        await teacher.press(socket, "reveal_values")
        await done.wait()
        n_bytes = await asyncio.gather(*phones)
    assert max(n_bytes) < 6000 and teacher.errors == []
    return code, question, said


async def came_back(address, code, last):
    """What phone 1 finds at a server that has just started."""
    phone = Phone(1)
    async with connected(address) as socket:
        heard = Heard(socket)
        await phone.join(heard, code)
        return any(WHY in data for data in heard.came), any(f"You predicted {last}".encode() in data for data in heard.came)


def test_thirty_phones_at_two_processes_and_one_that_is_killed(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path))
    rooms = Rooms(tmp_path)
    with ExitStack() as stack:
        servers = [stack.enter_context(process(ROOT / "streamlit_app.py")) for _ in "ab"]
        code, question, said = asyncio.run(a_class([address for address, _ in servers], rooms))
        for _, pid in servers:
            os.kill(pid, signal.SIGKILL)
        with process(ROOT / "streamlit_app.py") as (address, _):
            assert len(rooms.answers(code, question)) == N
            last = said[0][1]
            assert asyncio.run(came_back(address, code, last)) == (True, last != "none")
    rooms.file.disconnect()
