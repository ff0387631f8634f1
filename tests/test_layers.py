"""Who may import whom, read from the sources themselves; and the examples in the engine's docstrings, run.

The engine must work in a notebook without Streamlit, a figure builder without a server, and a lesson without its neighbours.
"""

import ast
import doctest
import importlib
import re
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import engine

ROOT = Path(__file__).parents[1]
# No way round this table: a module may be asked for its version or its files, but not imported by name.
STANDARD = set(sys.stdlib_module_names) - {"importlib", "runpy"} | {"importlib.metadata", "importlib.resources"}
PUBLIC = {f"engine.{name}" for name in engine.__all__}  # from engine import Scenario
CORE = {f"engine.{p.stem}" for p in ROOT.glob("engine/*.py")}
PARTS = (
    "text",
    "sharing",
    "visit",
    "drawing",
    "question",
    "vote",
    "teaching",
    "lesson",
    "controls",
    "trained",
    "hardware",
)  # each may import those before it


SESSION = "pages.parts.visit.session"  # where anybody may keep what is a visit's; it knows nobody


def engine_rooms(*rooms):
    """The engine's root, what it makes public, and these of its folders."""
    return STANDARD | {"numpy"} | PUBLIC | CORE | {f"engine.{room}" for room in rooms}


DRAWING = {f"pages.parts.drawing.{p.stem}" for p in ROOT.glob("pages/parts/drawing/*.py") if p.stem != "plot"}  # no server
SERVES = {"streamlit", "starlette", "plotly", "pages.parts.drawing.scripts", "pages.app.server", "pages.app.warm"}
MODELS = ("toy", "trained", "caches")  # three subjects that know the root and not one another
BETWEEN = ("cost", *MODELS, "work", "experiments", "timing", "serving")  # the last four may import what stands before them
PLACES = {  # place: what the files in it may import; the first place that a file lies in counts
    # The optional library for a checkpoint's own tokenizer, asked for inside a function.
    "engine/trained/process/tokenizer_process.py": engine_rooms("trained") | {"tokenizers.Tokenizer"},
    "engine/config_json": STANDARD | {"engine.config_json"},
    "engine/cost": STANDARD | {"numpy", "engine.config_json", "engine.cost"},
    "engine/toy": engine_rooms("toy"),
    "engine/trained": engine_rooms("trained", "config_json"),
    "engine/caches": engine_rooms("caches"),
    **{f"engine/{room}": engine_rooms(*BETWEEN[: BETWEEN.index(room) + 1]) for room in BETWEEN[4:]},
    "engine/claims": STANDARD | {"numpy", "engine"},
    "engine/__init__.py": {"engine"},
    "engine": STANDARD | {"numpy"} | CORE,
    "pages/parts/drawing/plot.py": STANDARD
    | {"streamlit", "engine", "pages.parts.drawing", "pages.parts.visit.components", "pages.parts.visit.display", SESSION},
    "pages/parts/drawing": STANDARD | {"numpy", "plotly", "engine", "pages.parts.text", *DRAWING},
    "pages/parts/visit/qr_code.py": STANDARD | {"segno"},
    # The rooms are no matter of a page: they know neither Streamlit nor the application, but that others wait for their turn.
    "pages/parts/vote/rooms": STANDARD | {"pages.parts.vote.rooms", "pages.parts.sharing.turns", "pages.parts.sharing.fair_lock"},
    # A question knows neither the vote nor paper nor locks: these host it, and register.
    "pages/parts/question": STANDARD
    | {"streamlit", "pages.parts.text", "pages.parts.question", "pages.parts.visit.location", SESSION}
    | {"pages.parts.visit.display.narrow", "pages.parts.visit.display.presenting"},
    **{
        f"pages/parts/{room}": STANDARD | {"streamlit", "numpy", "engine", SESSION} | {f"pages.parts.{r}" for r in PARTS[: k + 1]}
        for k, room in enumerate(PARTS)
        if room not in ("drawing", "question")
    },
    # What streamlit_app.py adds to Streamlit's server.
    "pages/app/server": STANDARD | {"streamlit", "starlette", "pages.app.server"},
    "pages/app/course.py": STANDARD | {"importlib.import_module", "pages"},  # every lesson, by the name of its folder
    "pages/app": STANDARD | {"streamlit", "numpy", "engine", "pages"},
}


def allowed_in(file):
    """What `file`, a path below the root, may import; None where the table does not speak of it."""
    parts = Path(file).parts
    if parts[:2] == ("pages", "lessons") and len(parts) > 3:
        own = f"pages.lessons.{parts[2]}"
        if parts[3] == "figures":  # pure: they serve notebooks as well, and know numbers and paper only
            return STANDARD | {"numpy", "plotly", "engine", "pages.parts.text", f"{own}.figures", *DRAWING}
        return STANDARD | {"streamlit", "numpy", "engine", "pages.parts", own}
    if parts[0] == "pages" and len(parts) == 2:
        return {f"pages.lessons.{Path(file).stem}.LESSON"}
    if file == "streamlit_app.py":
        return set(sys.stdlib_module_names) | SERVES
    return next((allowed for place, allowed in PLACES.items() if file == place or file.startswith(f"{place}/")), None)


def imports(path):
    """Every module that a file imports, as a dotted name down to what is taken from it: {"engine.toy.Scenario"}."""
    return read(path.read_text("utf-8")).imports


class Read(NamedTuple):
    """What a source says: the modules that it imports; its functions, (name, how many lines, their arguments), and the names of those
    that lie in no other and in no class; the lines of strings that are statements of their own and no docstrings: what a missing
    bracket leaves of the second half of a text."""

    imports: tuple[str, ...]
    functions: tuple[tuple[str, int, tuple[str, ...]], ...]
    outer: tuple[str, ...]
    bare_strings: tuple[int, ...]


@cache  # seven tests read the same sources, and to take one apart costs more than all else that they do
def read(source):
    tree = ast.parse(source)
    blocks = list(statements_of(tree))
    by_name = ast.walk(tree) if "__import__" in source else ()
    functions = [
        (n.name, n.end_lineno - n.lineno, tuple(a.arg for a in (*n.args.args, *n.args.kwonlyargs)))
        for n in blocks if isinstance(n, ast.FunctionDef)
    ]  # fmt: skip
    outer = tuple(n.name for n in tree.body if isinstance(n, ast.FunctionDef))
    return Read(tuple(_imported(blocks, by_name)), tuple(functions), outer, tuple(_bare_strings(blocks)))


def _imported(blocks, names):
    for node in blocks:
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (f"{'.' * node.level}{node.module or ''}.{name.name}" for name in node.names)
    yield from (node.id for node in names if isinstance(node, ast.Name) and node.id == "__import__")


def _bare_strings(blocks):
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = {id(n.body[0]) for n in blocks if isinstance(n, owners) and n.body}
    alone = [n for n in blocks if isinstance(n, ast.Expr) and id(n) not in docstrings]
    return (n.lineno for n in alone if isinstance(n.value, ast.JoinedStr) or isinstance(getattr(n.value, "value", None), str))


def statements_of(block):
    """A block and every statement, handler and case within it, without the expressions, which hold none."""
    yield block
    for field in ("body", "handlers", "orelse", "finalbody", "cases"):
        inner = getattr(block, field, ())
        for statement in inner if isinstance(inner, list) else ():
            yield from statements_of(statement)


def crowded(root, most=16):
    """Folders of the engine and of the pages with more files than one takes in at a glance; the list of lessons may be as long as
    it likes."""
    every = [folder for room in ("engine", "pages") for folder in (root / room, *root.glob(f"{room}/**/"))]
    folders = [folder for folder in every if folder != root / "pages" and folder.name != "__pycache__"]
    files = {folder: [f for f in folder.iterdir() if f.is_file() and not f.name.startswith(".")] for folder in folders}
    return {folder.relative_to(root).as_posix(): len(names) for folder, names in files.items() if len(names) > most}


def oversized(root, most_lines=250, most_of_a_function=60, most_arguments=7):
    """Files and functions of the engine and of the pages that are too long, and functions of the pages with too many arguments."""
    found = []
    for path in [*root.glob("engine/**/*.py"), *root.glob("pages/**/*.py")]:
        file, source = path.relative_to(root).as_posix(), path.read_text("utf-8")
        n_lines, most_here = source.count("\n"), most_arguments if file.startswith("pages") else float("inf")
        found += [f"{file}: {n_lines} lines"] * (n_lines > most_lines)
        for name, length, arguments in read(source).functions:
            if length >= most_of_a_function or len([one for one in arguments if one not in ("self", "cls")]) > most_here:
                found.append(f"{file}: {name}")
    return found


# Words that say nothing of what a function does before its docstring is read.
SAYS_NOTHING = set(
    """across after again agree ahead alike all anew another apart arrived as at because before between both by comes down each either
    elsewhere ends everything far fed filled fit fits followed for from happened here how in is it least level missed moving near needed
    never newest next now of off on one open or other over part raised rise said saved say set shaken so sought sound standing stay stays
    taken that then there this those three told top twin under unknown until untimed up way where why with without worst wrong""".split()  # noqa: SIM905
)


def unnamed(root):
    """Functions of a file's own whose name is one of these words."""
    files = [*root.glob("engine/**/*.py"), *root.glob("pages/**/*.py")]
    outer = ((path, name) for path in files for name in read(path.read_text("utf-8")).outer)
    return [f"{path.relative_to(root).as_posix()}: {name}" for path, name in outer if name.strip("_") in SAYS_NOTHING]


def within(name, allowed):
    return any(name == a or name.startswith(f"{a}.") for a in allowed)


def violations(root):
    """What breaks the table under `root`, a line each."""
    found = []
    for path in [*root.glob("*.py"), *root.glob("engine/**/*.py"), *root.glob("pages/**/*.py")]:
        file = path.relative_to(root).as_posix()
        allowed = allowed_in(file)
        if allowed is None:
            found.append(f"{file} lies in no place of the table")
            continue
        found += [f"{file} imports {name}" for name in imports(path) if not within(name, allowed)]
        if path.parent == root / "pages":
            nodes = ast.walk(ast.parse(path.read_text("utf-8")))
            bad = [n for n in nodes if isinstance(n, ast.ClassDef | ast.Try | ast.TryStar)]
            found += [f"{file} has a {type(n).__name__}" for n in bad]
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


def test_no_folder_but_the_list_of_lessons_has_more_than_sixteen_files(tmp_path):
    assert crowded(ROOT) == {}
    for folder, n in (
        ("engine", 17),
        ("pages", 30),
        ("pages/parts/text", 16),
        ("pages/lessons/cache", 18),
        ("pages/__pycache__", 22),
    ):
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
        for k in range(n):
            (tmp_path / folder / f"{k}.js").touch()
    assert crowded(tmp_path) == {"engine": 17, "pages/lessons/cache": 18}


def test_files_functions_and_lists_of_arguments_are_short(tmp_path):
    assert oversized(ROOT) == []
    (tmp_path / "pages" / "lessons").mkdir(parents=True)
    (tmp_path / "pages" / "long.py").write_text("x = 1\n" * 251)
    (tmp_path / "pages" / "fits.py").write_text("x = 1\n" * 250)
    (tmp_path / "pages" / "lessons" / "a.py").write_text(
        "def many(a, b, c, d, e, f, g, *, h): ...\ndef seven(self, a, b, c, d, e, f, g): ...\ndef long():\n" + "    x = 1\n" * 60
    )
    assert sorted(oversized(tmp_path)) == ["pages/lessons/a.py: long", "pages/lessons/a.py: many", "pages/long.py: 251 lines"]


def test_a_function_has_a_name_that_says_something(tmp_path):
    """A hundred and fifty had none: `_said` in nine files, `_next`, `_others`, `_is`, `_as`."""
    assert unnamed(ROOT) == []
    (tmp_path / "pages").mkdir()
    source = "def _said(): ...\ndef next_word():\n    def told(): ...\nclass Run:\n    def at(self): ...\n"
    (tmp_path / "pages" / "a.py").write_text(source)
    assert unnamed(tmp_path) == ["pages/a.py: _said"]


def test_there_is_an_engine_to_read():
    assert {"engine", "engine.attention", "engine.cache", "engine.decode"} <= set(engine_graph(ROOT))


def test_attention_and_cache_know_nobody_and_prefill_and_decode_know_no_particular_model():
    graph = engine_graph(ROOT)
    assert graph["engine.attention"] == graph["engine.cache"] == set()
    assert "engine.attention" in graph["engine.toy.scenario"]  # the graph does see what is there
    known = graph["engine.prefill"] | graph["engine.decode"] | graph["engine.model"]
    assert known <= {f"engine.{p.stem}" for p in ROOT.glob("engine/*.py")}


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
        ("engine/a.py", "from engine.toy.scenario import Scenario"),
        ("engine/trained/a.py", "import torch"),
        ("engine/trained/a.py", "from engine.toy.scenario import Scenario"),
        ("engine/toy/a.py", "from engine.trained.transformer import Transformer"),
        ("engine/caches/a.py", "from engine.toy.rules import Rule"),
        ("engine/config_json/a.py", "from engine.cost import MODELS"),
        ("engine/cost/a.py", "from engine.attention import softmax"),
        ("engine/experiments/a.py", "from engine.timing.one_step import timed_lengths"),
        ("engine/timing/a.py", "from engine.claims import find"),
        ("pages/lessons/decode/figures/a.py", "import streamlit"),
        ("pages/lessons/decode/figures/a.py", "from pages.parts.drawing.plot import plot"),
        ("pages/lessons/decode/figures/a.py", "from pages.lessons.cache.figures.gap_grid import Block"),
        ("pages/lessons/decode/steps.py", "from pages.lessons.cache import steps"),
        ("pages/lessons/decode/steps.py", "import plotly"),
        ("pages/lessons/decode/steps.py", "from pages.app import router"),
        ("pages/parts/drawing/sheet.py", "import streamlit"),
        ("pages/parts/text/a.py", "from pages.parts.visit import scenario"),
        ("pages/parts/lesson/a.py", "from pages.parts.controls import toy"),
        ("pages/parts/question/a.py", "from pages.parts.vote import in_a_room"),
        ("pages/parts/question/a.py", "from pages.parts.visit import answer_lock"),
        ("pages/parts/question/a.py", "from pages.parts.visit.display import paper_form"),
        ("pages/parts/question/a.py", "from pages.parts.lesson import handout"),
        ("pages/parts/controls/a.py", "import plotly.graph_objects as go"),
        ("pages/parts/controls/a.py", "import pandas"),
        ("pages/parts/controls/a.py", "from pages import decode"),
        ("pages/parts/controls/a.py", "from pages.lessons.decode import steps"),
        ("pages/decode.py", "import pages.cache"),
        ("pages/decode.py", "from pages import cache"),
        ("pages/decode.py", "from pages.lessons.cache import steps"),
        ("pages/decode.py", "from pages.lessons.decode import steps"),
        ("pages/decode.py", "import numpy as np"),
        ("pages/lessons/decode/__init__.py", "from pages.lessons import cache"),
        ("pages/app/navigation.py", "from importlib import import_module"),
        ("pages/decode.py", "import plotly"),
        ("pages/decode.py", "try:\n    x = 1\nexcept ValueError:\n    x = 2"),
        ("pages/decode.py", "class Page: ..."),
        ("streamlit_app.py", "from engine import Scenario"),
        ("streamlit_app.py", "from pages.parts import frame"),
        ("pages/new_room/a.py", "import json"),
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
        ("engine/a.py", "from __future__ import annotations\nimport json, numpy as np\nfrom engine.attention import softmax"),
        ("engine/toy/a.py", "from engine import prefill\nfrom engine.toy.rules import Rule"),
        ("engine/trained/a.py", "from engine.config_json import reader"),
        ("engine/timing/a.py", "from engine.experiments.random_model import StackModel"),
        ("pages/lessons/decode/figures/a.py", "import numpy\nimport plotly.graph_objects as go\nfrom engine import Attention"),
        ("pages/lessons/decode/figures/a.py", "from pages.parts.drawing.sheet import Sheet"),
        ("pages/lessons/decode/steps.py", "from pages.parts.controls import toy\nfrom pages.lessons.decode import b"),
        ("pages/parts/drawing/plot.py", "import streamlit as st\nfrom importlib.metadata import version"),
        ("pages/app/router.py", "from pathlib import Path\nimport streamlit as st\nfrom pages.parts import controls"),
        ("pages/decode.py", "from pages.lessons.decode import LESSON\n\nLESSON.show()"),
        ("pages/lessons/decode/__init__.py", "from engine import decode_step\nfrom pages.lessons.decode import steps"),
        ("pages/app/course.py", "from importlib import import_module\nfrom pages.lessons import decode"),
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


def test_no_statement_is_a_bare_string():
    files = [*ROOT.glob("*.py"), *(path for room in ("engine", "pages", "tests") for path in ROOT.glob(f"{room}/**/*.py"))]
    assert len(files) > 100
    found = {path.relative_to(ROOT).as_posix(): read(path.read_text("utf-8")).bare_strings for path in files}
    assert {path: lines for path, lines in found.items() if lines} == {}


CLOSED = re.compile(r"( *)[)\]].*  # (?!fmt)")


def broken_for_its_comment(source):
    """Statements of one line that the formatter has broken for the comment at their end: the comment belongs above them.

    Looked for from their ends: where each line may be the first of three, all lines of the project take two seconds.
    """
    lines = source.split("\n")
    for at, closes in enumerate(map(CLOSED.match, lines)):
        if not closes or at < 2:
            continue
        opens, inner, (indent,) = lines[at - 2], lines[at - 1], closes.groups()
        if re.fullmatch(f"{indent}[^#]*[(\\[]", opens) and re.fullmatch(f"{indent}    .{{1,90}}", inner):
            one_line = "".join(part.strip() for part in (opens, inner, lines[at].rpartition("  # ")[0]))
            if len(indent) + len(one_line) <= 130:
                yield one_line


def test_no_line_is_broken_for_its_comment():
    seen = list(broken_for_its_comment("x = 1\n    f(\n        one, [2]\n    ).three  # and more\n"))
    assert seen == ["f(one, [2]).three"] and not list(broken_for_its_comment("f(\n    one\n)  # fmt: skip\n"))
    for path in (*ROOT.glob("*.py"), *(path for room in ("engine", "pages", "tests") for path in ROOT.glob(f"{room}/**/*.py"))):
        assert list(broken_for_its_comment(path.read_text("utf-8"))) == [], path.name


def test_a_bare_string_is_seen_where_it_stands():
    said = read('"""Idea."""\n\ndef f(x):\n    """Step."""\n    return f"{x}, "\n    f"and {x}."\n')
    assert said.bare_strings == (6,) and said.functions == (("f", 3, ("x",)),)
    assert read('def f():\n    """Step."""\n    "lost"\n').bare_strings == (3,)
    assert read("print('said')\n...\n").bare_strings == ()


# A line with a string that has a name in braces and may be no f-string, which `unfilled` then looks at.
PERHAPS_UNFILLED = re.compile(r'(?<![\w}])"[^"\n]*\{[a-z_][\w.]*\}[^"\n]*"')
FILLED_LATER = "Event {at} of {n}"  # by the stepper


def unfilled(source):
    """The strings with a name in braces that is never filled in: an f that is missing. Not whole programs, and not Plotly's %{…}."""
    tree = ast.parse(source)
    pieces = {id(piece) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for piece in n.values}
    whole = (n.value for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str) and id(n) not in pieces)
    return [text for text in whole if "\n" not in text and re.search(r"(?<!%)\{[a-z_][\w.]*\}", text) and text != FILLED_LATER]


def test_no_sentence_has_the_name_of_what_it_should_say():
    sources = (path.read_text("utf-8") for room in ("engine", "pages") for path in ROOT.glob(f"{room}/**/*.py"))
    assert [text for source in sources if PERHAPS_UNFILLED.search(source) for text in unfilled(source)] == []
    lost = 'a = "It differs{by}."\nb = f"It {a}" "of {n}"\nc = ("rows", f"{a}")\n'
    assert PERHAPS_UNFILLED.search(lost) and unfilled(lost) == ["It differs{by}."]


def test_the_examples_in_docstrings_run_as_printed():
    """Those of the pages ran nowhere: one that was renamed or that no longer holds stood there as if it did."""
    files = [path for top in ("engine", "pages") for path in ROOT.glob(f"{top}/**/*.py") if ">>> " in path.read_text("utf-8")]
    names = {path: ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__") for path in files}
    results = {path: doctest.testmod(importlib.import_module(name)) for path, name in names.items()}
    assert [path.name for path, r in results.items() if r.failed or not r.attempted] == []
    assert sum(r.attempted for r in results.values()) >= 200


def test_the_examples_in_the_docstrings_of_the_tests_run_as_printed():
    """pytest looks for examples in every function that there is, a second for each process; two files have some."""
    files = [path for path in ROOT.glob("tests/**/*.py") if re.search("^ +>>> ", path.read_text("utf-8"), re.M)]
    results = [doctest.testmod(importlib.import_module(path.stem)) for path in files if "benchmarks" not in path.parts]
    assert sum(r.failed for r in results) == 0 and len(results) >= 2 and all(r.attempted for r in results)
