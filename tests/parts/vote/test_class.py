"""Thirty phones that speak the browser's protocol, at two server processes that share one file: nothing lost, nothing counted twice,
no answer before the reveal; and a process that is killed meanwhile has lost nothing."""

import asyncio
import os
import random
import signal
from collections import Counter
from contextlib import ExitStack

from driving import ROOT, process
from threads import within
from visitors import Heard, Phone, Visitor, connected

from pages.parts.vote.rooms import Rooms

WHY = b"Weights come from queries and keys"
OPTIONS = ("none", "one", "all in its column", "all")
N = 30


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
        code, question, said = within(a_class([address for address, _ in servers], rooms))
        for _, pid in servers:
            os.kill(pid, signal.SIGKILL)
        with process(ROOT / "streamlit_app.py") as (address, _):
            assert len(rooms.answers(code, question)) == N
            last = said[0][1]
            assert within(came_back(address, code, last)) == (True, last != "none")
    rooms.file.disconnect()
