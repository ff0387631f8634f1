"""Eighteen phones that speak the browser's protocol, at two server processes that share one file, one of which is started when an answer
is in it: nothing lost, nothing counted twice, no answer before the reveal; and of a process that is killed the other has all."""

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
N = 18


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


async def said_before(address, code, option):
    """Phone 1 answers, and its tab is closed."""
    phone = Phone(1)
    async with connected(address) as socket:
        heard = Heard(socket)
        await phone.join(heard, code)
        await phone.say(heard, option)


async def a_class(address, another, rooms):
    """At the server of this address; the one that `another` starts finds a room in which somebody has answered."""
    teacher = Visitor()
    done = asyncio.Barrier(N + 1)
    rng = random.Random(7)
    said = [(rng.choice(OPTIONS), rng.choice(OPTIONS)) for _ in range(N)]
    async with connected(address) as socket:
        await teacher.run(socket)
        await teacher.press(socket, "share")
        await teacher.press(socket, "vote_open")
        with rooms.file.read() as db:
            ((code,),) = db.execute("SELECT code FROM rooms").fetchall()
        question = rooms.room(code).asking
        assert question
        await said_before(address, code, said[0][0])
        addresses = address, await asyncio.to_thread(another)
        assert rooms.answers(code, question) == [said[0][0]]
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
    return addresses[1], code, question, said


async def came_back(address, code, last):
    """What phone 1 finds at the other server, where it has never been."""
    phone = Phone(1)
    async with connected(address) as socket:
        heard = Heard(socket)
        await phone.join(heard, code)
        return any(WHY in data for data in heard.came), any(f"You predicted {last}".encode() in data for data in heard.came)


def test_eighteen_phones_at_two_processes_and_one_that_is_killed(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKEN_BY_TOKEN_ROOMS", str(tmp_path))
    rooms = Rooms(tmp_path)
    with ExitStack() as stack:
        started = [stack.enter_context(process(ROOT / "streamlit_app.py", warm=False))]

        def another():
            started.append(stack.enter_context(process(ROOT / "streamlit_app.py", warm=False)))
            return started[1][0]

        second, code, question, said = within(a_class(started[0][0], another, rooms))
        os.kill(started[0][1], signal.SIGKILL)
        last = said[0][1]
        assert within(came_back(second, code, last)) == (True, last != "none")
        os.kill(started[1][1], signal.SIGKILL)
        rooms.file.disconnect()
        assert Counter(Rooms(tmp_path).answers(code, question)) == Counter(last for _, last in said)  # as a new process reads it
    rooms.file.disconnect()
