"""Every notebook agrees with the page, whatever scenario, model or device, and a wrong number ends it.

Those of the toy and of the trained model need NumPy alone, those on real hardware the folder `engine` besides.
"""

import ast
import importlib
import json
import shutil
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from app_pages import FIXTURES, ROOT, SCENARIOS, TOY_LESSONS, alone, press, ran
from hardware_pages import OF_HARDWARE
from scenarios import FAR_APART
from streamlit import session_state

from engine import Scenario
from engine.cost import MODELS, Device, ModelShape
from engine.serving.log_lines import read_log
from engine.toy.empty_row import EMPTY_ROW
from pages.app import course
from pages.lessons.serverlog.examples import EXAMPLES
from pages.lessons.serverlog.pasted_log import OWN, pasted
from pages.parts.hardware import pasted_config, this_machine
from pages.parts.teaching.notebook import as_ipynb, checked
from pages.parts.trained.model import VARIABLE
from pages.parts.visit import scenario

LESSONS = sorted(p.parent.name for p in ROOT.glob("pages/lessons/*/notebook.py"))
TOY = [name for name in LESSONS if name in TOY_LESSONS and name not in ("memory", "roofline")]
HARDWARE = [name for name in LESSONS if name in ("memory", "roofline", "many", "guess")]
WITH_ENGINE = (*HARDWARE, "serverlog")
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
    "many": (
        {"policy": "chunked", "per_minute": "60000", "p": "8192", "g": "1024", "token_budget": "128", "bits": "4"},
        {"per_minute": "1", "p": "16", "g": "1", "model": "GPT-2 small", "ttft_limit": "10", "tpot_limit": "1"},
        {"model": "Llama-3.1-405B", "per_minute": "x"},
    ),
    "guess": (
        {"sentence": "soup", "draft": "untrained", "guesses": "8", "kept": "0"},
        {"sentence": "<b>", "draft": "after", "guesses": "99", "kept": "99", "model": "Mixtral-8x7B", "batch": "4096"},
    ),
    "generate": (
        {"prompt": "a " * 400, "g": "64"},
        {"prompt": "<b> !", "g": "1"},
        {"prompt": "Anna has a", "checkpoint": "untrained", "temperature": "1.5", "seed": "3", "g": "7"},
        {"source": "gpt2"},
    ),
    "inside": (
        {"prompt": "a " * 400, "checkpoint": "before"},
        {"prompt": "Tom lamp Rome Tom lamp Rome", "removed": "1.1,3.4,2.2,9.9", "trained_head": "3.1"},
        {"source": "qwen2"},
    ),
    "serverlog": tuple(
        {"log": log, **more}
        for log in (*EXAMPLES, OWN)
        for more in (
            {}, {"log_model": "Llama-3.1-70B", "log_devices": "32", "log_bits": "4", "log_kv_bits": "8"}, {"log_model": "DeepSeek-V3"},
            {"log_model": "gpt-oss-120b", "log_bits": "file", "log_device": "Apple M1", "log_devices": "1", "log_kv_bits": "16"},
        )
    ),
    "second_turn": (
        {"source": "llama3", "prompt": "5 6 7 8 9", "next": "5 6", "block": "2"},
        {"turns": "60", "system": "200000", "message": "1", "reply": "50000", "price_read": "0", "block": "1", "g": "12"},
        {"turns": "1", "system": "0", "message": "50000", "reply": "1", "block": "16", "next": "a", "prompt": "Anna"},
        {"prompt": "a " * 400, "next": "b " * 400, "g": "99"},
    ),
}  # fmt: skip
LOG = """llama_kv_cache: size = 680.00 MiB (  4096 cells,  60 layers,  1/1 seqs), K (q8_0):  340.00 MiB, V (f16):  340.00 MiB
prompt eval time =     100.50 ms /    20 tokens
eval time =    1000.00 ms /    50 runs
Decode batch. #running-req: 7, #token: 3000, gen throughput (token/s): 300.5
GPU blocks: 10
GPU KV cache size: 160 tokens
Maximum concurrency for 32 tokens per request: 5.00x
Model loading took 7.5 GiB
--tp-size 4"""
CONFIGS = [s["config"] for s in json.loads((ROOT / "tests/engine/config_json/small_configs.json").read_text("utf-8"))]
ENDS = (  # settings of the hardware lessons, each model takes one of them
    {"context": "1", "p": "1", "g": "1", "kv_bits": "4", "n_devices": "32"},
    {"context": "131072", "p": "131072", "batch": "64", "bits": "8", "kv_bits": "8", "device": "Apple M1", "reserved": "2.5"},
    {"context": "1048576", "p": "1048576", "batch": "4096", "g": "4096", "device": "B200", "n_devices": "8", "bits": "4"},
    {"context": "700", "p": "700", "batch": "3", "bits": "file", "device": "TPU v5e", "n_devices": "2"},
)


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


@cache
def compiled(cell):
    """Most cells are the same whatever is asked."""
    return compile(cell, "a cell", "exec")


def run(cells):
    """Run the cells one after another as a notebook does, in names of their own; NaN is compared, not warned of."""
    names = {"print": lambda *_: None}
    with np.errstate(all="ignore"):
        for cell in cells:
            exec(compiled(cell), names)


@cache
def imported_by(cell):
    nodes = [*ast.walk(ast.parse(cell))]
    names = [name.name for node in nodes if isinstance(node, ast.Import) for name in node.names]
    return {name.split(".")[0] for name in (*names, *(node.module for node in nodes if isinstance(node, ast.ImportFrom)))}


def imported(cells):
    """The packages that cells import."""
    return set().union(*map(imported_by, cells))


def agrees(notebook, *besides):
    """It imports NumPy alone (json where a file is read, and what it may have `besides`), checks something if it has code at all,
    and comes out as the page says."""
    cells = code_of(notebook)
    assert imported(cells) <= {"numpy", "json", *besides} and (not cells or any("assert" in cell for cell in cells))
    run(cells)


def agrees_with_engine(notebook):
    agrees(notebook, "sys", "engine")


@pytest.mark.parametrize("lesson", TOY)
def test_it_runs_with_numpy_alone_on_every_scenario(monkeypatch, lesson):
    for name in SOME:
        agrees(made(monkeypatch, lesson, SCENARIOS[name], step="3"))


def test_it_agrees_where_chances_round_to_0(monkeypatch):
    """“690.78 is the page’s, the notebook’s is inf”: it stopped, for one held a chance at 10⁻³⁰⁰ and the other at 0."""
    agrees(made(monkeypatch, "less", FAR_APART, step="3"))


@pytest.mark.parametrize("lesson", LINKS)
def test_it_follows_what_a_visitor_sets(monkeypatch, lesson):
    monkeypatch.setenv(VARIABLE, str(FIXTURES))
    names = ("one token", "breaks the cache", "sixteen tokens, eight heads") if lesson in TOY_LESSONS else ("one token",)
    for link in LINKS[lesson]:
        for name in names:
            pasted().log = read_log(LOG)
            test = agrees_with_engine if lesson in WITH_ENGINE else agrees
            test(made(monkeypatch, lesson, SCENARIOS[name], **link))


@pytest.mark.parametrize("lesson", ["generate", "inside"])
def test_of_a_folder_of_the_operators_own_it_says_nothing(monkeypatch, lesson):
    """Nobody who takes the notebook home has that folder, nor may he learn where it lies."""
    monkeypatch.setenv(VARIABLE, str(FIXTURES))
    notebook = made(monkeypatch, lesson, Scenario.article(), source="gpt2")
    assert not code_of(notebook) and str(FIXTURES) not in json.dumps(notebook)


def test_each_runs_in_a_process_of_its_own_where_there_is_nothing_but_numpy(monkeypatch, tmp_path):
    """In an empty folder, without this project on the path; `engine`, and in it the trained model's file, where the first cell says."""
    for lesson in LESSONS:
        cells = code_of(made(monkeypatch, lesson, Scenario.article()))
        assert ("engine" in imported(cells)) == (lesson in WITH_ENGINE)
        (tmp_path / f"{lesson}.py").write_text("\n".join(cells), "utf-8")
    shutil.copytree(ROOT / "engine", tmp_path / "engine")
    each = (
        "import runpy, sys, warnings\nwarnings.simplefilter('ignore')\n[runpy.run_path(f'{name}.py') for name in sys.argv[1:]]\n"
    )
    done = subprocess.run([sys.executable, "-I", "-c", each, *LESSONS], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr


def test_of_several_starts_of_a_server_it_takes_the_one_that_speaks(monkeypatch):
    """It wrote the figures of all starts as those of one, and left out what stands beside a model: its sums were others than the page's."""
    begin = "INFO 06-28 23:59:04 [api_server.py:1395] vLLM API server version 0.9.2\n"
    cache = "GPU KV cache size: {}\nMaximum concurrency for 32,768 tokens per request: {}x\nModel loading took 9.5 GiB\n"
    pasted().log = read_log(
        begin + cache.format("115,264 tokens", "3.52") + begin + "--enable-lora\n" + cache.format("230,528 tokens", "7.04")
    )
    made_of = made(
        monkeypatch, "serverlog", SCENARIOS["one token"], log=OWN, log_model="Llama-3.1-8B", log_devices="1", log_bits="16"
    )
    agrees_with_engine(made_of)
    assert "7.04" in str(made_of) and "3.52" not in str(made_of)


@pytest.mark.parametrize("lesson", HARDWARE)
def test_it_is_right_for_listed_measured_and_pasted_models_and_devices(monkeypatch, lesson):
    """Listed ones at the ends of all settings and links that no control would write; a measured machine; files that were pasted:
    one of every kind of layer, one in which an index chooses what is read. Where whole runs are computed twice, every fourth kind:
    the model is written as in the other two, which take all."""
    models = [{"model": name, **ends} for name, ends in zip(MODELS, ENDS, strict=False)]
    for link in ({}, *models, *OF_HARDWARE):
        agrees_with_engine(made(monkeypatch, lesson, Scenario.article(), **link))
    monkeypatch.setattr(this_machine, "measured", lambda: Device("This machine", 2**34, 2.5e10, 1e11, "measured here and now"))
    kinds = list({ModelShape.from_config(config).family: config for config in CONFIGS}.values())
    if lesson in ("many", "guess"):
        kinds = kinds[lesson == "many" :: 4]
    for config in (*kinds, json.loads((FIXTURES / "deepseek_v32_exp_config.json").read_text("utf-8"))):
        pasted = ModelShape.from_config(config)
        monkeypatch.setattr(pasted_config, "shape", lambda pasted=pasted: pasted)
        monkeypatch.setattr(pasted_config, "text", lambda config=config: json.dumps(config))
        setup = {
            "model": pasted_config.NAME,
            "device": "This machine",
            "context": "2049",
            "p": "2049",
            "batch": "8",
            "n_devices": "8",
        }
        agrees_with_engine(made(monkeypatch, lesson, Scenario.article(), **setup))


@pytest.mark.parametrize("lesson", LESSONS)
def test_a_number_that_is_not_the_pages_stops_it(monkeypatch, lesson):
    cells = code_of(made(monkeypatch, lesson, Scenario.article(), step="3"))
    slip = 1e-3 if lesson in ("generate", "inside", "why") else 1e-6  # the trained model computes in 32 bits
    checks = [at for at, cell in enumerate(cells) if cell.startswith("shown = np.array(")]
    for at in checks:
        wrong = cells[at].replace("shown = np.array(", f"shown = {slip} + (1 + {slip}) * np.array(", 1)
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


@pytest.mark.parametrize("size", [2, 3, 4, 5, 7, 8])
def test_no_block_is_said_to_be_copied_where_all_are_full(monkeypatch, size):
    """“The unfinished one is copied by all but the last”, of four tokens in blocks of four."""
    said = json.dumps(made(monkeypatch, "paging", Scenario.article(), pool_block=str(size)), ensure_ascii=False)
    unfinished = len(Scenario.article().prompt_ids) % size > 0
    assert ("the unfinished one is copied" in said) == unfinished and ("nothing is copied" in said) == (not unfinished)


def test_no_notebook_has_a_longer_conversation_than_its_page(monkeypatch):
    """tokens = 131072, and the bytes that are asked for, beside 16,384 on the page."""
    cells = code_of(made(monkeypatch, "counting", Scenario.article(), context="131072"))
    assert any(cell.startswith("tokens = 16384\n") for cell in cells)


def test_each_is_its_lessons_own_and_is_a_notebook(monkeypatch):
    own = {name: lesson.notebook.__module__ for name, lesson in course.LESSONS.items() if lesson.notebook}
    assert own == {name: f"pages.lessons.{name}.notebook" for name in LESSONS}
    notebook = made(monkeypatch, "attention", SCENARIOS["long and strange words"])
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    assert len({cell["id"] for cell in notebook["cells"]}) == len(notebook["cells"])


@pytest.mark.parametrize("lesson", sorted(set(LESSONS) - {"attention"}))
def test_the_box_of_every_lesson_offers_it(lesson):
    at = alone(lesson)
    at.session_state["take_home"] = True
    ran(at)
    labels = {e.label for e in at.get("download_button")}
    assert "Notebook" in labels


def test_the_box_offers_it_with_the_handout():
    at = alone("attention")
    at.session_state["take_home"] = True
    ran(at)
    assert {e.label for e in at.get("download_button")} == {"Notebook"}
    press(at, "handout_questions")
    assert [m.value for m in at.markdown if "Question 1." in m.value]
