"""Under a key of its own the session holds what a widget says, and no key has two meanings, read from the sources themselves.

What a visit is besides stands in objects, one for each subject, of the file that defines it (visit/session.py). Three keys had two
owners once: a phone in a vote forgot where it had been because another file took the memory for a message of its own
(`followed`), and two buttons had the names of what they left behind (`whole`, `anew`).
"""

import ast
from collections import defaultdict
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
BOXES = ("container", "form", "plot", "play", "stepper", "PRINT")  # what has a key for a style sheet or for the browser
STATE = ("state", "st.session_state")  # what the sources call the session


def literal(node):
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@cache
def named(path):
    """What a file calls by a literal key: of the session, and its elements. Its tree is let go: several hundred of them are a burden to
    whoever looks for what is still needed."""
    nodes = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call | ast.Subscript)]
    return [*_session_keys(nodes)], [*_widget_keys(nodes)]


def session_keys(path):
    """(key, whether it is written) for every literal key of the session that a file names; get reads, pop and setdefault write."""
    return named(path)[0]


def widget_keys(path):
    """(key, what it is given to) for every literal key of an element."""
    return named(path)[1]


def _session_keys(nodes):
    for node in nodes:
        if isinstance(node, ast.Subscript) and (key := literal(node.slice)) and ast.unparse(node.value) in STATE:
            yield key, not isinstance(node.ctx, ast.Load)
        method = node.func if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args else None
        if method and (key := literal(node.args[0])) and ast.unparse(method.value) in STATE:
            yield key, method.attr != "get"


def _widget_keys(nodes):
    for node in nodes:
        if isinstance(node, ast.Call):
            for argument in node.keywords:
                if argument.arg == "key" and (key := literal(argument.value)):
                    yield key, ast.unparse(node.func).rpartition(".")[2]


def collisions(root):
    """A sentence for every key that two folders write or give to elements, or that an element has and another file or a button's own
    uses."""
    writers, users, elements = defaultdict(set), defaultdict(set), defaultdict(set)
    for path in root.glob("pages/**/*.py"):
        for key, written in session_keys(path):
            users[key].add(path)
            if written:
                writers[key].add(path.parent)
        for key, element in widget_keys(path):
            elements[key].add((path, element))
    found = [f"{key} is written in {len(folders)} folders" for key, folders in writers.items() if len(folders) > 1]
    for key, given_to in elements.items():
        if len({path.parent for path, _ in given_to}) > 1:
            found.append(f"{key} is an element of several folders")
        for path, element in given_to:
            if key in users and (element.endswith("button") or users[key] != {path}):
                found.append(f"{key} is a {element} of {path.name} and a value of the session")
    return found


def loose(root):
    """Keys of the session that no element has."""
    files = list(root.glob("pages/**/*.py"))
    elements = {key for path in files for key, _ in widget_keys(path)}
    return sorted({key for path in files for key, _ in session_keys(path)} - elements)


def unprefixed(root):
    """Keys of a lesson's own widgets that do not begin with its name; what a parameter's widget is called the parameter says."""
    for path in root.glob("pages/lessons/*/**/*.py"):
        lesson = path.relative_to(root).parts[2]
        for key, element in widget_keys(path):
            if element not in BOXES and not key.startswith(f"{lesson}_"):
                yield f"{key} of {path.name}"


def test_a_widget_of_a_lesson_has_its_name_in_front(tmp_path):
    assert [*unprefixed(ROOT)] == []
    (tmp_path / "pages/lessons/many").mkdir(parents=True)
    source = "st.button('A', key='many_a'); st.toggle('B', key='b'); st.container(key='c'); st.button('D', key=name)"
    (tmp_path / "pages/lessons/many/a.py").write_text(source)
    assert [*unprefixed(tmp_path)] == ["b of a.py"]


def test_what_no_widget_says_is_no_key_of_the_session(tmp_path):
    assert loose(ROOT) == []
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "a.py").write_text(
        "st.slider('N', key='n'); st.session_state['n'] = state['mine'] = state.get('heard')"
    )
    assert loose(tmp_path) == ["heard", "mine"]


def test_no_key_of_the_session_has_two_owners():
    assert collisions(ROOT) == []


def test_what_two_files_or_a_button_share_would_be_found(tmp_path):
    for place, source in {
        "a/one.py": "st.session_state['heard'] = 1; state.pop('once', 0)\nst.text_input('T', key='typed')",
        "b/two.py": "state['heard'] = 2; state.setdefault('once', 1)\nst.session_state.get('typed')",
        "b/three.py": "bar.button('Whole', key='whole'); st.session_state.get('whole')",
        "b/four.py": "st.slider('N', key='n'); state['n'] = state['mine'] = 3; state.get('heard')",
        "a/five.py": "st.button('On', key='on')",
        "b/six.py": "st.button('On', key='on')",
    }.items():
        (tmp_path / "pages" / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "pages" / place).write_text(source)
    found = sorted(sentence.split()[0] for sentence in collisions(tmp_path))
    assert found == ["heard", "on", "once", "typed", "whole"]
