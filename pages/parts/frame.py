"""The frame around every lesson: the menu that names them in order, the page that is asked for, the address bar.

Every way in ends here: the root, a deep link on a fresh server, a page change, the browser's back button.
"""

from pathlib import Path

import streamlit as st

from pages.parts import editor, scenario, turns, widgets
from pages.parts.look import presenting

PAGES = Path(__file__).resolve().parents[1]
DEFAULT = "overview"
LESSONS = {
    "The story": [
        ("overview", "One prompt, two phases", "flag"),
        ("rules", "Head rules by hand", "rule"),
        ("attention", "Scores, mask, softmax", "grid_on"),
        ("prefill", "All at once", "bolt"),
        ("logits", "From contexts to a word", "bar_chart"),
        ("decode", "Decode, one row", "last_page"),
        ("cache", "Build the cache, break it", "inventory_2"),
        ("counting", "Counting the work", "calculate"),
    ],
    "A trained model": [
        ("inside", "A trained model, inside", "neurology"),
        ("generate", "Generate, with the clock running", "timer"),
    ],
    "On real hardware": [
        ("memory", "How big is the cache?", "memory"),
        ("roofline", "Why decode waits for memory", "speed"),
        ("bridge", "The bridge", "conversion_path"),
    ],
    "Check yourself": [
        ("claims", "Claims court", "gavel"),
    ],
}

st.set_page_config(
    page_title="Token by Token", page_icon=str(PAGES / "parts" / "icon.svg"), layout="wide", initial_sidebar_state=290
)

st.html(Path(__file__).with_name("frame.css"))

state = st.session_state
if "sections" not in state:  # made once a visit: to find 14 files takes a tenth of a rerun
    state["sections"] = {
        section: [
            st.Page(
                PAGES / f"{name}.py",
                title=title,
                icon=f":material/{icon}:",
                default=name == DEFAULT,
                url_path=name if name != DEFAULT else "start",
            )
            for name, title, icon in lessons
        ]
        for section, lessons in LESSONS.items()
    }
    # The first lesson lives at the root. Its own name must lead there too, or Streamlit says "Page not found".
    state["by_name"] = st.Page(PAGES / f"{DEFAULT}.py", url_path=DEFAULT, visibility="hidden")
    state["pages"] = {name: p for s, shown in LESSONS.items() for (name, *_), p in zip(shown, state["sections"][s], strict=True)}
page = st.navigation({**state["sections"], "By name": [state["by_name"]]}, expanded=True)
if page == state["by_name"]:
    scenario.current()  # reads the link, which changing the page clears
    st.switch_page(state["pages"][DEFAULT])
state["here"] = page.url_path
with turns.in_turn():
    page.run()
    if presenting():
        st.html(Path(__file__).with_name("presented.css"))
    else:
        order = [p for lessons in state["sections"].values() for p in lessons]
        widgets.next_lesson(order, order.index(page))
        if state.get("toy", True):
            with st.sidebar:
                editor.editor()
    scenario.publish()
