"""A lesson is a folder, its page and a line: built in a copy of the project it opens, is in the map, and the suite passes with it."""

import os
import re
import shutil
import subprocess
import sys

import pytest
from app_pages import ROOT

from pages.app.course import IN_THE_MENU

LESSON = '''"""A greeting."""

from pages.lessons.greeting import steps
from pages.parts.lesson.lesson import Lesson

LESSON = Lesson(
    "How does one greet?",
    (steps.say, steps.goodbye),
    title="A greeting",
    icon="waving_hand",
    on_the_map="Does it greet?",
    given=steps.given,
)
'''
STEPS = '''"""What one says."""

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
PAGE = '''"""The page of the lesson in pages/lessons/greeting."""

from pages.lessons.greeting import LESSON

LESSON.show()
'''
VISIT = '''"""The greeting, as a visitor finds it."""

from app_pages import alone, application, press, ran


def test_a_greeting_is_in_the_map():
    at = application()
    at.query_params["steps"] = "all"
    ran(at)
    shown = [*(e.value for e in at.caption), *(link.proto.help for link in at.get("page_link"))]
    assert "Does it greet?" in shown


def test_a_greeting_opens_as_its_link_says_and_goes_on():
    at = alone("greeting")
    at.query_params.clear()
    at.query_params["greetings"] = "3"
    ran(at)
    assert [m.value.strip() for m in at.markdown][-1] == "Hello. Hello. Hello."
    press(at, "slide_next")
    assert [m.value for m in at.markdown][-1] == "Goodbye."
'''


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The project with one lesson more."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("engine", "pages", "tests", ".streamlit"):
        shutil.copytree(ROOT / name, folder / name)
    for name in ("streamlit_app.py", "pyproject.toml", "README.md", "requirements.txt"):
        shutil.copy(ROOT / name, folder)
    (folder / "pages/lessons/greeting").mkdir()
    (folder / "pages/lessons/greeting/__init__.py").write_text(LESSON)
    (folder / "pages/lessons/greeting/steps.py").write_text(STEPS)
    (folder / "pages/greeting.py").write_text(PAGE)
    course = folder / "pages/app/course.py"
    section, listed = '"Check yourself": (', course.read_text("utf-8")
    assert listed.count(section) == 1
    course.write_text(listed.replace(section, section + '"greeting", '))
    (folder / "tests/test_greeting.py").write_text(VISIT)
    return folder


@pytest.fixture(scope="module")
def done(copy):
    """What the visit said, and the tests that go through all lessons or sources, in one process.

    What needs a browser or a server is left out, and what the notes of each other lesson hold.
    """
    every = [path.relative_to(copy).as_posix() for path in copy.glob("tests/**/test_*.py") if "browser" not in path.parts]
    walks = [file for file in every if "LESSONS" in (copy / file).read_text("utf-8") and file != "tests/test_server.py"]
    notes = "test_notes and not (note_explains or on_the_story)"
    chosen = f"greeting or ({notes}) or imports_holds or sixteen_files or two_owners"
    sources = ("tests/test_greeting.py", "tests/test_layers.py", "tests/test_session_keys.py")
    asked = ("-m", "pytest", "-q", "-n0", "-rA", "--assert=plain", "-k", chosen, *sources, *walks)
    tables = {"HYPOTHESIS_STORAGE_DIRECTORY": str(ROOT / ".hypothesis")}  # of letters, which take seconds to make
    return subprocess.run(
        [sys.executable, *asked], cwd=copy, env=os.environ | tables, capture_output=True, text=True, timeout=300
    )


def test_a_lesson_is_a_folder_a_page_and_a_line(done):
    assert len(re.findall(r"^PASSED tests/test_greeting", done.stdout, re.M)) == 2, done.stdout[-3000:]


def test_the_tests_that_go_through_all_lessons_find_it_and_pass(done):
    """It has no notes, no notebook and no figure of its own."""
    assert done.returncode == 0, done.stdout[-3000:]
    assert len(re.findall(r"^PASSED .*\[greeting", done.stdout, re.M)) > 30


def test_each_lesson_of_the_menu_has_its_folder_and_its_page():
    folders = {path.parent.name for path in ROOT.glob("pages/lessons/*/__init__.py")}
    assert folders == {path.stem for path in ROOT.glob("pages/*.py")} == set(IN_THE_MENU)
