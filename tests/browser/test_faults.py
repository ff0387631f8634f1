"""What happens to a visit between clicks: the server is killed, the laptop sleeps, the network goes, a tab is opened twice."""

import json
import os
import signal
import socket
import threading
import time
from contextlib import ExitStack, closing, suppress

import pytest
from driving import ROOT, free_port, process, settled
from reading import drawn_texts, problems, says, texts, until

SESSION_S = 1  # that the server keeps a session whose browser has gone; a minute otherwise
NOTICED_S = 1  # until the server has seen that the line is cut, from when on the session's time runs
MOST_S = 60  # for a page to stand while five others do on the same machine
OTHER = {
    "model_type": "llama", "num_hidden_layers": 3, "hidden_size": 64, "num_attention_heads": 4, "vocab_size": 99,
    "intermediate_size": 128, "max_position_embeddings": 4096, "_name_or_path": "brought/along",
}  # fmt: skip


class Server:
    """The application on one port, which can be killed and started again."""

    def __init__(self, stack):
        self.stack, self.port = stack, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self):
        options = ("--server.disconnectedSessionTTL", str(SESSION_S))
        _, self.pid = self.stack.enter_context(process(ROOT / "streamlit_app.py", *options, port=self.port))

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
                far = socket.create_connection(("127.0.0.1", self.port)) if self.whole else None
                if far is None:
                    near.close()
                    continue
                self.ends += [near, far]
                for pair in ((near, far), (far, near)):
                    threading.Thread(target=self._pass_on, args=pair, daemon=True).start()

    @staticmethod
    def _pass_on(source, target):
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        for end in (source, target):
            break_off(end)


@pytest.fixture(scope="module")
def server(browser):
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

    def open_page(address, wait=True, without=None):
        page = context_of().new_page()
        pages.append(page)
        page.on("pageerror", lambda error: wrong.append(str(error)))
        if without:
            page.route(*without)
        page.goto(address)
        if wait:
            settled(page, MOST_S)
        return page

    yield open_page
    for page in pages:
        page.context.set_offline(False)
        page.close()
    assert wrong == []


@pytest.fixture(params=["the server is killed and started again", "the line is cut for longer than the session lives"])
def fault(request, server, line):
    """An address to visit, and what breaks the visits of these pages and mends them again."""

    def killed(*pages):
        before = [visit_of(page) for page in pages]
        server.kill()
        lost(pages)
        server.start()
        taken_up(pages, before)

    def asleep(*pages):
        before = [visit_of(page) for page in pages]
        line.cut()
        lost(pages)
        time.sleep(SESSION_S + NOTICED_S)
        line.mend()
        taken_up(pages, before)

    return (server.address, killed) if "killed" in request.param else (line.address, asleep)


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
    page.locator(f".st-key-{key} button").click()


def move(page, key):
    page.locator(".st-key-value_2 input[type=range]").focus()
    page.keyboard.press(key)


def to_step_four(visit, address):
    """A visitor who opened a link at step 3 and went on to step 4."""
    page = visit(f"{address}/decode?step=3")
    press(page, "step_next")
    until(page, lambda: page.url, "step=4")
    settled(page)
    return page


def presented(visit, address):
    """A teacher who opened the presentation at step 1 and went on to step 2."""
    page = visit(f"{address}/decode?step=1&present=on")
    page.keyboard.press("ArrowRight")
    until(page, lambda: page.url, "step=2")
    return page


def paste(page):
    """Bring a model along, and leave the page on which its text stands."""
    page.locator("textarea").fill(json.dumps(OTHER))
    page.get_by_role("button", name="Use this model").click()
    until(page, lambda: page.url, "model=pasted")
    page.locator("[data-testid=stSidebarNavLink][href$='/roofline']").click()
    page.wait_for_url("**/roofline?**")


def test_a_visit_goes_on_where_it_stood(visit, fault):
    """The browser sends the link that was opened with the first click, because Streamlit does not see what we write into the
    address bar: step 4 became step 3 and the address was written over. A pasted model was forgotten.
    """
    address, broken = fault
    alone, shown = to_step_four(visit, address), presented(visit, address)
    brought = visit(f"{address}/memory?context=4096&slide=5")
    paste(brought)
    settled(brought)
    other = visit(f"{address}/attention?values=1,2,3,4")
    move(other, "End")
    until(other, lambda: other.url, "values=1,2,100,4")
    broken(alone, shown, brought, other)
    assert "step=4" in alone.url and "step=2" in shown.url
    assert "brought/along" in brought.locator(".st-key-extra_model").inner_html() and "model=pasted" in brought.url

    press(alone, "step_next")
    until(alone, lambda: alone.url, "step=5")
    says(alone, "stepper_step", "Step 5")
    shown.keyboard.press("ArrowRight")
    until(shown, lambda: shown.url, "step=3")
    assert "present=on" in shown.url
    move(other, "Home")
    until(other, lambda: other.url, "values=1,2,-20,4")
    alone.locator("[data-testid=stSidebarNavLink][href$='/cache']").click()
    alone.wait_for_url("**/cache")  # whose step is its own
    settled(alone)
    alone.go_back()
    alone.wait_for_url("**/decode?**")
    settled(alone)
    until(alone, lambda: alone.url, "step=5")
    alone.reload()
    settled(alone)
    says(alone, "stepper_step", "Step 5")


def test_a_short_interruption_changes_nothing(visit, server):
    """Offline and back before the session has ended: the visit is the same one, and what it holds wins over the address."""
    with closing(Line(server.port)) as line:
        page = to_step_four(visit, line.address)
        line.cut()
        line.mend()
        found(page)
        press(page, "step_next")
        until(page, lambda: page.url, "step=5")


def test_offline_and_back(visit, server):
    """No network at all, as the browser itself sees it; figures and words stay on the page, and then it goes on."""
    page = to_step_four(visit, server.address)
    before = texts(page)
    page.context.set_offline(True)
    page.wait_for_function("!navigator.onLine")
    assert drawn_texts(page) == before
    page.context.set_offline(False)
    found(page)
    press(page, "step_next")
    until(page, lambda: page.url, "step=5")


def test_two_tabs_are_two_visits(visit, server):
    one = to_step_four(visit, server.address)
    two = visit(one.url)
    press(two, "step_back")
    until(two, lambda: two.url, "step=3")
    press(one, "step_next")
    until(one, lambda: one.url, "step=5")
    says(two, "stepper_step", "Step 3")


def test_back_and_forward_through_links_typed_into_the_address_bar(visit, server):
    page = visit(f"{server.address}/decode?step=3")
    page.goto(f"{server.address}/attention?values=1,2,3,4")
    settled(page)
    page.go_back()
    settled(page)
    says(page, "stepper_step", "Step 3")
    page.go_forward()
    settled(page)
    until(page, lambda: page.url, "values=1,2,3,4")
    assert problems(page) == []


def test_on_a_slow_line_the_words_come_before_the_library_that_draws(visit, server):
    """plotly.js is the largest part of a first visit: 1.4 of 2.4 MB. What can be read does not wait for it."""
    held = []
    page = visit(server.address + "/decode", wait=False, without=("**/plotly-*.min.js", lambda route: held.append(route)))
    page.get_by_role("heading", level=1).wait_for()
    page.locator(".st-key-stepper_step").wait_for()
    assert page.locator(".tbt-plot svg").count() == 0
    press(page, "step_next")
    says(page, "stepper_step", "Step 1")
    until(page, lambda: "asked for" if held else "not yet", "asked for")
    held[0].continue_()
    settled(page)
    assert texts(page)


def test_a_figure_that_cannot_be_drawn_waits_for_the_sliders_before_it_says_so(visit, server):
    """What it tells runs the page again: told before the sliders' own script was there, all values became the lowest, −20."""
    held, refused = [], []

    def slow(route):
        if "/plotly-" in route.request.url:
            refused.append(route.abort())
        elif "/Slider" in route.request.url:
            held.append(route)
        else:
            route.continue_()

    page = visit(server.address + "/attention?slide=2", wait=False, without=("**/*.js", slow))
    until(page, lambda: bool(held and refused), True)
    page.evaluate("() => new Promise((over) => setTimeout(over, 300))")  # it looks every 60 ms whether it may say so
    for route in held:
        route.continue_()
    page.locator(".stPlotlyChart svg text", has_text="15.3").first.wait_for(timeout=60_000)
    values = page.locator(".stMain input[type=range]").evaluate_all("(sliders) => sliders.map((slider) => slider.value)")
    assert values[:4] == ["10", "20", "1", "5"]


def test_links_whose_script_is_late_hold_the_place_that_they_will_take(visit, server):
    """Their grey places were higher than the links: the page scrolled, and jumped when they came."""
    held = []
    page = visit(server.address + "/overview?slide=3", wait=False, without=("**/PageLink*.js", lambda route: held.append(route)))
    waiting, place = page.locator(".st-key-lesson_map [data-testid=stSkeleton]"), page.locator(".st-key-lesson_map").last
    until(page, lambda: waiting.count() >= 10, True)
    page.locator(".st-key-slide_next").wait_for()
    page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    before = place.bounding_box()["height"]
    for route in held:
        route.continue_()
    settled(page)
    assert waiting.count() == 0 and place.locator("a").count() >= 10
    assert abs(place.bounding_box()["height"] - before) <= 24  # a place does not know that a title has two lines
