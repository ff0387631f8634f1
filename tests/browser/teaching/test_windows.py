"""Which windows of one browser follow each other: a lesson and the notes that were opened beside it, and nobody else.

The script alone, in tabs without an application: a test says what is on screen in each and reads what it was told.
"""

from pathlib import Path

import pytest

from pages.parts.teaching.windows import OWN
from pages.parts.visit.components import STORAGE

SCRIPT = STORAGE + (Path(__file__).parents[3] / "pages/parts/teaching/windows.js").read_text("utf-8")
START = """async ([script, own]) => {
  const module = await import(`data:text/javascript,${encodeURIComponent(script)}`);
  [window.heard, window.answers] = [[], 0];
  window.teaches = (room, took) => module.default({ data: { own, room, took }, setTriggerValue: (name, value) => heard.push(value) });
  teaches("", "");
  window.line = new BroadcastChannel("token-by-token"); // what is asked on the same line is answered after all that was said before
  line.onmessage = ({ data }) => {
    if (data.kind === "asked") line.postMessage({ kind: "answered" });
    if (data.kind === "answered") answers += 1;
  };
}"""
ASK = """(others) => new Promise((done) => {
  window.answers = 0;
  const wait = () => (answers >= others ? done() : setTimeout(wait));
  line.postMessage({ kind: "asked" });
  wait();
})"""
MOST_STEPS = 4  # from what one window says to the last answer that it leads to
SHOW = """([path, query, heard]) => {
  window.tbtPlace = { path, query, heard, embedded: false };
  window.dispatchEvent(new Event("tbt-place"));
}"""


class Tab:
    """A tab with the script alone in it."""

    def __init__(self, page, others, path, **query):
        self.page, self.followed, self.seen, self.others = page, 0, 0, others
        page.route("**/*", lambda route: route.fulfill(status=200, content_type="text/html", body="<p>A tab"))
        self.open(path, **query)

    def open(self, path, **query):
        """Load the page: a new one, or the same one again."""
        self.page.goto("http://127.0.0.1:9/tab")
        self.page.evaluate(START, [SCRIPT, ",".join(OWN)])
        self.followed = self.seen = 0
        self.goes(path, **query)

    def teaches(self, room, took=""):
        """The server knows this tab as the teacher's of a room, which it took back by the act that is named."""
        self.page.evaluate("([room, took]) => teaches(room, took)", [room, took])

    def goes(self, path, **query):
        """Another step is drawn here, as this window's own choice."""
        self.page.evaluate(SHOW, [path, query, self.followed])

    def told(self):
        """The places that this tab was asked to go to since it was last read."""
        tabs = [page for page in self.others if not page.is_closed()]
        for page in tabs * MOST_STEPS:
            page.evaluate(ASK, len(tabs) - 1)
        messages = list({told["number"]: told for told in self.page.evaluate("heard")}.values())[self.seen :]  # each once
        self.seen += len(messages)
        return [f"{told['path']}?{told['search']}" for told in messages]

    def follows(self):
        """Draw where it was told to go to, as the server does; returns how the path is called."""
        (message,) = self.page.evaluate("heard")[-1:]
        self.followed = message["number"]
        self.goes(message["path"], **dict(part.split("=") for part in message["search"].split("&") if part), **self.own)

    own = {}


@pytest.fixture
def tab(context_of):
    """Opens tabs of one browser."""
    pages = []

    def opened(path, **query):
        pages.append(context_of().new_page())
        return Tab(pages[-1], pages, path, **query)

    yield opened
    for page in pages:
        page.close()


@pytest.fixture
def pair(tab):
    """A presented lesson, and its notes opened beside it."""
    return tab("/rules", slide="2", present="on"), tab("/rules", notes="on", slide="2")


def test_the_two_follow_each_other_and_who_follows_does_not_speak(pair):
    lesson, notes = pair
    lesson.goes("/rules", slide="3", present="on")
    assert notes.told() == ["/rules?slide=3"]
    notes.own = {"notes": "on"}
    notes.follows()
    assert lesson.told() == []
    notes.goes("/decode", notes="on")
    assert lesson.told() == ["/decode?"]
    lesson.followed = lesson.page.evaluate("heard.at(-1).number")
    lesson.goes("/decode", slide="1", present="on")  # what the server made of it; still no word
    assert notes.told() == []
    lesson.goes("/decode", slide="2", present="on")
    assert notes.told() == ["/decode?slide=2"]


def test_the_server_is_told_again_until_it_has_followed(pair):
    """A vote's panel asks to be drawn at the very same moment: Streamlit took the message for the panel's, and it was lost."""
    lesson, notes = pair
    notes.own = {"notes": "on"}
    lesson.goes("/rules", slide="3", present="on")
    assert notes.told() == ["/rules?slide=3"]
    notes.follows()
    times = "heard.filter((told) => told.search === 'slide=3').length"
    before = notes.page.evaluate(times)
    lesson.goes("/rules", slide="4", present="on")
    notes.page.wait_for_function("heard.filter((told) => told.search === 'slide=4').length > 1")
    assert notes.page.evaluate(times) == before


def test_a_tab_with_another_link_steers_neither(pair, tab):
    lesson, notes = pair
    third = tab("/rules", slide="3")
    third.goes("/decode", tokens="evil,words")
    third.goes("/rules", slide="2")  # where the two are
    third.goes("/cache")
    other_notes = tab("/decode", notes="on")
    other_notes.goes("/cache", notes="on")
    assert lesson.told() == notes.told() == []
    lesson.goes("/rules", slide="4", present="on")
    assert notes.told() == ["/rules?slide=4"] and third.told() == other_notes.told() == []


def test_a_second_lesson_with_the_same_link_stays_outside_while_the_first_is_open(pair, tab):
    lesson, notes = pair
    copy = tab("/rules", slide="2")
    assert copy.told() == []
    copy.goes("/cache")
    assert notes.told() == lesson.told() == []
    lesson.goes("/rules", slide="1")
    assert notes.told() == ["/rules?slide=1"] and copy.told() == []


def test_of_two_lessons_with_one_link_the_one_that_was_used_last_has_the_notes(tab):
    first, second = tab("/rules"), tab("/rules")
    first.page.keyboard.press("Shift")
    notes = tab("/rules", notes="on")
    assert notes.told() == []
    second.goes("/cache")
    assert notes.told() == []
    first.goes("/decode")
    assert notes.told() == ["/decode?"]


def test_a_reload_keeps_the_pair_and_a_new_lesson_takes_the_place_of_a_closed_one(pair, tab):
    lesson, notes = pair
    lesson.open("/rules", slide="3", present="on")
    assert notes.told() == ["/rules?slide=3"]
    notes.open("/rules", slide="3", notes="on")
    assert lesson.told() == []
    notes.goes("/rules", slide="4", notes="on")
    assert lesson.told() == ["/rules?slide=4"]
    lesson.page.close()
    again = tab("/rules", slide="4")
    assert again.told() == []
    notes.goes("/cache", notes="on")
    assert again.told() == ["/cache?"]


@pytest.mark.parametrize("lesson_is_open", [False, True])
def test_the_tab_that_takes_the_room_back_takes_the_lessons_place(pair, tab, lesson_is_open):
    lesson, notes = pair
    lesson.teaches("K7M2PQ")
    if not lesson_is_open:
        lesson.page.close()
    again = tab("/")
    again.goes("/rules", slide="2", present="on")
    assert notes.told() == []  # nobody's other window before it has the room
    again.teaches("K7M2PQ", took="1")
    again.goes("/rules", slide="2", present="on")  # where it stood: the notes may be elsewhere
    assert notes.told() == ["/rules?slide=2"]
    notes.goes("/cache", notes="on")
    assert again.told() == ["/cache?"]
    if lesson_is_open:
        lesson.goes("/decode")
        assert notes.told() == again.told() == lesson.told() == []


def test_another_room_takes_no_lessons_place_and_a_pair_is_that_of_the_notes_opened_last(pair, tab):
    lesson, notes = pair
    lesson.teaches("K7M2PQ")
    stranger = tab("/cache")
    stranger.teaches("AAAAAA", took="1")
    stranger.goes("/decode")
    assert notes.told() == []
    newer = tab("/rules", notes="on", slide="2")  # the teacher opens his notes once more
    again = tab("/cache")
    again.teaches("K7M2PQ", took="1")
    again.goes("/decode")
    assert newer.told() == ["/decode?"] and notes.told() == []


@pytest.mark.parametrize("alone", [{"handout": "questions"}, {"only": "on"}, {"room": "ABCDEF"}])
def test_a_sheet_an_embedded_step_and_a_phone_are_nobodys_other_window(alone, tab):
    notes, other = tab("/rules", notes="on"), tab("/rules", **alone)
    assert other.told() == []
    other.goes("/cache", **alone)
    assert notes.told() == []
