"""Who may import whom, read from the sources themselves; and the examples in the engine's docstrings, run.

The engine must work in a notebook without Streamlit, a figure builder without a server, and a lesson without its neighbours.
"""

import ast
import doctest
import importlib
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# No way round this table: a module may be asked for its version or its files, but not imported by name.
STANDARD = set(sys.stdlib_module_names) - {"importlib", "runpy"} | {"importlib.metadata", "importlib.resources"}
PLACES = {  # place: the files in it, and what they may import
    "engine": (
        lambda r: [p for p in r.glob("engine/**/*.py") if not is_training(p, r) and p.name != "tokenizer.py"],
        STANDARD | {"numpy", "engine"},
    ),
    "tokenizer": (  # optional, and asked for inside a function: a checkpoint's own tokenizer.json needs it
        lambda r: r.glob("engine/tokenizer.py"),
        STANDARD | {"tokenizers.Tokenizer"},
    ),
    "training": (lambda r: [p for p in r.glob("engine/**/*.py") if is_training(p, r)], STANDARD | {"numpy", "engine", "torch"}),
    "figures": (  # a file or a folder of them: pure, so they know one another and never the server
        lambda r: [p for p in r.glob("pages/parts/**/*.py") if is_figure(p, r)],
        STANDARD | {"numpy", "plotly", "engine", "pages.parts.figures", "pages.parts.words"},  # words: how a number is written
    ),
    "plot": (lambda r: r.glob("pages/parts/plot.py"), STANDARD | {"streamlit", "plotly", "engine", "pages.parts"}),
    "parts": (
        lambda r: [p for p in r.glob("pages/parts/**/*.py") if not is_figure(p, r) and p.name != "plot.py"],
        STANDARD | {"streamlit", "numpy", "engine", "pages.parts"},  # numpy to ask things of arrays, such as isfinite
    ),
    "pages": (lambda r: r.glob("pages/*.py"), {"streamlit", "engine", "pages.parts"}),
    "app": (lambda r: r.glob("streamlit_app.py"), set(sys.stdlib_module_names) | {"streamlit", "starlette", "plotly"}),
}


def is_training(path, root):
    return path.relative_to(root).parts[1].startswith("train")


def is_figure(path, root):
    return path.relative_to(root).parts[2] in ("figures", "figures.py")


def imports(path):
    """Every module that a file imports, as a dotted name down to what is taken from it: {"engine.toy.Scenario"}."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{name.name}" for name in node.names)
        elif isinstance(node, ast.Name) and node.id == "__import__":
            yield "__import__"


def within(name, allowed):
    return any(name == a or name.startswith(f"{a}.") for a in allowed)


def violations(root):
    """What breaks the table under `root`, a line each."""
    found = []
    for place, (files, allowed) in PLACES.items():
        for path in files(root):
            found += [f"{path.relative_to(root)} imports {n}" for n in imports(path) if not within(n, allowed)]
            if place == "pages":
                nodes = ast.walk(ast.parse(path.read_text("utf-8")))
                found += [
                    f"{path.relative_to(root)} has a {type(n).__name__}"
                    for n in nodes
                    if isinstance(n, ast.ClassDef | ast.Try | ast.TryStar)
                ]
    return found


def engine_graph(root):
    """Which engine module imports which: {"engine.toy": {"engine.rules", ...}}."""
    modules = {".".join(p.relative_to(root).with_suffix("").parts).removesuffix(".__init__") for p in root.glob("engine/**/*.py")}
    graph = {}
    for module in modules:
        path = root.joinpath(*module.split("."))
        path = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
        names = {n for n in imports(path) if within(n, {"engine"})}
        # `from engine.toy import Scenario` needs engine.toy; `from engine import Scenario` needs the package, that is all of it.
        graph[module] = {max((m for m in modules if within(n, {m})), key=len) for n in names}
    return graph


def test_the_table_of_imports_holds():
    assert violations(ROOT) == []


def test_there_is_an_engine_to_read():
    assert {"engine", "engine.attention", "engine.cache", "engine.decode"} <= set(engine_graph(ROOT))


def test_attention_and_cache_know_nobody_and_prefill_and_decode_know_no_particular_model():
    graph = engine_graph(ROOT)
    assert graph["engine.attention"] == graph["engine.cache"] == set()
    assert "engine.attention" in graph["engine.toy"]  # the graph does see what is there
    assert not {"engine.toy", "engine.transformer"} & (graph["engine.prefill"] | graph["engine.decode"] | graph["engine.model"])


def test_the_engine_has_no_import_cycle():
    list(TopologicalSorter(engine_graph(ROOT)).static_order())


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("engine/a.py", "import streamlit as st"),
        ("engine/deep/a.py", "def f():\n    from plotly import graph_objects"),
        ("engine/a.py", "import scipy"),
        ("engine/a.py", "from pages.parts import figures"),
        ("engine/a.py", "import importlib"),
        ("engine/a.py", "np = __import__('torch')"),
        ("engine/a.py", "from .pages import x"),
        ("engine/training/a.py", "import streamlit"),
        ("pages/parts/figures.py", "import streamlit"),
        ("pages/parts/figures/canvas.py", "import streamlit"),
        ("pages/parts/figures.py", "from pages.parts import terms"),
        ("pages/parts/widgets.py", "import plotly.graph_objects as go"),
        ("pages/parts/widgets.py", "import pandas"),
        ("pages/parts/widgets.py", "from pages import decode"),
        ("pages/decode.py", "import pages.cache"),
        ("pages/decode.py", "from pages import cache"),
        ("pages/decode.py", "import numpy as np"),
        ("pages/decode.py", "import plotly"),
        ("pages/decode.py", "try:\n    x = 1\nexcept ValueError:\n    x = 2"),
        ("pages/decode.py", "class Page: ..."),
        ("streamlit_app.py", "from engine import Scenario"),
        ("streamlit_app.py", "from pages.parts import frame"),
    ],
)
def test_the_table_refuses_what_it_should(file, source, tmp_path):
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    assert len(violations(tmp_path)) == 1


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("engine/a.py", "from __future__ import annotations\nimport json, numpy as np\nfrom engine.toy import Scenario"),
        ("pages/parts/figures.py", "import numpy as np\nimport plotly.graph_objects as go\nfrom engine import Attention"),
        ("pages/parts/figures.py", "from pages.parts.figures.canvas import Sheet"),
        ("pages/parts/plot.py", "import plotly, streamlit as st\nfrom importlib.metadata import version"),
        ("pages/parts/frame.py", "from pathlib import Path\nimport streamlit as st\nfrom pages.parts import figures"),
        ("pages/decode.py", "import streamlit as st\nfrom engine import decode_step\nfrom pages.parts import figures, plot"),
        ("streamlit_app.py", "import runpy\nimport streamlit as st\nfrom starlette.routing import Mount\nimport plotly"),
    ],
)
def test_the_table_allows_what_it_should(file, source, tmp_path):
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    assert violations(tmp_path) == []


def test_a_cycle_through_the_package_or_between_modules_is_seen(tmp_path):
    (tmp_path / "engine").mkdir()
    (tmp_path / "engine" / "__init__.py").write_text("from engine.a import f")
    for source in ("from engine import f", "from engine.b import g"):
        (tmp_path / "engine" / "a.py").write_text(source)
        (tmp_path / "engine" / "b.py").write_text("import engine.a")
        with pytest.raises(CycleError):
            list(TopologicalSorter(engine_graph(tmp_path)).static_order())


def test_the_examples_in_the_engines_docstrings_run_as_printed():
    names = [name for name in engine_graph(ROOT) if not name.startswith("engine.train")]
    results = [doctest.testmod(importlib.import_module(name)) for name in names]
    assert sum(r.failed for r in results) == 0
    assert sum(r.attempted for r in results) >= 5
