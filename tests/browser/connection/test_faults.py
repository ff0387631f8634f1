"""What happens to a visit between clicks: the server is killed, the laptop sleeps, the network goes, a tab is opened twice."""

import json
import os
import re
import signal
import socket
import threading
import time
import urllib.request
from contextlib import ExitStack, closing, suppress

import pytest
from driving import ATTENTION, ROOT, free_port, process, settled, unseen
from reading import choose_lesson, click, drawn_texts, figures_as_text, menu, problems, says, texts, until

SESSION_S = 1  # that the server keeps a session whose browser has gone; a minute otherwise
MOST_S = 60  # for a page to stand while five others do on the same machine
OTHER = {
    "model_type": "llama", "num_hidden_layers": 3, "hidden_size": 64, "num_attention_heads": 4, "vocab_size": 99,
    "intermediate_size": 128, "max_position_embeddings": 4096, "_name_or_path": "brought/along",
    "too_long_for_a_link": list(range(10_000)),
}  # fmt: skip


class Server:
    """The application on one port, which can be killed and started again."""

    def __init__(self, stack):
        self.stack, self.port = stack, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.start(warm=True)

    def start(self, warm=False):
        options = ("--server.disconnectedSessionTTL", str(SESSION_S))
        _, self.pid = self.stack.enter_context(process(ROOT / "streamlit_app.py", *options, port=self.port, warm=warm))

    def connected(self):
        """How many browsers it has a connection to, as it says itself."""
        with urllib.request.urlopen(f"{self.address}/_stcore/metrics", timeout=20) as answer:
            return int(re.search(r"^active_sessions (\d+)", answer.read().decode(), re.M)[1])

    def kill(self):
        os.kill(self.pid, signal.SIGKILL)


def break_off(end):
    """Closed alone, a socket that another thread still reads from stays open, and the other side never hears of it."""
    with suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()


class Line:
    """A network line to a port, which can be cut: what runs over it breaks off, and nothing new comes through."""

    def __init__(self, port):
        self.port, self.whole, self.ends = port, True, []
        self.door = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self.door.getsockname()[1]}"
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self):
        self.whole = False
        for end in self.ends:
            break_off(end)
        self.ends.clear()

    def mend(self):
        self.whole = True

    def close(self):
        self.door.close()
        self.cut()

    def _serve(self):
        with suppress(OSError):
            while True:
                near, _ = self.door.accept()
                far = self._far_end()
                if far is None:
                    near.close()
                    continue
                self.ends += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    def _far_end(self):
        """The other end; None while the line is cut or nobody is there."""
        with suppress(OSError):
            return socket.create_connection(("127.0.0.1", self.port)) if self.whole else None

    @staticmethod
    def _pass_on(source, target):
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            break_off(end)


@pytest.fixture(scope="module")
def server(browser):
    """One that nobody has visited before the first test of this file."""
    with ExitStack() as stack:
        yield Server(stack)


@pytest.fixture(scope="module")
def line(server):
    with closing(Line(server.port)) as line:
        yield line


@pytest.fixture
def visit(context_of):
    """Opens an address as a new visitor. A broken connection is told on the console; a script that fails is a fault of ours."""
    pages, wrong = [], []

    def open_page(address):
        page = unseen(context_of().new_page())
        pages.append(page)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        settled(page, MOST_S)
        return page

    yield open_page
    for page in pages:
        page.context.set_offline(False)
        page.close()
    assert wrong == []


def lost(pages):
    for page in pages:
        page.locator("[data-test-connection-state]:not([data-test-connection-state=CONNECTED])").wait_for(timeout=20_000)


def visit_of(page):
    return page.locator(".st-key-reconnect [data-visit]").get_attribute("data-visit")


def taken_up(pages, before):
    """Wait until a new session has answered, and has gone on from there."""
    for page, visit in zip(pages, before, strict=True):
        selector = f".st-key-reconnect [data-visit]:not([data-visit='{visit}'])"
        page.locator(selector).wait_for(state="attached", timeout=1000 * MOST_S)
        settled(page, MOST_S)


def found(page):
    """Wait until the connection stands again."""
    page.locator("[data-test-connection-state=CONNECTED]").wait_for(timeout=30_000)
    settled(page)


def press(page, key):
    click(page.locator(f".st-key-{key} button"))


def move(page, key):
    settled(page)
    page.locator(".st-key-value_2 input[type=range]").focus()
    page.keyboard.press(key)


def to_step_four(visit, address):
    """A visitor who opened a link at step 3 and went on to step 4."""
    page = visit(f"{address}/decode?step=3")
    press(page, "step_next")
    until(page, lambda: page.url, "step=4")
    settled(page)
    return page


def presented_in_another_tab(visit, one):
    """A teacher who opened the same link in a second tab, went back to step 3 and presented it: two tabs are two visits."""
    two = visit(one.url)
    press(two, "step_back")
    until(two, lambda: two.url, "step=3")
    settled(two)
    two.keyboard.press("p")
    two.locator(".st-key-presented").wait_for()
    until(two, lambda: two.url, "present=on")
    press(one, "step_next")
    until(one, lambda: one.url, "step=5")
    says(two, "stepper_step", "Step 3")
    press(one, "step_back")
    until(one, lambda: one.url, "step=4")
    settled(one)
    return two


def with_a_model_of_his_own(visit, address):
    """A visitor who has brought a model along and left the page on which its text stands."""
    page = visit(f"{address}/memory?context=4096")
    page.get_by_text("config.json").click()
    page.locator("textarea").fill(json.dumps(OTHER))
    page.get_by_role("button", name="Use this model").click()
    until(page, lambda: page.url, "model=pasted")
    choose_lesson(page, "/roofline")
    page.wait_for_url("**/roofline?**")
    settled(page)
    return page


def with_values_of_his_own(visit, address):
    """A visitor who has changed a value of the link that he opened."""
    page = visit(f"{address}/attention?values=1,2,3,4")
    move(page, "End")
    until(page, lambda: page.url, "values=1,2,100,4")
    return page


def test_a_shared_link_is_the_first_visit_of_a_fresh_server(visit, line, address):
    """Streamlit shows such a visitor a menu of its own, without the frame, when the frame's script lies beside pages/."""
    link = f"{ATTENTION}?tokens=Lunch,today,is,so&values=40,20,1,5&rules=even,self,first,all&steps=all"
    shared = visit(line.address + link)
    again = visit(address + link)  # a server that has been visited, another machine
    assert menu(shared) == menu(again) and len(menu(again)) > 20
    assert shared.title() == again.title()
    assert shared.url == line.address + link
    assert problems(shared) == []
    assert figures_as_text(shared) == figures_as_text(again) and "Lunch" in "".join(figures_as_text(shared))
    assert shared.locator("h1").inner_text() == again.locator("h1").inner_text()


def test_a_visit_goes_on_where_it_stood(visit, server, line):
    """The browser sends the link that was opened with the first click, because Streamlit does not see what we write into the
    address bar: step 4 became step 3 and the address was written over. A pasted model was forgotten.
    """
    alone = to_step_four(visit, line.address)
    others = [presented_in_another_tab(visit, alone), with_a_model_of_his_own(visit, line.address)]
    pages = (alone, *others, with_values_of_his_own(visit, line.address))
    a_short_interruption_changes_nothing(alone, line)
    offline_and_back(pages)
    for fault in (cut_for_longer_than_a_session, killed_and_started_again):
        before = [visit_of(page) for page in pages]
        fault(pages, server, line)
        taken_up(pages, before)
        stands_where_it_stood(*pages)
    comes_back_to_where_it_stood(alone)
    links_typed_into_the_address_bar(pages[-1], line.address)


def a_short_interruption_changes_nothing(page, line):
    """Away and back before the session has ended: the visit is the same one, and what it holds wins over the address."""
    line.cut()
    line.mend()
    found(page)
    press(page, "step_next")
    until(page, lambda: page.url, "step=5")


def offline_and_back(pages):
    """No network at all, as the browser itself sees it; figures and words stay on the page, and then it goes on."""
    page = pages[0]
    before = texts(page)
    page.context.set_offline(True)
    page.wait_for_function("!navigator.onLine")
    assert drawn_texts(page) == before
    page.context.set_offline(False)
    for each in pages:
        found(each)
    press(page, "step_back")
    until(page, lambda: page.url, "step=4")
    settled(page)


def cut_for_longer_than_a_session(pages, server, line):
    line.cut()
    lost(pages)
    until(pages[0], server.connected, 0)  # it has noticed: from now on the sessions' time runs
    time.sleep(2 * SESSION_S)
    line.mend()


def killed_and_started_again(pages, server, line):
    server.kill()
    lost(pages)
    server.start()


def stands_where_it_stood(alone, shown, brought, other):
    """Every visit stands where it stood, and a press or a key takes it on from there, and back."""
    assert "step=4" in alone.url and "step=3" in shown.url
    until(brought, lambda: "brought/along" in brought.get_by_test_id("stMain").inner_text(), True)
    assert "model=pasted" in brought.url
    for press_for, step in (("step_next", 5), ("step_back", 4)):
        press(alone, press_for)
        until(alone, lambda step=step: alone.url, f"step={step}")
        says(alone, "stepper_step", f"Step {step}")
    for key, step in (("ArrowLeft", 2), ("ArrowRight", 3)):
        shown.keyboard.press(key)
        until(shown, lambda step=step: shown.url, f"step={step}")
        assert "present=on" in shown.url
    for key, value in (("Home", -20), ("End", 100)):
        move(other, key)
        until(other, lambda: other.url, f"values=1,2,{value},4")


def comes_back_to_where_it_stood(page):
    """From another lesson, whose step is its own, and after a reload."""
    settled(page)
    choose_lesson(page, "/cache")
    page.wait_for_url("**/cache")
    settled(page)
    page.go_back()
    page.wait_for_url("**/decode?**")
    settled(page)
    until(page, lambda: page.url, "step=4")
    page.reload()
    settled(page)
    says(page, "stepper_step", "Step 4")


def links_typed_into_the_address_bar(page, address):
    """Back and forward through them."""
    page.goto(f"{address}/decode?step=3")
    settled(page)
    page.go_back()
    settled(page)
    until(page, lambda: page.url, "values=1,2,100,4")
    page.go_forward()
    settled(page)
    says(page, "stepper_step", "Step 3")
    assert problems(page) == []
