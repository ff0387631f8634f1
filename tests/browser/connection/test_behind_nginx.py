"""Two servers behind nginx, as README.md says to host it for a course, on two machines that share no folder: phones find the room
of their class, and one that is killed is noticed by nobody else."""

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from behind_nginx import NGINX, nginx
from driving import ROOT, process, settled, unseen
from reading import click, code_on, until

IS = ".st-key-value_2 input[type=range]"
pytestmark = pytest.mark.skipif(
    NGINX is None and os.environ.get("CI") != "true", reason="no nginx here: install it, or name it in NGINX_PROGRAM"
)  # with CI=true nothing may be left out


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """The address of nginx, and the process ids of the servers a and b behind it; the last test of the file kills one."""
    tmp_path = tmp_path_factory.mktemp("nginx")
    with ExitStack() as stack, ThreadPoolExecutor() as both:
        of_each = [{"TOKEN_BY_TOKEN_MACHINE": letter, "TOKEN_BY_TOKEN_ROOMS": str(tmp_path / letter)} for letter in "AB"]
        servers = [*both.map(lambda env: stack.enter_context(process(ROOT / "streamlit_app.py", env=env, warm=False)), of_each)]
        address = stack.enter_context(nginx(tmp_path, [url.rpartition(":")[2] for url, _ in servers]))
        yield address, [pid for _, pid in servers]


def names_a_process(context, address, letter):
    """From now on whoever connects says so in his cookie."""
    context.add_cookies([{"name": "tbt_process", "value": letter, "url": address}])


def visitor(context, address, letter):
    """A tab of a visitor of a process, and a value that has been moved in it."""
    names_a_process(context, address, letter)
    page = unseen(context.new_page())
    page.goto(f"{address}/attention")
    settled(page)
    page.locator(IS).focus()
    page.keyboard.press("End")
    until(page, lambda: page.url, "values=10,20,100,5")
    settled(page)
    return page


def visit_of(page):
    return page.locator(".st-key-reconnect [data-visit]").get_attribute("data-visit")


def test_phones_and_their_teacher_find_the_room_on_the_machine_where_it_was_opened(context_of, machines):
    address, _ = machines
    desks, phones = context_of(), context_of(user_agent="phone")
    names_a_process(desks, address, "b")
    desk = desks.new_page()
    desk.goto(f"{address}/attention")
    settled(desk)
    desk.locator(".st-key-share button").click()
    click(desk.locator(".st-key-vote_open button"))
    desk.locator(".tbt-room-code").wait_for()
    code = desk.locator(".tbt-room-code").inner_text()
    assert code[0] == "B"
    until(desk, lambda: code_on(desk).endswith(f"/?room={code}"), True)
    names_a_process(phones, address, "a")
    by_link = unseen(phones.new_page())
    by_link.goto(f"{address}/?room={code.lower()}")
    by_link.locator(".st-key-room_bar", has_text=code).wait_for()
    names_a_process(phones, address, "a")
    by_hand = unseen(phones.new_page())
    by_hand.goto(address)
    settled(by_hand)
    by_hand.get_by_label("Room code").fill(f"{code[:3]}-{code[3:]}")
    by_hand.get_by_label("Room code").press("Enter")
    by_hand.locator(".st-key-room_bar", has_text=code).wait_for()
    assert {cookie["name"]: cookie["value"] for cookie in phones.cookies()}["tbt_process"] == "b"
    by_hand.goto(f"{address}/?room=C{code[1:]}")  # no machine has this letter, and nobody is sent to and fro for it
    by_hand.get_by_text(f"has a room C{code[1:]}.").wait_for()
    settled(by_hand)
    by_hand.get_by_label("Room code").wait_for()
    names_a_process(desks, address, "a")  # as if the teacher's browser had been started anew
    again = unseen(desks.new_page())
    again.goto(address)
    again.locator(".st-key-back_door button", has_text=code).first.click()
    until(again, lambda: "/attention" in again.url, True)
    again.locator(".st-key-predict_values", has_text="have answered").wait_for()
    for page in (desk, again, by_link, by_hand):
        page.close()
    for context in (desks, phones):
        context.clear_cookies()


def test_a_killed_processs_visitors_go_on_with_the_other_and_nobody_else_notices(context_of, machines):
    address, pids = machines
    context = context_of()
    ours, theirs = (visitor(context, address, letter) for letter in "ab")
    before = visit_of(ours), visit_of(theirs)
    names_a_process(context, address, "a")
    os.kill(pids[0], signal.SIGKILL)
    ours.locator(f".st-key-reconnect [data-visit]:not([data-visit='{before[0]}'])").wait_for(state="attached", timeout=60_000)
    settled(ours)
    assert ours.locator(IS).input_value() == "100" and "values=10,20,100,5" in ours.url
    for page in (ours, theirs):
        page.locator(IS).focus()
        page.keyboard.press("Home")
        until(page, lambda page=page: page.url, "values=10,20,-20,5")
    assert visit_of(theirs) == before[1]
    for page in (ours, theirs):
        page.close()
    context.clear_cookies()
