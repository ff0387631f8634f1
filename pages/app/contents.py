"""What the application contains: every lesson's question and the names of its steps, read from the pages themselves.

Nothing is listed twice: a page says which steps it has and in which order, a step says its own name.
"""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

PAGES = Path(__file__).resolve().parents[1]


@cache
def contents() -> dict[str, tuple[str, tuple[str, ...]]]:
    """Lesson -> (its question, the names of its steps in order)."""
    found = {}
    for page in sorted(PAGES.glob("*.py")):
        calls = [node for node in ast.walk(_tree(page)) if isinstance(node, ast.Call) and _name(node.func) == "lesson"]
        if calls:
            question, *steps = calls[0].args
            names = step_names(PAGES / "lessons" / page.stem)
            found[page.stem] = (getattr(question, "value", ""), tuple(names.get(_name(step), _name(step)) for step in steps))
    return found


def step_names(folder: Path) -> dict[str, str]:
    """Function -> the name of the step that it draws, of all files of a lesson."""
    return {
        node.name: decorator.args[0].value
        for file in sorted(folder.glob("*.py"))
        for node in _tree(file).body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and _name(decorator.func) == "step"
    }


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
