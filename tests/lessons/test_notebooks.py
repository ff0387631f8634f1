"""Every toy lesson's notebook runs with NumPy alone and agrees with the engine, whatever the scenario; a wrong number ends it."""

import ast
import importlib
import json

import numpy as np
import pytest
from app_pages import ROOT, SCENARIOS, alone, press, ran
from streamlit import session_state

from engine import Scenario
from engine.toy.empty_row import EMPTY_ROW
from pages.parts.teaching.notebook import as_ipynb
from pages.parts.visit import scenario

LESSONS = sorted(p.parent.name for p in ROOT.glob("pages/lessons/*/notebook.py"))
SOME = (
    "breaks the cache", "sixteen tokens, eight heads", "mask off", "one token", "long and strange words", "softest",
    *(f"empty row {policy}" for policy in EMPTY_ROW), "empty row fill, mask off",
)  # fmt: skip


def made(monkeypatch, lesson, s, **link):
    """The notebook of a lesson about a scenario, as the file's JSON."""
    monkeypatch.setattr(scenario, "current", lambda: s)
    monkeypatch.setattr(scenario, "extra", lambda name: link.get(name, ""))
    monkeypatch.setattr(scenario, "set_extra", lambda name, text: None)
    cells = importlib.import_module(f"pages.lessons.{lesson}.notebook").cells("What is asked?")
    session_state.clear()
    return json.loads(as_ipynb(cells))


def code_of(notebook):
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


def run(cells):
    """Run the cells one after another as a notebook does, in names of their own; NaN is compared, not warned of."""
    names = {"print": lambda *_: None}
    with np.errstate(all="ignore"):
        for cell in cells:
            exec(cell, names)


@pytest.mark.parametrize("lesson", LESSONS)
def test_it_runs_with_numpy_alone_on_every_scenario(monkeypatch, lesson):
    for name in SOME:
        s = SCENARIOS[name]
        notebook = made(monkeypatch, lesson, s, step="3")
        cells = code_of(notebook)
        imported = {name.name for cell in cells for node in ast.walk(ast.parse(cell)) for name in getattr(node, "names", ())}
        assert imported == {"numpy"} and sum("assert" in cell for cell in cells) >= 1
        run(cells)


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_number_that_is_not_the_pages_stops_it(monkeypatch, lesson):
    cells = code_of(made(monkeypatch, lesson, Scenario.article(), step="3"))
    for at, cell in enumerate(cells):
        if cell.startswith("shown = np.array("):
            wrong = cell.replace("shown = np.array(", "shown = 1e-6 + np.array(", 1)
            with pytest.raises(AssertionError):
                run([*cells[:at], wrong])


def test_there_is_one_for_each_toy_lesson_and_it_is_a_notebook(monkeypatch):
    assert set(LESSONS) >= {"overview", "rules", "attention", "prefill", "logits", "decode", "cache", "counting"}
    notebook = made(monkeypatch, "attention", SCENARIOS["long and strange words"])
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for lesson in LESSONS:
        assert "notebook=notebook.cells" in (ROOT / "pages" / f"{lesson}.py").read_text("utf-8")


def test_the_box_offers_it_with_the_scenario_and_the_handout():
    at = alone("attention")
    at.session_state["take_home"] = True
    ran(at)
    assert {e.label for e in at.get("download_button")} >= {"Notebook", "Scenario"}
    press(at, "handout_questions")
    assert [m.value for m in at.markdown if "Question 1." in m.value]
