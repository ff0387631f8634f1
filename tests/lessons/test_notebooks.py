"""Every notebook runs with NumPy alone and agrees with the engine, whatever scenario, model or device; a wrong number ends it."""

import ast
import importlib
import json

import numpy as np
import pytest
from app_pages import ROOT, SCENARIOS, TOY_LESSONS, alone, press, ran
from hardware_pages import EXTREMES
from streamlit import session_state

from engine import Scenario
from engine.cost import DEVICES, MODELS, ModelShape
from engine.toy.empty_row import EMPTY_ROW
from pages.parts.hardware import pasted_config
from pages.parts.teaching.notebook import as_ipynb, checked
from pages.parts.visit import scenario

LESSONS = sorted(p.parent.name for p in ROOT.glob("pages/lessons/*/notebook.py"))
TOY = [name for name in LESSONS if name in TOY_LESSONS and name not in ("memory", "roofline", "bridge")]
HARDWARE = [name for name in LESSONS if name in ("memory", "roofline", "bridge")]
SOME = (
    "breaks the cache", "sixteen tokens, eight heads", "mask off", "one token", "long and strange words", "softest",
    *(f"empty row {policy}" for policy in EMPTY_ROW), "empty row fill, mask off", "as large as may be", "zeros",
)  # fmt: skip
LINKS = {  # what a visitor may set in a lesson, at its ends, hostile ones included
    "tiles": (
        {"head": "9", "key_block": "17", "p": "999999999", "tile_size": "64", "tile_side": "26"},
        {"head": "2", "key_block": "1", "p": "1", "tile_side": "8", "tile_size": "x"},
    ),
    "paging": (
        {"pool_block": "2", "lengths": "1 5 2048", "longest": "64", "page": "1024", "block": "1"},
        {"pool_block": "8", "lengths": "131072 1", "longest": "131072", "page": "64", "prompt": "Anna has a", "second": "Anna has a"},
        {"block": "16", "prompt": "a " * 400, "second": "<b>, 7"},
    ),
    "less": ({"newest": "2", "first": "4"}, {"newest": "9", "first": "1"}),
    "second_turn": (
        {"turns": "60", "system": "200000", "message": "1", "reply": "50000", "price_read": "0", "block": "1", "g": "12"},
        {"turns": "1", "system": "0", "message": "50000", "reply": "1", "block": "16", "next": "a", "prompt": "Anna"},
        {"prompt": "a " * 400, "next": "b " * 400, "g": "99"},
    ),
}  # fmt: skip
CONFIGS = [s["config"] for s in json.loads((ROOT / "tests/engine/config_json/small_configs.json").read_text("utf-8"))]
ENDS = (  # settings of the hardware lessons, each model takes one of them
    {"context": "1", "g": "1", "kv_bits": "4", "n_devices": "32"},
    {"context": "131072", "batch": "64", "bits": "8", "kv_bits": "8", "device": "Apple M1", "reserved": "2.5"},
    {"context": "1048576", "batch": "4096", "g": "4096", "device": "B200", "n_devices": "8", "bits": "4"},
    {"context": "700", "batch": "3", "bits": "file", "device": "TPU v5e", "n_devices": "2"},
)


# A glossary and a start have no numbers; the quiz draws new ones each time; each claim has its own experiment.
NONE = {"start", "glossary", "quiz", "claims"}


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


def agrees(notebook):
    """It imports NumPy alone, checks something, and comes out as the page says."""
    cells = code_of(notebook)
    imported = {name.name for cell in cells for node in ast.walk(ast.parse(cell)) for name in getattr(node, "names", ())}
    assert imported == {"numpy"} and any("assert" in cell for cell in cells)
    run(cells)


@pytest.mark.parametrize("lesson", TOY)
def test_it_runs_with_numpy_alone_on_every_scenario(monkeypatch, lesson):
    for name in SOME:
        agrees(made(monkeypatch, lesson, SCENARIOS[name], step="3"))


@pytest.mark.parametrize("lesson", LINKS)
def test_it_follows_what_a_visitor_sets(monkeypatch, lesson):
    for link in LINKS[lesson]:
        for name in ("article", "one token", "sixteen tokens, eight heads"):
            agrees(made(monkeypatch, lesson, SCENARIOS.get(name, Scenario.article()), **link))


@pytest.mark.parametrize("lesson", HARDWARE)
def test_it_is_right_for_every_model_and_device(monkeypatch, lesson):
    """Each model of the list at one of the ends, one model on each device, and links that no control would write."""
    models = [{"model": name, **ENDS[k % len(ENDS)]} for k, name in enumerate(MODELS)]
    devices = [{"model": "DeepSeek-V3", "device": name, "bits": "4", "kv_bits": "8", "n_devices": "4"} for name in DEVICES]
    for link in (*models, *devices, *EXTREMES):
        agrees(made(monkeypatch, lesson, Scenario.article(), **link))


@pytest.mark.parametrize("lesson", HARDWARE)
def test_it_is_right_for_a_model_of_any_family(monkeypatch, lesson):
    """Latents, experts, states, borrowed caches, windows, layers that differ: every config.json that the reader is tested on."""
    for k, config in enumerate(CONFIGS):
        shape = ModelShape.from_config(config)
        monkeypatch.setattr(pasted_config, "shape", lambda shape=shape: shape)
        agrees(made(monkeypatch, lesson, Scenario.article(), model=pasted_config.NAME, **ENDS[k % len(ENDS)]))


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_number_that_is_not_the_pages_stops_it(monkeypatch, lesson):
    cells = code_of(made(monkeypatch, lesson, Scenario.article(), step="3"))
    checks = [at for at, cell in enumerate(cells) if cell.startswith("shown = np.array(")]
    for at in checks:
        wrong = cells[at].replace("shown = np.array(", "shown = 1e-6 + (1 + 1e-6) * np.array(", 1)
        with pytest.raises(AssertionError):
            run([*cells[:at], wrong])
    assert checks


def test_whole_numbers_are_compared_exactly():
    """A byte too many in 16 GB is an error, though it is far below what rounding may do to a float."""
    for right, wrong in ((16_060_522_496, 16_060_522_497), ([3, 2**52], [3, 2**52 + 1])):
        _, cell = checked("number", right, "bytes")
        exec(cell, {"np": np, "number": right})
        with pytest.raises(AssertionError):
            exec(cell, {"np": np, "number": wrong})
    exec(checked("number", 2**80, "more than NumPy's whole numbers hold")[1], {"np": np, "number": 2**80})


def test_there_is_one_for_each_lesson_of_the_toy_and_of_the_hardware_and_it_is_a_notebook(monkeypatch):
    assert set(LESSONS) >= set(TOY_LESSONS) - NONE
    notebook = made(monkeypatch, "attention", SCENARIOS["long and strange words"])
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])
    for lesson in LESSONS:
        assert "notebook=notebook.cells" in (ROOT / "pages" / f"{lesson}.py").read_text("utf-8")


@pytest.mark.parametrize("lesson", sorted(set(LESSONS) - {"attention"}))
def test_the_box_of_every_lesson_offers_it(lesson):
    at = alone(lesson)
    at.session_state["take_home"] = True
    ran(at)
    labels = {e.label for e in at.get("download_button")}
    assert "Notebook" in labels and ("Scenario" in labels) == (lesson in TOY_LESSONS)


def test_the_box_offers_it_with_the_scenario_and_the_handout():
    at = alone("attention")
    at.session_state["take_home"] = True
    ran(at)
    assert {e.label for e in at.get("download_button")} >= {"Notebook", "Scenario"}
    press(at, "handout_questions")
    assert [m.value for m in at.markdown if "Question 1." in m.value]
