"""The frame around every lesson: the menu that names them in order, the page that is asked for, the address bar.

Every way in ends here: the root, a deep link on a fresh server, a page change, the browser's back button.
"""

from pathlib import Path

import streamlit as st

from pages.parts import editor, scenario

PAGES = Path(__file__).resolve().parents[1]

st.set_page_config(page_title="Token by Token", page_icon=":material/grid_on:", layout="wide", initial_sidebar_state=270)

st.html(Path(__file__).with_name("frame.css"))

page = st.navigation(
    {
        "The story": [
            st.Page(PAGES / "attention.py", title="Scores, mask, softmax", icon=":material/grid_on:", default=True),
        ],
    }
)
page.run()
with st.sidebar:
    editor.editor()
scenario.publish()
