"""A lesson is one folder, one page and one line in the frame: built in a copy of the project it opens and is in the map."""

import re
import shutil
import subprocess
import sys

from app_pages import ROOT

STEPS = '''"""A greeting."""

import streamlit as st

from pages.parts.lesson.lesson import step
from pages.parts.visit.parameters import Whole

TIMES = Whole("greetings", low=1, high=5, default=2)


def given():
    return (TIMES.value(),)


@step("Say it")
def say(n):
    TIMES.slider("How often?")
    st.markdown("Hello. " * n)


@step("Say goodbye")
def goodbye(n):
    st.markdown("Goodbye.")
'''
PAGE = '''"""A lesson that greets."""

from pages.lessons.greeting import steps
from pages.parts.lesson.lesson import lesson

lesson("How does one greet?", steps.say, steps.goodbye, given=steps.given)
'''
VISIT = """
from streamlit.testing.v1 import AppTest

at = AppTest.from_file("streamlit_app.py", default_timeout=120)
at.query_params["steps"] = "all"
at.run()
assert not at.exception, at.exception[0].value
shown = [*(e.value for e in at.caption), *(link.proto.help for link in at.get("page_link"))]
assert "Does it greet?" in shown, shown
at = AppTest.from_file("pages/greeting.py", default_timeout=120)
at.query_params["greetings"] = "3"
at.run()
assert not at.exception, at.exception[0].value
assert [m.value.strip() for m in at.markdown][-1] == "Hello. Hello. Hello.", at.markdown
next(b for b in at.button if b.key == "slide_next").click()
at.run()
assert [m.value for m in at.markdown][-1] == "Goodbye."
print("greeted")
"""


def test_a_lesson_is_a_folder_a_page_and_a_line(tmp_path):
    for name in ("engine", "pages", "streamlit_app.py", ".streamlit"):
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(
            ROOT / name, tmp_path / name, **({"ignore": shutil.ignore_patterns("__pycache__")} if (ROOT / name).is_dir() else {})
        )
    (tmp_path / "pages/lessons/greeting").mkdir()
    (tmp_path / "pages/lessons/greeting/steps.py").write_text(STEPS)
    (tmp_path / "pages/greeting.py").write_text(PAGE)
    frame = tmp_path / "pages/app/frame.py"
    line = '    "Check yourself": [\n        ("greeting", "A greeting", "waving_hand", BEYOND, "Does it greet?"),'
    frame.write_text(re.sub(r'^    "Check yourself": \[$', line, frame.read_text("utf-8"), count=1, flags=re.M))
    (tmp_path / "visit.py").write_text(VISIT)
    done = subprocess.run([sys.executable, "visit.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert done.stdout.strip().endswith("greeted"), done.stderr[-3000:]
