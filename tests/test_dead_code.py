"""Every name that a file of the engine or of the pages gives is asked for by one of theirs, or is on a short list that says why not."""

import ast
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
ASKED_FROM_OUTSIDE = {
    "streamlit_app: app",  # by `streamlit run`
    "pages.lessons.generate.kept: measure",  # by hand, to measure anew
    "pages.parts.drawing.palette: contrast",  # by tests, as the palette's docstring says
}
READ_BY_NAME = {"__all__", "LESSON"}


def unused(root):
    """The names that no file below `root` asks for, a line each; a function that calls itself does not count as asking."""
    files = [*root.glob("engine/**/*.py"), *root.glob("pages/**/*.py"), *root.glob("*.py")]
    trees = {
        ".".join(f.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): ast.parse(f.read_text("utf-8"))
        for f in files
    }
    asked = {module: set() for module in trees}
    loaded = {module: Counter() for module in trees}
    within = {}  # how often a function or a class asks for each name
    called = {}  # modules by the last part of their names
    for module in trees:
        called.setdefault(module.rpartition(".")[2], []).append(module)
    for module, tree in trees.items():
        attributes, aliases = [], {}
        for block in tree.body:
            names = Counter()
            for node in ast.walk(block):
                if isinstance(node, ast.Name):
                    names[node.id] += isinstance(node.ctx, ast.Load)
                elif isinstance(node, ast.Attribute):
                    attributes.append(node)
                elif isinstance(node, ast.ImportFrom) and node.module:
                    asked.setdefault(node.module, set()).update(name.name for name in node.names)
                    aliases |= {
                        n.asname or n.name: f"{node.module}.{n.name}" for n in node.names if f"{node.module}.{n.name}" in trees
                    }
            loaded[module].update(names)
            within[block] = names if isinstance(block, ast.FunctionDef | ast.ClassDef) else Counter()
        for node in attributes:
            if isinstance(node.value, ast.Name) and node.value.id in aliases:
                asked[aliases[node.value.id]].add(node.attr)
            elif isinstance(node.value, ast.Attribute):  # cache.steps.keep
                for owner in called.get(node.value.attr, ()):
                    asked[owner].add(node.attr)
    return sorted(
        f"{module}: {name}"
        for module, tree in trees.items() for block in tree.body for name in names_of(block)
        if name not in READ_BY_NAME | asked[module] and loaded[module][name] == within[block][name]
    )  # fmt: skip


def names_of(block):
    """What a statement of a file's own gives a name to."""
    if isinstance(block, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return [block.name]
    targets = block.targets if isinstance(block, ast.Assign) else [block.target] if isinstance(block, ast.AnnAssign) else []
    return [node.id for target in targets for node in ast.walk(target) if isinstance(node, ast.Name)]


def test_nothing_stands_there_that_nobody_asks_for():
    """Five patterns of a log's devices stayed when those who used them had gone, and a number of bits."""
    assert set(unused(ROOT)) <= ASKED_FROM_OUTSIDE


def test_what_nobody_asks_for_is_seen(tmp_path):
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.py").write_text("A, B = 1, 2\ndef f(): return f() + A\ndef g(): ...\nclass C: ...\n")
    (tmp_path / "pages" / "b.py").write_text("from pages import a\nfrom pages.a import C\nx = a.g\ny = x, C\ny\n")
    assert unused(tmp_path) == ["pages.a: B", "pages.a: f"]
