"""The frame around every lesson: the menu that names them in order, the page that is asked for, the address bar.

Every way in ends here: the root, a deep link on a fresh server, a page change, the browser's back button.
"""

import runpy
from itertools import chain
from pathlib import Path

import streamlit as st

from pages.app import answered, reconnect
from pages.app.contents import contents
from pages.lessons.start.steps import PARAMETERS
from pages.parts.controls import editor
from pages.parts.lesson.cell_links import follow_links
from pages.parts.lesson.handout import of_route, whole_route
from pages.parts.lesson.lesson import enter
from pages.parts.sharing import turns
from pages.parts.teaching.notes import follow
from pages.parts.visit import address, answers, locks, scenario
from pages.parts.visit.class_link import narrowed
from pages.parts.visit.display import ask_the_browser, handout, presenting
from pages.parts.visit.parameters import DECLARED
from pages.parts.vote import here as vote
from pages.parts.vote import phone, teacher

PAGES = Path(__file__).resolve().parents[1]
DEFAULT = "start"
REFERENCE = ("glossary",)  # pages that no lesson leads to
FIRST = "overview"  # the lesson that stood at the root before: links of that time open it
READ, WRITE, KEEP, BEYOND = (
    "Prefill: read the prompt",
    "Decode: write the answer",
    "KV cache: compute nothing twice",
    "Further on",
)
# Of each lesson: its file, its title, its icon, the part of the story that it tells, and the question it answers; the overview
# shows the last two. A new lesson is one line here.
LESSONS = {
    "": [
        ("start", "Token by Token", "play_circle", "", ""),
    ],
    "The story": [
        ("overview", "One prompt, two phases", "flag", "", "What happens between Enter and the answer?"),
        ("rules", "Head rules by hand", "rule", READ, "What does a head make of what it sees? By hand."),
        ("attention", "Scores, mask, softmax", "grid_on", READ, "The same as arithmetic: scores, mask, softmax."),
        ("prefill", "All at once", "bolt", READ, "How can a whole prompt be read in one pass?"),
        ("logits", "From contexts to a word", "bar_chart", READ, "How do a few numbers become a word?"),
        ("decode", "Decode, one row", "last_page", WRITE, "What does one more word cost?"),
        ("cache", "Build the cache, break it", "inventory_2", KEEP, "What is kept, why it stays true, and how to break it."),
        ("counting", "Counting the work", "calculate", KEEP, "What the cache saves, and what it does not."),
    ],
    "A trained model": [
        ("inside", "A trained model, inside", "neurology", BEYOND, "What do learned heads look at?"),
        ("generate", "Generate, on the clock", "timer", BEYOND, "What does the cache save, on the clock?"),
    ],
    "How it is really kept": [
        ("paging", "Pages and shared beginnings", "auto_stories", KEEP, "How do servers keep many caches at once?"),
        ("second_turn", "The second turn of a chat", "forum", KEEP, "What does the next message cost?"),
        ("less", "Keep less", "compress", BEYOND, "What if the cache keeps less?"),
        ("tiles", "Tiles", "grid_view", BEYOND, "How is attention run without its matrix?"),
    ],
    "On real hardware": [
        ("memory", "How big is the cache?", "memory", BEYOND, "Bytes of real models on real devices."),
        ("roofline", "Why decode waits for memory", "speed", BEYOND, "Which takes longer, computing or fetching?"),
        ("serverlog", "Read your server’s log", "receipt_long", BEYOND, "Does what a server prints add up?"),
        ("bridge", "The bridge", "conversion_path", BEYOND, "What carries over from four tokens to real models?"),
    ],
    "Check yourself": [
        ("claims", "Claims court", "gavel", BEYOND, "True, true with a caveat, or wrong?"),
        ("quiz", "Quiz", "quiz", BEYOND, "Can you work it out yourself?"),
        ("glossary", "Words and sources", "menu_book", "", ""),
    ],
}

st.set_page_config(
    page_title="Token by Token", page_icon=str(PAGES / "app" / "icon.svg"), layout="wide", initial_sidebar_state=290
)

st.html(Path(__file__).with_name("frame.css"))
reconnect.go_on()
vote.enter()

state = st.session_state
if "sections" not in state:  # made once a visit: to find 14 files takes a tenth of a rerun
    state["sections"] = {
        section: [
            st.Page(
                PAGES / f"{name}.py",
                title=title,
                icon=f":material/{icon}:",
                default=name == DEFAULT,
                url_path=name if name != DEFAULT else "root",
            )
            for name, title, icon, *_ in lessons
        ]
        for section, lessons in LESSONS.items()
    }
    # The first screen lives at the root. Its own name must lead there too, or Streamlit says "Page not found".
    state["by_name"] = st.Page(PAGES / f"{DEFAULT}.py", url_path=DEFAULT, visibility="hidden")
    state["pages"] = {name: p for s, shown in LESSONS.items() for (name, *_), p in zip(shown, state["sections"][s], strict=True)}
    state["contents"] = contents()
    state["map"] = {}  # part of the story -> name -> question, which the overview shows
    for name, _, _, part, question in chain.from_iterable(LESSONS.values()):
        if part:
            state["map"].setdefault(part, {})[name] = question
page = st.navigation({**state["sections"], "By name": [state["by_name"]]}, expanded=True)
if page == state["by_name"]:
    scenario.current()  # reads the link, which changing the page clears
    st.switch_page(state["pages"][DEFAULT])
first = page == state["pages"][DEFAULT]
if first and set(st.query_params) - set(PARAMETERS):
    scenario.current()
    st.switch_page(state["pages"][FIRST])
order = [p for name, p in state["pages"].items() if name not in (DEFAULT, *REFERENCE)]  # one lesson leads to the next
at = order.index(page) if page in order else -1 if first else len(order)
state["here"] = page.url_path
state["beside"] = (order[at - 1] if 0 < at < len(order) else None, order[at + 1] if at + 1 < len(order) else None)
if by := state.pop("turn_page", 0):  # the last step's Next, the first step's Back
    state["turned"] = True
    st.switch_page(state["beside"][by > 0])
if (name := state.pop("open_lesson", "")) in state["pages"] and name != page.url_path:  # of another lesson
    state["turned"] = True
    st.switch_page(state["pages"][name])
enter(page.url_path)
answers.locked()  # what opens them leaves the address bar, whether or not this step asks anything


def side_bar() -> None:
    """The menu's counts, and the scenario's editor where the page is about it."""
    answered.tell_the_browser()
    if state.get("toy", True) and not (presenting() or narrowed() or locks.locked(locks.EDITOR)):
        with st.sidebar:
            editor.editor()


state["side_bar"] = side_bar  # a lesson draws it again when a move has been made
state["on_paper"] = bool(handout())
with turns.in_turn():
    if of_route():
        whole_route(lambda name: runpy.run_path(str(PAGES / f"{name}.py")))
    else:
        page.run()
    if handout() and not first:
        st.html(Path(__file__).with_name("handout.css"))
    elif presenting():
        st.html(Path(__file__).with_name("presented.css"))
    elif narrowed():
        st.html(Path(__file__).with_name("only.css"))
    address.publish(PARAMETERS if first else DECLARED, toy=not first, follow=follow)
    if first:
        side_bar()
    ask_the_browser()
    follow_links()
phone.bar()
vote.go_on()
teacher.code_dialog()
